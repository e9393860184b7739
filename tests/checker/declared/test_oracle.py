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


def word2vec(v, u, Z):
    return {"L": np.log(1 + np.exp(-(u @ v))) + np.sum(np.log(1 + np.exp(Z @ v)))}


def preference_pairs(p, q, r, s, beta):
    return {"L": np.mean(np.log(1 + np.exp(-beta * (p - r - q + s))))}


def distillation(z, t, tau):
    student = np.exp(z / tau) / np.sum(np.exp(z / tau), axis=1, keepdims=True)
    teacher = np.exp(t / tau) / np.sum(np.exp(t / tau), axis=1, keepdims=True)
    return {"L": -(tau**2) * np.sum(teacher * np.log(student)) / len(z)}


def dice_loss(p, y, eps):
    return {"L": 1 - 2 * np.sum(p * y) / (np.sum(p) + np.sum(y) + eps)}


def pinball_loss(f, y, tau):
    return {"L": np.mean(np.maximum(tau * (y - f), (tau - 1) * (y - f)))}


def brier_score(z, y):
    return {"L": np.sum((np.exp(z) / np.sum(np.exp(z)) - y) ** 2)}


def linear_attention(Q, K, V):
    return {"O": Q @ K.T @ V}


def graph_convolution(S, X, W):
    return {"Y": np.maximum(0, S @ X @ W)}


def planar_flow(z, w, u, b):
    bent = np.tanh(w @ z + b)
    jacobian = np.eye(len(z)) + (1 - bent**2) * np.outer(u, w)
    return {"y": z + u * bent, "s": np.linalg.slogdet(jacobian)[1]}


def gumbel_softmax(z, u, tau):
    score = np.exp((z - np.log(-np.log(u))) / tau)
    return {"y": score / np.sum(score)}


def generalised_advantage(r, v, gamma, c):
    following = np.concatenate([v[1:], np.zeros(1)])
    distance = np.arange(len(r)) - np.arange(len(r))[:, None]
    decay = np.where(distance >= 0, c ** np.maximum(distance, 0.0), 0.0)
    return {"A": decay @ (r + gamma * following - v)}


def clipped_policy(l, k, A, eps):  # noqa: E741, as the card writes it
    ratio = np.exp(l - k)
    clipped = np.minimum(np.maximum(ratio, 1 - eps), 1 + eps)
    return {"L": -np.mean(np.minimum(ratio * A, clipped * A))}


def kernel_ridge(K, y, lam, alpha):
    error = K @ alpha - y
    return {"objective": error @ error + lam * alpha @ K @ alpha}


def categorical_maximum_likelihood(c, pi):
    return {"objective": -np.sum(c * np.log(pi / np.sum(pi)))}


FORWARDS: dict[str, Callable[..., Any]] = {
    made.__name__: made
    for made in (
        scalar_graph, fan_out, outer_product, sum_mean_max, cumulative_sum, scatter_add,
        two_layer_network, bilinear, low_rank_adapter, tied_weights, weight_norm, swiglu,
        word2vec, preference_pairs, distillation, dice_loss, pinball_loss, brier_score,
        linear_attention, graph_convolution, planar_flow, gumbel_softmax, generalised_advantage,
        clipped_policy, kernel_ridge, categorical_maximum_likelihood,
    )
}  # fmt: skip


def test_every_checker_has_a_twin_or_an_oracle() -> None:
    checked = {path.stem for path in DECK.rglob("*.md") if _has_checker(path)}
    assert checked == {path.stem for path in TWINS.rglob("*.py")} | FORWARDS.keys()


@pytest.mark.parametrize("stem", FORWARDS)
def test_every_truth_agrees_with_the_gradient_of_autograd(judge_here: Judge, stem: str) -> None:
    (path,) = DECK.rglob(f"{stem}.md")
    oracle = FORWARDS[stem]
    names = oracle.__code__.co_varnames[: oracle.__code__.co_argcount]
    prepared = Prepared(judge_here.checker(path), seed=3)
    asked = prepared.posed().sheet.asked
    assert asked
    for name in asked:
        case = prepared.case(name)
        for instance, truth in zip(case.posed.instances[:4], case.truths, strict=False):
            inputs = {each: instance.names[each] for each in names if each != name}
            if name in names:  # what is asked minimises the objective
                assert_allclose(_slope(oracle, inputs, name, truth.value), 0, atol=1e-6)
                continue
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


def _slope(oracle: Callable[..., Any], inputs: dict[str, Any], name: str, at: Any) -> Any:
    return grad(lambda value: oracle(**{**inputs, name: value})["objective"])(at)


def _has_checker(path: Path) -> bool:
    card = parse(path.read_bytes(), path).card
    return card is not None and card.checker is not None
