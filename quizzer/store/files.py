"""The files that belong to a store: itself, its journal, its daily backups."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from quizzer.files import PRIVATE

BACKUPS = "backups"


def make_private(file: Path) -> None:
    """Make an empty file that only its owner may read, if there is none.

    One that is there is not opened: to close it would let go of SQLite's locks on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


def keep_private(file: Path) -> None:
    """Let only its owner read a file that an older quizzer made readable by others."""
    with suppress(OSError):  # somebody else's: it is theirs to say
        file.chmod(PRIVATE)


def backups(store: Path) -> Path:
    """The folder of the backups of a store."""
    return store.parent / BACKUPS / store.name


def listed(store: Path, *, older: bool = True) -> list[Path]:
    """The daily backups of a store, oldest first.

    With `older` those too that are in the folder that all stores of a folder once shared.
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
    """The path, with a number in its name if something is there already."""
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
def copied(file: Path) -> Iterator[Path]:
    """A copy of a SQLite file, with what belongs to it, in a folder that is removed in the end.

    SQLite may finish or take back there what a killed process left half done. Raises OSError.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, file.name)
        shutil.copyfile(file, copy)
        for suffix in ("-wal", "-journal"):
            beside = file.with_name(f"{file.name}{suffix}")
            if beside.is_file():
                shutil.copyfile(beside, copy.with_name(f"{copy.name}{suffix}"))
        yield copy
