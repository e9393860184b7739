import pytest

from quizzer.tex import faults, inline, render
from quizzer.tex.formula import parse
from quizzer.tex.macros import MAX_EXPANSIONS
from quizzer.tex.tree import Fence, Fraction, Leaf, Row, Scripts


@pytest.mark.parametrize(
    ("latex", "sentence"),
    [
        (r"{a + b", "A `{` is never closed, at: {a + b"),
        (r"a } b", "A `}` closes nothing, at: } b"),
        (r"\left( a", r"`\left` has no `\right`, at: \left( a"),
        (r"a \right)", r"`\right` has no `\left`, at: \right)"),
        (r"\begin{cases} a", r"`\begin{cases}` is never closed, at: \begin{cases} a"),
        (r"a \end{cases}", r"`\end{cases}` closes nothing, at: \end{cases}"),
        (
            r"\begin{cases} a \end{aligned}",
            r"`\begin{cases}` is closed by `\end{aligned}`, at: \end{aligned}",
        ),
        (r"\frac{a}", r"`\frac` lacks an argument, at: \frac{a}"),
        ("x^", "`^` lacks an argument, at: ^"),
        ("x_a_b", "Two subscripts on one symbol, at: _b"),
        ("x^a^b", "Two superscripts on one symbol, at: ^b"),
        ("a & b", "A `&` stands outside an environment with columns, at: & b"),
        ("a $ b", "A `$` stands inside the formula, at: $ b"),
        (r"\left x y \right)", r"`x` after `\left` is no delimiter, at: x y \right)"),
    ],
)
def test_a_fault_is_told_with_its_place(latex: str, sentence: str) -> None:
    assert faults(latex) == (sentence,)


def test_a_fault_in_a_formula_of_several_lines_names_the_line() -> None:
    assert faults("a\n+ {b\n+ c") == ("A `{` is never closed in line 2 of the formula, at: {b",)


def test_a_sound_formula_has_no_faults() -> None:
    assert faults(r"\left. \frac{f''(x)}{2} \right|_{x=0}^{\text{a } \{ b}") == ()


def test_the_rest_shows_in_spite_of_a_fault() -> None:
    assert render(r"\left( a + b") == "(a + b"
    assert render(r"a } + b") == "a + b"
    assert "c" in render(r"\begin{cases} \frac{a & b \\ c \end{cases}")


def test_arguments_without_braces_are_single_units() -> None:
    assert parse(r"\frac12").tree == Fraction(Leaf("1"), Leaf("2"))
    assert parse("x^12").tree == Row((Scripts(Leaf("x"), None, Leaf("1")), Leaf("2")))


def test_digits_join_to_one_number() -> None:
    assert parse("3.14").tree == Leaf("3.14")


def test_infix_commands_take_the_group_they_stand_in() -> None:
    assert parse(r"{a \over b}").tree == Fraction(Leaf("a"), Leaf("b"))
    binomial = Fraction(Leaf("n"), Leaf("k"), bar=False)
    assert parse(r"{n \choose k}").tree == Fence("(", (binomial,), ")")


def test_comments_are_no_part_of_the_formula() -> None:
    assert parse("a % b } \n c").tree == parse("a c").tree
    assert parse(r"10\%").tree == parse(r"10\% ").tree


def test_a_bracket_after_a_line_break_is_spacing_only_when_it_follows_at_once() -> None:
    assert "2pt" not in render(r"\begin{matrix} a \\[2pt] b \end{matrix}")
    assert "[b]" in render(r"\begin{matrix} a \\ [b] \end{matrix}")
    assert "[a]" in render(r"\begin{bmatrix} [a] & b \end{bmatrix}")


def test_big_delimiters_are_paired_and_keep_their_scripts() -> None:
    tree = parse(r"\bigl( x \bigr)^2").tree
    assert tree == Scripts(Fence("(", (Leaf("x"),), ")"), None, Leaf("2"))


def test_macros_take_arguments_and_defaults() -> None:
    definition = r"\newcommand{\n}[2][p]{\|#2\|_{#1}}"
    assert render(definition + r"\n{x} + \n[2]{y}") == "‖x‖ₚ + ‖y‖₂"
    assert render(r"\def\half#1{\frac{#1}{2}} \half a") == render(r"\frac{a}{2}")
    assert render(r"\let\eps=\varepsilon \eps") == "ε"


def test_a_macro_that_calls_itself_stops() -> None:
    assert inline(r"\def\a{x\a}\a") == "x" * MAX_EXPANSIONS + r" \a"


def test_spaces_in_text_are_kept_and_its_mathematics_is_set() -> None:
    assert render(r"\text{if $x_i > 0$ and so on}y") == "if xᵢ > 0 and so ony"
