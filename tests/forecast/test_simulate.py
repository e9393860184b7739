from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.forecast.coming import Cards, DayMinutes, Exams, Limit
from quizzer.forecast.many import LEARNING, NEW, REVIEW, KnownMemories
from quizzer.forecast.simulate import Habits, Outcome, simulate
from quizzer.fsrs.histories import Floats
from quizzer.fsrs.scheduler import Policy, schedule
from quizzer.values import Memory, Rating, State

PROPERTY = settings(derandomize=True, deadline=None, max_examples=60)
AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
TODAY = 739_000
PLAIN = Policy(fuzz=False)
GOOD = (0.0, 0.0, 1.0, 0.0)
AGAIN = (1.0, 0.0, 0.0, 0.0)
ALWAYS_GOOD = Habits(GOOD, GOOD, GOOD)
MIXED = Habits((0.3, 0.1, 0.5, 0.1), (0.2, 0.1, 0.6, 0.1), (0.0, 0.2, 0.7, 0.1))
WIDE = 10**6


class NoChance:
    """A generator by which everything is remembered, or forgotten."""

    def __init__(self, value: float) -> None:
        self._value = value

    def random(self, shape: tuple[int, ...]) -> Floats:
        return np.full(shape, self._value)


def no_chance(remembered: bool) -> Any:
    return NoChance(0.0 if remembered else 1 - 1e-9)


def limit(count: int, per_day: int = WIDE, today: int | None = None) -> Limit:
    left = per_day if today is None else today
    return Limit(np.zeros(count, np.int64), np.array([per_day]), np.array([left]))


def exams(count: int, *days: int, of: Iterable[int] = (), plans_new: bool = True) -> Exams:
    """So many days from today; `of` says which each card is learned for, the first by default."""
    return Exams(
        np.array([*of] or [0 if days else -1] * count, np.int64),
        TODAY + np.array(days, np.int64),
        np.full(len(days), plans_new),
        np.full(len(days), WIDE),
        worthwhile=0.005,
        lately=7,
    )


def some(
    reviewed: int,
    new: int = 0,
    *,
    reviews_per_day: int = WIDE,
    new_per_day: int = WIDE,
    stability: tuple[float, float] = (1, 100),
    seed: int = 1,
) -> Cards:
    """Cards that are due within their stability from today on, and new ones."""
    rng = np.random.default_rng(seed)
    count = reviewed + new
    held = rng.uniform(*stability, count)
    interval = np.maximum(1, held.astype(np.int64))
    known = KnownMemories(
        state=np.where(np.arange(count) < reviewed, REVIEW, NEW),
        stability=held,
        difficulty=rng.uniform(2, 9, count),
        day=TODAY - rng.integers(1, interval + 1),
        interval=interval,
    )
    return Cards(
        known,
        np.full(count, TODAY),
        rng.uniform(1, 9, count),
        limit(count, reviews_per_day),
        limit(count, new_per_day),
        exams(count),
    )


def lived(
    cards: Cards,
    *retentions: float,
    days: int = 90,
    runs: int = 1,
    habits: Habits = MIXED,
    policy: Policy = PLAIN,
    rng: Any = None,
) -> Outcome:
    plans = np.array([[one] * len(cards) for one in retentions or (0.9,)])
    chance = rng or np.random.default_rng(7)
    return simulate(cards, plans, policy, habits, TODAY, days, runs, chance)


def test_one_card_that_is_always_recalled_comes_on_the_days_of_the_scheduler() -> None:
    memory: Memory | None = None
    days = []
    for day in range(TODAY, TODAY + 365):
        if memory is None or memory.due_day <= day:
            memory = schedule("a", memory, Rating.GOOD, AT, day, PLAIN)
            days.append(day - TODAY)
    found = lived(some(0, 1), days=365, habits=ALWAYS_GOOD, rng=no_chance(remembered=True))
    assert np.flatnonzero(found.new[0, 0]).tolist() == days[:1]
    assert np.flatnonzero(found.reviews[0, 0]).tolist() == days[1:]
    assert len(days) > 4


