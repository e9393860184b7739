"""Daily copies that hold only the bytes in which they differ from an earlier, whole copy.

Little of a long history changes in a day. Such a copy has both days in its name, so which one it
builds on is known whatever is damaged. Its pieces are hashed one by one, and at its end is a
checksum of the whole file: damage is found in either of the two, and costs no other piece. Bytes of
the whole copy that are damaged by now differ, so copies made later are sound.
"""

import mmap
import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import BinaryIO

from quizzer.files import mapped, opened
from quizzer.store.errors import StoreDamagedError, explained
from quizzer.store.files import base_of

_MANY = 1 << 20
_PAGE = 4096
"""Bytes, as SQLite has them unless told otherwise."""
_STEP = 128
"""Bytes that are compared at a time within a page that changed; a row or two."""
_LARGE = 1 << 30
"""Bytes that a whole copy may have had before it was cut off."""
_HEAD = Struct(">4sQI8s")
"""Of a piece: the mark, its place in the whole file, its length, and a hash of these and of it."""
_MARK = b"\xf1chg"
_LAST = (1 << 64) - 1
"""The place that the last piece has, which holds what follows."""
_SUMS = Struct(">IQI")
"""How many pieces came before it, and the size and the checksum of the whole file."""


def write(new: BinaryIO, base: Path, target: Path) -> bool:
    """Write what turns `base` into the file `new`, unless that takes more than half as much as it.

    Returns whether it was written; it is on the disk then. Raises OSError.
    """
    with opened(base) as old, target.open("wb") as out:
        size = os.fstat(new.fileno()).st_size
        count = checksum = 0
        for first, content, known in _pairs(new, old):
            checksum = zlib.crc32(content, checksum)
            for place, piece in _changed(content, known):
                out.write(_piece(first + place, piece))
                count += 1
            if out.tell() > size // 2:
                return False
        out.write(_piece(_LAST, _SUMS.pack(count, size, checksum)))
        out.flush()
        os.fsync(out.fileno())
    return True


@contextmanager
def whole(copy: Path) -> Iterator[Path]:
    """A daily copy as a whole file: itself, or rebuilt in a folder that is removed in the end.

    Raises StoreError.
    """
    if base_of(copy) is None:
        yield copy
        return
    from tempfile import TemporaryDirectory

    with ExitStack() as stack:
        try:
            file = Path(stack.enter_context(TemporaryDirectory()), f"{copy.stem}.db")
            fault = rebuild(copy, file)
        except OSError as error:
            raise explained(error, copy) from error
        if fault:
            raise StoreDamagedError.of_backup(copy, fault)
        yield file


def rebuild(copy: Path, target: Path) -> str | None:
    """Write the whole file as far as it is intact; what is wrong with it. Raises OSError."""
    base = base_of(copy)
    assert base
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


def has_all_pieces(copy: Path) -> bool:
    """Whether this is such a copy, and all that it holds itself is as it was written."""
    if base_of(copy) is None:
        return False
    count, last = 0, None
    try:
        with mapped(copy) as data:
            for place, piece in _pieces(data):
                if place == _LAST and len(piece) == _SUMS.size:
                    last = _SUMS.unpack(piece)[0]
                else:
                    count += 1
    except OSError:
        return False
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
    with mapped(copy) as data:
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


def _pairs(new: BinaryIO, old: BinaryIO) -> Iterator[tuple[int, bytes, bytes]]:
    """Many bytes of two files at a time, with the place of the first."""
    first = 0
    while content := new.read(_MANY):
        yield first, content, old.read(_MANY)
        first += len(content)


def _changed(content: bytes, known: bytes) -> Iterator[tuple[int, bytes]]:
    """The pieces in which the first differs from the second, with their places."""
    if content == known:
        return
    for page in range(0, len(content), _PAGE):
        end = min(page + _PAGE, len(content))
        if content[page:end] == known[page:end]:
            continue
        differs = [
            place
            for place in range(page, end, _STEP)
            if content[place : place + _STEP] != known[place : place + _STEP]
        ]
        for begin, until in _runs(differs):
            yield begin, content[begin : min(until, end)]


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where steps that follow each other begin and end."""
    begin = until = places[0]
    for place in places:
        if place != until:
            yield begin, until
            begin = place
        until = place + _STEP
    yield begin, until


def _checksum(file: BinaryIO) -> int:
    # A hash takes several times as long, and each event has its own.
    found = 0
    file.seek(0)
    while content := file.read(_MANY):
        found = zlib.crc32(content, found)
    return found


def _piece(place: int, content: bytes) -> bytes:
    return _HEAD.pack(_MARK, place, len(content), _hash(place, content)) + content


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
