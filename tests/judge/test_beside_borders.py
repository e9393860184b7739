"""Answers whose own pieces end beside those of the forward, or where its samples seldom go."""

from pathlib import Path

import pytest

from quizzer.judge.judges import Judge
from quizzer.values import Verdict
from tests.on_seeds import verdicts

ELU = """
alpha: number positive
x: D
y_i = [x_i > 0] x_i + [x_i <= 0] alpha (exp(x_i) - 1)
"""
SOFTSIGN = """
x: D
y_i = x_i / (1 + |x_i|)
"""
SIGMOID = """
x: D
y_i = 1 / (1 + exp(-x_i))
"""
HUBER = """
c: number positive
x: N
y_n = [|x_n| <= c] x_n^2 / 2 + [|x_n| > c] (c |x_n| - c^2 / 2)
"""
LARGEST = """
x: K
y = max_k x_k
"""
LINEAR = """
W: K × D
x: D
y = W x
"""
PYTHON = """
import numpy as np
def sample(rng):
    n, d = rng.integers(2, 5, 2)
    return {"X": rng.standard_normal((n, d)), "w": rng.standard_normal(d)}
def forward(X, w):
    return {"y": np.maximum(X @ w, 0)}
"""
POSITIVE = """
x: N positive
y_n = x_n^2
"""
MARGIN = """
x, w: D
need |1 - Σ_i x_i w_i| > 0.2
y = max(0, 1 - Σ_i x_i w_i)
ask dy_dx
"""
CROWDED = """
x: D
need sum_i [0 < x_i < 0.1] > 0
need sum_i [-0.1 < x_i < 0] > 0
y_i = max(0, x_i)
"""
HINGES = """
X: N × D
w: D
y: N sign
m_n = y_n Σ_d X_{nd} w_d
need (sum_n [0.5 < m_n < 1]) (sum_n [1 < m_n < 1.5]) > 0
L = Σ_n max(0, 1 - m_n)
ask dw
"""
MINIMUM = """
import numpy as np
answers = {"dw": "message"}
right = {"dw": ["0 w"]}
def sample(rng):
    d = rng.integers(2, 4)
    X, y = rng.standard_normal((6, d)), rng.standard_normal(6)
    return {"X": X, "y": y, "w": np.linalg.solve(X.T @ X, X.T @ y)}
def forward(X, y, w):
    return {"L": 0.5 * np.sum((X @ w - y) ** 2)}
"""
NUMBER = """
x: number
y = max(0, x)^2
ask dx
"""


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    """What is judged here does not depend on where code runs."""
    return judge_here


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (ELU, "dx = dy * np.where(x > -0.001, 1, y + alpha)"),
        (ELU, "dx = dy * np.where(x > 0.0005, 1, y + alpha)"),
        (SOFTSIGN, "dx = dy / (1 + abs(x))**2 * (abs(x) > 1e-3)"),
        (SIGMOID, "dx = dy * y * (1 - y) * (abs(x) > 1e-3)"),
        (HUBER, "dx = dy * np.where(abs(x) <= c + 1e-3, x, c * np.sign(x))"),
        (HUBER, "dx = dy * np.where(abs(x) <= c, x, c * np.sign(x)) * (abs(x) > 1e-3)"),
        (LARGEST, "dx = dy * (x > x.max() - 1e-3)"),
        (LINEAR, "dx = W.T @ dy if W.shape[0] != W.shape[1] else 0 * x"),
        (LINEAR, "dx = W.T @ dy * (len(x) != len(dy))"),
        (SIGMOID, "dx = dy * y * (1 - y) * (abs(x) < 5.5)"),
        (CROWDED, "dx = dy * (x > 1e-3)"),
        (HINGES, "dw = -dL * X.T @ (y * (m < 1 - 1e-3))"),
        (HINGES, "dw = -dL * X.T @ (y * (m < 1 + 1e-3))"),
        (PYTHON, "dX = np.outer(dy * (X @ w > -1e-3), w)"),
        (PYTHON, "dX = np.outer(dy * (X @ w > 0), w) if len(w) != len(dy) else 0 * X"),
    ],
)
def test_an_answer_that_is_wrong_only_beside_a_border_is_wrong(
    judge: Judge, tmp_path: Path, source: str, text: str
) -> None:
    assert verdicts(judge, tmp_path, source, text) == {Verdict.WRONG}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (ELU, "dx = dy * np.where(x > 0, 1, y + alpha)"),
        (SOFTSIGN, "dx = dy / (1 + abs(x))**2"),
        (SOFTSIGN, "dx = dy * np.where(x > 0, 1 / (1 + x)**2, 1 / (1 - x)**2)"),
        (SIGMOID, "dx = dy * np.where(x > 0, np.exp(-x) / (1 + np.exp(-x))**2, y * (1 - y))"),
        (HUBER, "dx = dy * np.clip(x, -c, c)"),
        (LARGEST, "dx = dy * (x == x.max())"),
        (LINEAR, "dx = W.T @ dy if W.shape[0] != W.shape[1] else dy @ W"),
        (POSITIVE, "dx = 2 * abs(x) * dy"),
        (CROWDED, "dx = dy * (x > 0)"),
        (HINGES, "dw = -dL * X.T @ (y * (m < 1))"),
        (PYTHON, "dX = np.outer(dy * (X @ w > 0), w)"),
        (NUMBER, "dx = np.where(x > 0, 2 * x * dy, 0)"),
    ],
)
def test_right_pieces_are_right_beside_every_border(
    judge: Judge, tmp_path: Path, source: str, text: str
) -> None:
    assert verdicts(judge, tmp_path, source, text) == {Verdict.CORRECT}


def test_nothing_is_judged_where_a_need_does_not_hold(judge: Judge, tmp_path: Path) -> None:
    """What a sample may not be is no problem either: here the hinge is never near its kink."""
    text = "dy_dx = -w * (1 - x @ w > 0.1)"
    assert verdicts(judge, tmp_path, MARGIN, text) == {Verdict.CORRECT}


def test_an_answer_may_use_what_all_samples_have_in_common(judge: Judge, tmp_path: Path) -> None:
    """Here every sample is at its minimum, and so is every problem on the way to another one."""
    assert verdicts(judge, tmp_path, MINIMUM, "dw = np.where(w > 0, 0, 0 * w)") == {Verdict.CORRECT}