def test_one_card_that_is_always_forgotten_comes_on_the_days_of_the_scheduler() -> None:
    """Forgotten on its day, it is Good after its ten minutes."""
    memory = Memory(State.REVIEW, 50.0, 5.0, AT, TODAY - 50, 50, 4, 0, TODAY - 99)
    known = KnownMemories(*(np.array([value]) for value in (REVIEW, 50.0, 5.0, TODAY - 50, 50)))
    cards = replace(some(1), known=known)
    days = []
    for day in range(TODAY, TODAY + 90):
        if memory.due_day <= day:
            for rating in (Rating.AGAIN, Rating.GOOD):
                memory = schedule("a", memory, rating, AT, day, PLAIN)
            days.append(day - TODAY)
    found = lived(cards, habits=ALWAYS_GOOD, rng=no_chance(remembered=False))
    assert np.flatnonzero(found.reviews[0, 0]).tolist() == days
    twice = 2 * cards.minutes[0]
    assert found.minutes[0, 0, days] == pytest.approx([twice] * len(days))


@pytest.mark.parametrize("retention", [0.8, 0.9, 0.95])
def test_cards_are_recalled_as_often_as_is_desired(retention: float) -> None:
    """Of long intervals, which whole days hardly change."""
    cards = some(3000, stability=(200, 400))
    planned = np.maximum(1, np.round(cards.known.stability * 0.1)).astype(np.int64)
    cards = replace(cards, known=replace(cards.known, day=np.full(3000, TODAY), interval=planned))
    found = lived(cards, retention, days=900, habits=ALWAYS_GOOD)
    later = lived(cards, retention, days=60, habits=ALWAYS_GOOD)
    reviews, recall = found.reviews.sum(), found.recall[0, 0] * found.reviews.sum()
    first, first_recall = later.reviews.sum(), later.recall[0, 0] * later.reviews.sum()
    assert (recall - first_recall) / (reviews - first) == pytest.approx(retention, abs=0.012)


@PROPERTY
@given(
    st.integers(0, 40),
    st.integers(0, 30),
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(0, 2**32),
)
def test_limits_are_kept(
    reviewed: int, new: int, reviews_per_day: int, new_per_day: int, seed: int
) -> None:
    cards = some(reviewed, new, reviews_per_day=reviews_per_day, new_per_day=new_per_day, seed=seed)
    found = lived(cards, 0.85, 0.95, days=20, runs=2, rng=np.random.default_rng(seed))
    assert found.reviews.shape == (2, 2, 20)
    assert (found.reviews <= min(reviews_per_day, reviewed + new)).all()
    assert (found.new <= new_per_day).all()
    assert (found.new.sum(axis=2) == min(new, 20 * new_per_day)).all()
    assert (found.met == reviewed + min(new, 20 * new_per_day)).all()
    assert (found.remembered <= found.met).all() and (found.remembered >= 0).all()
    assert (found.waiting <= found.met).all()
    if not reviews_per_day:
        due = cards.known.day + cards.known.interval < TODAY + 20
        assert (found.waiting >= (due & (cards.known.state == REVIEW)).sum()).all()


def test_what_was_done_today_is_taken_from_todays_limits() -> None:
    cards = some(50, 50, stability=(1, 2))
    spent = replace(cards, reviews=limit(100, 9, today=4), new=limit(100, 5, today=-1))
    found = lived(spent, days=3)
    assert found.reviews[0, 0].tolist() == [4, 9, 9]
    assert found.new[0, 0].tolist() == [0, 5, 5]


