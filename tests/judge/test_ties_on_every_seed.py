"""At ties the verdict is the same on every seed: right away from them is correct with a remark."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

SEEDS = range(3)

MAXOUT = """
import numpy as np
answers = ["dx", "dW"]
def sample(rng):
    k, i, j = rng.permutation([2, 3, 4, 5])[:3]
    return {"W": rng.standard_normal((k, i, j)), "x": rng.standard_normal(j)}
def let(W, x):
    return {"s": W @ x}
def forward(W, x):
    return {"y": (W @ x).max(axis=0)}
"""
BATCH_MAXOUT = """
import numpy as np
answers = ["dX"]
def sample(rng):
    k, n, i, j = rng.permutation([2, 3, 4, 5])
    return {"W": rng.standard_normal((k, i, j)), "X": rng.standard_normal((n, j))}
def let(W, X):
    return {"s": np.einsum("kij,nj->kni", W, X)}
def forward(W, X):
    return {"y": np.einsum("kij,nj->kni", W, X).max(axis=0)}
"""
TOP_TWO = """
import numpy as np
answers = ["dx"]
def sample(rng):
    i, j = rng.permutation([3, 4, 5])[:2]
    return {"W": rng.standard_normal((i, j)), "x": rng.standard_normal(j)}
def let(W, x):
    return {"s": W @ x, "t": np.sort(W @ x)[-2]}
def forward(W, x):
    return {"y": np.sort(W @ x)[-2:].sum()}
"""
CRAMMER_SINGER = """
import numpy as np
answers = ["dx"]
def sample(rng):
    i, j = rng.permutation([3, 4, 5])[:2]
    c = int(rng.integers(i))
    return {"W": rng.standard_normal((i, j)), "x": rng.standard_normal(j), "c": c}
def let(W, x, c):
    s = W @ x
    m = s + 1.0 * (np.arange(len(s)) != c)
    return {"m": m, "top": m.max(), "e": 1.0 * (np.arange(len(s)) == c)}
def forward(W, x, c):
    s = W @ x
    return {"L": (s + 1.0 * (np.arange(len(s)) != c)).max() - s[c]}
"""
POOLING = """
import numpy as np
answers = ["dx"]
def sample(rng):
    return {"x": rng.standard_normal(2 * int(rng.integers(2, 6)))}
def forward(x):
    return {"f": x.reshape(-1, 2).max(axis=1)}
"""
RIGHT_AWAY_FROM_TIES = {
    "maxout": (
        MAXOUT,
        ("dx", "dx_j = sum_{k,i} dy_i [s_ki = y_i] W_kij"),
        ("dx", "np.einsum('i,ki,kij->j', dy, s == y, W)"),
        ("dW", "np.einsum('i,ki,j->kij', dy, s == y, x)"),
    ),
    "batch maxout": (BATCH_MAXOUT, ("dX", "np.einsum('ni,kni,kij->nj', dy, s == y, W)")),
    "top two": (TOP_TWO, ("dx", "dy * (W.T @ (s >= t))")),
    "Crammer and Singer": (CRAMMER_SINGER, ("dx", "dL * (W.T @ ((m == top) - e))")),
}


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    """What is judged here does not depend on where code runs."""
    return judge_here


def verdicts(
    judge: Judge, path: Path, answers: Sequence[tuple[str, str]], seed: int
) -> set[object]:
    """The verdicts on answers to one checker, with their codes."""
    found: set[object] = set()
    for name, text in answers:
        judgement = judge.judge(path, {name: text}, seed)
        assert isinstance(judgement, Judgement), judgement
        (answered,) = judgement.answers
        found.add((answered.verdict, answered.diagnosis.code if answered.diagnosis else ""))
    return found


@pytest.mark.parametrize("card", RIGHT_AWAY_FROM_TIES.values(), ids=RIGHT_AWAY_FROM_TIES)
def test_right_away_from_ties_is_correct_with_the_remark(
    judge: Judge, tmp_path: Path, card: tuple[str, *tuple[tuple[str, str], ...]]
) -> None:
    source, *answers = card
    path = tmp_path / "card.py"
    path.write_text(source, "utf-8")
    for seed in SEEDS:
        assert verdicts(judge, path, answers, seed) == {(Verdict.CORRECT, "ties")}, seed


def test_equal_values_that_do_not_tie_are_told_from_ties(judge: Judge, tmp_path: Path) -> None:
    path = tmp_path / "card.py"
    path.write_text(POOLING, "utf-8")
    answers = [("dx", "dx_i = sum_k df_k [x_i = f_k]")]
    for seed in SEEDS:
        assert verdicts(judge, path, answers, seed) == {(Verdict.WRONG, "partly")}, seed


def test_ties_are_the_same_on_every_seed() -> None:
    first, second = (pose(Pose(MAXOUT, seed, 1, confirming=0)).tied for seed in (1, 2))
    assert len(first) == len(second) > 0
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.instance.inputs["W"], other.instance.inputs["W"])
        assert one.bounds.keys() == other.bounds.keys()
        for name, bounds in one.bounds.items():
            np.testing.assert_array_equal(bounds.low, other.bounds[name].low)
