from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.habits import USUAL
from quizzer.forecast.study_days import StudyDays
from quizzer.forecast.year import DAYS, RETENTIONS, YEAR, Ahead, look_ahead
from quizzer.plan.pace import Pace
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Memory, Progress, State, study_day

TODAY = study_day(MORNING)


def entry(card: str, course: str = "ML", status: str = "to_learn") -> Entry:
    root = Path("/deck")
    header = Header(card, card, course=course, status=status)
    return Entry(root / f"{card}.md", root, header, Asking.REVEAL)


def deck_of(*entries: Entry) -> Deck:
    root = Path("/deck")
    return Deck((root,), entries, 0, (), {}, {}, {each.id: each for each in entries})


def reviewed(days_ago: int, interval: int, state: State = State.REVIEW) -> Progress:
    at = MORNING - timedelta(days=days_ago)
    day = TODAY - days_ago
    return Progress(Memory(state, max(1.0, interval), 5.0, at, day, interval, 1, 0, day))


def ahead_of(
    entries: Iterable[Entry],
    progress: Mapping[str, Progress] | None = None,
    configured: Settings | None = None,
    done: Done | None = None,
    pace: Pace | None = None,
) -> Ahead:
    return look_ahead(
        deck_of(*entries),
        progress or {},
        done or Done(),
        USUAL,
        pace or Pace({}, {}),
        configured or Settings(),
        TODAY,
    )


def new_by_day(ahead: Ahead, days: int) -> list[float]:
    return [day.new for day in ahead.days[:days]]


def test_what_was_done_of_cards_since_deleted_counts_against_the_limits_of_all() -> None:
    entries = [entry(f"c{n}") for n in range(20)]
    progress = {each.id: reviewed(9, 9) for each in entries[:10]}
    configured = Settings(reviews_per_day=4, new_per_day=5)
    done = Done(new=frozenset("xyz"), reviews=frozenset("vw"))
    queue = plan(deck_of(*entries), progress, done, configured, MORNING)
    assert (len(queue.today), len(queue.new)) == (2, 2)
    today = ahead_of(entries, progress, configured, done).days[0]
    assert (today.reviews, today.new) == (2, 2)


def test_new_cards_for_an_exam_leave_the_limit_to_other_courses() -> None:
    """Today as on the days after: one of its two was met today, and one of the others."""
    entries = [entry(card, "exam") for card in "abcd"] + [entry(card) for card in "efghi"]
    progress = {"a": reviewed(0, 30), "e": reviewed(0, 30)}
    configured = Settings(new_per_day=2, courses={"exam": Course(exam_day=TODAY + 8)})
    done = Done(new=frozenset("ae"))
    queue = plan(deck_of(*entries), progress, done, configured, MORNING)
    assert [each.id for each in queue.new] == ["b", "f"]
    assert new_by_day(ahead_of(entries, progress, configured, done), 4) == [2, 1 + 2, 1 + 1, 0]


def test_new_cards_come_by_the_daily_limit_until_there_are_no_more() -> None:
    ahead = ahead_of([entry(f"c{n}") for n in range(7)], configured=Settings(new_per_day=3))
    assert new_by_day(ahead, 4) == [3, 3, 1, 0]
    assert len(ahead.days) == DAYS
    assert [day.day for day in ahead.days[:2]] == [TODAY, TODAY + 1]


def test_minutes_are_those_of_the_learners_pace() -> None:
    slow, quick = (
        ahead_of([entry("a")], pace=Pace({"a": minutes}, {})).present for minutes in (10.0, 1.0)
    )
    assert slow.minutes == pytest.approx(10 * quick.minutes)
    assert slow.minutes >= 10 * (slow.reviews + 1)


def test_settings_are_compared_and_the_present_one_is_among_them() -> None:
    cards = [entry(f"c{n}") for n in range(40)]
    progress = {each.id: reviewed(number, 40) for number, each in enumerate(cards)}
    ahead = ahead_of(cards, progress, Settings(desired_retention=0.87))
    found = [workload.retention for workload in ahead.workloads]
    assert found == sorted({*RETENTIONS, 0.87})
    assert ahead.present.retention == 0.87
    assert ahead.present in ahead.workloads
    assert sorted(found, key=lambda one: ahead.workloads[found.index(one)].reviews) == found
    assert ahead.workloads[0].remembered < ahead.workloads[-1].remembered


def test_a_course_keeps_its_own_desired_retention() -> None:
    cards = [entry(f"c{n}") for n in range(60)]
    progress = {each.id: reviewed(number, 60) for number, each in enumerate(cards)}
    own = Settings(courses={"ml": Course(desired_retention=0.9)})
    low, *_, high = ahead_of(cards, progress, own).workloads
    assert low.reviews == pytest.approx(high.reviews, rel=0.1)
    low, *_, high = ahead_of(cards, progress).workloads
    assert 2 * low.reviews < high.reviews


def test_a_deck_without_cards_has_nothing_ahead() -> None:
    ahead = ahead_of([])
    assert ahead.present.met == 0
    assert not any(day.reviews or day.new or day.minutes for day in ahead.days)


def test_the_same_day_gives_the_same_picture_and_every_day_of_it_is_told() -> None:
    cards = [entry(f"c{n}") for n in range(9)]
    told: list[tuple[int, int]] = []
    first, second = ahead_of(cards), ahead_of(cards)
    assert first == second
    pace = Pace({}, {})
    deck, none, done = deck_of(*cards), dict[str, Progress](), Done()
    look_ahead(
        deck, none, done, USUAL, pace, Settings(), TODAY, lambda *numbers: told.append(numbers)
    )
    assert told == [(number, YEAR) for number in range(1, YEAR + 1)]


@pytest.mark.parametrize(("most", "reviews"), [(1, 90 * 25 // 35), (200, None)])
def test_who_misses_days_does_less_by_the_limit_and_no_more_waits_for_it(
    most: int, reviews: int | None
) -> None:
    entries = [entry(f"c{n}") for n in range(60)]
    progress = {each.id: reviewed(9, 3 + n) for n, each in enumerate(entries)}
    configured = Settings(reviews_per_day=most)
    usual, missing = (
        look_ahead(
            deck_of(*entries),
            progress,
            Done(),
            replace(USUAL, study_days=days),
            Pace({}, {}),
            configured,
            TODAY,
        )
        for days in (StudyDays(30, 30), StudyDays(20, 30))
    )
    assert ahead_of(entries, progress, configured).days == usual.days
    assert missing.study_days == StudyDays(20, 30)
    assert missing.days[0] == usual.days[0]
    if reviews is None:
        assert missing.present.waiting == usual.present.waiting == 0
    else:
        assert sum(day.reviews for day in usual.days) == DAYS
        assert sum(day.reviews for day in missing.days) == pytest.approx(reviews, abs=1)


def test_several_learners_live_through_the_year_and_the_mean_is_told() -> None:
    cards = [entry(f"c{n}") for n in range(30)]
    progress = {each.id: reviewed(number, 30) for number, each in enumerate(cards)}
    ahead = ahead_of(cards, progress)
    assert ahead.runs > 1
    assert any(day.reviews != round(day.reviews) for day in ahead.days)
    assert len(ahead_of([entry(f"c{n}") for n in range(1000)]).days) == DAYS