def test_the_earliest_due_come_first_and_of_equal_ones_the_shortest_interval() -> None:
    interval = np.array([10, 20, 5])
    known = KnownMemories(
        np.full(3, REVIEW),
        np.full(3, 10.0),
        np.full(3, 5.0),
        TODAY - interval - np.array([1, 4, 1]),
        interval,
    )
    cards = Cards(
        known, np.full(3, TODAY), np.array([1.0, 2.0, 4.0]), limit(3, 1), limit(3, 1), exams(3)
    )
    found = lived(cards, days=3, habits=ALWAYS_GOOD, rng=no_chance(remembered=True))
    assert found.minutes[0, 0].tolist() == [2.0, 4.0, 1.0]


def test_a_purse_is_not_emptied_by_the_cards_of_another() -> None:
    cards = some(40, stability=(1, 2))
    purse = np.arange(40) % 2
    two = replace(cards, reviews=Limit(purse, np.array([3, 5]), np.array([3, 0])))
    assert lived(two, days=2).reviews[0, 0].tolist() == [3, 8]


def test_no_interval_leads_past_the_eve_and_afterwards_any_does() -> None:
    """Cards that come once in hundreds of days come on the eve, on the exam day, and then late."""
    cards = some(50, stability=(100, 200))
    cards = replace(cards, known=replace(cards.known, day=cards.known.day - 400))
    toward = replace(cards, exams=replace(exams(50, 30), worthwhile=1.0))
    plain, found = (
        lived(one, days=60, habits=ALWAYS_GOOD, rng=no_chance(remembered=True)).reviews[0, 0]
        for one in (cards, toward)
    )
    assert np.flatnonzero(plain).tolist() == [0]
    assert np.flatnonzero(found).tolist() == [0, 29, 30]
    assert (found[[0, 29, 30]] == 50).all()


def test_soon_before_an_exam_cards_come_before_their_day_and_the_best_first() -> None:
    """On the eve one review is left: for the card that gains most by it, due or not."""
    known = KnownMemories(
        np.full(2, REVIEW),
        np.array([3000.0, 20.0]),
        np.full(2, 5.0),
        TODAY - np.array([300, 15]),
        np.array([300, 20]),
    )
    minutes = np.array([1.0, 2.0])
    cards = Cards(known, np.full(2, TODAY), minutes, limit(2, 1), limit(2), exams(2))
    first = [
        lived(one, days=1, habits=ALWAYS_GOOD, rng=no_chance(remembered=True)).minutes[0, 0, 0]
        for one in (cards, replace(cards, exams=exams(2, 1)))
    ]
    assert first == [1.0, 2.0]


def not_due_yet(stability: float, difficulty: float, reviewed: int, new: int = 0) -> Cards:
    """One card for an exam, reviewed so many days ago and due in five, and new ones."""
    count = 1 + new
    known = KnownMemories(
        np.array([REVIEW] + [NEW] * new),
        np.full(count, stability),
        np.full(count, difficulty),
        np.full(count, TODAY - reviewed),
        np.full(count, reviewed + 5),
    )
    return Cards(
        known, np.full(count, TODAY), np.ones(count), limit(count, 1), limit(count, 0), exams(count)
    )


def test_a_buried_card_comes_before_its_day_no_sooner_than_tomorrow() -> None:
    cards = replace(not_due_yet(20.0, 5.0, reviewed=15), exams=exams(1, 2))
    buried = replace(cards, earliest=np.array([TODAY + 1]))
    worth = replace(cards, exams=exams(1, 1))
    assert lived(worth, days=1).reviews[0, 0, 0] == 1
    assert lived(replace(worth, earliest=buried.earliest), days=1).reviews[0, 0, 0] == 0
    assert lived(buried, days=2, habits=ALWAYS_GOOD).reviews[0, 0].tolist() == [0, 1]


def test_a_card_reviewed_today_is_not_taken_once_more_toward_an_exam() -> None:
    """Of parameters by which each Good makes a card much easier, so that it would gain."""
    easing = list(PLAIN.parameters)
    easing[7] = 0.75
    policy = replace(PLAIN, parameters=tuple(easing))
    came = [
        lived(
            replace(not_due_yet(0.1, 9.9, days_ago), exams=exams(1, 2)), days=1, policy=policy
        ).reviews[0, 0, 0]
        for days_ago in (1, 0)
    ]
    assert came == [1, 0]


