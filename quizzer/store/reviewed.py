"""The reviews of a long log in short, read without making an event of each."""

import json
from math import isfinite
from typing import Any, NamedTuple

from quizzer.review import Rating, State
from quizzer.schedule.scheduler import MAXIMUM_INTERVAL
from quizzer.store import log
from quizzer.store.codec import Row, UnreadableError, credible, event_of
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError


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
    """The body of a review's row, of which rating, interval, state and seconds are sound.

    Raises UnreadableError.
    """
    event_id, _, _, at_ms, offset_min, day, _, card, body, _ = row
    try:
        told: dict[str, Any] = json.loads(body)
        rating, interval = told["rating"], told["interval"]
        kinds = tuple(map(type, (rating, interval, at_ms, offset_min, day, card)))
        if (
            kinds == _KINDS
            and 1 <= rating <= Rating.EASY
            and 0 <= interval <= MAXIMUM_INTERVAL
            and told["state"] in _STATES
            and type(seconds := told.get("seconds")) in _SECONDS
            and isfinite(seconds or 0)
        ):
            return told
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        pass
    event_of(Row(*row))  # Says what is wrong with it.
    raise AssertionError(f"event {event_id} is read in two ways")


_KINDS = (int, int, int, int, int, str)
_SECONDS = (float, int, type(None))
_STATES = {state.value: state for state in State}
