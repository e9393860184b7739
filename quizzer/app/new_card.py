"""Writing new cards and checkers: where they go, what they begin with, and never over a file."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer.app import new_template
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.card import TYPES, Card, Header, normal_type
from quizzer.deck import CHECKERS, Entry, Source
from quizzer.text import did_you_mean, one_line

if TYPE_CHECKING:
    from quizzer.lint.drafted import Draft

SLUG = re.compile(r"(?:[\w-]+/)*[^\W_][\w-]*")
LONGEST = 200
"""Bytes of a name: file systems allow 255, endings among them."""


def card_path(workspace: Workspace, slug: str) -> Path:
    """Where the new card with this name goes. Raises Usage where the name is taken."""
    if not SLUG.fullmatch(slug):
        raise Usage(
            f"`{slug}` cannot name a card: use letters, digits, - and _, beginning with a letter "
            "or a digit, and / between folders"
        )
    if any(len(part.encode()) > LONGEST for part in slug.split("/")):
        raise Usage(f"`{one_line(slug)}` is too long to name a file; choose a shorter name")
    path = own_folder(workspace) / f"{slug}.md"
    for file in (path, *map(path.with_suffix, CHECKERS)):
        if file.exists():
            raise Usage(
                f"{workspace.short(file)} exists; nothing was changed. Choose another name."
            )
    card_id = path.stem
    if isinstance(taken := workspace.deck.find(card_id), Entry) and taken.header.id == card_id:
        raise Usage(
            f"the id `{card_id}` is taken by {workspace.short(taken.path)}; nothing was changed"
        )
    return path


def kind_of(type_: str) -> str:
    """The type of a card, as it is meant. Raises Usage."""
    kind = normal_type(type_)
    if kind not in TYPES:
        hint = did_you_mean(type_, TYPES) or f"; choose one of {', '.join(TYPES)}"
        raise Usage(f"there is no template for the type `{type_}`{hint}")
    return kind


def from_template(workspace: Workspace, path: Path, course: str | None, kind: str) -> str:
    """The text of a new card; without a course, it is that of the cards beside it."""
    usual, tags = usual_header(workspace, path.parent)
    return new_template.card(path.stem, usual if course is None else course, tags, kind)


def usual_header(workspace: Workspace, folder: Path) -> tuple[str, list[str]]:
    """The course and the tags that a new card of this folder begins with."""
    beside = _beside(workspace, folder)
    return _course(beside), _tags(beside)


def draft_of(path: Path, card: Card) -> "Draft":
    """The first draft of a declared checker for the card at this path."""
    from quizzer.checker import SERVICE
    from quizzer.lint.drafted import drafted
    from quizzer.sandbox.worker import best_worker

    worker = best_worker(SERVICE)
    try:
        return drafted(worker, path, card)
    finally:
        worker.close()


def own_folder(workspace: Workspace) -> Path:
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
