"""The command `init`: a deck of your own, copied from the starter deck."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import starter_deck
from quizzer.sandbox import trust


def init(
    workspace: Workspace,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Copy the starter deck into a new folder."""
    folder = folder.expanduser()
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Usage(f"{folder} is not empty; nothing was copied. Name a new folder.")
        shutil.copytree(starter_deck(), folder, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        raise Usage(f"not all could be copied to {folder}: {error.args[0][0][2]}") from None
    trust.trust([folder], workspace.trust_path)
    print_line(f"copied the starter deck to {workspace.short(folder.resolve())}")
    print_note(f"To review it every day: quizzer use {folder}")
