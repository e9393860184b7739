"""The documents as tests read them: pages, their fenced blocks, and commands run as a reader would.

The word after a fence says what its block is:

- `console`: commands after `$ `, each with what it prints; `…` stands for anything.
- a language and a file name: the file is written before the commands that follow it. A checker
  gets a card beside it where the page shows none.
- `text CARD NAME [VERDICT]`: answers to a card, a blank line between two; `correct` unless said.
- `derivation CARD`: a derivation; the note behind each line, `# right`, is its mark.
- `sh`, or `text` alone: shown, not run.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import run_here

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"

_FENCE = re.compile(r"(?ms)^```(\w+)(?: ([^\n]*))?\n(.*?)^```$")
_SHELL = re.compile(r"[|<>&;$*~]")
_CODE = "; echo $?"
_CARD = "---\nid: {id}\n---\n\n# Question\nDerive it.\n\n---\n# Solution\nAs shown.\n"


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language, the words after it, its text."""

    language: str
    words: tuple[str, ...]
    text: str


def blocks(page: Path) -> list[Block]:
    found = _FENCE.findall(page.read_text("utf-8"))
    return [Block(language, tuple(words.split()), text) for language, words, text in found]


def commands(block: Block) -> list[tuple[str, str]]:
    """Each command of a console block with the output that is shown below it."""
    parts = re.split(r"(?m)^\$ (.*)\n", block.text)
    assert not parts[0], f"a console block begins with `$ `: {parts[0]}"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def as_pattern(shown: str) -> str:
    """`…` stands for anything; everything else must be there to the letter."""
    return re.escape(shown).replace("…", "(?s:.*)")


class Reader:
    """Does what a page shows, in the present folder and with the present home."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def write(self, block: Block) -> None:
        path = Path(block.words[0]).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        card = path.with_suffix(".md")
        if block.language in ("python", "checker") and path.parent != Path() and not card.exists():
            card.write_text(_CARD.format(id=path.stem), "utf-8")

    def run(self, command: str) -> tuple[str, int]:
        """What a command prints, on both streams, and its exit code.

        `quizzer` alone runs in this process, which takes a tenth of the time.
        """
        bare = command.removesuffix(_CODE)
        if bare.startswith("quizzer") and not _SHELL.search(_outside_quotes(bare)):
            printed, code = self._here(shlex.split(bare)[1:])
        else:
            printed, code = _in_shell(bare)
        return (f"{printed}{code}\n", 0) if bare != command else (printed, code)

    def _here(self, argv: list[str]) -> tuple[str, int]:
        both = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True)
        code = run_here(self._monkeypatch, argv, b"", both, both)
        written = both.buffer
        assert isinstance(written, io.BytesIO)
        return written.getvalue().decode(), code


def _outside_quotes(command: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"$]*\"", "", command)


def _in_shell(command: str) -> tuple[str, int]:
    programs = Path(sys.executable).parent
    ran = subprocess.run(
        ["bash", "-c", command],
        env={
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ran.stdout, ran.returncode
