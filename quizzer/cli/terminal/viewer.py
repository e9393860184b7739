"""Opening a card's images in the user's viewer."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer.app.editor import words
from quizzer.app.failure import Failure, Usage
from quizzer.app.pictures import must_be_picture
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.face import Face

if TYPE_CHECKING:
    from quizzer.cli.terminal.ask import Asker


def show_picture(workspace: Workspace, face: Face, asker: "Asker") -> None:
    """Open an image of the card on the screen; of several, the one whose number is pressed."""
    pictures = {str(number): path for number, path in face.pictures.items()}
    if not pictures:
        face.print_line("there is no image here to open")
        return
    number = next(iter(pictures))
    if len(pictures) > 1:
        number = asker.key(f"which image, {' '.join(pictures)}? ", [*pictures], default=number)
    try:
        open_picture(pictures[number], viewer_command(workspace.environ, workspace.config.viewer))
    except Failure as failure:
        face.print_line(f"{workspace.short(pictures[number])}: {failure}")
    else:
        face.print_line(f"opened image {number}")


def viewer_command(environ: Mapping[str, str], configured: str | None) -> list[str]:
    """What opens an image: the configured viewer, else the desktop's opener.

    Raises Usage if there is no desktop, for example over ssh.
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
    raise Usage("there is no desktop here to open it; set `viewer` in the configuration")


def open_picture(path: Path, command: list[str]) -> None:
    """Open the image beside the terminal, and go on. Raises Usage if that cannot be started.

    A desktop's opener also starts programs, so it is given nothing but images.
    """
    must_be_picture(path)
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
