"""What is said to be needed for an exam, tried out."""

from collections.abc import Mapping
from itertools import product
from math import inf
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast import exam
from quizzer.forecast.exam_days import Preparation
from quizzer.forecast.exam_needs import Needs
from quizzer.forecast.habits import USUAL
from quizzer.forecast.outlook import Limit, Need, Outlook
from quizzer.plan.pace import Pace
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Memory, Progress, State, study_day

TODAY = study_day(MORNING)
CARDS = tuple(
    Entry(
        Path(f"/deck/{course}{n}.md"),
        Path("/deck"),
        Header(f"{course}{n}", "", course=course),
        Asking.REVEAL,
    )
    for course, n in product("ab", range(15))
)
ALL_OF_A = CARDS[:15]


def reviewed(ago: int, interval: int, stability: float) -> Progress:
    at, day = MORNING.replace(day=1), TODAY - ago
    return Progress(Memory(State.REVIEW, stability, 5.0, at, day, interval, 1, 0, day))


def told(
    settings: Settings, minutes: float | None, progress: Mapping[str, Progress] = {},
    cards: tuple[Entry, ...] = ALL_OF_A,
) -> Outlook:  # fmt: skip
    """Of the first course; a card takes three minutes."""
    return foretold(cards, progress, settings, minutes)[0]


def foretold(
    cards: tuple[Entry, ...],
    progress: Mapping[str, Progress],
    settings: Settings,
    minutes: float | None,
) -> tuple[Outlook, ...]:
    pace = Pace({}, {})
    return exam.foretold(deck_of(cards), progress, Done(), settings, TODAY, pace, minutes, USUAL)


def deck_of(cards: tuple[Entry, ...]) -> Deck:
    return Deck((Path("/deck"),), cards, 0, (), {}, {}, {card.id: card for card in cards})


def heeded(settings: Settings, need: Need) -> Settings:
    for limit in need.limits:
        if limit.course is None:
            settings = replace(settings, reviews_per_day=9999)
            continue
        own = settings.course(limit.course)
        if limit.name == "new_per_day":
            own = replace(own, new_per_day=None)
        else:
            own = replace(own, reviews_per_day=9999)
        settings = replace(settings, courses={**settings.courses, limit.course: own})
    return settings


@pytest.mark.slow
@hypothesis_settings(
    derandomize=True,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    progress=st.dictionaries(
        st.sampled_from([card.id for card in CARDS]),
        st.builds(reviewed, st.integers(0, 40), st.integers(1, 60), st.floats(0.1, 300)),
    ),
    exams=st.lists(st.integers(1, 40), min_size=2, max_size=2),
    minutes=st.integers(0, 90),
    reviews=st.integers(0, 20),
    own_reviews=st.none() | st.integers(0, 9),
    new=st.none() | st.integers(0, 9),
    retention=st.floats(0.7, 0.99),
)
def test_what_is_said_to_be_needed_is_enough(
    progress: dict[str, Progress],
    exams: list[int],
    minutes: int,
    reviews: int,
    own_reviews: int | None,
    new: int | None,
    retention: float,
) -> None:
    courses = {
        "a": Course(new, own_reviews, exam_day=TODAY + exams[0]),
        "b": Course(exam_day=TODAY + exams[1]),
    }
    settings = Settings(reviews_per_day=reviews, desired_retention=retention, courses=courses)
    before = foretold(CARDS, progress, settings, minutes)
    better, enough = settings, minutes
    for found in before:
        better = heeded(better, found.need)
        enough = enough if found.need.minutes is None else found.need.minutes
    after = foretold(CARDS, progress, better, enough)
    behind = {found.course for found in before if found.need != Need()}
    for found in after:
        # Whom a limit had favoured may fall behind without it; only minutes help all at once.
        if found.course in behind or enough != minutes:
            assert found.need == Need() and found.whole.seen == found.whole.cards


def a(**own: int) -> Settings:
    return Settings(courses={"a": Course(exam_day=TODAY + 21, **own)})


def test_the_limit_that_is_too_low_is_named_and_no_other() -> None:
    common = Limit("reviews_per_day", 0, None)
    own = Limit("reviews_per_day", 0, "a")
    new = Limit("new_per_day", 0, "a")
    assert told(a(), 999).need == Need()
    assert told(replace(a(), reviews_per_day=0), 999).need == Need(None, (common,))
    assert told(a(reviews_per_day=0), 999).need == Need(None, (own,))
    assert told(a(new_per_day=0), 999).need == Need(None, (new,))
    both = told(replace(a(new_per_day=0), reviews_per_day=0), 999).need
    assert both == Need(None, (common, new))
    # The common limit is of no matter to a course that sets its own.
    assert told(replace(a(reviews_per_day=40), reviews_per_day=0), 999).need == Need()


