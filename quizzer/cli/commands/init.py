"""The command `init`: a deck of your own, copied from the starter deck."""

import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app import config_file
from quizzer.app.config import NO_LIMIT
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import starter_deck
from quizzer.plan.settings import MINUTES
from quizzer.sandbox import trust

QUESTION = "How many minutes a day: 5, 15, 30, or none for no limit?"
ERRNO_AND_PATHS = re.compile(r"^\[Errno \d+\] |: '.*", re.DOTALL)
"""What Python writes around the reason for which a file cannot be copied."""


def init(
    workspace: Workspace,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    minutes: Annotated[
        str | None,
        typer.Option(help="Minutes a day, or none for no limit.", show_default=False),
    ] = None,
) -> None:
    """Copy the starter deck into a new folder, and say for how long you learn each day."""
    chosen = _understood(minutes) if minutes is not None else None
    folder = folder.expanduser()
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    try:
        if folder.exists() and not folder.is_dir():
            raise Usage(f"{folder} is not a folder; nothing was copied. Name a new folder.")
        if folder.exists() and any(folder.iterdir()):
            raise Usage(f"{folder} is not empty; nothing was copied. Name a new folder.")
        if minutes is None and not workspace.config_path.exists():
            chosen = _asked()
        shutil.copytree(starter_deck(), folder, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        _, copied, why = error.args[0][0]
        reason = ERRNO_AND_PATHS.sub("", why)
        raise Usage(
            f"{copied}: cannot be written: {reason}. Remove {folder}, then try again."
        ) from None
    trust.trust([folder], workspace.trust_path)
    print_line(f"copied the starter deck to {workspace.short(folder.resolve())}")
    if chosen is not None:
        config_file.set_values(workspace.config_path, {"minutes_per_day": chosen})
        limit = "no limit of" if chosen == NO_LIMIT else chosen
        print_line(f"{limit} minutes a day, in {workspace.short(workspace.config_path)}")
    print_note(f"To review it every day: quizzer use {folder}")


def _asked() -> int | str | None:
    """How long a day may be; None for the default, and where nobody can be asked."""
    while _can_ask():
        said = typer.prompt(QUESTION, default=str(MINUTES))
        if said == str(MINUTES):
            return None
        with suppress(Usage):
            return _understood(said)
    return None


def _can_ask() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _understood(said: str) -> int | str:
    """What the configuration file has for it. Raises Usage."""
    said = said.strip().casefold()
    if said == NO_LIMIT:
        return said
    if said.isascii() and said.isdigit() and 1 <= int(said[:5]) <= 1440:
        return int(said)
    raise Usage(f"`{said}`: the minutes of a day are a number from 1 to 1440, or {NO_LIMIT}")
