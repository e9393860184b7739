"""The fold over a long log: page by page, and the memory states of all cards by the replay.

It says the same of every card as `fold` does, memory states but for their last digits.
"""

from array import array
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from quizzer.fsrs.scheduler import state_after
from quizzer.fsrs.step import SHORT_SHARE, MemoryState, Parameters, step
from quizzer.store import pages
from quizzer.store.codec import Row, event_of, instant
from quizzer.store.fold import apply, fold
from quizzer.store.pages import Page
from quizzer.values import UNSEEN, Memory, Progress, Rating, Reset, State

ENOUGH = 4000
"""Events from which importing NumPy takes less time than it saves."""


@dataclass(slots=True)
class _Life:
    """What the log says of a card's reviews since it was last new, memory states left out."""

    history: int
    """The number of its reviews in the columns."""
    first_day: int
    state: State = State.NEW
    day: int = 0
    interval: int = 0
    at_ms: int = 0
    offset_min: int = 0
    reviews: int = 0
    lapses: int = 0

    def follow(self, rating: int, interval: int, day: int, at_ms: int, offset_min: int) -> None:
        if rating == Rating.AGAIN and self.state is State.REVIEW:
            self.lapses += 1
        self.state = state_after(self.state, interval)
        self.at_ms, self.offset_min = at_ms, offset_min
        if day > self.day:
            self.day = day
        self.interval = interval
        self.reviews += 1

    def memory(self, stability: float, difficulty: float) -> Memory:
        return Memory(
            state=self.state,
            stability=stability,
            difficulty=difficulty,
            at=instant(self.at_ms, self.offset_min),
            day=self.day,
            interval=self.interval,
            reviews=self.reviews,
            lapses=self.lapses,
            first_day=self.first_day,
        )


def folded(
    found: Iterable[Page], undone: frozenset[str], parameters: Parameters, count: int
) -> dict[str, Progress]:
    """What the fold says of every card, by the quicker of two ways; rows in order of their ids.

    `count` is how many there are, or nearly so many. Raises UnreadableError.
    """
    if count >= ENOUGH:
        return fold_pages(found, undone, parameters)
    rows = (row for page in found for row in page)
    events = [event for row in rows if (event := event_of(Row(*row)))]
    return fold(events, undone, parameters)


def fold_pages(
    found: Iterable[Page], undone: Collection[str], parameters: Parameters
) -> dict[str, Progress]:
    """The progress of every card that differs from an unseen one; rows in order of their ids.

    Raises UnreadableError.
    """
    marks: dict[str, Progress] = {}
    lives: dict[str, _Life] = {}
    histories, ratings, days = array("q"), array("q"), array("q")
    shares = array("d")
    begun = 0
    for page in found:
        rows = [row for row in page if row[0] not in undone] if undone else page
        read = pages.bodies([row for row in rows if row[6] == "review"])
        bodies = zip(read.rating, read.interval, read.short, strict=True)
        for row in rows:
            _, _, _, at_ms, offset_min, day, kind, card, _, _ = row
            if kind == "review":
                rating, interval, short = next(bodies)
                life = lives.get(card)
                if life is None:
                    life = lives[card] = _Life(begun, day)
                    begun += 1
                histories.append(life.history)
                days.append(day)
                shares.append(SHORT_SHARE if short else 1.0)
                life.follow(rating, interval, day, at_ms, offset_min)
            elif event := event_of(Row(*row)):
                marks[card] = apply(marks.get(card, UNSEEN), event, parameters)
                if isinstance(event.fact, Reset):
                    lives.pop(card, None)
        ratings.extend(read.rating)
    memories = _memories(lives, (histories, ratings, days), shares, parameters)
    cards = dict.fromkeys([*marks, *memories])
    known = {c: replace(marks.get(c, UNSEEN), memory=memories.get(c)) for c in cards}
    return {card: progress for card, progress in known.items() if progress != UNSEEN}


def _memories(
    lives: dict[str, _Life],
    columns: "tuple[array[int], array[int], array[int]]",
    shares: "array[float]",
    parameters: Parameters,
) -> dict[str, Memory]:
    if not lives:
        return {}
    import numpy as np

    from quizzer.fsrs.histories import Reviews, packed_in_parts
    from quizzer.fsrs.replay import replay_ends

    reviews = Reviews(*(np.frombuffer(column, np.int64) for column in columns))
    stability, difficulty = dict[int, float](), dict[int, float]()
    for part in packed_in_parts(reviews):
        ends, numbers = replay_ends(part, parameters), part.number.tolist()
        stability.update(zip(numbers, ends.stability[part.number].tolist(), strict=True))
        difficulty.update(zip(numbers, ends.difficulty[part.number].tolist(), strict=True))
    for history, state in _with_short_forms(columns, shares, parameters).items():
        stability[history], difficulty[history] = state.stability, state.difficulty
    return {
        card: life.memory(stability[life.history], difficulty[life.history])
        for card, life in lives.items()
    }


def _with_short_forms(
    columns: "tuple[array[int], array[int], array[int]]",
    shares: "array[float]",
    parameters: Parameters,
) -> dict[int, MemoryState]:
    """The memory states of histories with short forms, step by step: the replay of all at once
    knows blank pages only."""
    states: dict[int, MemoryState] = {}
    last: dict[int, int] = {}
    short = {history for history, share in zip(columns[0], shares, strict=True) if share != 1}
    for history, rating, day, share in zip(*columns, shares, strict=True) if short else ():
        if history in short:
            before = last.get(history, day)
            elapsed = max(0, day - before)
            known = states.get(history)
            states[history] = step(known, Rating(rating), elapsed, parameters, share)
            last[history] = max(before, day)
    return states
