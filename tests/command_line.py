"""The command line as a function, for tests that need no process of its own."""

import io
import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import workers

from quizzer.card import Parsed, parse
from quizzer.checker import SERVICE
from quizzer.cli import main
from quizzer.deck import values
from quizzer.judge import judges


@dataclass(frozen=True, slots=True)
class Ran:
    """How one command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """Runs the program in this process, in the present folder and environment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def __call__(self, *argv: object, stdin: str | bytes = "") -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
        given = stdin.encode() if isinstance(stdin, str) else stdin
        code = run_here(self._monkeypatch, [str(arg) for arg in argv], given, out, err)
        return Ran(code, _read(out), _read(err))

    def ok(self, *argv: object, stdin: str = "") -> Ran:
        """Run a command that must succeed."""
        ran = self(*argv, stdin=stdin)
        assert ran.code == 0, ran.err
        return ran


def run_here(
    monkeypatch: pytest.MonkeyPatch,
    argv: list[str],
    stdin: bytes,
    out: io.TextIOWrapper,
    err: io.TextIOWrapper,
) -> int:
    """Run the program with these streams, and with a sandbox that may have served another test.

    Nothing is kept of a deck between two tests but how the text of a card is read.
    """
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(judges, "best_worker", workers.lend)
        patch.setattr(main, "_sandbox", lambda: workers.lend(SERVICE))
        patch.setattr(values, "parse", _parsed)
        return main.main(argv)


def _parsed(data: bytes, path: Path) -> Parsed:
    """What a card's text says, which its path does not change: that is only told with problems."""
    found = _as_read(data)
    return parse(data, path) if found.problems else found


@lru_cache(512)
def _as_read(data: bytes) -> Parsed:
    return parse(data, Path("card.md"))


def _read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
