"""What can be wrong with a store; messages say what happened, what is safe and what to do.

StoreError
├── StoreBusyError        another quizzer holds it
├── StoreUnusableError    it cannot be read or written: permission, disk, folder
├── StoreForeignError     the file is another program's
├── StoreTooNewError      a newer quizzer wrote it
├── StoreDamagedError     what it holds is not as it was written
├── MemoryDamagedError    what is kept beside the log is not
└── TargetError           what it is to sync with cannot be used as asked
"""

import errno
import sqlite3
from pathlib import Path

from quizzer.store.files import BACKUPS, holder_of, listed
from quizzer.text import one_line


class StoreError(Exception):
    """The store cannot be used as asked; the message is for the learner."""

    def __init__(self, message: str, reason: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.reason = reason or message
        """The part that says what happened, without what is safe and what to do."""
        self.remedy = remedy
        """What to do first, whatever was tried; empty where nothing is known."""


class StoreBusyError(StoreError):
    @classmethod
    def at(cls, path: Path, seconds: float) -> "StoreBusyError":
        holder = holder_of(path)
        which = f" (process {holder})" if holder else ""
        return cls(
            f"Another quizzer{which} has been writing to {name(path)} for {seconds:.0f} seconds. "
            "What was saved stays saved, this change was not. Close the other one and try again.",
            f"is held by another quizzer{which} for {seconds:.0f} seconds",
            "Close the other one",
        )


class StoreUnusableError(StoreError):
    @classmethod
    def at(cls, path: Path, what: str, remedy: str, then: str = "") -> "StoreUnusableError":
        """`then` is how the remedy goes on if this is the learner's own store."""
        message = f"{name(path)} {what}. What was saved before stays saved. {remedy}{then}"
        return cls(message, what, remedy)


class StoreForeignError(StoreError):
    @classmethod
    def at(cls, path: Path, what: str) -> "StoreForeignError":
        return cls(
            f"{name(path)} is not a quizzer store: {what}. Nothing was changed. "
            f"Name your store with --store{_or_put_back(path)}.",
            what,
        )


class StoreTooNewError(StoreError):
    @classmethod
    def at(cls, path: Path, version: int, known: int) -> "StoreTooNewError":
        return cls(
            f"{name(path)} was written by a newer quizzer (format {version}, this one knows "
            f"{known}). Nothing was changed, and only an update is needed. Update quizzer and open "
            f"it again{_or_put_back(path)}.",
            f"it was written by a newer quizzer (format {version}, this one knows {known})",
        )


class StoreDamagedError(StoreError):
    @classmethod
    def at(cls, path: Path, what: str) -> "StoreDamagedError":
        folder = folder_of_backups(path)
        way = (
            f"`quizzer doctor` looks at all of it; `quizzer restore FILE` puts back a backup from "
            f"{name(folder)}."
            if folder
            else "`quizzer doctor` looks at all of it and says how to keep what is sound."
        )
        return cls(
            f"{name(path)} is damaged: {what}. Nothing was changed, and no backup was touched. "
            f"{way}",
            what,
        )

    @classmethod
    def of_backup(cls, path: Path, what: str) -> "StoreDamagedError":
        """For a copy that cannot be put back as it is; what is sound of it can be imported."""
        return cls(f"{name(path)} is damaged: {what}. Nothing was changed.", what)


class MemoryDamagedError(StoreError):
    """The history is sound, what is kept of its consequences is not."""

    @classmethod
    def at(cls, path: Path) -> "MemoryDamagedError":
        return cls(
            f"The schedule kept in {name(path)} cannot be read. The history itself is not "
            "affected, and nothing was changed. `quizzer doctor` rebuilds the schedule from it.",
            "the schedule kept in it cannot be read",
        )


class TargetError(StoreError):
    @classmethod
    def at(cls, target: str, what: str, remedy: str) -> "TargetError":
        return cls(f"{target} {what}. Nothing is lost: what was saved stays saved. {remedy}", what)

    @classmethod
    def damaged(cls, target: str, what: str, remedy: str) -> "TargetError":
        return cls.at(target, f"is damaged: {what}", remedy)


def folder_of_backups(path: Path) -> Path | None:
    """The folder with the newest daily copy of a store; of a file that is a copy, its own."""
    if found := listed(path):
        return found[-1].parent
    folder = path.parent
    return folder if BACKUPS in (folder.name, folder.parent.name) else None


def _or_put_back(path: Path) -> str:
    folder = folder_of_backups(path)
    if folder is None:
        return ""
    return f", or put back a backup with `quizzer restore FILE`; backups are in {name(folder)}"


def name(path: Path) -> str:
    return one_line(str(path), width=300)


def code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; what the `sqlite3` module itself objects to has none."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def is_of_writing(error: Exception) -> bool:
    """Whether SQLite failed to write: of two files, the one to look after is then the target."""
    return getattr(error, "sqlite_errorcode", None) in (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
    )


def explained(error: sqlite3.Error | OSError | UnicodeDecodeError, path: Path) -> StoreError:
    """What SQLite or the system says, as a sentence about the store at `path`."""
    if isinstance(error, UnicodeDecodeError):
        return StoreDamagedError.at(path, "a text column is not valid UTF-8")
    if isinstance(error, OSError):
        if error.errno in _FULL:
            return StoreUnusableError.at(path, *_NO_ROOM)
        reason = one_line(error.strerror or str(error))
        return StoreUnusableError.at(path, f"cannot be used: {reason}", _PERMIT, _ELSEWHERE)
    match code(error):
        case sqlite3.SQLITE_NOTADB:
            return StoreDamagedError.at(path, "it is not a SQLite file")
        case sqlite3.SQLITE_CORRUPT:
            return StoreDamagedError.at(path, "its pages do not fit together")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return StoreUnusableError.at(path, "may not be written to", _PERMIT, _ELSEWHERE)
        case sqlite3.SQLITE_CANTOPEN:
            return StoreUnusableError.at(path, "cannot be opened", _PERMIT, _ELSEWHERE)
        case sqlite3.SQLITE_FULL:
            return StoreUnusableError.at(path, *_NO_ROOM)
        case sqlite3.SQLITE_INTERRUPT:
            return StoreDamagedError.at(path, "it takes too long to read")
        case sqlite3.SQLITE_IOERR:
            return StoreUnusableError.at(
                path,
                "cannot be read or written: the disk reports an error or is full",
                "Check the disk",
                _AGAIN,
            )
    return StoreDamagedError.at(path, f"SQLite says “{one_line(str(error))}”")


_AGAIN = ", then do the last step again."
_NO_ROOM = "cannot grow, the disk is full", "Make room", _AGAIN
_FULL = (errno.ENOSPC, errno.EDQUOT)
_PERMIT = "Make sure that you may read and write the file and its folder"
_ELSEWHERE = ", or name another place with --store."
