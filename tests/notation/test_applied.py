"""Functions of one letter, put where they are applied."""

import pytest

from quizzer.notation.grammar.applied import applied, without_arguments, without_densities

STATED = (r"\Phi(Z) = H \odot Z",)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("dC = C Φ(A)", r"dC = C (H \odot (A))"),
        (r"\Phi\left(C^{-1} (A)\right)", r"(H \odot (C^{-1} (A)))"),
        ("Φ(Φ(A))", r"(H \odot ((H \odot (A))))"),
        ("Φ (1 - Φ)", "Φ (1 - Φ)"),
        ("Ψ(A)", "Ψ(A)"),
        ("Φ(A", "Φ(A"),
    ],
)
def test_a_stated_function_is_put_where_it_is_applied(text: str, read: str) -> None:
    assert applied(text, STATED, lambda _: True) == read


def test_a_name_that_means_something_else_is_left() -> None:
    assert applied("Φ(A)", STATED, lambda name: name != "Z") == "Φ(A)"
    assert applied("Φ(A)", STATED, lambda name: name == "Z") == "Φ(A)"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("L(w) = a\nJ = L(w) + b", "L(w) = a\nJ = L + b"),
        ("L(w) &= a\n∂L(w)/∂w = 2", "L(w) &= a\n∂L/∂w = 2"),
        ("p = 1\np(1 - p)", "p = 1\np(1 - p)"),
        ("f(x) = x\ny = f(a)", "f(x) = x\ny = f(a)"),
    ],
)
def test_an_argument_is_left_out_where_a_line_begins_with_it(text: str, read: str) -> None:
    assert without_arguments(text, ()) == read
    assert without_arguments("J = L(w)", ("L(\\mathbf{w}) = a",)) == "J = L"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r"Q = r (\log w + \log \mathcal{N}(\mathbf{x}_n; \mu_k, C_k))", r"Q = r (\log w +  0 )"),
        (r"Q = C \log \mathcal{N}(x; \mu, C)", r"Q = C \log \mathcal{N}(x; \mu, C)"),
        ("Q = log N(x)", "Q = log N(x)"),
    ],
)
def test_a_density_whose_names_are_nowhere_else_is_left_out(text: str, read: str) -> None:
    assert without_densities(text) == read
