"""The command `new`: a card from a template, or a checker for a card that is there."""

from typing import Annotated

import typer

from quizzer.app import new_card
from quizzer.app.new_file import write_text
from quizzer.app.workspace import Workspace
from quizzer.card import TYPES
from quizzer.cli.commands.new_checker import new_checker
from quizzer.cli.terminal.output import print_line, print_note


def new(
    workspace: Workspace,
    slug: Annotated[
        str, typer.Argument(metavar="SLUG", help="A file name, such as `layers/my-layer`.")
    ],
    course: Annotated[
        str | None,
        typer.Option(help="Its course; else that of the cards beside it.", show_default=False),
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

    A derivation contains its checker.
    """
    if checker:
        new_checker(workspace, slug)
        return
    kind = new_card.kind_of(type_)
    path = new_card.card_path(workspace, slug)
    write_text(path, new_card.from_template(workspace, path, course, kind))
    print_line(f"wrote {workspace.short(path)}")
    print_note(f"Now: quizzer edit {path.stem}")
    watch = f"quizzer check --watch {workspace.short(path)}"
    print_note(f"Or in an editor of your own, and beside it: {watch}")
