"""The command `new`: a card from a template, or a checker for a card that is there."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.new_file import write_text
from quizzer.app.workspace import Workspace
from quizzer.card import TYPES, Header, normal_type
from quizzer.cli.commands import new_template
from quizzer.cli.commands.new_checker import new_checker
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import CHECKERS, Entry, Source
from quizzer.text import did_you_mean

SLUG = re.compile(r"(?:[\w-]+/)*[^\W_][\w-]*")


def new(
    workspace: Workspace,
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="File name, as `layers/my-layer`.")],
    course: Annotated[
        str | None,
        typer.Option(help="Its course; that of the cards beside it otherwise.", show_default=False),
    ] = None,
    type_: Annotated[
        str, typer.Option("--type", metavar="TYPE", help=f"One of {', '.join(TYPES)}.")
    ] = "derivation",
    checker: Annotated[
        bool,
        typer.Option("--checker", help="Write a checker for the card that has this id or file."),
    ] = False,
) -> None:
    """Write a new card from a template, or a checker for a card.

    A derivation has its checker within.
    """
    if checker:
        new_checker(workspace, slug)
        return
    if not SLUG.fullmatch(slug):
        raise Usage(
            f"`{slug}` cannot name a card: use letters, digits, - and _, beginning with a letter "
            "or a digit, and / between folders"
        )
    kind = normal_type(type_)
    if kind not in TYPES:
        hint = did_you_mean(type_, TYPES) or f"; choose one of {', '.join(TYPES)}"
        raise Usage(f"there is no template for the type `{type_}`{hint}")
    card_path = _own_folder(workspace) / f"{slug}.md"
    for path in (card_path, *map(card_path.with_suffix, CHECKERS)):
        if path.exists():
            raise Usage(
                f"{workspace.short(path)} exists; nothing was changed. Choose another name."
            )
    card_id = slug.rpartition("/")[2]
    if isinstance(taken := workspace.deck.find(card_id), Entry) and taken.header.id == card_id:
        raise Usage(
            f"the id `{card_id}` is taken by {workspace.short(taken.path)}; nothing was changed"
        )
    beside = _beside(workspace, card_path.parent)
    course = _course(beside) if course is None else course
    write_text(card_path, new_template.card(card_id, course, _tags(beside), kind))
    print_line(f"wrote {workspace.short(card_path)}")
    print_note(f"Now: quizzer edit {card_id}")
    watch = f"quizzer check --watch {workspace.short(card_path)}"
    print_note(f"Or in an editor of your own, and beside it: {watch}")


def _own_folder(workspace: Workspace) -> Path:
    """Where a new card goes: the deck in use, but never the starter deck."""
    if workspace.located.source is Source.STARTER:
        return workspace.cwd
    root = workspace.located.roots[0]
    return root if root.is_dir() else root.parent


def _beside(workspace: Workspace, folder: Path) -> list[Header]:
    """The cards that are already in the folder."""
    return [entry.header for entry in workspace.deck.entries if entry.path.parent == folder]


def _course(beside: Sequence[Header]) -> str:
    """The course of more than half of these cards, else none."""
    for course, cards in Counter(header.course for header in beside).most_common(1):
        if 2 * cards > len(beside):
            return course
    return ""


def _tags(beside: Sequence[Header]) -> list[str]:
    """The tags that all these cards share; those of a single card are its own."""
    if len(beside) < 2:
        return []
    first, *others = beside
    return [tag for tag in first.tags if all(tag in other.tags for other in others)]
