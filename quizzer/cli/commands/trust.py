"""The command `trust`: whose code may run where no walls stand; and the question before it does."""

from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import put, say
from quizzer.text import count

SHOWN = 5


def trust(
    ctx: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A deck or a checker; the deck in use otherwise."),
    ] = None,
) -> None:
    """Allow a deck's code where no walls stand, until it is edited."""
    workspace: Workspace = ctx.obj
    from quizzer.sandbox import trust as trusted
    from quizzer.sandbox import walls

    if path is not None and not path.expanduser().exists():
        raise Usage(f"{path}: no such file or folder")
    paths = [path.expanduser()] if path else workspace.located.roots
    files = trusted.trust(paths, workspace.trust_path)
    put(f"trusted: {count(len(files), 'Python file')}, until the next edit")
    if walls.enclosed():
        say("On this machine it changes nothing: all code runs inside walls (quizzer doctor).")


def ask_for_trust(workspace: Workspace) -> None:
    """Ask before a deck's code runs for the first time or after an edit, where no walls stand.

    Without consent the session goes on: cards with such code are rated by the learner himself.
    """
    untrusted = workspace.untrusted()
    if not untrusted:
        return
    say("No walls stand on this machine: the Python code of a deck can do whatever you can do.")
    for file in untrusted[:SHOWN]:
        say(f"  {workspace.short(file)}")
    if len(untrusted) > SHOWN:
        say(f"  and {count(len(untrusted) - SHOWN, 'file')} more")
    if typer.confirm("Do you trust it?", default=False, err=True):
        from quizzer.sandbox import trust

        trust.trust(untrusted, workspace.trust_path)
