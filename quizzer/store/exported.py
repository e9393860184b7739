"""An event's exported text, and its hash: what a stranger needs to check an event alone.

The text is one line of compact ASCII JSON whose keys are in the order of the columns, the body's
sorted; its last key is the hash, sha256 of the line without it. Nothing else is needed: not the
event before, nor how the event is stored.
"""

import json
import re
from datetime import UTC, date, datetime
from hashlib import sha256
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL
from quizzer.store.codec import (
    Row,
    UnreadableError,
    event_of,
    has_types,
    is_whole,
    milliseconds,
    text_of,
)

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_LAST = "fff"
"""Ids from here on are so far in the future that soon none could follow."""
_LAST_DAY = date.max.toordinal() - MAXIMUM_INTERVAL - 2
"""After it, a card may be due on a day that no calendar here has."""
_FIRST_MS = milliseconds(datetime(2, 1, 1, tzinfo=UTC))
_LAST_MS = milliseconds(datetime.fromordinal(_LAST_DAY).replace(tzinfo=UTC))
"""Times that can be told in every zone."""
LONGEST_BODY = 1_000_000
"""Characters: a body is an answer and what was said about it, not a file."""


def hashed(row: Row) -> Row:
    """The row with the hash of its content."""
    return row._replace(hash=_hash(row))


def line(row: Row) -> str:
    """The row as one line of JSON."""
    return f'{_content(row)[:-1]},"hash":{quoted(row.hash)}}}'


def row_of(line: str) -> Row:
    """The row that a line tells, as it was written or not. Raises ValueError if it tells none."""
    values = parsed(line)
    if values.keys() != set(Row._fields):
        raise ValueError(f"an event has the keys {', '.join(Row._fields)}")
    after = values["after"]
    values["after"] = "" if after is None else after
    if isinstance(values["body"], dict):
        values["body"] = text_of(values["body"])
    if not all(isinstance(value, str | int | float | None) for value in values.values()):
        raise ValueError("a value is neither a text nor a number")
    return Row(**values)


def parsed(line: str) -> dict[str, Any]:
    """The JSON object of a line. Raises ValueError."""
    try:
        values = json.loads(line)
    except RecursionError:
        raise ValueError("is no event") from None
    if not isinstance(values, dict):
        raise ValueError("is no event")
    return values


def is_as_written(row: Row) -> bool:
    return has_types(row) and row.hash == _hash(row)


def fault_of(row: Row) -> str | None:
    """What is wrong with a row, None if it may be added to a log: it is checked alone."""
    if not is_as_written(row):
        return "is not as it was written"
    if any("\0" in value for value in row if isinstance(value, str)):
        return "has a sign of number 0, which PostgreSQL does not take"
    if any(not is_whole(value) for value in row if isinstance(value, str)):
        return "has half a sign, which is no text"
    if not _ID.fullmatch(row.id) or row.id >= _LAST:
        return "has no proper id"
    if row.after and (not _ID.fullmatch(row.after) or row.after == row.id):
        return "names no event that can come before it"
    if not 1 <= row.day <= _LAST_DAY or not _FIRST_MS <= row.at_ms <= _LAST_MS:
        return "has no proper day"
    if abs(row.offset_min) >= 24 * 60:
        return "has no proper zone"
    if len(row.body) > LONGEST_BODY:
        return "has too long a body"
    if not _is_canonical(row.body):
        return "has a body that is not canonical JSON"
    try:
        event_of(row)
    except UnreadableError as error:
        return f"cannot be read: {error}"
    return None


def named(row: Row) -> str:
    """A row that is not as it was written, as far as it can still be read."""
    day = ""
    if isinstance(row.day, int) and 1 <= row.day <= _LAST_DAY:
        day = f" of {date.fromordinal(row.day).isoformat()}"
    return f"event {row.id}{day}, card {row.card}"


def _hash(row: Row) -> str:
    return sha256(_content(row).encode("utf-8", "surrogatepass")).hexdigest()


def _content(row: Row) -> str:
    after = quoted(row.after) if row.after else "null"
    return (
        f'{{"id":{quoted(row.id)},"device":{quoted(row.device)},"after":{after},'
        f'"at_ms":{row.at_ms},"offset_min":{row.offset_min},"day":{row.day},'
        f'"kind":{quoted(row.kind)},"card":{quoted(row.card)},"body":{row.body}}}'
    )


def _is_canonical(body: str) -> bool:
    try:
        told = json.loads(body, parse_constant=_refused)
        return isinstance(told, dict) and text_of(told) == body
    except (ValueError, RecursionError):
        return False


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
