"""The equations that a card's formulas state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzer.card.equations import equations
from quizzer.card.formulating import equations_in
from quizzer.card.formulation import Equation


def stated(text: str) -> list[tuple[str, ...]]:
    return [(each.left, *each.links) for each in equations(text, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$y = a x$", [("y", "a x")]),
        ("$$ y = a x = b $$", [("y", "a x", "b")]),
        (r"$$ y = a x, \qquad z = b y $$", [("y", "a x"), ("z", "b y")]),
        (r"$$ y = f(a, b), z = 1 $$", [("y", "f(a, b)"), ("z", "1")]),
        (r"$$ y = a \Rightarrow z = b $$", [("y", "a"), ("z", "b")]),
        (r"$$ y = \sum_{i=1}^{N} x_i [i = j] $$", [("y", r"\sum_{i=1}^{N} x_i [i = j]")]),
        (r"$$ y = [x < 1] w_{\text{new}} $$", [("y", r"[x < 1] w_{\text{new}}")]),
        (r"$$ y_i = x_i, \qquad 0 \le i \le D - K $$", [("y_i", "x_i")]),
        (r"\begin", []),
        (
            r"$$ \begin{aligned} y &= a \\ z &= b \end{aligned} $$",
            [("y", "a"), ("z", "b")],
        ),
        (
            r"$$ h(r) = \begin{cases} r & r > 0 \\ 0 & \text{else} \end{cases} $$",
            [("h(r)", r"\begin{cases} r & r > 0 \\ 0 & \text{else} \end{cases}")],
        ),
    ],
)
def test_an_equation_is_cut_at_its_equals_signs(text: str, expected: list[tuple[str, ...]]) -> None:
    assert stated(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "$a x$",
        r"$y \approx a x$",
        r"$y = x_1 + \dots + x_n$",
        r"$y = 0 \quad \text{if } x = 0$",
        r"$y = 0 \quad (x < 0)$",
        r"$y = 0, \; x > 0$",
        r"$p(\theta \mid x) \propto a = b$",
        "| y |\n|---|\n| $y = a$ |",
        "It costs $5 = $5.",
    ],
)
def test_what_is_no_plain_equation_is_left_out(text: str) -> None:
    assert stated(text) == []


def test_an_equation_knows_its_line_and_whether_it_is_displayed() -> None:
    text = "Let $s = a$.\n\n$$ y = s $$\n"
    assert list(equations(text, 10)) == [
        Equation("s", ("a",), 10, is_displayed=False),
        Equation("y", ("s",), 12, is_displayed=True),
    ]


@given(st.text("$=\\{}[](),;&ab \n|begincasqud", max_size=60))
def test_any_text_has_equations_or_none(text: str) -> None:
    for each in equations(text, 1):
        assert each.left and all(each.links)


@pytest.mark.parametrize(
    ("before", "count"),
    [
        ("The labels are fixed. The slope is", 1),
        ("Nothing moves when $c$ does. So", 1),
        ("With $c$ fixed,", 0),
        ("A sum would give", 0),
        ("Suppose $a$ is 1. Then", 0),
    ],
)
def test_a_displayed_formula_is_left_out_for_doubts_of_its_own_sentence(
    before: str, count: int
) -> None:
    found = equations_in(f"{before}\n$$ y = a x $$", 1)
    assert sum(each.is_displayed for each in found) == count
