"""The command `init`: a deck of your own, copied from the starter deck."""

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.exam import no_course
from quizzer.cli.options import CourseOption, TagOption
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import Deck, Entry, Filter, files_of, starter_deck, with_required
from quizzer.sandbox import trust
from quizzer.text import count, did_you_mean

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
) -> None:
    """Copy the starter deck, or a part of it, into a new folder.

    A part has all cards that its cards require.
    """
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
        shutil.copytree(starter_deck().absolute(), folder, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        _, target, why = error.args[0][0]
        reason = ERRNO_AND_PATHS.sub("", why)
        raise Usage(
            f"{target}: cannot be written: {reason}. Remove {folder}, then try again."
        ) from None
    trust.trust([folder], workspace.trust_path)
    print_line(f"copied {copied} to {workspace.short(folder.resolve())}")
    print_note(f"To review it every day: quizzer use {folder}")


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
