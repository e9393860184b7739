"""When events are proven: each once it is new, and all of them every week.

Hashing a long log takes seconds, so the whole of it is proven again only once a week, after a
session and with no lock held. Daily copies are removed only while that succeeds, so the copies that
are left always reach back to before the last proof of the whole log.
"""

from quizzer.store import examine, log, meta
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError

FEW = 2000
"""Up to so many events, the whole log is proven each time: that is quick."""
WEEK = 7
"""Study days after which the whole log is proven again."""

_PROVEN = "proven"
"""In `meta`: the day on which the whole log was proven, and the newest event proven since."""


def of_new(connection: Connection) -> str | None:
    """Prove the events that came since the last time; the newest event, None if there is none.

    Outside a transaction. Raises StoreDamagedError.
    """
    newest = log.newest_id(connection)
    if newest is None or log.size(connection) <= FEW or _vanished(connection):
        _see(connection, examine.of_the_log(connection).faults)
    elif remembered := _remembered(connection):
        _see(connection, examine.of_the_log(connection, after=remembered[1]).damage)
    return newest


def remember_new(connection: Connection, newest: str) -> None:
    """Remember up to which event `of_new` has proven the log. Inside a transaction."""
    if remembered := _remembered(connection):
        meta.put(connection, _PROVEN, f"{remembered[0]} {newest}")


def is_due(connection: Connection, day: int) -> bool:
    """Whether the whole log was not proven for a week, and is too long to be proven each day."""
    if log.size(connection) <= FEW:
        return False
    remembered = _remembered(connection)
    return remembered is None or not 0 <= day - remembered[0] < WEEK


def of_all(connection: Connection, day: int) -> None:
    """Prove every event, and remember it. Outside a transaction. Raises StoreDamagedError."""
    device, newest = meta.get(connection, "device"), log.newest_id(connection)
    faults = examine.of_the_log(connection).faults
    with connection.transaction():
        # A restore by another process may have put another history here meanwhile.
        if newest is None or meta.get(connection, "device") != device:
            return
        _see(connection, faults)
        meta.put(connection, _PROVEN, f"{day} {newest}")


def _remembered(connection: Connection) -> tuple[int, str] | None:
    day, _, newest = (meta.get(connection, _PROVEN) or "").partition(" ")
    number = meta.number(day)
    return None if number is None else (number, newest)


def _vanished(connection: Connection) -> bool:
    """Whether there are fewer events than were added, as far as the index tells."""
    return log.size(connection) < log.counted(connection)


def _see(connection: Connection, faults: "list[str] | tuple[str, ...]") -> None:
    if faults:
        raise StoreDamagedError.at(connection.path, faults[0])
