"""Rows of the log as a store keeps them."""

import sqlite3

from quizzer.store import layout
from quizzer.store.codec import Row
from quizzer.store.integrity import hashed


def stored_rows(raw: sqlite3.Connection) -> list[Row]:
    """The events of a store's file, in order of their ids."""
    return [*map(Row._make, layout.rows(raw.execute("SELECT * FROM events ORDER BY id")))]


def insert(raw: sqlite3.Connection, row: Row) -> None:
    """Add a row behind quizzer's back."""
    marks = ", ".join("?" * len(row))
    raw.execute(f"INSERT INTO events VALUES ({marks})", layout.kept(row))
    raw.commit()


def literal(id: str) -> str:
    """An id, as SQL that is asked of a store's file has it."""
    return f"x'{layout.kept_id(id).hex()}'"


def device_rows(count: int, device: str = "laptop", card: str = "a", after: str = "") -> list[Row]:
    """Rows of one device, each after the one before; ids tell device, card and number."""
    found: list[Row] = []
    for number in range(1, count + 1):
        id = f"0190abcd-0000-7000-8000-{device[0].encode().hex()}{card.encode().hex()}{number:08x}"
        row = Row(id, device, after, 1000 + number, 60, 739_000, "bury", card, "{}", "")
        found.append(hashed(row))
        after = id
    return found
