"""Which folders are the deck where nobody says otherwise."""

from collections.abc import Sequence
from pathlib import Path

from quizzer.app import config_file
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.deck import Source


def use(workspace: Workspace, paths: Sequence[Path]) -> tuple[Path, ...]:
    """Make these folders the default deck, and return them in full. Raises Usage."""
    try:
        paths = [path.expanduser() for path in paths]
    except RuntimeError:
        raise Usage("your home folder is not known: write the full path") from None
    for path in paths:
        if not path.is_dir():
            raise Usage(f"{path}: no such folder")
    roots = tuple(path.resolve() for path in paths)
    config_file.use(workspace.config_path, roots)
    return roots


def goes_before(workspace: Workspace) -> str:
    """What names another deck than the configuration does; empty if nothing does."""
    if workspace.deck_option:
        return Source.OPTION.value
    return Source.ENVIRONMENT.value if workspace.environ.get("QUIZZER_DECK") else ""
