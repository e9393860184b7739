"""Daily copies of an older quizzer: the bytes in which they differ from an earlier, whole copy.

They are read, and no longer made (`additions`). Their pieces are hashed one by one, and at the end
is a checksum of the whole file: damage is found in either of the two, and costs no other piece.
"""

import mmap
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import BinaryIO

from quizzer.files import mapped, opened
from quizzer.store.files import MOST_ADDED

_MANY = 1 << 20
_PAGE = 4096
"""Bytes of the longest piece."""
_LARGE = 1 << 30
"""Bytes that a whole copy may have had before it was cut off."""
_HEAD = Struct(">4sQI8s")
"""Of a piece: the mark, its place in the whole file, its length, and a hash of these and of it."""
_MARK = b"\xf1chg"
_LAST = (1 << 64) - 1
"""The place that the last piece has, which holds what follows."""
_SUMS = Struct(">IQI")
"""How many pieces came before it, and the size and the checksum of the whole file."""


def are_in(copy: Path) -> bool:
    """Whether a copy is of this kind. Raises OSError."""
    with mapped(copy, MOST_ADDED) as data:
        return any(_pieces(data))


def rebuild(copy: Path, base: Path, target: Path) -> str | None:
    """Write the whole file as far as it is intact; what is wrong with it. Raises OSError."""
    with target.open("w+b") as out:
        unread = _put_base(base, out)
        put, last = _put_pieces(copy, out)
        if unread:
            return f"{base.name}, on which it builds, cannot be read: {unread}"
        if last is None:
            return "its end is missing or damaged"
        count, size, checksum = last
        out.truncate(size)
        if _checksum(out) == checksum:
            return None
    if put < count:
        return f"{count - put} of its {count} pieces are not as they were written"
    return f"{base.name}, on which it builds, is not as it was written"


def are_all_in(copy: Path) -> bool:
    """Whether all that such a copy holds itself is as it was written. Raises OSError."""
    count, last = 0, None
    with mapped(copy, MOST_ADDED) as data:
        for place, piece in _pieces(data):
            if place == _LAST and len(piece) == _SUMS.size:
                last = _SUMS.unpack(piece)[0]
            else:
                count += 1
    return count == last


def _put_base(base: Path, out: BinaryIO) -> str | None:
    """Copy the whole copy; why that cannot be read."""
    with ExitStack() as stack:
        try:
            old = stack.enter_context(opened(base))
        except OSError as error:
            return error.strerror
        shutil.copyfileobj(old, out, _MANY)
    return None


def _put_pieces(copy: Path, out: BinaryIO) -> tuple[int, tuple[int, int, int] | None]:
    """Put the pieces of a copy in their places; how many, and what the last one says."""
    put, last = 0, None
    with mapped(copy, MOST_ADDED) as data:
        # The whole file is no larger than its two parts were together, whatever a piece claims.
        most = max(out.seek(0, os.SEEK_END), _LARGE) + len(data)
        for place, piece in _pieces(data):
            if place == _LAST and len(piece) == _SUMS.size:
                last = _SUMS.unpack(piece)
            elif place + len(piece) <= most:
                out.seek(place)
                out.write(piece)
                put += 1
    return put, last if last and last[1] <= most else None


def _checksum(file: BinaryIO) -> int:
    # A hash takes several times as long, and each event has its own.
    found = 0
    file.seek(0)
    while content := file.read(_MANY):
        found = zlib.crc32(content, found)
    return found


def _pieces(data: mmap.mmap | bytes) -> Iterator[tuple[int, bytes]]:
    """The place and the bytes of each piece that is intact, wherever it begins."""
    found = data.find(_MARK)
    while 0 <= found <= len(data) - _HEAD.size:
        _, place, length, hash = _HEAD.unpack_from(data, found)
        begin, following = found + _HEAD.size, found + 1
        if length <= _PAGE:
            content = data[begin : begin + length]
            if _hash(place, content) == hash:
                yield place, content
                following = begin + length
        found = data.find(_MARK, following)


def _hash(place: int, content: bytes) -> bytes:
    return sha256(place.to_bytes(8, "big") + content).digest()[:8]
