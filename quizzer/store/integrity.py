"""Whether an event is as it was written, and whether it may be added to a log.

An event is checked alone: not even the event before it is needed. Its hash is sha256 of its
exported line (`json_lines`) without the last key, which is the hash itself.
"""

import json
import re
from datetime import UTC, date, datetime
from hashlib import sha256
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from quizzer.store.codec import (
    Row,
    UnreadableError,
    event_of,
    has_types,
    is_whole,
    milliseconds,
    text_of,
)
from quizzer.store.ids import milliseconds_of

LONGEST_BODY = 1_000_000
"""Characters: a body is an answer and what was said about it, not a file."""

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
END = datetime(2200, 1, 1, tzinfo=UTC)
"""A clock may be wrong by years, but what is dated later was not recorded by any quizzer."""
END_MS = milliseconds(END)
FIRST_MS = milliseconds(datetime(2, 1, 1, tzinfo=UTC))
"""Times from here on can be told in every zone."""


def hashed(row: Row) -> Row:
    """The row with the hash of its content."""
    return row._replace(hash=hash_of(row))


def is_as_written(row: Row) -> bool:
    return has_types(row) and row.hash == hash_of(row)


def hash_of(row: tuple[Any, ...]) -> str:
    """The hash that a row with these columns should have."""
    return sha256(content(row).encode("utf-8", "surrogatepass")).hexdigest()


def content(row: tuple[Any, ...]) -> str:
    """What the hash is of: one line of compact ASCII JSON, its keys in the order of the columns."""
    id, device, after, at_ms, offset_min, day, kind, card, body, _ = row
    before = quoted(after) if after else "null"
    return (
        f'{{"id":{quoted(id)},"device":{quoted(device)},"after":{before},'
        f'"at_ms":{at_ms},"offset_min":{offset_min},"day":{day},'
        f'"kind":{quoted(kind)},"card":{quoted(card)},"body":{body}}}'
    )


def fault_of(row: Row) -> str | None:
    """What is wrong with a row, None if it may be added to a log."""
    return fault_of_written(row) if is_as_written(row) else "is not as it was written"


def fault_of_written(row: Row) -> str | None:
    """The same of one that is as it was written."""
    texts = "\n".join((row.id, row.device, row.after, row.kind, row.card, row.body))
    if "\0" in texts:
        return "has a character of number 0, which PostgreSQL does not take"
    if not is_whole(texts):
        return "has half a surrogate pair, which is no character"
    if not ID.fullmatch(row.id):
        return "has an id that is no UUID of version 7"
    if row.after and (not ID.fullmatch(row.after) or row.after == row.id):
        return "names an event before it that cannot be one"
    if row.day < 1 or row.at_ms < FIRST_MS:
        return "is dated before the calendar begins"
    if max(row.at_ms, milliseconds_of(row.id)) >= END_MS or row.day >= END.toordinal():
        return f"is dated after the year {END.year - 1}"
    if abs(row.offset_min) >= 24 * 60:
        return "has a time zone that is none"
    if len(row.body) > LONGEST_BODY:
        return f"has a body of more than {LONGEST_BODY:,} characters"
    if not _is_canonical(row.body):
        return "has a body that is not canonical JSON"
    try:
        event_of(row)
    except UnreadableError as error:
        return f"cannot be read: {error}"
    return None


def described(row: Row) -> str:
    """What to call a row that may be damaged, as far as it can still be read."""
    day = ""
    if isinstance(row.day, int) and 1 <= row.day <= date.max.toordinal():
        day = f" of {date.fromordinal(row.day).isoformat()}"
    return f"event {row.id}{day}, card {row.card}"


def _is_canonical(body: str) -> bool:
    try:
        read = _decoded(body)
        return isinstance(read, dict) and text_of(read) == body
    except (ValueError, RecursionError):
        return False


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


_decoded = json.JSONDecoder(parse_constant=_refused).decode