def test_where_minutes_and_a_limit_are_too_low_the_minutes_are_those_without_it() -> None:
    few = told(a(), 2.0).need
    assert few.minutes and not few.limits
    limited = told(replace(a(), reviews_per_day=0), 2.0).need
    assert limited == Need(few.minutes, (Limit("reviews_per_day", 0, None),))


def test_a_course_that_only_a_limit_holds_back_is_told_no_minutes() -> None:
    tomorrow = Course(exam_day=TODAY + 1, new_per_day=0)
    settings = Settings(courses={"a": tomorrow, "b": Course(exam_day=TODAY + 3)})
    one, many = foretold((CARDS[0], *CARDS[15:]), {}, settings, 10.0)
    assert one.need == Need(None, (Limit("new_per_day", 0, "a"),))
    assert many.need.minutes and not many.need.limits


def test_a_limit_to_be_raised_comes_with_the_minutes_that_it_would_take_off_another_exam() -> None:
    first, second = Course(exam_day=TODAY + 5), Course(new_per_day=0, exam_day=TODAY + 12)
    enough = told(Settings(courses={"a": first}), 0.0).need.minutes
    both = Settings(courses={"a": first, "b": second})
    one, other = foretold(CARDS, {}, both, enough)
    assert enough and one.need == Need()
    assert other.need.limits and other.need.minutes and other.need.minutes > enough


def test_a_limit_to_be_raised_comes_with_the_one_that_it_would_take_off_another_exam() -> None:
    courses = {"a": Course(exam_day=TODAY + 5), "b": Course(new_per_day=0, exam_day=TODAY + 12)}
    both = Settings(reviews_per_day=3, courses=courses)
    one, other = foretold(CARDS, {}, both, 999)
    assert one.need == Need()
    new, common = Limit("new_per_day", 0, "b"), Limit("reviews_per_day", 3, None)
    assert other.need == Need(None, (common, new))


def test_time_for_the_longest_day_is_as_good_as_all_the_time_there_is() -> None:
    exams = {"a": TODAY + 3, "b": TODAY + 9}
    settings = Settings(courses={course: Course(exam_day=day) for course, day in exams.items()})
    start = Preparation(deck_of(CARDS), exams, {}, Done(), Pace({}, {}), USUAL, TODAY)
    needs = Needs(start, settings)
    most = needs.arrived(inf)
    assert needs.arrived(most.longest) is most
    assert needs.arrived(most.longest - 1) is not most


@pytest.mark.parametrize("days", [3, 10, 21])
def test_fewer_minutes_than_those_told_would_not_do(days: int) -> None:
    settings = Settings(courses={"a": Course(exam_day=TODAY + days)})
    enough = told(settings, 0.0).need.minutes
    assert enough
    for minutes in range(0, enough, 5):
        assert told(settings, minutes).need.minutes == enough
    for minutes in range(enough, enough + 30, 5):
        assert told(settings, minutes).need == Need()


def test_who_desires_to_remember_more_is_told_more_minutes() -> None:
    both = Settings(courses={name: Course(exam_day=TODAY + 21) for name in "ab"})
    needs = [
        told(replace(both, desired_retention=retention), 0.0, cards=CARDS).need.minutes or 0
        for retention in (0.7, 0.9, 0.97)
    ]
    assert needs[0] < needs[1] < needs[2]


def test_a_course_needs_what_its_own_desired_retention_asks_for() -> None:
    general = told(replace(a(), desired_retention=0.97), 0.0).need
    own = {"a": Course(exam_day=TODAY + 21, desired_retention=0.97)}
    assert told(Settings(desired_retention=0.7, courses=own), 0.0).need == general
    assert told(replace(a(), desired_retention=0.7), 0.0).need != general


def test_a_limit_of_its_own_that_is_too_low_does_not_give_way_to_the_common_one() -> None:
    both = replace(a(reviews_per_day=0), reviews_per_day=0)
    assert told(both, 999).need == Need(None, (Limit("reviews_per_day", 0, "a"),))
    assert told(both, 0.0).need.minutes == told(a(), 0.0).need.minutes


def test_a_recall_that_no_time_would_reach_is_not_asked_for() -> None:
    tomorrow = Settings(desired_retention=0.99, courses={"a": Course(exam_day=TODAY + 1)})
    found = told(tomorrow, 999)
    assert found.whole.recall < 0.98 and found.need == Need()


def test_the_minutes_told_need_not_reach_the_very_best_recall() -> None:
    soon = {"a": Course(exam_day=TODAY + 3)}
    settings = Settings(desired_retention=0.99, courses=soon)
    enough = told(settings, 0.0).need.minutes
    assert enough
    reached, best = (told(settings, minutes).whole.recall for minutes in (enough, 999))
    assert best - 0.01 <= reached < best < 0.99
