"""What was foretold of each review on a later day, and what came of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quizzer.fsrs.step import Parameters
from quizzer.store import BriefReview
from quizzer.values import Rating, State


class Outcome(NamedTuple):
    """A review of a learned card."""

    course: str
    """In lower case; empty if the card is in no deck any more."""
    day: int
    recall: float
    """The chance of recall that was foretold."""
    elapsed: int
    """Days since the review before."""
    reviews: int
    """Of the card before, those of one day each counted."""
    place: int
    """Reviews of any card before on that day."""
    recalled: bool


def outcomes_of(
    reviews: Sequence[BriefReview], parameters: Parameters, courses: Mapping[str, str]
) -> list[Outcome]:
    """The outcomes in the log, oldest first, by the memory parameters given.

    Short forms are left out, and a first blank page after some, of which nothing was foretold.
    `reviews` are all that stand, `courses` those of the cards.
    """
    after_short = {review.history for review in reviews if review.short}
    reviews = [review for review in reviews if not review.short]
    if not any(review.state is State.REVIEW for review in reviews):
        return []
    from quizzer.fsrs.histories import pack, told_one_by_one
    from quizzer.fsrs.replay import replay

    log = told_one_by_one((review.history, review.rating, review.day) for review in reviews)
    recalls = replay(pack(log), parameters).recall.tolist()
    found, newest = list[Outcome](), dict[int, int]()
    counts, place, day = Counter[int](), 0, reviews[0].day
    for review, recall in zip(reviews, recalls, strict=True):
        place, day = place * (review.day == day), review.day
        is_foretold = review.history in newest or review.history not in after_short
        before = newest.get(review.history, review.day)
        newest[review.history] = max(before, review.day)
        if review.state is State.REVIEW and is_foretold:
            found.append(
                Outcome(
                    courses.get(review.card, "").casefold(),
                    review.day,
                    recall,
                    max(0, review.day - before),
                    counts[review.history],
                    place,
                    review.rating != Rating.AGAIN,
                )
            )
        counts[review.history] += 1
        place += 1
    return found
