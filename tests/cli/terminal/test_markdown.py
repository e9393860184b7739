import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from quizzer.card import scanner
from quizzer.cli.terminal.face import THEME
from quizzer.cli.terminal.gallery import Gallery
from quizzer.cli.terminal.markdown import CardMarkdown, plain_text
from quizzer.tex.width import width

HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def find_image(name: str) -> Path | None:
    return Path("/deck/figures") / name if name.endswith(".png") else None


def shown(source: str, columns: int = 60, encoding: str = "utf-8", macros: str = "") -> str:
    """What a terminal without colours shows, without the blanks at the ends of lines."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding, errors="replace", newline="")
    console = Console(
        file=stream, width=columns, theme=THEME, color_system=None, highlight=False, emoji=False
    )
    console.print(CardMarkdown(source, Gallery(find_image), macros))
    stream.seek(0)
    return "\n".join(line.rstrip() for line in stream.read().split("\n")).strip("\n")


def formulas(source: str) -> list[tuple[str, int]]:
    """The formulas of a text with their lines, counted from 0."""
    found = scanner.formulas(scanner.scan(source, first=0))
    return [(token.content, (token.map or [-1])[0]) for token in found]


def plain(source: str) -> str:
    return plain_text(source, Gallery(find_image))


TABLE = r"""
| name | $f(x)$ | where |
|:-----|:------:|------:|
| relu | $\max(0, x)$ | [[hinge]] |
| abs | $|x|$ | *kink* |
| sigmoid | $$\frac{1}{1 + e^{-x}}$$ | |
"""


def test_a_table_shows_its_formulas_on_one_line_each() -> None:
    lines = shown(TABLE).split("\n")
    assert [line.split() for line in lines[:1]] == [["name", "f(x)", "where"]]
    assert any("max(0, x)" in line and "hinge" in line for line in lines)
    assert any("|x|" in line and "kink" in line for line in lines)
    assert any("1/(1 + e⁻ˣ)" in line for line in lines)


def test_a_plain_table_has_a_line_for_each_row() -> None:
    assert plain(TABLE).split("\n") == [
        "name | f(x) | where",
        "relu | max(0, x) | hinge",
        "abs | |x| | kink",
        "sigmoid | 1/(1 + e⁻ˣ) |",
    ]


def test_a_bar_outside_a_table_is_left_as_it_is() -> None:
    assert plain(r"| $|x|$ and $\|x\|$") == "| |x| and ‖x‖"


def test_display_math_in_a_list_item_stands_under_its_text() -> None:
    source = "1. First\n   $$ \\frac{a}{b} $$\n   goes on.\n2. Second"
    assert shown(source) == ("1. First\n        a\n       ───\n        b\n   goes on.\n2. Second")


def test_display_math_in_a_quote_keeps_the_quote_going() -> None:
    lines = shown("> Before\n> $$ \\frac{a}{b} $$\n> after").split("\n")
    assert lines[0] == "▌ Before"
    assert all(line.startswith("▌") for line in lines)
    assert any(line.endswith("───") for line in lines)


def test_display_math_in_a_heading_stays_on_the_line() -> None:
    assert "a/b" in shown("## The law $$\\frac{a}{b}$$")


@pytest.mark.parametrize(
    "source",
    [
        "Then\n$$\na\n- b\n$$\nholds.",
        "Then $$\na\n- b\n$$\nholds.",
        "Then\n$$ a\n- b $$\nholds.",
        "Then $$ a - b $$ holds.",
        "Then\n\n$$\na\n\n- b\n$$\n\nholds.",
    ],
)
def test_display_math_parts_a_paragraph_wherever_its_dollars_stand(source: str) -> None:
    assert " ".join(plain(source).split()) == "Then a − b holds."


def test_two_dollars_without_partner_leave_a_list_a_list() -> None:
    assert plain("It costs $$ more\n- a\n- b") == "It costs $$ more\n\n- a\n- b"


def test_a_formula_that_begins_at_a_line_end_does_not_swallow_a_later_one() -> None:
    source = "So $$\na\n$$\nand\n$$\nb\n$$\nend."
    assert [latex.strip() for latex, _ in formulas(source)] == ["a", "b"]


def test_a_display_formula_that_never_ends_is_shown_as_text() -> None:
    assert plain("$$ a + b\n\nText") == "$$ a + b\n\nText"


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "From $5 to $10, or $20.",
        "About $5 each; `$x$` is code.",
        "A lone $ sign.",
        r"Escaped \$5 and \$6.",
        "$$",
        "$ $",
    ],
)
def test_prices_are_no_formulas(text: str) -> None:
    assert list(formulas(text)) == []


@pytest.mark.parametrize(
    "text", ["$x$", "$ x $", "($x$)", "$x$.", "a$x$b", "It costs $5, with $x$"]
)
def test_dollars_round_a_symbol_make_a_formula(text: str) -> None:
    assert [latex.strip() for latex, _ in formulas(text)] == ["x"]


def test_markdown_leaves_the_inside_of_formulas_alone() -> None:
    source = r"$a*b*c$, $x_1 y_1 z_1$, $\begin{matrix} a \\ b \end{matrix}$, $\{x\}$, $[[a]]$"
    assert [latex for latex, _ in formulas(source)] == [
        "a*b*c",
        "x_1 y_1 z_1",
        r"\begin{matrix} a \\ b \end{matrix}",
        r"\{x\}",
        "[[a]]",
    ]


def test_a_formula_is_found_on_its_line() -> None:
    source = "One.\n\n$$\na\n$$\n\n- $b$\n"
    assert [(latex.strip(), line) for latex, line in formulas(source)] == [("a", 2), ("b", 6)]


def test_lists_nest_and_keep_their_numbers() -> None:
    source = "3. a\n   1. b\n      - c\n4. d"
    assert shown(source).split("\n") == ["3. a", "   1. b", "       • c", "4. d"]
    assert plain(source).split("\n") == ["3. a", "   1. b", "      - c", "4. d"]


def test_a_plain_list_in_a_quote_keeps_both_marks() -> None:
    assert plain("> - a  \n>   b\n> - c\n>   d") == "> - a\n>   b\n> - c\n>   d"


def test_an_item_without_text_is_no_reason_to_fail() -> None:
    assert shown("5)") == ""


def test_code_is_shown_as_it_is_written() -> None:
    source = "```python\nx = 'a*b*c'  # $5\n```"
    assert "x = 'a*b*c'  # $5" in shown(source)
    assert plain(source) == "x = 'a*b*c'  # $5"


def test_code_has_colours_where_there_are_colours() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, color_system="standard", width=40)
    console.push_theme(THEME)
    console.print(CardMarkdown("```python\nreturn 1\n```", Gallery(find_image)))
    assert re.search("\x1b\\[[0-9;]*m" + "return", stream.getvalue())


def test_wiki_links_show_the_concept_or_its_label() -> None:
    assert shown("See [[max-pooling]] and [[target|a label]].") == "See max-pooling and a label."


def test_images_are_numbered_and_named_with_their_path() -> None:
    source = "![[a.png]] ![alt](b.png)\n\n![[c.jpg]] ![d][d]\n\n[d]: d.png"
    assert plain(source).split("\n\n") == [
        "[image 1: /deck/figures/a.png] [image 2: /deck/figures/b.png]",
        "[image 3: c.jpg, not found] [image 4: /deck/figures/d.png]",
    ]


@pytest.mark.parametrize("source", ["a <b>c</b>", "<script>x</script>", "<!-- note -->"])
def test_html_is_text(source: str) -> None:
    assert shown(source) == plain(source) == source


def test_a_link_says_where_it_leads() -> None:
    assert plain("[this](http://example.org)") == "this (http://example.org)"


def test_control_characters_written_as_entities_become_visible() -> None:
    for say in (shown, plain):
        assert "�" in say("a &#x202e; b")
        assert not HARMFUL.search(say("a &#x202e; \x1b[31m b"))


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_that_knows_few_characters_gets_ascii(encoding: str) -> None:
    source = "- $\\alpha$\n\n> q\n\n$$ \\frac{a}{b} \\le \\sum_i x_i $$\n\n| a |\n|---|\n| b |"
    text = shown(source, encoding=encoding)
    assert text.isascii()
    assert "?" not in text
    assert "alpha" in text
    assert "<= sum x" in text


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_screen(columns: int) -> None:
    source = f"{TABLE}\n- a\n  - $$ \\sum_{{i=1}}^n (aaaa_i + bbbb_i + cccc_i + dddd_i)^2 $$\n"
    assert max(width(line) for line in shown(source, columns).split("\n")) <= columns


def test_a_macro_of_the_deck_is_used_on_the_line_and_displayed() -> None:
    text = shown("$\\vx$\n\n$$ \\vx = 1 $$", macros=r"\newcommand{\vx}{\mathbf{x}}")
    assert text.split() == ["𝐱", "𝐱", "=", "1"]


FRAGMENTS = [
    *("$", "$$", "\\$", "x", "5", " ", "  ", "\n", "\n\n", "    ", "\t", "- ", "1. ", "> ", "# "),
    *("| a | b |\n|---|---|\n", "| $|x|$ |", "|", "```", "```python\n", "`", "~~~", "*", "**", "_"),
    *("[[a]]", "[[", "]]", "![[a.png]]", "![", "](", ")", "[a](b)", "<b>", "<!--", "&#x202e;"),
    *("\\frac{a}{b}", "\\\\", "---\n", "===\n", "\x1b[31m", "\r\n", "損", "[^1]", "[a]: b\n", "~~"),
]


@settings(derandomize=True, deadline=None, max_examples=250)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=20), st.sampled_from([20, 40, 80]))
def test_fragments_in_any_order_never_raise(fragments: list[str], columns: int) -> None:
    check("".join(fragments), columns)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.text(max_size=80), st.sampled_from([20, 80]))
def test_any_text_never_raises(text: str, columns: int) -> None:
    check(text, columns)


def check(source: str, columns: int) -> None:
    assert not HARMFUL.search(shown(source, columns))
    assert not HARMFUL.search(plain(source))
    assert all(isinstance(latex, str) for latex, _ in formulas(source))


def test_parts_on_lines_of_their_own_stay_there() -> None:
    shown = plain_text("A layer.\n(a) The message.\n(b) The output,\nas typed.", lambda name: None)
    assert shown.splitlines() == ["A layer.", "(a) The message.", "(b) The output,", "as typed."]


PSEUDO_CODE = """Algorithm:
for each window $(k, l)$ of the input, from left to right and top to bottom
    find the largest
    $x_{ij}$ gets the upstream
