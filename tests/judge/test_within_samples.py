"""Right answers that use what a card promises of its inputs: no problem may break that promise."""

from pathlib import Path

import pytest

from quizzer.judge.judges import Judge
from quizzer.values import Verdict
from tests.on_seeds import verdicts

RELATED = """
import numpy as np
def sample(rng):
    n = int(rng.integers(2, 5))
    W = rng.standard_normal((n, n)) + 3 * np.eye(n)
    return {"x": rng.standard_normal(n), "W": W, "V": np.linalg.inv(W)}
def forward(x, W, V):
    return {"y": np.maximum(V @ x, 0)}
answers = ["dx"]
"""
PROJECTED = """
import numpy as np
def sample(rng):
    n = int(rng.integers(3, 6))
    B = np.linalg.qr(rng.standard_normal((n, n)))[0][:, : n - 1]
    return {"x": rng.standard_normal(n), "P": B @ B.T}
def forward(x, P):
    return {"y": np.abs(P @ x)}
answers = ["dx"]
"""
ROTATED = """
import numpy as np
def sample(rng):
    n = int(rng.integers(2, 5))
    return {"x": rng.standard_normal(n), "Q": np.linalg.qr(rng.standard_normal((n, n)))[0]}
def forward(x, Q):
    return {"y": np.maximum(Q @ x, 0)}
answers = ["dx"]
"""
WITH_ZEROS = """
import numpy as np
def sample(rng):
    n = int(rng.integers(3, 7))
    return {"x": rng.integers(-2, 3, size=n).astype(float), "z": rng.standard_normal(n)}
def forward(x, z):
    return {"y": np.maximum(x, 0) * z}
answers = ["dx"]
"""
ORTHOGONAL = """
x: D
Q: D × D orthogonal
h = Q x
L = sum_i max(0, h_i)
ask dL_dx
"""
UNIT = """
u: D unit
x: D
y_i = max(‖u‖ x_i, x_i^2)
ask dx
"""
BOUNDED = """
x: N in (-0.9, 0.9)
y_i = |x_i| + max(0, x_i - 0.95)
"""
ORDERED = """
s: K sorted
y_k = |s_k|
z = max_j s_j
size K: 3..6
out y, z
"""
NEEDED = """
x: N
size N: 2..4
need max_i |x_i| < 0.8
y_i = |x_i| + max(0, x_i - 0.9)
"""
APART = """
x: N
w: D
size N: 2..4
size D: 2..4
need sum_i x_i / x_i > sum_j w_j / w_j
need max_i |x_i| < 0.6
y_i = max(0, x_i) sum_j w_j
ask dx
"""
"""No sample with equal lengths or wide numbers meets what is needed, or hardly one."""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (RELATED, "dx = np.linalg.solve(W.T, dy * (y > 0))"),
        (PROJECTED, "dx = P P (dy ⊙ sign(P x))"),
        (ROTATED, "dx = Q^{-1} (dy ⊙ [y > 0])"),
        (WITH_ZEROS, "dx = dy * z * (x > 0)"),
        (ORTHOGONAL, "dL_dx = Q^{-1} [h > 0]"),
        (UNIT, "dx = dy * np.where(x > x**2, 1, 2 * x)"),
        (BOUNDED, "dx = dy * np.sign(x)"),
        (ORDERED, "ds = dy * np.sign(s) + dz * (np.arange(len(s)) == len(s) - 1)"),
        (NEEDED, "dx = dy * np.sign(x)"),
        (APART, "dx = dy * (x > 0) * sum(w)"),
    ],
)
def test_what_samples_promise_may_be_used(
    judge_here: Judge, tmp_path: Path, source: str, text: str
) -> None:
    assert verdicts(judge_here, tmp_path, source, text) == {Verdict.CORRECT}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (RELATED, "dx = np.linalg.solve(W.T, dy * (y > 1e-3))"),
        (ORTHOGONAL, "dL_dx = Q^{-1} [h > 0.003]"),
        (UNIT, "dx = dy * np.where(x > x**2 + 1e-3, 1, 2 * x)"),
        (NEEDED, "dx = dy * np.sign(x - 2e-3)"),
    ],
)
def test_what_is_wrong_beside_a_border_is_wrong_there_too(
    judge_here: Judge, tmp_path: Path, source: str, text: str
) -> None:
    assert verdicts(judge_here, tmp_path, source, text) == {Verdict.WRONG}
