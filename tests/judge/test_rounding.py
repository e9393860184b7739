"""A right answer is right however it rounds, and a wrong one wrong however small it is."""

from pathlib import Path

import pytest

from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

SEEDS = range(3)

CROSS_ENTROPY = """
import numpy as np
def sample(rng):
    n = int(rng.integers(3, 6))
    return {"z": 8 * rng.standard_normal(n), "y": int(rng.integers(n))}
def forward(z, y):
    m = z.max()
    return {"L": m + np.log(np.exp(z - m).sum()) - z[y]}
"""
SOFTPLUS = """
import numpy as np
def sample(rng):
    return {"x": np.asarray(rng.uniform(-40, 40))}
def forward(x):
    return {"f": np.log1p(np.exp(-x)) if x > 0 else -x + np.log1p(np.exp(x))}
"""
SUM_OF_SOFTMAX = """
import numpy as np
def sample(rng):
    return {"z": 5 * rng.standard_normal(int(rng.integers(3, 6)))}
def forward(z):
    e = np.exp(z - z.max())
    return {"f": 1e4 * (e / e.sum()).sum()}
"""
SMALL_DENSITIES = """
import numpy as np
answers = ["dp_dm"]
def sample(rng):
    n = int(rng.integers(18, 25))
    return {"x": 0.4 + rng.standard_normal(n), "m": np.asarray(rng.standard_normal())}
def forward(x, m):
    return {"p": np.prod(np.exp(-((x - m) ** 2) / 2) / np.sqrt(2 * np.pi))}
"""
RESIDUAL = """
import numpy as np
answers = ["r"]
def sample(rng):
    n = int(rng.integers(3, 6))
    return {"X": 10 * rng.standard_normal((n + 3, n)), "y": 10 * rng.standard_normal(n + 3)}
def reference(X, y):
    return {"r": X.T @ (y - X @ np.linalg.solve(X.T @ X, X.T @ y))}
"""
CENTRED = """
import numpy as np
answers = ["s"]
def sample(rng):
    return {"x": 10 * rng.standard_normal(int(rng.integers(3, 6)))}
def forward(x):
    return {"s": (x - x.mean()).sum()}
"""

RIGHT = [
    (CROSS_ENTROPY, "dL_dz", "softmax(z) - one_hot(y, len(z))"),
    (SOFTPLUS, "dx", "-df * sigmoid(-x)"),
    (SOFTPLUS, "dx", "df * (sigmoid(x) - 1)"),
    (SUM_OF_SOFTMAX, "dz", "0 * z"),
    (SUM_OF_SOFTMAX, "dz", "1e4 * df * (softmax(z) - softmax(z) * sum(softmax(z)))"),
    (SMALL_DENSITIES, "dp_dm", "p * sum(x - m)"),
    (RESIDUAL, "r", "0 * X.T @ y"),
    (RESIDUAL, "r", "X.T @ y - X.T @ X @ np.linalg.inv(X.T @ X) @ X.T @ y"),
    (CENTRED, "s", "0"),
    (CENTRED, "s", "sum(x) - len(x) * mean(x)"),
]
WRONG = [
    (CROSS_ENTROPY, "dL_dz", "softmax(z)"),
    (SOFTPLUS, "dx", "df * sigmoid(-x)"),
    (SUM_OF_SOFTMAX, "dz", "1e-6 * df * softmax(z)"),
    (SMALL_DENSITIES, "dp_dm", "0"),
    (SMALL_DENSITIES, "dp_dm", "p * sum(m - x)"),
    (RESIDUAL, "r", "1e-9 * X.T @ y"),
    (CENTRED, "s", "1e-9 * sum(x)"),
]


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    """What is judged here does not depend on where code runs."""
    return judge_here


def verdicts(judge: Judge, path: Path, source: str, name: str, text: str) -> dict[int, str]:
    """The verdict on each seed, with its message."""
    path.write_text(source, encoding="utf-8")
    found = {}
    for seed in SEEDS:
        judgement = judge.judge(path, {name: text}, seed)
        assert isinstance(judgement, Judgement), judgement
        found[seed] = f"{judgement.verdict}: {judgement.answers[0].message}"
    return found


@pytest.mark.parametrize(("source", "name", "text"), RIGHT)
def test_rounding_makes_no_right_answer_wrong(
    judge: Judge, tmp_path: Path, source: str, name: str, text: str
) -> None:
    found = verdicts(judge, tmp_path / "card.py", source, name, text)
    assert all(said.startswith(Verdict.CORRECT) for said in found.values()), found


@pytest.mark.parametrize(("source", "name", "text"), WRONG)
def test_no_wrong_answer_passes_for_rounding(
    judge: Judge, tmp_path: Path, source: str, name: str, text: str
) -> None:
    found = verdicts(judge, tmp_path / "card.py", source, name, text)
    assert all(said.startswith(Verdict.WRONG) for said in found.values()), found
