"""Logs of a store that was copied and then used in two places, under one device's name.

Once either learns of the other's events, it takes a new name. What it recorded under the old one
since the copy was made is remembered: it is still this device's to take back.
"""

from collections.abc import Iterator, Sequence

from quizzer.store import meta
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.layout import id_of, kept_id

_FORKS = "forks"
"""In `meta`: of each fork this device's newest event, and the newest that both logs had."""


def remember(connection: Connection, device: str, added: Sequence[Row]) -> None:
    """Remember what this device recorded since the copy, where events of its name were added.

    Inside a transaction.
    """
    elsewhere = {row.id for row in added}
    shared = {row.after for row in added if row.device == device}
    own = "SELECT id FROM events WHERE device = ? ORDER BY id DESC"
    ids = (id_of(id) for (id,) in connection.read(own, (kept_id(device),)))
    tip = next((id for id in ids if id not in elsewhere), "")
    end = next((id for id in _back_from(connection, tip) if id in shared), "")
    if tip != end:
        known = meta.get(connection, _FORKS) or ""
        meta.put(connection, _FORKS, f"{tip}/{end} {known}".strip())


def forget(connection: Connection) -> None:
    """Inside a transaction."""
    meta.remove(connection, _FORKS)


def recorded_before(connection: Connection) -> Iterator[str]:
    """The ids of the events that this device recorded under former names, newest first."""
    for fork in (meta.get(connection, _FORKS) or "").split():
        tip, _, end = fork.partition("/")
        for id in _back_from(connection, tip):
            if id == end:
                break
            yield id


def _back_from(connection: Connection, id: str) -> Iterator[str]:
    """An event's id, and of its device's events before it, as far as they are there."""
    while id:
        yield id
        found = connection.read("SELECT after FROM events WHERE id = ?", (kept_id(id),))
        before = str(id_of(found[0][0])) if found else ""
        id = before if before < id else ""  # damaged events may name each other
