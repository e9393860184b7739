"""What a file to import holds, whichever of the known kinds it is of."""

from codecs import BOM_UTF8
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from quizzer.files import beginning, opened, read
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreError
from quizzer.store.files import copied
from quizzer.store.importers import anki, csv_files, quizzer_log
from quizzer.store.importers.errors import LARGEST, ImportFileError, UnusableFileError
from quizzer.store.importers.quizzer_log import QuizzerLog
from quizzer.store.importers.repetitions import ProgramLog


def read_file(path: Path, now_ms: int) -> QuizzerLog | ProgramLog:
    """Rows of our own, or what another program recorded until now.

    Raises ImportFileError, OSError.
    """
    head = beginning(path, 1000, LARGEST)
    if head.startswith(b"SQLite format 3"):
        return _of_database(path, now_ms)
    if head.startswith(b"PK"):
        with anki.unpacked(path) as collection:
            return _of_database(collection, now_ms)
    if b"\0" in head and (found := _salvaged(path)):
        return found  # its first page is damaged
    with opened(path) as file:
        first = head.removeprefix(BOM_UTF8).lstrip()
        # Its first byte may be damaged.
        if first.startswith(b"{") or any(line.startswith(b'{"id":') for line in file):
            file.seek(0)
            return _of_lines(file)
    try:
        return csv_files.of_csv(read(path, LARGEST).decode("utf-8-sig"), now_ms)
    except UnicodeDecodeError:
        raise ImportFileError("is neither UTF-8 text nor a database") from None


def _of_lines(file: BinaryIO) -> QuizzerLog:
    # One by one: a long log need not be in memory as text and as bytes.
    lines = (line.removeprefix(BOM_UTF8).decode("utf-8", "replace").rstrip("\n") for line in file)
    found = quizzer_log.of_lines(lines)
    if found.faults and not found.rows:
        raise ImportFileError(found.faults[0])
    return found


def _salvaged(path: Path) -> QuizzerLog | None:
    """What is left of a store that is no SQLite file any more, None if nothing is."""
    try:
        found = quizzer_log.of_store(path)
    except StoreError:
        return None
    return found if found.rows else None


def _of_database(path: Path, now_ms: int) -> QuizzerLog | ProgramLog:
    """What a store or an Anki collection holds, read from a copy: the file is not changed."""
    with copied(path) as copy:
        try:
            try:
                with closing(Connection.to_file(copy, write=True, stranger=True)) as connection:
                    reviews = anki.of_tables(connection, now_ms)
            except StoreDamagedError:
                reviews = None
            if reviews:
                return reviews
            found = quizzer_log.of_copy(copy)
        except StoreError as error:
            raise UnusableFileError(f"cannot be read: {error.reason}") from None
    if found.faults and not found.rows:
        raise UnusableFileError(f"cannot be read: {found.faults[0]}")
    return found
