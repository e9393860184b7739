"""The command `restore`: a backup in the place of the history."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import StoreUnusable, Usage
from quizzer.app.workspace import Workspace, shortened
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.cli.terminal.waiting import ProgressLine, busy
from quizzer.store import StoreError
from quizzer.store.errors import (
    StoreDamagedError,
    StoreForeignError,
    StoreTooNewError,
    folder_of_backups,
    name,
)
from quizzer.store.restore import Replaced, left_behind
from quizzer.store.restore import restore as put_back
from quizzer.text import count


def restore(
    workspace: Workspace,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup of the history.")],
) -> None:
    """Replace the history with a backup.

    The previous history is kept beside it.
    """
    source = file.expanduser().absolute()
    if not source.is_file():
        what = "it is not a file" if source.exists() else "no such file"
        raise Usage(f"{workspace.short(source)}: {what}; nothing was changed")
    with busy("restoring it") as line, ProgressLine("looking at every event", line) as step:
        try:
            before = put_back(
                workspace.store_path, source, workspace.now(), on_wait=workspace.waiting, step=step
            )
        except StoreDamagedError as error:
            raise StoreUnusable(f"{shortened(str(error))} {_ways_out(workspace, source)}") from None
        except (StoreForeignError, StoreTooNewError) as error:  # as one flipped bit may make it
            said = f"{workspace.short(source)}: {error.reason}. Nothing was changed. If it is a"
            ways = _ways_out(workspace, source)
            raise StoreUnusable(f"{said} damaged copy of your history, {ways}") from None
    print_line(
        f"{workspace.short(workspace.store_path)} now holds what {workspace.short(source)} holds"
    )
    if before.kept:
        _report_more(workspace, before.kept, before)
        print_note(f"The previous history is kept in {workspace.short(before.kept)}")


def _report_more(workspace: Workspace, kept: Path, before: Replaced) -> None:
    """How to bring back what only the replaced history has, if that can still be read."""
    try:
        with busy("comparing it with the previous history"):
            path, now = workspace.store_path, workspace.now()
            more = left_behind(path, kept, now, pages_fit=before.pages_fit)
    except (StoreError, OSError):
        return
    if more:
        lacks = f"It lacks {count(more, 'event')} of the previous history."
        print_note(f"{lacks} Bring them back with: {_import(workspace, kept)}")


def _ways_out(workspace: Workspace, damaged: Path) -> str:
    """What a damaged copy is still good for, and where there are others."""
    folder = folder_of_backups(damaged)
    others = f"; `quizzer restore FILE` puts back another from {name(folder)}" if folder else ""
    return f"`{_import(workspace, damaged)}` takes what is sound of it{others}."


def _import(workspace: Workspace, file: Path) -> str:
    """The command that takes what is sound of a file."""
    place = ["--store", str(workspace.store_path)] if workspace.store_option else []
    return shlex.join(["quizzer", "import", str(file), *place])
