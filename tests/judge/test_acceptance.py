"""Each rule of acceptance on its own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.checker.instance import Contraction, Truth
from quizzer.judge.acceptance import (
    all_right,
    all_right_by_the_other_convention,
    have_slopes,
    is_right,
    reoriented,
)

TRUTH = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])


def known(value: np.ndarray, error: float = 0.0, other: np.ndarray | None = None) -> Truth:
    return Truth(value, np.full_like(value, error), other)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.floats(-3, 3), st.integers(0, 5))
def test_an_entry_may_differ_by_a_millionth_of_itself(power: float, index: int) -> None:
    answer = TRUTH.copy()
    entry = abs(float(TRUTH.reshape(-1)[index]))
    answer.reshape(-1)[index] += 10**power * (1e-6 * entry + 1e-10 * 3.0)
    if abs(power) > 1e-3:
        assert is_right(answer, TRUTH) == (power < 0)


def test_a_huge_entry_hides_no_wrong_small_one() -> None:
    x = np.array([8.0, 0.5, -6.0])
    truth = np.exp(x)
    assert is_right(np.exp(x) * (1 + 1e-12), truth)
    assert not is_right(np.where(x < -4, 0.0, np.exp(x)), truth)


def test_a_contraction_tells_a_wrong_array_by_its_slope() -> None:
    direction = np.array([[0.3, -1.2, 0.7], [0.1, 0.4, -0.9]])
    slope = Contraction(direction, float((TRUTH * direction).sum()), 0.0)
    assert have_slopes([TRUTH], [slope]) == [True]
    assert have_slopes([TRUTH / 1.7], [slope], [1.7]) == [True]
    wrong = np.where(TRUTH == 0.5, 0.0, TRUTH)
    answers = [wrong, TRUTH, TRUTH.T, TRUTH[:, np.newaxis]]
    assert have_slopes(answers, [slope] * 4) == [False, True, False, True]


def test_an_empty_array_has_the_slope_zero_and_takes_none_from_others() -> None:
    one = Contraction(np.array([2.0]), 6.0, 0.0)
    none = Contraction(np.zeros((0, 2)), 0.0, 0.0)
    answers = [np.zeros((0, 2)), np.array([3.0]), np.zeros((0, 2))]
    assert have_slopes(answers, [none, one, none]) == [True, True, True]
    assert have_slopes(answers[:2], [Contraction(none.direction, 1.0, 0.0), one]) == [False, True]
    assert have_slopes([], []) == []


def test_single_precision_is_no_mistake_where_the_slope_cancels() -> None:
    truth, direction = np.array([1 / 3, 0.7]), np.array([0.7, -0.3333])
    slope = Contraction(direction, float(truth @ direction), 0.0)
    answers = [truth.astype(np.float32).astype(float), truth * [1, 1 + 1e-6]]
    assert have_slopes(answers, [slope] * 2) == [True, False]


def test_the_error_of_the_truth_widens_the_bound_three_times() -> None:
    assert is_right(TRUTH + 2.9e-3, TRUTH, 1e-3)
    assert not is_right(TRUTH + 3.1e-3, TRUTH, 1e-3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_never_right(bad: float) -> None:
    answer = TRUTH.copy()
    answer[0, 0] = bad
    assert not is_right(answer, TRUTH, 1e9)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (2, 1), (1, 3), (3,), (1, 2, 3), (3, 2)])
def test_nothing_is_broadcast(shape: tuple[int, ...]) -> None:
    assert not is_right(np.ones(shape), np.ones((2, 3)))


def test_every_instance_counts() -> None:
    truths = [known(TRUTH)] * 4
    assert all_right([TRUTH] * 4, truths, False)
    assert not all_right([TRUTH] * 3 + [TRUTH * 1.001], truths, False)


def test_the_antisymmetric_part_is_free_for_a_symmetric_input_only() -> None:
    truth = known(np.array([[1.0, 2.0], [2.0, 5.0]]))
    answer = np.array([[1.0, 4.0], [0.0, 5.0]])
    assert all_right([answer], [truth], True)
    assert not all_right([answer], [truth], False)
    assert not all_right([answer + np.eye(2)], [truth], True)


def test_the_other_convention_needs_another_convention() -> None:
    assert not all_right_by_the_other_convention([TRUTH], [known(TRUTH)], False)
    truth = known(TRUTH, 0.0, TRUTH * 1.7)
    assert all_right_by_the_other_convention([TRUTH * 1.7], [truth], False)
    assert not all_right_by_the_other_convention([TRUTH], [truth], False)


@pytest.mark.parametrize(
    ("answer", "asked", "turned"),
    [
        ((1, 3), (3,), True),
        ((3, 1), (3,), True),
        ((3, 1), (1, 3), True),
        ((1, 1), (), True),
        ((2, 3), (3, 2), False),
        ((6,), (2, 3), False),
        ((), (3,), False),
        ((3,), (3,), False),
    ],
)
def test_only_axes_of_length_one_may_differ(
    answer: tuple[int, ...], asked: tuple[int, ...], turned: bool
) -> None:
    found = reoriented([np.zeros(answer)], [known(np.zeros(asked))])
    assert (found is not None) == turned
    if found is not None:
        assert found[0].shape == asked


def test_one_instance_of_length_one_turns_nothing() -> None:
    truths = [known(np.zeros(1)), known(np.zeros(3))]
    assert reoriented([np.zeros(()), np.zeros(())], truths) is None
