"""Whole screens of one card that holds all that cards hold, as they were reviewed by eye.

`python tests/test_face_golden.py` draws them again; read the difference before you keep it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from quizzer.card import parse
from quizzer.card.scanner import formulas, scan
from quizzer.tex import render, unknown
from quizzer.tex.width import width

HERE = Path(__file__).parent
DECK = HERE / "decks" / "screens"
CARDS = sorted((HERE.parent / "cards").rglob("*.md"))
SCREENS = {
    "show_80.txt": (80, []),
    "show_40.txt": (40, []),
    "show_plain.txt": (80, ["--plain"]),
}


def screen(columns: int, options: list[str], home: Path) -> str:
    """What `quizzer show` prints in a window of so many columns, line ends trimmed."""
    command = [sys.executable, "-m", "quizzer", "show", "--deck", str(DECK), *options]
    ran = subprocess.run(
        [*command, "window_maximum"],
        env={**os.environ, "HOME": str(home), "COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    return "".join(f"{line.rstrip()}\n" for line in ran.stdout.splitlines())


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_the_one_that_was_reviewed(name: str, home: Path) -> None:
    shown = screen(*SCREENS[name], home)
    assert shown == (HERE / "golden" / name).read_text("utf-8"), "see this file's first lines"


@pytest.mark.parametrize("name", [name for name in SCREENS if "plain" not in name])
def test_no_line_of_a_reviewed_screen_is_wider_than_its_window(name: str) -> None:
    text = (HERE / "golden" / name).read_text("utf-8")
    assert max(map(width, text.splitlines())) <= SCREENS[name][0]


def test_every_formula_of_the_starter_deck_is_known_and_fits_the_window() -> None:
    found = [(path, latex) for path in CARDS for latex in written(path)]
    assert len(found) > 1000
    assert [(path.stem, latex, unknown(latex)) for path, latex in found if unknown(latex)] == []
    drawn = [(path, latex, render(latex, 80)) for path, latex in found]
    lines = [(path.stem, line) for path, _, text in drawn for line in text.split("\n")]
    assert [(stem, line) for stem, line in lines if width(line) > 80] == []


def written(path: Path) -> list[str]:
    """The formulas of a card's question, options, solution and hints."""
    card = parse(path.read_bytes(), path).card
    assert card is not None
    options = [option.text for option in card.options]
    texts = [card.question, card.solution, *options, *card.hints]
    return [token.content for text in texts for token in formulas(scan(text))]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        for name, (columns, options) in SCREENS.items():
            text = screen(columns, options, Path(empty))
            (HERE / "golden" / name).write_text(text, "utf-8")
