"""Long logs, some thousands of rows at a time, worked on column by column.

That is several times as quick as row by row. Where anything about a page is unusual, each of its
rows is looked at alone, so what is wrong with one is found and told in the same words.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from math import nan
from operator import eq
from typing import Any, NamedTuple

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL
from quizzer.store import layout
from quizzer.store.codec import (
    COLUMN_TYPES,
    LONGEST,
    YEAR_3000,
    Row,
    are_days,
    credible,
    review_body,
)
from quizzer.store.integrity import content, is_as_written
from quizzer.store.layout import RawRow
from quizzer.values import Form, Rating, State

Rows = Sequence[RawRow]
Columns = Sequence[Sequence[Any]]


class Page(list[RawRow]):
    """Rows of the log as they are kept."""

    @cached_property
    def columns(self) -> Columns:
        return [*zip(*self, strict=True)]

    @cached_property
    def is_usual(self) -> bool:
        """Whether each column holds what quizzer keeps in it; a device may be a text."""
        if not self:
            return False
        ids, devices, afters, *others = self.columns
        return (
            _have_types((ids, afters, *others), (bytes, bytes, *COLUMN_TYPES[3:9], bytes))
            and {*map(len, ids)} == {16}
            and {*map(len, afters)} <= {0, 16}
            and layout.are_ids({*devices})
        )


_PLAIN = bytes({*range(ord(" "), ord("~") + 1)} - {*b'"\\'})
"""What JSON writes as it is."""
_DIGITS = bytes.maketrans(b"0123456789", bytes(range(10)))
STATES = tuple(State)
"""Whose places are in a column of states."""
PLACES = {state.value: place for place, state in enumerate(STATES)}


class Ratings(NamedTuple):
    """What memory states follow from, of a page's reviews: a column each."""

    short: bytes
    """1 for each that was in a short form, else 0."""
    rating: bytes
    interval: list[int]
    at_ms: Sequence[int]
    offset_min: Sequence[int]
    day: Sequence[int]


class Bodies(NamedTuple):
    """What else the bodies of a page's reviews hold, a column each."""

    short: bytes
    """1 for each that was in a short form, else 0."""
    rating: bytes
    state: bytes
    """Before the review: its place in `STATES`."""
    seconds: "array[float]"
    """Not a number where that is not known."""


class Histories(dict[str, int]):
    """The number of each card's present history, from 0: a card has a new one after each reset."""

    def __init__(self, cards: Iterable[str] = ()) -> None:
        """`cards`: those of the histories that there are already, in the order of their numbers."""
        self.cards = [*cards]
        """The card of each history."""
        super().__init__({card: number for number, card in enumerate(self.cards)})

    def __missing__(self, card: str) -> int:
        number = self[card] = len(self.cards)
        self.cards.append(card)
        return number

    def follow(self, kinds: Sequence[str], cards: Sequence[str]) -> list[int]:
        """The number of each review among the next events; besides them only resets count."""
        if {*kinds} == {"review"}:
            return [self[card] for card in cards]
        found = []
        for kind, card in zip(kinds, cards, strict=True):
            if kind == "review":
                found.append(self[card])
            elif kind == "reset":
                self.pop(card, None)
        return found


def as_written(page: Rows) -> list[bool]:
    """Of each row whether it is as it was written."""
    columns = [*zip(*page, strict=True)]
    if not columns or not _have_types(columns):
        return [is_as_written(Row._make(row)) for row in page]
    return [
        found.hex() == hash
        for found, hash in zip(_hashes(columns, are_plain(columns)), columns[9], strict=True)
    ]


def kept_as_written(page: Page) -> list[bool]:
    """The same of rows as they are kept."""
    if not page.is_usual:
        return as_written(layout.rows(page))
    columns = layout.as_texts(page.columns)
    # Nothing but digits and dashes is in the text of an id that is kept as bytes.
    is_plain = _are_plain([columns[1], *columns[6:8]])
    return [*map(eq, _hashes(columns, is_plain), columns[9])]


def _hashes(columns: Sequence[Sequence[Any]], is_plain: bool) -> list[bytes]:
    contents = _contents(columns, is_plain)
    return [sha256(each.encode("utf-8", "surrogatepass")).digest() for each in contents]


def _contents(columns: Sequence[Sequence[Any]], is_plain: bool) -> Iterable[str]:
    """What the hash of each row is of; whether its texts but the body are plain is known."""
    if not is_plain:
        return map(content, zip(*columns, strict=True))
    named = [f'"{after}"' if after else "null" for after in columns[2]]
    # The same of texts that JSON writes as they are.
    return [
        f'{{"id":"{id}","device":"{device}","after":{after},"at_ms":{at_ms},'
        f'"offset_min":{offset},"day":{day},"kind":"{kind}","card":"{card}","body":{body}}}'
        for id, device, after, at_ms, offset, day, kind, card, body in zip(
            columns[0], columns[1], named, *columns[3:9], strict=True
        )
    ]


def ratings(reviews: Rows) -> Ratings:
    """Of the rows of reviews. Raises UnreadableError as `event_of` does."""
    page = reviews if isinstance(reviews, Page) else Page(reviews)
    dates = page.columns[3:6] or ((),) * 3
    if found := _usual(page.columns, page.is_usual):
        form, interval, rating, _, _ = found
        return Ratings(_are_short(form), _numbers(rating), [*map(int, interval)], *dates)
    told = _one_by_one(reviews)
    return Ratings(*_told_one_by_one(told)[:2], [body["interval"] for body in told], *dates)


