"""Opening a card's pictures in the learner's viewer."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from quizzer import files
from quizzer.app.failure import Failure, Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.ask import Asker
from quizzer.cli.terminal.editor import words
from quizzer.cli.terminal.face import Face


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
    """Open the picture beside the terminal, and go on. Raises Usage when that cannot be started.

    What a desktop opens files with starts programs as well: it is given pictures alone.
    """
    _must_be_picture(path)
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


def _must_be_picture(path: Path) -> None:
    """Raise Usage for a file that is no picture by its name, or by how it begins."""
    begins = _BEGINNINGS.get(path.suffix.lower())
    if begins is None:
        raise Usage(f"not opened: pictures end in {', '.join(_BEGINNINGS)}")
    try:
        with files.opened(path) as file:
            start = file.read(_LOOKED_AT)
    except OSError as error:
        raise Usage(f"cannot be read: {error.strerror}") from None
    if not begins.match(start):
        raise Usage(f"not opened: what it holds is no {path.suffix[1:].upper()} picture")


_LOOKED_AT = 4096
_JPEG = re.compile(rb"\xff\xd8\xff")
_TIFF = re.compile(rb"II\*\0|MM\0\*")
_SVG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?>(?:<\?xml[^>]*>|<!DOCTYPE svg[^>]*>|<!--.*?-->)\s*+)*+<svg[\s>]",
    re.DOTALL,
)
_BEGINNINGS = {
    ".png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".gif": re.compile(rb"GIF8[79]a"),
    ".webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    ".bmp": re.compile(rb"BM"),
    ".tif": _TIFF,
    ".tiff": _TIFF,
    ".avif": re.compile(rb"....ftyp(?:avif|avis|mif1)", re.DOTALL),
    ".svg": _SVG,
    ".pdf": re.compile(rb"%PDF-\d"),
}
"""How a file of each type of picture begins."""
