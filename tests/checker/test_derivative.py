"""Numerical derivatives against closed forms, and the instances that must be refused."""

from collections.abc import Callable

import numpy as np
import pytest

from quizzer.checker.derivative import Uncertified, certified, jacobian

Function = Callable[[np.ndarray], np.ndarray]

SMOOTH: dict[str, tuple[Function, Function]] = {
    "sin": (np.sin, lambda x: np.diag(np.cos(x))),
    "square": (lambda x: np.array([x @ x]), lambda x: 2 * x[np.newaxis]),
    "softplus": (lambda x: np.logaddexp(0, x), lambda x: np.diag(1 / (1 + np.exp(-x)))),
    "norm": (lambda x: np.array([np.linalg.norm(x)]), lambda x: x[np.newaxis] / np.linalg.norm(x)),
    "variance": (
        lambda x: np.array([np.var(x)]),
        lambda x: 2 * (x - x.mean())[np.newaxis] / len(x),
    ),
    "abs": (np.abs, lambda x: np.diag(np.sign(x))),
}


def _log_or_raise(x: np.ndarray) -> np.ndarray:
    if (x <= 0).any():
        raise ValueError("log of a negative number")
    return np.log(x)


def test_an_input_at_the_edge_of_the_domain_is_refused_and_the_forward_is_not_broken() -> None:
    with pytest.raises(Uncertified, match=r"small step away .*log of a negative number"):
        certified(_log_or_raise, np.array([1e-7, 1.0]), [np.eye(2)])


@pytest.mark.parametrize("scale", [1e-6, 1e9])
def test_the_size_of_an_input_has_no_bounds(scale: float) -> None:
    x = scale * np.array([0.5, 1.0, 2.0])
    [(value, error)] = certified(np.log, x, [np.eye(3)])
    assert (np.abs(value - np.diag(1 / x)) <= 3 * error).all()
    assert value == pytest.approx(np.diag(1 / x))


def test_an_output_that_does_not_move_is_certified_where_a_far_step_leaves_the_domain() -> None:
    def forward(x: np.ndarray) -> np.ndarray:
        if x[0] > 1.02:
            raise ValueError("outside")
        return np.array([0.0, x[0] ** 2])

    [(value, _)] = certified(forward, np.array([1.0]), [np.eye(2)])
    assert value == pytest.approx(np.array([[0.0], [2.0]]))


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("scale", [1e-7, 0.01, 1.0, 100.0])
def test_a_certified_derivative_is_within_its_error(name: str, scale: float) -> None:
    function, exact = SMOOTH[name]
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(20):
        x = scale * rng.standard_normal(5)
        truth = exact(x)
        weights = rng.standard_normal((1, len(truth)))
        try:
            [(value, error)] = certified(function, x, [weights])
        except Uncertified:
            continue
        found += 1
        wanted = weights @ truth
        assert (np.abs(value - wanted) <= 3 * error).all()
    assert found >= 10


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: np.maximum(x, 0) + x, id="kink"),
        pytest.param(lambda x: np.floor(x) + x, id="jump"),
        pytest.param(lambda x: np.sqrt(np.abs(x)) + x, id="cusp"),
    ],
)
def test_a_kink_at_the_instance_is_refused(function: Function) -> None:
    with pytest.raises(Uncertified):
        certified(function, np.array([1.5, 0.0]), [np.eye(2)])


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: 1e14 + x, id="hidden by rounding"),
        pytest.param(lambda x: x / 0, id="infinite"),
        pytest.param(lambda x: np.sqrt(-np.abs(x)), id="NaN"),
        pytest.param(lambda x: np.sqrt(x + 0.5 + 1e-5), id="NaN a longer step away"),
    ],
)
def test_what_cannot_be_differentiated_is_refused(function: Function) -> None:
    with np.errstate(all="ignore"), pytest.raises(Uncertified):
        certified(function, np.array([1.5, -0.5]), [np.eye(2)])


def test_single_precision_inside_is_never_certified_with_a_wrong_value() -> None:
    rng = np.random.default_rng(0)
    for _ in range(2000):
        x = rng.standard_normal(2)
        try:
            [(value, _)] = certified(lambda x: x.astype(np.float32).astype(float), x, [np.eye(2)])
        except Uncertified:
            continue
        assert np.allclose(value, np.eye(2), rtol=0, atol=1e-6)


def test_weights_are_applied_from_the_left() -> None:
    matrix = np.arange(6.0).reshape(2, 3)
    [(first, _), (second, _)] = certified(
        lambda x: matrix @ x, np.ones(3), [np.array([[1.0, 2.0]]), np.eye(2)]
    )
    np.testing.assert_allclose(first, np.array([[1.0, 2.0]]) @ matrix, rtol=1e-9)
    np.testing.assert_allclose(second, matrix, rtol=1e-9, atol=1e-12)


def test_a_number_has_a_derivative_too() -> None:
    [(value, _)] = certified(lambda x: np.exp(x).reshape(-1), np.asarray(0.5), [np.eye(1)])
    assert value[0, 0] == pytest.approx(np.exp(0.5))


def test_the_jacobian_is_outputs_by_inputs() -> None:
    x = np.array([0.3, -1.2])
    found = jacobian(lambda x: np.array([x[0] * x[1], x[0], x[1] ** 2]), x)
    np.testing.assert_allclose(found, [[x[1], x[0]], [1, 0], [0, 2 * x[1]]], atol=1e-8)
