"""Events as rows of the log and back: a kind, and a body of JSON that is read strictly."""

import json
import math
from collections.abc import Callable, Collection
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL
from quizzer.json_line import scan
from quizzer.values import (
    Attempt,
    Bury,
    Dispute,
    Event,
    Fact,
    Fit,
    Flag,
    Form,
    Rating,
    Reset,
    Review,
    State,
    Suspend,
    Undo,
    Unsuspend,
    Verdict,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_MINUTE = timedelta(minutes=1)


class Row(NamedTuple):
    """One row of the table `events`, in the order of its columns."""

    id: str
    device: str
    after: str
    """The id of the device's event before this one; empty for its first."""
    at_ms: int
    offset_min: int
    day: int
    kind: str
    card: str
    body: str
    hash: str


COLUMN_TYPES = tuple(Row.__annotations__.values())
LONGEST = 1_000_000
"""Seconds: nobody spends eleven days on a card, and so long a time would drown all others."""
STATES = {state.value: state for state in State}
FORMS = {form.value: form for form in Form}
_UNUSUAL = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    RecursionError,
    StopIteration,
)
_STEPS = (State.LEARNING, State.RELEARNING)
_UNSAID = (None, Form.BLANK)
_encoded = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
YEAR_3000 = 32_503_680_000_000
_LAST_DAY = date(3000, 1, 1).toordinal()
"""From a later one, the longest interval could lead beyond the calendar."""


class UnreadableError(ValueError):
    """A row of a known kind whose body is not what this kind holds."""


def kind_of(fact: type[Fact]) -> str:
    return _NAMES[fact]


def body_of(fact: Fact) -> str:
    """The fact's fields but `card` as JSON, always the same text for the same fact.

    A blank page goes without saying, as in logs from before there were other forms. Raises
    ValueError for a value that could not be read back.
    """
    fields = _KINDS[_NAMES[type(fact)]].fields
    values = {field: getattr(fact, field) for field in fields}
    for field, value in values.items():
        fields[field](value)
    return text_of({field: value for field, value in values.items() if value not in _UNSAID})


def text_of(body: dict[str, object]) -> str:
    """The body of an event as text, always the same for the same body."""
    return _encoded(body)


