from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.tex import faults, inline, render, unknown
from quizzer.tex.width import width


def drawing(text: str) -> str:
    """A drawing written with an indent and a leading newline."""
    return dedent(text).strip("\n")


def test_a_fraction_stands_on_the_line_of_its_relation() -> None:
    assert render(r"y = \frac{a + b}{c}") == drawing("""
             a + b
        y = ───────
               c
    """)


def test_limits_stand_under_and_over_a_sum() -> None:
    assert render(r"\sum_{i=1}^n x_i") == drawing("""
         n
         ∑  xᵢ
        i=1
    """)


def test_bars_of_neighbouring_fractions_do_not_touch() -> None:
    for between in ("", r"\!", "{}"):
        bars = render(rf"\frac{{a}}{{b}}{between}\frac{{c}}{{d}}").split("\n")[1]
        assert bars.split() == ["───", "───"]


def test_bars_of_neighbouring_groups_do_not_touch() -> None:
    assert render(r"{\frac{a}{b}}{\frac{c}{d}}").split("\n")[1].split() == ["───", "───"]
    assert render(r"\overline{ab}\,\!\overline{cd}").split("\n")[0].split() == ["__", "__"]


def test_cases_hang_on_the_middle_of_their_brace() -> None:
    assert render(r"f = \begin{cases} 1 & \text{if } x > 0 \\ 0 & \text{else} \end{cases}") == (
        drawing("""
            ⎧ 1   if x > 0
        f = ⎨
            ⎩ 0   else
    """)
    )


def test_an_exponent_without_a_small_form_is_raised() -> None:
    assert render("e^{-x^2/2}") == " −x²/2\ne"


def test_subscripts_of_one_formula_stand_alike() -> None:
    assert render("W_b x_t + W_i") == drawing("""
        W x  + W
         b t    i
    """)
    assert render("W_j x_t + W_i") == "Wⱼxₜ + Wᵢ"


def test_a_label_or_a_greek_letter_below_leaves_the_indices_small() -> None:
    assert render(r"L_{\text{CE}} + x_i") == "L   + xᵢ\n CE"
    assert render(r"\nabla_\theta L + x_i") == "∇ L + xᵢ\n θ"


def test_superscript_letters_of_one_formula_stand_alike() -> None:
    assert render("W^Q W^K x^2") == " Q K\nW W x²"


def test_delimiters_do_not_grow_for_an_exponent() -> None:
    assert render(r"\left( a^{b_c} \right)").split("\n")[-1] == "(a  )"


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        ("a-b", "a − b"),
        ("-b", "−b"),
        ("a=-b", "a = −b"),
        ("(-b)", "(−b)"),
        ("|-x| - |y|", "|−x| − |y|"),
        (r"-\log x", "−log x"),
        (r"-\tfrac12", "−½"),
        ("a:=b", "a := b"),
        (r"\mathrm{tr}A", "tr A"),
        (r"\text{and } \Pr", "and Pr"),
        (r"\begin{split} & - a \end{split}", " − a"),
        ("3{,}14", "3,14"),
        (r"\text{softmax} x", "softmax x"),
        (r"\mathrm{log}x", "log x"),
    ],
)
def test_signs_relations_and_words_keep_their_distance(latex: str, line: str) -> None:
    assert render(latex) == line


def test_a_function_written_in_upright_letters_is_that_function() -> None:
    for word in (r"\mathrm{argmin}", r"\text{argmin}", r"\mathrm{arg\,min}"):
        assert render(rf"{word}_w L") == render(r"\argmin_w L")


def test_wide_characters_keep_the_columns_aligned() -> None:
    top, bar, bottom = render(r"\frac{\text{損失}}{x}y").split("\n")
    assert (width(bar), width(bottom)) == (8, 3)
    assert bar == "────── y"
    assert top == " 損失"


def test_marks_take_no_column() -> None:
    assert render("\\frac{\\hat{x}}{y}").split("\n")[1] == "───"
    assert render("\\frac{x\u0302}{y}").split("\n")[1] == "───"


def test_control_characters_are_made_visible() -> None:
    assert "\x1b" not in render("a \x1b[31m b \\text{\x07\u202e}")
    assert "�" in render("a \x1b b")


