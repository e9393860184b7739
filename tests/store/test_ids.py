import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.store.ids import next_id

PROPERTY = settings(derandomize=True, deadline=None, max_examples=100)
MS = 1_790_000_000_000


def zeros(count: int) -> bytes:
    return bytes(count)


def ones(count: int) -> bytes:
    return b"\xff" * count


@PROPERTY
@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
def test_an_id_is_a_uuid_of_version_seven_that_holds_its_millisecond(ms: int, tail: bytes) -> None:
    text = next_id(None, ms, lambda count: tail[:count])
    read = uuid.UUID(text)
    assert str(read) == text
    assert (read.version, read.variant) == (7, uuid.RFC_4122)
    assert read.int >> 80 == ms
    assert read.int & (2**62 - 1) == int.from_bytes(tail, "big") & (2**62 - 1)


@PROPERTY
@given(st.lists(st.tuples(st.integers(-5, 5), st.binary(min_size=10, max_size=10)), max_size=40))
def test_ids_grow_whatever_the_clock_and_chance_do(steps: list[tuple[int, bytes]]) -> None:
    previous = None
    for ms, tail in steps:
        following = next_id(previous, MS + ms, lambda count, tail=tail: tail[:count])
        assert previous is None or following > previous
        previous = following


def test_the_tail_runs_over_into_the_next_millisecond() -> None:
    last = next_id(None, MS, ones)
    following = next_id(last, MS, zeros)
    assert uuid.UUID(following).int >> 80 == MS + 1
    assert uuid.UUID(following).version == 7


def test_a_clock_before_1970_gives_the_smallest_id() -> None:
    assert next_id(None, -1, zeros) == "00000000-0000-7000-8000-000000000000"


def test_no_id_follows_the_last() -> None:
    last = next_id(None, 2**48 - 1, ones)
    with pytest.raises(OverflowError):
        next_id(last, 0, zeros)
