"""Seeded damage: bytes, and replies of a checker's process, as a stranger might have made them."""

import json
import struct
from collections.abc import Sequence
from random import Random
from typing import Any

TOKENS: tuple[bytes, ...] = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n", b"\r\n", b"\x1b]0;x\x07"),
    *(text.encode() for text in ("\u202e", "\u2028", "\x85", "٣", "²", "𝟏", "ﬁ", "e\u0301")),
    *(b"---\n", b"\n---\n", b"# Question\n", b"\n# Solution\n", b"## Options\nA) ", b"## Hints\n"),
    *(b"$", b"$$", b"`", b"```\n", b"~~~\n", b"|", b"\n|-|-|\n", b"**", b"__", b"[[", b"]]", b"!["),
    *(b"**Correct Answer:** ", b"1.5e999", b"9" * 400, b"-1e-999", b"1/0", b"nan", b"inf", b"(5p)"),
    *(b"> " * 60, b"- " * 60, b"[" * 300, b"{" * 300, b"(" * 300, b"\\left(" * 80, b"^" * 90),
    *(
        b"\\frac" * 80,
        b"\\sqrt{" * 80,
        b"_{" * 80,
        b"\\begin{pmatrix}" * 9,
        b"&" * 200,
        b"\\\\" * 99,
    ),
    *(b"\\newcommand{\\x}{\\x\\x}", b"\\def\\y#1{#1#1}", b"\\x" * 20, b"\\y{\\y{\\y{a}}}"),
    *(
        b": ",
        b"- ",
        b"? ",
        b"&a ",
        b"*a",
        b"<<: ",
        b"!!python/object:os.system ",
        b"!x ",
        b"%",
        b"@",
    ),
    *(b"'", b'"', b",", b"=", b"{", b"}", b"[", b"]", b":", b"null", b"true", b"-0", b"1e400"),
    *(b"id: ", b"tags: [", b"difficulty: 9", b"\t", b"\x0b", b"\x0c", b" " * 3000, b"a" * 3000),
)
"""What has broken readers of Markdown, YAML, JSON, TOML, LaTeX and CSV before."""


