"""The command `edit`: a card in your editor."""

from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.options import CardArgument
from quizzer.cli.terminal.editor import editor_of, open_file
from quizzer.cli.terminal.tty import need_terminal
from quizzer.sandbox import trust


def edit(
    workspace: Workspace,
    card: CardArgument,
    checker: Annotated[bool, typer.Option("--checker", help="The checker, not the card.")] = False,
) -> None:
    """Open a card in your editor."""
    entry = workspace.entry(card)
    need_terminal(f"any editor on {workspace.short(entry.path)}")
    path = entry.path
    if checker:
        if entry.checker is None:
            raise Usage(f"{entry.id} has no checker; it would be {path.with_suffix('.py')}")
        path = entry.checker
    checkers = [entry.checker] if entry.checker else []
    # Code that the users edit themselves stays as trusted as it was.
    with trust.kept(checkers, workspace.trust_path):
        open_file(path, editor_of(workspace))
