"""Cards without a twin in Python: the truths of their checkers against autograd.

Each forward is written once more here, with autograd's NumPy, from the card's question alone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograd.numpy as np
import pytest
from autograd import grad
from numpy.testing import assert_allclose

from quizzer.card import parse
from quizzer.judge.judges import Judge
from quizzer.judge.prepared import Prepared

DECK = Path(__file__).parents[3] / "cards"
TWINS = Path(__file__).parents[2] / "python_deck"


def scalar_graph(x, y):
    u = x * y
    return {"L": u * (u + x)}


def fan_out(x, W, U):
    return {"u": W @ x, "v": U @ x}


def outer_product(a, b):
    return {"y": a[:, None] * b[None, :]}


def sum_mean_max(X):
    return {"s": np.sum(X, axis=0), "mu": np.mean(X, axis=0), "t": np.max(X, axis=0)}


def cumulative_sum(x, w):
    return {"y": w * np.cumsum(x)}


def scatter_add(x, w, k, J):
    return {"y": np.eye(J)[:, k] @ (w * x)}


def two_layer_network(X, W, b, V, Y):
    logits = np.maximum(0, X @ W + b) @ V
    normaliser = np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    return {"L": -np.sum(Y * (logits - normaliser)) / len(X)}


def bilinear(x, z, W):
    return {"y": np.einsum("i,kij,j->k", x, W, z)}


def low_rank_adapter(X, W, A, B, s):
    return {"Y": X @ W + s * (X @ A) @ B}


def tied_weights(x, W):
    return {"r": W.T @ np.tanh(W @ x)}


def weight_norm(X, v, g):
    return {"y": X @ (g * v / np.sqrt(np.sum(v**2)))}


def swiglu(x, W, V, U):
    gate = W @ x
    return {"y": U @ (gate / (1 + np.exp(-gate)) * (V @ x))}


FORWARDS: dict[str, Callable[..., Any]] = {
    made.__name__: made
    for made in (
        scalar_graph, fan_out, outer_product, sum_mean_max, cumulative_sum, scatter_add,
        two_layer_network, bilinear, low_rank_adapter, tied_weights, weight_norm, swiglu,
    )
}  # fmt: skip


def test_every_checker_has_a_twin_or_an_oracle() -> None:
    checked = {path.stem for path in DECK.rglob("*.md") if _has_checker(path)}
    assert checked == {path.stem for path in TWINS.rglob("*.py")} | FORWARDS.keys()


@pytest.mark.parametrize("stem", FORWARDS)
def test_every_truth_is_the_gradient_of_autograd(judge_here: Judge, stem: str) -> None:
    (path,) = DECK.rglob(f"{stem}.md")
    oracle = FORWARDS[stem]
    names = oracle.__code__.co_varnames[: oracle.__code__.co_argcount]
    prepared = Prepared(judge_here.checker(path), seed=3)
    asked = prepared.posed().sheet.asked
    assert asked
    for name in asked:
        case = prepared.case(name)
        for instance, truth in zip(case.posed.instances[:4], case.truths, strict=False):
            inputs = {each: instance.names[each] for each in names}
            expected = _derivative(oracle, inputs, name, instance.names)
            assert_allclose(truth.value, expected, rtol=1e-6, atol=1e-8)


def _derivative(
    oracle: Callable[..., Any], inputs: dict[str, Any], asked: str, names: dict[str, Any]
) -> Any:
    """`dx` from the upstreams of all outputs, or `dL_dx` of the number L."""
    by = asked.rpartition("d")[2]

    def weighed(value: Any) -> Any:
        outputs = oracle(**{**inputs, by: value})
        if asked == f"dL_d{by}":
            return outputs["L"]
        return sum(np.sum(names[f"d{each}"] * outputs[each]) for each in outputs)

    return grad(weighed)(np.array(inputs[by], float))


def _has_checker(path: Path) -> bool:
    card = parse(path.read_bytes(), path).card
    return card is not None and card.checker is not None