def mutated(data: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """The bytes with one to four damages."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = _damaged(data, rng, others)
    return data


def _damaged(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    at = rng.randint(0, len(data))
    end = min(len(data), at + rng.choice((1, 2, 8, 40, 400)))
    match rng.randrange(8):
        case 0:
            return data[:at] + rng.choice(TOKENS) + data[at:]
        case 1:
            return data[:at] + rng.choice(TOKENS) + data[end:]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:at] + data[at:end] * rng.choice((2, 3, 50)) + data[end:]
        case 4:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 5:
            return data[:at]
        case 6 if others:
            other = rng.choice(others)
            start = rng.randint(0, len(other))
            return data[:at] + other[start : start + rng.choice((10, 200, 2000))] + data[end:]
        case _:
            to = rng.randint(0, len(data))
            moved, rest = data[at:end], data[:at] + data[end:]
            return rest[:to] + moved + rest[to:]


_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        2**31,
        -(2**63),
        10**30,
        10**400,
        0.5,
        -1.0,
        1e308,
        1e-320,
    ),
    *(
        float("nan"),
        float("inf"),
        "",
        "x",
        "dx",
        "df_dx",
        "δ",
        "a b",
        "\x1b[2J",
        "\u202e",
        "\ud800",
    ),
    *("\0", "x" * 5_000, "1", "__class__", [], {}, [[]], [None], {"": 1}, {"x": None}, [0] * 50),
)
_DTYPES = ("<f8", "<f8", "<i8", "|b1", "<f4", "<u2", "|O", "<c16")


def forged(frame: bytes, rng: Random) -> bytes:
    """A reply of a checker's process, its values and arrays changed, or its very bytes."""
    if rng.random() < 0.1:
        return mutated(frame, rng)
    mark, rest = frame[:1], frame[1:]
    header_size, _ = struct.unpack_from("<II", rest)
    tree = json.loads(rest[8 : 8 + header_size])
    body = rest[8 + header_size :]
    arrays: list[bytes] = []
    tree = _opened(tree, body, [0], arrays)
    for _ in range(rng.choice((1, 1, 2, 3))):
        tree = _changed(tree, rng)
    out: list[bytes] = []
    tree = _closed(tree, out)
    header = json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return mark + struct.pack("<II", len(header), sum(map(len, out))) + header + b"".join(out)


class _Array:
    """An array of a frame: its type, its shape, its bytes."""

    def __init__(self, code: str, shape: list[int], data: bytes) -> None:
        self.code, self.shape, self.data = code, shape, data


def _opened(tree: Any, body: bytes, place: list[int], arrays: list[bytes]) -> Any:
    if isinstance(tree, list):
        return [_opened(each, body, place, arrays) for each in tree]
    if not isinstance(tree, dict):
        return tree
    if "" not in tree:
        return {key: _opened(each, body, place, arrays) for key, each in tree.items()}
    code, *lengths = tree[""].split(" ")
    shape = list(map(int, lengths))
    size = _size(code, shape)
    data = body[place[0] : place[0] + size]
    place[0] += size
    return _Array(code, shape, data)


def _closed(tree: Any, out: list[bytes]) -> Any:
    if isinstance(tree, _Array):
        out.append(tree.data)
        return {"": " ".join([tree.code, *map(str, tree.shape)])}
    if isinstance(tree, list):
        return [_closed(each, out) for each in tree]
    if isinstance(tree, dict):
        return {key: _closed(each, out) for key, each in tree.items()}
    return tree


def _size(code: str, shape: list[int]) -> int:
    size = int(code[2:]) if code[2:] else 8
    for length in shape:
        size *= length
    return size


def _changed(tree: Any, rng: Random) -> Any:
    """The tree with one node changed, wherever in it."""
    if isinstance(tree, list | dict) and tree and rng.random() < 0.93:
        places = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
        place = rng.choice(places)
        copy = dict(tree) if isinstance(tree, dict) else list(tree)
        if rng.random() < 0.08:
            _reshuffled(copy, place, rng)
        else:
            copy[place] = _changed(tree[place], rng)
        return copy
    if isinstance(tree, _Array) and rng.random() < 0.85:
        return _other_array(tree, rng)
    return rng.choice(_VALUES)


def _reshuffled(copy: Any, place: Any, rng: Random) -> None:
    if isinstance(copy, dict):
        value = copy.pop(place)
        if rng.random() < 0.6:
            copy[rng.choice(("x", "y", "dx", "δ", "", "a b", "q" * 300, "\x1b", *copy))] = value
    elif rng.random() < 0.5:
        del copy[place]
    else:
        copy.insert(place, copy[rng.randrange(len(copy))])


def _other_array(array: _Array, rng: Random) -> _Array:
    """The same with other entries, of another shape, or of another type."""
    match rng.randrange(4):
        case 0 if array.code == "<f8" and array.data:
            value = rng.choice((float("nan"), float("inf"), 1e308, -1e308, 0.0, 1e-320))
            at = 8 * rng.randrange(len(array.data) // 8)
            data = array.data[:at] + struct.pack("<d", value) + array.data[at + 8 :]
            return _Array(array.code, array.shape, data)
        case 1:
            shape = [1] * rng.choice((1, 3, 20)) + array.shape
            return _Array(array.code, shape, array.data)
        case 2 if len(array.shape) > 1:
            return _Array(array.code, array.shape[::-1], array.data)
        case _:
            code = rng.choice(_DTYPES)
            shape = rng.choice(
                ([], [0], [1], [2, 3], [3, 2, 2], [1] * 40, [200, 300], [0, 1 << 40])
            )
            size = min(_size(code, shape), 1 << 20)
            fill = struct.pack("<d", rng.gauss(0, 1)) if rng.random() < 0.7 else b"\xff" * 8
            return _Array(code, shape, (fill * (size // 8 + 1))[:size])
