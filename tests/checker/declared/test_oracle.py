"""Cards without a twin in Python: the truths of their checkers against autograd.

Each forward is written once more in `tests/corpus/forwards/`, with autograd's NumPy, from the
card's question alone.
"""

from collections.abc import Callable
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest
from autograd import grad, jacobian
from corpus import forwards
from numpy.testing import assert_allclose
from starter import CHECKED, prepared

TWINS = Path(__file__).parents[2] / "python_deck"

FORWARDS: dict[str, Callable[..., Any]] = {
    name: made
    for module in iter_modules(forwards.__path__)
    for name, made in vars(import_module(f"{forwards.__name__}.{module.name}")).items()
    if isfunction(made) and not name.startswith("_")
}


def test_every_checker_has_a_twin_or_an_oracle() -> None:
    assert {path.stem for path in CHECKED} == {
        path.stem for path in TWINS.rglob("*.py")
    } | FORWARDS.keys()


@pytest.mark.parametrize("stem", FORWARDS)
def test_every_truth_agrees_with_the_gradient_of_autograd(stem: str) -> None:
    (path,) = (path for path in CHECKED if path.stem == stem)
    oracle = FORWARDS[stem]
    names = oracle.__code__.co_varnames[: oracle.__code__.co_argcount]
    problems = prepared(path)
    asked = problems.posed().sheet.asked
    assert asked
    for name in asked:
        case = problems.case(name)
        for instance, truth in zip(case.posed.instances[:4], case.truths, strict=False):
            inputs = {each: instance.names[each] for each in names if each != name}
            if name in names:  # what is asked minimises the objective
                assert_allclose(_slope(oracle, inputs, name, truth.value), 0, atol=1e-6)
                continue
            expected = _derivative(oracle, inputs, name, instance.names)
            assert_allclose(truth.value, expected, rtol=1e-6, atol=1e-8)


def _derivative(
    oracle: Callable[..., Any], inputs: dict[str, Any], asked: str, names: dict[str, Any]
) -> Any:
    """`dx` from the upstreams of all outputs, or of one of them its value or `dy_dx`."""
    values = oracle(**inputs)
    if asked in values:
        return values[asked]
    output, is_local, by = asked.removeprefix("d").partition("_d")

    def weighed(value: Any) -> Any:
        outputs = oracle(**{**inputs, by or output: value})
        if is_local:
            return outputs[output]
        upstreams = {each: f"d{each}" for each in outputs if f"d{each}" in names}
        return sum(np.sum(names[up] * outputs[each]) for each, up in upstreams.items())

    return jacobian(weighed)(np.array(inputs[by or output], float))


def _slope(oracle: Callable[..., Any], inputs: dict[str, Any], name: str, at: Any) -> Any:
    return grad(lambda value: oracle(**{**inputs, name: value})["objective"])(at)
