"""`due` and `rate` look at folders and at the cards that they name; `list` at every file."""

from pathlib import Path

import pytest
from command_line import CommandLine

import quizzer.deck.walk


@pytest.fixture
def indexed(cli: CommandLine, deck: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck whose folders did not change for a while when it was indexed."""
    monkeypatch.setattr(quizzer.deck.walk, "_A_WHILE", -60_000_000_000)
    cli.ok("list", "--deck", deck)
    return deck


def edit(deck: Path, card: str, before: str, after: str) -> None:
    """Write to a card's file in place, as some editors do."""
    (file,) = (f for f in deck.rglob("*.md") if f"id: {card}\n" in f.read_text("utf-8"))
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


def test_a_card_that_is_shown_or_rated_is_the_one_that_the_file_holds_now(
    cli: CommandLine, indexed: Path
) -> None:
    new = cli.ok("due", "--json", "--deck", indexed).json["new"]
    assert "open" in new
    edit(indexed, "open", "id: open\n", "id: renamed\n")
    assert cli.ok("rate", "renamed", "good", "--deck", indexed).out.startswith("renamed: good")
    assert "open" not in cli.ok("due", "--json", "--deck", indexed).json["new"]


def test_the_id_that_a_card_had_before_is_not_rated(cli: CommandLine, indexed: Path) -> None:
    edit(indexed, "open", "id: open\n", "id: renamed\n")
    ran = cli("rate", "open", "good", "--deck", indexed)
    assert ran.code != 0
    assert "no card has the id open" in ran.err


def test_a_mastered_card_is_no_longer_new(cli: CommandLine, indexed: Path) -> None:
    edit(indexed, "open", "id: open\n", "id: open\nstatus: mastered\n")
    assert "open" not in cli.ok("due", "--json", "--deck", indexed).json["new"]
