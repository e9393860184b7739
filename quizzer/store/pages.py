"""Long logs, some thousands of rows at a time, worked on column by column.

That is several times as quick as row by row. Where anything about a page is unusual, each of its
rows is looked at alone, so what is wrong with one is found and told in the same words.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL
from quizzer.store.codec import COLUMN_TYPES, STATES, YEAR_3000, Row, credible, review_body
from quizzer.store.integrity import hash_of, is_as_written
from quizzer.values import Form, Rating, State

RawRow = tuple[Any, ...]
Page = list[RawRow]


class Bodies(NamedTuple):
    """What the bodies of a page's reviews hold, a column each."""

    short: Sequence[bool]
    """Whether each was in a short form."""
    interval: Sequence[int]
    rating: Sequence[int]
    seconds: Sequence[float | None]
    state: Sequence[State]


def as_written(page: Page) -> list[bool]:
    """Of each row whether it is as it was written."""
    if _have_types([*zip(*page, strict=True)]):
        return [hash_of(row) == row[9] for row in page]
    return [is_as_written(Row._make(row)) for row in page]


def bodies(reviews: Page) -> Bodies:
    """The bodies of the rows of reviews. Raises UnreadableError as `event_of` does."""
    if found := _usual(reviews):
        return found
    return _one_by_one(reviews)


def _usual(reviews: Page) -> Bodies | None:
    """The bodies of reviews, None if one of their rows has to be looked at more closely."""
    columns = [*zip(*reviews, strict=True)]
    if not columns or not _have_types(columns) or not _are_dated(columns[3], columns[4]):
        return None
    text = "\n".join(columns[8])
    found = _reader()(text)
    if len(found) != len(reviews) or text.count("\n") != len(reviews) - 1:
        return None
    form, interval, rating, seconds, state = zip(*found, strict=True)
    intervals = [*map(int, interval)]
    if max(intervals) > MAXIMUM_INTERVAL:
        return None
    return Bodies(
        [*map(bool, form)],
        intervals,
        [*map(int, rating)],
        [credible(float(each)) if each else None for each in seconds],
        [STATES[each] for each in state],
    )


def _one_by_one(reviews: Page) -> Bodies:
    found = [*map(review_body, reviews)]
    return Bodies(
        ["form" in body for body in found],
        [body["interval"] for body in found],
        [body["rating"] for body in found],
        [credible(body.get("seconds")) for body in found],
        [STATES[body["state"]] for body in found],
    )


def _have_types(columns: Sequence[Sequence[object]]) -> bool:
    """Whether each column holds what it should."""
    return all({*map(type, col)} == {kind} for col, kind in zip(columns, COLUMN_TYPES, strict=True))


def _are_dated(at_ms: Sequence[int], offset_min: Sequence[int]) -> bool:
    in_range = min(at_ms) >= 0 and max(at_ms) < YEAR_3000
    return in_range and min(offset_min) > -24 * 60 and max(offset_min) < 24 * 60


@cache
def _reader() -> Callable[[str], list[tuple[str, ...]]]:
    """Finds the bodies of reviews, one a line, as quizzer writes them."""
    text = r'"[ !#-\[\]-~]*(?:\\(?:["\\/bfnrt]|u[0-9a-f]{4})[ !#-\[\]-~]*)*"'
    forms, states = (
        "|".join(each.value for each in kind if each is not Form.BLANK) for kind in (Form, State)
    )
    return re.compile(
        rf'^\{{(?:"form":"({forms})",)?"interval":(0|[1-9][0-9]{{0,8}}),(?:"path":{text},)?'
        rf'"rating":([{Rating.AGAIN:d}-{Rating.EASY:d}]),'
        rf'(?:"seconds":(-?(?:0|[1-9][0-9]{{0,14}})(?:\.[0-9]{{1,20}})?),)?(?:"slip":{text},)?'
        rf'"state":"({states})"(?:,"suggested":[{Rating.AGAIN:d}-{Rating.EASY:d}])?\}}$',
        re.MULTILINE,
    ).findall
