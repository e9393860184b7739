"""What a file to import holds, whichever of the known kinds it is of."""

import shutil
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from quizzer.files import beginning, mapped, opened, read
from quizzer.store import additions, copies
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreError
from quizzer.store.files import base_of, copied
from quizzer.store.importers import anki, csv_files, quizzer_log
from quizzer.store.importers.errors import LARGEST, ImportFileError, UnusableFileError
from quizzer.store.importers.quizzer_log import QuizzerLog
from quizzer.store.importers.repetitions import ProgramLog


@contextmanager
def reading_file(path: Path, now_ms: int, store: Path) -> Iterator[QuizzerLog | ProgramLog]:
    """Rows of our own, or what another program recorded until now, to be put into the store.

    The rows of a long file are read as they are gone through. Raises ImportFileError, OSError, also
    while they are.
    """
    head = beginning(path, 1000, LARGEST)
    if base_of(path):
        with _of_daily_copy(path, now_ms, store) as found:
            yield found
    elif additions.begins(head):
        yield _of_additions_alone(path)
    elif head.startswith(b"SQLite format 3"):
        with _of_database(path, now_ms) as found:
            yield found
    elif head.startswith(b"PK"):
        with anki.unpacked(path) as collection, _of_database(collection, now_ms) as found:
            yield found
    elif b"\0" in head and (salvaged := _salvaged(path)):
        yield salvaged  # its first page is damaged
    else:
        with _of_text(path, head, now_ms) as found:
            yield found


@contextmanager
def _of_text(path: Path, head: bytes, now_ms: int) -> Iterator[QuizzerLog | ProgramLog]:
    with opened(path) as file:
        first = head.removeprefix(BOM_UTF8).lstrip()
        # Its first byte may be damaged.
        if first.startswith(b"{") or any(line.startswith(b'{"id":') for line in file):
            file.seek(0)
            yield _of_lines(file)
            return
    try:
        text = read(path, LARGEST).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ImportFileError("is neither UTF-8 text nor a database") from None
    yield csv_files.of_csv(text, now_ms)


def _of_lines(file: BinaryIO) -> QuizzerLog:
    lines = (line.removeprefix(BOM_UTF8).decode("utf-8", "replace").rstrip("\n") for line in file)
    found = quizzer_log.of_lines(lines)

    def rows() -> Iterator[Row]:
        none = True
        for row in found.rows:
            none = False
            yield row
        if none and found.faults:
            raise ImportFileError(found.faults[0])

    return replace(found, rows=rows())


def _salvaged(path: Path) -> QuizzerLog | None:
    """What is left of a store that is no SQLite file any more, None if nothing is."""
    try:
        found = quizzer_log.of_store(path)
    except StoreError:
        return None
    return found if found.rows else None


@contextmanager
def _of_daily_copy(path: Path, now_ms: int, store: Path) -> Iterator[QuizzerLog | ProgramLog]:
    """What a daily copy holds that builds on another; if one is damaged, what is intact of it."""
    base = base_of(path)
    if base and base.is_file() and base.stat().st_size > LARGEST:
        raise UnusableFileError(f"cannot be read: {base.name}, on which it builds, is too large")
    with copies.private_file(store) as file:
        if fault := _fault_of(path, file):
            # What is intact of a damaged piece is found in the copy itself.
            with file.open("ab") as rebuilt, opened(path) as copy:
                shutil.copyfileobj(copy, rebuilt)
            with mapped(file) as data:
                found = quizzer_log.salvaged(data, fault, map(Row._make, copies.added(path)))
            if not found.rows:
                raise UnusableFileError(f"cannot be read: {fault}")
            yield found
            return
        with _of_copy(file, now_ms) as log:
            yield log


def _of_additions_alone(path: Path) -> QuizzerLog:
    """The events in a daily copy under another name, which does not say on which it builds."""
    fault = "its name no longer says on which copy it builds"
    return quizzer_log.salvaged(b"", fault, map(Row._make, copies.added(path)))


def _fault_of(copy: Path, target: Path) -> str | None:
    """What is wrong with a daily copy, of which the whole file is written to `target`."""
    try:
        return copies.rebuild(copy, target)
    except StoreError as error:
        return error.reason


@contextmanager
def _of_database(path: Path, now_ms: int) -> Iterator[QuizzerLog | ProgramLog]:
    """What a store or an Anki collection holds, read from a copy: the file is not changed."""
    with copied(path) as copy, _of_copy(copy, now_ms) as found:
        yield found


@contextmanager
def _of_copy(copy: Path, now_ms: int) -> Iterator[QuizzerLog | ProgramLog]:
    """The same of a copy that SQLite may change."""
    with ExitStack() as stack:
        try:
            found = _of_anki(copy, now_ms) or stack.enter_context(quizzer_log.of_copy(copy))
        except StoreError as error:
            raise UnusableFileError(f"cannot be read: {error.reason}") from None
        if isinstance(found, QuizzerLog) and found.faults and not found.rows:
            raise UnusableFileError(f"cannot be read: {found.faults[0]}")
        yield found


def _of_anki(copy: Path, now_ms: int) -> ProgramLog | None:
    try:
        with closing(Connection.to_file(copy, write=True, stranger=True)) as connection:
            return anki.of_tables(connection, now_ms)
    except StoreDamagedError:
        return None
