"""Daily copies that hold only the events that were added since an earlier, whole copy.

Events are never changed, so that copy has all others. Such a copy has both days in its name: which
one it builds on is known whatever is damaged. Each event is packed alone and proven alone by its
own hash, wherever in the file it begins, so damage to one costs no other. What follows from events,
as indexes and memory do, is made anew.
"""

import errno
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from mmap import mmap
from pathlib import Path
from struct import Struct
from typing import BinaryIO

import msgspec
from msgspec import msgpack

from quizzer.files import TooLargeError, mapped, opened
from quizzer.store import fitted, layout, log, memory_table, meta, schema
from quizzer.store.codec import Row, has_types
from quizzer.store.connection import Connection
from quizzer.store.files import MOST_ADDED
from quizzer.store.integrity import hash_of
from quizzer.store.layout import RawRow
from quizzer.store.pages import Page, kept_as_written
from quizzer.text import count

FEW = 5000
"""Events that are always few enough for such a copy; of a long history it may be a quarter."""
_HEAD = Struct(">4s8sI")
"""Of an event, packed: the mark, the beginning of its hash, how many bytes follow."""
_EVENT, _END = b"\xf1evt", b"\xf1end"
_MARKS = re.compile(rb"\xf1(?:evt|end)")
_MANY = 1 << 20
_LONGEST = 10_000_000
"""Bytes of a packed event and of what it holds."""
_OFTEN = (
    b'{"diagnosis":"known-mistake","mistake":"","name":"d","notation":"index","seconds":,"verdict":'
    b'"wrong"}"correct"{"interval":1,"path":"/.md","rating":3,"seconds":,"state":"review",'
    b'"suggested":3}attempt review'
)
"""What events hold again and again. Copies cannot be unpacked with another text."""
_UNREADABLE = (msgspec.DecodeError, TypeError, ValueError, AttributeError)


