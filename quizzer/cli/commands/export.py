"""The command `export`: the whole log as JSON lines."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import StoreUnusable
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.copying import exists, need_history, new_file, raise_fault
from quizzer.cli.terminal.output import print_line
from quizzer.cli.terminal.waiting import busy
from quizzer.files import write_new
from quizzer.text import count


def export(
    workspace: Workspace,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; - prints.")],
) -> None:
    """Write the whole log as JSON lines."""
    need_history(workspace)
    target = None if str(file) == "-" else new_file(workspace, file)
    with workspace.open_store(read_only=True) as store, busy("reading the history"):
        lines = store.lines()
        fault = store.fault()
    text = "".join(f"{line}\n" for line in lines)
    if target is None:
        sys.stdout.write(text)
        raise_fault(fault)
        return
    try:
        write_new(target, text.encode())
    except FileExistsError:
        raise exists(workspace, target) from None
    except OSError as error:
        raise StoreUnusable(
            f"{workspace.short(target)}: cannot be written: {error.strerror}. Name a file "
            "elsewhere, or make room."
        ) from None
    print_line(f"wrote {count(len(lines), 'event')} to {workspace.short(target)}")
    raise_fault(fault)
