"""A file on the desktop that opens quizzer in the browser."""

import shlex
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from quizzer.app.failure import Usage


class System(StrEnum):
    """Whose desktop it is, by `sys.platform`; every other one is like Linux."""

    LINUX = "linux"
    MAC = "darwin"
    WINDOWS = "win32"


class Shortcut(Struct, frozen=True):
    """The name of the file, and what is in it."""

    name: str
    text: str


def shortcut(system: System, command: Sequence[str], icon: Path) -> Shortcut:
    """What starts the command when it is opened, in a window that shows its address."""
    match system:
        case System.LINUX:
            words = " ".join(map(_desktop_word, command))
            lines = (
                "[Desktop Entry]", "Type=Application", "Name=quizzer",
                "Comment=Derivations, when they are due", f"Exec={words}",
                f"Icon={_desktop_text(str(icon))}", "Terminal=true", "Categories=Education;",
            )  # fmt: skip
            return Shortcut("quizzer.desktop", "\n".join(lines) + "\n")
        case System.MAC:
            return Shortcut("quizzer.command", f"#!/bin/sh\nexec {shlex.join(command)}\n")
        case System.WINDOWS:
            words = " ".join(f'"{word}"'.replace("%", "%%") for word in command)
            return Shortcut("quizzer.cmd", f"@chcp 65001 >nul\r\n@{words}\r\n")


def put(folder: Path, made: Shortcut) -> Path:
    """Write the file, never over another one. Raises Usage."""
    path = folder / made.name
    data = made.text.encode()
    try:
        if path.exists() and path.read_bytes() != data:
            raise Usage(f"{path} exists; it was not changed. Delete it to get a new one.")
        path.write_bytes(data)
        path.chmod(0o755)
    except OSError as error:
        raise Usage(f"{path}: cannot be written: {error.strerror}") from None
    return path


def desktop(system: System, home: Path) -> Path:
    """The folder for it: the desktop, or on Linux without one where menus look."""
    folder = home / "Desktop"
    if system is System.LINUX and not folder.is_dir():
        folder = home / ".local" / "share" / "applications"
        folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        raise Usage(f"{folder}: no such folder")
    return folder


def _desktop_word(word: str) -> str:
    """A word of `Exec`, by the Desktop Entry Specification: quoted, then escaped as any text."""
    quoted = "".join(f"\\{sign}" if sign in '"`$\\' else sign for sign in word)
    return _desktop_text(f'"{quoted}"').replace("%", "%%")


def _desktop_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
