"""Names that the learner may type for what is asked, and how shapes are shown."""

from pathlib import Path

import pytest

from quizzer.checker.answer import Evaluate, Scope
from quizzer.checker.evaluating import evaluate
from quizzer.checker.problem import Describe, Pose, describe, pose
from quizzer.judge.naming import canonical, question_of

CHECKERS = Path(__file__).parent.parent / "checkers"


def described(name: str):  # type: ignore[no-untyped-def]
    return describe(Describe((CHECKERS / f"{name}.py").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("checker", "typed", "meant"),
    [
        ("linear", "dW", ("dW", False)),
        ("linear", " dW ", ("dW", False)),
        ("linear", "∂L/∂W", ("dW", False)),
        ("linear", "dL/dW", ("dW", False)),
        ("linear", "dL_dW", ("dW", False)),
        ("linear", "\\frac{\\partial L}{\\partial W}", ("dW", False)),
        ("linear", "δ_W", ("dW", False)),
        ("linear", "dW[i,j]", ("dW", True)),
        ("linear", "dW_{ij}", ("dW", True)),
        ("linear", "dW_ij", ("dW", True)),
        ("linear", "W", None),
        ("linear", "dq", None),
        ("linear", "", None),
        ("softmax", "dz", ("dz", False)),
        ("softmax", "dp_dz", ("dp_dz", False)),
        ("softmax", "∂p/∂z", ("dp_dz", False)),
        ("softmax", "dp_dz[i,j]", ("dp_dz", True)),
        ("mse", "dw", ("dL_dw", False)),
        ("mse", "∂L/∂w", ("dL_dw", False)),
    ],
)
def test_what_a_typed_name_means(checker: str, typed: str, meant: object) -> None:
    assert canonical(typed, described(checker).sheet) == meant


def test_sizes_stand_for_lengths_only_where_they_always_agree() -> None:
    dW, dx, db = question_of(described("linear")).asked
    assert [axis == "N" for axis in dW.shape] == [False, False]
    assert [axis == "N" for axis in dx.shape] == [False, True]
    assert len(db.shape) == 1


def test_names_come_with_their_shapes() -> None:
    names = question_of(described("linear")).asked[0].names
    assert [name.split()[0] for name in names] == ["W", "x", "b", "y", "dy", "delta", "N"]
    assert names[1].endswith(", N)")


SQUARE_NOW_AND_THEN = """
import numpy as np

def sample(rng):
    n, m = rng.integers(2, 4, 2)
    return {"X": rng.standard_normal((n, m))}

def forward(X):
    return {"Y": np.tanh(X)}
"""


def judged(source: str, asked: str, text: str, seed: int) -> str | None:
    """Why the text is invalid; None where it can be evaluated."""
    posed = pose(Pose(source, seed))
    request = Evaluate(
        asked,
        (text,),
        tuple(
            Scope(posed.sheet.answer_names(each, asked), each.truths[asked].value.shape)
            for each in posed.instances
        ),
        upstreams=tuple(posed.instances[0].upstreams),
        samples=posed.described.samples(),
        sizes=posed.described.sizes(),
    )
    return evaluate(request).texts[0].invalid


def test_what_is_described_with_the_instances_is_the_same_for_every_seed() -> None:
    first, second = (pose(Pose(SQUARE_NOW_AND_THEN, seed)).described for seed in (1, 2))
    assert first == second
    assert first == describe(Describe(SQUARE_NOW_AND_THEN))


def test_whether_a_text_can_be_read_never_depends_on_the_seed() -> None:
    for seed in range(12):
        text = "dY ⊙ (1 - Y ⊙ Y)"
        assert judged(SQUARE_NOW_AND_THEN, "dX", text, seed) is None
        assert "no matrix product" in str(judged(SQUARE_NOW_AND_THEN, "dX", "dY Y X^T", seed))
