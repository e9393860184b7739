"""How often a learner really studies, as the log tells it, and which days to come are missed."""

from collections.abc import Collection, Mapping

from msgspec import Struct

from quizzer.deck import Deck
from quizzer.store import Store
from quizzer.values import Progress, Reset, Review

LATELY = 30
"""So many days back tell how often the learner studies: a term, not the holiday before it."""
TRUSTED = 5
"""Days without a missed one that every learner is taken to have had before.

Without them, one missed day of two would leave out every second day to come. Of a learner who
misses a fifth, five bring the share about as close as can be after 5 days and after 30.
"""


class StudyDays(Struct, frozen=True):
    """Of so many days lately that had cards due, the learner studied on so many."""

    studied: int = 0
    of: int = 0

    @property
    def missed(self) -> float:
        """The share of the days to come that will be missed."""
        return (self.of - self.studied) / (self.of + TRUSTED)


EVERY_DAY = StudyDays()


def study_days(reviewed: Collection[int], due: Collection[int], today: int) -> StudyDays:
    """What the days before today tell, from those with reviews and those with cards due.

    They count from the first lately that had reviews: who comes back after long begins anew. A day
    without anything due is not missed.
    """
    lately = [day for day in reviewed if today - LATELY <= day < today]
    counted = range(min(lately, default=today), today)
    studied = len(set(lately))
    return StudyDays(studied, studied + sum(day in due and day not in reviewed for day in counted))


def study_days_in(store: Store, deck: Deck, reviewed: Collection[int], today: int) -> StudyDays:
    """The same from the log: days with a review of any card, and with a card of the deck due.

    What limits and which new cards there were on a day, no log tells. Raises StoreError.
    """
    each_day = study_days(reviewed, range(today), today)
    if not each_day.missed:
        return each_day
    progress = {
        card: known
        for card, known in store.progress().items()
        if card in deck.by_id and not known.suspended
    }
    undone = store.undone_ids()
    # Twice as far back, since a card that was reviewed lately was given its day before.
    events = store.events(since_day=today - 2 * LATELY, kinds=(Review, Reset))
    told = [(event.day, event.fact) for event in events if event.id not in undone]
    return study_days(reviewed, _due(told, progress, today), today)


def _due(
    told: Collection[tuple[int, object]], progress: Mapping[str, Progress], today: int
) -> set[int]:
    """The days on which one of these cards waited: from its day on, until reviewed or reset."""
    memories = [known.memory for known in progress.values() if known.memory]
    earliest = min((memory.due_day for memory in memories), default=today)
    found, due_days = set(range(max(earliest, today - LATELY), today)), dict[str, int]()
    for day, fact in told:
        if isinstance(fact, Review | Reset) and fact.card in progress:
            found.update(range(due_days.pop(fact.card, day), day))
            if isinstance(fact, Review):
                due_days[fact.card] = day + fact.interval
    return found


class MissedDays:
    """Which days to come are missed: evenly spread, so that any span has about its share.

    `start` in [0, 1) tells learners apart, as in `Luck`.
    """

    def __init__(self, share: float, start: float) -> None:
        self._share, self._owed = share, start

    def next(self) -> bool:
        """Whether the next day is missed."""
        self._owed += self._share
        is_missed = self._owed >= 1
        self._owed -= is_missed
        return is_missed
