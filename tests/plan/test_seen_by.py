from pathlib import Path

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.plan.seen_by import seen_by
from quizzer.plan.settings import Course, Settings
from quizzer.values import Progress

ROOT = Path("/deck")
TODAY = 739_000


def deck(a: int, b: int) -> Deck:
    entries = tuple(
        Entry(
            ROOT / f"{course}{n}.md",
            ROOT,
            Header(f"{course}{n}", "", course=course.upper()),
            Asking.REVEAL,
        )
        for course, number in (("a", a), ("b", b))
        for n in range(number)
    )
    return Deck((ROOT,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


def test_the_new_cards_of_all_courses_share_a_limit() -> None:
    assert seen_by(deck(6, 5), {}, Settings(new_per_day=5), TODAY) == TODAY + 3
    suspended = {"a0": Progress(suspended=True)}
    assert seen_by(deck(6, 5), suspended, Settings(new_per_day=5), TODAY) == TODAY + 2


def test_a_course_with_a_limit_of_its_own_has_its_own_pace() -> None:
    settings = Settings(new_per_day=5, courses={"b": Course(new_per_day=1)})
    assert seen_by(deck(6, 5), {}, settings, TODAY) == TODAY + 5


def test_a_course_with_an_exam_ahead_does_not_count() -> None:
    settings = Settings(new_per_day=5, courses={"b": Course(exam_day=TODAY + 9)})
    assert seen_by(deck(1, 50), {}, settings, TODAY) == TODAY + 1


def test_no_day_is_told_where_none_is_left_or_a_limit_keeps_cards_back() -> None:
    assert seen_by(deck(0, 0), {}, Settings(), TODAY) is None
    assert seen_by(deck(1, 1), {}, Settings(courses={"b": Course(new_per_day=0)}), TODAY) is None
