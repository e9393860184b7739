"""What the commands that read or copy the whole history share."""

from pathlib import Path

from quizzer.app.failure import StoreUnusable, Usage
from quizzer.app.workspace import Workspace
from quizzer.store import StoreError


def raise_fault(fault: StoreError | None) -> None:
    """End with the fault of the history that was copied: the copy has it too."""
    if fault:
        raise fault


def need_history(workspace: Workspace) -> None:
    if not workspace.begun:
        raise StoreUnusable(
            f"there is no history yet at {workspace.short(workspace.store_path)}; "
            "it begins with the first review, or name another with --store"
        )


def new_file(workspace: Workspace, file: Path) -> Path:
    """The path of a file to be written, which must not be there yet."""
    target = file.expanduser().absolute()
    if target.exists() or target.is_symlink():
        raise exists(workspace, target)
    return target


def exists(workspace: Workspace, target: Path) -> Usage:
    return Usage(f"{workspace.short(target)} exists; nothing was overwritten. Name another file.")
