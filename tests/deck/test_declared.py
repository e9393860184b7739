"""Where a declared checker comes from: a fence in the card, or a file beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quizzer.card import parse
from quizzer.deck import Asking, load

Write = Callable[[dict[str, str]], Path]

FENCE = "```checker\nx: N\ny = 2 x\n```"


def card(fence: str = FENCE, question: str = "Find $y$.") -> str:
    return (
        f"---\nid: a\n---\n\n# Question\n{question}\n\n---\n# Solution\n**Short Answer:** 2\n\n"
        f"Because.\n\n{fence}\n\n## Explanation\nIt doubles.\n"
    )


def read(text: str):  # type: ignore[no-untyped-def]
    parsed = parse(text.encode(), Path("a.md"))
    assert parsed.card
    return parsed


def test_a_fence_is_the_checker_and_is_not_shown() -> None:
    found = read(card()).card
    assert (found.checker.text, found.checker.line) == ("x: N\ny = 2 x", 15)
    assert "x: N" not in found.solution + found.question + "".join(found.steps)
    assert "It doubles." in found.solution


def test_lines_behind_the_fence_keep_their_numbers() -> None:
    text = card()
    found = read(text).card
    number = text.split("\n").index("It doubles.") + 1
    place = found.solution.split("\n").index("It doubles.")
    assert found.solution_line + place == number


def test_a_fence_may_be_in_the_question_too() -> None:
    found = read(card("", f"Find $y$.\n\n{FENCE}")).card
    assert found.checker is not None
    assert found.question == "Find $y$."


@pytest.mark.parametrize("info", ["", "python", "checkers", "checker x"])
def test_another_fence_is_shown(info: str) -> None:
    found = read(card(FENCE.replace("checker", info, 1))).card
    assert found.checker is None
    assert "y = 2 x" in found.solution


def test_of_two_fences_the_first_counts_and_the_second_is_told() -> None:
    parsed = read(card(f"{FENCE}\n\n{FENCE.replace('2', '3')}"))
    assert parsed.card.checker.text == "x: N\ny = 2 x"
    assert [(p.code, p.line) for p in parsed.problems] == [("two-checkers", 19)]
    assert "y = 3 x" not in parsed.card.solution


def test_the_fence_alone_makes_a_card_with_a_checker(write_deck: Write) -> None:
    root = write_deck({"a.md": card()})
    (entry,) = load([root]).entries
    assert (entry.asking, entry.checker) == (Asking.CHECKER, root / "a.md")


def test_a_file_beside_the_card_wins_over_its_fence(write_deck: Write) -> None:
    root = write_deck({"a.md": card(), "a.checker": "x: N\ny = x"})
    deck = load([root])
    assert deck.entries[0].checker == root / "a.checker"
    assert [(p.path.name, p.line, p.code) for p in deck.problems] == [("a.md", 14, "two-checkers")]


def test_python_wins_over_a_declared_file_and_a_fence(write_deck: Write) -> None:
    root = write_deck({"a.md": card(), "a.checker": "x: N\ny = x", "a.py": ""})
    deck = load([root])
    assert deck.entries[0].checker == root / "a.py"
    assert [(p.path.name, p.code) for p in deck.problems] == [
        ("a.checker", "two-checkers"),
        ("a.md", "two-checkers"),
    ]


def test_a_declared_file_without_a_card_is_told(write_deck: Write) -> None:
    root = write_deck({"a.md": card(), "b.checker": "x: N\ny = x"})
    assert [(p.path.name, p.code) for p in load([root]).problems] == [
        ("b.checker", "lonely-checker")
    ]


@pytest.mark.parametrize("names", [["a.md"], ["a.md", "a.checker"], ["a.md", "a.py"]])
def test_what_was_kept_of_a_deck_says_the_same(
    write_deck: Write, tmp_path: Path, names: list[str]
) -> None:
    root = write_deck({name: card() if name == "a.md" else "" for name in names})
    first = load([root], tmp_path / "cache").entries[0]
    again = load([root], tmp_path / "cache").entries[0]
    (root / "b.md").write_text(card().replace("id: a", "id: b"), "utf-8")
    changed = load([root], tmp_path / "cache").entries[0]
    assert first == again == changed


def test_a_card_is_found_by_the_file_of_its_checker(write_deck: Write) -> None:
    root = write_deck({"a.md": card(""), "a.checker": "x: N\ny = x"})
    deck = load([root])
    assert deck.find(str(root / "a.checker")) == deck.entries[0]
    outside = load([root / "a.md"])
    assert outside.find(str(root / "a.checker")).checker == root / "a.checker"  # type: ignore[union-attr]