def test_new_cards_make_a_review_before_its_day_dearer() -> None:
    """At one review a day there is room for four until the eve: for all cards, or for few."""
    came = [
        lived(replace(not_due_yet(1.0, 5.0, 20, new), exams=exams(1 + new, 5)), days=1).reviews
        for new in (0, 9)
    ]
    assert [one[0, 0, 0] for one in came] == [1, 0]


def test_an_exam_says_how_many_cards_are_new_until_it_is_over() -> None:
    """Nine of its course and three others, of which there is one a day."""
    cards = replace(some(0, 12, new_per_day=1), exams=exams(12, 7, of=[0] * 9 + [-1] * 3))
    cards = replace(cards, exams=replace(cards.exams, new_today=np.array([3])))
    assert lived(cards, days=6).new[0, 0].tolist() == [3 + 1, 3 + 1, 2 + 1, 1, 0, 0]
    by_hand = replace(cards, exams=replace(cards.exams, plans_new=np.array([False])))
    assert lived(by_hand, days=6).new[0, 0].tolist() == [1] * 6


def test_new_cards_that_found_no_time_before_the_exam_come_by_the_usual_limit() -> None:
    cards = replace(some(0, 9, new_per_day=2), exams=exams(9, 2), minutes=np.full(9, 5.0))
    cards = replace(cards, budget=DayMinutes(5.0, 5.0, begun=False))
    later = replace(cards, budget=None, exams=replace(cards.exams, new_today=np.array([0])))
    assert lived(cards, days=2, habits=ALWAYS_GOOD).new[0, 0].tolist() == [1, 1]
    assert lived(later, days=2, habits=ALWAYS_GOOD).new[0, 0].tolist() == [0, 9]
    after = replace(later, exams=exams(9, 1), new=limit(9, 2, today=0))
    after = replace(after, exams=replace(after.exams, new_today=np.array([0])))
    assert lived(after, days=3, habits=ALWAYS_GOOD).new[0, 0].tolist() == [0, 2, 2]


def test_a_day_ends_with_its_minutes_and_the_first_card_always_fits() -> None:
    cards = replace(some(9, 9, stability=(1, 2)), minutes=np.full(18, 4.0))

    def comes(per_day: float, today: float, begun: bool) -> list[int]:
        limited = replace(cards, budget=DayMinutes(per_day, today, begun))
        found = lived(limited, days=3, habits=ALWAYS_GOOD, rng=no_chance(remembered=True))
        return (found.reviews + found.new)[0, 0].tolist()

    assert comes(12, 12, begun=False) == [3, 3, 3]
    assert comes(11, 8, begun=True) == [2, 2, 2]
    assert comes(3, 3, begun=False) == [1, 1, 1]
    assert comes(3, 3, begun=True) == [0, 1, 1]
    assert comes(12, -5, begun=True) == [0, 3, 3]


def test_of_the_minutes_spent_whole_ones_count() -> None:
    """Two cards took 2.8 minutes, which the day's queue takes for two."""
    cards = replace(some(9, stability=(1, 2)), minutes=np.full(9, 1.4))
    cards = replace(cards, budget=DayMinutes(4.0, 4.0, begun=False))
    found = lived(cards, days=1, habits=ALWAYS_GOOD, rng=no_chance(remembered=True))
    assert found.reviews[0, 0, 0] == 3