def bodies(reviews: Rows) -> Bodies:
    """The bodies of the rows of reviews. Raises UnreadableError as `event_of` does."""
    found = usual(reviews)
    return _told(found) if found else _told_one_by_one(_one_by_one(reviews))


def brief_bodies(days: Sequence[Any], cards: Sequence[Any], bodies: Sequence[Any]) -> Bodies | None:
    """The same from these columns alone; None if one of them has to be looked at more closely."""
    if not _have_types((days, cards, bodies), (int, str, str)) or not are_days(days):
        return None
    return _told(found) if (found := _read(bodies)) else None


def _told(found: Sequence[Sequence[str]]) -> Bodies:
    form, _, rating, told, state = found
    seconds = array("d", [float(each) if each else nan for each in told])
    return Bodies(
        _are_short(form), _numbers(rating), bytes(map(PLACES.__getitem__, state)), seconds
    )


def _are_short(forms: Iterable[str]) -> bytes:
    return bytes(map(bool, forms))


def _numbers(digits: Iterable[str]) -> bytes:
    return "".join(digits).encode().translate(_DIGITS)


def usual(reviews: Rows) -> Sequence[Sequence[str]] | None:
    """The texts of form, interval, rating, seconds and state in the bodies of reviews.

    All seconds are credible. Their ids and hashes may be texts, or as they are kept.
    None if one of their rows has to be looked at more closely.
    """
    return _usual([*zip(*reviews, strict=True)])


def _usual(columns: Columns, have_types: bool = False) -> Sequence[Sequence[str]] | None:
    """The same of their columns, of which it may be known that they hold what they should."""
    if not columns or not (have_types or _can_be_read(columns)) or not _are_dated(*columns[3:6]):
        return None
    return _read(columns[8])


def _read(bodies: Sequence[str]) -> Sequence[Sequence[str]] | None:
    """The same of bodies that are texts."""
    text = "\n".join(bodies)
    found = _reader()(text)
    if len(found) != len(bodies) or text.count("\n") != len(bodies) - 1:
        return None
    texts = [*zip(*found, strict=True)]
    # With as many digits or fewer, no interval is greater.
    if max(map(len, texts[1])) >= len(str(MAXIMUM_INTERVAL)) and (
        max(map(int, texts[1])) > MAXIMUM_INTERVAL
    ):
        return None
    return texts


def _one_by_one(reviews: Rows) -> list[dict[str, Any]]:
    return [*map(review_body, layout.rows(reviews))]


def _told_one_by_one(told: Sequence[Mapping[str, Any]]) -> Bodies:
    seconds = (credible(body.get("seconds")) for body in told)
    return Bodies(
        bytes("form" in body for body in told),
        bytes(body["rating"] for body in told),
        bytes(PLACES[body["state"]] for body in told),
        array("d", [nan if each is None else each for each in seconds]),
    )


def are_plain(columns: Sequence[Sequence[str]]) -> bool:
    """Whether JSON writes all texts but the bodies as they are, between quotation marks."""
    return _are_plain([*columns[:3], *columns[6:8]])


def _are_plain(columns: Iterable[Iterable[str]]) -> bool:
    text = "".join(chain.from_iterable(map(set, columns)))
    return text.isascii() and not text.encode().translate(None, _PLAIN)


def _have_types(columns: Sequence[Sequence[object]], types: Sequence[type] = COLUMN_TYPES) -> bool:
    """Whether each column holds what it should."""
    return all({*map(type, col)} == {kind} for col, kind in zip(columns, types, strict=True))


def _can_be_read(columns: Columns) -> bool:
    """The same of columns whose ids and hashes may be as they are kept."""
    *ids, at_ms, offset, day, kind, card, body, hashes = columns
    said = (at_ms, offset, day, kind, card, body)
    return (
        all(map(layout.are_ids, ids))
        and {*map(type, hashes)} <= {str, bytes}
        and _have_types(said, COLUMN_TYPES[3:9])
    )


def _are_dated(at_ms: Sequence[int], offset_min: Sequence[int], day: Sequence[int]) -> bool:
    in_range = min(at_ms) >= 0 and max(at_ms) < YEAR_3000
    in_range = in_range and min(offset_min) > -24 * 60 and max(offset_min) < 24 * 60
    return in_range and are_days(day)


@cache
def _reader() -> Callable[[str], list[tuple[str, ...]]]:
    """Finds the bodies of reviews, one a line, as quizzer writes them."""
    text = r'"[ !#-\[\]-~]*+(?:\\(?:["\\/bfnrt]|u[0-9a-f]{4})[ !#-\[\]-~]*+)*+"'
    forms, states = (
        "|".join(each.value for each in kind if each is not Form.BLANK) for kind in (Form, State)
    )
    digits = len(str(LONGEST)) - 2  # after the first one: with as many, no time is longer
    return re.compile(
        rf'^\{{(?:"bare":(?:true|false),)?+(?:"form":"({forms})",)?'
        rf'"interval":(0|[1-9][0-9]{{0,8}}),(?:"path":{text},)?+'
        rf'"rating":([{Rating.AGAIN:d}-{Rating.EASY:d}]),'
        rf'(?:"seconds":((?:0|[1-9][0-9]{{0,{digits}}})(?:\.[0-9]{{1,20}})?),)?(?:"slip":{text},)?+'
        rf'"state":"({states})"(?:,"suggested":[{Rating.AGAIN:d}-{Rating.EASY:d}])?+\}}$',
        re.MULTILINE,
    ).findall
