"""The fold over a long log: row by row, but the memory states of all cards by the replay.

It says the same of every card as `fold` does, memory states but for their last digits.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quizzer.fsrs.scheduler import state_after
from quizzer.fsrs.step import Parameters
from quizzer.store.codec import Row, event_of, instant, review_body
from quizzer.store.fold import apply, fold
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
        lapsed = self.state is State.REVIEW and rating == Rating.AGAIN
        self.state = state_after(self.state, interval)
        self.at_ms, self.offset_min = at_ms, offset_min
        self.day = max(self.day, day)
        self.interval = interval
        self.reviews += 1
        self.lapses += lapsed

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
    rows: Sequence[tuple[Any, ...]], undone: frozenset[str], parameters: Parameters
) -> dict[str, Progress]:
    """What the fold says of every card, by the quicker of two ways; rows in order of their ids.

    Raises UnreadableError.
    """
    if len(rows) >= ENOUGH:
        return fold_rows(rows, undone, parameters)
    events = [event for row in rows if (event := event_of(Row(*row)))]
    return fold(events, undone, parameters)


def fold_rows(
    rows: Iterable[tuple[Any, ...]], undone: Collection[str], parameters: Parameters
) -> dict[str, Progress]:
    """The progress of every card that differs from an unseen one; rows in order of their ids.

    Raises UnreadableError.
    """
    rows = list(rows)
    marks: dict[str, Progress] = {}
    lives: dict[str, _Life] = {}
    short: set[str] = set()
    reviews: list[tuple[int, int, int]] = []
    begun = 0
    for row in rows:
        event_id, _, _, at_ms, offset_min, day, kind, card, _, _ = row
        if event_id in undone:
            continue
        if kind == "review":
            body = review_body(row)
            rating, interval = body["rating"], body["interval"]
            if "form" in body:
                short.add(card)
            life = lives.get(card)
            if life is None:
                life = lives[card] = _Life(begun, day)
                begun += 1
            reviews.append((life.history, rating, day))
            life.follow(rating, interval, day, at_ms, offset_min)
        elif event := event_of(Row(*row)):
            marks[card] = apply(marks.get(card, UNSEEN), event, parameters)
            if isinstance(event.fact, Reset):
                lives.pop(card, None)
    memories = _memories(lives, reviews, parameters)
    cards = dict.fromkeys([*marks, *memories])
    folded = {c: replace(marks.get(c, UNSEEN), memory=memories.get(c)) for c in cards}
    folded |= _one_by_one(rows, short, undone, parameters)
    return {card: progress for card, progress in folded.items() if progress != UNSEEN}


def _one_by_one(
    rows: Iterable[tuple[Any, ...]],
    cards: Collection[str],
    undone: Collection[str],
    parameters: Parameters,
) -> dict[str, Progress]:
    """What the fold says of cards with short forms, which the replay does not know."""
    found = dict.fromkeys(cards, UNSEEN)
    for row in rows if found else ():
        if row[7] in found and row[0] not in undone and (event := event_of(Row(*row))):
            found[row[7]] = apply(found[row[7]], event, parameters)
    return found


def _memories(
    lives: dict[str, _Life], reviews: list[tuple[int, int, int]], parameters: Parameters
) -> dict[str, Memory]:
    if not lives:
        return {}
    from quizzer.fsrs.histories import pack, told_one_by_one
    from quizzer.fsrs.replay import replay_ends

    ends = replay_ends(pack(told_one_by_one(reviews)), parameters)
    stability, difficulty = ends.stability.tolist(), ends.difficulty.tolist()
    return {
        card: life.memory(stability[life.history], difficulty[life.history])
        for card, life in lives.items()
    }
