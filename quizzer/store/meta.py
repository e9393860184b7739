"""The table `meta`: what the store knows of itself. Its device, and which fold made `memory`."""

from quizzer.store.connection import Connection

COPIED = "copied"
"""The name of what is known of the newest whole copy, as long as this is the same history."""
FOLD = "fold"
"""The name of what says which fold made memory."""
_DIGITS = 15
"""Of the longest number; Python refuses to read one of some thousands."""


def get(connection: Connection, name: str) -> str | None:
    rows = connection.read("SELECT content FROM meta WHERE name = ?", (name,))
    return str(rows[0][0]) if rows else None


def number(told: str | None) -> int | None:
    """The number that a text in this table holds; None if it is no number, or too large for one."""
    return int(told) if told and told.isdecimal() and len(told) <= _DIGITS else None


def put(connection: Connection, name: str, content: str) -> None:
    """Inside a transaction."""
    remove(connection, name)
    connection.write("INSERT INTO meta (name, content) VALUES (?, ?)", (name, content))


def remove(connection: Connection, name: str) -> None:
    """Inside a transaction."""
    connection.write("DELETE FROM meta WHERE name = ?", (name,))
