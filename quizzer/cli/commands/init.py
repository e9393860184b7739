"""The command `init`: a deck of your own, copied from the starter deck."""

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import starter_deck
from quizzer.sandbox import trust

ERRNO_AND_PATHS = re.compile(r"^\[Errno \d+\] |: '.*", re.DOTALL)
"""What Python writes around the reason for which a file cannot be copied."""


def init(
    workspace: Workspace,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Copy the starter deck into a new folder."""
    folder = folder.expanduser()
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    try:
        if folder.exists() and not folder.is_dir():
            raise Usage(f"{folder} is not a folder; nothing was copied. Name a new folder.")
        if folder.exists() and any(folder.iterdir()):
            raise Usage(f"{folder} is not empty; nothing was copied. Name a new folder.")
        shutil.copytree(starter_deck(), folder, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        _, copied, why = error.args[0][0]
        reason = ERRNO_AND_PATHS.sub("", why)
        raise Usage(
            f"{copied}: cannot be written: {reason}. Remove {folder}, then try again."
        ) from None
    trust.trust([folder], workspace.trust_path)
    print_line(f"copied the starter deck to {workspace.short(folder.resolve())}")
    print_note(f"To review it every day: quizzer use {folder}")
