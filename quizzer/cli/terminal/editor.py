"""Opening the user's editor on files, or on a text."""

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from quizzer import files
from quizzer.app.editor import editor_of
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.signals import in_front
from quizzer.deck.walk import checkers_beside
from quizzer.sandbox import trust

ONE_FILE = frozenset({"notepad", "ed"})
"""Editors that open no more than one file."""


def open_file(path: Path, command: list[str]) -> None:
    """Open the file and wait. Raises Usage if the editor cannot be started."""
    open_files([path], command)


def open_files(paths: Sequence[Path], command: list[str]) -> None:
    """Open all files at once and wait, or one after the other in an editor that takes one only.

    Raises Usage if the editor cannot be started.
    """
    takes_one = re.split(r"[/\\]", command[0].lower())[-1].removesuffix(".exe") in ONE_FILE
    try:
        for together in [[path] for path in paths] if takes_one else [paths]:
            with in_front([*command, *map(str, together)]):
                pass
    except OSError as error:
        raise Usage(f"cannot start the editor `{command[0]}`: {error.strerror}") from None


def open_card(workspace: Workspace, paths: Sequence[Path], checkers: Sequence[Path] = ()) -> bool:
    """Open files of a card in the user's editor; whether any of them is another one afterwards.

    Its checkers stay as trusted as they were: users edit their own code. Raises Usage.
    """
    opened = list(dict.fromkeys(paths))  # a checker within the card is the card's own file
    before = [_stamp(file) for file in opened]
    with trust.kept(list(checkers), workspace.trust_path):
        open_files(opened, editor_of(workspace))
    return [_stamp(file) for file in opened] != before


def checkers_of(card: Path, checker: Path | None) -> list[Path]:
    """The files of a card's checkers: those beside it, else the one that is known of."""
    return checkers_beside(card) or ([checker] if checker else [])


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def edit_text(text: str, command: list[str], suffix: str = ".py") -> str:
    """The text as the learner leaves it in the editor."""
    handle, name = tempfile.mkstemp(suffix, "answer-")
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        open_file(path, command)
        return files.read(path).decode("utf-8", errors="replace").rstrip("\n")
    except (files.NotAFileError, files.TooLargeError) as error:
        raise Usage(f"what the editor left cannot be read: {error.strerror}") from None
    finally:
        path.unlink(missing_ok=True)
