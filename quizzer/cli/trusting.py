"""The command `trust`: whose code may run where there is no sandbox; and the question before."""

from pathlib import Path
from typing import Annotated

import typer

from quizzer.cli.failure import Usage
from quizzer.cli.output import count, put, say
from quizzer.cli.workspace import Workspace

SHOWN = 5


def register(app: typer.Typer) -> None:
    app.command("trust")(trust_deck)


def trust_deck(
    ctx: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A deck or a checker; the deck in use otherwise."),
    ] = None,
) -> None:
    """Allow a deck's code on a system without a sandbox, until it is edited."""
    workspace: Workspace = ctx.obj
    from quizzer.sandbox import protection, trust

    if path is not None and not path.expanduser().exists():
        raise Usage(f"{path}: no such file or folder")
    paths = [path.expanduser()] if path else workspace.located.roots
    files = trust.trust(paths, workspace.trust_path)
    put(f"trusted: {count(len(files), 'Python file')}, until the next edit")
    if protection.enclosed():
        say("On this system it changes nothing: all code runs in a sandbox (quizzer doctor).")


def ask_for_trust(workspace: Workspace) -> None:
    """Ask before a deck's code runs for the first time or after an edit, without a sandbox.

    Without consent the session goes on: learners rate cards with such code themselves.
    """
    untrusted = workspace.untrusted()
    if not untrusted:
        return
    say("This system has no sandbox: the Python code of a deck can do whatever you can do.")
    for file in untrusted[:SHOWN]:
        say(f"  {workspace.short(file)}")
    if len(untrusted) > SHOWN:
        say(f"  and {count(len(untrusted) - SHOWN, 'file')} more")
    if typer.confirm("Do you trust it?", default=False, err=True):
        from quizzer.sandbox import trust

        trust.trust(untrusted, workspace.trust_path)
