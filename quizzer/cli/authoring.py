"""Commands for those who write cards: `new`, `edit`, `init`, `use`, and `tex` to try a formula."""

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from quizzer import tex as formula_room
from quizzer.cli import config
from quizzer.cli.editor import editor_command, open_file
from quizzer.cli.failure import Usage
from quizzer.cli.options import CardArgument
from quizzer.cli.output import say
from quizzer.cli.template import CARD, CHECKER
from quizzer.cli.workspace import Workspace, need_terminal
from quizzer.deck import Entry, Source, load, starter_deck
from quizzer.text import clean

SLUG = re.compile(r"(?:[\w-]+/)*[\w][\w-]*")


def register(app: typer.Typer) -> None:
    for command in (new, edit, init, use, tex):
        app.command()(command)


def new(
    ctx: typer.Context,
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="File name, as `layers/my-layer`.")],
    course: Annotated[str, typer.Option(help="The course it belongs to.")] = "",
) -> None:
    """Write a new card and its checker from a template, ready to be reviewed and edited."""
    workspace: Workspace = ctx.obj
    if not SLUG.fullmatch(slug):
        raise Usage(f"`{clean(slug)}`: letters, digits, - and _, with / between folders")
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
    card_path.parent.mkdir(parents=True, exist_ok=True)
    _write_new(card_path, CARD.format(id=card_id, course=course or '""'))
    _write_new(checker_path, CHECKER)
    for path in (card_path, checker_path):
        print(f"wrote {workspace.short(path)}")
    say(f"Now: quizzer edit {card_id}, then quizzer check {workspace.short(card_path)}")


def edit(
    ctx: typer.Context,
    card: CardArgument,
    checker: Annotated[bool, typer.Option("--checker", help="The checker, not the card.")] = False,
) -> None:
    """Open a card in your editor."""
    workspace: Workspace = ctx.obj
    entry = workspace.entry(card)
    need_terminal(f"any editor on {workspace.short(entry.path)}")
    path = entry.path
    if checker:
        if entry.checker is None:
            raise Usage(f"{entry.id} has no checker; it would be {path.with_suffix('.py')}")
        path = entry.checker
    open_file(path, editor_command(workspace.environ, workspace.config.editor))


def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Copy the starter deck into a folder of your own and make it the default deck."""
    workspace: Workspace = ctx.obj
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Usage(f"{clean(str(folder))} is not empty; nothing was copied. Name a new folder.")
    source = starter_deck()
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    shutil.copytree(source, folder, ignore=ignored, dirs_exist_ok=True)
    print(f"copied the starter deck to {workspace.short(folder.resolve())}")
    say(f"To review it every day: quizzer use {folder}")


def use(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders of cards.")],
) -> None:
    """Make these folders the default deck."""
    workspace: Workspace = ctx.obj
    for path in paths:
        if not path.is_dir():
            raise Usage(f"{clean(str(path))}: no such folder")
    roots = tuple(path.resolve() for path in paths)
    workspace.config.path.parent.mkdir(parents=True, exist_ok=True)
    config.use(workspace.config.path, roots)
    cards = len(load(roots, workspace.cache_path).entries)
    print(f"default deck: {', '.join(workspace.short(root) for root in roots)} ({cards} cards)")


def tex(
    formula: Annotated[str, typer.Argument(metavar="FORMULA", help="LaTeX, without the dollars.")],
    inline: Annotated[bool, typer.Option("--inline", help="On one line.")] = False,
) -> None:
    """Show how a formula will look."""
    bare = formula.strip().strip("$").strip()
    width = shutil.get_terminal_size().columns
    print(formula_room.inline(bare) if inline else formula_room.render(bare, width=width))
    for name in formula_room.unknown(bare):
        say(f"not known: {name}")
    for fault in formula_room.faults(bare):
        say(fault)


def _own_folder(workspace: Workspace) -> Path:
    """Where a new card goes: the deck in use, but never the starter deck."""
    if workspace.located.source is Source.STARTER:
        return workspace.cwd
    root = workspace.located.roots[0]
    return root if root.is_dir() else root.parent


def _write_new(path: Path, text: str) -> None:
    """Create the file; never overwrite one that appeared meanwhile."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Usage(f"{path} exists; it was not changed") from None
    except OSError as error:
        raise Usage(f"{path}: cannot be written ({error.strerror})") from None
