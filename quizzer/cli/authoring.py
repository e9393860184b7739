"""Commands for those who write cards: `new`, `edit`, `init`, `use`, and `tex` to try a formula."""

import json
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
from quizzer.cli.output import count, put, say
from quizzer.cli.template import CARD, CHECKER
from quizzer.cli.workspace import Workspace, need_terminal
from quizzer.deck import Entry, Source, load, starter_deck
from quizzer.sandbox import trust

SLUG = re.compile(r"(?:[\w-]+/)*[^\W_][\w-]*")


def register(app: typer.Typer) -> None:
    for command in (new, edit, init, use, tex):
        app.command()(command)


def new(
    ctx: typer.Context,
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="File name, as `layers/my-layer`.")],
    course: Annotated[str, typer.Option(help="The course it belongs to.")] = "",
) -> None:
    """Write a new card and its checker from a template."""
    workspace: Workspace = ctx.obj
    if not SLUG.fullmatch(slug):
        raise Usage(f"`{slug}`: letters, digits, - and _, not _ first; / between folders")
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
    _write_new(card_path, CARD.format(id=card_id, course=_yaml(course)))
    _write_new(checker_path, CHECKER)
    trust.trust([checker_path], workspace.trust_path)
    for path in (card_path, checker_path):
        put(f"wrote {workspace.short(path)}")
    say(f"Now: quizzer edit {card_id}, then: quizzer check {workspace.short(card_path)}")


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
    checkers = [entry.checker] if entry.checker else []
    # What the learner himself edits stays as trusted as it was.
    with trust.kept(checkers, workspace.trust_path):
        open_file(path, editor_command(workspace.environ, workspace.config.editor))


def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Copy the starter deck into a new folder."""
    workspace: Workspace = ctx.obj
    folder = folder.expanduser()
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Usage(f"{folder} is not empty; nothing was copied. Name a new folder.")
        shutil.copytree(starter_deck(), folder, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        raise Usage(f"not all could be copied to {folder}: {error.args[0][0][2]}") from None
    trust.trust([folder], workspace.trust_path)
    put(f"copied the starter deck to {workspace.short(folder.resolve())}")
    say(f"To review it every day: quizzer use {folder}")


def use(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders of cards.")],
) -> None:
    """Make these folders the default deck."""
    workspace: Workspace = ctx.obj
    paths = [path.expanduser() for path in paths]
    for path in paths:
        if not path.is_dir():
            raise Usage(f"{path}: no such folder")
    roots = tuple(path.resolve() for path in paths)
    config.use(workspace.config_path, roots)
    cards = count(len(load(roots, workspace.cache_path).entries), "card")
    put(f"default deck: {', '.join(workspace.short(root) for root in roots)}, {cards}")
    if workspace.environ.get("QUIZZER_DECK"):
        say(f"But {Source.ENVIRONMENT.value} is set, and goes before.")


def tex(
    formula: Annotated[str, typer.Argument(metavar="FORMULA", help="LaTeX, without the dollars.")],
    inline: Annotated[bool, typer.Option("--inline", help="On one line.")] = False,
) -> None:
    """Show how a formula will look."""
    bare = formula.strip().strip("$").strip()
    width = shutil.get_terminal_size().columns
    put(formula_room.inline(bare) if inline else formula_room.render(bare, width=width))
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
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise Usage(f"{error.filename} exists; it was not changed") from None
    except OSError as error:
        raise Usage(f"{path}: cannot be written: {error.strerror}") from None


def _yaml(text: str) -> str:
    """A text as a double-quoted YAML scalar, which is what JSON writes."""
    return json.dumps(text, ensure_ascii=False)
