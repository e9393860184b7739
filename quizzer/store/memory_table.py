"""The table `memory`: what the fold says of each card, kept so that no reader has to fold."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

from quizzer.fsrs.step import Parameters
from quizzer.store import fold, log, meta
from quizzer.store.codec import (
    STATES,
    Row,
    instant,
    kind_of,
    milliseconds,
    offset_minutes,
)
from quizzer.store.connection import Connection
from quizzer.store.errors import MemoryDamagedError
from quizzer.store.layout import kept_id
from quizzer.values import UNSEEN, Event, Memory, Progress, Undo

_COLUMNS = (
    "card, suspended, buried_on, flagged, state, stability, difficulty, at_ms, offset_min, day, "
    "due_in, reviews, lapses, first_day"
)
_LATER = "suspended <> 0 OR (state IS NOT NULL AND due_in > 0 AND day + due_in > ?)"
_INSERT = f"INSERT INTO memory ({_COLUMNS}) VALUES ({', '.join('?' * 14)})"
# A row that stays in its place changes fewer pages of the file.
_UPDATED = ", ".join(f"{column} = excluded.{column}" for column in _COLUMNS.split(", ")[1:])
_PUT = f"{_INSERT} ON CONFLICT (card) DO UPDATE SET {_UPDATED}"

_TYPES = (float, float, *(int,) * 7)
"""Of the columns from stability on, of a card that was reviewed."""

_MANY = 200
"""Cards beyond which folding the whole log at once is quicker than folding them one by one."""


def load(connection: Connection, card: str | None = None) -> dict[str, Progress]:
    """The progress of all cards, or of one, if it differs from an unseen one's.

    Raises MemoryDamagedError.
    """
    return _load(connection, *(("1 = 1",) if card is None else ("card = ?", card)))


def load_until(connection: Connection, day: int) -> tuple[dict[str, Progress], frozenset[str]]:
    """The progress of the cards that may come by a study day, and the ids of all other rows.

    Raises MemoryDamagedError.
    """
    with connection.snapshot():
        later = connection.read(f"SELECT card FROM memory WHERE {_LATER}", (day,))
        return _load(connection, f"NOT ({_LATER})", day), frozenset(card for (card,) in later)


def met_since(connection: Connection, day: int) -> frozenset[str]:
    """The cards whose newest review was on this study day or after."""
    return frozenset(
        c for (c,) in connection.read("SELECT card FROM memory WHERE day >= ?", (day,))
    )


def _load(connection: Connection, where: str, *parameters: object) -> dict[str, Progress]:
    rows = connection.read(f"SELECT {_COLUMNS} FROM memory WHERE {where}", parameters)
    try:
        return _progress(rows)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise MemoryDamagedError.at(connection.path) from error


def due_by_day(connection: Connection, first: int, last: int, but: str) -> dict[int, int]:
    """How many cards fall due on each of these days, suspended ones and the card `but` left out."""
    rows = connection.read(
        "SELECT day + due_in, COUNT(*) FROM memory WHERE day + due_in BETWEEN ? AND ?"
        " AND due_in > 0 AND suspended = 0 AND card <> ? GROUP BY day + due_in",
        (first, last, but),
    )
    return dict(rows)


def follow(connection: Connection, added: Sequence[Event], parameters: Parameters) -> None:
    """Bring the cards of these newest events up to date. Inside a transaction."""
    cards: dict[str, Progress] = {}
    if any(isinstance(event.fact, Undo) for event in added):
        undone = log.undone(connection)
        for card in _touched(connection, added):
            cards[card] = _of_card(connection, card, undone, parameters)
    else:
        for event in added:
            card = event.fact.card
            before = cards.get(card) or load(connection, card).get(card, UNSEEN)
            cards[card] = fold.apply(before, event, parameters)
    for card, progress in cards.items():
        _keep(connection, card, progress)


def refold(connection: Connection, added: Sequence[Row], parameters: Parameters) -> frozenset[str]:
    """Bring the cards of events from elsewhere up to date, and return them. In a transaction."""
    undos = [row for row in added if row.kind == kind_of(Undo)]
    cards = {row.card for row in added} | _touched(connection, log.events_of(connection, undos))
    if len(cards) > _MANY:
        fold_all(connection, parameters)
        return frozenset(cards)
    undone = log.undone(connection)
    for card in cards:
        _keep(connection, card, _of_card(connection, card, undone, parameters))
    return frozenset(cards)


def is_stale(connection: Connection, parameters: Parameters) -> bool:
    """Whether the table was made by another fold, or with other parameters."""
    return meta.get(connection, meta.FOLD) != _fold_name(parameters)


def fold_all(connection: Connection, parameters: Parameters) -> None:
    """Rebuild the table from the log. Inside a transaction."""
    connection.write("DELETE FROM memory")
    if folded := _folded(connection, parameters):
        connection.write(_INSERT, *(_row(card, progress) for card, progress in folded.items()))
    meta.put(connection, meta.FOLD, _fold_name(parameters))


def forget(connection: Connection) -> None:
    """Let the table be rebuilt by whoever writes next. Inside a transaction."""
    meta.remove(connection, meta.FOLD)


def _fold_name(parameters: Parameters) -> str:
    return json.dumps([fold.VERSION, *parameters])


def _folded(connection: Connection, parameters: Parameters) -> dict[str, Progress]:
    from quizzer.store.bulk_fold import folded

    with log.explained(connection):
        return folded(
            log.kept_pages(connection), log.undone(connection), parameters, log.size(connection)
        )


def _of_card(
    connection: Connection, card: str, undone: frozenset[str], parameters: Parameters
) -> Progress:
    return fold.fold(log.events(connection, card), undone, parameters).get(card, UNSEEN)


def _keep(connection: Connection, card: str, progress: Progress) -> None:
    if progress == UNSEEN:
        connection.write("DELETE FROM memory WHERE card = ?", (card,))
    else:
        connection.write(_PUT, _row(card, progress))


def _touched(connection: Connection, added: Sequence[Event]) -> set[str]:
    """The cards of these events, and of those that they take back."""
    cards = {event.fact.card for event in added}
    for event in added:
        if isinstance(event.fact, Undo):
            taken_back = kept_id(event.fact.event)
            cards |= {row.card for row in log.rows(connection, "id = ?", taken_back)}
    return cards


def _row(card: str, progress: Progress) -> tuple[object, ...]:
    marks = (card, int(progress.suspended), progress.buried_on, int(progress.flagged))
    memory = progress.memory
    if memory is None:
        return marks + (None,) * 10
    return (
        *marks,
        memory.state.value,
        memory.stability,
        memory.difficulty,
        milliseconds(memory.at),
        offset_minutes(memory.at),
        memory.day,
        memory.interval,
        memory.reviews,
        memory.lapses,
        memory.first_day,
    )


def _progress(rows: Sequence[Sequence[Any]]) -> dict[str, Progress]:
    if not rows:
        return {}
    cards, suspended, buried_on, flagged, states, *numbers = zip(*rows, strict=True)
    if {*map(type, cards)} != {str}:
        raise TypeError("a card's id is not text")
    memories: Iterable[Memory | None]
    if None in states:
        reviewed = [state is not None for state in states]
        known = _memories(*(compress(column, reviewed) for column in (states, *numbers)))
        memories = (next(known) if each else None for each in reviewed)
    else:
        memories = _memories(states, *numbers)
    marks = map(bool, suspended), buried_on, map(bool, flagged)
    return dict(zip(cards, map(Progress, memories, *marks), strict=True))


def _memories(states: Iterable[str], *numbers: Iterable[Any]) -> Iterator[Memory]:
    """The memory of each card that was reviewed, from the columns of the table."""
    columns = [*map(tuple, numbers)]
    if any({*map(type, column)} - {kind} for column, kind in zip(columns, _TYPES, strict=True)):
        raise TypeError("a column holds another type than it should")
    stability, difficulty, ms, offset, *counts = columns
    at = map(instant, ms, offset)
    return map(Memory, map(STATES.__getitem__, states), stability, difficulty, at, *counts)
