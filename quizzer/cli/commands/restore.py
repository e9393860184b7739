"""The command `restore`: a backup in the place of the history."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace, waiting
from quizzer.cli.terminal.output import put, say
from quizzer.cli.terminal.waiting import busy
from quizzer.store import StoreError, merge
from quizzer.store import restore as put_back
from quizzer.store.importers import quizzer_log
from quizzer.text import count


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup of the history.")],
) -> None:
    """Put a backup in the place of the history.

    What was there is kept beside it.
    """
    workspace: Workspace = ctx.obj
    source = file.expanduser().absolute()
    if not source.is_file():
        raise Usage(f"{workspace.short(source)}: no such file; nothing was changed")
    with busy("putting it back"):
        kept = put_back(workspace.store_path, source, workspace.now(), on_wait=waiting)
    put(f"{workspace.short(workspace.store_path)} now holds what {workspace.short(source)} holds")
    if kept:
        _tell_of_more(workspace, kept)
        say(f"What stood there before is kept in {workspace.short(kept)}")


def _tell_of_more(workspace: Workspace, kept: Path) -> None:
    """Say how to bring back what the replaced history had in addition, if it can still be read."""
    try:
        with (
            workspace.open_store(read_only=True) as store,
            busy("comparing it with what stood there"),
        ):
            more = len(merge.sound(quizzer_log.of_store(kept).rows, store.log.hashes()).rows)
    except (StoreError, OSError):
        return
    if more:
        place = ["--store", str(workspace.store_path)] if workspace.store_option else []
        command = shlex.join(["quizzer", "import", str(kept), *place])
        say(f"It lacks {count(more, 'event')} of what stood there. Bring them back with: {command}")
