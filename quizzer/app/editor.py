"""Which editor the user has."""

import os
import shlex
import shutil
from collections.abc import Mapping

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace

WINDOWS = os.name == "nt"
FALLBACKS = ("vi", "nano", "notepad")


def words(command: str) -> list[str]:
    """The words of a command that the user has set; a Windows path keeps its backslashes.

    Raises ValueError for quotes that do not close.
    """
    if "\\" not in command or not WINDOWS:
        return shlex.split(command)
    return [word.strip('"') for word in shlex.split(command, posix=False)]


def editor_command(environ: Mapping[str, str], configured: str | None) -> list[str]:
    """The editor to start: the configured one, `$VISUAL`, `$EDITOR`, then vi, nano or notepad.

    Raises Usage if none is found, or if what was set cannot be read.
    """
    for command_line in (configured, environ.get("VISUAL"), environ.get("EDITOR")):
        try:
            if command_line and (command := words(command_line)):
                return command
        except ValueError as error:
            raise Usage(
                f"the editor `{command_line}` cannot be read: {error}; check EDITOR, VISUAL and "
                "`editor` in the configuration"
            ) from None
    for name in FALLBACKS:
        if shutil.which(name):
            return [name]
    raise Usage("no editor found: set EDITOR, or `editor` in the configuration")


def editor_of(workspace: Workspace) -> list[str]:
    """The editor of this user. Raises Usage."""
    return editor_command(workspace.environ, workspace.config.editor)
