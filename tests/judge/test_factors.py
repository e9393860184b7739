"""One number between an answer and its truth, however large or small both are."""

import numpy as np
import pytest

from quizzer.judge.factors import factors_between

TRUTH = np.array([[1.0, -2.0], [0.5, 3.0]])


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e200, 1e307])
def test_a_factor_is_found_at_any_scale(scale: float) -> None:
    assert factors_between([1.5 * scale * TRUTH], [scale * TRUTH]) == pytest.approx({0: 1.5})


@pytest.mark.parametrize(
    "answer",
    [TRUTH.T, TRUTH + 1e-3, 0 * TRUTH, TRUTH[0], np.full((2, 2), np.inf), 1e308 * np.sign(TRUTH)],
)
def test_what_is_no_multiple_of_the_truth_has_none(answer: np.ndarray) -> None:
    assert factors_between([answer], [TRUTH]) is None


def test_nothing_is_a_multiple_of_zeros() -> None:
    assert factors_between([TRUTH], [0 * TRUTH]) is None


def test_an_instance_where_both_are_zero_does_not_hide_the_factor_of_the_others() -> None:
    zeros = 0 * TRUTH
    assert factors_between([zeros, 3 * TRUTH], [zeros, TRUTH]) == pytest.approx({1: 3.0})
