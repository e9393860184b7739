"""The command `edit`: a card and its checker in your editor, and what `check` then says."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.editor import checkers_of, open_card
from quizzer.app.failure import NoCard, Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.check import check_card
from quizzer.cli.options import CardArgument
from quizzer.cli.terminal.editor import run
from quizzer.cli.terminal.tty import need_terminal


def edit(
    workspace: Workspace,
    card: CardArgument,
    card_only: Annotated[bool, typer.Option("--card", help="Only the card.")] = False,
    checker_only: Annotated[bool, typer.Option("--checker", help="Only its checker.")] = False,
) -> None:
    """Open a card and its checker in your editor, then check them."""
    path, checkers = _files(workspace, card)
    need_terminal(f"any editor on {workspace.short(path)}")
    if checker_only and not checkers:
        beside = workspace.short(path.with_suffix(".py"))
        raise Usage(f"{card} has no checker; it would be {beside}")
    chosen = [
        *([path] if card_only or not checker_only else []),
        *(checkers if checker_only or not card_only else []),
    ]
    if open_card(workspace, chosen, checkers, run) and path.exists():
        check_card(replace(workspace), path)


def _files(workspace: Workspace, card: str) -> tuple[Path, list[Path]]:
    """The card's file and its checkers; a card that cannot be read is named by its file."""
    try:
        entry = workspace.entry(card)
        path, checker = entry.path, entry.checker
    except NoCard:
        path, checker = Path(card).expanduser().absolute(), None
        if path.suffix.lower() != ".md" or not path.is_file():
            raise
    return path, checkers_of(path, checker)
