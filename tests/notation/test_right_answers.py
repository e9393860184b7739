"""Texts that a learner may type for a right answer, with what NumPy says they are worth."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from quizzer.notation import Context, Reading, read

Array = np.ndarray[Any, np.dtype[Any]]
RNG = np.random.default_rng(7)


def normal(*shape: int) -> Array:
    return RNG.standard_normal(shape)


def probabilities(*shape: int) -> Array:
    powers = np.exp(normal(*shape))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


@dataclass(frozen=True)
class Card:
    """The names of one card with their values, and what is right for the asked names."""

    env: dict[str, Array]
    truth: dict[str, Array]
    upstreams: tuple[str, ...] = ()
    symbols: dict[str, str] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()
    first_index: int = 0

    def context(self, asked: str) -> Context:
        return Context(
            {name: np.shape(value) for name, value in self.env.items()},
            asked,
            np.shape(self.truth[asked]),
            self.symbols,
            self.upstreams,
            self.numbers,
            tuple(name for name in self.truth if name != asked),
            self.first_index,
        )


def linear() -> Card:
    W, x, b, dy = normal(5, 3), normal(3), normal(5), normal(5)
    truth = {"dW": np.outer(dy, x), "dx": W.T @ dy, "db": dy}
    truth["dy_dx"] = W
    truth["dy_dW"] = np.einsum("km,j->kmj", np.eye(5), x)
    env = {"W": W, "x": x, "b": b, "y": W @ x + b, "dy": dy}
    return Card(env, truth, ("dy",))


def batched() -> Card:
    X, W, b, dY = normal(6, 4), normal(4, 2), normal(2), normal(6, 2)
    truth = {"dW": X.T @ dY, "dX": dY @ W.T, "db": dY.sum(axis=0)}
    N = np.asarray(6)
    env = {"X": X, "W": W, "b": b, "Y": X @ W + b, "dY": dY, "N": N}
    return Card(env, truth, ("dY",), numbers=frozenset({"N"}))


def regression() -> Card:
    X, w, t, lam, dL = normal(7, 3), normal(3), normal(7), np.asarray(0.3), np.asarray(1.7)
    y_hat = X @ w
    dw = X.T @ (y_hat - t) / 7 * dL
    truth = {"dw": dw, "dw_ridge": dw + lam * w, "loss": np.asarray(np.mean((y_hat - t) ** 2) / 2)}
    env = {"X": X, "w": w, "t": t, "lam": lam, "y_hat": y_hat, "dL": dL, "N": np.asarray(7)}
    symbols = {"y_hat": "ŷ", "lam": "λ"}
    return Card(env, truth, ("dL",), symbols, frozenset({"N"}))


def softmax_layer() -> Card:
    z, dp = normal(4), normal(4)
    p = np.exp(z) / np.exp(z).sum()
    jacobian = np.diag(p) - np.outer(p, p)
    return Card({"z": z, "p": p, "dp": dp}, {"dz": jacobian @ dp, "dp_dz": jacobian}, ("dp",))


def cross_entropy() -> Card:
    Z, labels = normal(6, 3), RNG.integers(0, 3, 6)
    T = np.eye(3)[labels]
    P = np.exp(Z) / np.exp(Z).sum(axis=1, keepdims=True)
    env = {"Z": Z, "T": T, "P": P, "labels": labels, "N": np.asarray(6), "K": np.asarray(3)}
    loss = np.asarray(-(T * np.log(P)).sum() / 6)
    return Card(env, {"dZ": (P - T) / 6, "L": loss}, numbers=frozenset({"N", "K"}))


def pooling() -> Card:
    x, df = normal(4, 6), normal(2, 3)
    f = x.reshape(2, 2, 3, 2).max(axis=(1, 3))
    wide = np.kron(f, np.ones((2, 2))) == x
    local = np.zeros((2, 3, 4, 6))
    for k, m, i, j in np.ndindex(local.shape):
        local[k, m, i, j] = x[i, j] == f[k, m] and i // 2 == k and j // 2 == m
    truth = {"dx": np.kron(df, np.ones((2, 2))) * wide, "df_dx": local}
    return Card({"x": x, "f": f, "df": df}, truth, ("df",))


def convolution() -> Card:
    x, k, d = normal(7), normal(3), normal(5)
    dx, dk = np.zeros(7), np.zeros(3)
    for i, u in np.ndindex(5, 3):
        dx[i + u] += d[i] * k[u]
        dk[u] += d[i] * x[i + u]
    return Card({"x": x, "w": k, "y": np.zeros(5), "dy": d}, {"dx": dx, "dw": dk}, ("dy",))


def differences() -> Card:
    x, df = normal(6), normal(5)
    dx = np.zeros(6)
    dx[1:] += df
    dx[:-1] -= df
    return Card({"x": x, "f": x[1:] - x[:-1], "df": df}, {"dx": dx}, ("df",))


def attention() -> Card:
    Q, K, V, dO = normal(4, 3), normal(5, 3), normal(5, 2), normal(4, 2)
    scores = Q @ K.T / np.sqrt(3)
    P = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    dP = dO @ V.T
    dS = P * (dP - (P * dP).sum(axis=1, keepdims=True))
    truth = {"dV": P.T @ dO, "dQ": dS @ K / np.sqrt(3), "dK": dS.T @ Q / np.sqrt(3)}
    env = {"Q": Q, "K": K, "V": V, "P": P, "dO": dO, "d": np.asarray(3)}
    return Card(env, truth, ("dO",), numbers=frozenset({"d"}))


def layer_norm() -> Card:
    x, dy, eps = normal(5), normal(5), np.asarray(0.2)
    s = np.sqrt(((x - x.mean()) ** 2).mean() + eps)
    x_hat = (x - x.mean()) / s
    dx = (dy - dy.mean() - x_hat * (dy * x_hat).mean()) / s
    env = {"x": x, "dy": dy, "eps": eps, "s": s, "x_hat": x_hat, "n": np.asarray(5)}
    return Card(env, {"dx": dx}, ("dy",), {"x_hat": "\\hat{x}"}, frozenset({"n", "eps"}))


def logistic() -> Card:
    x, w, y = normal(4), normal(4), np.asarray(1.0)
    p = sigmoid(w @ x)
    env = {"x": x, "w": w, "y": y, "p": p, "z": np.asarray(w @ x)}
    return Card(env, {"dw": (p - y) * x, "dz": np.asarray(p - y)})


def quadratic() -> Card:
    A, x, S = normal(4, 4), normal(4), np.cov(normal(4, 9))
    truth = {"dx": (A + A.T) @ x, "dA": np.outer(x, x), "q": np.asarray(x @ A @ x)}
    truth |= {"dS": np.linalg.inv(S).T, "logdet": np.asarray(np.log(np.linalg.det(S)))}
    truth |= {"t": np.asarray(np.trace(A @ A)), "m": np.linalg.inv(S) @ x}
    return Card({"A": A, "x": x, "S": S}, truth, symbols={"S": "Σ"})


def activation() -> Card:
    z, da = normal(2, 3), normal(2, 3)
    relu, gate = da * (z > 0), sigmoid(z)
    truth = {"dz": relu, "ds": da * gate * (1 - gate), "dt": da * (1 - np.tanh(z) ** 2)}
    truth["dplus"] = da * gate
    return Card({"z": z, "da": da}, truth, ("da",))


def hidden() -> Card:
    x, W, U, dy = normal(3), normal(4, 3), normal(2, 4), normal(2)
    s = W @ x
    ds = (U.T @ dy) * (1 - np.tanh(s) ** 2)
    truth = {"dW": np.outer(ds, x), "dx": W.T @ ds, "dU": np.outer(dy, np.tanh(s))}
    return Card({"x": x, "W": W, "U": U, "dy": dy}, truth, ("dy",))


def one_based() -> Card:
    x, dy = normal(5), normal(5)
    dx = np.cumsum(dy[::-1])[::-1]
    truth = {"dx": dx, "weighted": np.arange(1, 6) * x}
    return Card({"x": x, "dy": dy, "n": np.asarray(5)}, truth, ("dy",), {}, frozenset({"n"}), 1)


def centring() -> Card:
    X, mu = normal(6, 3), normal(3)
    truth = {"C": X - X.mean(axis=0), "R": X - mu, "m": X.mean(axis=0), "D": np.eye(6) - 1 / 6}
    env = {"X": X, "mu": mu, "N": np.asarray(6)}
    return Card(env, truth, symbols={"mu": "μ"}, numbers=frozenset({"N"}))


def layers() -> Card:
    W1, W2, x, dy = normal(4, 3), normal(2, 4), normal(3), normal(2)
    truth = {"dW2": np.outer(dy, W1 @ x), "dx": W1.T @ W2.T @ dy}
    symbols = {"W1": "W^{(1)}", "W2": "W^{(2)}"}
    return Card({"W1": W1, "W2": W2, "x": x, "dy": dy}, truth, ("dy",), symbols)


def scatter() -> Card:
    """Strided convolution, a temperature, and rows added in place."""
    w, dy, x, p = normal(3), normal(2), normal(3), probabilities(3)
    s, tau, labels = 2, np.asarray(1.6), np.array([1, 0, 1, 2, 1])
    dz, g = np.zeros(5), normal(5)
    for j, u in np.ndindex(2, 3):
        dz[s * j + u] += dy[j] * w[u]
    rows = np.zeros(3)
    np.add.at(rows, labels, g)
    truth = {"dz": dz, "strided": w[[0, 2]], "rows": rows, "scaled": x / tau}
    truth |= {"jacobian": (np.diag(p) - np.outer(p, p)) / tau, "half": p / 2 * tau**2}
    truth |= {"unit": x / np.linalg.norm(x), "gate": np.where(x > 0, p, 2 * x), "total": p.sum()}
    truth |= {"first": p[1] - x[2], "lower": np.diag(p), "centred": p - p.mean(), "l": tau * 2}
    env = {"w": w, "dy": dy, "x": x, "p": p, "tau": tau, "s": np.asarray(s), "labels": labels}
    env |= {"g": g, "W1": np.diag(p), "D": np.asarray(3)}
    return Card(env, truth, ("dy",), {}, frozenset({"s", "D"}))


def scalars() -> Card:
    x, y, a = np.asarray(0.7), np.asarray(-1.3), np.asarray(2.2)
    truth = {"g": -(x**2), "h": 2 * x * y, "e": np.exp(-x * a), "k": np.asarray(-1.3)}
    return Card({"x": x, "y": y, "a": a}, truth)


CARDS = {
    make.__name__: make()
    for make in (
        linear, batched, regression, softmax_layer, cross_entropy, pooling, convolution,
        differences, attention, layer_norm, logistic, quadratic, activation, hidden, one_based,
        centring, layers, scatter, scalars,
    )
}  # fmt: skip

NUMPY = [
    ("linear", "dW", "np.outer(dy, x)"),
    ("linear", "dW", "dW = dy[:, None] * x"),
    ("linear", "dx", "W.T @ dy"),
    ("linear", "dx", "∂L/∂x = W.T @ delta"),
    ("linear", "dx", "dL/dx = W.T @ δ"),
    ("linear", "db", "dy"),
    ("linear", "dx", "def dx(W, dy):\n    total = np.zeros(W.shape[1])\n"
     "    for row, d in zip(W, dy):\n        total += d * row\n    return total"),
    ("linear", "dx", "g = dy\ndx = W.T @ g"),
    ("linear", "dx", "import numpy as np\ndx = np.einsum('ij,i->j', W, dy)"),
    ("batched", "db", "sum(dY, axis=0)"),
    ("batched", "db", "dY.sum(0)"),
    ("batched", "dX", "dY @ W.T"),
    ("regression", "dw", "dL / N * X.T @ (ŷ - t)"),
    ("regression", "dw_ridge", "X.T @ (y_hat - t) / N * dL + λ * w"),
    ("regression", "loss", "mean((y_hat - t)**2) / 2"),
    ("regression", "loss", "norm(y_hat - t)**2 / (2*N)"),
    ("softmax_layer", "dz", "p * (dp - sum(p * dp))"),
    ("softmax_layer", "dz", "s = softmax(z)\ns * (dp - s @ dp)"),
    ("softmax_layer", "dp_dz", "np.diag(p) - np.outer(p, p)"),
    ("cross_entropy", "dZ", "(softmax(Z) - one_hot(labels, K)) / N"),
    ("cross_entropy", "L", "mean(logsumexp(Z, axis=1) - sum(T*Z, axis=1))"),
    ("pooling", "dx", "dx = np.kron(df, np.ones((2, 2))) * (x == np.kron(f, np.ones((2, 2))))"),
    ("activation", "dz", "da * (z > 0)"),
    ("activation", "dz", "da * (max(z, 0) > 0)"),
    ("activation", "dz", "np.where(z > 0, da, 0)"),
    ("activation", "ds", "da * σ(z) * (1 − σ(z))"),
    ("layer_norm", "dx", "(dy - mean(dy) - x_hat * mean(dy * x_hat)) / s"),
    ("logistic", "dw", "(sigmoid(w @ x) - y) * x"),
    ("quadratic", "dS", "inv(S).T"),
    ("scalars", "k", "min(y, 0)"),
    ("scatter", "rows", "r = np.zeros_like(x)\nnp.add.at(r, labels, g)\nrows = r"),
    ("scatter", "rows", "r = np.zeros(3)\nnp.add.at(r, labels, g)\nr"),
    ("scatter", "rows", "rows = np.zeros(3)\nfor k, v in zip(labels, g):\n    rows[k] += v"),
    ("scatter", "lower", "lower = np.zeros((3, 3))\nnp.fill_diagonal(lower, p)"),
    ("scatter", "strided", "w[s * np.arange(2)]"),
    ("scatter", "strided", "k = [0, 2]\nstrided = w[k]"),
    ("scatter", "scaled", "  scaled = x / tau,"),
    ("scatter", "lower", "W_1"),
    ("activation", "dz", "m = -1 * (z > 0)\n-m * da"),
]  # fmt: skip

INDEX = [
    ("linear", "dW", "dW[i,j] = dy[i] x[j]"),
    ("linear", "dW", "dW_ij = dy_i x_j"),
    ("linear", "dW", "dW_{ij} = \\delta_i x_j"),
    ("linear", "dW", "\\frac{\\partial L}{\\partial W_{ij}} = \\delta_{i} x_{j}"),
    ("linear", "dW", "∂L/∂Wᵢⱼ = ∂L/∂yᵢ xⱼ"),
    ("linear", "dW", "δ_{W,ij} = δ_i x_j"),
    ("linear", "dx", "dx_j = Σ_i dy_i W_ij"),
    ("linear", "dx", "dx_j = \\sum_{k} \\delta_k W_{kj}"),
    ("linear", "dx", "dx_j = \\sum_{k=0}^{4} \\delta_k W_{kj}"),
    ("linear", "dx", "dx_j = sum(k) W^T_{jk} dy_k"),
    ("linear", "dx", "sum(k) W[k,j] dy[k]"),
    ("linear", "dy_dx", "\\frac{\\partial y_k}{\\partial x_j} = W_{kj}"),
    ("linear", "dy_dW", "dy_dW[k,m,j] = [k=m] x[j]"),
    ("linear", "dy_dW", "∂y_k/∂W_{mj} = δ_{km} x_j"),
    ("batched", "db", "db_m = Σ_n dY_{nm}"),
    ("batched", "dW", "dW_{im} = \\sum_n X_{ni} dY_{nm}"),
    ("batched", "dX", "dX[n,i] = sum_m dY[n,m] W[i,m]"),
    ("regression", "dw", "dw_i = dL 1/N sum_n X_{ni} (ŷ_n - t_n)"),
    ("regression", "dw", "dw_i = dL/N \\cdot \\sum_n X_{ni} (\\hat{y}_n - t_n)"),
    ("regression", "dw_ridge",
     "dw_ridge[i] = dL/N * sum(n) X[n,i] (y_hat[n] - t[n]) + \\lambda w_i"),
    ("regression", "loss", "\\frac{1}{2N} \\sum_n (\\hat y_n - t_n)^2"),
    ("regression", "loss", "1/2 mean_n (ŷ_n − t_n)²"),
    ("softmax_layer", "dp_dz", "dp_dz[i,j] = p[i] ([i=j] - p[j])"),
    ("softmax_layer", "dp_dz", "∂p_i/∂z_j = p_i (δ_{ij} - p_j)"),
    ("softmax_layer", "dp_dz", "dp_dz[i,j] = p_i (1 - p_i) if i = j else -p_i p_j"),
    ("softmax_layer", "dp_dz", "dp_dz[i,j] = p_i \\mathbb{1}[i = j] - p_i p_j"),
    ("softmax_layer", "dz", "dz_j = softmax(z)_j (dp_j - sum_i dp_i softmax(z)_i)"),
    ("softmax_layer", "dz", "s_i = exp(z_i) / (sum_k e^{z_k})\ndz_j = s_j (dp_j - sum_i dp_i s_i)"),
    ("cross_entropy", "dZ", "dZ_{nk} = 1/N (P_{nk} - T_{nk})"),
    ("cross_entropy", "dZ", "dZ[n,k] = (P[n,k] - [labels[n] = k]) / N"),
    ("cross_entropy", "L", "-1/N \\sum_{n,k} T_{nk} \\log P_{nk}"),
    ("cross_entropy", "L", "-mean_n sum_k [k = labels_n] log P_{nk}"),
    ("pooling", "dx", "dx[i,j] = sum(k,l) df[k,l] [x[i,j]==f[k,l]] [2k<=i<2k+2] [2l<=j<2l+2]"),
    ("pooling", "dx", "dx[i,j] = df[i//2,j//2] [x[i,j] = f[i//2,j//2]]"),
    ("pooling", "df_dx", "df_dx[k,l,i,j] = [x[i,j]==f[k,l]] [2k<=i<2k+2] [2l<=j<2l+2]"),
    ("pooling", "df_dx", "\\frac{\\partial f_{kl}}{\\partial x_{ij}} = \\mathbb{1}[x_{ij} = "
     "f_{kl}, 2k \\le i < 2k+2, 2l \\leq j < 2l+2]"),
    ("convolution", "dx", "dx[i] = sum(u) dy[i-u] w[u]"),
    ("convolution", "dx", "dx_i = sum_u w_u dy_{i-u}"),
    ("convolution", "dw", "dw_u = \\sum_i dy_i x_{i+u}"),
    ("differences", "dx", "dx[i] = df[i-1] - df[i]"),
    ("differences", "dx", "dx_i = [i ≥ 1] df_{i-1} − [i < 5] df_i"),
    ("attention", "dV", "dV[j,c] = sum(i) P[i,j] dO[i,c]"),
    ("attention", "dQ", "g_{ij} = sum_c dO_{ic} V_{jc}\n"
     "h_{ij} = P_{ij} (g_{ij} - sum_m P_{im} g_{im})\n"
     "dQ_{ia} = 1/sqrt(d) sum_j h_{ij} K_{ja}"),
    ("layer_norm", "dx", "dx_i = (dy_i - mean_j dy_j - \\hat{x}_i mean_j dy_j \\hat{x}_j) / s"),
    ("layer_norm", "dx", "dx_i = \\frac{1}{s} (dy_i - 1/n \\sum_j dy_j - "
     "x̂_i 1/n \\sum_j dy_j x̂_j)"),
    ("quadratic", "dx", "dx_i = sum_j (A_ij + A_ji) x_j"),
    ("quadratic", "dS", "dS_{ij} = S^{-1}_{ji}"),
    ("quadratic", "q", "\\sum_{i,j} x_i A_{ij} x_j"),
    ("quadratic", "t", "sum(i,j) A[i,j] A[j,i]"),
    ("activation", "dz", "dz_{ij} = da_{ij} [z_{ij} > 0]"),
    ("activation", "dz", "dz_{ij} = 1_{z_{ij} > 0} da_{ij}"),
    ("activation", "ds", "ds_ij = da_ij σ(z_ij) (1 - σ(z_ij))"),
    ("activation", "dt", "dt_ij = da_ij (1 - tanh(z_ij)^2)"),
    ("one_based", "dx", "dx_i = \\sum_{j \\ge i} dy_j"),
    ("one_based", "dx", "dx_i = \\sum_{j=i}^{n} dy_j"),
    ("one_based", "dx", "dx[i] = sum(j) dy[j] [j >= i]"),
    ("one_based", "weighted", "weighted_i = i x_i"),
    ("centring", "m", "m_j = \\frac{1}{N} \\sum_{i=0}^{N-1} X_{ij}"),
    ("centring", "C", "C_ij = X_ij - mean_n X_nj"),
    ("scalars", "g", "g = -x^2 sum_{u=1}^{1} u"),
    ("scatter", "dz", "dz[i] = sum(j,u) dy[j] w[u] [s j + u = i]"),
    ("scatter", "dz", "dz_i = sum_{j,u} dy_j w_u [sj+u=i]"),
    ("scatter", "dz", "dz_i = sum_{j,u} dy_j w_u \\delta_{sj+u,i}"),
    ("scatter", "dz", "dz_i = sum_j dy_j w[i - s j]"),
    ("scatter", "dz", "dz_i = sum_j dy_j w_{i-sj}"),
    ("scatter", "strided", "strided_i = w[si]"),
    ("scatter", "strided", "strided_i = w_{s i}"),
    ("scatter", "strided", "strided[i] = w[i + i (s - 1)]"),
    ("scatter", "scaled", "scaled_i = 1/τ x_i"),
    ("scatter", "scaled", "scaled_i := x_i/\\tau."),
    ("scatter", "jacobian", "jacobian_ij = 1/tau p_i ([i=j] - p_j)"),
    ("scatter", "jacobian", "jacobian_ij = 1/tau (I_ij p_i - p_i p_j)"),
    ("scatter", "jacobian", "jacobian_{ij} = 1/τ \\begin{cases} p_i (1 - p_i) & \\text{if } i = j "
     "\\\\[2pt] -p_i p_j & \\text{otherwise} \\end{cases}"),
    ("scatter", "half", "half_i = p_i τ²/2"),
    ("scatter", "half", "half_i = τ^2/2 p_i"),
    ("scatter", "half", "half_i = τ^2p_i/2"),
    ("scatter", "unit", "unit_i = 1/‖x‖ x_i"),
    ("scatter", "gate", "gate_i = \\begin{cases} p_i, & x_i > 0, \\\\ 2x_i, & x_i \\le 0. "
     "\\end{cases}"),
    ("scatter", "gate", "gate_i = \\begin{dcases} p_i & \\text{for } x_i > 0 \\\\ 2x_i & "
     "\\text{else} \\end{dcases}"),
    ("scatter", "gate", "gate_i = p_i 1(x_i > 0) + 2 x_i 1(x_i <= 0)"),
    ("scatter", "first", "first = p_1 - x_2"),
    ("scatter", "total", "total = Σ_iΣ_j W1[i,j]"),
]  # fmt: skip

MATRIX = [
    ("linear", "dW", "dW = dy x^T"),
    ("linear", "dW", "δxᵀ"),
    ("linear", "dW", "\\delta x^\\top"),
    ("linear", "dW",
     "\\frac{\\partial L}{\\partial W} = \\frac{\\partial L}{\\partial y} x^{\\top}"),
    ("linear", "dW", "∂L/∂W = δ x⊤"),
    ("linear", "dW", "$\\delta_W = \\boldsymbol{\\delta}\\,\\mathbf{x}^{T}$"),
    ("linear", "dx", "dx = W^T dy"),
    ("linear", "dx", "W^Tdy"),
    ("batched", "dW", "1/N(N X^T dY)"),
    ("activation", "dz", "da ⊙ 1_{z > 0}"),
    ("linear", "dx", "W^\\top\\delta"),
    ("linear", "dx", "∇_x L = W^T δ"),
    ("batched", "dW", "X^T dY"),
    ("batched", "dX", "dY W^T"),
    ("batched", "db", "dY^T \\mathbf{1}"),
    ("batched", "db", "db = dY^T 𝟏_N"),
    ("batched", "dW", "X^\\prime dY"),
    ("batched", "dW", "X^{\\prime} dY"),
    ("activation", "ds", "da \\odot \\sigma^\\prime(z)"),
    ("batched", "db", "db = dY^T 1_N"),
    ("batched", "db", "dY^\\top 1_{N}"),
    ("batched", "db", "db = dY^T 1_{N \\times 1}"),
    ("batched", "dX", "I_{N \\times N} dY W^T"),
    ("regression", "dw", "\\frac{dL}{N} X^\\top (X w - t)"),
    ("regression", "dw", "1/N X^T (X w - t) dL"),
    ("regression", "dw", "(dL/N) X^T (Xw - t)"),
    ("regression", "dw_ridge", "\\frac{dL}{N} X^T (\\hat{y} - t) + \\lambda w"),
    ("regression", "loss", "\\tfrac{1}{2N} \\|X w - t\\|^2"),
    ("regression", "loss", "1/(2N) (ŷ - t)^T (ŷ - t)"),
    ("softmax_layer", "dp_dz", "dp_dz = diag(p) - p p^T"),
    ("softmax_layer", "dp_dz", "\\operatorname{diag}(p) - p p^\\top"),
    ("softmax_layer", "dz", "(\\mathrm{diag}(p) - p p^\\top) dp"),
    ("softmax_layer", "dz", "p ⊙ (dp - p^T dp)"),
    ("softmax_layer", "dz", "s = softmax(z)\ndz = s ⊙ dp - s s^T dp"),
    ("cross_entropy", "dZ", "\\frac{1}{N} (P - T)"),
    ("cross_entropy", "L", "-\\frac{1}{N} tr(T^T \\log(P))"),
    ("cross_entropy", "L", "-1/N sum(T ⊙ log(P))"),
    ("attention", "dV", "P^T dO"),
    ("attention", "dV", "softmax(Q K^T / √d)^T dO"),
    ("attention", "dQ", "G = dO V^T\nH = P ⊙ G\ndQ = \\frac{1}{\\sqrt{d}} "
     "(H - diag(H \\mathbf{1}) P) K"),
    ("layer_norm", "dx", "\\frac{1}{s} (dy - mean(dy) - \\hat{x} \\frac{1}{n} \\hat{x}^T dy)"),
    ("layer_norm", "dx", "(1/s) (I - \\frac{1}{n} \\mathbf{1}\\mathbf{1}^T - "
     "\\frac{1}{n} x̂ x̂^T) dy"),
    ("logistic", "dw", "(\\sigma(w^T x) - y) x"),
    ("logistic", "dz", "\\sigma(w^T x) - y"),
    ("quadratic", "dx", "(A + A^T) x"),
    ("quadratic", "dA", "x x^T"),
    ("quadratic", "q", "x^T A x"),
    ("quadratic", "dS", "Σ^{-⊤}"),
    ("quadratic", "dS", "(\\Sigma^{-1})^\\top"),
    ("quadratic", "m", "Σ⁻¹ x"),
    ("quadratic", "logdet", "\\log\\det\\Sigma"),
    ("quadratic", "logdet", "log(det(Σ)) ⊙ 1"),
    ("quadratic", "t", "tr(A²)"),
    ("activation", "dz", "da ⊙ 1[z > 0]"),
    ("activation", "dz", "da \\odot \\mathbb{1}_{z > 0}"),
    ("activation", "ds", "da ⊙ σ(z) ⊙ (1 - σ(z))"),
    ("activation", "dt", "da \\odot (1 - \\tanh(z) \\odot \\tanh(z))"),
    ("activation", "dplus", "da ⊙ e^{z} ⊘ (1 + e^z)"),
    ("hidden", "dW", "s = W x\ndW = (U^T dy ⊙ (1 - tanh(s) ⊙ tanh(s))) x^T"),
    ("hidden", "dx", "h = tanh(Wx); dx = W^T (U^T dy ⊙ (1 - h ⊙ h))"),
    ("hidden", "dU", "dy \\tanh(W x)^\\top"),
    ("centring", "C", "(I - \\frac{1}{N} \\mathbf{1} \\mathbf{1}^\\top) X"),
    ("centring", "R", "X - \\mathbf{1} \\mu^T"),
    ("centring", "m", "1/N X^T \\mathbf{1}"),
    ("centring", "D", "I - 1/N 𝟏 𝟏^T"),
    ("centring", "D", "I_{N×N} - 1/N 1_{N×N}"),
    ("layers", "dW2", "dW^{(2)} = \\delta (W^{(1)} x)^\\top"),
    ("layers", "dx", "(W^{(1)})^T (W^{(2)})^T dy"),
    ("scalars", "g", "-x^2"),
    ("scalars", "g", "−x²"),
    ("scalars", "h", "2xy,"),
    ("scalars", "h", "２x y"),
    ("scatter", "scaled", "1/τ x"),
    ("scatter", "scaled", "τ/τ^2 x"),
    ("scatter", "jacobian", "1/τ (diag(p) - p p^T)"),
    ("scatter", "jacobian", "q = p\n1/τ (diag(q) - q q^T)"),
    ("scatter", "unit", "r = ‖x‖; 1/r x"),
    ("scatter", "unit", "1/‖x‖ x"),
    ("scatter", "gate", "\\begin{cases} p & x > 0 \\\\ 2x & x \\le 0 \\end{cases}"),
    ("scatter", "total", "1^T p"),
    ("scatter", "centred", "(I - 1/D 1 1^T) p"),
    ("scatter", "l", "l = 2τ."),
    ("scatter", "lower", "W_{1} I"),
    ("scatter", "lower", "W₁ I"),
    ("scatter", "jacobian", "q = p,\njacobian = 1/τ (W_1 - q p^T)."),
    ("scalars", "h", "2x y"),
    ("scalars", "e", "e^{-x a}"),
    ("scalars", "e", "\\exp(-xa)"),
]  # fmt: skip

ALL = [
    (notation, *case)
    for notation, cases in (("numpy", NUMPY), ("index", INDEX), ("matrix", MATRIX))
    for case in cases
]


def understood(card: Card, asked: str, text: str, notation: str | None = None) -> Reading:
    reading = read(text, card.context(asked), notation)
    assert isinstance(reading, Reading), reading
    return reading


@pytest.mark.parametrize(("notation", "name", "asked", "text"), ALL)
def test_a_right_answer_has_the_value_of_its_numpy_truth(
    notation: str, name: str, asked: str, text: str
) -> None:
    card = CARDS[name]
    reading = understood(card, asked, text)
    truth = card.truth[asked]
    value = reading.evaluate(card.env, truth.shape)
    assert reading.notation == notation
    assert isinstance(value, np.ndarray), value
    assert value.shape == truth.shape
    np.testing.assert_allclose(value, truth, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("notation", "name", "asked", "text"), ALL)
def test_what_is_shown_back_reads_as_the_same(
    notation: str, name: str, asked: str, text: str
) -> None:
    card = CARDS[name]
    shown = understood(card, asked, text).shown()
    again = understood(card, asked, shown, notation)
    truth = card.truth[asked]
    value = again.evaluate(card.env, truth.shape)
    np.testing.assert_allclose(value, truth, rtol=1e-10, atol=1e-12)
    assert again.shown() == shown
