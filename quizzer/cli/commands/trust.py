"""The command `trust`: whose code may run on a system without a sandbox."""

from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.text import count


def trust(
    workspace: Workspace,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A deck or a checker; the deck in use otherwise."),
    ] = None,
) -> None:
    """Allow a deck's code to run without a sandbox.

    This matters on systems that have none. Code has to be allowed again after each edit.
    """
    from quizzer.sandbox import protection
    from quizzer.sandbox import trust as trusted

    if path is not None and not path.expanduser().exists():
        raise Usage(f"{path}: no such file or folder")
    paths = [path.expanduser()] if path else workspace.located.roots
    files = trusted.trust(paths, workspace.trust_path)
    kind = "Python file" if all(file.suffix == ".py" for file in files) else "file"
    print_line(f"trusted: {count(len(files), kind)}, until the next edit")
    if protection.enclosed():
        print_note(
            "On this system it changes nothing: all code runs in a sandbox (quizzer doctor)."
        )
