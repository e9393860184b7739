"""All reviews as columns: a long log in a tenth of the memory that its events take."""

from array import array
from collections.abc import Iterable, Iterator, Set
from math import isnan, nan
from typing import Any, NamedTuple

from msgspec import Struct, field

from quizzer.store.pages import PLACES, STATES, Bodies
from quizzer.values import State


class BriefReview(NamedTuple):
    """A review without what only few ask for."""

    history: int
    """The number of the card's history, counted from 0: a card has a new one after each reset."""
    card: str
    day: int
    rating: int
    state: State
    """Before the review."""
    seconds: float | None
    short: bool = False
    """Whether it was in a short form."""


def _whole() -> "array[int]":
    return array("q")


def _small() -> "array[int]":
    return array("b")


class ReviewColumns(Struct, frozen=True):
    """Reviews, oldest first, each of their values in a column; NumPy takes them as they are."""

    cards: list[str] = field(default_factory=list)
    """The card of each history."""
    history: "array[int]" = field(default_factory=_whole)
    day: "array[int]" = field(default_factory=_whole)
    rating: "array[int]" = field(default_factory=_small)
    state: "array[int]" = field(default_factory=_small)
    """Before the review: its place in `STATES`."""
    seconds: "array[float]" = field(default_factory=lambda: array("d"))
    """Not a number where that is not known."""
    short: "array[int]" = field(default_factory=_small)

    @classmethod
    def of(cls, reviews: Iterable[BriefReview]) -> "ReviewColumns":
        """The columns of reviews that were told one by one."""
        found = cls()
        for each in reviews:
            found.cards.extend([each.card] * (each.history + 1 - len(found.cards)))
            found.cards[each.history] = each.card
            found.history.append(each.history)
            seconds = array("d", [nan if each.seconds is None else each.seconds])
            short, rating, state = map(_one, (each.short, each.rating, PLACES[each.state]))
            found.extend([each.day], Bodies(short, rating, state, seconds))
        return found

    def extend(self, days: list[int], bodies: Bodies) -> None:
        """Add reviews; their histories are the caller's to add."""
        self.day.fromlist(days)
        self.rating.frombytes(bodies.rating)
        self.state.frombytes(bodies.state)
        self.seconds.extend(bodies.seconds)
        self.short.frombytes(bodies.short)

    def of_cards(self, cards: Set[str]) -> "ReviewColumns":
        """Those of these cards."""
        return ReviewColumns.of(each for each in self if each.card in cards)

    @property
    def columns(self) -> "tuple[array[Any], ...]":
        """All of them, a value for each review."""
        return self.history, self.day, self.rating, self.state, self.seconds, self.short

    def __len__(self) -> int:
        return len(self.history)

    def __iter__(self) -> Iterator[BriefReview]:
        for history, day, rating, state, seconds, short in zip(*self.columns, strict=True):
            known = None if isnan(seconds) else seconds
            card = self.cards[history]
            yield BriefReview(history, card, day, rating, STATES[state], known, bool(short))


def _one(number: int) -> bytes:
    return bytes([number])
