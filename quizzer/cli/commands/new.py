"""The command `new`: a card, and for a derivation its checker, from a template."""

from typing import Annotated

import typer

from quizzer.app import new_card
from quizzer.app.workspace import Workspace
from quizzer.card import TYPES
from quizzer.cli.commands.new_checker import new_checker
from quizzer.cli.terminal.output import print_line, print_note


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

    A derivation gets a checker too.
    """
    if checker:
        new_checker(workspace, slug)
        return
    kind = new_card.kind_of(type_)
    path = new_card.card_path(workspace, slug)
    texts = new_card.from_template(workspace, path, course, kind)
    new_card.write(workspace, texts)
    for written in sorted(texts):
        print_line(f"wrote {workspace.short(written)}")
    print_note(f"Now: quizzer edit {path.stem}")
    watch = f"quizzer check --watch {workspace.short(path)}"
    print_note(f"Or in an editor of your own, and beside it: {watch}")
