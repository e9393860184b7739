"""Toward an exam: what counts is the chance of recall on its day, not on the day a card is due.

A review today is worth what it adds to that chance, over both ways it can end, against leaving the
card alone. But a card left alone today may still be reviewed on the eve, when it is fresh for the
exam: so both sides count with such a last review, at the price of the time that it takes from
other cards. Without it, the weakest cards are reviewed too early, and then again.

Days are study days. The eve is the last day planned with: on the exam day itself nobody knows
whether there is an hour left.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, inf

from msgspec import Struct

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, Parameters
from quizzer.values import Rating

BUFFER = 3
"""Days before the exam on which no card is new any more, so that each is met once again."""
FRONT = 0.5
"""New cards are spread over this part of the days left, day by day anew: more at first, so that
new cards become fewer as their reviews become more."""
LAST_DAYS = 21
"""So long before an exam reviews begin to be ordered by what they add to recall on its day."""

FARTHEST = 731
"""Days, two years: an exam further ahead changes nothing yet, and is more likely a slip."""


class Standing(Struct, frozen=True):
    """The chance of recall on the exam day: without one more review, and with one on the eve."""

    alone: float
    on_eve: float

    def worth(self, price: float) -> float:
        """The better of the two, where the review on the eve costs so much recall elsewhere."""
        return max(self.alone, self.on_eve - price)


class OnEve(Struct, frozen=True):
    """A review on the eve that may find room or not."""

    standing: Standing
    worth: float
    """Of recall of this card, beside that of others."""
    minutes: float

    @property
    def gain(self) -> float:
        return self.worth * (self.standing.on_eve - self.standing.alone)


class Prospect(Struct, frozen=True):
    """How a card stands that is not reviewed today, and how it will if it is."""

    skipped: Standing
    recall: float
    """The chance that it is recalled today."""
    recalled: Standing
    lapsed: Standing

    def gain(self, price: float = inf) -> float:
        """The recall on the exam day that a review today is expected to add.

        With the price of a later review, a card that may as well wait gains less; `inf` means that
        there will be no later one.
        """
        return (
            self.recall * self.recalled.worth(price)
            + (1 - self.recall) * self.lapsed.worth(price)
            - self.skipped.worth(price)
        )


# A session plans the day anew after every card, and of hundreds of cards only one has changed.
@lru_cache(maxsize=50_000)
def prospect(
    state: MemoryState,
    last_day: int,
    day: int,
    exam_day: int,
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS,
) -> Prospect:
    """What a review on `day` of a card last reviewed before would do.

    A card that is recalled is taken to be rated Good, a lapse to be followed by Good in its step.
    """
    recall, recalled, lapsed = fsrs.either_way(state, day - last_day, parameters)
    return Prospect(
        standing(state, last_day, day, exam_day, parameters),
        recall,
        _standing(recalled, day, day, exam_day, parameters),
        _standing(lapsed, day, day, exam_day, parameters),
    )


def recall_on(
    state: MemoryState | None,
    last_day: int,
    exam_day: int,
    parameters: Parameters = DEFAULT_PARAMETERS,
) -> float:
    """The chance of recall on the exam day if nothing more is done; 0 for a card never seen."""
    if state is None:
        return 0.0
    return fsrs.retrievability(state, exam_day - last_day, parameters)


def first_standing(
    day: int, exam_day: int, parameters: tuple[float, ...] = DEFAULT_PARAMETERS
) -> Standing:
    """How a card stands whose first day is `day`, rated Good."""
    good = fsrs.step(None, Rating.GOOD, 0, parameters)
    return standing(good, day, day, exam_day, parameters)


def standing(
    state: MemoryState,
    last_day: int,
    day: int,
    exam_day: int,
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS,
) -> Standing:
    """How a card last reviewed on `last_day` stands if it is left alone on `day`."""
    # It is the same on all days before the eve, and a price asks it of all cards of a course.
    soonest = day if exam_day - 1 <= day else last_day
    return _known_standing(state, last_day, soonest, exam_day, parameters)


def price(reviews: Iterable[OnEve], per_day: float, day: int, exam_day: int) -> float:
    """What a review on the eve costs in recall elsewhere, with so many minutes a day until then.

    It is what the first card would gain that finds no room, and 0 where all do.
    """
    room = per_day * (exam_day - 1 - day)
    for review in sorted(reviews, key=lambda review: -review.gain):
        room -= review.minutes
        if room < 0:
            return max(0.0, review.gain)
    return 0.0


def is_ahead(day: int, exam_day: int) -> bool:
    """Whether the exam lies after `day`, and not so far that it changes nothing yet."""
    return day < exam_day <= day + FARTHEST


def new_per_day(unseen: int, day: int, exam_day: int) -> int:
    """New cards on this day, so that all have been seen `BUFFER` days before the exam.

    Within those last days what is left is spread evenly.
    """
    return ceil(unseen / days_of_new(day, exam_day))


def days_of_new(day: int, exam_day: int) -> float:
    """Over how many days the new cards are spread that are left on this one."""
    days = exam_day - BUFFER - day
    return max(min(2, days), FRONT * days) if days > 0 else exam_day - day


def longest_interval(day: int, exam_day: int) -> int:
    """The longest interval to give on a day before the exam: the card comes again on the eve.

    A card rated on the eve itself comes again on the exam day.
    """
    return max(1, exam_day - 1 - day)


def _standing(
    state: MemoryState, last_day: int, day: int, exam_day: int, parameters: tuple[float, ...]
) -> Standing:
    alone = recall_on(state, last_day, exam_day, parameters)
    eve = exam_day - 1
    if eve <= day:
        return Standing(alone, alone)
    recall, recalled, lapsed = fsrs.stability_either_way(state, eve - last_day, parameters)
    on_eve = recall * fsrs.recall_after(recalled, 1, parameters)
    on_eve += (1 - recall) * fsrs.recall_after(lapsed, 1, parameters)
    return Standing(alone, on_eve)


_known_standing = lru_cache(maxsize=50_000)(_standing)
