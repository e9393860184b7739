"""For each rule of acceptance an answer that only this rule rejects.

Rules on arrays: the same arrays pass once the rule is lifted. Rules on instances: the same answer
passes on a checker whose samples break the rule.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from quizzer.checker.problem import Pose, pose
from quizzer.judge.acceptance import TOLERANCE
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

SEED = 21
Array = np.ndarray


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    """What is judged here does not depend on where code runs."""
    return judge_here


def close(answer: Array, truth: Array) -> bool:
    """The comparison alone: NumPy broadcasts, and NaN compares with nothing."""
    return not np.max(np.abs(answer - truth)) > TOLERANCE * np.max(np.abs(truth))


def close_where_finite(answer: Array, truth: Array) -> bool:
    finite = np.isfinite(answer)
    return answer.shape == truth.shape and close(answer[finite], truth[finite])


def close_as_numbers(answer: Array, truth: Array) -> bool:
    return answer.shape == truth.shape and close(np.asarray(answer, float), truth)


@dataclass(frozen=True, slots=True)
class Lifted:
    """An answer to `dx` of a forward, and what judges arrays without the one rule it breaks."""

    forward: str
    answer: str
    verdict: Verdict
    without: Callable[[Array, Array], bool]


ON_ARRAYS = {
    "a number is not spread": Lifted("3 * x.sum()", "3 * dy", Verdict.WRONG, close),
    "an axis is not spread": Lifted("x.sum(axis=1)", "dy.reshape(-1, 1)", Verdict.WRONG, close),
    "a kept axis is not spread": Lifted(
        "x.sum(axis=0)", "sum(x * 0 + dy, axis=0, keepdims=True) / len(x)", Verdict.WRONG, close
    ),
    "a NaN is not passed over": Lifted(
        "3 * x", "a = 3 * dy\na[0, 1] = np.nan\ndx = a", Verdict.INVALID, close
    ),
    "an infinity is not passed over": Lifted(
        "3 * x", "a = 3 * dy\na[-1, 0] = np.inf\ndx = a", Verdict.INVALID, close_where_finite
    ),
    "an imaginary part is not dropped": Lifted(
        "3 * x", "3 * dy + 1j * x", Verdict.INVALID, lambda a, t: close(a.real, t)
    ),
    "texts are no numbers": Lifted(
        "3 * x", "(3 * dy).astype(str)", Verdict.INVALID, close_as_numbers
    ),
    "one in 100,000 is too much": Lifted(
        "3 * x", "3.00003 * dy", Verdict.WRONG, lambda a, t: np.allclose(a, t, rtol=1e-3, atol=1e-5)
    ),
    "one entry in 100,000 is too much": Lifted(
        "3 * x",
        "a = 3 * dy\na.flat[abs(a).argmax()] *= 1.00001\ndx = a",
        Verdict.WRONG,
        lambda a, t: np.median(abs(a - t)) < TOLERANCE,
    ),
    "nothing is close to zero by itself": Lifted(
        "1e-9 * np.tanh(x)", "0 * dy", Verdict.WRONG, np.allclose
    ),
    "the direction of the error does not matter": Lifted(
        "3 * x",
        "u = np.arange(dy.size).reshape(dy.shape)\n3 * dy + 0.01 * (-1)**u",
        Verdict.WRONG,
        lambda a, t: abs(np.sum(a - t)) < 0.011,
    ),
}

CHECKER = """
import numpy as np
answers = ["dx"]
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5, 6], size=2, replace=False)
    return {"x": rng.standard_normal((n, m))}
def forward(x):
    return {"y": %s}
"""


@pytest.mark.parametrize("rule", ON_ARRAYS)
def test_an_answer_that_only_this_rule_rejects(judge: Judge, tmp_path: Path, rule: str) -> None:
    lifted = ON_ARRAYS[rule]
    source = CHECKER % lifted.forward
    assert verdict(judge, tmp_path, source, lifted.answer) is lifted.verdict
    for answer, truth in values(source, lifted.answer):
        assert lifted.without(answer, truth)


def test_three_of_four_instances_are_not_enough(judge: Judge, tmp_path: Path) -> None:
    source = CHECKER % "3 * x"
    fourth = pose(Pose(source, SEED)).instances[3].inputs["x"]
    text = f"dx = dy * (2 if x.shape == {np.shape(fourth)} else 3)"
    assert verdict(judge, tmp_path, source, text) is Verdict.WRONG
    right = [close_as_numbers(answer, truth) for answer, truth in values(source, text)]
    assert right == [True, True, True, False]


@dataclass(frozen=True, slots=True)
class Sampled:
    """A checker's sample, one that breaks a rule on instances, and an answer it lets through."""

    forward: str
    answer: str
    sample: str
    breaking: str


