"""Small forwards with what is right for them, and what a text is worth on any of their sizes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quizzer.notation import Context, Invalid, read

Array = np.ndarray[Any, np.dtype[Any]]
Drawn = tuple[dict[str, Any], dict[str, Any]]
"""The names that an answer may use, and the right answers."""

INSTANCES = 4
SHAPES = 24


@dataclass(frozen=True)
class Forward:
    """How instances are drawn, and how the card writes its names."""

    draw: Callable[[np.random.Generator], Drawn]
    upstreams: tuple[str, ...] = ()
    symbols: dict[str, str] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()
    first_index: int = 0
    sets: tuple[str, ...] = ()

    def context(self, asked: str) -> Context:
        rng = np.random.default_rng(0)
        drawn = [self.draw(rng) for _ in range(SHAPES)]
        truth = drawn[0][1]
        samples = tuple(
            {name: np.shape(value) for name, value in {**env, asked: truths[asked]}.items()}
            for env, truths in drawn
        )
        return Context(
            {name: np.shape(value) for name, value in drawn[0][0].items()},
            asked,
            np.shape(truth[asked]),
            self.symbols,
            self.upstreams,
            self.numbers,
            tuple(name for name in truth if name != asked),
            self.first_index,
            samples,
            {name: tuple(int(env[name]) for env, _ in drawn) for name in self.numbers},
            self.sets,
        )


def worth(forward: Forward, asked: str, text: str, seed: int, notation: str | None = None) -> str:
    """`right`, `wrong`, or the sentence that says why it is invalid, on the instances of a seed."""
    reading = read(text, forward.context(asked), notation)
    if isinstance(reading, Invalid):
        return reading.message
    rng = np.random.default_rng(seed + 1)
    right = True
    for _ in range(INSTANCES):
        env, truth = forward.draw(rng)
        value = reading.evaluate(env, np.shape(truth[asked]))
        if isinstance(value, Invalid):
            return value.message
        expected = np.asarray(truth[asked], float)
        squeezed = np.squeeze(value).shape == np.squeeze(expected).shape
        right &= squeezed and np.allclose(np.squeeze(value), np.squeeze(expected), rtol=1e-9)
    return "right" if right else "wrong"


def _sizes(rng: np.random.Generator, count: int) -> list[int]:
    return [int(size) for size in rng.integers(2, 5, count)]


def linear(rng: np.random.Generator) -> Drawn:
    k, d = _sizes(rng, 2)
    W, x, b, dy = (rng.standard_normal(s) for s in ((k, d), d, k, k))
    env = {"W": W, "x": x, "b": b, "y": W @ x + b, "dy": dy, "K": k, "D": d, "N": 5}
    return env, {"dW": np.outer(dy, x), "dx": W.T @ dy, "db": dy}


def batched(rng: np.random.Generator) -> Drawn:
    n, i, m = _sizes(rng, 3)
    X, W, dY = (rng.standard_normal(s) for s in ((n, i), (i, m), (n, m)))
    env = {"X": X, "W": W, "Y": X @ W, "dY": dY, "N": n, "M": m}
    return env, {"dW": X.T @ dY, "dX": dY @ W.T, "db": dY.sum(axis=0), "dc": dY.sum(axis=1)}


def sigmoid(rng: np.random.Generator) -> Drawn:
    (n,) = _sizes(rng, 1)
    x, dy = rng.standard_normal((2, n))
    y = 1 / (1 + np.exp(-x))
    env = {"x": x, "y": y, "dy": dy, "a": np.asarray(0.7), "N": n}
    return env, {"dx": dy * y * (1 - y), "dz": dy * (x > 0), "dp": np.where(x > 0, dy, 0.7 * dy)}


def tanh_layers(rng: np.random.Generator) -> Drawn:
    a, b, c, d = _sizes(rng, 4)
    P, X, W, dY = (rng.standard_normal(s) for s in ((a, b), (b, c), (c, d), (a, d)))
    Y = np.tanh(P @ X @ W)
    env = {"P": P, "X": X, "W": W, "Y": Y, "dY": dY}
    return env, {"dX": P.T @ (dY * (1 - Y * Y)) @ W.T}


def hidden(rng: np.random.Generator) -> Drawn:
    n, m = _sizes(rng, 2)
    W, x, dh = (rng.standard_normal(s) for s in ((n, m), m, n))
    h = np.tanh(W @ x)
    return {"W": W, "x": x, "h": h, "dh": dh}, {
        "dx": W.T @ (dh * (1 - h * h)),
        "dW": np.outer(dh * (1 - h * h), x),
    }


def joined(rng: np.random.Generator) -> Drawn:
    n, m = _sizes(rng, 2)
    a, b, dy = (rng.standard_normal(s) for s in (n, m, n + m))
    truth = {"da": dy[:n], "dq": 2 * a * dy[:n], "db": dy[n:]}
    return {"a": a, "b": b, "dy": dy, "n": n, "m": m}, truth


def spectral(rng: np.random.Generator) -> Drawn:
    (n,) = _sizes(rng, 1)
    S = rng.standard_normal((n, n))
    lam, U = np.linalg.eigh(S + S.T)
    return {"S": S + S.T, "lam": lam, "U": U}, {"df_dS": U @ np.diag(np.exp(lam)) @ U.T}


def cross_entropy(rng: np.random.Generator) -> Drawn:
    (n,) = _sizes(rng, 1)
    z = rng.standard_normal(n)
    y = np.eye(n)[int(rng.integers(n))]
    p = np.exp(z) / np.exp(z).sum()
    return {"z": z, "y": y, "p": p, "K": n}, {"dL_dz": p - y, "dp_dz": np.diag(p) - np.outer(p, p)}


def soft_labels(rng: np.random.Generator) -> Drawn:
    """Labels that add up to 1 but for rounding."""
    (n,) = _sizes(rng, 1)
    z, y = rng.standard_normal(n), rng.uniform(0, 1, n)
    y /= y.sum()
    p = np.exp(z) / np.exp(z).sum()
    return {"z": z, "y": y, "p": p, "K": n}, {"dL_dz": p - y}


def hinges(rng: np.random.Generator) -> Drawn:
    """The hinge loss of scores, with multipliers of its dual."""
    (n,) = _sizes(rng, 1)
    s, y, alpha = rng.standard_normal(n), rng.choice([-1.0, 1.0], n), rng.uniform(0, 1, n)
    loss = np.maximum(0, 1 - y * s).sum()
    return {"s": s, "y": y, "alpha": alpha, "m": n}, {"L": np.asarray(loss), "q": alpha * y}


def crossed(rng: np.random.Generator) -> Drawn:
    """A cross product: its vectors always have three entries."""
    b, c, dy = rng.standard_normal((3, 3))
    return {"b": b, "c": c, "dy": dy}, {"db": np.cross(c, dy), "dc": np.cross(dy, b)}


def channels(rng: np.random.Generator) -> Drawn:
    """A linear layer at every step of a sequence."""
    n, c, k, t = _sizes(rng, 4)
    W, x, dy = (rng.standard_normal(s) for s in ((k, c), (n, c, t), (n, k, t)))
    return {"W": W, "x": x, "dy": dy}, {"dx": np.einsum("kc,nkt->nct", W, dy)}


def counts(rng: np.random.Generator) -> Drawn:
    """Answers that are numbers: nothing of the names belongs to them."""
    (n,) = _sizes(rng, 1)
    x = rng.standard_normal(n)
    truth = {"v": np.array([5, 3]) / 8, "w": np.array([5, 3, 3, 1]) / 8, "q": np.asarray(2.5)}
    return {"x": x, "n": n}, truth


def products(rng: np.random.Generator) -> Drawn:
    n, m = _sizes(rng, 2)
    a, b = rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, m)
    truth = {"P": np.asarray(a.prod() * b.prod()), "S": np.asarray(a.sum() * b.sum())}
    return {"a": a, "b": b, "n": n, "m": m}, truth


def pooling(rng: np.random.Generator) -> Drawn:
    h, w = _sizes(rng, 2)
    x = rng.standard_normal((2 * h, 2 * w))
    f = x.reshape(h, 2, w, 2).max(axis=(1, 3))
    local = np.zeros((h, w, 2 * h, 2 * w))
    for i, j in np.ndindex(x.shape):
        local[i // 2, j // 2, i, j] = x[i, j] == f[i // 2, j // 2]
    return {"x": x, "f": f, "df": rng.standard_normal((h, w))}, {"df_dx": local}


def pairs(rng: np.random.Generator) -> Drawn:
    """A matrix to itself: its Jacobian has four axes and is Kronecker's."""
    n, m = _sizes(rng, 2)
    A = rng.standard_normal((n, m))
    local = np.einsum("mi,nj->mnij", np.eye(n), np.eye(m))
    return {"A": A, "Y": A, "dY": rng.standard_normal((n, m))}, {"dY_dA": local}


