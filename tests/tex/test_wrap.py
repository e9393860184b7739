from textwrap import dedent

from quizzer.tex import render
from quizzer.tex.width import width


def drawing(text: str) -> str:
    return dedent(text).strip("\n")


def test_a_chain_is_broken_at_its_relations_which_stand_under_each_other() -> None:
    assert render("f(x) = a + b + c = d + e = g", 20) == drawing("""
        f(x) = a + b + c
             = d + e
             = g
    """)


def test_a_long_sum_is_broken_before_its_signs_after_the_relation() -> None:
    assert render("f(x) = aaaa + bbbb - cccc", 20) == drawing("""
        f(x) = aaaa + bbbb
               − cccc
    """)


def test_no_break_falls_inside_brackets() -> None:
    lines = render("y = (a + b) + (c + d) + (e + f)", 18).split("\n")
    assert lines == ["y = (a + b)", "    + (c + d)", "    + (e + f)"]


def test_bars_count_as_brackets() -> None:
    assert render("y = |aa - bb| + |cc - dd|", 18).split("\n") == [
        "y = |aa − bb|",
        "    + |cc − dd|",
    ]


def test_brackets_too_wide_for_the_screen_are_broken_inside() -> None:
    assert render(r"y = 2\left( aaaa + bbbb + cccc \right)", 20) == drawing("""
        y = 2(aaaa + bbbb
            + cccc)
    """)
    assert render("f(aaaaaaaa, bbbbbbbb, cccccccc)", 24) == drawing("""
        f(aaaaaaaa, bbbbbbbb,
          cccccccc)
    """)


def test_the_halves_of_broken_brackets_are_as_tall_as_their_lines() -> None:
    assert render(r"y = \left[ aaaa + bbbb + \frac{c}{d} \right]^2", 20) == drawing("""
        y = [aaaa + bbbb

               c ⎤²
            + ───⎥
               d ⎦
    """)


def test_conditions_of_cases_are_broken_between_words() -> None:
    words = r"\text{if the point lies inside } B"
    assert render(
        rf"f = \begin{{cases}} 1 & {words} \\ 0 & \text{{else}} \end{{cases}}", 26
    ) == drawing("""
            ⎧ 1   if the point
        f = ⎨     lies inside B
            ⎩ 0   else
    """)


def test_tall_lines_are_parted_by_a_blank_one() -> None:
    assert render(r"y = \frac{a}{b} = \frac{c}{d}", 10) == drawing("""
             a
        y = ───
             b

             c
          = ───
             d
    """)


def test_a_formula_that_fits_is_not_broken() -> None:
    assert render("a = b = c", 9) == "a = b = c"


def test_implications_part_statements() -> None:
    assert render(r"a < b \implies c + d < e + f", 20) == "a < b\n⟹ c + d < e + f"


def test_clauses_between_quads_take_lines_of_their_own() -> None:
    assert render(r"a = b + c, \quad d = e + f", 16) == "a = b + c,\n    d = e + f"


def test_aligned_lines_keep_their_column_when_one_is_broken() -> None:
    latex = r"\begin{aligned} f(x) &= aaaa + bbbb + cccc \\ &= d \end{aligned}"
    assert render(latex, 20) == drawing("""
        f(x) = aaaa + bbbb
               + cccc
             = d
    """)


def test_what_can_not_be_broken_is_set_on_one_line_and_flows() -> None:
    latex = r"\frac{aaaaaaaa + bbbbbbbb + cccccccc}{2}"
    lines = render(latex, 20).split("\n")
    assert lines[0].startswith("(aaaaaaaa")
    assert max(map(width, lines)) <= 20
    assert "".join(lines).replace(" ", "") == "(aaaaaaaa+bbbbbbbb+cccccccc)/2"


def test_a_matrix_is_never_broken_but_flows() -> None:
    latex = r"\begin{bmatrix} aaaa & bbbb & cccc \\ dddd & eeee & ffff \end{bmatrix}"
    assert render(latex, 14).split("\n")[0] == "[aaaa, bbbb,"


def test_a_single_word_may_stick_out() -> None:
    assert render("a" * 30, 10) == "a" * 30
