"""Which answers may have pieces of their own, and are tried on many more problems."""

import pytest

from quizzer.check.pieces import may_have_pieces

NAMES = ("x", "df", "dx", "f", "y_hat")


@pytest.mark.parametrize(
    "text",
    [
        "dx = (x > 0) * df",
        "dx_i = df_i √((x_i + 3)^2)",
        "((x + 4)**2)**0.5 * df",
        "((x + 4)**2)**(1/2) * df",
        r"((x_i + 3)^2)^{1/2} df_i",
        r"((x_i + 3)^2)^{\frac{1}{2}} df_i",
        "((x_i + 3)²)^½ df_i",
        "exp(log((x + 3)**2) / 2) * df",
        "(log((x + 3)**2)) * df",
        "sum(k) df[k] [x[i] = f[k]]",
        "sum_k df_k [x_i ∈ {f_k}]",
        "df_i ‖x_i‖",
        "dx = df * x ^ -0.5",
        "(x**2)**(n/2)",
        "(x^2)^{n/2}",
    ],
)
def test_an_answer_that_may_have_pieces(text: str) -> None:
    assert may_have_pieces(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "dx = 2 x ⊙ df",
        "dx[i] = sum(k) df[k] x[k]",
        r"\frac{1}{2} x^\top df",
        "x**2 * df / y_hat",
        "x^{-1} df + x^{2} - x^{-2}",
        "2*x*df/(1 + exp(-x))**2",
    ],
)
def test_an_answer_without_pieces(text: str) -> None:
    assert not may_have_pieces(text, NAMES)
