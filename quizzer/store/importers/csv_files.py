"""CSV files: Anki's review log, what FSRS's tools read, and the map of cards."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer import files
from quizzer.store.importers import anki, fields
from quizzer.store.importers.errors import ImportFileError
from quizzer.store.importers.repetitions import ProgramLog, Repetition
from quizzer.text import one_line
from quizzer.values import State

if TYPE_CHECKING:
    from _csv import Reader

_FSRS_COLUMNS = {"card_id", "review_time", "review_rating"}
_STATES = {0: State.NEW, 1: State.LEARNING, 2: State.REVIEW, 3: State.RELEARNING, 4: State.REVIEW}


def of_csv(text: str, now_ms: int) -> ProgramLog:
    reader = csv.reader(io.StringIO(text, newline=""))
    lines = _lines(reader)
    names = [name.strip().lower() for name in next(lines, [])]
    of: Callable[[Mapping[str, str]], Repetition | None]
    if set(names) >= _FSRS_COLUMNS:
        program, of, time = "FSRS", _of_fsrs, "review_time"
    elif set(anki.COLUMNS) <= set(names):
        program, of, time = "Anki", _of_anki_line, "id"
    else:
        raise ImportFileError(
            "is none of: an export of quizzer (JSON lines), a backup of quizzer, an Anki "
            "collection (.anki2, .apkg), a CSV of Anki's revlog (id, cid, ease, ivl, factor, time, "
            "type), a CSV for FSRS (card_id, review_time, review_rating)"
        )
    found = []
    try:
        for columns in lines:
            if columns:
                told = _named(names, columns)
                found.append(fields.checked(of(told), now_ms, told[time]))
    except ImportFileError:
        raise
    except ValueError as error:
        raise ImportFileError(f"line {reader.line_num}: {error}") from None
    return ProgramLog(program, tuple(filter(None, found)), {})


def mapping(path: Path) -> dict[str, str]:
    """A CSV of two columns, a name there and a card's id here.

    Raises ImportFileError, OSError, UnicodeDecodeError.
    """
    text = files.read_text(path)
    found: dict[str, str] = {}
    reader = csv.reader(io.StringIO(text, newline=""))
    for columns in _lines(reader):
        if not any(columns):
            continue
        line = f"line {reader.line_num}"
        if len(columns) != 2 or not all(column.strip() for column in columns):
            raise ImportFileError(f"{line}: write two columns: a name there, the id of a card here")
        theirs, ours = (column.strip() for column in columns)
        if found.setdefault(theirs, ours) != ours:
            raise ImportFileError(f"{line}: {one_line(theirs)} is there twice")
    return found


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
    """The lines of a CSV, split into columns. Raises ImportFileError where they cannot be."""
    try:
        yield from reader
    except csv.Error as error:
        why = f"{one_line(str(error))}; is a quotation mark before it left open?"
        raise ImportFileError(f"line {reader.line_num}: {why}") from None


def _of_fsrs(told: Mapping[str, str]) -> Repetition:
    state, duration = told.get("review_state"), told.get("review_duration")
    at_ms, offset = fields.time(told["review_time"])
    return Repetition(
        card=told["card_id"].strip(),
        at_ms=at_ms,
        rating=fields.rating(told["review_rating"]),
        state=_STATES.get(fields.whole("review_state", state)) if state else None,
        seconds=fields.seconds(fields.whole("review_duration", duration)) if duration else None,
        offset_min=offset,
    )


def _of_anki_line(told: Mapping[str, str]) -> Repetition | None:
    return anki.repetition(*(fields.whole(name, told[name]) for name in anki.COLUMNS))
