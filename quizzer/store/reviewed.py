"""The reviews of a long log in short, read without making an event of each."""

import json
from math import isfinite
from typing import Any, NamedTuple

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL
from quizzer.store import log
from quizzer.store.codec import COLUMN_TYPES, Row, UnreadableError, credible, event_of
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError
from quizzer.values import Rating, State


class Reviewed(NamedTuple):
    """A review that stands."""

    history: int
    """The number of the card's history, counted from 0: a card has a new one after each reset."""
    card: str
    day: int
    rating: int
    state: State
    """Before the review."""
    seconds: float | None


def reviewed(connection: Connection) -> list[Reviewed]:
    """All reviews that stand, oldest first. Raises StoreDamagedError."""
    undone = log.undone(connection)
    current: dict[str, int] = {}
    found: list[Reviewed] = []
    begun = 0
    try:
        for row in log.raw(connection, "kind IN ('review', 'reset')"):
            event_id, _, _, _, _, day, kind, card, _, _ = row
            if event_id in undone:
                continue
            if kind == "reset":
                current.pop(card, None)
                continue
            told = short(row)
            if card not in current:
                current[card] = begun
                begun += 1
            state, seconds = _STATES[told["state"]], credible(told.get("seconds"))
            found.append(Reviewed(current[card], card, day, told["rating"], state, seconds))
    except UnreadableError as error:
        raise StoreDamagedError.at(connection.path, str(error)) from error
    return found


def short(row: tuple[Any, ...]) -> dict[str, Any]:
    """The body of a review's row, read for thousands at once.

    Raises UnreadableError for every row for which `event_of` does.
    """
    try:
        told: dict[str, Any] = json.loads(row[8])
        if tuple(map(type, row)) == COLUMN_TYPES and _is_usual(row, told):
            return told
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        pass
    event_of(Row(*row))  # Says what is wrong with it, or that it is odd, but can be read.
    return told


def _is_usual(row: tuple[Any, ...], told: dict[str, Any]) -> bool:
    """Whether there is nothing that has to be looked at more closely."""
    _, _, _, at_ms, offset_min, _, _, _, _, _ = row
    rating, interval, path = told["rating"], told["interval"], told.get("path")
    seconds, suggested = told.get("seconds"), told.get("suggested")
    return (
        type(rating) is int
        and 1 <= rating <= Rating.EASY
        and type(interval) is int
        and 0 <= interval <= MAXIMUM_INTERVAL
        and told["state"] in _STATES
        and (seconds is None or (type(seconds) in (float, int) and isfinite(seconds)))
        and (suggested is None or (type(suggested) is int and 1 <= suggested <= Rating.EASY))
        and (path is None or type(path) is str)
        and 0 <= at_ms < _YEAR_3000
        and abs(offset_min) < _A_DAY
    )


_STATES = {state.value: state for state in State}
_YEAR_3000 = 32_503_680_000_000
_A_DAY = 24 * 60
