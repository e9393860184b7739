"""What a card's text is taken apart into, and where each piece stands."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.token import Token

from quizzer.card.scanner import formulas, scan, tokens_of

CARDS = sorted((Path(__file__).parents[2] / "cards").rglob("*.md"))
FRAGMENTS = [
    *("$", "$$", "\\$", "x", "5", " ", "  ", "\n", "\n\n", "    ", "\t", "- ", "1. ", "> ", "# "),
    *("| a | b |\n|---|---|\n", "| $|x|$ |", "|", "```", "\n```py\n", "`", "~~~", "*", "**", "_"),
    *("[[a]]", "[[", "]]", "![[a.png]]", "![", "](", ")", "[a](b)", "<b>", "&#x202e;", "(5p)"),
    *(
        "\\frac{a}{b}",
        "\\\\",
        "\n---\n",
        "\n===\n",
        "損",
        "[a]: b\n",
        "~~",
        "$$\na\n- b\n$$",
        "$x$",
    ),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join) | st.text(max_size=60)

thorough = settings(derandomize=True, deadline=None, max_examples=300)


def inlines(text: str, first: int = 1) -> list[Token]:
    return [child for token in scan(text, first) for child in token.children or ()]


def found(text: str, type_: str, first: int = 1) -> list[Token]:
    tokens = scan(text, first)
    return [t for t in (*tokens, *inlines(text, first)) if t.type == type_]


def latex(text: str) -> list[str]:
    return [token.content.strip() for token in formulas(scan(text))]


@thorough
@given(TEXTS)
def test_any_text_is_scanned_and_its_blocks_cover_it_in_order(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    at, covered = 1, set[int]()
    for token in scan(text):
        if token.map and token.nesting >= 0 and token.level == 0:
            begin, end = token.map
            assert at <= begin < end <= len(lines) + 1
            at = begin
            covered.update(range(begin, end))
    defined = {number for number, line in enumerate(lines, 1) if "]:" in line}
    """Definitions of links leave no token."""
    written = {number for number, line in enumerate(lines, 1) if line.strip()}
    assert defined or written <= covered


@thorough
@given(TEXTS, st.integers(1, 1000))
def test_formulas_pictures_and_links_are_where_they_are_said_to_be(text: str, first: int) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tokens = scan(text, first)
    for token in (*formulas(tokens), *inlines(text, first)):
        if token.type not in {"formula", "formula_block", "image", "wiki_link"}:
            continue
        assert token.map
        here = "\n".join(lines[token.map[0] - first : token.map[1] - first])
        said = str(token.attrs.get("src", "")) or str(token.attrs.get("target", ""))
        assert all(word.replace("\ufffd", "") in here for word in (said or token.content).split())


@thorough
@given(TEXTS)
def test_nothing_harmful_gets_through(text: str) -> None:
    shown = "".join(token.content for token in (*scan(text), *inlines(text)))
    assert not {"\x1b", "\u202e", "\x07"} & set(shown)


@pytest.mark.parametrize("path", CARDS[::6], ids=lambda path: path.stem)
def test_lines_of_a_real_card_are_true(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = text.split("\n")
    tokens = [token for token in formulas(scan(text)) if token.map]
    assert tokens
    for token in tokens:
        assert token.map
        here = "\n".join(lines[token.map[0] - 1 : token.map[1] - 1])
        said = token.content.strip().split("\n")[0]
        # In a table, a bar within a formula may be escaped.
        assert said.replace("\\|", "|") in here.replace("\\|", "|")


def test_a_text_that_was_scanned_just_now_is_not_scanned_again() -> None:
    text = "Let $x$ be\n\n$$x = 1$$\n"
    assert list(tokens_of(text, 3)) == scan(text, 3)
    assert tokens_of(text, 3) is tokens_of(text, 3)
    assert scan(text, 3)[0] is not scan(text, 3)[0]


def test_lines_are_counted_from_the_first_one_of_the_text() -> None:
    text = "One\ntwo $x$\nand [[link]]\n\n| a | $b$ |\n|---|---|\n| c | $d$ |\n\n- ![[e.png]]"
    found = [(t.type, t.map and t.map[0]) for t in inlines(text, 10) if t.type != "text"]
    assert [item for item in found if item[0] != "hardbreak"] == [
        ("formula", 11),
        ("wiki_link", 12),
        ("formula", 14),
        ("formula", 16),
        ("image", 18),
    ]


def test_a_formula_over_several_lines_has_them_all() -> None:
    (block,) = formulas(scan("It is $$\na\n- b\n$$ here"))
    assert (block.type, block.content, block.map) == ("formula_block", "\na\n- b\n", [1, 5])


@pytest.mark.parametrize(
    "text",
    [
        "$$\na\n\n- b\n$$",
        "1. one\n   $$\n   a\n\n   - b\n   $$\n2. two",
        "> $$\n> a\n> - b\n> $$",
        "So $$\na\n- b\n$$ then",
        "- So $$\n  a\n  - b\n  $$ then",
    ],
)
def test_no_list_begins_within_a_formula(text: str) -> None:
    assert [" ".join(formula.split()) for formula in latex(text)] == ["a - b"]


@pytest.mark.parametrize("end", ["# Solution", "---", "```\ncode\n```"])
def test_a_formula_ends_before_a_heading_a_rule_and_code(end: str) -> None:
    assert latex(f"$$ a\n{end}\n$$\nb\n$$") == ["b"]


def test_prices_do_not_tear_a_table() -> None:
    cells = [t.content for t in scan("| now | later |\n|--|--|\n| $5 | $6 |") if t.type == "inline"]
    assert cells == ["now", "later", "$5", "$6"]


@pytest.mark.parametrize("line", ["| a | $|x|$ |", "| a | $\\|x\\|$ |", "a | $|x|$", "|a|$|x|$"])
def test_a_bar_in_a_formula_is_no_border(line: str) -> None:
    cells = [t.content for t in scan(f"{line}\n|:--|--:|") if t.type == "inline"]
    assert cells == ["a", "$|x|$"]


def test_a_formula_with_bars_above_a_rule_is_no_table() -> None:
    assert [t.type for t in scan("- a\n- b $|x|$\n---")][-1] == "hr"


def test_short_rows_cannot_fill_the_memory() -> None:
    wide = 300
    text = "|a" * wide + "|\n" + "|-" * wide + "|\n" + "|\n" * 10_000
    assert len(scan(text)) < 400_000


def test_three_dashes_are_a_rule_and_equal_signs_underline_a_heading() -> None:
    types = [t.type for t in scan("Text\n---\nTitle\n===") if t.nesting >= 0]
    assert types == ["paragraph_open", "inline", "hr", "heading_open", "inline"]


@pytest.mark.parametrize("fence", ["```python\nx = 1", "- ```\n  x", "> ```\n> x\n\nEnd"])
def test_a_fence_that_is_never_closed_is_text(fence: str) -> None:
    assert not found(fence, "fence")
    assert "```" in "".join(token.content for token in inlines(fence))


def test_a_fence_is_closed_wherever_its_marks_stand() -> None:
    (fence,) = found("1. one\n   ```checker\n   ask dx\n```\n", "fence")
    assert (fence.info, fence.content, fence.map) == ("checker", "ask dx\n", [2, 5])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("![[x.png]]", "x.png"),
        ("![[x.png|300]]", "x.png"),
        ("![[x.png#right]]", "x.png"),
        ("![](two words.png)", "two words.png"),
        ("![a](<two words.png>)", "two words.png"),
        ("![a](x.png 'A title')", "x.png"),
        ('![a](x (1).png "A (good) title")', "x (1).png"),
        ("![a](sub/x.png)", "sub/x.png"),
        ("![a][x]\n\n[x]: x.png", "x.png"),
    ],
)
def test_an_image_has_the_name_that_its_author_wrote(text: str, name: str) -> None:
    assert [token.attrs["src"] for token in found(text, "image")] == [name]


def test_code_holds_neither_links_nor_images_nor_formulas() -> None:
    code = "`[[a]] $x$ ![[b.png]]`\n\n```\n[[a]] $x$ ![[b.png]]\n```\n\n    [[a]] $x$"
    types = {token.type for token in (*scan(code), *inlines(code))}
    assert not types & {"wiki_link", "image", "formula", "formula_block"}
