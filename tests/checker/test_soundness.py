"""Frames that a card's code forges: well-typed, but not fitting together."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from quizzer.checker.explain import Explain, explain
from quizzer.checker.instance import Truth
from quizzer.checker.posed import Posed
from quizzer.checker.problem import Pose, pose
from quizzer.checker.soundness import instances_are_sound, material_is_sound

SOURCE = (Path(__file__).parent.parent / "checkers" / "max_pooling.py").read_text()


@pytest.fixture(scope="module")
def posed() -> Posed:
    posed = pose(Pose(SOURCE, 1))
    assert posed.tied
    return posed


def test_what_the_problem_side_makes_is_sound(posed: Posed) -> None:
    assert instances_are_sound(posed, 4)
    material = explain(Explain(SOURCE, "dx", posed.instances))
    assert material_is_sound(material, posed, "dx")


def known(value: np.ndarray, error: float) -> Truth:
    return Truth(value, np.full_like(value, error))


def test_another_number_of_instances_is_not(posed: Posed) -> None:
    assert not instances_are_sound(replace(posed, instances=posed.instances[:3]), 4)
    assert not instances_are_sound(replace(posed, instances=()), 4)


@pytest.mark.parametrize(
    "change",
    [
        {"truths": {}},
        {"outputs": {}},
        {"upstreams": {}},
        {"upstreams": {"df": np.zeros(1)}},
        {"inputs": {"x": 1.0}},
        {"truths": {"dx": known(np.array(np.nan), 0.0), "df_dx": known(np.zeros(1), 0.0)}},
        {"truths": {"dx": known(np.zeros(1), np.inf), "df_dx": known(np.zeros(1), 0.0)}},
        {"truths": {"dx": known(np.zeros(1), np.nan), "df_dx": known(np.zeros(1), 0.0)}},
        {"truths": {"dx": known(np.zeros(1), -1.0), "df_dx": known(np.zeros(1), 0.0)}},
    ],
)
def test_an_instance_that_lacks_something_is_not(posed: Posed, change: dict[str, object]) -> None:
    broken = replace(posed.instances[0], **change)
    assert not instances_are_sound(replace(posed, instances=(broken, *posed.instances[1:])), 4)


def test_sizes_that_lead_nowhere_are_not(posed: Posed) -> None:
    for place in (("q", 0), ("x", 7)):
        sheet = replace(posed.sheet, sizes={"N": place})
        assert not instances_are_sound(replace(posed, sheet=sheet), 4)


def test_bounds_of_other_shapes_are_not(posed: Posed) -> None:
    first = posed.tied[0]
    bound = first.bounds["dx"]
    for other in (
        replace(bound, low=bound.low[:-1]),
        replace(bound, smooth=np.asarray(True)),
        replace(bound, smooth=bound.smooth[:, np.newaxis]),
    ):
        tied = replace(first, bounds=first.bounds | {"dx": other})
        assert not instances_are_sound(replace(posed, tied=(tied,)), 4)


def test_jacobians_of_other_shapes_are_not(posed: Posed) -> None:
    material = explain(Explain(SOURCE, "dx", posed.instances))
    for jacobians in (material.jacobians[:2], tuple(j.T for j in material.jacobians)):
        assert not material_is_sound(replace(material, jacobians=jacobians), posed, "dx")
