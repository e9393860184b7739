"""Files that can be imported: our own log, Anki's, and the CSV that FSRS's tools read."""

import csv
import html
import io
import lzma
import math
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer import files
from quizzer.store import own
from quizzer.store.codec import credible, milliseconds, offset_minutes
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, StoreError
from quizzer.store.foreign import ForeignLog, Repetition
from quizzer.store.own import OwnLog
from quizzer.text import one_line
from quizzer.values import Rating, State

if TYPE_CHECKING:
    from _csv import Reader

OLDEST_MS = 946_684_800_000
"""The year 2000: a time before it is not in milliseconds."""

_STATES = {0: State.NEW, 1: State.LEARNING, 2: State.REVIEW, 3: State.RELEARNING, 4: State.REVIEW}
_ANKI_STATES = {0: State.LEARNING, 1: State.REVIEW, 2: State.RELEARNING, 3: State.REVIEW}
_FILTERED, _MANUAL, _RESCHEDULED = 3, 4, 5
_ANKI_COLUMNS = ("id", "cid", "ease", "ivl", "factor", "time", "type")
_FSRS_COLUMNS = {"card_id", "review_time", "review_rating"}

_A_DAY_MS = 86_400_000
_LARGEST = 1_000_000_000
"""Bytes of a file that are read, or unpacked: some packages are made to fill a disk."""


class IncomingError(ValueError):
    """A file that cannot be imported; the message says what is wrong with it."""


def read(path: Path, now_ms: int) -> OwnLog | ForeignLog:
    """What the file holds: rows of our own, or what another program recorded until now.

    Raises IncomingError, OSError.
    """
    data = files.read(path, _LARGEST)
    if data.startswith(b"SQLite format 3"):
        return _of_database(path, now_ms)
    if data.startswith(b"PK"):
        return _of_archive(path, now_ms)
    is_text = b"\0" not in data[:1000]
    if not is_text and (found := own.of_store(path)).rows:
        return found  # its first page is damaged
    if data.lstrip().startswith(b"{"):
        return _of_lines(data)
    try:
        return _of_csv(data.decode("utf-8-sig"), now_ms)
    except UnicodeDecodeError:
        raise IncomingError("is neither UTF-8 text nor a database") from None


def mapping(path: Path) -> dict[str, str]:
    """A CSV of two columns, a name there and a card's id here. Raises IncomingError, OSError."""
    try:
        text = files.read_text(path)
    except UnicodeDecodeError:
        raise IncomingError("is no UTF-8 text") from None
    found: dict[str, str] = {}
    reader = csv.reader(io.StringIO(text, newline=""))
    for columns in _lines(reader):
        if not any(columns):
            continue
        line = f"line {reader.line_num}"
        if len(columns) != 2 or not all(column.strip() for column in columns):
            raise IncomingError(f"{line}: write two columns: a name there, the id of a card here")
        theirs, ours = (column.strip() for column in columns)
        if found.setdefault(theirs, ours) != ours:
            raise IncomingError(f"{line}: {one_line(theirs)} is there twice")
    return found


def _of_lines(data: bytes) -> OwnLog:
    found = own.of_lines(data.decode("utf-8-sig", "replace"))
    if found.faults and not found.rows:
        raise IncomingError(found.faults[0])
    return found


def _of_csv(text: str, now_ms: int) -> ForeignLog:
    reader = csv.reader(io.StringIO(text, newline=""))
    lines = _lines(reader)
    names = [name.strip().lower() for name in next(lines, [])]
    of: Callable[[Mapping[str, str]], Repetition | None]
    if set(names) >= _FSRS_COLUMNS:
        program, of, time = "FSRS", _of_fsrs, "review_time"
    elif set(_ANKI_COLUMNS) <= set(names):
        program, of, time = "Anki", _of_anki_line, "id"
    else:
        raise IncomingError(
            "is none of: an export of quizzer (JSON lines), a backup of quizzer, an Anki "
            "collection (.anki2, .apkg), a CSV of Anki's revlog (id, cid, ease, ivl, factor, time, "
            "type), a CSV for FSRS (card_id, review_time, review_rating)"
        )
    found = []
    try:
        for columns in lines:
            if columns:
                told = _named(names, columns)
                found.append(_checked(of(told), now_ms, told[time]))
    except IncomingError:
        raise
    except ValueError as error:
        raise IncomingError(f"line {reader.line_num}: {error}") from None
    return ForeignLog(program, tuple(filter(None, found)), {})


