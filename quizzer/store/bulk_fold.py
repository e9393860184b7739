"""The fold over a long log: page by page, and the memory states of all cards by the replay.

It says the same of every card as `fold` does, memory states but for their last digits.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from quizzer.fsrs.step import SHORT_SHARE, MemoryState, Parameters, step
from quizzer.store import layout, pages
from quizzer.store.codec import Row, event_of, instant
from quizzer.store.fold import apply, fold
from quizzer.store.pages import Histories, Page
from quizzer.values import UNSEEN, Memory, Progress, Rating, State

ENOUGH = 4000
"""Events from which importing NumPy takes less time than it saves."""


@dataclass(slots=True)
class _Log:
    """The reviews as columns, and the present history of each card."""

    history: "array[int]" = field(default_factory=lambda: array("i"))
    rating: "array[int]" = field(default_factory=lambda: array("b"))
    interval: "array[int]" = field(default_factory=lambda: array("i"))
    day: "array[int]" = field(default_factory=lambda: array("q"))
    short: "array[int]" = field(default_factory=lambda: array("b"))
    at_ms: "array[int]" = field(default_factory=lambda: array("q"))
    offset: "array[int]" = field(default_factory=lambda: array("i"))
    present: Histories = field(default_factory=Histories)

    def follow(self, page: Page) -> None:
        """Add the next rows; only reviews and resets count. Raises UnreadableError."""
        if not page:
            return
        kinds, cards = page.columns[6:8]
        are_reviews = {*kinds} == {"review"}
        read = pages.ratings(page if are_reviews else [row for row in page if row[6] == "review"])
        self.history.fromlist(self.present.follow(kinds, cards))
        self.rating.frombytes(read.rating)
        self.interval.fromlist(read.interval)
        self.day.fromlist([*read.day])
        self.short.frombytes(read.short)
        self.at_ms.fromlist([*read.at_ms])
        self.offset.fromlist([*read.offset_min])


def folded(
    found: Iterable[Page], undone: frozenset[str], parameters: Parameters, count: int
) -> dict[str, Progress]:
    """What the fold says of every card, by the quicker of two ways; rows in order of their ids.

    They are as they are kept.
    `count` is how many there are, or nearly so many. Raises UnreadableError.
    """
    if count >= ENOUGH:
        return fold_pages(found, undone, parameters)
    rows = (row for page in found for row in layout.rows(page))
    events = [event for row in rows if (event := event_of(Row(*row)))]
    return fold(events, undone, parameters)


def fold_pages(
    found: Iterable[Page], undone: Collection[str], parameters: Parameters
) -> dict[str, Progress]:
    """The progress of every card that differs from an unseen one; rows in order of their ids.

    Raises UnreadableError.
    """
    marks: dict[str, Progress] = {}
    reviews = _Log()
    taken_back = {*map(layout.kept_id, undone)}
    for page in found:
        rows = Page(row for row in page if row[0] not in taken_back) if undone else page
        reviews.follow(rows)
        if not rows or {*rows.columns[6]} == {"review"}:
            continue
        for row in layout.rows(row for row in rows if row[6] != "review"):
            if event := event_of(Row(*row)):
                card = event.fact.card
                marks[card] = apply(marks.get(card, UNSEEN), event, parameters)
    known = {card: Progress(memory) for card, memory in _memories(reviews, parameters).items()}
    for card, marked in marks.items():
        memory = known[card].memory if card in known else None
        known[card] = replace(marked, memory=memory)
    return {card: progress for card, progress in known.items() if progress != UNSEEN}


def _memories(reviews: _Log, parameters: Parameters) -> dict[str, Memory]:
    """The memory of every card that was reviewed since it was last new."""
    if not reviews.present:
        return {}
    states = _states(reviews, parameters)
    ends = _ends(reviews)
    return {
        card: Memory(
            state=ends.state[number],
            stability=states.stability[number],
            difficulty=states.difficulty[number],
            at=instant(ends.at_ms[number], ends.offset[number]),
            day=ends.day[number],
            interval=ends.interval[number],
            reviews=ends.reviews[number],
            lapses=ends.lapses[number],
            first_day=ends.first_day[number],
        )
        for card, number in reviews.present.items()
    }


class _Ends(NamedTuple):
    """What the log says of each history at its end, memory states left out; a column each."""

    state: Sequence[State]
    at_ms: Sequence[int]
    offset: Sequence[int]
    day: Sequence[int]
    interval: Sequence[int]
    reviews: Sequence[int]
    lapses: Sequence[int]
    first_day: Sequence[int]


def _ends(reviews: _Log) -> _Ends:
    """By the same rules as `scheduler.remember`, for all histories at once."""
    import numpy as np

    history = np.frombuffer(reviews.history, np.int32)
    order = np.argsort(history, kind="stable")
    times = np.bincount(history)
    ends = np.cumsum(times)
    starts = ends - times
    interval = np.frombuffer(reviews.interval, np.int32)[order]
    day = np.frombuffer(reviews.day, np.int64)[order]
    learned = np.empty(len(interval), np.bool_)
    learned[1:] = interval[:-1] > 0
    learned[starts] = False
    lapsed = learned & (np.frombuffer(reviews.rating, np.int8)[order] == Rating.AGAIN)
    newest = order[ends - 1]
    longest, last = (
        each.tolist() for each in (np.maximum.reduceat(interval, starts), interval[ends - 1])
    )
    # A card that was never given a day is still learned for the first time.
    in_step = [State.RELEARNING if ever else State.LEARNING for ever in longest]
    return _Ends(
        [State.REVIEW if days else within for days, within in zip(last, in_step, strict=True)],
        np.frombuffer(reviews.at_ms, np.int64)[newest].tolist(),
        np.frombuffer(reviews.offset, np.int32)[newest].tolist(),
        np.maximum.reduceat(day, starts).tolist(),
        last,
        times.tolist(),
        np.add.reduceat(lapsed, starts, dtype=np.int64).tolist(),
        day[starts].tolist(),
    )


class _States(NamedTuple):
    """Stability and difficulty by the number of a history."""

    stability: dict[int, float]
    difficulty: dict[int, float]


def _states(reviews: _Log, parameters: Parameters) -> _States:
    import numpy as np

    from quizzer.fsrs.histories import Reviews, packed_in_parts
    from quizzer.fsrs.replay import replay_ends

    columns = Reviews(
        np.frombuffer(reviews.history, np.int32).astype(np.int64),
        np.frombuffer(reviews.rating, np.int8).astype(np.int64),
        np.frombuffer(reviews.day, np.int64),
    )
    found = _States({}, {})
    for part in packed_in_parts(columns):
        ends, numbers = replay_ends(part, parameters), part.number.tolist()
        found.stability.update(zip(numbers, ends.stability[part.number].tolist(), strict=True))
        found.difficulty.update(zip(numbers, ends.difficulty[part.number].tolist(), strict=True))
    for history, state in _with_short_forms(reviews, parameters).items():
        found.stability[history], found.difficulty[history] = state.stability, state.difficulty
    return found


def _with_short_forms(reviews: _Log, parameters: Parameters) -> dict[int, MemoryState]:
    """The memory states of histories with short forms, step by step: the replay of all at once
    knows blank pages only."""
    states: dict[int, MemoryState] = {}
    last: dict[int, int] = {}
    found = {
        history for history, short in zip(reviews.history, reviews.short, strict=True) if short
    }
    columns = (reviews.history, reviews.rating, reviews.day, reviews.short)
    for history, rating, day, short in zip(*columns, strict=True) if found else ():
        if history in found:
            before = last.get(history, day)
            elapsed = max(0, day - before)
            share = SHORT_SHARE if short else 1.0
            known = states.get(history)
            states[history] = step(known, Rating(rating), elapsed, parameters, share)
            last[history] = max(before, day)
    return states
