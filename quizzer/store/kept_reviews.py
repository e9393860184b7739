"""The columns of all reviews, kept in the cache folder: of a long log only what is new is read.

Events are only ever added. So columns hold as long as the log up to their last event is the one
that they were read from: of the same device, with as many events there and ever added, and with the
same ones taken back. The file may be deleted at any time; one that is damaged, or written by
another version of quizzer, is ignored.
"""

import json
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from msgspec import Struct, to_builtins

from quizzer import files
from quizzer.store import log, meta
from quizzer.store.connection import Connection
from quizzer.store.layout import kept_id
from quizzer.store.pages import STATES, Histories
from quizzer.store.review_columns import ReviewColumns

MANY = 4000
"""Reviews read anew beyond which the columns are kept again."""
_WRITTEN_BY = [1, sys.byteorder, *(state.value for state in STATES)]
_LARGEST = 1 << 30
"""Bytes."""
_FRONT = 8
"""Bytes: a checksum of what follows them, and the length of the head, which comes first there."""
_UNUSABLE = (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError)
"""What reading a file of another make may raise."""


class Stamp(Struct, frozen=True):
    """The log up to an event, as far as columns that were read from it follow from it."""

    newest: str
    hash: str
    device: str
    events: int
    added: int
    """How many were ever added up to there; some may be missing."""
    undone: str
    """A digest of the ids that were taken back."""

    @classmethod
    def of(cls, connection: Connection, newest: str, undone: frozenset[str]) -> "Stamp":
        """Of the log as it is now, up to this event."""
        since = "SELECT COUNT(*) FROM events WHERE id > ?"
        ((later,),) = connection.read(since, (kept_id(newest),))
        taken_back = sorted(id for id in undone if id <= newest)
        return cls(
            newest,
            log.hashes(connection, [newest]).get(newest, ""),
            meta.get(connection, "device") or "",
            log.size(connection) - later,
            log.counted(connection) - later,
            sha256("\n".join(taken_back).encode()).hexdigest(),
        )


class Kept(Struct, frozen=True):
    """Columns with the histories to which later reviews belong, and what they were read from."""

    stamp: Stamp
    columns: ReviewColumns
    histories: Histories


def file_of(folder: Path, store: Path) -> Path:
    """Where the columns of this store are kept."""
    name = sha256(str(store).encode("utf-8", "surrogateescape")).hexdigest()
    return folder / f"reviews-{name[:20]}"


def read(file: Path, connection: Connection, undone: frozenset[str]) -> Kept | None:
    """What is kept, None if nothing is that holds."""
    try:
        data = memoryview(files.read_own(file, _LARGEST))
        body = data[_FRONT:]
        if crc32(body) != int.from_bytes(data[:4]):
            return None
        length = int.from_bytes(data[4:_FRONT])
        head = json.loads(bytes(body[:length]))
        if head["written_by"] != _WRITTEN_BY:
            return None
        stamp = Stamp(**head["stamp"])
        if stamp != Stamp.of(connection, stamp.newest, undone):
            return None
        histories = Histories(head["cards"])
        for card in head["ended"]:
            del histories[card]
        found = ReviewColumns(histories.cards)
        for column in found.columns:
            size = head["reviews"] * column.itemsize
            column.frombytes(body[length : length + size])
            length += size
    except _UNUSABLE:
        return None
    return Kept(stamp, found, histories) if length == len(body) else None


def write(file: Path, kept: Kept) -> None:
    """Keep columns; quietly does nothing where that is impossible."""
    columns, histories = kept.columns, kept.histories
    head = {
        "written_by": _WRITTEN_BY,
        "stamp": to_builtins(kept.stamp),
        "reviews": len(columns),
        "cards": columns.cards,
        "ended": sorted({*columns.cards} - histories.keys()),
    }
    told = json.dumps(head, separators=(",", ":")).encode()
    parts: list[bytes | memoryview] = [told, *(memoryview(each) for each in columns.columns)]
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    with suppress(OSError):
        front = checksum.to_bytes(4) + len(told).to_bytes(4)
        files.write_private(file, [front, *parts], durable=False)
