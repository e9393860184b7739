"""`let` as a list of functions: every value is a node, and forward takes intermediates."""

import warnings
from functools import cache

import numpy as np
import pytest

from quizzer.checker.derivation.derive import derive
from quizzer.checker.load import CheckerError, load
from quizzer.checker.problem import Posed, pose
from quizzer.checker.requests import Pose
from quizzer.judge.derivation import judged_lines, request_of

SOURCE = """
import numpy as np

answers = {"dx": "backward message"}

def sample(rng):
    n, d = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, d)), "g": rng.standard_normal(d)}

def mean(x):
    return {"mu": x.mean(axis=0)}

def deviation(x, mu):
    return {"s": np.sqrt(((x - mu) ** 2).mean(axis=0) + 0.1)}

def normalised(x, mu, s):
    return {"x_hat": (x - mu) / s}

let = [mean, deviation, normalised]
sizes = {"N": ("x", 0)}

def forward(x_hat, g):
    return {"y": g * x_hat}

variants = {"The gain is forgotten.": lambda x_hat: {"y": x_hat}}
"""


@cache
def posed(source: str = SOURCE) -> Posed:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return pose(Pose(source, 1, 2, {}, 0))


def marks(text: str) -> list[str]:
    found = judged_lines(request_of(SOURCE, posed(), text), derive)
    return [each.mark.value for each in found.lines]


def test_derivatives_between_any_two_of_them_are_known() -> None:
    text = """∂L/∂x_hat_{ni} = δ_{ni} g_i
∂x_hat_{ni}/∂s_i = -x_hat_{ni} / s_i
∂L/∂s_i = Σ_n ∂L/∂x_hat_{ni} ∂x_hat_{ni}/∂s_i
∂L/∂mu_i = -Σ_n δ_{ni} g_i / s_i
∂L/∂x_{ni} = ∂L/∂x_hat_{ni} / s_i + ∂L/∂s_i x_hat_{ni} / N + ∂L/∂mu_i / N"""
    assert marks(text) == ["right"] * 5
    assert marks(text.replace("= -x_hat", "= x_hat"))[1] == "wrong"
    assert marks(text.replace(" + ∂L/∂mu_i / N", ""))[4] == "wrong"


def test_one_may_be_read_with_the_others_held_fixed() -> None:
    text = "∂x_hat_{ni}/∂x_{ni} = 1/s_i"
    found = judged_lines(request_of(SOURCE, posed(), text), derive)
    assert [each.mark.value for each in found.lines] == ["right"]
    assert found.held == ("∂x_hat/∂x",)


def test_the_truth_is_that_of_one_forward() -> None:
    short = SOURCE[: SOURCE.index("def mean")] + (
        "def forward(x, g):\n"
        "    mu = x.mean(axis=0)\n"
        "    s = np.sqrt(((x - mu) ** 2).mean(axis=0) + 0.1)\n"
        "    return {'y': g * (x - mu) / s}\n"
    )
    for one, other in zip(posed().instances, posed(short).instances, strict=True):
        assert np.allclose(one.truths["dx"].value, other.truths["dx"].value)
    assert set(posed().instances[0].intermediates) == {"mu", "s", "x_hat"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("let = [mean, ", "let = [3, "), "`let` must be a function, or a list of functions"),
        (('{"s": ', '{"x": '), "let gives `x`, which there is already"),
        (("def mean(x)", "def mean(x, s)"), "let asks for `s`; there is only x, g"),
        (("forward(x_hat, g)", "forward(x_hut, g)"), "forward asks for `x_hut`"),
    ],
)
def test_what_is_wrong_with_a_list_is_told(changed: tuple[str, str], message: str) -> None:
    source = SOURCE.replace(*changed)
    assert source != SOURCE
    with pytest.raises(CheckerError, match=message.replace("(", r"\(")):
        checker = load(source)
        inputs = checker.sample(rng=np.random.default_rng(0))
        assert checker.let is not None and checker.forward is not None
        checker.let(**inputs)
        checker.forward(**inputs)
