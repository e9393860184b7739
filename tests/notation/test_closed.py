"""Which NumPy notation is a formula, that leaves nothing behind in its process."""

import ast

import pytest

from quizzer.notation.python.closed import is_closed


@pytest.mark.parametrize(
    "text",
    [
        "dx = dy * (1 - y**2)",
        "a = dy.sum(axis=1, keepdims=True)\ndx = a * x / len(x)",
        "dx = np.einsum('ij,j->i', x, dy) if N > 2 else np.zeros_like(x)",
        "dx = -y * (y * s < 1) / N",
        "dx = np.linalg.inv(x.T @ x)[..., None] * x[:, 1:].reshape(-1, 2)",
        "dx = max(x, 0) + softmax(x, axis=-1) @ np.array([1, 2])",
    ],
)
def test_names_numbers_operators_and_known_functions_are_one(text: str) -> None:
    assert is_closed(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "def dx(x):\n    return x",
        "f = lambda x: x",
        "[a for a in x]",
        "for a in x:\n    y = a",
        "while True:\n    y = 1",
        "import numpy",
        "x += 1",
        "x[0] = 1",
        "x.T = 1",
        "a, x[0] = 1, 2",
        "del x",
        "x.fill(0)",
        "np.exp.__class__",
        "np.random.seed(1)",
        "np.seterr(all='raise')",
        "np.add.at(x, 0, 1)",
        "np.copyto(x, 1)",
        "np.lib.stride_tricks.as_strided(x)",
        "y = np.exp(x, out=x)",
        "y = np.exp(x, where=x > 0)",
        "y = print(x)",
        "y = map(abs, x)",
        "y = __builtins__",
        "y = __import__('math')",
        "(y := x)",
        "y = f'{x}'",
        "y = abs(*x)",
        "y = abs(**x)",
    ],
)
def test_all_else_is_none(text: str) -> None:
    assert not is_closed(ast.parse(text))
