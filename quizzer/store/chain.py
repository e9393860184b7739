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


def problems(rows: Iterable[Row]) -> list[str]:
    """Where chains break; one sentence a device, at its first break. Rows by device and number."""
    found: dict[str, str] = {}
    last: dict[str, Row] = {}
    for row in rows:
        before = last.get(row.device)
        if row.device not in found:
            expected = before.seq + 1 if before else 1
            if row.seq != expected:
                found[row.device] = f"event number {expected} of device {row.device} is missing"
            elif sealed(row, before.hash if before else START).hash != row.hash:
                found[row.device] = f"event {row.id} is not as it was written"
        last[row.device] = row
    return list(found.values())
