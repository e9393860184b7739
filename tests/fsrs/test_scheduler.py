from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.fsrs.scheduler import (
    MAXIMUM_INTERVAL,
    Policy,
    fuzz_range,
    intervals,
    preview,
    remember,
    schedule,
)
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, step
from quizzer.values import Memory, Rating, State, study_day

PROPERTY = settings(derandomize=True, deadline=None, max_examples=200)
AT = datetime(2026, 3, 1, 20, tzinfo=UTC)
TODAY = study_day(AT)
PLAIN = Policy(fuzz=False)
AGAIN, HARD, GOOD, EASY = Rating
PASSING = (HARD, GOOD, EASY)


def memory(state: State = State.REVIEW, **changes: Any) -> Memory:
    values = {
        "state": state,
        "stability": 10.0,
        "difficulty": 5.0,
        "at": AT - timedelta(days=10),
        "day": TODAY - 10,
        "interval": 10 if state is State.REVIEW else 0,
        "reviews": 4,
        "lapses": 1,
        "first_day": TODAY - 30,
    }
    return Memory(**(values | changes))


memories = st.none() | st.builds(
    memory,
    st.sampled_from([State.LEARNING, State.REVIEW, State.RELEARNING]),
    stability=st.floats(0.001, 36_500),
    difficulty=st.floats(1, 10),
    day=st.integers(TODAY - 2000, TODAY + 5),
    reviews=st.integers(1, 50),
)
policies = st.builds(
    Policy,
    retention=st.floats(0.7, 0.99),
    maximum_interval=st.integers(1, 400) | st.just(MAXIMUM_INTERVAL),
    fuzz=st.booleans(),
)
ids = st.text(min_size=1, max_size=12)


def after(before: Memory | None, rating: Rating) -> Memory:
    return schedule("softmax", before, rating, AT, TODAY, PLAIN)


def test_a_new_card_not_known_is_learned_in_a_step() -> None:
    result = after(None, AGAIN)
    assert (result.state, result.interval, result.reviews) == (State.LEARNING, 0, 1)
    assert (result.first_day, result.day, result.at) == (TODAY, TODAY, AT)


@pytest.mark.parametrize("before", [None, memory(State.LEARNING, day=TODAY)])
def test_a_card_not_learned_yet_comes_tomorrow_after_hard(before: Memory | None) -> None:
    result = after(before, HARD)
    assert (result.state, result.interval) == (State.REVIEW, 1)


@pytest.mark.parametrize("rating", [GOOD, EASY])
def test_a_new_card_known_goes_straight_to_review(rating: Rating) -> None:
    result = after(None, rating)
    assert result.state is State.REVIEW
    assert result.interval >= 1


def test_a_learning_card_not_known_stays_in_learning() -> None:
    result = after(memory(State.LEARNING), AGAIN)
    assert (result.state, result.interval, result.lapses) == (State.LEARNING, 0, 1)


@pytest.mark.parametrize("rating", [GOOD, EASY])
def test_a_learning_card_known_graduates(rating: Rating) -> None:
    result = after(memory(State.LEARNING, stability=0.01, day=TODAY), rating)
    assert result.state is State.REVIEW
    assert result.interval >= 1


def test_a_forgotten_card_is_relearned_and_counts_a_lapse() -> None:
    result = after(memory(), AGAIN)
    assert (result.state, result.interval, result.lapses) == (State.RELEARNING, 0, 2)


@pytest.mark.parametrize("state", [State.REVIEW, State.RELEARNING])
def test_what_was_forgotten_and_put_right_comes_tomorrow(state: State) -> None:
    result = schedule("softmax", memory(state), AGAIN, AT, TODAY, PLAIN, corrected=True)
    assert (result.state, result.interval) == (State.REVIEW, 1)
    assert result.lapses == 1 + (state is State.REVIEW)


def test_a_new_card_put_right_is_still_repeated() -> None:
    assert schedule("softmax", None, AGAIN, AT, TODAY, PLAIN, corrected=True).interval == 0


def test_without_a_step_a_card_comes_tomorrow() -> None:
    learning = Policy(fuzz=False, learning_step=False)
    relearning = Policy(fuzz=False, relearning_step=False)
    assert schedule("softmax", None, AGAIN, AT, TODAY, learning).interval == 1
    assert schedule("softmax", None, AGAIN, AT, TODAY, relearning).interval == 0
    assert schedule("softmax", memory(), AGAIN, AT, TODAY, relearning).interval == 1
    assert schedule("softmax", memory(), AGAIN, AT, TODAY, learning).interval == 0


@pytest.mark.parametrize("rating", PASSING)
def test_a_recalled_card_stays_in_review(rating: Rating) -> None:
    result = after(memory(), rating)
    assert (result.state, result.lapses, result.reviews) == (State.REVIEW, 1, 5)


def test_a_relearning_card_forgotten_again_counts_no_second_lapse() -> None:
    result = after(memory(State.RELEARNING), AGAIN)
    assert (result.state, result.interval, result.lapses) == (State.RELEARNING, 0, 1)


@pytest.mark.parametrize("rating", PASSING)
def test_a_relearning_card_recalled_returns_to_review(rating: Rating) -> None:
    result = after(memory(State.RELEARNING), rating)
    assert result.state is State.REVIEW
    assert result.interval >= 1


def test_the_interval_meets_the_desired_retention() -> None:
    stability = step(MemoryState(10.0, 5.0), GOOD, 10).stability
    assert after(memory(), GOOD).interval == round(stability)
    eager = schedule("softmax", memory(), GOOD, AT, TODAY, Policy(retention=0.95, fuzz=False))
    assert eager.interval < round(stability) / 2


