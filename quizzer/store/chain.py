"""The chain of hashes: each event of a device is sealed together with the one before it."""

import json
from collections.abc import Iterable
from hashlib import sha256

from quizzer.store.codec import Row

START = ""
"""What stands for the hash before a device's first event."""


def sealed(row: Row, previous: str) -> Row:
    """The row with its hash: sha256 over the hash before it and all its other columns."""
    content = json.dumps(row[:-1], separators=(",", ":"), default=repr)
    return row._replace(hash=sha256(f"{previous}\n{content}".encode()).hexdigest())


def follows(row: Row, parents: Iterable[str]) -> bool:
    """Whether the row is sealed together with an event that has one of these hashes."""
    return any(sealed(row, parent).hash == row.hash for parent in parents)


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
        if device not in found:
            if not parents:
                found[device] = f"event number {expected} of device {device} is missing"
            elif not follows(row, parents):
                found[device] = f"event {row.id} is not as it was written"
        hashes.append(row.hash)
    return list(found.values())
