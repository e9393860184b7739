"""The command `init`: a deck of your own, copied from the starter deck."""

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app import config_file
from quizzer.app.config import NO_LIMIT
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.exam import no_course
from quizzer.cli.options import CourseOption, TagOption
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import Deck, Entry, Filter, files_of, starter_deck, with_required
from quizzer.plan.settings import MINUTES
from quizzer.sandbox import trust
from quizzer.text import count, did_you_mean

QUESTION = "How many minutes a day: 5, 15, 30, or none for no limit?"
ERRNO_AND_PATHS = re.compile(r"^\[Errno \d+\] |: '.*", re.DOTALL)
"""What Python writes around the reason for which a file cannot be copied."""


def init(
    workspace: Workspace,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    course: CourseOption = None,
    tag: TagOption = None,
    no_requires: Annotated[
        bool, typer.Option("--no-requires", help="Leave out what these cards require.")
    ] = False,
    minutes: Annotated[
        str | None,
        typer.Option(help="Minutes a day, or none for no limit.", show_default=False),
    ] = None,
) -> None:
    """Copy the starter deck, or a part of it.

    A part includes all cards that its cards require. On a terminal, it asks how long you want to
    study each day.
    """
    chosen = _understood(minutes) if minutes is not None else None
    folder = folder.expanduser()
    copied, ignored = "the starter deck", shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    if no_requires and not (course or tag):
        raise Usage("--no-requires needs --course or --tag; nothing was copied.")
    try:
        if folder.exists() and not folder.is_dir():
            raise Usage(f"{folder} is not a folder; nothing was copied. Name a new folder.")
        if folder.exists() and any(folder.iterdir()):
            raise Usage(f"{folder} is not empty; nothing was copied. Name a new folder.")
        if course or tag:
            copied, ignored = _part(workspace, course or (), tag or (), required=not no_requires)
        if minutes is None and not workspace.config_path.exists():
            chosen = _asked()
        shutil.copytree(starter_deck().absolute(), folder, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        _, target, why = error.args[0][0]
        reason = ERRNO_AND_PATHS.sub("", why)
        raise Usage(
            f"{target}: cannot be written: {reason}. Remove {folder}, then try again."
        ) from None
    trust.trust([folder], workspace.trust_path)
    print_line(f"copied {copied} to {workspace.short(folder.resolve())}")
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


def _part(
    workspace: Workspace, courses: Sequence[str], tags: Sequence[str], *, required: bool
) -> tuple[str, Callable[[str, list[str]], set[str]]]:
    """What these cards are called, and what of each folder to leave out. Raises Usage."""
    deck = replace(workspace, deck_option=(starter_deck().absolute(),)).deck
    chosen = _chosen(deck, courses, tags)
    taken = with_required(deck, chosen) if required else chosen
    said = f"{count(len(taken), 'card')} of the starter deck"
    if more := len(taken) - len(chosen):
        said += f" ({more} because others require {'them' if more > 1 else 'it'})"
    return said, _all_but(files_of(deck, taken))


def _chosen(deck: Deck, courses: Sequence[str], tags: Sequence[str]) -> list[Entry]:
    """The cards of any of the courses that have any of the tags. Raises Usage if there are none."""

    def matching(wanted: Filter) -> list[Entry]:
        return [entry for entry in deck.entries if wanted.matches(entry)]

    for course in courses:
        if not matching(Filter(courses=(course,))):
            raise no_course(deck, course, "the starter deck")
    for tag in tags:
        if not matching(Filter(tags=(tag,))):
            known = {each for entry in deck.entries for each in entry.header.tags}
            raise Usage(
                f"no card of the starter deck has the tag `{tag}`{did_you_mean(tag, known)}"
            )
    found = matching(Filter(courses=tuple(courses), tags=tuple(tags)))
    if not found:
        raise Usage("no card of the starter deck has both such a course and such a tag.")
    return found


def _all_but(files: Iterable[Path]) -> Callable[[str, list[str]], set[str]]:
    """What `copytree` is to leave out so that it copies these files alone."""
    kept = set[Path]()
    for file in files:
        kept |= {file, *file.parents}
    return lambda folder, names: {name for name in names if Path(folder, name) not in kept}