return it"""
SENTENCES = """One sentence stands in each line here, as some people write their prose in git.
The next sentence stands in the next line, and it is nearly as long as the first."""
WRAPPED = """This is prose that an editor wrapped at eighty columns, as people do who write
their cards in vim, with a formula $x_{ij} = \\sum_k a_k$ in it, and which must not
look ragged in a window of 60 columns. It ends here."""
STEP = """1. This step is wrapped at eighty columns as well, since an editor did so, and its
   second line stands below the first."""


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_lines_of_the_author_stay_lines(columns: int) -> None:
    for line in ("Algorithm:", "find the largest", "xᵢⱼ gets the upstream", "return it"):
        assert line in shown(PSEUDO_CODE, columns).splitlines()
        assert line in plain(PSEUDO_CODE).splitlines()
    assert (
        shown("Short.\nThen this.", columns) == plain("Short.\nThen this.") == "Short.\nThen this."
    )
    assert "\nThe next sentence" in shown(SENTENCES, columns)
    assert plain(SENTENCES) == SENTENCES


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_prose_that_an_editor_wrapped_is_not_ragged(columns: int) -> None:
    for source in (WRAPPED, STEP, f"> {WRAPPED}".replace("\n", "\n> ")):
        lines = shown(source, columns).splitlines()
        words = [line.strip(" ▌").split(" ")[0] for line in lines]
        assert all(
            width(f"{line} {word}") > columns - 3
            for line, word in zip(lines, words[1:], strict=False)
        )
        assert len(plain(source).splitlines()) == 1


def test_display_math_between_lines_of_a_paragraph_leaves_no_blank_line_more() -> None:
    assert plain("It is\n$$ x $$\nthen") == plain("It is\n\n$$ x $$\n\nthen")
    assert plain("It is\nso $$ x $$\nand\nthen") == "It is\nso\n\nx\n\nand\nthen"
