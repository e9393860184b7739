"""What tests of the command line need: a folder to be in, a deck, the program as a process."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING, NUMBER_CARD, card_text


@pytest.fixture
def here(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, on a fixed morning, with an empty home."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("QUIZZER_NOW", MORNING.isoformat())
    monkeypatch.setenv("COLUMNS", "80")
    # Output to a pipe shall be buffered, as it is for users.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    return folder


@pytest.fixture
def cli(here: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    return CommandLine(monkeypatch)


@pytest.fixture
def process(here: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the program as a process of its own, without a terminal."""

    def run(*argv: object, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "quizzer", *map(str, argv)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={**os.environ, **environ},
            timeout=60,
        )

    return run


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    """One card of each way of asking, and a note."""
    return write_deck(
        {
            "square.md": DERIVATION_CARD,
            "square.py": CHECKER,
            "choice.md": CHOICE_CARD,
            "number.md": NUMBER_CARD,
            "open.md": card_text("open", course="Statistics"),
            "README.md": "A note.\n",
        }
    )


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the program believe in another time."""
    return lambda moment: monkeypatch.setenv("QUIZZER_NOW", moment)
