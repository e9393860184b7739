"""The command `new`: a card and its checker from a template."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.new_template import CARD, CHECKER
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import Entry, Source
from quizzer.sandbox import trust

SLUG = re.compile(r"(?:[\w-]+/)*[^\W_][\w-]*")


def new(
    workspace: Workspace,
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="File name, as `layers/my-layer`.")],
    course: Annotated[str, typer.Option(help="The course it belongs to.")] = "",
) -> None:
    """Write a new card and its checker from a template."""
    if not SLUG.fullmatch(slug):
        raise Usage(
            f"`{slug}` cannot name a card: use letters, digits, - and _, beginning with a letter "
            "or a digit, and / between folders"
        )
    folder = _own_folder(workspace)
    card_path = folder / f"{slug}.md"
    checker_path = folder / f"{slug}.py"
    for path in (card_path, checker_path):
        if path.exists():
            raise Usage(
                f"{workspace.short(path)} exists; nothing was changed. Choose another name."
            )
    card_id = slug.rpartition("/")[2]
    if isinstance(taken := workspace.deck.find(card_id), Entry) and taken.header.id == card_id:
        raise Usage(
            f"the id `{card_id}` is taken by {workspace.short(taken.path)}; nothing was changed"
        )
    card = CARD.format(id=card_id, course=_yaml(course))
    _write_new({card_path: card, checker_path: CHECKER})
    trust.trust([checker_path], workspace.trust_path)
    for path in (card_path, checker_path):
        print_line(f"wrote {workspace.short(path)}")
    print_note(f"Now: quizzer edit {card_id}, then: quizzer check {workspace.short(card_path)}")


def _own_folder(workspace: Workspace) -> Path:
    """Where a new card goes: the deck in use, but never the starter deck."""
    if workspace.located.source is Source.STARTER:
        return workspace.cwd
    root = workspace.located.roots[0]
    return root if root.is_dir() else root.parent


def _write_new(texts: Mapping[Path, str]) -> None:
    """Create the files, all or none; never overwrite one that appeared meanwhile."""
    made = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                made.append(path)
                file.write(text)
    except OSError as error:
        for path_made in made:
            with suppress(OSError):
                path_made.unlink()
        if isinstance(error, FileExistsError):
            raise Usage(f"{error.filename} exists; it was not changed") from None
        raise Usage(f"{path}: cannot be written: {error.strerror}") from None


def _yaml(text: str) -> str:
    """A text as a double-quoted YAML scalar, which is what JSON writes."""
    return json.dumps(text, ensure_ascii=False)
