"""`edit` at a terminal, with editors that are shell scripts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import Terminal, environment
from samples import CHECKER, DERIVATION_CARD, card_text

Edit = Callable[..., str]


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    return write_deck(
        {"square.md": DERIVATION_CARD, "square.py": CHECKER, "open.md": card_text("open")}
    )


@pytest.fixture
def edit(home: Path, tmp_path: Path, deck: Path) -> Edit:
    """Runs `edit` with an editor that names its files and does what the script says."""

    def run(*arguments: str | Path, script: str = "", name: str = "editor", code: int = 0) -> str:
        path = tmp_path / name
        path.write_text(f'#!/bin/sh\nfor f; do echo "+ $(basename -- "$f")"; done\n{script}\n')
        path.chmod(0o755)
        env = environment(home, EDITOR=f"{path} --wait")
        with Terminal("edit", *arguments, "--deck", deck, env=env, columns=400) as terminal:
            assert terminal.ends() == code, terminal.text
            return terminal.text

    return run


def opened(text: str) -> list[str]:
    return [line[2:] for line in text.splitlines() if line.startswith("+ ") and "." in line]


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["square"], ["square.md", "square.py"]),
        (["square", "--card"], ["square.md"]),
        (["square", "--checker"], ["square.py"]),
        (["square", "--card", "--checker"], ["square.md", "square.py"]),
        (["open"], ["open.md"]),
    ],
)
def test_a_card_is_opened_with_its_checker_unless_one_is_asked_for(
    edit: Edit, arguments: list[str], files: list[str]
) -> None:
    text = edit(*arguments)
    assert opened(text) == files
    assert text.count("+ --wait") == 1
    assert "0 errors" not in text, "nothing was changed, so nothing is checked"


def test_a_checker_that_is_declared_in_a_file_of_its_own_is_opened_too(
    edit: Edit, deck: Path
) -> None:
    (deck / "open.checker").write_text("ask dx\n", "utf-8")
    assert opened(edit("open")) == ["open.md", "open.checker"]


def test_an_editor_of_one_file_gets_one_after_the_other(edit: Edit) -> None:
    text = edit("square", name="notepad")
    assert opened(text) == ["square.md", "square.py"]
    assert text.count("+ --wait") == 2


def test_what_was_changed_is_checked_in_the_card_and_in_its_checker(edit: Edit) -> None:
    text = edit("square", script='echo \'$\\strange$\' >> "$2"; echo "unknown = 1" >> "$3"')
    assert "strange` is not known" in text and "square.py:" in text
    assert text.rstrip().splitlines()[-1].startswith("1 card, 1 checker, 0 notes: ")


def test_a_card_that_an_edit_broke_is_told_and_can_be_opened_by_its_file(
    edit: Edit, deck: Path
) -> None:
    broken = edit("open", script="sed -i '/^id:/d' \"$2\"")
    assert "open.md:1: error: the front matter has no `id`" in broken
    edit("open", code=5)
    mended = edit(deck / "open.md", script="sed -i '1a id: open' \"$2\"")
    assert opened(mended) == ["open.md"]
    assert mended.rstrip().endswith("1 card, 0 checkers, 0 notes: 0 errors, 0 warnings")


def test_a_card_without_a_checker_has_none_to_open(edit: Edit) -> None:
    assert "open has no checker; it would be " in edit("open", "--checker", code=2)


def test_edit_needs_a_terminal(cli: CommandLine, deck: Path) -> None:
    ran = cli("edit", "open", "--deck", deck)
    assert ran.code == 2 and "open.md" in ran.err
