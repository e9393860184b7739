"""Anki's collections and packages."""

import html
import lzma
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quizzer.store.connection import Connection
from quizzer.store.importers import fields
from quizzer.store.importers.errors import LARGEST, ImportFileError
from quizzer.store.importers.repetitions import ProgramLog, Repetition
from quizzer.text import one_line
from quizzer.values import State

COLUMNS = ("id", "cid", "ease", "ivl", "factor", "time", "type")
"""Of Anki's table `revlog`."""

_STATES = {0: State.LEARNING, 1: State.REVIEW, 2: State.RELEARNING, 3: State.REVIEW}
_FILTERED, _MANUAL, _RESCHEDULED = 3, 4, 5


def of_tables(connection: Connection, now_ms: int) -> ProgramLog | None:
    """The reviews of an Anki collection, None if it is none. Raises ImportFileError."""
    tables = dict(connection.read("SELECT name, type FROM sqlite_master"))
    if not tables:
        raise ImportFileError("holds no reviews: the database in it is empty")
    if "revlog" not in tables:
        return None
    if any(tables.get(name, "table") != "table" for name in ("revlog", "cards", "notes")):
        raise ImportFileError("is not as Anki makes it: one of its tables is not a table")
    return _of_collection(connection, now_ms)


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The collection of a package, in a folder that is removed in the end.

    Raises ImportFileError.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                collection = Path(archive.extract(_member(archive), folder))
        # RuntimeError: it is encrypted, or packed in a way that is not known here.
        except (zipfile.BadZipFile, RuntimeError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise ImportFileError(f"cannot be unpacked: {one_line(str(error))}") from None
        yield collection


def repetition(
    id: int, cid: int, ease: int, ivl: int, factor: int, time: int, type: int
) -> Repetition | None:
    """A row of `revlog`, None if it is no review: a new due date, or one that did not count."""
    if type == _MANUAL and factor == 0:
        return Repetition(str(cid), id, rating=None)
    if ease == 0 or type in (_MANUAL, _RESCHEDULED) or (type == _FILTERED and factor == 0):
        return None
    # A negative interval is one in seconds.
    return Repetition(
        str(cid), id, fields.rating(str(ease)), max(ivl, 0), _STATES.get(type), fields.seconds(time)
    )


def _of_collection(connection: Connection, now_ms: int) -> ProgramLog:
    columns = ", ".join(COLUMNS)
    found = []
    try:
        for row in connection.read(f"SELECT {columns} FROM revlog"):
            found.append(fields.checked(repetition(*_integers(row)), now_ms, str(row[0])))
    except ValueError as error:
        raise ImportFileError(
            f"its review log cannot be read: the review {one_line(str(row[0]))}: {error}"
        ) from None
    notes = connection.read(
        "SELECT cards.id, notes.guid, notes.id, notes.flds FROM cards"
        " JOIN notes ON notes.id = cards.nid"
    )
    names = {
        str(card): (str(card), str(guid), str(note), *_texts(str(texts)))
        for card, guid, note, texts in notes
    }
    return ProgramLog("Anki", tuple(filter(None, found)), names)


def _integers(row: Sequence[object]) -> Iterator[int]:
    for name, value in zip(COLUMNS, row, strict=True):
        yield value if isinstance(value, int) else fields.whole(name, str(value))


def _texts(joined: str) -> Iterator[str]:
    """The fields of a note as plain text, without those that are empty."""
    for field in joined.split("\x1f"):
        if text := html.unescape(re.sub(r"<[^>]*>", " ", field)).strip():
            yield " ".join(text.split())


def _member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The collection in a package. Raises ImportFileError."""
    names = set(archive.namelist())
    if "collection.anki21b" in names and "collection.anki21" not in names:
        raise ImportFileError(
            "is packed in Anki's newest way. Export it again with “Support older Anki versions” "
            "ticked, or import Anki's file collection.anki2"
        )
    for name in ("collection.anki21", "collection.anki2"):
        if name in names:
            _see_size(archive.getinfo(name))
            return archive.getinfo(name)
    raise ImportFileError("holds no Anki collection")


def _see_size(member: zipfile.ZipInfo) -> None:
    """Raise ImportFileError for what is too large; `zipfile` unpacks no more than it says."""
    if member.file_size > LARGEST:
        raise ImportFileError(
            f"holds a collection of {member.file_size / 1e9:.1f} GB unpacked; of a package at most "
            "1 GB is. If it is really so large, import Anki's file collection.anki2"
        )
