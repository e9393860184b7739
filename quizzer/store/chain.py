"""The chain of hashes: each event of a device is sealed together with the one before it."""

import json
from collections.abc import Iterable
from datetime import date
from hashlib import sha256

from quizzer.store.codec import Row
from quizzer.store.ids import next_id

START = ""
"""What stands for the hash before a device's first event."""

LOST = "lost"
"""The kind of a row in the place of an event that damage took: its hash is all that is left."""

_DAY = date(1970, 1, 1).toordinal()
"""Nobody knows when it was."""


def sealed(row: Row, previous: str) -> Row:
    """The row with its hash: sha256 over the hash before it and all its other columns."""
    content = json.dumps(row[:-1], separators=(",", ":"), default=repr)
    return row._replace(hash=sha256(f"{previous}\n{content}".encode()).hexdigest())


def parent(row: Row, hashes: Iterable[str]) -> str | None:
    """The one of these hashes together with which the row is sealed."""
    return next((hash for hash in hashes if sealed(row, hash).hash == row.hash), None)


def follows(row: Row, parents: Iterable[str]) -> bool:
    """Whether the row is sealed together with an event that has one of these hashes.

    What stands in for a lost event follows from anything.
    """
    return parent(row, parents) is not None or _stands_in(row)


def stand_in(device: str, seq: int, hash: str) -> Row:
    """What takes the place of an event of which only the hash is left.

    It bears that hash, so that the next event follows from it. All its other columns follow from
    these three: it is the same wherever it is made, and a change of it is found.
    """
    tail = sha256(f"{device} {seq} {hash}".encode()).digest()
    id = next_id(None, 0, lambda count: tail[:count])
    return Row(id, device, seq, 0, 0, _DAY, LOST, card="", body="{}", hash=hash)


def problems(rows: Iterable[Row]) -> list[str]:
    """Where chains break; one sentence a device, at its first break. Rows by device and number.

    A chain may fork: two events of one number, each sealed together with one before them.
    """
    found: dict[str, str] = {}
    device, seq, expected = "", 0, 1
    parents, hashes = list[str](), [START]
    for row in rows:
        if row.device != device:
            device, seq, expected = row.device, 0, 1
            parents, hashes = [], [START]
        if row.seq != seq:
            parents, hashes = hashes if row.seq == seq + 1 else [], []
            expected, seq = seq + 1, row.seq
        if device not in found and not follows(row, parents):
            if not parents:
                found[device] = f"event number {expected} of device {device} is missing"
            else:
                found[device] = f"event {row.id} is not as it was written"
        hashes.append(row.hash)
    return list(found.values())


def _stands_in(row: Row) -> bool:
    return row.kind == LOST and row == stand_in(row.device, row.seq, row.hash)
