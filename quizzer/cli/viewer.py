"""Opening a card's pictures in the learner's viewer."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from quizzer.cli.ask import Asker
from quizzer.cli.editor import words
from quizzer.cli.face import Face
from quizzer.cli.failure import Failure, Usage
from quizzer.cli.workspace import Workspace


def show_picture(workspace: Workspace, face: Face, asker: Asker) -> None:
    """Open a picture of the card on the screen; of several, the one whose number is pressed."""
    pictures = {str(number): path for number, path in face.pictures.items()}
    if not pictures:
        face.say("there is no picture here to open")
        return
    number = next(iter(pictures))
    if len(pictures) > 1:
        number = asker.key(f"which image, {' '.join(pictures)}? ", [*pictures], default=number)
    try:
        open_picture(pictures[number], viewer_command(workspace.environ, workspace.config.viewer))
    except Failure as failure:
        face.say(f"{workspace.short(pictures[number])}: {failure}")
    else:
        face.say(f"opened image {number}")


def viewer_command(environ: Mapping[str, str], configured: str | None) -> list[str]:
    """What opens a picture: the configured viewer, else what the desktop opens files with.

    Raises Usage where there is no desktop, as over ssh.
    """
    try:
        if configured and (command := words(configured)):
            return command
    except ValueError as error:
        raise Usage(f"the viewer `{configured}` cannot be read: {error}") from None
    if sys.platform == "darwin":
        return ["open"]
    if sys.platform == "win32":
        return ["explorer"]
    if environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        return ["xdg-open"]
    raise Usage("there is no desktop here to open it on; `viewer` in the configuration names one")


def open_picture(path: Path, command: list[str]) -> None:
    """Open the picture beside the terminal, and go on. Raises Usage when that cannot be started."""
    try:
        subprocess.Popen(
            [*command, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise Usage(f"cannot start the viewer `{command[0]}`: {error.strerror}") from None
