"""The days foretold, against the queue and the scheduler, which hold on each of them."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from math import inf
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast import days as foretelling
from quizzer.forecast.days import Day, Days, that_come
from quizzer.forecast.habits import USUAL, Habits, Luck
from quizzer.forecast.study_days import LATELY, StudyDays
from quizzer.fsrs.scheduler import schedule
from quizzer.plan.forms import ALL
from quizzer.plan.pace import Pace, minutes_left
from quizzer.plan.queue import Queue, plan, within
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Form, Memory, Progress, Rating, State, study_day

PROPERTY = settings(derandomize=True, deadline=None, max_examples=150)
TODAY = study_day(MORNING)
ROOT = Path("/deck")
DAYS = 80
EXAM = Course(exam_day=TODAY + 40)
GOOD = (0.0, 0.0, 1.0, 0.0)
AGAIN = (1.0, 0.0, 0.0, 0.0)
ALWAYS_GOOD = Habits(GOOD, GOOD, GOOD)
ANY_NUMBER = Settings(new_per_day=999, reviews_per_day=999)
CASES = {
    "no exam": Settings(reviews_per_day=9),
    "an exam": Settings(reviews_per_day=200, courses={"ml": EXAM}),
    "an exam and few reviews a day": Settings(reviews_per_day=6, courses={"ml": EXAM}),
    "an exam and limits by hand": Settings(
        courses={"ml": replace(EXAM, new_per_day=1, reviews_per_day=4)}
    ),
    "two exams": Settings(
        reviews_per_day=12,
        new_per_day=1,
        courses={"ml": EXAM, "statistics": Course(exam_day=TODAY + 33)},
    ),
    "an exam too far to count yet": Settings(courses={"ml": Course(exam_day=TODAY + 731 + 9)}),
    "few minutes": Settings(minutes_per_day=20),
    "fewer minutes than a card takes": Settings(minutes_per_day=2),
    "an exam and few minutes": Settings(minutes_per_day=20, courses={"ml": EXAM}),
    "related cards apart": Settings(bury_related=True, reviews_per_day=9),
    "related cards apart until shortly before an exam": Settings(
        bury_related=True, courses={"ml": EXAM}
    ),
}


class NeverForgets(Luck):
    """Rates as its habits are, and remembers whatever the chances."""

    def rating(self, memory: Memory | None, day: int, parameters: object, place: int) -> Rating:
        return super().rating(
            memory and replace(memory, stability=36500.0), day, (0,) * 20 + (0.1,), place
        )


class AlwaysForgets(Luck):
    def rating(self, memory: Memory | None, day: int, parameters: object, place: int) -> Rating:
        return (
            Rating.AGAIN if memory and memory.day < day else super().rating(memory, day, (), place)
        )


@pytest.fixture
def never_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foretelling, "Luck", NeverForgets)


@pytest.fixture
def always_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foretelling, "Luck", AlwaysForgets)


def entry(card: str, course: str = "ML", related: tuple[str, ...] = ()) -> Entry:
    header = Header(card, card, course=course, related=related)
    return Entry(ROOT / f"{card}.md", ROOT, header, Asking.REVEAL)


def deck_of(entries: Iterable[Entry]) -> Deck:
    entries = tuple(entries)
    return Deck((ROOT,), entries, 0, (), {}, {}, {each.id: each for each in entries})


def reviewed(ago: int, interval: int, stability: float | None = None) -> Progress:
    at, day = MORNING - timedelta(days=ago), TODAY - ago
    held = max(1.0, interval) if stability is None else stability
    return Progress(Memory(State.REVIEW, held, 5.0, at, day, interval, 1, 0, day))


def days_of(
    deck: Deck,
    progress: Mapping[str, Progress] = {},
    configured: Settings = ANY_NUMBER,
    habits: Habits = ALWAYS_GOOD,
    done: Done | None = None,
    minutes: Callable[[str], float] = lambda card: 1.0,
) -> Days:
    pace = Pace({each.id: minutes(each.id) for each in deck.entries}, {})
    meant = that_come(deck, progress)
    return Days(meant, progress, done or Done(), configured, pace, habits, TODAY)


def lived(days: Days, number: int) -> list[Day]:
    return [days.live(TODAY + day) for day in range(number)]


def cards() -> tuple[Deck, dict[str, Progress]]:
    """Two courses, known cards and new ones, some of which link their neighbours."""
    entries = [
        entry(f"c{n:02}", "Statistics" if n % 3 == 0 else "ML", (f"c{n + 1:02}",) * (n % 4 == 0))
        for n in range(70)
    ]
    progress = {each.id: reviewed(3 + n, 5 + 2 * n) for n, each in enumerate(entries[:30])}
    return deck_of(entries), progress


@pytest.mark.parametrize(
    ("configured", "corrected", "minutes"),
    [
        (ANY_NUMBER, 0.0, 2.0),
        (replace(ANY_NUMBER, relearning_steps=0), 0.0, 1.0),
        (replace(ANY_NUMBER, courses={"ml": Course(relearning_steps=0)}), 0.0, 1.0),
        (replace(ANY_NUMBER, learning_steps=0), 0.0, 2.0),
        (ANY_NUMBER, 1.0, 1.0),
    ],
)
@pytest.mark.usefixtures("always_forgets")
def test_a_lapse_is_repeated_on_its_day_by_the_rules_of_the_step(
    configured: Settings, corrected: float, minutes: float
) -> None:
    habits = replace(ALWAYS_GOOD, corrected=corrected)
    days = days_of(deck_of([entry("a")]), {"a": reviewed(5, 5)}, configured, habits)
    assert days.live(TODAY).minutes == minutes


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("never_forgets")
def test_where_nothing_is_forgotten_the_days_foretold_are_those_of_the_queue(case: str) -> None:
    configured, (deck, progress) = CASES[case], cards()
    pace = Pace({f"c{n:02}": 1.0 + n % 5 for n in range(70)}, {})
    foretold = lived(
        days_of(deck, progress, configured, minutes=lambda c: 1.0 + int(c[1:]) % 5), DAYS
    )
    for number, day in enumerate(foretold):
        at, today = MORNING + timedelta(days=number), TODAY + number
        queue = plan(deck, progress, Done(), configured, at, pace=pace)
        queue = within(queue, pace, configured.minutes_per_day, begun=False)
        for each in queue.fresh:
            policy = configured.policy(each.header.course, today)
            memory = progress.get(each.id, Progress()).memory
            progress[each.id] = Progress(schedule(each.id, memory, Rating.GOOD, at, today, policy))
        assert (day.reviews, day.new) == (len(queue.today), len(queue.new)), number
        assert day.minutes == pace.total(queue.fresh)


CARDS = [f"c{n:02}" for n in range(16)]
GONE = ["x", "y", "z"]
known_before = st.dictionaries(
    st.sampled_from(CARDS[:8]),
    # Days until it is due, whether it is buried, and whether it is in its step.
    st.tuples(st.integers(-9, 9), st.booleans(), st.booleans()),
)
met_today = st.sets(st.sampled_from([*CARDS, *GONE]))


@PROPERTY
@given(
    known_before,
    st.lists(st.integers(1, 9), min_size=16, max_size=16),
    st.tuples(met_today, met_today, st.sets(st.sampled_from(CARDS))),
    st.none() | st.integers(1, 40),
    st.integers(0, 1500),
    st.sampled_from([2, 5, 200]),
    st.sampled_from([None, 1, 2, 3, 5, 12, 20, 25]),
    st.booleans(),
)
def test_what_is_left_of_today_is_what_the_queue_leaves_of_it(
    known: dict[str, tuple[int, bool, bool]],
    minutes: list[int],
    met: tuple[set[str], set[str], set[str]],
    minutes_per_day: int | None,
    seconds: int,
    limit: int,
    exam_in: int | None,
    by_hand: bool,
) -> None:
    """Two courses, cards met, reviewed, suspended and since deleted today, and minutes spent."""
    entries = [entry(card, "Statistics" if n % 3 == 0 else "ML") for n, card in enumerate(CARDS)]
    progress = {
        card: replace(
            reviewed(1, 0) if stepping else reviewed(10 - left, 10),
            buried_on=TODAY if buried else None,
        )
        for card, (left, buried, stepping) in known.items()
    }
    new, reviews, suspended = met
    progress |= {card: reviewed(0, 7) for card in new | reviews if card in CARDS}
    for card in suspended - new - reviews:
        progress[card] = replace(progress.get(card, Progress()), suspended=True)
    done = Done(new=frozenset(new), reviews=frozenset(reviews - new), seconds=seconds)
    own = Course(exam_day=None if exam_in is None else TODAY + exam_in)
    if by_hand:
        own = replace(own, new_per_day=1, reviews_per_day=3)
    configured = Settings(
        reviews_per_day=limit,
        new_per_day=limit,
        minutes_per_day=minutes_per_day,
        courses={"ml": own},
    )
    deck, takes = deck_of(entries), dict(zip(CARDS, map(float, minutes), strict=True))
    queue = plan(deck, progress, done, configured, MORNING, pace=Pace(takes, {}))
    stepping = Pace(takes, {}).total(queue.steps)
    begun = bool(done.new or done.reviews or queue.steps)
    left = minutes_left(configured, done.seconds + 60 * stepping)
    queue = within(queue, Pace(takes, {}), left, begun)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(foretelling, "Luck", NeverForgets)
        day = days_of(deck, progress, configured, ALWAYS_GOOD, done, takes.__getitem__).live(TODAY)
    assert (day.reviews, day.new) == (len(queue.steps) + len(queue.today), len(queue.new))


@pytest.mark.usefixtures("always_forgets")
def test_a_card_that_is_always_forgotten_comes_on_the_days_of_the_scheduler_and_twice() -> None:
    progress = {"a": reviewed(50, 50)}
    memory = progress["a"].memory
    expected = []
    for day in range(TODAY, TODAY + 90):
        if memory and memory.due_day <= day:
            for rating in (Rating.AGAIN, Rating.GOOD):
                memory = schedule("a", memory, rating, MORNING, day)
            expected.append(day - TODAY)
    found = lived(days_of(deck_of([entry("a")]), progress, minutes=lambda _: 4.0), 90)
    assert [number for number, day in enumerate(found) if day.reviews] == expected
    assert {day.minutes for day in found if day.reviews} == {8.0}
    assert len(expected) > 4


def test_of_cards_with_a_chance_of_recall_so_many_are_forgotten() -> None:
    deck = deck_of(entry(f"c{n}") for n in range(40))
    days = days_of(deck, {each.id: reviewed(10, 10) for each in deck.entries})
    days.live(TODAY)
    held = [memory.stability for each in deck.entries if (memory := days.memory(each))]
    assert sum(stability < 10 for stability in held) == 40 * 0.1


def test_what_is_dealt_out_to_a_course_is_not_changed_by_another() -> None:
    own = [entry(f"a{n}", "A") for n in range(9)]
    others = [entry(f"b{n}", "B") for n in range(20)]
    progress = {f"{c}{n}": reviewed(3 + n, 3, 2.0 + n) for c in "ab" for n in range(5)}
    alone, both = (days_of(deck_of(some), progress, habits=USUAL) for some in (own, own + others))
    lived(alone, 30)
    lived(both, 30)
    assert [alone.memory(each) for each in own] == [both.memory(each) for each in own]


@pytest.mark.usefixtures("never_forgets")
def test_what_was_done_today_is_taken_from_todays_limits_and_no_others() -> None:
    entries = [entry(f"c{n:02}") for n in range(40)]
    progress = {each.id: reviewed(5, 2, 900.0) for each in entries[:20]}
    done = Done(new=frozenset("xyz"), reviews=frozenset("v"))
    configured = Settings(new_per_day=5, reviews_per_day=4)
    found = lived(days_of(deck_of(entries), progress, configured, done=done), 3)
    assert [(day.reviews, day.new) for day in found] == [(3, 2), (4, 5), (4, 5)]


@pytest.mark.usefixtures("never_forgets")
def test_exams_share_the_minutes_and_one_that_is_over_leaves_them_to_the_others() -> None:
    deck = deck_of(entry(f"{course}{n}", course) for n in range(60) for course in "ab")
    courses = {"a": Course(exam_day=TODAY + 10), "b": Course(exam_day=TODAY + 25)}
    days = days_of(deck, configured=replace(ANY_NUMBER, minutes_per_day=4, courses=courses))

    def last_days(course: str) -> list[int]:
        memories = (days.memory(each) for each in deck.entries if each.header.course == course)
        return [memory.day - TODAY for memory in memories if memory]

    assert all(day.reviews + day.new == 4 for day in lived(days, 10))
    assert last_days("a") and last_days("b")
    for number in range(10, 25):
        assert days.live(TODAY + number).minutes == 4
    assert max(last_days("a")) < 10


@pytest.mark.usefixtures("never_forgets")
def test_a_day_ends_with_its_minutes_and_the_first_card_always_fits() -> None:
    entries = [entry(f"c{n}") for n in range(18)]
    progress = {each.id: reviewed(2, 1, 900.0) for each in entries[:9]}

    def comes(per_day: float, done: Done | None = None) -> list[int]:
        configured = replace(ANY_NUMBER, minutes_per_day=per_day)
        days = days_of(deck_of(entries), progress, configured, done=done, minutes=lambda _: 4.0)
        return [day.reviews + day.new for day in lived(days, 3)]

    assert comes(12) == [3, 3, 3]
    assert comes(11) == [2, 2, 2]
    assert comes(3) == [1, 1, 1]
    assert comes(3, Done(new=frozenset("x"))) == [0, 1, 1]
    assert comes(12, Done(new=frozenset("x"), seconds=300)) == [1, 3, 3]
    # Of the minutes spent whole ones count.
    assert comes(12, Done(new=frozenset("x"), seconds=299)) == [2, 3, 3]


@pytest.mark.usefixtures("always_forgets")
def test_repetitions_take_of_the_days_minutes_once_their_step_has_passed() -> None:
    """Of thirty minutes: forgotten cards begin at 0, 3, 6, 9 and 12, repetitions come from 15 on;
    of fifteen: they come when all fresh cards have come."""
    deck = deck_of(entry(f"c{n:02}") for n in range(20))
    progress = {each.id: reviewed(2, 1) for each in deck.entries}

    def comes(minutes: float) -> Day:
        configured = replace(ANY_NUMBER, minutes_per_day=minutes)
        return days_of(deck, progress, configured, minutes=lambda _: 3.0).live(TODAY)

    assert (comes(30).reviews, comes(30).minutes) == (5, 30)
    assert (comes(15).reviews, comes(15).minutes) == (5, 30)


def test_repetitions_in_a_step_take_their_share_of_the_minutes() -> None:
    habits = Habits(first=AGAIN, step=GOOD, recalled=GOOD, step_share=0.25)
    day = days_of(deck_of([entry("a")]), habits=habits, minutes=lambda _: 4.0).live(TODAY)
    assert day == Day(reviews=0, new=1, minutes=5.0, out_of_time=0)


def test_a_card_in_its_step_comes_whatever_the_limits_and_takes_of_the_minutes() -> None:
    deck = deck_of(entry(card) for card in "abc")
    progress = {"a": Progress(reviewed(1, 0).memory), "b": reviewed(9, 2), "c": reviewed(9, 3)}
    none = replace(ANY_NUMBER, reviews_per_day=0)
    assert days_of(deck, progress, none).live(TODAY).reviews == 1
    for minutes, reviews in ((3, 1), (13, 2), (15, 3)):
        configured = replace(ANY_NUMBER, minutes_per_day=minutes)
        days = days_of(deck, progress, configured, minutes=lambda _: 5.0)
        assert days.live(TODAY).reviews == reviews


def test_a_learner_who_never_passes_a_step_is_not_waited_for() -> None:
    found = lived(days_of(deck_of([entry("a")]), habits=Habits(AGAIN, AGAIN, AGAIN)), 3)
    assert [(day.reviews, day.new) for day in found] == [(0, 1), (1, 0), (1, 0)]


@pytest.mark.usefixtures("never_forgets")
def test_of_the_waiting_cards_those_are_known_that_only_minutes_kept_from_coming() -> None:
    """Twenty are due and eight of them allowed, three of which fit into the day."""
    deck = deck_of(entry(f"c{n:02}") for n in range(29))
    progress = {each.id: reviewed(2, 1, 900.0) for each in deck.entries[:20]}
    limited = replace(ANY_NUMBER, reviews_per_day=8)
    for minutes, waiting, out_of_time in ((None, 12, 0), (12, 17, 5)):
        configured = replace(limited, minutes_per_day=minutes)
        days = days_of(deck, progress, configured, minutes=lambda _: 4.0)
        day = days.live(TODAY)
        assert (days.waiting, day.out_of_time) == (waiting, out_of_time)


@pytest.mark.usefixtures("never_forgets")
def test_buried_cards_wait_a_day_and_suspended_or_mastered_ones_never_come() -> None:
    entries = [entry(card) for card in "abcd"]
    mastered = dataclasses.replace(entry("e"), header=replace(entry("e").header, status="mastered"))
    progress = {
        "a": replace(reviewed(9, 9), buried_on=TODAY),
        "b": replace(reviewed(9, 9), suspended=True),
        "c": Progress(buried_on=TODAY),
        "d": Progress(suspended=True),
    }
    days = days_of(deck_of([*entries, mastered]), progress)
    assert [(day.reviews, day.new) for day in lived(days, 2)] == [(0, 0), (1, 1)]
    assert days.met == 2


def test_a_buried_card_comes_before_its_day_no_sooner_than_tomorrow() -> None:
    progress = {"a": reviewed(15, 20)}
    buried = {"a": replace(progress["a"], buried_on=TODAY)}
    for known, ahead, expected in ((progress, 1, [1]), (buried, 1, [0]), (buried, 2, [0, 1])):
        exam = replace(ANY_NUMBER, courses={"ml": Course(exam_day=TODAY + ahead)})
        found = lived(days_of(deck_of([entry("a")]), known, exam), ahead)
        assert [day.reviews for day in found] == expected


@PROPERTY
@given(
    st.sampled_from(list(CASES.values())),
    st.integers(0, LATELY).map(lambda studied: StudyDays(studied, LATELY)),
)
def test_a_missed_day_has_no_reviews_and_the_days_have_their_share_of_them(
    configured: Settings, study_days: StudyDays
) -> None:
    deck, progress = cards()
    days = days_of(deck, progress, configured, replace(USUAL, study_days=study_days))
    missed, studied, queue = 0, set[int](), Days._queue

    def studies(self: Days, day: int) -> Queue:
        studied.add(day)
        return queue(self, day)

    for number in range(DAYS):
        before = {each.id: days.memory(each) for each in deck.entries}
        with patch.object(Days, "_queue", studies):  # a `Mock` takes longer than the day
            day = days.live(TODAY + number)
        if TODAY + number not in studied:
            missed += 1
            assert number and (day.reviews, day.new, day.minutes) == (0, 0, 0)
            assert before == {each.id: days.memory(each) for each in deck.entries}
    assert abs(missed - study_days.missed * (DAYS - 1)) <= 0.5 + 1e-9


def test_who_missed_no_day_has_the_same_days_ahead() -> None:
    deck, progress = cards()
    every_day = replace(USUAL, study_days=StudyDays(30, 30))
    usual, found = (
        lived(days_of(deck, progress, habits=habits), DAYS) for habits in (USUAL, every_day)
    )
    assert found == usual


def test_what_falls_due_on_a_missed_day_comes_on_the_next_one() -> None:
    """Every second day is missed, but not today: tomorrow, and so on."""
    habits = replace(ALWAYS_GOOD, study_days=StudyDays(0, 5))
    progress = {"a": reviewed(8, 8), "b": reviewed(7, 8), "c": reviewed(7, 9), "d": reviewed(7, 0)}
    found = lived(days_of(deck_of(map(entry, "abcd")), progress, habits=habits), 4)
    assert [day.reviews for day in found] == [2, 0, 2, 0]


def test_what_a_limit_left_does_not_grow_on_a_missed_day() -> None:
    """A day missed at the very end must not look like a limit that is too low."""
    progress = {f"c{n:02}": reviewed(9, 9 + n // 2) for n in range(8)}
    habits = replace(ALWAYS_GOOD, study_days=StudyDays(0, 5))
    days = days_of(deck_of(map(entry, progress)), progress, replace(ANY_NUMBER, reviews_per_day=1),
                   habits)  # fmt: skip
    days.live(TODAY)
    assert days.waiting == 1
    days.live(TODAY + 1)
    assert days.waiting == 1
    days.live(TODAY + 2)
    assert days.waiting == 4


def test_the_progress_given_stays_as_it_is() -> None:
    deck, progress = cards()
    before = dict(progress)
    lived(days_of(deck, progress, habits=USUAL), 30)
    assert progress == before
    assert days_of(deck, progress).recall(deck.by_id["c69"], TODAY) == 0.0
    assert inf > days_of(deck, progress).remembered(TODAY) > 0


def test_days_foretold_know_the_forms_in_which_cards_come() -> None:
    checked = dataclasses.replace(entry("a"), asking=Asking.CHECKER)
    minutes = {}
    for forms in (ALL, (Form.BLANK,)):
        days = days_of(
            deck_of([checked]), {}, configured=Settings(forms=forms), minutes=lambda _: 8.0
        )
        minutes[forms] = [days.live(TODAY + number).minutes for number in range(3)]
    assert minutes[ALL][:2] == [2.0, 2.0]
    assert minutes[Form.BLANK,][0] == 8.0
