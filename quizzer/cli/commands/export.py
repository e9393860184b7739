"""The command `export`: the whole log as JSON lines."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import StoreUnusable
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.copying import exists, need_history, new_file, raise_fault
from quizzer.cli.terminal.output import print_line
from quizzer.cli.terminal.waiting import busy
from quizzer.files import write_new
from quizzer.store import Store
from quizzer.text import count

EVERY = 1000
"""Events after which the progress is shown."""


def export(
    workspace: Workspace,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; - prints.")],
) -> None:
    """Write the whole log as JSON lines."""
    need_history(workspace)
    target = None if str(file) == "-" else new_file(workspace, file)
    with workspace.open_store(read_only=True) as store:
        if target is None:
            sys.stdout.writelines(f"{line}\n" for line in store.lines())
        else:
            _write(workspace, store, target)
        with busy("looking at every event"):
            fault = store.fault()
    raise_fault(fault)


def _write(workspace: Workspace, store: Store, target: Path) -> None:
    written = 0

    def lines(step: Callable[[int, int], None]) -> Iterator[bytes]:
        nonlocal written
        total = store.size
        for line in store.lines():
            yield f"{line}\n".encode()
            written += 1
            if written % EVERY == 0:
                step(written, total)

    try:
        with workspace.report.progress("writing events") as step:
            write_new(target, lines(step))
    except FileExistsError:
        raise exists(workspace, target) from None
    except OSError as error:
        raise StoreUnusable(
            f"{workspace.short(target)}: cannot be written: {error.strerror}. Name a file "
            "elsewhere, or make room."
        ) from None
    print_line(f"wrote {count(written, 'event')} to {workspace.short(target)}")