class _Whole(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a whole copy: whether it is still so, and which events it holds."""

    name: str
    size: int
    checksum: int
    events: int
    last: int
    """The number that SQLite gave to the newest of its rows; each later one has a greater one."""
    format: int
    """That of its tables: a history of a newer one begins with a whole copy."""

    def fits(self, file: Path) -> bool:
        # Of one that grew to gigabytes nothing is read.
        return self.size == file.stat().st_size and (self.size, self.checksum) == _measured(file)


class _End(msgspec.Struct, frozen=True, array_like=True):
    """What such a copy ends with."""

    whole: _Whole
    events: int
    """How many came before."""
    meta: tuple[tuple[str, str], ...]


def remember(connection: Connection, copy: Path) -> None:
    """Remember what a whole copy made just now holds. Inside a transaction. Raises OSError."""
    events, last = log.size(connection), log.newest_row(connection)
    known = _Whole(copy.name, *_measured(copy), events, last, schema.NEWEST)
    meta.put(connection, meta.COPIED, msgspec.json.encode(known).decode())


def write(connection: Connection, base: Path, target: Path) -> bool:
    """Write the events that `base` lacks, if they are few and it is sound; whether it was done.

    They are on the disk then. Inside a transaction. Raises OSError, StoreError.
    """
    known = _remembered(connection)
    if known is None or (known.name, known.format) != (base.name, schema.NEWEST):
        return False
    if not known.fits(base):
        return False
    added = log.size(connection) - known.events
    if not 0 <= added <= max(FEW, known.events // 4):
        return False
    rows = log.kept_since(connection, known.last)
    if len(rows) != added or not all(kept_as_written(Page(rows))):
        return False
    own = connection.read("SELECT name, content FROM meta WHERE name <> ?", (meta.FOLD,))
    if not all(isinstance(each, str) for entry in own for each in entry):
        return False  # somebody else wrote it, and no such copy can hold it
    with target.open("wb") as out:
        out.writelines(map(packed, rows))
        end = msgpack.encode(_End(known, added, tuple(own)))
        out.write(_piece(_END, end, sha256(end).digest()))
        out.flush()
        os.fsync(out.fileno())
    return True


def packed(row: RawRow) -> bytes:
    """An event as such a copy holds it."""
    return _piece(_EVENT, msgpack.encode(row[:9]), row[9])


def events(copy: Path) -> list[RawRow]:
    """All events in such a copy that are as they were written, each once. Raises OSError."""
    with mapped(copy, MOST_ADDED) as data:
        pieces = (piece for piece in _pieces(data) if piece[0] == _EVENT)
        found = (row for _, hash, content in pieces if (row := _event(content, hash)))
        # A block that the disk wrote twice has some again, where others were.
        return list({row[0]: row for row in found}.values())


def begins(head: bytes) -> bool:
    """Whether a file that begins so is such a copy."""
    return bool(_MARKS.match(head))


def are_all_in(copy: Path) -> bool:
    """Whether all that such a copy holds itself is as it was written. Raises OSError."""
    end = _end(copy)
    return end is not None and len(events(copy)) == end.events


def rebuild(copy: Path, base: Path, target: Path) -> str | None:
    """Write the whole file to `target`; or say what is wrong, then there is but a part of it.

    Raises OSError, and StoreError where `base` is no store.
    """
    end, found = _end(copy), events(copy)
    try:
        with opened(base) as old, target.open("wb") as out:
            _copy(old, out, end.whole.size + 1 if end else MOST_ADDED)
    except OSError as error:
        return f"{base.name}, on which it builds, cannot be read: {error.strerror}"
    if end is None:
        return "its end is missing or damaged"
    if len(found) < end.events:
        lost = end.events - len(found)
        return f"{lost} of its {count(end.events, 'event')} are not as they were written"
    if not end.whole.fits(target):
        return f"{base.name}, on which it builds, is not as it was written"
    with closing(Connection.to_file(target, write=True, stranger=True)) as connection:
        schema.see_that_it_is_ours(connection)
        with connection.transaction():
            _add(connection, found, end.meta)
    return None


def _add(connection: Connection, added: list[RawRow], own: Sequence[tuple[str, str]]) -> None:
    """Add to a whole copy what came since, and what follows from it."""
    newest = log.newest_id(connection)
    rows = [*map(Row._make, layout.rows(added))]
    log.insert(connection, rows)
    connection.write("DELETE FROM meta WHERE name <> ?", (meta.FOLD,))
    connection.write("INSERT INTO meta (name, content) VALUES (?, ?)", *own)
    parameters = fitted.in_force(connection)
    if memory_table.is_stale(connection, parameters):
        memory_table.fold_all(connection, parameters)
    elif newest and any(row.id < newest for row in rows):
        memory_table.refold(connection, rows, parameters)
    else:
        memory_table.follow(connection, log.events_of(connection, rows), parameters)


def _remembered(connection: Connection) -> _Whole | None:
    told = meta.get(connection, meta.COPIED)
    try:
        return msgspec.json.decode(told, type=_Whole) if told else None
    except msgspec.DecodeError:  # another version's
        return None


def _measured(file: Path) -> tuple[int, int]:
    """The size and the checksum of a file. Raises OSError."""
    # A hash takes several times as long, and each event has its own.
    size = checksum = 0
    with opened(file) as data:
        while content := data.read(_MANY):
            size, checksum = size + len(content), zlib.crc32(content, checksum)
    return size, checksum


def _copy(old: BinaryIO, out: BinaryIO, most: int) -> None:
    """Copy so many bytes: one more than a whole copy had shows that it is not what it was."""
    while most > 0 and (content := old.read(min(most, _MANY))):
        out.write(content)
        most -= len(content)


def _end(copy: Path) -> _End | None:
    with mapped(copy, MOST_ADDED) as data:
        for mark, hash, content in _pieces(data):
            if mark == _END and sha256(content).digest()[: len(hash)] == hash:
                with suppress(msgspec.DecodeError):
                    return msgpack.decode(content, type=_End)
    return None


def _event(content: bytes, beginning: bytes) -> RawRow | None:
    """The row of an event, None if it is not the one of which this is the beginning of the hash."""
    with suppress(*_UNREADABLE):
        columns = msgpack.decode(content)
        (row,) = layout.rows([(*columns, b"")])
        hash = bytes.fromhex(hash_of(row)) if has_types(Row._make(row)) else b""
        if hash.startswith(beginning) and hash:
            return (*columns, hash)
    return None


def _piece(mark: bytes, content: bytes, hash: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=_OFTEN)
    found = packer.compress(content) + packer.flush()
    return _HEAD.pack(mark, hash[:8], len(found)) + found


def _pieces(data: mmap | bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The mark, the hash and the content of each piece that is whole, wherever it begins.

    Raises TooLargeError where little is packed that would be much, or the same again and again.
    """
    left = MOST_ADDED
    found = _MARKS.search(data)
    while found and found.start() <= len(data) - _HEAD.size:
        mark, hash, length = _HEAD.unpack_from(data, found.start())
        begin = found.start() + _HEAD.size
        if length <= min(len(data) - begin, _LONGEST):
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_OFTEN)
            left -= length
            with suppress(zlib.error):
                content = unpacker.decompress(data[begin : begin + length], _LONGEST)
                left -= len(content)
                if unpacker.eof and not unpacker.unused_data:
                    yield mark, hash, content
            if left < 0:
                raise TooLargeError(errno.EFBIG, "it holds too much for a daily copy")
        found = _MARKS.search(data, found.end())
