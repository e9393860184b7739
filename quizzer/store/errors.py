"""What can be wrong with a store; messages say what happened, what is safe and what to do.

StoreError
├── StoreBusyError        another quizzer holds it
├── StoreUnusableError    it cannot be read or written: permission, disk, folder
├── StoreForeignError     the file is another program's
├── StoreTooNewError      a newer quizzer wrote it
├── StoreDamagedError     what it holds does not agree with itself
└── TargetError           what it is to be united with cannot be used as asked
"""

import sqlite3
from pathlib import Path

from quizzer.text import one_line

BACKUPS = "backups"


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
        return cls(
            f"Another quizzer has been writing to {name(path)} for {seconds:.0f} seconds. "
            "What was saved stays saved, this change was not. Close the other one and try again.",
            f"is held by another quizzer for {seconds:.0f} seconds",
            "Close the other one",
        )


class StoreUnusableError(StoreError):
    @classmethod
    def at(cls, path: Path, what: str, remedy: str, then: str = "") -> "StoreUnusableError":
        """`then` is how the remedy goes on where a store of one's own is in use."""
        message = f"{name(path)} {what}. What was saved before stays saved. {remedy}{then}"
        return cls(message, what, remedy)


class StoreForeignError(StoreError):
    @classmethod
    def at(cls, path: Path, what: str) -> "StoreForeignError":
        return cls(
            f"{name(path)} is not a quizzer store: {what}. Nothing was changed. "
            "Name your store with --store, or, if it stood here, put back a backup with "
            f"`quizzer restore FILE`; backups are in {_with_backups(path)}.",
            what,
        )


class StoreTooNewError(StoreError):
    @classmethod
    def at(cls, path: Path, version: int, known: int) -> "StoreTooNewError":
        return cls(
            f"{name(path)} was written by a newer quizzer (format {version}, this one knows "
            f"{known}). Nothing was changed. Update quizzer and open it again, or go back to a "
            f"backup from before with `quizzer restore FILE`; backups are in {_with_backups(path)}."
        )


class StoreDamagedError(StoreError):
    @classmethod
    def at(cls, path: Path, what: str) -> "StoreDamagedError":
        return cls(
            f"{name(path)} is damaged: {what}. Nothing was changed, and no backup was touched. "
            "`quizzer doctor` looks at all of it; `quizzer restore FILE` puts back a backup from "
            f"{_with_backups(path)}.",
            what,
        )


class TargetError(StoreError):
    @classmethod
    def at(cls, target: str, what: str, remedy: str) -> "TargetError":
        return cls(f"{target} {what}. Nothing is lost: what was saved stays saved. {remedy}", what)

    @classmethod
    def damaged(cls, target: str, what: str, remedy: str) -> "TargetError":
        return cls.at(target, f"is damaged: {what}. Nothing was taken from it", remedy)


def backups(path: Path) -> Path:
    """The folder of the backups of a store."""
    return path.parent / BACKUPS


def _with_backups(path: Path) -> str:
    """The folder to look in instead of this file: of a file that is a backup itself, its own."""
    own = backups(path)
    return name(path.parent if path.parent.name == BACKUPS and not own.is_dir() else own)


def name(path: Path) -> str:
    return one_line(str(path), width=300)


def code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; what the `sqlite3` module itself objects to has none."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def is_of_writing(error: Exception) -> bool:
    """Whether SQLite failed to write: of two files, where it was to write is to be looked after."""
    return getattr(error, "sqlite_errorcode", None) in (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
    )


def explained(error: sqlite3.Error | OSError | UnicodeDecodeError, path: Path) -> StoreError:
    """What SQLite or the system says, as a sentence about the store at `path`."""
    if isinstance(error, UnicodeDecodeError):
        return StoreDamagedError.at(path, "a text in it is none")
    if isinstance(error, OSError):
        reason = one_line(error.strerror or str(error))
        return StoreUnusableError.at(path, f"cannot be used: {reason}", _PERMIT, _ELSEWHERE)
    match code(error):
        case sqlite3.SQLITE_NOTADB:
            return StoreDamagedError.at(path, "it is no SQLite file")
        case sqlite3.SQLITE_CORRUPT:
            return StoreDamagedError.at(path, "its pages do not fit together")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return StoreUnusableError.at(path, "may not be written to", _PERMIT, _ELSEWHERE)
        case sqlite3.SQLITE_CANTOPEN:
            return StoreUnusableError.at(path, "cannot be opened", _PERMIT, _ELSEWHERE)
        case sqlite3.SQLITE_FULL:
            return StoreUnusableError.at(path, "cannot grow, the disk is full", "Make room", _AGAIN)
        case sqlite3.SQLITE_IOERR:
            return StoreUnusableError.at(
                path,
                "cannot be read or written: the disk reports an error or is full",
                "Look after the disk",
                _AGAIN,
            )
    return StoreDamagedError.at(path, f"SQLite says “{one_line(str(error))}”")


_AGAIN = ", then do the last step again."
_PERMIT = "See that you may read and write the file and its folder"
_ELSEWHERE = ", or name another place with --store."
