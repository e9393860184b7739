"""The files that belong to a store: itself, its journal, its daily backups."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from quizzer.files import PRIVATE

BACKUPS = "backups"
MOST_ADDED = 1_000_000_000
"""Bytes of a daily copy that builds on another; of a larger one none are read."""
_LOCKED = 1 << 30
"""The first of the bytes that SQLite locks in a file."""
_DAY = r"-\d{4}-\d\d-\d\d"
_WHOLE = re.compile(rf".+{_DAY}\.db", re.DOTALL)
_SINCE = re.compile(rf"(.+){_DAY}\.since({_DAY})", re.DOTALL)


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
    pattern = re.compile(rf"{re.escape(store.stem)}{_DAY}\.(db|since{_DAY})")
    folders = [backups(store)]
    if older and store.suffix == ".db":
        folders.append(store.parent / BACKUPS)
    found = []
    for folder in folders:
        with suppress(OSError):
            found += [file for file in folder.iterdir() if pattern.fullmatch(file.name)]
    return sorted(found, key=lambda file: file.name)


def since(whole: Path, base: Path) -> Path:
    """What a daily copy is named that holds only what changed since another one."""
    return whole.with_name(f"{whole.stem}.since{base.stem[-len('-2000-01-01') :]}")


def base_of(copy: Path) -> Path | None:
    """The whole copy on which such a daily copy builds, None for any other file."""
    found = _SINCE.fullmatch(copy.name)
    return copy.with_name(f"{found[1]}{found[2]}.db") if found else None


def is_built_on(file: Path) -> bool:
    """Whether this is a daily copy that others need as it is."""
    whole = file.resolve()
    if not _WHOLE.fullmatch(whole.name):
        return False
    with suppress(OSError):
        return any(base_of(other) == whole for other in whole.parent.iterdir())
    return False


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


def holder_of(store: Path) -> int | None:
    """The id of the other process that writes to the store, where Linux tells it.

    The file is not opened: to close it would let go of SQLite's locks on it.
    """
    with suppress(OSError, ValueError):
        inode = f":{store.stat().st_ino}"
        for line in Path("/proc/locks").read_text().splitlines():
            _, _, _, how, holder, file, first, *_ = line.split()
            is_of_it = file.endswith(inode) and how == "WRITE" and int(first) >= _LOCKED
            if is_of_it and int(holder) not in (0, os.getpid()):
                return int(holder)
    return None


@contextmanager
def copied(file: Path) -> Iterator[Path]:
    """A copy of a SQLite file, with what belongs to it, in a folder that is removed in the end.

    SQLite may finish or take back there what a killed process left half done. Raises OSError.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        copy = Path(folder, file.name)
        shutil.copyfile(file, copy)
        for suffix in ("-wal", "-journal"):
            beside = file.with_name(f"{file.name}{suffix}")
            if beside.is_file():
                shutil.copyfile(beside, copy.with_name(f"{copy.name}{suffix}"))
        yield copy
