"""Long logs, some thousands of rows at a time, worked on column by column.

That is several times as quick as row by row. Where anything about a page is unusual, each of its
rows is looked at alone, so what is wrong with one is found and told in the same words.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL
from quizzer.store import layout
from quizzer.store.codec import (
    COLUMN_TYPES,
    LONGEST,
    STATES,
    YEAR_3000,
    Row,
    are_days,
    credible,
    review_body,
)
from quizzer.store.integrity import hash_of, is_as_written
from quizzer.store.layout import RawRow
from quizzer.values import Form, Rating, State

Page = list[RawRow]
Rows = Sequence[RawRow]
_IN_BYTES = (0, 1, 2, 9)
"""The columns of ids and of the hash."""


class Ratings(NamedTuple):
    """What memory states follow from, of a page's reviews: a column each."""

    short: Sequence[bool]
    """Whether each was in a short form."""
    interval: Sequence[int]
    rating: Sequence[int]


class Bodies(NamedTuple):
    """What the bodies of a page's reviews hold, a column each."""

    short: Sequence[bool]
    interval: Sequence[int]
    rating: Sequence[int]
    seconds: Sequence[float | None]
    state: Sequence[State]


class Histories(dict[str, int]):
    """The number of each card's present history, from 0: a card has a new one after each reset."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[str] = []
        """The card of each history."""

    def __missing__(self, card: str) -> int:
        number = self[card] = len(self.cards)
        self.cards.append(card)
        return number

    def follow(self, page: Page) -> list[int]:
        """The number of each review among the next rows; besides them only resets count."""
        if "reset" not in {row[6] for row in page}:
            return [self[row[7]] for row in page if row[6] == "review"]
        found = []
        for row in page:
            if row[6] == "review":
                found.append(self[row[7]])
            elif row[6] == "reset":
                self.pop(row[7], None)
        return found


def as_written(page: Rows) -> list[bool]:
    """Of each row whether it is as it was written."""
    columns = [*zip(*page, strict=True)]
    if not columns or not _have_types(columns):
        return [is_as_written(Row._make(row)) for row in page]
    if not are_plain(columns):
        return [hash_of(row) == row[9] for row in page]
    # As `integrity.content` has it, of texts that JSON writes as they are.
    return [
        sha256(
            f'{{"id":"{id}","device":"{device}","after":{_quoted(after)},"at_ms":{at_ms},'
            f'"offset_min":{offset},"day":{day},"kind":"{kind}","card":"{card}","body":{body}}}'.encode(
                "utf-8", "surrogatepass"
            )
        ).hexdigest()
        == hash
        for id, device, after, at_ms, offset, day, kind, card, body, hash in page
    ]


def ratings(reviews: Page) -> Ratings:
    """Of the rows of reviews. Raises UnreadableError as `event_of` does."""
    return _rated(found) if (found := usual(reviews)) else Ratings(*_one_by_one(reviews)[:3])


def bodies(reviews: Page, kept: bool = False) -> Bodies:
    """The bodies of the rows of reviews, as they are `kept` or with ids and hashes as texts.

    Raises UnreadableError as `event_of` does.
    """
    found = usual(reviews, kept)
    if not found:
        return _one_by_one(reviews)
    _, _, _, told, state = found
    seconds = [float(each) if each else None for each in told]
    known = [each for each in seconds if each is not None]
    if known and not 0 <= min(known) <= max(known) <= LONGEST:
        seconds = [*map(credible, seconds)]
    return Bodies(*_rated(found), seconds, [*map(STATES.__getitem__, state)])


def _rated(found: Sequence[Sequence[str]]) -> Ratings:
    form, interval, rating, _, _ = found
    return Ratings([*map(bool, form)], [*map(int, interval)], [*map(int, rating)])


def usual(reviews: Rows, kept: bool = False) -> Sequence[Sequence[str]] | None:
    """The texts of form, interval, rating, seconds and state in the bodies of reviews.

    None if one of their rows has to be looked at more closely.
    """
    columns = [*zip(*reviews, strict=True)]
    have_types = _have_types_as_kept if kept else _have_types
    if not columns or not have_types(columns) or not _are_dated(*columns[3:6]):
        return None
    text = "\n".join(columns[8])
    found = _reader()(text)
    if len(found) != len(reviews) or text.count("\n") != len(reviews) - 1:
        return None
    texts = [*zip(*found, strict=True)]
    # With as many digits or fewer, no interval is greater.
    if max(map(len, texts[1])) >= len(str(MAXIMUM_INTERVAL)) and (
        max(map(int, texts[1])) > MAXIMUM_INTERVAL
    ):
        return None
    return texts


def _one_by_one(reviews: Page) -> Bodies:
    found = [*map(review_body, layout.rows(reviews))]
    return Bodies(
        ["form" in body for body in found],
        [body["interval"] for body in found],
        [body["rating"] for body in found],
        [credible(body.get("seconds")) for body in found],
        [STATES[body["state"]] for body in found],
    )


def _quoted(after: str) -> str:
    return f'"{after}"' if after else "null"


def are_plain(columns: Sequence[Sequence[str]]) -> bool:
    """Whether JSON writes all texts but the bodies as they are, between quotation marks."""
    id, device, after, _, _, _, kind, card, _, _ = columns
    text = "".join((*id, *{*device}, *after, *{*kind}, *{*card}))
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _have_types(columns: Sequence[Sequence[object]]) -> bool:
    """Whether each column holds what it should."""
    return all({*map(type, col)} == {kind} for col, kind in zip(columns, COLUMN_TYPES, strict=True))


def _have_types_as_kept(columns: Sequence[Sequence[object]]) -> bool:
    """The same of rows whose ids and hashes may be bytes."""
    return all(
        {*map(type, column)} <= ({str, bytes} if place in _IN_BYTES else {kind})
        for place, (column, kind) in enumerate(zip(columns, COLUMN_TYPES, strict=True))
    )


def _are_dated(at_ms: Sequence[int], offset_min: Sequence[int], day: Sequence[int]) -> bool:
    in_range = min(at_ms) >= 0 and max(at_ms) < YEAR_3000
    in_range = in_range and min(offset_min) > -24 * 60 and max(offset_min) < 24 * 60
    return in_range and are_days(day)


@cache
def _reader() -> Callable[[str], list[tuple[str, ...]]]:
    """Finds the bodies of reviews, one a line, as quizzer writes them."""
    text = r'"[ !#-\[\]-~]*(?:\\(?:["\\/bfnrt]|u[0-9a-f]{4})[ !#-\[\]-~]*)*"'
    forms, states = (
        "|".join(each.value for each in kind if each is not Form.BLANK) for kind in (Form, State)
    )
    return re.compile(
        rf'^\{{(?:"bare":(?:true|false),)?(?:"form":"({forms})",)?'
        rf'"interval":(0|[1-9][0-9]{{0,8}}),(?:"path":{text},)?'
        rf'"rating":([{Rating.AGAIN:d}-{Rating.EASY:d}]),'
        rf'(?:"seconds":(-?(?:0|[1-9][0-9]{{0,14}})(?:\.[0-9]{{1,20}})?),)?(?:"slip":{text},)?'
        rf'"state":"({states})"(?:,"suggested":[{Rating.AGAIN:d}-{Rating.EASY:d}])?\}}$',
        re.MULTILINE,
    ).findall
