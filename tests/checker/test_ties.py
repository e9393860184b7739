"""The generalised gradient: which answers lie in it, and where it is not looked at."""

import numpy as np
import pytest

from quizzer.checker.bounds import is_generalised_gradient
from quizzer.checker.instance import Instance
from quizzer.checker.problem import Pose, pose

CARD = """
import numpy as np
def sample(rng):
    return {{"x": rng.standard_normal(int(rng.integers(3, 7)))}}
def forward(x):
    return {{"y": {forward}}}
answers = ["dx"]
"""


def tied(forward: str, seed: int = 1) -> list[tuple[Instance, object]]:
    posed = pose(Pose(CARD.format(forward=forward), seed))
    return [(each.instance, each.bounds["dx"]) for each in posed.tied]


@pytest.mark.parametrize("forward", ["np.exp(x)", "x * x.sum()", "np.logaddexp(0, x)"])
def test_a_smooth_forward_has_no_ties(forward: str) -> None:
    assert tied(forward) == []


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
def test_every_slope_between_left_and_right_is_within(slope: float) -> None:
    found = tied("np.maximum(x, 0)")
    assert found
    for instance, bounds in found:
        x = instance.inputs["x"]
        gradient = instance.upstreams["dy"] * np.where(x > 0, 1.0, np.where(x < 0, 0.0, slope))
        assert is_generalised_gradient(gradient, bounds)


@pytest.mark.parametrize(("slope", "is_within"), [(0.5, True), (1.2, False)])
def test_a_kink_of_a_flat_forward_is_one_too(slope: float, is_within: bool) -> None:
    found = [pair for pair in tied("1e-4 * np.maximum(x, 0)") if (pair[0].inputs["x"] == 0).any()]
    assert found
    for instance, bounds in found:
        x = instance.inputs["x"]
        gradient = instance.upstreams["dy"] * np.where(x > 0, 1.0, np.where(x < 0, 0.0, slope))
        assert is_generalised_gradient(1e-4 * gradient, bounds) == is_within


@pytest.mark.parametrize("slope", [-0.2, 1.2, 2.0, np.nan])
def test_no_slope_outside_is_within(slope: float) -> None:
    found = [pair for pair in tied("np.maximum(x, 0)") if (pair[0].inputs["x"] == 0).any()]
    assert found
    for instance, bounds in found:
        x = instance.inputs["x"]
        gradient = instance.upstreams["dy"] * np.where(x > 0, 1.0, np.where(x < 0, 0.0, slope))
        assert not is_generalised_gradient(gradient, bounds)


def test_weights_of_tied_maxima_must_add_up_to_one() -> None:
    seen = 0
    for seed in range(6):
        for instance, bounds in tied("x.max()[None]", seed):
            top = instance.inputs["x"] == instance.inputs["x"].max()
            share = instance.upstreams["dy"][0] * top / top.sum()
            first = np.zeros(len(top))
            first[top.argmax()] = instance.upstreams["dy"][0]
            assert is_generalised_gradient(share, bounds)
            assert is_generalised_gradient(first, bounds)
            assert not is_generalised_gradient(share * top.sum(), bounds)
            seen += 1
    assert seen >= 5


def test_an_output_that_is_neither_convex_nor_concave_is_left_out() -> None:
    forward = "(np.maximum(x[0], 0) - np.maximum(x[1], 0))[None] + 0 * x"
    for instance, _ in tied(forward):
        assert not (instance.inputs["x"][:2] == 0).all()


def test_a_jump_is_no_tie() -> None:
    assert tied("np.floor(x) + x + 0 * np.abs(x)") == []
