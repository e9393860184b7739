"""How many minutes a card takes this learner: his own times, else what is usual for such a card."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from quizzer.deck import Asking, Deck, Entry
from quizzer.session.turn import ENOUGH_TIMES
from quizzer.store import Store

ENOUGH_OF_TYPE = 5
"""Fewer times than this say nothing about a type of cards."""
MINUTES_A_POINT = 2.0
MINUTES = {"derivation": 8.0, "proof": 8.0, "problem-solving": 8.0, "multiple_choice": 1.0}
OTHER_MINUTES = 3.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Median minutes by card and by type, where there are enough of them."""

    by_card: Mapping[str, float]
    by_type: Mapping[str, float]

    def minutes(self, entry: Entry) -> float:
        """What the card takes, from question to rating, when it is new or due."""
        own = self.by_card.get(entry.id, self.by_type.get(_type(entry)))
        return _rule(entry) if own is None else own

    def total(self, entries: Iterable[Entry]) -> float:
        """Minutes for all of these cards."""
        return sum(map(self.minutes, entries))


def pace_of(deck: Deck, store: Store) -> Pace:
    """The learner's pace from his newest reviews. Raises StoreError."""
    cards, types = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for card, seconds in store.times():
        cards[card].append(seconds / 60)
        if entry := deck.by_id.get(card):
            types[_type(entry)].append(seconds / 60)
    return Pace(_medians(cards, ENOUGH_TIMES), _medians(types, ENOUGH_OF_TYPE))


def _medians(times: Mapping[str, list[float]], enough: int) -> dict[str, float]:
    return {name: median(taken) for name, taken in times.items() if len(taken) >= enough}


def _type(entry: Entry) -> str:
    """The card's type; one whose answer is chosen is a choice, whatever type it names."""
    return "multiple_choice" if entry.asking is Asking.CHOICE else entry.header.kind


def _rule(entry: Entry) -> float:
    """An exam's measure: two minutes a point, else by type."""
    if entry.header.points:
        return MINUTES_A_POINT * entry.header.points
    return MINUTES.get(_type(entry), OTHER_MINUTES)
