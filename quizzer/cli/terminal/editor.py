"""The user's editor in front of the program, on files or on a text."""

import os
import tempfile
from pathlib import Path

from quizzer import files
from quizzer.app.editor import open_files
from quizzer.app.failure import Usage
from quizzer.cli.terminal.signals import in_front


def run(command: list[str]) -> None:
    """Let the command have the terminal, and wait for it."""
    with in_front(command):
        pass


def edit_text(text: str, command: list[str], suffix: str = ".py") -> str:
    """The text as the learner leaves it in the editor."""
    handle, name = tempfile.mkstemp(suffix, "answer-")
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        open_files([path], command, run)
        return files.read(path).decode("utf-8", errors="replace").rstrip("\n")
    except (files.NotAFileError, files.TooLargeError) as error:
        raise Usage(f"what the editor left cannot be read: {error.strerror}") from None
    finally:
        path.unlink(missing_ok=True)
