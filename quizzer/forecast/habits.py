"""How learners rate, and chance dealt out by it as evenly as can be."""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from math import log

from msgspec import Struct
from msgspec.structs import replace

from quizzer.deck import Deck
from quizzer.forecast.correction import (
    NONE,
    UNCORRECTED,
    Correction,
    Corrections,
    corrections_of,
)
from quizzer.forecast.outcomes import outcomes_of
from quizzer.forecast.study_days import EVERY_DAY, StudyDays, study_days_in
from quizzer.fsrs.step import Parameters, recall_after
from quizzer.plan.pace import step_share_of
from quizzer.store import Store
from quizzer.values import Form, Memory, Rating, Review, State

Chances = tuple[float, float, float, float]
"""Of Again, Hard, Good and Easy; they add up to 1."""

STEPS = (State.LEARNING, State.RELEARNING)
USUAL_WEIGHT = 50
"""Reviews of their own after which a learner's habits count as much as the usual ones."""
USUAL_LAPSES = 5
"""The same of their own lapses, of which none is usually put right."""
BAND = 1 / 3
"""Width of a band of stabilities, in their logarithm."""
_GOLDEN = (5**0.5 - 1) / 2


class Habits(Struct, frozen=True):
    """How a learner rates."""

    first: Chances
    """A new card."""
    step: Chances
    """On the same day, in the step."""
    recalled: Chances
    """On a later day, when the card is remembered: Again has no chance."""
    corrected: float = 0.0
    """The share of lapses that are put right before the rating, and come again tomorrow."""
    step_share: float = 1.0
    """What a repetition on the same day takes, as a share of the card's minutes."""
    corrections: Corrections = UNCORRECTED
    """Of the chance of recall, as far as the past tells."""
    study_days: StudyDays = EVERY_DAY


USUAL = Habits(
    first=(0.24, 0.094, 0.495, 0.171),
    step=(0.216, 0.064, 0.66, 0.06),
    recalled=(0.0, 0.224, 0.631, 0.145),
)
"""The defaults of the simulator of FSRS, from many collections of Anki."""


def habits_of(reviews: Iterable[Review]) -> Habits:
    """How the learner rates on blank pages, from reviews that stand; the fewer, the more like other
    people."""
    first, step, recalled = Counter[int](), Counter[int](), Counter[int]()
    at_first, in_step = list[float](), list[float]()
    lapses = corrected = 0
    for review in reviews:
        if review.form is not Form.BLANK:
            continue
        repeated = review.state in STEPS
        if review.seconds is not None:
            (in_step if repeated else at_first).append(review.seconds)
        if repeated:
            step[review.rating] += 1
        elif review.state is State.NEW:
            first[review.rating] += 1
        elif review.rating is not Rating.AGAIN:
            recalled[review.rating] += 1
        else:
            lapses += 1
            corrected += review.interval > 0
    return Habits(
        _mixed(first, USUAL.first),
        _mixed(step, USUAL.step),
        _mixed(recalled, USUAL.recalled),
        corrected / (lapses + USUAL_LAPSES),
        step_share_of(at_first, in_step),
    )


def habits_in(store: Store, deck: Deck, today: int) -> Habits:
    """How the learner rates, recalls and studies, from the whole history. Raises StoreError."""
    courses = {entry.id: entry.header.course for entry in deck.entries}
    reviews = store.brief_reviews()
    outcomes = outcomes_of(reviews, store.parameters, courses)
    return replace(
        habits_of(store.newest_reviews()),
        corrections=corrections_of(outcomes),
        study_days=study_days_in(store, deck, frozenset(reviews.day), today),
    )


class Luck:
    """What chance decides, dealt out evenly: of cards recalled by 0.9 every tenth is forgotten.

    One learner lived through so tells nearly what the mean of many would, with every card in a
    state that a card can have. `start` in [0, 1) tells such learners apart.

    Cards of about one stability share their turns. Had all cards the same turns, one just forgotten
    would hardly be forgotten again soon: more cards would lapse than by chance, and a year would
    have a tenth more reviews.
    """

    def __init__(self, habits: Habits, start: float = 0.5, correction: Correction = NONE) -> None:
        self._start, self._correction = start, correction
        self._corrected, self._corrections_owed = habits.corrected, start
        self._forgotten = dict[int, float]()
        """By band of stability: lapses owed, below 1."""
        self._first, self._step, self._recalled = (
            _Ratings(chances, start) for chances in (habits.first, habits.step, habits.recalled)
        )

    def rating(self, memory: Memory | None, day: int, parameters: Parameters, place: int) -> Rating:
        """How a card with this memory is rated on a day, after so many other reviews."""
        if memory is None:
            return self._first.next()
        elapsed = day - memory.day
        if elapsed < 1:
            return self._step.next()
        band = round(log(memory.stability) / BAND)
        owed = self._forgotten.get(band, (self._start + band * _GOLDEN) % 1.0)
        recall = recall_after(memory.stability, elapsed, parameters)
        owed += 1 - self._correction.of(recall, elapsed, memory.reviews, place)
        self._forgotten[band] = owed % 1.0
        return Rating.AGAIN if owed >= 1 else self._recalled.next()

    def corrects(self) -> bool:
        """Whether the next lapse is put right before the rating."""
        self._corrections_owed += self._corrected
        owed = self._corrections_owed >= 1
        self._corrections_owed -= owed
        return owed


class _Ratings:
    """Ratings as frequent as their chances, and evenly mixed: steps of the golden ratio."""

    def __init__(self, chances: Chances, start: float) -> None:
        self._up_to = tuple(accumulate(chances))[:3]
        self._at = start

    def next(self) -> Rating:
        self._at = (self._at + _GOLDEN) % 1.0
        again, hard, good = self._up_to
        if self._at < hard:
            return Rating.AGAIN if self._at < again else Rating.HARD
        return Rating.GOOD if self._at < good else Rating.EASY


def _mixed(counts: Counter[int], shares: Chances) -> Chances:
    total = counts.total() + USUAL_WEIGHT
    again, hard, good, easy = (
        (counts[rating] + USUAL_WEIGHT * share) / total
        for rating, share in enumerate(shares, start=1)
    )
    return again, hard, good, easy
