"""Files that appear whole or not at all, and that only their owner may read."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from pathlib import Path

from quizzer.files import make_folder

BACKUPS = "backups"
PRIVATE = 0o600

_PARTIAL = re.compile(r".*\.\d+\.partial(-journal)?", re.DOTALL)
_STALE = 3600.0
"""Seconds after which nobody writes any more to a file that is half written."""


def make_private(file: Path) -> None:
    """Make an empty file that only its owner may read, if there is none.

    One that is there is not opened: to close it would let go of SQLite's locks on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


def keep_private(file: Path) -> None:
    """Let only its owner read a file that an older quizzer made readable by others."""
    with suppress(OSError):  # somebody else's: it is his to say
        file.chmod(PRIVATE)


def backups(store: Path) -> Path:
    """The folder of the backups of a store."""
    return store.parent / BACKUPS / store.name


def listed(store: Path, *, older: bool = True) -> list[Path]:
    """The daily copies of a store, oldest first.

    With `older` those too that lie where all stores of a folder had theirs once.
    """
    pattern = re.compile(re.escape(store.stem) + r"-\d{4}-\d\d-\d\d\.db")
    folders = [backups(store)]
    if older and store.suffix == ".db":
        folders.append(store.parent / BACKUPS)
    found = []
    for folder in folders:
        with suppress(OSError):
            found += [file for file in folder.iterdir() if pattern.fullmatch(file.name)]
    return sorted(found, key=lambda file: file.name)


def unused(path: Path) -> Path:
    """The path, with a number in its name if something bears it already."""
    number = 2
    found = path
    while os.path.lexists(found):
        found = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return found


def journal_of(store: Path) -> Path:
    """Where SQLite writes what it needs to take a transaction back: beside the file itself."""
    file = store.resolve()
    return file.with_name(f"{file.name}-journal")


@contextmanager
def partial_of(target: Path) -> Iterator[Path]:
    """An empty file to be written before it gets its name; removed in the end, with its journal.

    Those that killed processes left for the same name are removed first. Raises FileExistsError.
    """
    clear(target.parent, target.name)
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    try:
        yield partial
    finally:
        for left in (partial, partial.with_name(f"{partial.name}-journal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def clear(folder: Path, beginning: str, *, older: float = _STALE) -> None:
    """Remove the files half written whose names begin so and that were left for so long."""
    with suppress(OSError):
        for file in folder.iterdir():
            rest = file.name.removeprefix(beginning)
            if file.name.startswith(beginning) and _PARTIAL.fullmatch(rest):
                with suppress(OSError):
                    if time.time() - file.stat().st_mtime >= older:
                        file.unlink()


def write_new(target: Path, text: str) -> None:
    """Write a new file that only its owner may read. Raises OSError, FileExistsError among them."""
    with partial_of(target) as partial:
        _write(partial, text)
        put_in_place(partial, target)


def replace(target: Path, text: str) -> None:
    """Put a text in the place of what a file holds, or make the file; its mode stays."""
    make_folder(target.parent)
    with partial_of(target) as partial:
        _write(partial, text)
        if target.exists():
            target.open("ab").close()  # what may not be written is not replaced either
            partial.chmod(target.stat().st_mode & 0o777)
        partial.replace(target)
        flush(target.parent)


def put_in_place(finished: Path, target: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if something bears it by now."""
    try:
        os.link(finished, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without a second name for a file
        if target.exists():
            raise FileExistsError(EEXIST, os.strerror(EEXIST)) from None
        finished.replace(target)
    finished.unlink(missing_ok=True)
    flush(target.parent)


def flush(folder: Path) -> None:
    """Bring a new name to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write(file: Path, text: str) -> None:
    with file.open("wb") as out:
        out.write(text.encode())
        out.flush()
        os.fsync(out.fileno())
