"""The days until an exam as they are foretold, against the queue that will hold on each."""

from collections.abc import Mapping
from dataclasses import astuple, replace
from datetime import timedelta
from itertools import chain
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.ahead import USUAL, look_ahead
from quizzer.forecast.exam_days import GAINS_EVERY, Days, OnTheWay, live_through
from quizzer.fsrs.step import Strength
from quizzer.plan.exam_gain import LAST_DAYS, first_strength
from quizzer.plan.pace import Pace
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Memory, Progress, State, study_day

TODAY = study_day(MORNING)
FAR = LAST_DAYS + 1
PROPERTY = hypothesis_settings(
    derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def deck_of(**courses: int) -> Deck:
    """Courses by name with so many cards each, `a0`, `a1` and so on; the courses take turns."""
    root, most = Path("/deck"), max(courses.values())
    names = [(f"{c}{n}", c) for n in range(most) for c in courses if n < courses[c]]
    entries = tuple(
        Entry(root / f"{card}.md", root, Header(card, card, course=course), Asking.REVEAL)
        for card, course in names
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


def reviewed(ago: int, interval: int, stability: float = 5.0) -> Progress:
    at, day = MORNING - timedelta(days=ago), TODAY - ago
    return Progress(Memory(State.REVIEW, stability, 5.0, at, day, interval, 1, 0, day))


def exams(reviews_per_day: int = 999, **ahead: int) -> Settings:
    own = {course: Course(exam_day=TODAY + days) for course, days in ahead.items()}
    return Settings(reviews_per_day=reviews_per_day, courses=own)


def cards_of(
    deck: Deck, progress: Mapping[str, Progress] | None = None, repetition: float = 0.0
) -> list[OnTheWay]:
    """Each takes a minute, and so many more for one repetition in its step."""
    known = progress or {}
    return [
        OnTheWay.of(entry, known.get(entry.id, UNSEEN), 1.0, repetition) for entry in deck.entries
    ]


def days_of(cards: list[OnTheWay], settings: Settings) -> Days:
    ahead = {course: own.exam_day for course, own in settings.courses.items() if own.exam_day}
    return Days(cards, ahead, settings, TODAY)


def met_today(interval: int, is_new: bool) -> Progress:
    memory = reviewed(0, interval).memory
    assert memory
    return Progress(memory if is_new else replace(memory, first_day=TODAY - 40))


ids = st.sampled_from([f"{course}{n}" for course in "ab" for n in range(8)])
known = st.dictionaries(
    ids, st.builds(reviewed, st.integers(1, 40), st.integers(1, 60), st.floats(0.1, 300))
)


@PROPERTY
@given(
    known,
    st.dictionaries(ids, st.builds(met_today, st.integers(1, 30), st.booleans()), max_size=6),
    st.sampled_from([1, FAR]),
    st.integers(1, 16),
)
def test_a_day_is_foretold_as_the_queue_has_it_long_before_an_exam_and_on_its_eve(
    earlier: dict[str, Progress], met: dict[str, Progress], ahead: int, minutes: int
) -> None:
    deck, settings = deck_of(a=8, b=8), exams(reviews_per_day=6, a=ahead, b=FAR + 9)
    progress = earlier | met
    new = {card for card, each in met.items() if each.memory and each.memory.first_day == TODAY}
    done = Done(new=frozenset(new), reviews=frozenset(met.keys() - new))
    queue = plan(deck, progress, done, settings, MORNING).fresh
    taken = days_of(cards_of(deck, progress), settings).live(TODAY, minutes)
    left = max(0, minutes - len(met))
    assert [card.id for card in taken] == [entry.id for entry in queue[:left]]


@PROPERTY
@given(known, st.integers(1, 6), st.integers(1, 15))
def test_in_the_last_days_due_cards_come_in_the_order_of_the_queue(
    progress: dict[str, Progress], ahead: int, minutes: int
) -> None:
    deck, settings = deck_of(a=8), exams(a=1 + ahead * GAINS_EVERY)
    queue = plan(deck, progress, Done(), settings, MORNING).fresh
    due = [
        e.id for e in queue if not (m := progress.get(e.id, UNSEEN).memory) or m.due_day <= TODAY
    ]
    taken = days_of(cards_of(deck, progress), settings).live(TODAY, minutes)
    if len(due) > minutes:
        assert [card.id for card in taken] == due[:minutes]
    else:
        assert {card.id for card in taken} == {*due}


@pytest.mark.parametrize(("minutes", "repetition"), [(2.0, 0.0), (3.0, 2.0)])
def test_unseen_cards_raise_the_price_by_which_due_cards_are_ordered(
    minutes: float, repetition: float
) -> None:
    """Where minutes are short, be it only for the repetitions of what is forgotten."""
    deck = deck_of(a=40)
    own = Course(exam_day=TODAY + 1 + 2 * GAINS_EVERY, new_per_day=0)
    settings = Settings(courses={"a": own})
    progress = {"a0": reviewed(4, 1, 4.0), "a1": reviewed(6, 1, 0.5), "a2": reviewed(2, 1, 4.0)}
    queue = plan(deck, progress, Done(), settings, MORNING).fresh
    assert [entry.id for entry in queue] == ["a0", "a1", "a2"]
    without = plan(deck_of(a=3), progress, Done(), settings, MORNING).fresh
    assert [entry.id for entry in without] == ["a1", "a0", "a2"]
    taken = days_of(cards_of(deck, progress, repetition), settings).live(TODAY, minutes)
    assert [card.id for card in taken][:2] == ["a0", "a1"]


def test_cards_due_long_before_an_exam_come_in_the_order_of_the_queue_on_every_day() -> None:
    deck = deck_of(a=30)
    progress = {f"a{n}": reviewed(1 + n % 5, 1 + n % 7) for n in range(20)}
    cards, settings = cards_of(deck, progress), exams(a=LAST_DAYS + 20)
    days = days_of(cards, settings)
    for day in range(TODAY, TODAY + 20):
        order = {card.id: (card.due, card.due - card.day) for card in cards if card.strength}
        lived = [card.id for card in days.live(day, 4.0)]
        reviews = [order[card] for card in lived if card in order]
        assert reviews == sorted(reviews)
        if day == TODAY:
            assert lived == [
                e.id for e in plan(deck, progress, Done(), settings, MORNING).fresh[:4]
            ]


def test_exams_share_the_minutes_and_one_that_is_over_leaves_them_to_the_others() -> None:
    cards = cards_of(deck_of(a=60, b=60))
    settings = exams(a=10, b=25)
    days = days_of(cards, settings)
    lived = [days.live(TODAY + number, 4.0) for number in range(25)]
    assert [len(taken) for taken in lived[:10]] == [4] * 10
    assert {card.course for card in chain(*lived[:10])} == {"a", "b"}
    assert {card.course for card in chain(*lived[10:])} == {"b"}
    assert max(map(len, lived)) == 4


def test_exams_share_the_common_limit_of_reviews_and_not_one_of_their_own() -> None:
    deck = deck_of(a=9, b=9, c=9)
    progress = {entry.id: reviewed(9, 3) for entry in deck.entries}
    shared = exams(reviews_per_day=4, a=FAR, b=FAR).courses
    own = {"c": Course(exam_day=TODAY + FAR, reviews_per_day=2)}
    settings = Settings(reviews_per_day=4, courses={**shared, **own})
    taken = days_of(cards_of(deck, progress), settings).live(TODAY, inf)
    assert sorted(card.course for card in taken) == ["a", "a", "b", "b", "c", "c"]


def test_the_longest_day_counts_what_was_done_on_it_before_and_the_cards_given_stay() -> None:
    cards = cards_of(deck_of(a=5, b=5), {"a0": reviewed(0, 3), "b0": reviewed(0, 3)})
    before = [astuple(card) for card in cards]
    days = {"a": TODAY + 1, "b": TODAY + 1}
    lived = live_through(cards, days, exams(a=1, b=1), TODAY, 6.0)
    assert lived.longest == 6
    assert sum(card.strength is not None for card in lived.cards) == 6
    assert live_through(cards, days, exams(a=1, b=1), TODAY).longest == 10
    assert [astuple(card) for card in cards] == before


def test_what_is_dealt_out_to_a_course_is_not_changed_by_another() -> None:
    deck = deck_of(a=9, b=20)
    progress = {f"{course}{n}": reviewed(3 + n, 3, 2.0 + n) for course in "ab" for n in range(5)}
    cards, settings = cards_of(deck, progress), exams(a=20, b=20)
    own = [card for card in cards if card.course == "a"]
    alone = live_through(own, {"a": TODAY + 20}, settings, TODAY)
    both = live_through(cards, {"a": TODAY + 20, "b": TODAY + 20}, settings, TODAY)
    assert [astuple(card) for card in both.cards if card.course == "a"] == [
        astuple(card) for card in alone.cards
    ]


def test_a_repetition_takes_time_of_the_day_only_if_its_ten_minutes_are_over_by_then() -> None:
    settings = Settings(courses={"a": Course(exam_day=TODAY + FAR, new_per_day=50)})

    def taken(minutes: float) -> list[OnTheWay]:
        return days_of(cards_of(deck_of(a=50), repetition=2.0), settings).live(TODAY, minutes)

    # Of new cards the third is rated Again, and back after the thirteenth.
    again = [n for n, card in enumerate(taken(13.0), 1) if card.took > 1]
    assert again == [3, 7, 11]
    assert [len(taken(minutes)) for minutes in (13.0, 16.0, 17.0)] == [13, 13, 14]


@pytest.mark.parametrize(
    ("reviews", "interval", "first_ago", "took"),
    [(1, 3, 0, 1.0), (1, 0, 0, 3.0), (3, 2, 0, 5.0), (9, 3, 30, 1.0), (9, 0, 30, 3.0)],
)
def test_repetitions_of_today_that_are_known_have_used_up_their_minutes(
    reviews: int, interval: int, first_ago: int, took: float
) -> None:
    memory = reviewed(0, interval).memory
    assert memory
    memory = replace(memory, reviews=reviews, first_day=TODAY - first_ago)
    (met,) = cards_of(deck_of(a=1), {"a0": Progress(memory)}, repetition=2.0)
    assert met.took == took


def test_a_card_that_is_in_its_step_today_comes_again_tomorrow() -> None:
    cards = cards_of(deck_of(a=1), {"a0": reviewed(0, 0)})
    days = days_of(cards, exams(a=FAR))
    assert days.live(TODAY, inf) == []
    assert days.live(TODAY + 1, inf) == cards


def test_of_cards_with_a_chance_of_recall_so_many_are_forgotten() -> None:
    deck = deck_of(a=40)
    cards = cards_of(deck, {entry.id: reviewed(10, 10, 10.0) for entry in deck.entries})
    days_of(cards, exams(a=FAR)).live(TODAY, inf)
    strengths = [card.strength.stability for card in cards if card.strength]
    assert sum(stability < 10 for stability in strengths) == 40 * 0.1
    assert len({*strengths}) == 2


def test_of_new_cards_the_usual_share_is_rated_again() -> None:
    cards = cards_of(deck_of(a=50))
    days_of(cards, Settings(courses={"a": Course(exam_day=TODAY + FAR, new_per_day=50)})).live(
        TODAY, inf
    )
    weak, good = first_strength(again=True), first_strength(again=False)
    assert weak.stability < good.stability
    assert [card.strength for card in cards].count(weak) == 50 * USUAL.first[0]
    assert [card.strength for card in cards].count(good) == 50 - 50 * USUAL.first[0]


def test_cards_of_one_strength_do_not_all_come_on_the_same_day_nor_after_the_eve() -> None:
    cards = [
        OnTheWay(str(n), "a", 1.0, 0.0, Strength(30.0, 5.0), TODAY - 30, TODAY) for n in range(20)
    ]
    days = Days(cards, {"a": TODAY + 15}, exams(a=15), TODAY)
    days.live(TODAY, inf)
    recalled = [card for card in cards if card.strength and card.strength.stability > 30]
    assert {card.due - TODAY for card in recalled} == {12, 13, 14}


def test_the_minutes_of_the_days_are_about_those_simulated() -> None:
    """These are more, as some cards are rated Hard there."""
    deck, settings = deck_of(a=60), exams(a=21)
    cards = [OnTheWay.of(entry, UNSEEN, 3.0, 3.0) for entry in deck.entries]
    days = days_of(cards, settings)
    minutes = sum(card.took for day in range(21) for card in days.live(TODAY + day, inf))
    ahead = look_ahead(
        deck, {}, Done(), USUAL, Pace({}, {}), settings, TODAY, np.random.default_rng(3)
    )
    assert minutes == pytest.approx(sum(day.minutes for day in ahead.days[:21]), rel=0.2)