def test_an_unknown_command_stays_as_it_was_written() -> None:
    assert render(r"\foo{x + 1} + \bar").startswith(r"\foo{x + 1}")
    assert inline(r"a \zork b") == r"a \zork b"
    assert unknown(r"\foo{x} + \zork + \foo + \alpha") == (r"\foo", r"\zork")


def test_an_unknown_environment_is_named_and_its_rows_are_shown() -> None:
    assert unknown(r"\begin{hexagon} a & b \end{hexagon}") == (r"\begin{hexagon}",)
    assert "b" in render(r"\begin{hexagon} a & b \end{hexagon}")


def test_macros_given_apart_are_known() -> None:
    macros = r"\newcommand{\vx}{\mathbf{x}} \DeclareMathOperator*{\best}{best}"
    assert render(r"\vx", macros=macros) == "𝐱"
    assert unknown(r"\vx + \best_i", macros=macros) == ()
    assert unknown(r"\vx") == (r"\vx",)
    assert render(r"\best_i x", macros=macros) == "best x\n i"


def test_ascii_spells_symbols_out() -> None:
    assert render(r"\alpha\beta \le \nabla f", ascii=True) == "alpha beta <= grad f"
    assert inline(r"\frac{\partial L}{\partial x_i}", ascii=True) == "dL/dx_i"


def test_a_root_and_a_word_after_it_do_not_run_together() -> None:
    assert render(r"\sqrt{\pi}\sigma", ascii=True).split("\n")[-1] == "\\/pi sigma"


def test_a_power_of_a_power_is_bracketed() -> None:
    assert render("{x^2}^3 y") == "(x²)³y"


FRAGMENTS = r"""
\frac \sqrt ^ _ { } { } [ ] & \\ \left( \right) \left. \right| \middle| x y 1 + - = , ' |
\sum \int \max \alpha \begin{cases} \end{cases} \begin{aligned} \end{aligned}
\begin{array}{c|c} \hline \end{array} \text \text{ab\ \}\ cd} \hat \overline \underbrace \not
\operatorname \mathbf \bf \big( \Big| \big) \over \choose \tag{1} \quad \substack \xrightarrow
\newcommand{\a}[1]{\a#1#1} \a \def\b{\b\b} \b \limits \unknown % $ # ~ \ 損 é \boxed
\stackrel \kern \hspace \color \binom \prescript \pmod \genfrac \cancel \phantom
"""


@settings(derandomize=True, deadline=None, max_examples=400)
@given(
    st.lists(st.sampled_from(FRAGMENTS.split()), max_size=25), st.integers(10, 90), st.booleans()
)
def test_fragments_in_any_order_give_lines_that_fit(
    fragments: list[str], columns: int, ascii: bool
) -> None:
    check(" ".join(fragments), columns, ascii)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(max_size=60), st.integers(10, 90), st.booleans())
def test_any_text_gives_lines_that_fit(text: str, columns: int, ascii: bool) -> None:
    check(text, columns, ascii)


def check(latex: str, columns: int, ascii: bool) -> None:
    for line in render(latex, columns, ascii).split("\n"):
        assert width(line) <= columns or " " not in line.strip()
        assert line == line.rstrip()
        assert line.isascii() or not ascii
    assert "\n" not in inline(latex, ascii)
    assert all(isinstance(item, str) for item in (*unknown(latex), *faults(latex)))


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{1}{" * 300 + "x" + "}" * 300,
        r"x^{" * 500,
        "x^" * 3000,
        r"\sqrt" * 1000,
        r"\left(" * 1000,
        r"\begin{cases}" * 500,
        r"\begin{matrix}" + "&" * 4000 + r"\\" * 2000,
        "{" * 5000 + "}" * 4000,
        r"\newcommand{\a}{\b\b}\newcommand{\b}{\a\a}\a",
        r"\def\x#1{\x{#1#1}}\x{abc}",
        "a + b " * 5000,
        r"\hat" * 500,
        r"\sum_{" * 200,
    ],
    ids=lambda latex: latex[:12],
)
def test_an_extravagant_formula_still_gives_text(latex: str) -> None:
    check(latex, 80, False)
