"""`show` through the pager: only on a terminal, only when it is long."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import Terminal, environment
from samples import card_text

LONG = card_text("long", solution="\n\n".join(f"Paragraph {number}." for number in range(40)))
SHORT = card_text("short")


@pytest.fixture
def deck(write_deck: Callable[[dict[str, str]], Path]) -> Path:
    return write_deck({"long.md": LONG, "short.md": SHORT})


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that says that it was started, and how."""
    script = tmp_path / "pager"
    script.write_text("#!/bin/sh\necho PAGED $LESS; cat\n")
    script.chmod(0o755)
    return str(script)


def shown(home: Path, deck: Path, *arguments: str, rows: int = 24, **env: str) -> str:
    """What stands on the screen after the command."""
    home.mkdir(exist_ok=True)
    started = Terminal(*arguments, "--deck", deck, env=environment(home, **env), rows=rows)
    with started as terminal:
        assert terminal.ends() == 0
        return terminal.text


def test_a_card_longer_than_the_screen_goes_through_the_pager(
    tmp_path: Path, deck: Path, pager: str
) -> None:
    text = shown(tmp_path / "home", deck, "show", "long", PAGER=pager)
    assert "PAGED" in text
    assert text.index("PAGED") < text.index("Paragraph 0.") < text.index("Paragraph 39.")


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [(("show", "short"), 24), (("show", "long"), 200), (("show", "long", "--plain"), 24)],
    ids=["short", "high window", "plain"],
)
def test_what_fits_the_screen_and_plain_text_are_printed(
    tmp_path: Path, deck: Path, pager: str, arguments: tuple[str, ...], rows: int
) -> None:
    assert "PAGED" not in shown(tmp_path / "home", deck, *arguments, rows=rows, PAGER=pager)


@pytest.mark.parametrize("pager", ["", "/no/such/pager", "'unclosed"])
def test_without_a_pager_it_is_printed(tmp_path: Path, deck: Path, pager: str) -> None:
    text = shown(tmp_path / "home", deck, "show", "long", PAGER=pager)
    assert "Paragraph 39." in text


def test_a_dumb_terminal_has_only_the_pager_that_was_asked_for(
    tmp_path: Path, deck: Path, pager: str
) -> None:
    less = tmp_path / "bin" / "less"
    less.parent.mkdir()
    less.symlink_to(pager)
    dumb = {"TERM": "dumb", "PATH": f"{less.parent}:{os.environ['PATH']}"}
    home = tmp_path / "home"
    assert "PAGED" in shown(home, deck, "show", "long", **dumb | {"TERM": "xterm"})
    assert "PAGED" not in shown(home, deck, "show", "long", **dumb)
    assert "PAGED" in shown(home, deck, "show", "long", PAGER=pager, **dumb)


def test_less_shows_colours_and_does_not_stay_unless_the_learner_has_it_otherwise(
    tmp_path: Path, deck: Path, pager: str
) -> None:
    assert "PAGED FRX" in shown(tmp_path / "home", deck, "show", "long", PAGER=pager)
    text = shown(tmp_path / "home", deck, "show", "long", PAGER=pager, LESS="-i")
    assert "PAGED -i" in text


def test_leaving_the_pager_early_is_no_error(tmp_path: Path, deck: Path) -> None:
    text = shown(tmp_path / "home", deck, "show", "long", PAGER="head -n 3")
    assert "What is it?" in text
    assert "Paragraph 39." not in text


def test_away_from_a_terminal_no_pager_is_started(
    cli: CommandLine, deck: Path, pager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGER", pager)
    printed = cli.ok("show", "long", "--deck", deck).out
    assert "PAGED" not in printed
    assert re.search("Paragraph 39", printed)
