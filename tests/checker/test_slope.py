"""Slopes along a line: right in few runs, refused at kinks."""

from collections.abc import Callable

import numpy as np
import pytest

from quizzer.checker.derivative import Uncertified
from quizzer.checker.slope import slopes_along

Forward = Callable[[np.ndarray], np.ndarray]

POINT = np.array([0.7, -1.3, 2.1])
DIRECTION = np.array([0.4, 1.0, -0.8])
WEIGHTS = [np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, 0.0])]
FORWARDS: dict[str, tuple[Forward, Forward]] = {
    "smooth": (np.sin, np.cos),
    "without complex numbers": (np.abs, np.sign),
    "with a complex step that is silently wrong": (lambda x: x * abs(x), lambda x: 2 * abs(x)),
    "large beside its slope": (lambda x: 100 + x**2, lambda x: 2 * x),
}


@pytest.mark.parametrize("kind", FORWARDS)
def test_a_slope_is_within_its_error(kind: str) -> None:
    forward, derivative = FORWARDS[kind]
    slopes = slopes_along(forward, POINT, forward(POINT), DIRECTION, WEIGHTS)
    for weights, (value, error) in zip(WEIGHTS, slopes.found, strict=True):
        wanted = weights @ (derivative(POINT) * slopes.direction)
        assert abs(value - wanted) <= error + 1e-12 * abs(wanted)
        assert error <= 1e-6 * abs(wanted)


def test_a_smooth_forward_is_run_three_times() -> None:
    points: list[np.ndarray] = []

    def forward(x: np.ndarray) -> np.ndarray:
        points.append(x)
        return np.exp(x)

    slopes_along(forward, POINT, np.exp(POINT), DIRECTION, WEIGHTS)
    assert len(points) == 3


@pytest.mark.parametrize("forward", [np.abs, lambda x: np.maximum(x, 0), np.sign, np.floor])
def test_there_is_no_slope_at_a_kink_or_a_jump(forward: Forward) -> None:
    at = np.array([0.0, 1.5, -1.5])
    with pytest.raises(Uncertified):
        slopes_along(forward, at, forward(at), DIRECTION, [np.array([1.0, 0.0, 0.0])])


def test_a_slope_of_zero_is_certified() -> None:
    def forward(x: np.ndarray) -> np.ndarray:
        return np.maximum(x, 3.0)

    slopes = slopes_along(forward, POINT, forward(POINT), DIRECTION, WEIGHTS)
    assert [value for value, _ in slopes.found] == [0.0, 0.0]


@pytest.mark.parametrize("share", [1e-3, 1e-4, 3e-5, 1e-5])
def test_a_kink_that_is_small_beside_the_slope_is_no_slope(share: float) -> None:
    """Such as at 0 in a sample that holds zeros: half of the kink would be called a mistake."""
    at = np.array([0.0, 1.5])

    def forward(x: np.ndarray) -> np.ndarray:
        return np.maximum(x, 0) * np.array([share, 1.0])

    with pytest.raises(Uncertified):
        slopes_along(forward, at, forward(at), np.array([-0.9, 1.3]), [np.ones(2)])