def _named(names: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """A line's values by the names in the first line. Raises ValueError where there are not as
    many."""
    if len(columns) != len(names):
        raise ValueError(
            f"it has {len(columns)} columns, the first line names {len(names)}; write a value or "
            "nothing for each, and quotes around a value with a comma"
        )
    return dict(zip(names, columns, strict=True))


def _lines(reader: "Reader") -> Iterator[list[str]]:
    """The lines of a CSV, split into columns. Raises IncomingError where they cannot be."""
    try:
        yield from reader
    except csv.Error as error:
        why = f"{one_line(str(error))}; is a quotation mark before it left open?"
        raise IncomingError(f"line {reader.line_num}: {why}") from None


def _of_fsrs(told: Mapping[str, str]) -> Repetition:
    state, duration = told.get("review_state"), told.get("review_duration")
    at_ms, offset = _time(told["review_time"])
    return Repetition(
        card=told["card_id"].strip(),
        at_ms=at_ms,
        rating=_rating(told["review_rating"]),
        state=_STATES.get(_whole("review_state", state)) if state else None,
        seconds=_seconds(_whole("review_duration", duration)) if duration else None,
        offset_min=offset,
    )


def _of_anki_line(told: Mapping[str, str]) -> Repetition | None:
    return _of_anki(*(_whole(name, told[name]) for name in _ANKI_COLUMNS))


def _of_anki(
    id: int, cid: int, ease: int, ivl: int, factor: int, time: int, type: int
) -> Repetition | None:
    """A row of `revlog`, None where it is no review: a new due date, or one that did not count."""
    if type == _MANUAL and factor == 0:
        return Repetition(str(cid), id, rating=None)
    if ease == 0 or type in (_MANUAL, _RESCHEDULED) or (type == _FILTERED and factor == 0):
        return None
    # A negative interval is one in seconds.
    return Repetition(
        str(cid), id, _rating(str(ease)), max(ivl, 0), _ANKI_STATES.get(type), _seconds(time)
    )


def _of_database(path: Path, now_ms: int) -> OwnLog | ForeignLog:
    """What a store or an Anki collection holds, read from a copy: nothing is done to the file."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copyfile(path, copy)
        for suffix in ("-wal", "-journal"):
            beside = path.with_name(f"{path.name}{suffix}")
            if beside.is_file():
                shutil.copyfile(beside, copy.with_name(f"copy{suffix}"))
        try:
            try:
                with closing(Connection.to_file(copy, write=True, stranger=True)) as connection:
                    found = _of_anki_tables(connection, now_ms)
            except StoreDamagedError:
                return _if_any(own.of_store(copy))
            return found or _if_any(own.of_store(copy))
        except StoreError as error:
            raise IncomingError(f"cannot be read: {error.reason}") from None


def _if_any(found: OwnLog) -> OwnLog:
    """Raise IncomingError for a damaged file in which no event is left."""
    if found.faults and not found.rows:
        raise IncomingError(f"cannot be read: {found.faults[0]}")
    return found


def _of_anki_tables(connection: Connection, now_ms: int) -> ForeignLog | None:
    """The reviews of an Anki collection, None if it is none. Raises IncomingError."""
    tables = dict(connection.read("SELECT name, type FROM sqlite_master"))
    if not tables:
        raise IncomingError("holds no reviews: the database in it is empty")
    if "revlog" not in tables:
        return None
    if any(tables.get(name, "table") != "table" for name in ("revlog", "cards", "notes")):
        raise IncomingError("is not as Anki makes it: one of its tables is none")
    return _of_collection(connection, now_ms)


def _of_archive(path: Path, now_ms: int) -> OwnLog | ForeignLog:
    """The collection in a package of Anki."""
    try:
        with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
            names = set(archive.namelist())
            if "collection.anki21b" in names and "collection.anki21" not in names:
                raise IncomingError(
                    "is packed in Anki's newest way. Export it again with “Support older Anki "
                    "versions” ticked, or import Anki's file collection.anki2"
                )
            for name in ("collection.anki21", "collection.anki2"):
                if name in names:
                    _see_size(archive.getinfo(name))
                    return _of_database(Path(archive.extract(name, folder)), now_ms)
    # RuntimeError: it is encrypted, or packed in a way that is not known here.
    except (zipfile.BadZipFile, RuntimeError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise IncomingError(f"cannot be unpacked: {one_line(str(error))}") from None
    raise IncomingError("holds no Anki collection")


def _see_size(member: zipfile.ZipInfo) -> None:
    """Raise IncomingError for what is too large to unpack; `zipfile` unpacks no more than told."""
    if member.file_size > _LARGEST:
        raise IncomingError(
            f"holds a collection of {member.file_size / 1e9:.1f} GB unpacked; of a package at most "
            "1 GB is. If it is really so large, import Anki's file collection.anki2"
        )


def _of_collection(connection: Connection, now_ms: int) -> ForeignLog:
    columns = ", ".join(_ANKI_COLUMNS)
    found = []
    try:
        for row in connection.read(f"SELECT {columns} FROM revlog"):
            found.append(_checked(_of_anki(*_integers(row)), now_ms, str(row[0])))
    except ValueError as error:
        raise IncomingError(
            f"its review log cannot be read: the review {one_line(str(row[0]))}: {error}"
        ) from None
    notes = connection.read(
        "SELECT cards.id, notes.guid, notes.id, notes.flds FROM cards"
        " JOIN notes ON notes.id = cards.nid"
    )
    names = {
        str(card): (str(card), str(guid), str(note), *_fields(str(fields)))
        for card, guid, note, fields in notes
    }
    return ForeignLog("Anki", tuple(filter(None, found)), names)


def _integers(row: Sequence[object]) -> Iterator[int]:
    for name, value in zip(_ANKI_COLUMNS, row, strict=True):
        yield value if isinstance(value, int) else _whole(name, str(value))


def _fields(joined: str) -> Iterator[str]:
    """The fields of a note as plain text, without those that are empty."""
    for field in joined.split("\x1f"):
        if text := html.unescape(re.sub(r"<[^>]*>", " ", field)).strip():
            yield " ".join(text.split())


def _checked(repetition: Repetition | None, now_ms: int, time: str) -> Repetition | None:
    """The repetition, if it was after 1999 and not after tomorrow; `time` as it was written.

    Raises ValueError.
    """
    if repetition is not None:
        if not repetition.card:
            raise ValueError("it names no card; write a card's id in the column card_id")
        shown = _shown(time)
        if repetition.at_ms < OLDEST_MS and _is_number(time):
            raise ValueError(
                f"the time {shown} is not in milliseconds since 1970; times 1000 if it is seconds"
            )
        if repetition.at_ms < OLDEST_MS:
            raise ValueError(f"the time {shown} is before the year 2000; mend the date")
        if repetition.at_ms > now_ms + _A_DAY_MS:
            unit = ", counted in milliseconds since 1970," if _is_number(time) else ""
            raise ValueError(
                f"the time {shown}{unit} is not over yet; mend it, or this machine's clock"
            )
    return repetition


def _rating(text: str) -> Rating:
    try:
        return Rating(_whole("rating", text))
    except ValueError:
        raise ValueError(
            f"the rating {_shown(text)} is none; ratings are 1 (again), 2 (hard), 3 (good), "
            "4 (easy)"
        ) from None


def _time(text: str) -> tuple[int, int | None]:
    """A time in milliseconds since 1970, or as a date with its offset from UTC.

    The offset, in minutes, is None where it is none: UTC tells the instant alone, as programs write
    it wherever the learner is.
    """
    if _is_number(text):
        return _whole("time", text), None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(
            f"the time {_shown(text)} is neither in milliseconds since 1970 nor a date with its "
            "offset from UTC; write it as 2026-11-20T09:00:00+01:00"
        ) from None
    if moment.tzinfo is None:
        raise ValueError(
            f"the time {_shown(text)} does not tell its offset from UTC; write "
            f"{moment.isoformat()}+01:00 for an hour ahead of UTC, {moment.isoformat()}Z for UTC"
        )
    return milliseconds(moment), offset_minutes(moment) or None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _whole(name: str, text: str) -> int:
    """The number in a column of this name. Raises ValueError."""
    number = float(text) if _is_number(text) else math.nan
    if not math.isfinite(number) or number != int(number):
        raise ValueError(f"the {name} {_shown(text)} is not a whole number; write one")
    return int(text) if text.strip().lstrip("-").isdecimal() else int(number)


def _shown(text: str) -> str:
    return one_line(text.strip(), 40) or "(nothing)"


def _seconds(milliseconds: int) -> float | None:
    return credible(milliseconds / 1000) if milliseconds else None
