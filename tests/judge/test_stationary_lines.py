"""Derivations of what minimises an objective: the line of its slope is judged, at any point."""

import re
from pathlib import Path

import pytest

from quizzer.judge.judges import Judge
from quizzer.values import Verdict
from tests.derived import settled, settled_for

LINES = [
    (
        "diffusion_posterior",
        "u",
        "∂J/∂u_i = (u_i - √a x_i)/(1-a) - √(1-β) (y_i - √(1-β) u_i)/β = 0\n"
        "u_i = (√a β x_i + √(1-β) (1-a) y_i) / (β + (1-β)(1-a))",
        ("√(1-β) (y", "(y"),
    ),
    (
        "boosting_newton_leaf",
        "c",
        "∂Q/∂c = Σ_n (p_n - y_n) + c Σ_n p_n (1 - p_n) + λ c\n"
        "c = (Σ_n (y_n - p_n)) / (λ + Σ_n p_n (1 - p_n))",
        ("+ λ c", "+ 2 λ c"),
    ),
    (
        "kernel_ridge",
        "alpha",
        "∂L/∂α = 2 K (K α - y) + 2 λ K α\n(K + λ I) α = y\nα = (K + λ I)^{-1} y",
        ("2 λ K α", "2 λ α"),
    ),
    (
        "kernel_ridge",
        "alpha",
        "∂L/∂α = 2 K (K α - y) + 2 λ K α = 0\nα = (K + λ I)^{-1} y",
        ("= 2 K (K", "= -2 K (K"),
    ),
    (
        "exact_line_search",
        "alpha",
        "∂L/∂α = p^T (A (x + α p) - b) = 0\nα = (p^T r) / (p^T A p)",
        ("- b)", "+ b)"),
    ),
    (
        "alternating_least_squares",
        "u",
        "∂L/∂u_i = -2 Σ_j m_j V_{ji} (r_j - Σ_k V_{jk} u_k) + 2 λ u_i\n"
        "u = (V^T diag(m) V + λ I)^{-1} V^T diag(m) r",
        ("= -2 Σ_j m_j V", "= -2 Σ_j V"),
    ),
    (
        "adaboost_weight",
        "a",
        "∂L/∂a = -Σ_n d_n y_n h_n exp(-a y_n h_n) = 0\na = 1/2 log((1-ε)/ε)",
        ("= -Σ_n", "= Σ_n"),
    ),
    (
        "central_difference",
        "h",
        "de/dh = M h / 3 - ε/h^2 = 0\nh = (3 ε / M)^{1/3}",
        ("M h / 3", "M h / 6"),
    ),
    (
        "k_means_update",
        "M",
        "∂L/∂M_{ki} = -2 Σ_n r_{nk} (X_{ni} - M_{ki}) = 0\n"
        "M_{ki} = (Σ_n r_{nk} X_{ni}) / (Σ_n r_{nk})",
        ("= -2 Σ", "= 2 Σ"),
    ),
]

CARD = """---
id: best
---

# Question
$$ {} $$

---
# Solution

```checker
{}
```
"""
PRECISION = CARD.format(
    r"L = \mathrm{tr}(P S) - \log \det P",
    """S: D × D spd
P: D × D spd
size D: 2..3
L = tr(P S) - log(det(P))
optimum P: L unique
ask P
right P = S^{-1}""",
)
DIRECTION = CARD.format(
    r"L = w^\top A w / (w^\top w) - w^\top A w - b^\top w",
    """A: D × D spd
b: D unit
w: D unit
size D: 2..3
L = w^T A w / (w^T w) - w^T A w - b^T w
optimum w: L unique
ask w
right w = b""",
)
NOTHING = CARD.format(
    r"L = w^\top A w + c",
    """A: D × D spd
c: number
w: D
size D: 2..3
L = w^T A w + c
optimum w: L unique
ask w
right w_i = 0 A_{ii}""",
)


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    return judge_here


@pytest.mark.parametrize(("stem", "asked", "text", "slip"), LINES)
def test_the_slope_of_an_objective_is_judged_away_from_its_optimum(
    judge: Judge, stem: str, asked: str, text: str, slip: tuple[str, str]
) -> None:
    """At the optimum it is 0, whatever its sign."""
    right = settled(judge, stem, asked, text)
    assert {line.mark for line in right.lines} == {"right"}
    assert (right.answers[0].verdict, right.answers[0].diagnosis) == (Verdict.CORRECT, None)
    wrong = settled(judge, stem, asked, text.replace(*slip))
    assert wrong.lines[0].mark == "wrong"
    assert wrong.answers[0].verdict is Verdict.CORRECT
    assert wrong.answers[0].diagnosis is not None and wrong.answers[0].diagnosis.code == "line"


@pytest.mark.parametrize(
    ("card", "text", "mark"),
    [
        (PRECISION, "∂L/∂P = S - P^{-1}\nP = S^{-1}", "right"),
        (PRECISION, "∂L/∂P = P^{-1} - S\nP = S^{-1}", "wrong"),
        (DIRECTION, "∂L/∂w = -2 (w^T A w) w - b\nw = b", "right"),
        (DIRECTION, "∂L/∂w = 2 (w^T A w) w - b\nw = b", "wrong"),
        (NOTHING, "∂L/∂w = 2 A w\nw_i = 0 A_{ii}", "right"),
        (NOTHING, "∂L/∂w = -2 A w\nw_i = 0 A_{ii}", "wrong"),
    ],
)
def test_a_slope_may_use_what_the_card_promises_of_what_is_sought(
    judge: Judge, tmp_path: Path, card: str, text: str, mark: str
) -> None:
    """A symmetric matrix, a length of 1; an optimum of zeros is left, too."""
    file = tmp_path / "best.md"
    file.write_text(card, "utf-8")
    assert settled_for(judge, file, text.rpartition("\n")[2][0], text).lines[0].mark == mark


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (1, "term-factor", "“2 lam c” is 2 × what it should be"),
        (2, "one-edit", "Look at “alpha” in “2 lam alpha”"),
        (7, "term-factor", "“M h / 6” is 1/2 × what it should be"),
    ],
)
def test_what_is_wrong_with_a_slope_is_looked_for_where_it_is_compared(
    judge: Judge, number: int, code: str, said: str
) -> None:
    stem, asked, text, slip = LINES[number]
    line = settled(judge, stem, asked, text.replace(*slip)).lines[0]
    assert line.diagnosis is not None and line.diagnosis.code == code
    assert said in line.message


def test_the_numbers_that_refute_a_slope_are_those_at_which_it_is_compared(judge: Judge) -> None:
    stem, asked, text, slip = LINES[7]
    example = settled(judge, stem, asked, text.replace(*slip)).lines[0].example
    M, error, h, given, wanted = map(float, re.findall(r"\d+\.\d+", example))
    assert given == pytest.approx(M * h / 6 - error / h**2, abs=2e-3)
    assert wanted == pytest.approx(M * h / 3 - error / h**2, abs=2e-3)
