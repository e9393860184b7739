"""In which order new cards are met."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from itertools import chain, islice

from quizzer.deck import Deck, Entry
from quizzer.deck.required import required_first
from quizzer.deck.values import by_ease

MASTERED = "mastered"
"""The status of a card that is not to be met at all."""
FIRST_OF_COURSE = 5
"""So many cards of each course are met in turns with the other courses."""
FIRST_CARDS = 60
"""Once so many cards were met, the first days are over."""


class InOrder:
    """Tells which new cards wait, since a card to be met before them comes on another day.

    That day must come: a card that is suspended, filtered out or of a closed limit is not put off.
    """

    def __init__(self, hurried: Collection[str] = ()) -> None:
        """Cards of the courses in `hurried`, in lower case, wait for their own course only."""
        self._hurried = hurried
        self._put_off: dict[str, str] = {}
        """The course of each card put off, in lower case, by its id."""

    def put_off(self, entry: Entry) -> None:
        self._put_off[entry.id] = entry.header.course.casefold()

    def waits(self, entry: Entry) -> bool:
        if not self._put_off:
            return False
        courses = {self._put_off[card] for card in entry.after if card in self._put_off}
        course = entry.header.course.casefold()
        return course in courses if course in self._hurried else bool(courses)


def easy_first(entries: Iterable[Entry]) -> Iterator[Entry]:
    """In the order of `by_ease`, but each after the cards to be met before it."""
    return required_first(by_ease(entries))


def to_meet(
    deck: Deck, new: Set[str], met: Collection[str], mastered: bool = False
) -> Iterator[Entry]:
    """The new cards, easy ones first; in the first days, courses take turns.

    `met` are the ids of all cards met before. Each entry is made from the index as it is taken.
    """
    first = list[Entry]()
    if len(met) < FIRST_CARDS:
        courses = deck.by_course(new)
        if not mastered:
            courses = {name: filter(_may_come, cards) for name, cards in courses.items()}
        first += islice(_in_turns(courses, deck, met), FIRST_CARDS - len(met))
    in_order = required_first(chain(first, deck.easy_first(new)))
    return in_order if mastered else filter(_may_come, in_order)


def _in_turns(
    courses: Mapping[str, Iterator[Entry]], deck: Deck, met: Collection[str]
) -> Iterator[Entry]:
    """One card of each course, then the second one of each, and so on."""
    entries = (deck.by_id.get(card) for card in met)
    so_far = Counter(entry.header.course.casefold() for entry in entries if entry)
    for turn in range(FIRST_OF_COURSE):
        for course, cards in courses.items():
            if so_far[course] <= turn and (card := next(cards, None)):
                yield card


def _may_come(entry: Entry) -> bool:
    return entry.header.status != MASTERED
