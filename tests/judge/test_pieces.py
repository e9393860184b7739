"""Which answers are tried on many more problems: all that may be piecewise, few others."""

import pytest

from quizzer.judge.pieces import may_have_pieces, shows_pieces

NAMES = ("z_new", "x", "y", "p", "dp", "w", "W", "f", "df", "dy", "dx", "y_hat", "N")


@pytest.mark.parametrize(
    "text",
    [
        "dy * (x > 0)",
        "dy_i [x_i = 0]",
        "np.where(x, dy, 0)",
        "-y [1 - y w^T x]_+",
        r"(x)_{+} \odot dy",
        "dy * abs(x)",
        r"\|x\| dy",
        "1 if x else 0",
        r"\mathbb{1}\{x\} dy",
        "dy * (x**2)**0.5",
        "dy * (x**2)**(1/2)",
        r"dy (x^2)^{\frac{1}{2}}",
        r"dy (x^2)^{-1/2}",
        "dy * x // 2",
        "dx = (x > 0) * df",
        "dx_i = df_i √((x_i + 3)^2)",
        "((x + 4)**2)**0.5 * df",
        "((x + 4)**2)**(1/2) * df",
        r"((x_i + 3)^2)^{1/2} df_i",
        r"((x_i + 3)^2)^{\frac{1}{2}} df_i",
        "((x_i + 3)²)^½ df_i",
        "(x^2)^{2(1/4)} df",
        "(x^2)^{(1)/2} df",
        "(x**2)**((1)/2) * df",
        "(x**2)**-.5 * df",
        "(x^2)^[1/2] df",
        "(x^2)^|1/2| df",
        "exp(log((x + 3)**2) / 2) * df",
        "(log((x + 3)**2)) * df",
        "sum(k) df[k] [x[i] = f[k]]",
        "sum_k df_k [x_i ∈ {f_k}]",
        "df_i ‖x_i‖",
        "dx = df * x ^ -0.5",
        "(x**2)**(n/2)",
        "(x^2)^{n/2}",
        "dy * np.sqrt(x**2)",
        "dy * sqrt(x) / sqrt(N)",
        "N = x**2\ndx = dy * np.sqrt(N)",
        "N, w = x**2, dy; dx = w * sqrt(N)",
        "(N := x**2) * dy / sqrt(N)",
        "maximum = dy\ndx = np.maximum(maximum, 0)",
        "step = x.astype(bool)\ndx = step * dy",
        "def step(x):\n    return x.clip(0)\ndx = step(x) * dy",
        "for k in range(N):\n    dx = x if k else dy",
        "dx[i] = dy[i] [x = k]",
        "dx[i] = sum(k) dy[k] [x[i] = k]",
        "dx[i] = sum(k) dy[k] [k = z]",
        "dx[i] = dy[i] [N = 3]",
        "dx[i] = dy[i] [i < 4]",
        "dx[i] = dy[i] [i < 11]",
        "dx[i] = sum(k) dy[k] [k = \N{CYRILLIC SMALL LETTER HA}]",
        "dx[i] = sum(k) dy[k] [k = y_hat]",
        "dx[i] = sum(k) dy[k] [k = K]",
        "dx[i] = sum(k) dy[k] [f(k) = i]",
        "k = 2 x[0]; dx[i] = dy[i] [i = k]",
        "k = 2 x[0]\ndx[i] = dy[i] [i = k]",
        "dx[i] = dy[i] [i = k], k ≈ x[0], j = 1",
        "sum(dy[c > k] for c in x)",
        "dx[i] = sum(k) dy[k] [i = k] [x[i] > 0]",
        r"dx_i = dy_i [i = k] + \sum_{j: x_j = y_i} dy_j",
        r"\sum_{x_{j} = y_{i}} dy_j",
        "sum(j: x_j = y_i) dy_j",
        r"\sum_j \delta_{x_i y_j} dy_j",
        "np.sum(sqrt(N) for N in x)",
        "np.einsum('i,i->i', dy, x.clip(0))",
    ],
)
def test_what_may_be_piecewise_is_tried_on_more_problems(text: str) -> None:
    assert may_have_pieces(text, NAMES, ["N"])


@pytest.mark.parametrize(
    "text",
    [
        "-y * w * dy",
        "dy @ W.T",
        r"\frac{1}{N} W^\top (y_hat - y)",
        "np.exp(x) / np.exp(x).sum(axis=0) * dy",
        "dy_i (1 - x_i^2) + y^{-1} x**2",
        "sum_{k=1}^{N} dy_k W_k",
        "dx = 2 x ⊙ df",
        "dx[i] = sum(k) df[k] x[k]",
        r"\frac{1}{2} x^\top df",
        "x**2 * df / y_hat",
        "x^{-1} df + x^{2} - x^{-2}",
        "2*x*df/(1 + exp(-x))**2",
        "sum_{k,i} dy_i W_{ki} x_k",
        "dy_nk W_ki",
        "p * (dp - (dp * p).sum(axis=1, keepdims=True)) / x",
        "W.T @ (y[:, None] * (w - y))",
        "along = x * dy.sum(axis=1)\ninner = dy - along\ndx = inner / N",
        "np.kron(W.T, np.tril(x)) @ np.arange(N)",
        "dy * x / np.sqrt(N)",
        "h = dy @ W.T\ndx = h * x / np.sqrt(N)",
        "dx[i] = sum(k) dy[k] ([i = k] - y[k])",
        "dx[i,j] = sum(k,l) dy[k,l] [2k <= i < 2k+2] [j = l + N (k - 1)]",
        r"dx_{ij} = \sum_{k=1}^{N} dy_{ik} ([k=j] - p_j)",
        "np.einsum('i,ij->j', dy, W)",
        "df * np.exp(-(x - y)**2 / (2 * p))",
        r"df \exp(-(x - y)^2 / 2)",
        "w / W * (1 - x**2 / y**2)",
        r"\frac{1}{\sqrt{N}} W^\top dy",
        "along_i = x_i dy_i; dx_i = along_i x_i",
        "def dx(x, dy):\n    g = np.zeros(x.shape)\n    for k in range(len(x)):\n"
        "        g[k] += dy[k]\n    return g",
    ],
)
def test_an_answer_without_pieces_is_not(text: str) -> None:
    assert not may_have_pieces(text, NAMES, ["N"])


@pytest.mark.parametrize(
    "text", ["dy * (x > 0)", "dy [x]_+", "(x**2)**0.5 * dy", "log(x^2) dy", r"\\sqrt{x} dy"]
)
def test_pieces_are_seen_before_the_names_of_a_card_are_known(text: str) -> None:
    assert shows_pieces(text)
    assert may_have_pieces(text, NAMES)


@pytest.mark.parametrize("text", ["dy @ W.T", "2 x dy", "dy_i exp(x_i)", "foo(x) * dy"])
def test_a_name_that_nobody_knows_yet_shows_no_piece(text: str) -> None:
    assert not shows_pieces(text)
