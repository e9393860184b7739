"""The user's editor: which one they have, and a card opened in it."""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.deck.walk import checkers_beside
from quizzer.sandbox import trust

WINDOWS = os.name == "nt"
FALLBACKS = ("vi", "nano", "notepad")
ONE_FILE = frozenset({"notepad", "ed"})
"""Editors that open no more than one file."""
Run = Callable[[list[str]], None]
"""Starts a command and waits for it; OSError if it cannot be started."""


def words(command: str) -> list[str]:
    """The words of a command that the user has set; a Windows path keeps its backslashes.

    Raises ValueError for quotes that do not close.
    """
    if "\\" not in command or not WINDOWS:
        return shlex.split(command)
    return [word.strip('"') for word in shlex.split(command, posix=False)]


def editor_command(environ: Mapping[str, str], configured: str | None) -> list[str]:
    """The editor to start: the configured one, `$VISUAL`, `$EDITOR`, then vi, nano or notepad.

    Raises Usage if none is found, or if what was set cannot be read.
    """
    for command_line in (configured, environ.get("VISUAL"), environ.get("EDITOR")):
        try:
            if command_line and (command := words(command_line)):
                return command
        except ValueError as error:
            raise Usage(
                f"the editor `{command_line}` cannot be read: {error}; check EDITOR, VISUAL and "
                "`editor` in the configuration"
            ) from None
    for name in FALLBACKS:
        if shutil.which(name):
            return [name]
    raise Usage("no editor found: set EDITOR, or `editor` in the configuration")


def editor_of(workspace: Workspace) -> list[str]:
    """The editor of this user. Raises Usage."""
    return editor_command(workspace.environ, workspace.config.editor)


def open_card(
    workspace: Workspace, paths: Sequence[Path], checkers: Sequence[Path], run: Run
) -> bool:
    """Open files of a card in the user's editor; whether any of them is another one afterwards.

    Its checkers stay as trusted as they were: users edit their own code. Raises Usage.
    """
    opened = list(dict.fromkeys(paths))  # a checker within the card is the card's own file
    before = [_stamp(file) for file in opened]
    with trust.kept(list(checkers), workspace.trust_path):
        open_files(opened, editor_of(workspace), run)
    return [_stamp(file) for file in opened] != before


def open_files(paths: Sequence[Path], command: list[str], run: Run) -> None:
    """Open all files at once and wait, or one after the other in an editor that takes one only.

    Raises Usage if the editor cannot be started.
    """
    takes_one = re.split(r"[/\\]", command[0].lower())[-1].removesuffix(".exe") in ONE_FILE
    try:
        for together in [[path] for path in paths] if takes_one else [paths]:
            run([*command, *map(str, together)])
    except OSError as error:
        raise Usage(f"cannot start the editor `{command[0]}`: {error.strerror}") from None


def checkers_of(card: Path, checker: Path | None) -> list[Path]:
    """The files of a card's checkers: those beside it, else the one that is known of."""
    return checkers_beside(card) or ([checker] if checker else [])


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
