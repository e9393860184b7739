"""`map`: the cards as a tree of what they require."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import card_text


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    def requiring(card: str, *ids: str, course: str = "Vision") -> str:
        required = f"tags: []\nrequires: [{', '.join(ids)}]"
        return card_text(card, course=course).replace("tags: []", required)

    return write_deck(
        {
            "a.md": requiring("a"),
            "b.md": requiring("b", "a"),
            "c.md": requiring("c", "a"),
            "d.md": requiring("d", "b", "c"),
            "e.md": requiring("e", "a", course="Statistics"),
        }
    )


def test_the_tree_names_each_card_once_with_its_standing(cli: CommandLine, deck: Path) -> None:
    cli.ok("rate", "a", "good", "--deck", deck)
    ran = cli.ok("map", "--deck", deck)
    assert ran.out.splitlines() == [
        "a        known",
        "├─ b     ready",
        "├─ c     ready",
        "│  └─ d  new       also b",
        "└─ e     ready",
    ]
    assert "5 cards: 1 new, 3 ready, 1 known" in ran.err
    assert "Learn next: b, c, e" in ran.err


def test_without_lines_the_tree_is_indented(cli: CommandLine, deck: Path) -> None:
    lines = cli.ok("map", "--deck", deck, "--plain").out.splitlines()
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 2, 4, 2]
    assert not any(sign in line for line in lines for sign in "│├└─")


def test_a_course_is_drawn_alone_with_what_it_requires_elsewhere(
    cli: CommandLine, deck: Path
) -> None:
    (line,) = cli.ok("map", "statistics", "--deck", deck).out.splitlines()
    assert line.split() == ["e", "new", "also", "a"]
    missing = cli("map", "statistic", "--deck", deck)
    assert missing.code == 2 and "Statistics" in missing.err


def test_json_has_the_graph_and_what_is_next(cli: CommandLine, deck: Path) -> None:
    found = cli.ok("map", "--deck", deck, "--json").json
    assert found["ready"] == ["a"] and found["weak"] == []
    by_id = {card["id"]: card for card in found["cards"]}
    assert by_id["d"]["requires"] == ["b", "c"] and by_id["d"]["under"] == "c"
    assert by_id["a"]["holds_up"] == 4 and by_id["a"]["standing"] == "ready"
