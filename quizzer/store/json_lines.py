"""Events as lines of JSON, as `export` writes them: all that a stranger needs to check one alone.

A line is compact ASCII JSON whose keys are in the order of the columns, the body's sorted; its last
key is the hash.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from json.encoder import encode_basestring_ascii as quoted
from sys import intern
from typing import Any

from quizzer.store.codec import Row, has_types, text_of
from quizzer.store.integrity import content


def line(row: Row) -> str:
    """The row as one line of JSON, damaged or not; what should be text may be bytes then."""
    if not has_types(row):
        return json.dumps(row._asdict(), separators=(",", ":"), default=bytes.hex)
    return f'{content(row)[:-1]},"hash":{quoted(row.hash)}}}'


def quick_row_of(line: str) -> Row | None:
    """The row of a line as quizzer writes one, its hash not proven; None for any other line."""
    if not (found := _reader()(line)):
        return None
    id, device, after, at_ms, offset_min, day, kind, card, body, hash = found.groups()
    numbers = int(at_ms), int(offset_min), int(day)
    # The same few devices, kinds and cards come again and again.
    return Row(id, intern(device), after or "", *numbers, intern(kind), intern(card), body, hash)


def row_of(line: str) -> Row:
    """The row that a line holds, as it was written or not. Raises ValueError if it holds none."""
    values = parsed(line)
    if values.keys() != set(Row._fields):
        raise ValueError(f"an event has the keys {', '.join(Row._fields)}")
    after = values["after"]
    values["after"] = "" if after is None else after
    if isinstance(values["body"], dict):
        values["body"] = text_of(values["body"])
    if not all(isinstance(value, str | int | float | None) for value in values.values()):
        raise ValueError("a value is neither text nor a number")
    return Row(**values)


@cache
def _reader() -> Callable[[str], re.Match[str] | None]:
    """Matches a line of plain texts as quizzer writes it."""
    text, number = r'"([ !#-\[\]-~]*)"', r"(0|-?[1-9][0-9]{0,17})"
    return re.compile(
        rf'\{{"id":{text},"device":{text},"after":(?:null|{text}),"at_ms":{number},'
        rf'"offset_min":{number},"day":{number},"kind":{text},"card":{text},'
        rf'"body":(\{{.*\}}),"hash":{text}\}}'
    ).fullmatch


def parsed(line: str) -> dict[str, Any]:
    """The JSON object of a line. Raises ValueError."""
    try:
        values = json.loads(line)
    except RecursionError:
        raise ValueError("is not an event") from None
    if not isinstance(values, dict):
        raise ValueError("is not an event")
    return values