def is_whole(text: str) -> bool:
    """Whether SQLite takes a text: JSON may hold half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def has_types(row: Row) -> bool:
    """Whether each column holds what it should."""
    return tuple(map(type, row)) == COLUMN_TYPES


def event_of(row: Row) -> Event | None:
    """The event of a row, `None` if its kind is not known here: a newer quizzer wrote it.

    Raises UnreadableError.
    """
    kind = _KINDS.get(row.kind)
    if kind is None:
        return None
    try:
        if not has_types(row):
            raise ValueError("a column holds another type than it should")
        at = instant(row.at_ms, row.offset_min)
        if not are_days([row.day]):
            raise ValueError(f"{row.day} is not a study day")
        fact = kind.fact(card=row.card, **_fields(row.body, kind))
    except (ValueError, OverflowError, RecursionError) as error:
        raise UnreadableError(f"event {row.id} ({row.kind}) cannot be read: {error}") from error
    return Event(row.id, row.device, row.after or None, at, row.day, fact)


def seconds_of(body: str) -> float | None:
    """How long the review with this body took, `None` if that is not known, or if it was a step's
    or in a short form.

    It reads no more than that, for thousands of reviews at once. Raises UnreadableError.
    """
    try:
        values = json.loads(body)
        seconds = values.get("seconds")
        other = values["state"] in _STEPS or "form" in values
        return None if seconds is None or other else _seconds(seconds)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UnreadableError(f"a review cannot be read: {error}") from error


def review_body(row: tuple[Any, ...]) -> dict[str, Any]:
    """The body of a review's row, without making an event of it: for thousands at once.

    Raises UnreadableError for every row for which `event_of` does.
    """
    try:
        body: dict[str, Any]
        body, end = scan(row[8], 0)
        if tuple(map(type, row)) == COLUMN_TYPES and end == len(row[8]) and _is_usual(row, body):
            return body
    except _UNUSUAL:
        pass
    event_of(Row(*row))  # says what is wrong with it, or that it is odd, but can be read
    return json.loads(row[8])  # type: ignore[no-any-return]


def credible(seconds: float | None) -> float | None:
    """A time that was recorded, `None` if it is negative or too long to have been taken."""
    return seconds if seconds is not None and 0 <= seconds <= LONGEST else None


def milliseconds(at: datetime) -> int:
    """Milliseconds since 1970 UTC. Raises ValueError if `at` has no zone."""
    if at.tzinfo is None:
        raise ValueError("an instant needs a zone")
    return (at - _EPOCH) // _MS


def offset_minutes(at: datetime) -> int:
    return (at.utcoffset() or timedelta()) // _MINUTE


def are_days(days: Collection[int]) -> bool:
    """Whether all of these are study days that an event can have."""
    return min(days) >= 1 and max(days) <= _LAST_DAY


def instant(ms: int, offset_min: int) -> datetime:
    return (_EPOCH + ms * _MS).astimezone(_zone(offset_min))


def _is_usual(row: tuple[Any, ...], body: dict[str, Any]) -> bool:
    """Whether nothing about a review has to be looked at more closely."""
    _, _, _, at_ms, offset_min, day, _, _, _, _ = row
    rating, interval, path = body["rating"], body["interval"], body.get("path")
    seconds, suggested = body.get("seconds"), body.get("suggested")
    return (
        type(rating) is int
        and 1 <= rating <= Rating.EASY
        and type(interval) is int
        and 0 <= interval <= MAXIMUM_INTERVAL
        and body["state"] in STATES
        and (seconds is None or (type(seconds) in (float, int) and math.isfinite(seconds)))
        and (suggested is None or (type(suggested) is int and 1 <= suggested <= Rating.EASY))
        and (path is None or type(path) is str)
        and ("form" not in body or body["form"] in FORMS)
        and ("slip" not in body or type(body["slip"]) is str)
        and ("bare" not in body or type(body["bare"]) is bool)
        and 0 <= at_ms < YEAR_3000
        and 1 <= day <= _LAST_DAY
        and abs(offset_min) < 24 * 60
    )


@lru_cache(maxsize=128)
def _zone(offset_min: int) -> timezone:
    return timezone(timedelta(minutes=offset_min))


def _fields(body: str, kind: "_Kind") -> dict[str, object]:
    """What this version knows of a body; keys that a later one added are passed over."""
    values = json.loads(body)
    if not isinstance(values, dict):
        raise ValueError("its body is not an object")
    return {field: read(values.get(field)) for field, read in kind.fields.items()}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not text")
    return value


def _id(value: Any) -> str:
    if not is_whole(_text(value)):
        raise ValueError(f"{value!r} is not an event's id")
    return _text(value)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _interval(value: Any) -> int:
    if not 0 <= _whole(value) <= MAXIMUM_INTERVAL:
        raise ValueError(f"{value!r} is not an interval")
    return _whole(value)


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _seconds(value: Any) -> float | None:
    return credible(_number(value))


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is not true or false")
    return value


def _numbers(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{value!r} is not a list of numbers")
    return tuple(map(_number, value))


def _form(value: Any) -> Form:
    return Form.BLANK if value is None else Form(value)


def _rating(value: Any) -> Rating:
    return Rating(_whole(value))


def _maybe(read: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda value: None if value is None else read(value)


class _Kind(Struct, frozen=True):
    fact: Callable[..., Fact]
    fields: dict[str, Callable[[Any], object]]


_KINDS: dict[str, _Kind] = {
    "review": _Kind(
        Review,
        {
            "rating": _rating,
            "interval": _interval,
            "state": State,
            "seconds": _maybe(_seconds),
            "suggested": _maybe(_rating),
            "path": _maybe(_text),
            "form": _form,
            "slip": _maybe(_text),
            "bare": _maybe(_truth),
        },
    ),
    "attempt": _Kind(
        Attempt,
        {
            "name": _text,
            "answer": _text,
            "verdict": Verdict,
            "diagnosis": _maybe(_text),
            "notation": _maybe(_text),
            "seed": _maybe(_whole),
            "seconds": _maybe(_seconds),
            "reading": _maybe(_text),
            "line": _maybe(_whole),
            "step": _maybe(_text),
            "slip": _maybe(_text),
            "mistake": _maybe(_text),
        },
    ),
    "dispute": _Kind(
        Dispute,
        {"name": _text, "answer": _text, "verdict": Verdict, "seed": _maybe(_whole)},
    ),
    "undo": _Kind(Undo, {"event": _id}),
    "suspend": _Kind(Suspend, {}),
    "unsuspend": _Kind(Unsuspend, {}),
    "bury": _Kind(Bury, {}),
    "flag": _Kind(Flag, {"on": _truth}),
    "reset": _Kind(Reset, {}),
    "fit": _Kind(Fit, {"model": _text, "parameters": _numbers, "reviews": _whole}),
}
_NAMES: dict[Any, str] = {kind.fact: name for name, kind in _KINDS.items()}