def array_k(rng: np.random.Generator) -> Drawn:
    """An array that is called as an index often is."""
    (n,) = _sizes(rng, 1)
    k, x = rng.standard_normal((2, n))
    return {"k": k, "x": x, "dy": rng.standard_normal(n)}, {"dx": k * x, "ds": k * np.sum(x)}


def scattered(rng: np.random.Generator) -> Drawn:
    """Entries added into bins, and rows that are looked up."""
    n, m = _sizes(rng, 2)
    k, x, dy = rng.integers(m, size=n), rng.standard_normal(n), rng.standard_normal(m)
    dZ = rng.standard_normal((n, m))
    E = rng.standard_normal((m, m + 1))
    env = {"k": k, "x": x, "dy": dy, "dZ": dZ, "E": E, "n": n, "m": m}
    truth = {"dx": dy[k], "dX": (k[:, None] == np.arange(m)) * dy[k][:, None], "Y": E[k]}
    return env, truth | {"dv": dZ[np.arange(n), k]}


def spaced(rng: np.random.Generator) -> Drawn:
    """Every s-th entry of the output is an input."""
    n, s = _sizes(rng, 2)
    dy = rng.standard_normal(n * s * 2)
    truth = {"dx": dy[: 2 * n : 2], "dv": dy[: n * s : s], "dL_dz": np.eye(n)[1]}
    return {"x": rng.standard_normal(n), "dy": dy, "n": n, "s": s}, truth