def test_reviews_come_before_new_cards_but_new_ones_of_an_exam_before_its_reviews() -> None:
    cards = replace(some(4, 4, stability=(1, 2)), minutes=np.full(8, 1.0))
    cards = replace(cards, budget=DayMinutes(4.0, 4.0, begun=False))

    def comes(exams: Exams) -> tuple[int, int]:
        found = lived(replace(cards, exams=exams), days=1, habits=ALWAYS_GOOD)
        return found.reviews[0, 0, 0], found.new[0, 0, 0]

    assert comes(exams(8)) == (4, 0)
    assert comes(exams(8, 60)) == (0, 4)
    # The reviews of others, the new cards of the exam, its reviews, the new cards of others.
    assert comes(exams(8, 60, of=[-1, 0, 0, 0, 0, 0, -1, -1])) == (2, 2)


def test_repetitions_take_of_the_days_minutes_once_their_step_has_passed() -> None:
    """Of thirty: forgotten cards begin at 0, 3, 6, 9 and 12, repetitions at 15, 18, 21, 24 and 27;
    of fifteen: repetitions come when all fresh cards have come."""
    cards = replace(some(20, stability=(1, 2)), minutes=np.full(20, 3.0))

    def comes(minutes: float, remembered: bool) -> int:
        limited = replace(cards, budget=DayMinutes(minutes, minutes, begun=False))
        luck = no_chance(remembered)
        return int(lived(limited, days=1, habits=ALWAYS_GOOD, rng=luck).reviews[0, 0, 0])

    assert [comes(30, remembered) for remembered in (True, False)] == [10, 5]
    assert [comes(15, remembered) for remembered in (True, False)] == [5, 5]


def test_repetitions_are_planned_as_often_as_is_usual() -> None:
    """Two cards of twelve minutes begin at 0 and 12; when the third may, at 24, the repetitions of
    the first come, and with them those of the second. It needs 36 minutes and all of these."""
    twelve = np.full(3, 12.0)
    forgotten, new = some(3, stability=(1, 2)), some(0, 3)
    luck = no_chance(remembered=False)

    def comes(cards: Cards, step: tuple[float, float, float, float], minutes: float) -> int:
        limited = replace(cards, minutes=twelve, budget=DayMinutes(minutes, minutes, begun=False))
        habits = Habits(first=AGAIN, step=step, recalled=GOOD)
        found = lived(limited, days=1, habits=habits, rng=luck)
        return int(found.reviews[0, 0, 0] + found.new[0, 0, 0])

    again, hard = (0.5, 0.0, 0.5, 0.0), (0.25, 0.25, 0.5, 0.0)
    for cards, step, repetitions in (
        (forgotten, GOOD, 1),
        (forgotten, again, 2),
        # Hard ends the step of a card that was known, not that of a new one.
        (forgotten, hard, 4 / 3),
        (new, hard, 2),
    ):
        needed = 36 + 2 * 12 * repetitions
        assert [comes(cards, step, needed + more) for more in (-1, 0)] == [2, 3]


def test_cards_in_their_step_take_of_the_days_minutes() -> None:
    """Two of them, of five minutes each, and of the rest as many as fit into what is left."""
    cards = some(10, stability=(1, 2))
    state = np.array([LEARNING] * 2 + [REVIEW] * 8)
    stepping = replace(cards.known, state=state, interval=np.where(state == REVIEW, 1, 0))
    cards = replace(cards, known=stepping, minutes=np.array([5.0] * 2 + [4.0] * 8))

    def comes(minutes: float) -> int:
        limited = replace(cards, budget=DayMinutes(minutes, minutes, begun=False))
        found = lived(limited, days=1, habits=ALWAYS_GOOD, rng=no_chance(remembered=True))
        return int(found.reviews[0, 0, 0])

    assert [comes(minutes) for minutes in (3, 13, 14, 22)] == [2, 2, 3, 5]


def test_of_the_waiting_cards_those_are_known_that_only_minutes_kept_from_coming() -> None:
    """Twenty are due and eight of them allowed, three of which fit into the last day."""
    cards = replace(some(20, 9, stability=(1, 2), reviews_per_day=8), minutes=np.full(29, 4.0))
    timed = replace(cards, budget=DayMinutes(12.0, 12.0, begun=False))
    plain, found = (
        lived(one, days=1, habits=ALWAYS_GOOD, rng=no_chance(remembered=True))
        for one in (cards, timed)
    )
    assert (plain.waiting[0, 0], plain.out_of_time[0, 0]) == (12, 0)
    assert (found.waiting[0, 0], found.out_of_time[0, 0]) == (17, 5)


