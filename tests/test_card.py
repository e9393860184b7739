"""A card's text, its header, its problems and how it can be asked."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.card import (
    Card,
    Choice,
    Image,
    Link,
    Number,
    Option,
    Parsed,
    Part,
    Reveal,
    Severity,
    parse,
)

PATH = Path("a card.md")
GOOD = Path(__file__).parent / "decks" / "good"

quick = settings(derandomize=True, deadline=None, max_examples=150)


def parsed(text: str) -> Parsed:
    return parse(text.encode(), PATH)


def card_of(text: str) -> Card:
    """The card, which must have no problem."""
    result = parsed(text)
    assert result.problems == ()
    assert result.card is not None
    return result.card


def card(
    question: str = "Why?", solution: str = "Because.", fields: str = "", id_: str = "c1"
) -> str:
    header = f"---\nid: {id_}\n{fields}---\n\n"
    return f"{header}# Question\n{question}\n\n---\n# Solution\n{solution}\n"


def problem_of(text: str) -> tuple[int, str, Severity]:
    """Line, code and severity of the only problem."""
    (problem,) = parsed(text).problems
    assert problem.path == PATH
    return problem.line, problem.code, problem.severity


def test_a_real_card_is_read_whole() -> None:
    path = GOOD / "cnn" / "max_pooling.md"
    result = parse(path.read_bytes(), path)
    assert result.problems == ()
    card = result.card
    assert card is not None
    header = card.header
    assert (header.id, header.course, header.difficulty) == ("cnn_004", "Deep Learning", 2)
    assert header.tags == ("cnn", "max-pooling", "gradients")
    assert (header.type, header.kind, header.status) == ("derivation", "derivation", "to_learn")
    assert header.points == 5
    assert header.title == "Consider a max pooling layer over windows of size 2x2 with stride 2."
    assert card.question.startswith("(5p) Consider") and card.question.endswith("of the layer.")
    assert card.related == (Link("cnn", "cnn"), Link("max-pooling", "Pooling layers"))
    assert header.related == ("cnn", "max-pooling")
    assert len(card.steps) == 2 and "f_{kl}(\\boldsymbol{x}) = x" in card.steps[0]
    assert card.asks == Reveal()


def test_question_and_solution_know_their_true_lines() -> None:
    path = GOOD / "cnn" / "max_pooling.md"
    lines = path.read_text("utf-8").split("\n")
    card = parse(path.read_bytes(), path).card
    assert card is not None
    assert lines[card.question_line - 1].startswith("(5p) Consider")
    assert lines[card.solution_line - 1].startswith("Let $(i^*, j^*)")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_byte_order_mark_and_any_newline_make_no_difference(newline: str, mark: str) -> None:
    text = card("(2p) Línea uno.\n\nВторая строка.", "第三行。", "course: Ä\n")
    same = (mark + text.replace("\n", newline)).encode()
    assert parse(same, PATH) == parsed(text)
    assert parsed(text).card is not None


@pytest.mark.parametrize(
    "text",
    ["", "Just text.", "# Question\nno front matter", "-- \nid: x", "text\n---\nid: x\n---\n"],
)
def test_a_file_without_front_matter_is_a_note(text: str) -> None:
    assert parsed(text) == Parsed(None, is_note=True)


def test_a_note_may_be_in_any_encoding() -> None:
    assert parse("Größe".encode("latin-1"), PATH).is_note


@pytest.mark.parametrize(
    "id_",
    ["2025-01-22_05", "2025-01-22", "010", "1e5", "12:30:45", "no", "null", "~", "0x1F", "1_000"],
)
def test_values_of_the_front_matter_stay_the_text_that_was_typed(id_: str) -> None:
    header = card_of(card(id_=id_, fields=f"course: {id_}\ntags: [{id_}, x]\n")).header
    assert header.id == id_
    assert header.course == id_
    assert header.tags == (id_, "x")


@pytest.mark.parametrize(
    ("field", "tags"),
    [
        ("tags: a, b c , a", ("a", "b c")),
        ("tags: [a, b]", ("a", "b")),
        ("tags:\n  - a\n  - b", ("a", "b")),
        ("tags:", ()),
        ("tags: [[a]]", ("a",)),
    ],
)
def test_tags_are_a_list_or_text_with_commas(field: str, tags: tuple[str, ...]) -> None:
    assert card_of(card(fields=field + "\n")).header.tags == tags


def test_keys_that_mean_nothing_here_do_no_harm() -> None:
    fields = "source: exam\ncontent: x\nseen: [2024, 2025]\nby: {role: teacher}\n"
    assert card_of(card(fields=fields)).header == card_of(card()).header


@pytest.mark.parametrize(
    ("typed", "type_", "kind"),
    [
        ("Multiple choice", "multiple_choice", "multiple_choice"),
        ("multiple-choice", "multiple_choice", "multiple_choice"),
        ("problem_solving", "problem-solving", "problem-solving"),
        ("Derivation", "derivation", "derivation"),
        ("Essay", "Essay", "open"),
        ("", "open", "open"),
    ],
)
def test_types_are_known_however_they_are_spelled(typed: str, type_: str, kind: str) -> None:
    header = card_of(card(fields=f"type: {typed}\n")).header
    assert (header.type, header.kind) == (type_, kind)


@pytest.mark.parametrize("value", ["0", "6", "2.5", "hard", "[1, 2]"])
def test_a_difficulty_that_does_not_count_is_a_warning(value: str) -> None:
    text = card(fields=f"course: x\ndifficulty: {value}\n")
    assert problem_of(text) == (4, "difficulty", Severity.WARNING)
    result = parsed(text).card
    assert result is not None and result.header.difficulty is None


def test_a_blank_line_before_the_closing_fence_is_fine() -> None:
    assert card_of(card(fields="course: x\n\n")).header.course == "x"


@pytest.mark.parametrize(
    ("fields", "line", "hint"),
    [
        ("course: Part 1: Basics", 3, "quotes"),
        ("tags: [a, b", 3, "[one, two]"),
        ("tags: [a,\n  b\ncourse: c", 3, "[one, two]"),
        ("tags: {a, b\ncourse: c", 3, "{key: value}"),
        ("x: &a 1", 3, "not allowed"),
        ("course: x\ny: *a", 4, "not allowed"),
        ("<<: {a: b}", 3, "<<"),
        ("course: x\n\nid: c2", 5, "line 2"),
        ("y: {a: 1, a: 2}", 3, "line 3"),
        ("? [a, b]\n: c", 3, "key"),
        ("y: " + "[" * 9 + "]" * 9, 3, "deeper"),
        ("y: " + "[" * 5000, 3, "deeper"),
        ("y: !!python/object:os.system x", 3, "tag"),
        ("course: @home", 3, "quotes"),
        ("course: 'open", 3, "quotation mark"),
        ('course: "open\ntags: a', 3, "quotation mark"),
        ("stray line", 3, "colon"),
        ("tags: a\nstray line\n\ncourse: c", 4, "colon"),
        ("course:c\ntags: a", 3, "colon"),
    ],
)
def test_front_matter_that_is_refused_says_where_and_why(fields: str, line: int, hint: str) -> None:
    result = parsed(card(fields=fields + "\n"))
    (problem,) = result.problems
    assert result.card is None and not result.is_note
    assert problem.code == "front-matter" and problem.severity is Severity.ERROR
    assert problem.line == line
    assert hint in problem.message


def test_aliases_cannot_be_used_to_fill_memory() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"k{i}: &k{i} [*a, *a]\n" for i in range(20))
    assert problem_of(card(fields=bomb)) == (3, "front-matter", Severity.ERROR)


def test_front_matter_larger_than_64_kilobytes_is_refused() -> None:
    assert problem_of(card(fields="x: " + "y" * 70_000 + "\n"))[1] == "front-matter"


def test_a_list_instead_of_keys_is_refused() -> None:
    assert problem_of("---\n- id\n---\n# Question\nWhy?\n")[:2] == (2, "front-matter")


@pytest.mark.parametrize("blank", ["", "\n\n"])
def test_a_missing_close_is_reported_where_the_front_matter_begins(blank: str) -> None:
    text = blank + "---\nid: x\n\n# Question\nWhy?\n\n---\n# Solution\nSo.\n"
    (problem,) = parsed(text).problems
    assert (problem.line, problem.code) == (1 + len(blank), "open-front-matter")
    assert f"`# Question` in line {4 + len(blank)}" in problem.message


def test_a_missing_close_at_the_end_of_the_file_is_reported() -> None:
    assert problem_of("---\nid: x")[:2] == (1, "open-front-matter")


@pytest.mark.parametrize(
    ("header", "line"),
    [("course: x", 1), ("course: x\nid:", 3), ('course: x\nid: " "', 3), ("ID: x", 1), ("", 1)],
)
def test_a_missing_or_empty_id_is_an_error(header: str, line: int) -> None:
    text = f"---\n{header}\n---\n# Question\nWhy?\n---\n# Solution\nSo.\n"
    assert problem_of(text) == (line, "no-id", Severity.ERROR)
    assert parsed(text).card is None


def test_an_id_of_several_words_in_a_list_is_an_error() -> None:
    assert problem_of(card(id_="[a, b]"))[:2] == (2, "bad-id")


@pytest.mark.parametrize(
    ("body", "line", "code"),
    [
        ("Only text.\n", 4, "no-question"),
        ("", 4, "no-question"),
        ("# Question\n\n---\n# Solution\nSo.\n", 4, "no-question"),
    ],
)
def test_without_a_question_there_is_no_card(body: str, line: int, code: str) -> None:
    text = f"---\nid: x\n---\n{body}"
    assert problem_of(text) == (line, code, Severity.ERROR)
    assert parsed(text).card is None


def test_a_card_without_solution_is_an_error_but_can_be_asked() -> None:
    text = "---\nid: x\n---\n\n# Question\nWhy?\n"
    assert problem_of(text) == (5, "no-solution", Severity.ERROR)
    card = parsed(text).card
    assert card is not None and (card.question, card.solution) == ("Why?", "")


def test_an_empty_solution_is_reported_at_its_heading() -> None:
    assert problem_of("---\nid: x\n---\n# Question\nWhy?\n---\n# Solution\n")[:2] == (
        7,
        "no-solution",
    )


def test_without_the_solution_heading_the_rule_separates() -> None:
    text = "---\nid: x\n---\n# Question\nWhy?\n\n---\nSo.\n"
    assert problem_of(text) == (8, "no-solution-heading", Severity.WARNING)
    card = parsed(text).card
    assert card is not None and (card.question, card.solution) == ("Why?", "So.")


def test_without_the_question_heading_the_text_above_the_solution_is_asked() -> None:
    text = "---\nid: x\n---\nWhy?\n\n---\n# Solution\nSo.\n"
    assert problem_of(text) == (4, "no-question-heading", Severity.WARNING)
    card = parsed(text).card
    assert card is not None and (card.question, card.solution) == ("Why?", "So.")


def test_rules_and_headings_within_code_do_not_split_a_card() -> None:
    code = "```md\n---\n# Solution\nnot this\n```"
    result = card_of(card(f"Look:\n{code}", "So.\n\n---\n\n~~~\n# Question\n~~~\nEnd."))
    assert result.question == f"Look:\n{code}"
    assert result.solution.startswith("So.\n\n---") and result.solution.endswith("End.")


def test_a_rule_within_the_question_stays_there() -> None:
    assert card_of(card("One.\n\n---\n\nTwo.")).question == "One.\n\n---\n\nTwo."


def test_code_that_is_never_closed_does_not_swallow_the_solution() -> None:
    text = card("Look:\n```python\nx = 1")
    assert problem_of(text) == (7, "open-code", Severity.WARNING)
    result = parsed(text).card
    assert result is not None and result.solution == "Because."


def test_text_that_is_not_utf8_is_reported_and_the_card_still_loads() -> None:
    data = card("Erste Zeile.\nGröße?").encode("latin-1")
    result = parse(data, PATH)
    assert [(p.line, p.code) for p in result.problems] == [(7, "encoding")]
    assert result.card is not None and result.card.question == "Erste Zeile.\nGr��e?"


def test_control_characters_never_survive() -> None:
    text = card("a\x1b[31m\x9b\u202eb", "c\x07", 'course: "\\e[2J\\u202e"\ntags: ["\\x07"]\n')
    shown = repr(card_of(text))
    assert "\\x1b" not in shown and "\\x07" not in shown and "\\u202e" not in shown
    assert card_of(text).question == "a�[31m��b"


def test_citation_marks_are_removed_and_lines_stay() -> None:
    question = "[cite_start]One [cite: 12].\n[cite: 3, 4]\nTwo [cite: 5]"
    assert card_of(card(question)).question == "One.\n\nTwo"


OPTIONS = "Which?\n\n## Options\nA) one\nB) two $x$\n   and more\nC) the text\nD) N/A"


def test_options_are_read_and_leave_the_question() -> None:
    result = card_of(card(OPTIONS))
    assert result.question == "Which?"
    assert result.options == (
        Option("A", "one"),
        Option("B", "two $x$\n   and more"),
        Option("C", "the text"),
    )


@pytest.mark.parametrize(
    "style", ["{}) x", "{}. x", "({}) x", "- {}) x", "**{})** x", "* **{}.** x"]
)
def test_options_may_be_marked_in_many_ways(style: str) -> None:
    lines = "\n".join(style.format(letter) for letter in "ABC")
    result = card_of(card(f"Which?\n## Options\n{lines}"))
    assert result.options == (Option("A", "x"), Option("B", "x"), Option("C", "x"))


@pytest.mark.parametrize(
    "void",
    [
        "N/A",
        "A) N/A",
        "**n/a**",
        "A) N/A\nB) N/A",
        "N/A (Open-ended question)",
        "*N/A (open-ended question).*",
        "(N/A - open-ended)",
        "N/A: a derivation\nthat is open",
        "- N/A (Open-ended question)",
        "A) N/A (Open-ended question)",
        "Not applicable.",
        "None (open question)",
    ],
)
def test_options_that_say_not_applicable_are_none(void: str) -> None:
    result = parsed(card(f"Which?\n\n## Options\n{void}"))
    assert result.problems == ()
    assert result.card is not None and result.card.options == ()
    assert result.card.question == "Which?"


@pytest.mark.parametrize("text", ["None", "N/A is returned", "None (there is no such rate)"])
def test_an_option_that_only_begins_like_not_applicable_is_one(text: str) -> None:
    result = card_of(card(f"Which?\n\n## Options\nA) one\nB) {text}"))
    assert [option.text for option in result.options] == ["one", text]


def test_text_after_the_options_belongs_to_the_question() -> None:
    result = card_of(card("Which?\n## Options\nA) a\nB) b\n## Note\nChoose all."))
    assert result.question == "Which?\n## Note\nChoose all."
    assert [option.text for option in result.options] == ["a", "b"]


def test_options_that_cannot_be_read_stay_in_the_question_with_a_warning() -> None:
    text = card("Which?\n## Options\nA) one\nA) two")
    assert problem_of(text) == (7, "options", Severity.WARNING)
    result = parsed(text).card
    assert result is not None and result.options == () and "A) two" in result.question


@pytest.mark.parametrize(
    ("key", "letters"),
    [
        ("A", "A"),
        ("B)", "B"),
        ("(b)", "B"),
        ("**C**", "C"),
        ("C.", "C"),
        ("Option B", "B"),
        ("A, B", "AB"),
        ("A and C", "AC"),
        ("A, B and C", "ABC"),
        ("A, B, and C.", "ABC"),
        ("A & B", "AB"),
        ("B; C", "BC"),
        ("C) the text", "C"),
        ("C) **the text**.", "C"),
        ("A) one\nC) the text", "AC"),
    ],
)
def test_a_key_of_letters_is_a_choice(key: str, letters: str) -> None:
    result = card_of(card(OPTIONS, f"**Correct Answer:** {key}\n\nMore."))
    assert result.asks == Choice(frozenset(letters))
    assert result.correct_answer == key


@pytest.mark.parametrize(
    "key",
    [
        "A or B?",
        "A or B",
        "A/B",
        "A?",
        "Probably C",
        "A (but D arguable)",
        "A) but D arguable",
        "A) the text",
        "C) the text\nor none",
        "A\nB",
        "A, A",
        "A, perhaps B",
        "not A",
        "all but A",
        "the text",
        "3",
        "",
    ],
)
def test_a_hedged_key_is_revealed(key: str) -> None:
    assert card_of(card(OPTIONS, f"**Correct Answer:** {key}\n\nMore.")).asks == Reveal()


def test_a_letter_that_is_no_option_is_revealed_with_a_warning() -> None:
    text = card(OPTIONS, "So.\n\n**Correct Answer:** A, D")
    assert problem_of(text) == (19, "key", Severity.WARNING)
    result = parsed(text).card
    assert result is not None and result.asks == Reveal()


def test_two_keys_are_not_one_choice() -> None:
    solution = "**Correct Answer:** A\n\nThen\n\n**Correct Answer:** B"
    assert card_of(card(OPTIONS, solution)).asks == Reveal()


@pytest.mark.parametrize(
    ("key", "value", "slack"),
    [
        ("3", 3, 0),
        ("**3**", 3, 0),
        ("$3$.", 3, 0),
        ("-0.25", -0.25, 0.005),
        ("−0.5", -0.5, 0.05),
        ("+12", 12, 0),
        (".5", 0.5, 0.05),
        ("1e-3", 0.001, 0),
        ("1.5E3", 1500, 50),
        ("1/4", 0.25, 0),
        ("-1 / 4", -0.25, 0),
        (r"$\frac{1}{4}$", 0.25, 0),
        (r"$-\frac{3}{4}$", -0.75, 0),
        ("0", 0, 0),
    ],
)
def test_a_key_that_is_one_number_is_a_number(key: str, value: float, slack: float) -> None:
    asks = card_of(card(solution=f"**Correct Answer:** {key}")).asks
    assert isinstance(asks, Number)
    assert (asks.value, asks.slack) == pytest.approx((value, slack))


@pytest.mark.parametrize(
    "key",
    [
        "25 %",
        "3 bits",
        "1,5",
        "1,000",
        "3 or 4",
        "3 and 4",
        "010",
        "1/0",
        "1:2",
        "≈ 3",
        "x = 3",
        "nan",
        "inf",
        "1e999",
        "A",
        "3?",
        "1/2/3",
        "٣",
        "2^3",
        "3\n4",
        "$3$ $4$",
        "",
    ],
)
def test_a_key_that_is_not_plainly_one_number_is_revealed(key: str) -> None:
    assert card_of(card(solution=f"**Correct Answer:** {key}")).asks == Reveal()


@pytest.mark.parametrize(
    ("solution", "answer"),
    [
        ("**Correct Answer:** one\ntwo\n\nthree", "one\ntwo"),
        ("**Correct Answer**: one", "one"),
        ("**Correct Answer: one**", "one"),
        ("Correct answer: one", "one"),
        ("- **Correct Answer:** one", "one"),
        ("### Correct Answer\n\none\n\n### Why\ntwo", "one"),
        ("**Correct Answer:**\n\n## Explanation\nWhy.", ""),
        ("**Correct Answer:**\n\n**Explanation:** why", ""),
        ("**Correct Answer:**\none", "one"),
        ("**Correct Answer:** it is:\n\n$$\nx\n\ny\n$$\n\nend", "it is:\n$$\nx\n\ny\n$$"),
        ("**Correct Answer:** one\n**Explanation:** two", "one"),
        ("```\n**Correct Answer:** no\n```", ""),
        ("The correct answer is hard to say.", ""),
    ],
)
def test_the_correct_answer_is_its_paragraph(solution: str, answer: str) -> None:
    assert card_of(card(solution=solution)).correct_answer == answer


def test_the_short_answer_is_shown_first_and_the_key_judges() -> None:
    result = card_of(card(solution="**Short Answer:** a third\n\n**Correct Answer:** 1/3"))
    assert result.short_answer == "a third"
    assert result.asks == Number(1 / 3)
    assert card_of(card(solution="**Correct Answer:** 1/3")).short_answer == "1/3"


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    solution = "## Related Concepts\n- [[x]]\n### More\n- [[y]]\n## Sources\n- [[z]]"
    related = card_of(card(solution=solution)).related
    assert [link.target for link in related] == ["x", "y"]


@pytest.mark.parametrize(
    "steps",
    [
        "### Steps / Derivation\n1. First\n   $$x$$\n2. Second\n\n   more",
        "#### Derivation\nWe go:\n\n1) First\n   $$x$$\n2) Second\n\n   more",
        "## Step-by-step\n1. First\n$$x$$\n1. Second\n\nmore\n---\n## Explanation\nNo.",
    ],
)
def test_steps_are_the_numbered_items_under_their_heading(steps: str) -> None:
    found = card_of(card(solution=f"Intro.\n\n{steps}\n\n## Related Concepts\n- [[x]]")).steps
    assert found == ("First\n$$x$$", "Second\n\nmore")


def test_steps_may_be_named() -> None:
    solution = "## Derivation\n**Step 1: Set up.** a\n1. x\n2. y\n\n#### Step 2\nb"
    assert card_of(card(solution=solution)).steps == (
        "**Step 1: Set up.** a\n1. x\n2. y",
        "Step 2\nb",
    )


def test_nested_numbers_are_no_steps_of_their_own() -> None:
    solution = "## Steps\n1. One\n   1. inner\n   2. inner\n2. Two"
    assert card_of(card(solution=solution)).steps == ("One\n1. inner\n2. inner", "Two")


def test_without_such_a_heading_the_paragraphs_are_the_steps() -> None:
    solution = (
        "**Correct Answer:** 3\n\nFirst:\n\n$$ x $$\n\nSecond\ntwo lines\n\n```\na\n\nb\n```\n\n"
        "## Hints\n- no\n\n## Related Concepts\n- [[x]]"
    )
    steps = card_of(card(solution=solution)).steps
    assert steps == ("First:\n\n$$ x $$", "Second\ntwo lines", "```\na\n\nb\n```")


def test_a_steps_heading_without_numbers_gives_its_paragraphs() -> None:
    assert card_of(card(solution="Intro.\n## Derivation\nOne.\n\nTwo.")).steps == ("One.", "Two.")


def test_hints_are_found_in_both_halves_and_leave_the_question() -> None:
    result = card_of(card("Why?\n## Hints\n- a\n- b\n  c", "So.\n## Hints\n1. d\n2. e"))
    assert result.question == "Why?"
    assert result.hints == ("a", "b\nc", "d", "e")


def test_wiki_links_have_targets_and_labels() -> None:
    solution = "So.\n## Related Concepts\n- [[a b]]\n- [[c|see c]], [[a b]]\n![[d.png]] `x`"
    assert card_of(card(solution=solution)).related == (Link("a b", "a b"), Link("c", "see c"))


def test_images_have_their_true_lines() -> None:
    question = "Look:\n![[one.png|300]] and ![x](<two 2.png>)\n```\n![[no.png]]\n```\n`![](no.png)`"
    result = card_of(card(question, "![](sub/three.svg 'title') ![[a note]]"))
    assert result.images == (
        Image("one.png", 7),
        Image("two 2.png", 7),
        Image("sub/three.svg", 15),
    )


@pytest.mark.parametrize(
    ("question", "total", "parts"),
    [
        ("(5p) Why?", 5, ()),
        ("Why? (4 pts)", 4, ()),
        ("(2 points) Why?", 2, ()),
        ("(1.5p) or [0,5 p]", 2, ()),
        ("**(5p)** Why?", 5, ()),
        ("(5p) Do:\n(a) x (2p)\n(b) y (3p)", 5, (("a", 2), ("b", 3))),
        ("Do:\n(a) (2p) x\n(b) (3p) y", 5, (("a", 2), ("b", 3))),
        ("(a) x (2p) (b) y (3p)", 5, (("a", 2), ("b", 3))),
        ("Do:\n- **a)** x (2p)\n- **b)** y as in (a) (3p)", 5, (("a", 2), ("b", 3))),
        ("(6p) Do:\n(a) x\n(b) y (3p)", 6, (("b", 3),)),
        ("(1p) First.\n(2p) Second.", 3, ()),
        ("(3p)\nFirst (1p).\nSecond (2p).", 3, ()),
        ("Do:\n(a) x (2p)\n(b) y (3p)\n(total 5p)", 5, (("a", 2), ("b", 3))),
        ("$f(2p)$ and g(3p) and `(4p)`", None, ()),
        ("(a) A ticket pays $5 on a win (3p). It costs $2 (1p).", 4, (("a", 4),)),
        ("(a) It costs $2 and pays $5 (3p).\n(b) The odds are $o$ (2p).", 5, (("a", 3), ("b", 2))),
        ("- (a) It pays $5 (3p)\n- (b) and in US$, too (2p)", 5, (("a", 3), ("b", 2))),
        ("| (a) | $5 (3p) |\n|---|---|\n| (b) | US$ (2p) |", 5, ()),
        ("1. (a) One (3p)\n2. (b) Two (2p)", 5, (("a", 3), ("b", 2))),
        ("    (a) indented (3p)\n\n    (b) as well (2p)", 5, (("a", 3), ("b", 2))),
        ("It costs \\$2 (3p) if $x = \\$3$ (2p)", 5, ()),
        ("It costs `$` (3p) or `$`", 3, ()),
        ("$f\n(2p)$ is $$\ng\n(3p)\n$$ (1p)", 1, ()),
        ("Why?", None, ()),
    ],
)
def test_points_of_parts_are_their_own_and_a_total_counts_once(
    question: str, total: float | None, parts: tuple[tuple[str, float], ...]
) -> None:
    result = card_of(card(question))
    assert result.header.points == total
    assert result.parts == tuple(Part(*part) for part in parts)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("(5p) Derive $a.b$ now. Then more.", "Derive $a.b$ now."),
        ("# Part\n**Why** is it so, e.g. here? Yes.", "Part Why is it so, e.g. here?"),
        ("Given $$x$$ show $y$", "Given … show $y$"),
        ("为什么？因为。", "为什么？"),
        ("A ticket pays $5. Another costs $2.", "A ticket pays $5."),
        ("![[x.png]]\nWhat is this", "What is this"),
        ("Is *this* a [[norm|length]] of ![[x.png]] `x`?", "Is this a length of x?"),
        ("(max 5p) Take $f(2p)$ and $g$.", "Take $f(2p)$ and $g$."),
        ("It is $$\nx.\n$$ so. Then", "It is … so."),
        ("word " * 30, "word " * 15 + "word…"),
        ("x " * 30 + "$" + "y" * 40 + "$ end.", ("x " * 30).strip() + "…"),
    ],
)
def test_the_title_is_the_first_sentence_and_cuts_no_formula(question: str, title: str) -> None:
    assert card_of(card(question)).header.title == title


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("![](two words.png)", "two words.png"),
        ("![](x (1).png)", "x (1).png"),
        ("![](x.png 'a title')", "x.png"),
        ("> ![[x.png]]", "x.png"),
    ],
)
def test_images_are_those_that_are_shown(question: str, name: str) -> None:
    assert [image.name for image in card_of(card(question)).images] == [name]


def test_links_and_images_in_code_are_none() -> None:
    solution = "So.\n## Related Concepts\n- [[a]] and `[[b]]`\n\n> ```\n> ![[c.png]]\n> ```"
    result = card_of(card(solution=solution))
    assert (result.related, result.images) == ((Link("a", "a"),), ())


def test_two_dollars_without_partner_hold_nothing_together() -> None:
    result = card_of(card(solution="**Short Answer:** It costs $$ more.\n\nOne.\n\nTwo."))
    assert (result.short_answer, result.steps) == ("It costs $$ more.", ("One.", "Two."))


def test_importing_cards_does_not_import_yaml() -> None:
    program = "import sys, quizzer.card; sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


FRAGMENTS = st.sampled_from(
    [
        "---",
        "# Question",
        "# Solution",
        "## Options",
        "A) x",
        "B) y",
        "id: x",
        "tags: [a",
        "```",
        "**Correct Answer:** A",
        "$$",
        "1. s",
        "### Steps",
        "(5p)",
        "(a)",
        "![[a.png]]",
        "[cite: 1]",
        "## Hints",
        "",
        "  ",
        "- x",
        "a: &b",
        "*b",
        '"',
        "\t",
        "{",
        "\x1b[0m",
        "~~~",
        "\ufeff",
        "é",
    ]
)
CARDLIKE = st.lists(FRAGMENTS | st.text(max_size=20), max_size=25).map("\n".join)


@quick
@given(st.binary(max_size=300) | CARDLIKE.map(lambda t: f"---\nid: x\n{t}".encode()))
def test_any_bytes_give_a_result_and_no_exception(data: bytes) -> None:
    result = parse(data, PATH)
    lines = (
        data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    )
    assert all(1 <= problem.line <= lines for problem in result.problems)
    assert result.card or result.is_note or result.problems


@quick
@given(CARDLIKE, CARDLIKE)
def test_lines_of_a_card_are_those_of_its_file(question: str, solution: str) -> None:
    text = card(question, solution)
    result = parsed(text).card
    if result is None or "[cite" in text:
        return
    file = result_lines(text)
    for shown, first in ((result.solution, result.solution_line),):
        lines = shown.split("\n") if shown else []
        assert lines == file[first - 1 : first - 1 + len(lines)]
    opening = result.question.split("\n")[0]
    assert opening == file[result.question_line - 1] or "## " in question


def result_lines(text: str) -> list[str]:
    from quizzer.text import clean

    return clean(text).split("\n")


@quick
@given(st.text(max_size=60).filter(lambda t: t.strip()))
def test_any_quoted_text_is_read_back_as_a_course(text: str) -> None:
    quoted = '"' + "".join(f"\\U{ord(sign):08x}" for sign in text) + '"'
    result = parsed(card(fields=f"course: {quoted}\n"))
    from quizzer.text import clean

    assert result.card is not None
    assert result.card.header.course == " ".join(clean(text).split())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_saved_as_utf_16_is_told_and_no_silent_note(encoding: str) -> None:
    text = "\ufeff" * (encoding != "utf-16") + "---\nid: a\n---\n# Question\nWhat?\n"
    parsed = parse(text.encode(encoding), Path("a.md"))
    assert parsed.card is None
    assert not parsed.is_note
    assert "save it as UTF-8" in parsed.problems[0].message
