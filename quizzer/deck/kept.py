"""Cards as the index keeps them: each reads its line when somebody asks for more than its id."""

import errno
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, repeat
from operator import eq
from pathlib import Path
from typing import Any, overload

from msgspec import Struct, field

from quizzer.card import Header
from quizzer.deck.values import Asking, Entry
from quizzer.deck.walk import Stamp, stamp_of
from quizzer.json_line import scan

UNUSABLE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    RecursionError,
    StopIteration,
)
"""What reading a file of another make may raise."""


FEW = 25
"""Cards from which on it is quicker to read a column of all than a line of each."""
MANY = 250
"""Cards from which on it is quicker to make all at once."""


class Columns(Struct, frozen=True):
    """What thousands of cards in one list are asked for, by their places in the index."""

    path: list[str] = field(default_factory=list)
    stamp: list[Sequence[int]] = field(default_factory=list)
    title: list[str] = field(default_factory=list)
    type: list[str] = field(default_factory=list)
    kind: list[str] = field(default_factory=list)
    points: list[float | None] = field(default_factory=list)
    asking: list[str] = field(default_factory=list)

    def add(self, entry: Entry | None, path: str, stamp: Stamp) -> None:
        """Add a file, and the card that it is."""
        self.path.append(path)
        self.stamp.append(stamp)
        self.title.append(entry.title if entry else "")
        self.type.append(entry.type if entry else "")
        self.kind.append(entry.kind if entry else "")
        self.points.append(entry.points if entry else None)
        self.asking.append(entry.asking if entry else "")


COLUMNS = Columns.__struct_fields__
"""The names of the columns, in the order of their lines."""


class Lines(Iterable[bytes]):
    """Lines within the bytes of an index, each cut out when it is asked for."""

    def __init__(self, data: bytes, begin: int, lengths: bytes) -> None:
        self._data = data
        self._begin = begin
        self._lengths = lengths
        self._starts: list[int] = []

    def __getitem__(self, place: int) -> bytes:
        """Raises one of `UNUSABLE`."""
        if not self._starts:
            following = (length + 1 for length in json.loads(self._lengths))
            self._starts = [*accumulate(following, initial=self._begin)]
        return self._data[self._starts[place] : self._starts[place + 1] - 1]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._data[self._begin :].split(b"\n")[:-1])


class KeptCards(Mapping[str, Entry]):
    """The cards by id, each made when it is asked for."""

    def __init__(
        self,
        file: Path,
        columns: Sequence[bytes],
        lines: Lines,
        places: Mapping[str, int],
    ) -> None:
        self._file = file
        self._columns: dict[str, list[Any]] = {}
        self._kept_columns = dict(zip(COLUMNS, columns, strict=True))
        self._lines = lines
        self._places = places
        self._made: dict[str, KeptEntry] = {}

    def __getitem__(self, card: str) -> Entry:
        entry = self._made.get(card)
        if entry is None:
            place = self._places[card]
            if len(self._made) < MANY:
                entry = self._made[card] = KeptEntry.of(self, card, place)
            else:
                self._made = KeptEntry.of_all(self, self._places) | self._made
                entry = self._made[card]
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, card: object) -> bool:
        return card in self._places

    def in_column(self, name: str) -> bool:
        """Whether this field of a card is to be read in the column of all."""
        return len(self._made) >= FEW and name in _IN_COLUMNS

    def column(self, name: str) -> list[Any]:
        """A field of all cards, by their places. Raises OSError where the index is damaged."""
        found = self._columns.get(name)
        if found is None:
            try:
                found = json.loads(self._kept_columns[name])
                if name == "asking":
                    found = [ASKINGS.get(each) for each in found]
            except UNUSABLE:
                raise self.damaged() from None
            self._columns[name] = found
        return found

    def types(self) -> dict[str, str]:
        """The type of each card, by id, without making any of them."""
        types = self.column("type")
        return {card: types[place] for card, place in self._places.items()}

    def are_as_read(self, places: Sequence[int]) -> bool:
        """Whether the files at these places are still those that the index knows."""
        try:
            path, stamp = self.column("path"), self.column("stamp")
            # Thousands may be shown at once, and a Path for each takes longer than this look.
            found = map(stamp_of, map(os.stat, map(path.__getitem__, places)))
            return all(map(eq, found, map(tuple, map(stamp.__getitem__, places))))
        except UNUSABLE:
            return False

    def row(self, place: int) -> list[Any]:
        """What the line at this place holds. Raises one of `UNUSABLE`."""
        row: list[Any]
        row, _ = scan(self._lines[place].decode(), 0)
        return row

    def damaged(self) -> OSError:
        """What to raise where a line cannot be used; the index is made anew the next time."""
        self._file.unlink(missing_ok=True)
        said = "this index of the deck was damaged and has been deleted; start again"
        return OSError(errno.EIO, said, str(self._file))