def test_a_card_in_its_step_comes_whatever_the_limit() -> None:
    known = KnownMemories(
        np.array([LEARNING]), np.array([0.5]), np.array([5.0]), np.array([TODAY]), np.array([0])
    )
    cards = replace(some(1, reviews_per_day=0), known=known)
    assert lived(cards, days=1, habits=ALWAYS_GOOD).reviews[0, 0].tolist() == [1]


def test_a_card_put_off_comes_on_the_day_after() -> None:
    cards = some(1, 1, stability=(1, 2))
    assert lived(cards, days=2).new[0, 0].tolist() == [1, 0]
    tomorrow = replace(cards, earliest=np.full(2, TODAY + 1))
    found = lived(tomorrow, days=2)
    assert found.reviews[0, 0].tolist() == [0, 1]
    assert found.new[0, 0].tolist() == [0, 1]


def test_repetitions_in_a_step_take_their_share_of_the_minutes() -> None:
    habits = Habits(first=AGAIN, step=GOOD, recalled=GOOD, step_share=0.25)
    cards = some(0, 1)
    found = lived(cards, days=1, habits=habits)
    assert found.minutes[0, 0, 0] == pytest.approx(1.25 * cards.minutes[0])


def test_who_never_passes_a_step_is_not_waited_for() -> None:
    found = lived(some(0, 1), days=3, habits=Habits(AGAIN, AGAIN, AGAIN))
    assert found.reviews[0, 0].tolist() == [0, 1, 1]


def test_a_higher_desired_retention_costs_reviews_and_keeps_more() -> None:
    found = lived(some(200, 50, new_per_day=5), 0.8, 0.9, 0.97, days=180, runs=3)
    reviews, kept = found.reviews.sum(axis=2).mean(axis=1), found.remembered.mean(axis=1)
    assert reviews[0] < reviews[1] < reviews[2]
    assert kept[0] < kept[1] < kept[2]
    assert found.recall.mean(axis=1) == pytest.approx([0.8, 0.9, 0.97], abs=0.03)


def test_the_same_generator_gives_the_same_outcome_and_runs_differ() -> None:
    first, second = (lived(some(100), runs=2, policy=Policy()) for _ in range(2))
    np.testing.assert_array_equal(first.reviews, second.reviews)
    assert (first.reviews[0, 0] != first.reviews[0, 1]).any()


def test_plans_differ_by_what_they_desire_and_not_by_luck() -> None:
    found = lived(some(60, 20), 0.9, 0.9, 0.8, runs=2, policy=Policy())
    np.testing.assert_array_equal(found.minutes[0], found.minutes[1])
    assert (found.minutes[0] != found.minutes[2]).any()


def test_the_cards_given_stay_as_they_are() -> None:
    cards = some(50, 5)
    before = cards.known.interval.copy(), cards.known.state.copy(), cards.known.day.copy()
    lived(cards)
    for was, column in zip(before, ("interval", "state", "day"), strict=True):
        np.testing.assert_array_equal(was, getattr(cards.known, column))


def test_without_cards_nothing_happens() -> None:
    found = lived(some(0), 0.8, 0.9, runs=2, days=4)
    assert not found.reviews.any() and not found.minutes.any() and not found.met.any()
    assert found.reviews.shape == (2, 2, 4)


def test_every_day_is_told() -> None:
    told: list[tuple[int, int]] = []
    simulate(
        some(3),
        np.full((1, 3), 0.9),
        PLAIN,
        MIXED,
        TODAY,
        4,
        1,
        np.random.default_rng(1),
        lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
