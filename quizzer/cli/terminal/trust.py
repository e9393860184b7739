"""The question whether to trust a deck's code."""

import typer

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_note
from quizzer.text import first_of

SHOWN = 5
"""Files that are named."""


def ask_for_trust(workspace: Workspace) -> None:
    """On a system without a sandbox, ask before a deck's code first runs, and after each edit.

    Without consent the session goes on: learners rate themselves on cards with such code.
    """
    untrusted = workspace.untrusted()
    if not untrusted:
        return
    print_note("This system has no sandbox: the Python code of a deck can do whatever you can do.")
    for line in first_of([workspace.short(file) for file in untrusted], SHOWN):
        print_note(f"  {line}")
    if typer.confirm("Do you trust it?", default=False, err=True):
        from quizzer.sandbox import trust

        trust.trust(untrusted, workspace.trust_path)