def clipped(rng: np.random.Generator) -> Drawn:
    (n,) = _sizes(rng, 1)
    r, a, dy = rng.standard_normal((3, n))
    return {"r": r, "a": a, "dy": dy}, {
        "dr": dy * np.where(a > 0, r < 1, r > -1),
        "u": np.asarray(1.0),
    }


def largest(rng: np.random.Generator) -> Drawn:
    a, b, dm = rng.standard_normal((3, 1, 1))[:, 0, 0]
    env = {"a": np.asarray(a), "b": np.asarray(b), "m": np.asarray(max(a, b))}
    return env | {"dm": np.asarray(dm)}, {"da": np.asarray(dm * (a > b))}


def squared(rng: np.random.Generator) -> Drawn:
    """The square of a symmetric matrix."""
    (n,) = _sizes(rng, 1)
    S, dF = rng.standard_normal((2, n, n))
    return {"S": S + S.T, "dF": dF}, {"dS": dF @ (S + S.T) + (S + S.T) @ dF}


def softmax_rows(rng: np.random.Generator) -> Drawn:
    n, k = _sizes(rng, 2)
    X, dY = rng.standard_normal((2, n, k))
    Y = np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)
    return {"X": X, "Y": Y, "dY": dY}, {"dX": Y * (dY - (dY * Y).sum(axis=1, keepdims=True))}


def windows(rng: np.random.Generator) -> Drawn:
    """Max pooling, whose windows the card defines as sets."""
    h, w = _sizes(rng, 2)
    x, df = rng.standard_normal((2 * h, 2 * w)), rng.standard_normal((h, w))
    f = x.reshape(h, 2, w, 2).max(axis=(1, 3))
    ones = np.ones((2, 2))
    won = x == np.kron(f, ones)
    env = {"x": x, "f": f, "df": df, "s": 2, "H": 2 * h, "W": 2 * w}
    return env, {"dx": np.kron(df, ones) * won, "dv": np.kron(df, ones) / 4}


def turned(rng: np.random.Generator) -> Drawn:
    """Pairs of numbers, each turned by an angle."""
    t, k = _sizes(rng, 2)
    angle, dy = rng.standard_normal((t, k)), rng.standard_normal((t, k, 2))
    C, S = np.cos(angle), np.sin(angle)
    dx = np.stack([C * dy[..., 0] + S * dy[..., 1], C * dy[..., 1] - S * dy[..., 0]], axis=-1)
    return {"C": C, "S": S, "dy": dy, "T": t, "K": k}, {"dx": dx}


