"""Frames: what goes through unchanged, and what is refused before memory is taken."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from msgspec import Struct
from numpy.typing import NDArray

from quizzer.sandbox.wire import Repeated, WireError, pack, unpack, unpack_foreign

Array = NDArray[np.float64]


class Letter(Struct, frozen=True):
    name: str
    numbers: tuple[int, ...]
    share: float | None
    parts: dict[str, NDArray[np.float64] | int | str]


def frame(header: object, body: bytes = b"") -> bytes:
    data = json.dumps(header).encode()
    return struct.pack("<II", len(data), len(body)) + data + body


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    arrays.arrays(
        dtype=st.sampled_from(["?", "<i8", "<u2", "<f4", "<f8", ">f8"]),
        shape=arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    )
)
def test_every_array_goes_through_unchanged(array: np.ndarray) -> None:
    there = unpack(Array, pack(array))
    assert there.shape == array.shape
    np.testing.assert_array_equal(there, array)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        unpack(Letter, data)


def test_a_struct_goes_through_unchanged() -> None:
    letter = Letter("δ", (1, -2), 0.5, {"a": 3, "b": "text"})
    assert unpack(Letter, pack(letter)) == letter


class Post(Struct, frozen=True):
    before: NDArray[np.float64]
    letters: tuple[Letter, ...]
    behind: tuple[NDArray[np.float64] | str, ...]


@pytest.mark.parametrize("make", [tuple, Repeated])
def test_a_tuple_is_sent_as_often_as_one_likes(make: type[tuple[Letter, ...]]) -> None:
    letters = make(Letter("δ", (k,), None, {"a": np.full(k, 1.5), "b": "\0"}) for k in (1, 2, 3))
    for number in (4.0, 5.0):
        post = Post(np.full(2, number), letters, (np.full(3, number), "text"))
        there = unpack(Post, pack(post))
        assert there.before.tolist() == [number] * 2
        assert [each.parts["a"].tolist() for each in there.letters] == [
            [1.5] * k for k in (1, 2, 3)
        ]
        assert there.behind[0].tolist() == [number] * 3


def test_a_repeated_tuple_is_packed_once_as_a_field_and_anew_elsewhere() -> None:
    letters = Repeated([Letter("first", (), None, {})])
    post = Post(np.zeros(1), letters, ())
    assert unpack(Post, pack(post)).letters == tuple(letters)
    kept = letters.packed
    assert kept is not None and pack(post) and letters.packed is kept
    assert pack((letters,)) == pack((tuple(letters),))


def test_what_is_repeated_is_read_once_for_as_long_as_it_is_the_same() -> None:
    first, other = (Repeated([Letter(name, (), None, {"a": np.ones(2)})]) for name in "ab")
    there = [
        unpack(Post, pack(Post(np.full(1, k), letters, ())))
        for k, letters in enumerate((first, first, other, first))
    ]
    assert there[0].letters is there[1].letters
    assert [each.letters[0].name for each in there] == ["a", "a", "b", "a"]
    assert [each.before.tolist() for each in there] == [[0.0], [1.0], [2.0], [3.0]]


def test_what_comes_from_others_holds_no_frame_within_the_frame() -> None:
    post = pack(Post(np.zeros(1), Repeated([Letter("a", (), None, {})]), ()))
    with pytest.raises(WireError):
        unpack_foreign(Post, post)


@pytest.mark.parametrize("size", [-1, 10**9, True, "8", None])
def test_a_frame_within_the_frame_has_a_size_that_fits(size: object) -> None:
    header = json.dumps({" ": size}).encode()
    with pytest.raises(WireError):
        unpack(tuple[Letter, ...], struct.pack("<II", len(header), 8) + header + bytes(8))


class Posts(Struct, frozen=True):
    posts: tuple[Post, ...]


def test_what_is_repeated_is_packed_once_in_each_of_many_structs() -> None:
    letters = Repeated(Letter("δ", (k,), None, {"a": np.full(k, 1.5)}) for k in (1, 2))
    posts = Posts(tuple(Post(np.full(2, k), letters, (f"{k}",)) for k in (4.0, 5.0)))
    there = unpack(Posts, pack(posts)).posts
    assert letters.packed is not None
    assert [each.behind for each in there] == [("4.0",), ("5.0",)]
    assert there[0].letters is there[1].letters


def test_arrays_that_arrive_can_be_written_to() -> None:
    array = unpack(Array, pack(np.zeros(3)))
    array[0] = 1.0
    assert array[0] == 1.0


@pytest.mark.parametrize(
    "array",
    [np.array([None]), np.array(["a"]), np.array([1j]), np.zeros(2, "M8[s]"), np.zeros(2, "V4")],
)
def test_arrays_of_other_kinds_are_not_sent(array: np.ndarray) -> None:
    with pytest.raises(WireError):
        pack(array)


@pytest.mark.parametrize(
    "tree",
    [
        {"": "|O 1"},
        {"": "<c16 1"},
        {"": "<f8 2"},
        {"": "<f8 1099511627776 1099511627776"},
        {"": "<f8 0 99999999999999999999"},
        {"": "<f8 -1 -1"},
        {"": "<f8 True"},
        {"": "<f8 1.0"},
        {"": "<f8 ١"},
        {"": "<f8" + " 0" * 33},
        {"": "<f8 0 67108864 67108864 67108864"},
        {"": "<f8 1 "},
        {"": ""},
        {"": ["<f8", [1]]},
        {"": "<f8 1", "more": 1},
    ],
)
def test_a_forged_array_is_refused(tree: object) -> None:
    with pytest.raises(WireError):
        unpack(Array, frame(tree, bytes(8)))


def test_bytes_that_no_array_claims_are_refused() -> None:
    with pytest.raises(WireError):
        unpack(Array, frame({"": "<f8 1"}, bytes(16)))


def test_a_frame_followed_by_another_is_refused() -> None:
    with pytest.raises(WireError):
        unpack(Array, pack(np.zeros(1)) * 2)


def test_a_length_beyond_the_limit_is_refused() -> None:
    with pytest.raises(WireError):
        unpack(Array, struct.pack("<II", 2**32 - 1, 2**32 - 1))


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"name": "a", "numbers": [], "share": None},
        {"name": "a", "numbers": [], "share": None, "parts": {}, "verdict": "correct"},
        {"name": 1, "numbers": [], "share": None, "parts": {}},
        {"name": "a", "numbers": [True], "share": None, "parts": {}},
        {"name": "a", "numbers": {}, "share": None, "parts": {}},
        {"name": "a", "numbers": [], "share": "b", "parts": {}},
        {"name": "a", "numbers": [], "share": None, "parts": {"a": []}},
    ],
)
def test_a_value_of_another_type_is_refused(tree: object) -> None:
    with pytest.raises(WireError):
        unpack(Letter, frame(tree))


def test_a_deep_header_is_refused() -> None:
    for depth in (50, 100_000):
        nested = b"[" * depth + b"]" * depth
        with pytest.raises(WireError):
            unpack(Letter, struct.pack("<II", len(nested), 0) + nested)


def test_more_arrays_than_anybody_sends_are_refused() -> None:
    with pytest.raises(WireError, match="too many"):
        unpack(tuple[Array, ...], frame([{"": "<f8 0"}] * 70_000))


def test_a_number_beyond_floating_point_is_refused() -> None:
    for digits in (400, 5_000):
        data = b"1" + b"0" * digits
        with pytest.raises(WireError):
            unpack(float, struct.pack("<II", len(data), 0) + data)


@pytest.mark.parametrize("text", [r'"\ud800"', r'{"\udfff": "a"}'])
def test_half_a_character_is_refused(text: str) -> None:
    with pytest.raises(WireError):
        unpack(str, struct.pack("<II", len(text), 0) + text.encode())


def test_every_text_from_elsewhere_is_made_harmless() -> None:
    letter = Letter("\x1b[2J", (1,), None, {"\u202ea": "\x07", "b": np.ones(2)})
    there = unpack_foreign(Letter, pack(letter))
    assert (there.name, list(there.parts)) == ("\ufffd[2J", ["\ufffda", "b"])
    assert there.parts["\ufffda"] == "\ufffd"
    assert unpack(Letter, pack(Letter("\x1b", (), None, {}))).name == "\x1b"
