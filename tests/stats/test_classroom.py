"""What hurts in a course, over all learners."""

from datetime import UTC, datetime
from itertools import count

import pytest

from quizzer.stats.classroom import CourseCard, CourseMistake, classroom
from quizzer.values import Attempt, Dispute, Event, Fact, Flag, Rating, Review, State, Undo, Verdict

NOW = datetime(2026, 3, 1, tzinfo=UTC)
AGAIN, HARD, GOOD, EASY = Rating
CARDS = {"a", "b"}


def log(*told: tuple[str, Fact]) -> list[tuple[str, Event]]:
    numbers = count(1)
    return [
        (learner, Event(f"id-{n}", learner, n, NOW, 1, fact))
        for n, (learner, fact) in zip(numbers, told, strict=False)
    ]


def review(card: str, rating: Rating, state: State = State.REVIEW, seconds: float = 60) -> Review:
    return Review(card, rating, 1, state, seconds)


def wrong(card: str, code: str | None = "sign", answer: str = "1") -> Attempt:
    return Attempt(card, "dx", answer, Verdict.WRONG, diagnosis=code)


def test_a_course_adds_up_over_its_learners() -> None:
    found = classroom(
        log(
            ("maria", wrong("a")),
            ("maria", review("a", AGAIN, seconds=30)),
            ("maria", review("b", GOOD)),
            ("jo", wrong("a")),
            ("jo", wrong("a", None)),
            ("jo", review("a", GOOD, seconds=90)),
            ("jo", review("a", AGAIN, State.NEW, seconds=600)),
            ("jo", Flag("a", True)),
        ),
        CARDS,
    )
    assert (found.learners, found.reviews) == (2, 4)
    hurts, other = found.cards
    assert hurts == CourseCard(
        card="a",
        learners=2,
        reviews=3,
        again=2,
        forgotten=0.5,
        seconds=90,
        wrong=3,
        disputes=0,
        mistakes={"sign": 2, "unexplained": 1},
    )
    assert hurts.hurt == pytest.approx(2.5)
    assert (other.card, other.hurt, other.mistakes) == ("b", 0, {})
    assert found.mistakes == (
        CourseMistake("sign", 2, 2, ("a",)),
        CourseMistake("unexplained", 1, 1, ("a",)),
    )


def test_what_hurts_fewer_more_comes_first() -> None:
    found = classroom(
        log(
            *((name, review("a", AGAIN)) for name in "xyz"),
            *(("x", review("b", AGAIN)) for _ in range(2)),
        ),
        CARDS,
    )
    assert [card.card for card in found.cards] == ["b", "a"]


def test_a_disputed_answer_is_no_mistake_and_is_counted_by_itself() -> None:
    disputed = Dispute("a", "dx", "1", Verdict.WRONG)
    events = log(
        ("maria", wrong("a")),
        ("maria", disputed),
        ("jo", wrong("a")),
        ("maria", wrong("a", answer="2")),
    )
    (card,) = classroom(events, CARDS).cards
    assert (card.wrong, card.disputes) == (2, 1)


def test_what_was_taken_back_or_belongs_to_another_course_does_not_count() -> None:
    events = log(
        ("maria", review("a", AGAIN)),
        ("maria", Undo("a", "id-1")),
        ("jo", review("other", AGAIN)),
        ("jo", review("b", GOOD, State.NEW)),
        ("maria", Undo("b", "id-4")),
    )
    found = classroom(events, CARDS)
    assert [(card.card, card.again) for card in found.cards] == [("b", 0)]
    assert found.cards[0].forgotten is None
    assert found.learners == 1


def test_a_course_that_nobody_met_is_empty() -> None:
    found = classroom([], CARDS)
    assert (found.learners, found.reviews, found.cards, found.mistakes) == (0, 0, (), ())
