"""A large deck and a quick start: what is read again, and what is imported. No times."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from pseudo_terminal import PROGRAM, Terminal, environment
from samples import CHECKER, DERIVATION_CARD, card_text

CARDS = 10_000
SPY = """
import atexit, os, sys

seen = []
def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith((".md", ".py")):
        seen.append(str(arguments[0]))
@atexit.register
def tell():
    modules = "\\n".join(sorted(sys.modules))
    with open(os.environ["SPY_MODULES"], "w") as file:
        file.write(modules)
    with open(os.environ["SPY_OPENED"], "w") as file:
        file.write("\\n".join(seen))
sys.addaudithook(hook)
sys.argv[0] = "quizzer"
from quizzer.cli.main import main
sys.exit(main())
"""


class Spied:
    """One run of a command in a process that notes which files it opens and what it imports."""

    def __init__(self, folder: Path, env: dict[str, str], *words: str) -> None:
        opened, modules = folder / "opened", folder / "modules"
        env = {**env, "SPY_OPENED": str(opened), "SPY_MODULES": str(modules)}
        done = subprocess.run(
            [sys.executable, "-c", SPY, *words], env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        self.stdout = done.stdout
        self.stderr = done.stderr
        self.opened = opened.read_text().splitlines()
        self.modules = set(modules.read_text().splitlines())


@pytest.mark.slow
def test_ten_thousand_cards_are_read_once_with_progress_and_then_not_again(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    for number in range(CARDS):
        if number % 500 == 0:
            folder = deck / f"course-{number // 500}"
            folder.mkdir(parents=True)
        (folder / f"{number}.md").write_text(card_text(f"card-{number}"))
    env = environment(tmp_path)
    out = tmp_path / "out.json"
    command = f"{shlex.quote(str(PROGRAM))} list --json --deck {shlex.quote(str(deck))} > {out}"
    with Terminal("-c", command, env=env, program=["/bin/sh"]) as terminal:
        assert terminal.ends() == 0
    shown = [int(n) for n in re.findall(rf"reading cards: (\d+) of {CARDS}", terminal.raw)]
    assert len(shown) > 2
    assert shown == sorted(shown)
    assert "reading cards" not in terminal.text, "the progress line stays behind"
    first = json.loads(out.read_text())
    assert len(first) == CARDS

    again = Spied(tmp_path, env, "list", "--json", "--deck", str(deck))
    assert json.loads(again.stdout) == first
    assert "reading cards" not in again.stderr
    assert not [path for path in again.opened if path.startswith(str(deck))]

    changed = deck / "course-3" / "1700.md"
    changed.write_text(card_text("another-id"))
    third = Spied(tmp_path, env, "list", "--json", "--deck", str(deck))
    assert {path for path in third.opened if path.startswith(str(deck))} == {str(changed)}
    assert "another-id" in {row["id"] for row in json.loads(third.stdout)}


def test_what_is_asked_many_times_a_day_imports_nothing_heavy(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    (deck / "square.md").write_text(DERIVATION_CARD)
    (deck / "square.py").write_text(CHECKER)
    # The first look at a deck reads its cards; the index keeps them.
    first = Spied(tmp_path, environment(tmp_path), "list", "--deck", str(deck))
    assert "markdown_it" in first.modules
    heavy = {"numpy", "rich.markdown", "markdown_it", "prompt_toolkit", "pygments"}
    for line in ("due", "due --json", "due -h", "list", "rate square good", ""):
        spied = Spied(tmp_path, environment(tmp_path), *line.split(), "--deck", str(deck))
        assert "quizzer.cli.command_line" in spied.modules
        assert not heavy & spied.modules, line
        assert str(deck / "square.py") not in spied.opened
