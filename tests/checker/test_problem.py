"""The problem side, run here on checkers of our own: instances, truths, names."""

from pathlib import Path

import numpy as np
import pytest

from quizzer.checker.confirming import confirm
from quizzer.checker.load import CheckerError
from quizzer.checker.problem import Describe, Pose, describe, pose
from quizzer.checker.requests import MANY, Confirm

CHECKERS = Path(__file__).parent.parent / "checkers"

CARD = """
import numpy as np
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m)), "k": 3}
def forward(x, k):
    return {"y": k * x.sum(axis=1)}
"""


def source(name: str) -> str:
    return (CHECKERS / f"{name}.py").read_text(encoding="utf-8")


def test_a_seed_gives_the_same_instances() -> None:
    first, again, other = (pose(Pose(CARD, seed)).instances[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.truths["dx"].value, again.truths["dx"].value)
    assert first.inputs["x"].shape != other.inputs["x"].shape or np.any(
        first.inputs["x"] != other.inputs["x"]
    )


def test_many_problems_are_the_same_when_they_are_posed_at_once() -> None:
    posed = pose(Pose(CARD, 3, 1, pieces=("dx", "none")))
    later = confirm(Confirm(CARD, ("dx",), 3, 30.0)).further
    assert {name for each in posed.many for name in each.contractions} == {"dx"}
    assert len(posed.many) == len(later) == MANY
    for at_once, again in zip(posed.many, later, strict=True):
        np.testing.assert_array_equal(at_once.instance.inputs["x"], again.instance.inputs["x"])
        assert at_once.contractions["dx"].value == again.contractions["dx"].value


KINKED = """
import numpy as np
def sample(rng):
    n = rng.integers(2, 6)
    return {"x": rng.standard_normal(n), "w": rng.choice([0.0, 1.0]) * rng.standard_normal(n)}
def forward(x, w):
    return {"y": x**2 + np.abs(w)}
"""


def test_many_problems_of_several_names_are_those_of_each_that_can_be_certified() -> None:
    both = confirm(Confirm(KINKED, ("dx", "dw"), 3, 30.0)).further
    alone = confirm(Confirm(KINKED, ("dx",), 3, 30.0)).further
    of_x = [each for each in both if "dx" in each.contractions]
    assert len(of_x) == len(alone) == MANY
    assert 0 < sum("dw" in each.contractions for each in of_x) < MANY
    for together, single in zip(of_x, alone, strict=True):
        np.testing.assert_array_equal(together.instance.inputs["x"], single.instance.inputs["x"])


def test_many_problems_are_left_for_later_where_time_is_short() -> None:
    assert not pose(Pose(CARD, 3, 1, pieces=("dx",), seconds=0.0)).many


def test_global_random_numbers_are_repeatable_too() -> None:
    changed = CARD.replace("rng.standard_normal((n, m))", "np.random.standard_normal((n, m))")
    first, again = (pose(Pose(changed, 4)).instances[0] for _ in range(2))
    np.testing.assert_array_equal(first.truths["dx"].value, again.truths["dx"].value)


def test_instances_differ_in_size_wherever_sample_allows() -> None:
    for seed in range(10):
        shapes = [instance.inputs["x"].shape for instance in pose(Pose(CARD, seed)).instances]
        assert len(set(shapes)) == 4


def test_no_size_is_the_same_in_all_instances() -> None:
    independent = CARD.replace(
        "rng.choice([2, 3, 4, 5], size=2, replace=False)", "rng.integers(2, 5, 2)"
    )
    for seed in range(60):
        shapes = [
            instance.inputs["x"].shape for instance in pose(Pose(independent, seed)).instances
        ]
        assert all(len(set(lengths)) > 1 for lengths in zip(*shapes, strict=True))


def test_a_message_is_the_upstream_times_the_derivative() -> None:
    for instance in pose(Pose(CARD, 1)).instances:
        wanted = 3 * np.outer(instance.upstreams["dy"], np.ones(instance.inputs["x"].shape[1]))
        np.testing.assert_allclose(instance.truths["dx"].value, wanted, rtol=1e-9)


def test_a_local_derivative_has_the_shapes_of_output_and_input() -> None:
    posed = pose(Pose(source("softmax"), 1))
    for instance in posed.instances:
        p = instance.outputs["p"]
        wanted = np.diag(p) - np.outer(p, p)
        np.testing.assert_allclose(instance.truths["dp_dz"].value, wanted, atol=1e-10)


def test_the_upstream_of_a_loss_is_far_from_one() -> None:
    for seed in range(10):
        for instance in pose(Pose(source("mse"), seed)).instances:
            assert 1.3 <= abs(float(instance.upstreams["dL"])) <= 2.5


def test_a_forward_may_change_its_arguments() -> None:
    changed = CARD.replace('    return {"y"', '    x *= 1.0\n    x += 0.0\n    return {"y"')
    changed = changed.replace("k * x.sum(axis=1)", "k * x.sum(axis=1) ** 2")
    careless = changed.replace("x += 0.0", "x += 1.0")
    for text in (changed, careless):
        instance = pose(Pose(text, 1)).instances[0]
        shift = 1.0 if text is careless else 0.0
        sums = (instance.inputs["x"] + shift).sum(axis=1)
        wanted = 6 * np.outer(
            instance.upstreams["dy"] * sums, np.ones(instance.inputs["x"].shape[1])
        )
        np.testing.assert_allclose(instance.truths["dx"].value, wanted, rtol=1e-8)


def test_numbers_and_integer_arrays_are_constants() -> None:
    card = CARD.replace('"k": 3', '"k": 3, "q": np.float64(2.0), "i": np.arange(3)')
    assert pose(Pose(card, 1)).sheet.variables == ("x",)


def test_a_zero_dimensional_array_of_floats_is_a_variable() -> None:
    card = CARD.replace('"k": 3', '"k": np.array(3.0)')
    posed = pose(Pose(card, 1))
    assert posed.sheet.asked.keys() == {"dx", "dk"}
    assert posed.instances[0].truths["dk"].value.shape == ()


def test_a_forward_that_returns_one_array_has_an_output_y() -> None:
    card = CARD.replace('{"y": k * x.sum(axis=1)}', "k * x.sum(axis=1)")
    assert pose(Pose(card, 1)).sheet.outputs == ("y",)


def test_a_reference_may_state_the_other_convention_of_a_loss() -> None:
    card = CARD.replace("k * x.sum(axis=1)", "x.sum()")
    for formula in ("np.ones(x.shape)", "dy * np.ones(x.shape)"):
        reference = f"def reference(x, dy):\n    return {{'dy_dx': {formula}}}\n"
        assert pose(Pose(card + reference, 1)).instances


@pytest.mark.parametrize(
    ("addition", "said"),
    [
        ("def let(x):\n    return {'y': x}", "`y` is both an output and an intermediate"),
        ("def let(x):\n    return {'dy': x}", "`dy` is both"),
        ("sizes = {'x': ('x', 0)}", "`x` is both an input and a size"),
        ("symbols = {'k': 'x'}", "the symbol x of `k`"),
        ("answers = ['x']", "`x`, which is an input"),
        ("answers = ['dy']", "`dy`, which is an upstream"),
        ("answers = ['d y']", "`answers`"),
        ("def reference(x):\n    return {'x': x, 'dx': x}", "`x`, which is an input"),
        ("def reference(x):\n    return {'dx': x[0]}", "the shape"),
        ("def reference(x):\n    return [x]", "dict"),
        ("def sample(rng):\n    return {'x': [1.0]}", "as list"),
        ("def sample(rng):\n    return {'x': np.array(['a'])}", "array of <U1"),
        ("def sample(rng):\n    return {'x': np.zeros(0)}", "empty"),
        ("def sample(rng):\n    return {'x y': 1.0}", "no name"),
        ("def sample(rng):\n    return None", "dict"),
        ("def forward(x):\n    return {}", "no output"),
        ("def forward(x):\n    return {'y': x * 1j}", "real numbers"),
        ("def forward(*values):\n    return 1.0", "by name"),
        ("first_index = 2", "first_index"),
        ("ties = 'yes'", "ties"),
        ("hints = 3", "hints"),
        ("assume = 3", "assume"),
        ("accept = 3", "must be a function"),
        ("terms = {'dx': {'': 'x'}}", "texts"),
        ("variants = {'a': 3}", "another forward"),
    ],
)
def test_a_mistake_of_the_author_is_named(addition: str, said: str) -> None:
    with pytest.raises(CheckerError) as error:
        pose(Pose(f"{CARD}\n{addition}\n", 1))
    assert said in str(error.value)


def test_the_line_of_an_error_is_that_of_the_checker() -> None:
    with pytest.raises(CheckerError, match=r"^line 7: forward raised ZeroDivisionError"):
        pose(Pose(CARD.replace("k * x", "1 / 0 * x"), 1))


def test_samples_that_change_their_names_are_broken() -> None:
    card = CARD.replace('"k": 3}', '"k": 3, **({"q": 1} if n > 3 else {})}')
    with pytest.raises(CheckerError, match="the same names"):
        for seed in range(10):
            pose(Pose(card, seed))


def test_a_description_needs_no_certified_instance() -> None:
    described = describe(Describe(CARD.replace("k * x.sum(axis=1)", "np.round(x)")))
    assert described.asked[0]["dx"] == described.shapes[0]["x"]
