"""What a log tells of each review on a later day."""

from quizzer.forecast.outcomes import outcomes_of
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import BriefReview, ReviewColumns
from quizzer.values import State

NEW, REVIEW, LEARNING = State.NEW, State.REVIEW, State.LEARNING


def test_an_outcome_counts_the_reviews_of_its_card_and_those_of_its_day() -> None:
    log = [
        BriefReview(0, "a", 1, 1, NEW, None),
        BriefReview(1, "b", 1, 3, NEW, None),
        BriefReview(0, "a", 1, 3, LEARNING, None),
        BriefReview(1, "b", 3, 3, REVIEW, None),
        BriefReview(0, "a", 3, 1, REVIEW, None),
    ]
    first, second = outcomes_of(ReviewColumns.of(log), DEFAULT_PARAMETERS, {"a": "ML"})
    assert (first.course, first.elapsed, first.reviews, first.place) == ("", 2, 1, 0)
    assert (second.course, second.elapsed, second.reviews, second.place) == ("ml", 2, 2, 1)
    assert first.recalled
    assert not second.recalled