class KeptEntries(Sequence[Entry]):
    """The same in the order of the deck."""

    def __init__(self, cards: KeptCards) -> None:
        self._cards = cards

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        return tuple(self)[place]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._cards.values())

    def __len__(self) -> int:
        return len(self._cards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class KeptEntry(Entry):
    """An entry whose fields are filled in from its line, each when it is first asked for."""

    __slots__ = ("_row", "cards", "id", "kind", "place", "points", "type")
    id: str
    type: str
    kind: str
    points: float | None
    cards: KeptCards
    place: int
    _row: list[Any]

    def __new__(cls, *fields: Any, **named: Any) -> Any:
        # `dataclasses.replace` and copies make an ordinary entry.
        return Entry(*fields, **named)

    @staticmethod
    def of(cards: KeptCards, card: str, place: int) -> "KeptEntry":
        made: KeptEntry = object.__new__(KeptEntry)
        fill = object.__setattr__
        fill(made, "cards", cards)
        fill(made, "id", card)
        fill(made, "place", place)
        return made

    @staticmethod
    def of_all(cards: KeptCards, places: Mapping[str, int]) -> dict[str, "KeptEntry"]:
        """All cards, by id, with what columns have of them."""
        made: list[KeptEntry] = [*map(object.__new__, repeat(KeptEntry, len(places)))]
        values: dict[str, Iterable[Any]] = {
            "cards": repeat(cards),
            "id": places.keys(),
            "place": places.values(),
        }
        for name in _IN_COLUMNS:
            values[name] = map(cards.column(name).__getitem__, places.values())
        try:
            for name, each in values.items():
                # Loops in C, which take a fifth of the time of one in Python.
                deque(map(getattr(KeptEntry, name).__set__, made, each), maxlen=0)
        except UNUSABLE:
            raise cards.damaged() from None
        return dict(zip(places, made, strict=True))

    @property
    def is_as_read(self) -> bool:
        """Whether the card's file is still the one that the index knows."""
        try:
            row = self._known()
            return stamp_of(Path(row[0], row[1]).stat()) == tuple(row[2])
        except UNUSABLE:
            return False

    def __getattr__(self, name: str) -> Any:
        read = _FIELDS.get(name) or _OF_HEADER.get(name)
        if read is None:
            raise AttributeError(name)
        try:
            if self.cards.in_column(name):
                value = self.cards.column(name)[self.place]
            else:
                value = read(self._known())
        except UNUSABLE:
            raise self.cards.damaged() from None
        object.__setattr__(self, name, value)
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        return Entry, tuple(getattr(self, name) for name in _FIELDS)

    def _known(self) -> list[Any]:
        try:
            return self._row
        except AttributeError:
            object.__setattr__(self, "_row", self.cards.row(self.place))
            return self._row


def types_of(cards: Mapping[str, Entry]) -> Mapping[str, str]:
    """The type of each card, by id."""
    if isinstance(cards, KeptCards):
        return cards.types()
    return {card: entry.type for card, entry in cards.items()}


def are_as_read(entries: Iterable[Entry]) -> bool:
    """Whether the files of these cards are as they were when the deck was indexed."""
    kept = [entry for entry in entries if isinstance(entry, KeptEntry)]
    if len(kept) < FEW:
        return all(entry.is_as_read for entry in kept)
    decks = {id(entry.cards): entry.cards for entry in kept}.values()
    return all(
        cards.are_as_read([entry.place for entry in kept if entry.cards is cards])
        for cards in decks
    )


def header_of(
    id_: str,
    title: str,
    course: str,
    tags: list[str],
    difficulty: int | None,
    type_: str,
    status: str,
    points: float | None,
    related: list[str],
    line: int,
    requires: list[str],
    requires_line: int,
) -> Header:
    return Header(
        id_,
        title,
        course,
        tuple(tags),
        difficulty,
        type_,
        status,
        points,
        tuple(related),
        line,
        tuple(requires),
        requires_line,
    )


ASKINGS = {each.value: each for each in Asking}


def _asking(row: list[Any]) -> Asking:
    return Asking.CHECKER if row[8] else Asking(row[5])


def _path(row: list[Any]) -> Path:
    return Path(row[0], row[1])


_IN_COLUMNS = ("title", "type", "kind", "points", "asking")
"""Fields that are in columns too."""
_FIELDS: dict[str, Callable[[list[Any]], Any]] = {
    "path": _path,
    "root": lambda row: Path(row[0]),
    "header": lambda row: header_of(*row[3]),
    "asking": _asking,
    "checker": lambda row: _path(row).with_suffix(row[8]) if row[8] else None,
    "folders": lambda row: tuple(row[9]),
    "title": lambda row: row[10],
    "easier": lambda row: tuple(row[12]),
}
"""How each field of an entry, in their order, is found in a row of the index."""

_OF_HEADER: dict[str, Callable[[list[Any]], Any]] = {
    "type": lambda row: header_of(*row[3]).type,
    "kind": lambda row: header_of(*row[3]).kind,
    "points": lambda row: header_of(*row[3]).points,
}
