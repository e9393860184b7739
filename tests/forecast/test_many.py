from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.forecast.many import NEW, STATES, KnownMemories, Memories
from quizzer.fsrs.limits import LOWER, UPPER
from quizzer.fsrs.scheduler import Policy, fuzz_range, intervals, remember
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Strength, retrievability
from quizzer.values import Memory, Rating, State

PROPERTY = settings(derandomize=True, deadline=None, max_examples=150)
AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
TODAY = 739_000

parameter_sets = st.one_of(
    st.just(DEFAULT_PARAMETERS),
    st.tuples(*(st.floats(low, high) for low, high in zip(LOWER, UPPER, strict=True))),
)
policies = st.builds(
    Policy,
    retention=st.floats(0.7, 0.99),
    maximum_interval=st.sampled_from([1, 2, 30, 365, 36_500]),
    fuzz=st.just(False),
    parameters=parameter_sets,
)
lives = st.lists(
    st.lists(st.tuples(st.integers(-2, 400), st.sampled_from(Rating)), min_size=8, max_size=8),
    min_size=1,
    max_size=5,
)


def unseen(count: int) -> KnownMemories:
    nothing, zeros = np.full(count, np.nan), np.zeros(count, np.int64)
    return KnownMemories(np.full(count, NEW), nothing, nothing, zeros, zeros)


def known(*memories: Memory) -> KnownMemories:
    return KnownMemories(
        np.array([STATES[memory.state] for memory in memories]),
        np.array([memory.stability for memory in memories]),
        np.array([memory.difficulty for memory in memories]),
        np.array([memory.day for memory in memories]),
        np.array([memory.interval for memory in memories]),
    )


@PROPERTY
@given(lives, policies)
def test_many_cards_at_once_are_scheduled_as_each_alone(
    lives: list[list[tuple[int, Rating]]], policy: Policy
) -> None:
    """Each repetition on the same day for all, which is any number of days after the one before."""
    count = len(lives)
    together = Memories(unseen(count), np.full(count, policy.retention), policy)
    alone: list[Memory | None] = [None] * count
    day = TODAY
    for number in range(8):
        day += lives[0][number][0]
        rating = [life[number][1] for life in lives]
        offered = [intervals("a", memory, day, policy) for memory in alone]
        together.rate(np.arange(count), np.array(rating), day, np.zeros(count))
        for row, chosen in enumerate(rating):
            assert together.interval[row] == offered[row][chosen]
            alone[row] = memory = remember(
                alone[row], chosen, offered[row][chosen], AT, day, policy.parameters
            )
            assert together.state[row] == STATES[memory.state]
            assert together.day[row] == memory.day
        expected = known(*(memory for memory in alone if memory))
        assert together.stability == pytest.approx(expected.stability, rel=1e-9)
        assert together.difficulty == pytest.approx(expected.difficulty, rel=1e-9)


@PROPERTY
@given(st.integers(1, 2000), st.floats(0, 1, exclude_max=True), st.sampled_from([30, 36_500]))
def test_fuzz_stays_within_the_range_of_one_card(stability: int, draw: float, maximum: int) -> None:
    policy = Policy(maximum_interval=maximum)
    memory = Memory(State.REVIEW, float(stability), 5.0, AT, TODAY, stability, 3, 0, TODAY)
    day = TODAY + stability
    memories = Memories(known(memory), np.array([0.9]), policy)
    memories.rate(np.array([0]), np.array([3]), day, np.array([draw]))
    plain = intervals("a", memory, day, replace(policy, fuzz=False))[Rating.GOOD]
    least, greatest = fuzz_range(plain, maximum)
    assert least <= memories.interval[0] <= greatest
    assert memories.interval[0] == least + int(draw * (greatest - least + 1))


def test_each_card_has_its_own_desired_retention() -> None:
    wanted = np.array([0.8, 0.9, 0.95])
    memories = Memories(unseen(3), wanted, Policy(fuzz=False))
    memories.rate(np.arange(3), np.full(3, 4), TODAY, np.zeros(3))
    assert memories.interval.tolist() == [
        intervals("a", None, TODAY, Policy(retention=one, fuzz=False))[Rating.EASY]
        for one in wanted
    ]


def test_only_the_cards_rated_change() -> None:
    first = Memory(State.REVIEW, 8.0, 4.0, AT, TODAY - 8, 8, 3, 0, TODAY - 30)
    second = replace(first, stability=20.0, interval=20)
    memories = Memories(known(first, second), np.full(2, 0.9), Policy())
    memories.rate(np.array([1]), np.array([1]), TODAY, np.zeros(1))
    assert memories.interval.tolist() == [8, 0]
    assert memories.day.tolist() == [TODAY - 8, TODAY]
    assert memories.stability[0] == pytest.approx(8.0)


def test_recall_is_that_of_one_card() -> None:
    memory = Memory(State.REVIEW, 8.0, 4.0, AT, TODAY - 8, 8, 3, 0, TODAY - 30)
    memories = Memories(known(memory), np.array([0.9]), Policy())
    for days in (0, 1, 8, 500):
        assert memories.recall(np.array([0]), TODAY - 8 + days) == pytest.approx(
            retrievability(Strength(8.0, 4.0), days)
        )


@PROPERTY
@given(st.integers(2, 300), st.lists(st.integers(1, 400), min_size=3, max_size=3), st.floats(0, 1))
def test_each_card_keeps_to_its_own_longest_interval(
    interval: int, longest: list[int], draw: float
) -> None:
    """As under a policy with that maximum."""
    memory = Memory(State.REVIEW, float(interval), 5.0, AT, TODAY - interval, interval, 3, 0, TODAY)
    draws, rows = np.full(3, min(draw, 0.999)), np.arange(3)
    for rating in Rating:
        together = Memories(known(memory, memory, memory), np.full(3, 0.9), Policy())
        together.rate(rows, np.full(3, rating), TODAY, draws, np.array(longest))
        for row, most in enumerate(longest):
            alone = Memories(known(memory), np.array([0.9]), Policy(maximum_interval=most))
            alone.rate(np.array([0]), np.array([rating]), TODAY, draws[:1])
            assert together.interval[row] == alone.interval[0] <= most