def estimates(rng: np.random.Generator) -> Drawn:
    """Mean and covariance of rows, and a weighted sum of their squares."""
    n, d = _sizes(rng, 2)
    X, p = rng.standard_normal((n, d)), rng.uniform(0, 1, n)
    mu = X.mean(axis=0)
    truth = {"mu_hat": mu, "C_hat": (X - mu).T @ (X - mu) / n}
    truth["H"] = X.T @ np.diag(p * (1 - p)) @ X
    truth["m"] = X.T @ p
    return {"X": X, "p": p, "N": n, "D": d}, truth


def curved(rng: np.random.Generator) -> Drawn:
    """A gradient with its derivative, beside a Jacobian of something else."""
    n, d = _sizes(rng, 2)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    p = 1 / (1 + np.exp(-X @ w))
    truth = {"dg_dw": X.T @ np.diag(p * (1 - p)) @ X, "dp_dw": np.diag(p * (1 - p)) @ X}
    g = X.T @ (p - rng.integers(0, 2, n))
    return {"X": X, "w": w, "p": p, "g": g, "N": n, "D": d}, truth


def gates(rng: np.random.Generator) -> Drawn:
    """A gated sum whose gates have names with an index of their own."""
    (n,) = _sizes(rng, 1)
    a, b, c, dh = rng.standard_normal((4, n))
    z = 1 / (1 + np.exp(-a))
    env = {"a_z": a, "z": z, "b": b, "c": c, "dh": dh, "D": n}
    return env, {"da_z": dh * (b - c) * z * (1 - z), "db": dh * z}


def smoothed(rng: np.random.Generator) -> Drawn:
    """Probabilities against labels that keep a little for every class."""
    n, k = _sizes(rng, 2)
    p, t = rng.uniform(0, 1, (n, k)), rng.integers(k, size=n)
    e = float(rng.uniform(0.1, 0.3))
    target = (1 - e) * (t[:, None] == np.arange(k)) + e / k
    return {"p": p, "t": t, "e": np.asarray(e), "N": n, "K": k}, {"dL_dz": p - target}


_WINDOW = "Ω(k,l) = {2k, 2k+1} * {2l, 2l+1}"
_SPREAD = "Γ(k,l) = {(i,j) : sk <= i < sk + s, sl <= j < sl + s}"

FORWARDS = {
    "windows": Forward(windows, ("df",), numbers=frozenset("sHW"), sets=(_WINDOW, _SPREAD)),
    "turned": Forward(turned, ("dy",), numbers=frozenset("TK")),
    "estimates": Forward(estimates, numbers=frozenset("ND")),
    "curved": Forward(curved, numbers=frozenset("ND")),
    "gates": Forward(gates, ("dh",), numbers=frozenset("D")),
    "smoothed": Forward(smoothed, numbers=frozenset("NK")),
    "linear": Forward(linear, ("dy",), numbers=frozenset("KDN")),
    "batched": Forward(batched, ("dY",), numbers=frozenset("NM")),
    "sigmoid": Forward(sigmoid, ("dy",), numbers=frozenset("N")),
    "tanh_layers": Forward(tanh_layers, ("dY",)),
    "hidden": Forward(hidden, ("dh",)),
    "joined": Forward(joined, ("dy",), numbers=frozenset("nm")),
    "joined_from_1": Forward(joined, ("dy",), numbers=frozenset("nm"), first_index=1),
    "spectral": Forward(spectral, symbols={"lam": "λ"}),
    "cross_entropy": Forward(cross_entropy, numbers=frozenset("K")),
    "soft_labels": Forward(soft_labels, numbers=frozenset("K")),
    "hinges": Forward(hinges, (), {"alpha": "α"}, numbers=frozenset("m")),
    "crossed": Forward(crossed, ("dy",)),
    "channels": Forward(channels, ("dy",)),
    "counts": Forward(counts, numbers=frozenset("n")),
    "products": Forward(products, numbers=frozenset("nm")),
    "pooling": Forward(pooling, ("df",)),
    "pairs": Forward(pairs, ("dY",)),
    "array_k": Forward(array_k, ("dy",), {"k": "k_i"}),
    "scattered": Forward(scattered, ("dy",), numbers=frozenset("nm")),
    "scattered_twice": Forward(scattered, ("dZ",), numbers=frozenset("nm")),
    "spaced": Forward(spaced, ("dy",), numbers=frozenset("ns")),
    "softmax_rows": Forward(softmax_rows, ("dY",)),
    "largest": Forward(largest, ("dm",)),
    "squared": Forward(squared, ("dF",)),
    "clipped": Forward(clipped, ("dy",)),
}