@PROPERTY
@given(ids, memories, policies)
def test_intervals_are_ordered_and_within_the_limits(
    card: str, before: Memory | None, policy: Policy
) -> None:
    chosen = intervals(card, before, TODAY, policy)
    assert chosen.pop(AGAIN) == 0
    graduating = list(chosen.values())
    assert graduating == sorted(graduating)
    assert min(graduating) >= 1
    assert max(graduating) <= policy.maximum_interval
    assert chosen[EASY] > chosen[GOOD] or chosen[EASY] == policy.maximum_interval


@PROPERTY
@given(ids, memories, policies)
def test_fuzz_never_leaves_its_range(card: str, before: Memory | None, policy: Policy) -> None:
    sharp = Policy(policy.retention, policy.maximum_interval, fuzz=False)
    fuzzy = Policy(policy.retention, policy.maximum_interval, fuzz=True)
    plain = intervals(card, before, TODAY, sharp)
    for rating, interval in intervals(card, before, TODAY, fuzzy).items():
        least, greatest = fuzz_range(plain[rating], policy.maximum_interval)
        assert least <= interval <= greatest


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        *[(0, (0, 0)), (1, (1, 1)), (2, (2, 2)), (3, (2, 4)), (7, (5, 9)), (10, (8, 12))],
        *[(20, (17, 23)), (100, (93, 107)), (1000, (948, 1052))],
    ],
)
def test_the_fuzz_ranges(interval: int, expected: tuple[int, int]) -> None:
    assert fuzz_range(interval) == expected


@PROPERTY
@given(st.integers(0, MAXIMUM_INTERVAL), st.integers(1, MAXIMUM_INTERVAL))
def test_a_fuzz_range_holds_its_interval_and_stays_below_the_maximum(
    interval: int, maximum: int
) -> None:
    interval = min(interval, maximum)
    least, greatest = fuzz_range(interval, maximum)
    assert least <= interval <= greatest <= maximum
    assert least >= 1 or interval == 0


def test_fuzz_reaches_every_day_of_its_range() -> None:
    before = memory(stability=30.0)
    plain = intervals("a", before, TODAY, PLAIN)[GOOD]
    least, greatest = fuzz_range(plain)
    seen = {intervals(f"card-{n}", before, TODAY)[GOOD] for n in range(500)}
    assert seen == set(range(least, greatest + 1))


def test_fuzz_differs_between_repetitions_of_one_card() -> None:
    seen = {intervals("a", memory(stability=300.0, reviews=n), TODAY)[GOOD] for n in range(20)}
    assert len(seen) > 5


@PROPERTY
@given(ids, memories, policies)
def test_the_preview_is_what_rating_then_gives(
    card: str, before: Memory | None, policy: Policy
) -> None:
    shown = preview(card, before, AT, TODAY, policy)
    later = AT + timedelta(minutes=2)
    for rating in Rating:
        assert schedule(card, before, rating, AT, TODAY, policy) == shown[rating]
        rated = schedule(card, before, rating, later, TODAY, policy)
        assert rated.interval == shown[rating].interval


@PROPERTY
@given(ids, memories, st.sampled_from(Rating), policies)
def test_remembering_the_recorded_interval_gives_what_was_scheduled(
    card: str, before: Memory | None, rating: Rating, policy: Policy
) -> None:
    scheduled = schedule(card, before, rating, AT, TODAY, policy)
    assert remember(before, rating, scheduled.interval, AT, TODAY) == scheduled


def test_remembering_under_other_parameters_keeps_the_promised_day() -> None:
    scheduled = schedule("softmax", memory(), GOOD, AT, TODAY)
    other = tuple(value * 0.95 for value in DEFAULT_PARAMETERS)
    again = remember(memory(), GOOD, scheduled.interval, AT, TODAY, other)
    assert again.due_day == scheduled.due_day
    assert again.stability != scheduled.stability


@PROPERTY
@given(memories, st.sampled_from(Rating), st.integers(1, 30))
def test_a_clock_that_went_back_counts_no_time_and_keeps_the_later_day(
    before: Memory | None, rating: Rating, days: int
) -> None:
    if before is None:
        return
    back = schedule("softmax", before, rating, AT, before.day - days, PLAIN)
    same_day = schedule("softmax", before, rating, AT, before.day, PLAIN)
    assert back == same_day
    assert back.day == before.day


def test_elapsed_time_is_counted_in_study_days() -> None:
    result = after(memory(day=TODAY - 3), GOOD)
    assert result.stability == step(MemoryState(10.0, 5.0), GOOD, 3).stability


@pytest.mark.parametrize(
    "wrong",
    [
        *[{"retention": 1.0}, {"retention": 0.0}, {"maximum_interval": 0}],
        *[{"maximum_interval": MAXIMUM_INTERVAL + 1}, {"parameters": (1.0,)}],
    ],
)
def test_a_policy_that_cannot_be_scheduled_with_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not"):
        Policy(**wrong)


@given(memories.filter(bool), st.sampled_from(PASSING), ids)
def test_with_a_share_a_recall_adds_that_much_of_its_stability(
    before: Memory, rating: Rating, card: str
) -> None:
    plain = schedule(card, before, rating, AT, TODAY, Policy())
    half = schedule(card, before, rating, AT, TODAY, Policy(share=0.5))
    if before.day < TODAY:
        added = plain.stability - before.stability
        assert half.stability == pytest.approx(before.stability + 0.5 * added)
    assert half.interval <= plain.interval
