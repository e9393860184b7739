"""The command `use`: the default deck."""

from pathlib import Path
from typing import Annotated

import typer

from quizzer.app import default_deck
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck import Source, load
from quizzer.text import count


def use(
    workspace: Workspace,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders of cards.")],
) -> None:
    """Make these folders the default deck."""
    roots = default_deck.use(workspace, paths)
    cards = count(len(load(roots, workspace.cache_path).entries), "card")
    print_line(f"default deck: {', '.join(workspace.short(root) for root in roots)}, {cards}")
    if workspace.environ.get("QUIZZER_DECK"):
        print_note(f"But {Source.ENVIRONMENT.value} is set, and goes before.")
