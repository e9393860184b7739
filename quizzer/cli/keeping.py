"""Commands that keep the history safe: `backup`, `restore`, `export`."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from quizzer.cli.failure import StoreUnusable, Usage
from quizzer.cli.output import count, put, say
from quizzer.cli.waiting import busy
from quizzer.cli.workspace import Workspace, waiting
from quizzer.files import clear_partials, write_new
from quizzer.store import StoreError, merge
from quizzer.store import restore as put_back
from quizzer.store.importers import quizzer_log


def register(app: typer.Typer) -> None:
    for command in (backup, restore, export):
        app.command()(command)


def backup(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(help="Where to; a dated name beside the history otherwise.")
    ] = None,
) -> None:
    """Copy the history, also while a session runs."""
    workspace: Workspace = ctx.obj
    path = workspace.store_path
    _need_history(workspace)
    dated = path.with_name(f"{path.stem}-{workspace.now():%Y-%m-%d-%H%M%S}.db")
    target = _new_file(workspace, file or dated)
    clear_partials(target.parent, path.stem)
    with workspace.open_store(read_only=True) as store, busy("copying the history"):
        store.backup_to(target)
        fault = store.fault()
    put(f"copied to {workspace.short(target)}")
    _tell(fault)


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


def export(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; - prints.")],
) -> None:
    """Write the whole log as JSON lines."""
    workspace: Workspace = ctx.obj
    _need_history(workspace)
    target = None if str(file) == "-" else _new_file(workspace, file)
    with workspace.open_store(read_only=True) as store, busy("reading the history"):
        lines = store.lines()
        fault = store.fault()
    text = "".join(f"{line}\n" for line in lines)
    if target is None:
        sys.stdout.write(text)
        _tell(fault)
        return
    try:
        write_new(target, text.encode())
    except FileExistsError:
        raise Usage(
            f"{workspace.short(target)} exists; nothing was overwritten. Name another file."
        ) from None
    except OSError as error:
        raise StoreUnusable(
            f"{workspace.short(target)}: cannot be written: {error.strerror}. Name a file "
            "elsewhere, or make room."
        ) from None
    put(f"wrote {count(len(lines), 'event')} to {workspace.short(target)}")
    _tell(fault)


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


def _tell(fault: StoreError | None) -> None:
    """End with what is wrong with the history just copied: the copy is no better."""
    if fault:
        raise fault


def _need_history(workspace: Workspace) -> None:
    if not workspace.begun:
        raise StoreUnusable(
            f"there is no history yet at {workspace.short(workspace.store_path)}; "
            "it begins with the first review, or name another with --store"
        )


def _new_file(workspace: Workspace, file: Path) -> Path:
    """The path of a file to be written, which must not be there yet."""
    target = file.expanduser().absolute()
    if target.exists() or target.is_symlink():
        raise Usage(
            f"{workspace.short(target)} exists; nothing was overwritten. Name another file."
        )
    return target