BATCH = "rng.standard_normal((%s, int(rng.integers(2, 6))))"
SQUARE = "int(rng.integers(2, 6))"
ON_INSTANCES = {
    "right for square sizes only": Sampled(
        "x * len(x)",
        "dy * x.shape[1]",
        BATCH % SQUARE,
        f"(lambda n: rng.standard_normal((n, n)))({SQUARE})",
    ),
    "right for a batch of one only": Sampled(
        "x @ x.sum(axis=0)",
        "np.outer(dy, x.sum(axis=0)) + dy[:, None] * x",
        BATCH % SQUARE,
        BATCH % 1,
    ),
    "right for one size only": Sampled(
        "x * x.shape[1]",
        "3 * dy",
        BATCH % SQUARE,
        "rng.standard_normal((int(rng.integers(2, 6)), 3))",
    ),
    "right for symmetric matrices only": Sampled(
        "np.trace(x @ x)",
        "2 * dy * x",
        "(lambda n: rng.standard_normal((n, n)))(int(rng.integers(2, 5)))",
        "(lambda a: a @ a.T)(rng.standard_normal((int(rng.integers(2, 5)), 3)))",
    ),
    "right for positive numbers only": Sampled(
        "np.abs(x)",
        "dy",
        BATCH % SQUARE,
        "rng.uniform(0.5, 1.5, (3, int(rng.integers(2, 6))))",
    ),
    "right for centred columns only": Sampled(
        "x - x.mean(axis=0) ** 2",
        "dy",
        BATCH % SQUARE,
        "(lambda a: a - a.mean(axis=0))(rng.standard_normal((4, int(rng.integers(2, 6)))))",
    ),
}


@pytest.mark.parametrize("rule", ON_INSTANCES)
def test_an_answer_that_only_these_instances_reject(
    judge: Judge, tmp_path: Path, rule: str
) -> None:
    sampled = ON_INSTANCES[rule]
    for seed in range(4):
        for sample, expected in ((sampled.sample, "wrong"), (sampled.breaking, "correct")):
            source = f"""
import numpy as np
answers = ["dx"]
def sample(rng):
    return {{"x": {sample}}}
def forward(x):
    return {{"y": {sampled.forward}}}
"""
            assert verdict(judge, tmp_path, source, sampled.answer, seed) == expected


def test_an_upstream_of_ones_would_let_an_answer_through_that_ignores_it(
    judge: Judge, tmp_path: Path
) -> None:
    source = CHECKER % "np.sin(x)"
    assert verdict(judge, tmp_path, source, "np.cos(x)") is Verdict.WRONG
    for instance in pose(Pose(source, SEED)).instances:
        x, upstream = instance.inputs["x"], instance.upstreams["dy"]
        assert close(np.cos(x), instance.truths["dx"].value / upstream)


@pytest.mark.parametrize(
    ("ties", "expected"), [("True", Verdict.WRONG), ("None", "correct"), ("False", "correct")]
)
def test_right_away_from_ties_is_not_enough_where_the_card_is_about_ties(
    judge: Judge, tmp_path: Path, ties: str, expected: Verdict
) -> None:
    source = f"{CHECKER % 'np.maximum(x, 0)'}\nties = {ties}\n"
    assert verdict(judge, tmp_path, source, "dy * (x > 0) + 2 * dy * (x == 0)") == expected
    assert verdict(judge, tmp_path, source, "dy * (x > 0) + dy * (x == 0) / 2") == "correct"


def verdict(judge: Judge, folder: Path, source: str, text: str, seed: int = SEED) -> Verdict:
    path = folder / "card.py"
    path.write_text(source, "utf-8")
    judgement = judge.judge(path, {"dx": text}, seed)
    assert isinstance(judgement, Judgement), judgement
    return judgement.verdict


def values(source: str, text: str) -> list[tuple[Array, Array]]:
    """The answer's array beside the truth, on each of the instances that the judge uses."""
    found = []
    for instance in pose(Pose(source, SEED)).instances:
        names = {"np": np, "sum": np.sum, "abs": np.abs, **instance.names}
        *lines, last = text.split("\n")
        exec("\n".join(lines), names)
        answer = np.asarray(eval(last.removeprefix("dx = "), names))
        found.append((answer, instance.truths["dx"].value))
    return found
