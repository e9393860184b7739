"""The command `backup`: a copy of the history."""

from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.workspace import Workspace
from quizzer.cli.commands.copying import need_history, new_file, raise_fault
from quizzer.cli.terminal.output import print_line
from quizzer.cli.terminal.waiting import busy
from quizzer.files import clear_partials


def backup(
    workspace: Workspace,
    file: Annotated[
        Path | None, typer.Argument(help="Where to; otherwise a dated file beside the history.")
    ] = None,
) -> None:
    """Copy the history, even while a session is running."""
    path = workspace.store_path
    need_history(workspace)
    dated = path.with_name(f"{path.stem}-{workspace.now():%Y-%m-%d-%H%M%S}.db")
    target = new_file(workspace, file or dated)
    clear_partials(target.parent, path.stem)
    with workspace.open_store(read_only=True) as store, busy("copying the history"):
        store.backup_to(target)
        fault = store.fault()
    print_line(f"copied to {workspace.short(target)}")
    raise_fault(fault)
