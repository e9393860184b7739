"""What was read of a deck, kept so that what has not changed need not be read again.

One file for each set of roots: a checksum, a line on the whole deck, and a line of JSON for each of
its files. As long as nothing in its folders changed, a line is read only when its card is asked
for; else the lines of unchanged files are used. The file may be deleted at any time; one that is
damaged, or written by another version of quizzer, is ignored, and a folder that cannot be written
costs only time.
"""

import errno
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import quizzer.card
from quizzer import files
from quizzer.card import Header, Image, Problem, Severity
from quizzer.deck.values import Asking, Deck, Entry, Folder
from quizzer.deck.walk import CardFile, Stamp

SCHEMA = 3
_LARGEST = 256 << 20
UNUSABLE = (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError)
"""What reading a file of another make may raise."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What a deck needs to know of one file: of a card its header, else whether it is a note."""

    stamp: Stamp
    header: Header | None
    is_note: bool
    asking: Asking
    images: tuple[Image, ...]
    problems: tuple[Problem, ...]
    title: str
    """As `Entry.title`; empty where there is no card."""
    fence: int = 0
    """The line in which the declared checker within the card begins; 0 without one."""


@dataclass(frozen=True, slots=True)
class Index:
    """What the file of a set of roots holds."""

    file: Path
    roots: tuple[Path, ...]
    head: dict[str, Any]
    lines: list[bytes]

    @property
    def fingerprint(self) -> str:
        """Of the folders when this was written, see `walk.fingerprint`; may be empty."""
        return str(self.head.get("fingerprint", ""))

    def whole(self, fingerprint: str) -> Deck | None:
        """The deck, where its folders are as they were."""
        if not fingerprint or self.fingerprint != fingerprint:
            return None
        try:
            by_id = _Cards(self.file, self.lines, dict(self.head["cards"]))
            return Deck(
                roots=self.roots,
                entries=_Entries(by_id),
                notes=int(self.head["notes"]),
                problems=tuple(_problem(Path(path), *row) for path, *row in self.head["problems"]),
                folders={
                    Path(path): Folder(Path(path), name, macros and Path(macros))
                    for path, name, macros in self.head["folders"]
                },
                pictures=_pictures(self.head["pictures"]),
                by_id=by_id,
            )
        except UNUSABLE:
            return None

    def known(self, files: Sequence[CardFile]) -> list[KnownFile | None]:
        """What is still true of each of these files."""
        try:
            rows = {(row[0], row[1]): row for row in map(json.loads, self.lines)}
            return [
                _known(file, row) if row and tuple(row[2]) == file.stamp else None
                for file in files
                for row in [rows.get((str(file.root), file.name))]
            ]
        except UNUSABLE:
            return [None] * len(files)


def read(folder: Path, roots: Sequence[Path]) -> Index | None:
    """What is kept for these roots, None if there is nothing that can be used."""
    try:
        file = folder / _name(roots)
        data = files.read(file, _LARGEST)
        checksum, _, body = data.partition(b"\n")
        if checksum != _checksum(body):
            return None
        first, *lines = body.split(b"\n")
        head = json.loads(first)
        return Index(file, tuple(roots), head, lines) if head["written_by"] == _reader() else None
    except UNUSABLE:
        return None


def write(
    folder: Path, fingerprint: str, deck: Deck, found: Iterable[tuple[CardFile, KnownFile]]
) -> None:
    """Replaces what was kept for a deck; quietly does nothing where that is impossible."""
    used = {entry.path: entry for entry in deck.entries}
    cards: dict[str, int] = {}
    lines: list[bytes] = []
    for file, known in found:
        entry = used.get(file.path)
        if entry:
            cards[entry.id] = len(lines)
        lines.append(_json(_row(file, known, entry.folders if entry else ())))
    head = {
        "written_by": _reader(),
        "fingerprint": fingerprint,
        "cards": cards,
        "notes": deck.notes,
        "problems": [(str(p.path), p.line, p.severity, p.code, p.message) for p in deck.problems],
        "folders": [
            (str(f.path), f.name, f.macros and str(f.macros)) for f in deck.folders.values()
        ],
        "pictures": deck.pictures,
    }
    body = b"\n".join([_json(head), *lines])
    with suppress(OSError):
        data = _checksum(body) + b"\n" + body
        files.write_private(folder / _name(deck.roots), data, durable=False)


class _Cards(Mapping[str, Entry]):
    """The cards by id, each made from its line when it is asked for."""

    def __init__(self, file: Path, lines: Sequence[bytes], places: Mapping[str, int]) -> None:
        self._file = file
        self._lines = lines
        self._places = places
        self._made: dict[str, Entry] = {}

    def __getitem__(self, card: str) -> Entry:
        if card not in self._made:
            place = self._places[card]
            try:
                self._made[card] = _entry(json.loads(self._lines[place]))
            except UNUSABLE:
                self._file.unlink(missing_ok=True)
                said = "this index of the deck was damaged and has been deleted; start again"
                raise OSError(errno.EIO, said, str(self._file)) from None
        return self._made[card]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, card: object) -> bool:
        return card in self._places


class _Entries(Sequence[Entry]):
    """The same in the order of the deck."""

    def __init__(self, cards: _Cards) -> None:
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


def _row(file: CardFile, known: KnownFile, folders: Sequence[str]) -> list[Any]:
    header = known.header
    return [
        str(file.root),
        file.name,
        known.stamp,
        header
        and [
            header.id,
            header.title,
            header.course,
            header.tags,
            header.difficulty,
            header.type,
            header.status,
            header.points,
            header.related,
            header.line,
            header.requires,
            header.requires_line,
        ],
        known.is_note,
        known.asking,
        [(image.name, image.line) for image in known.images],
        [(p.line, p.severity, p.code, p.message) for p in known.problems],
        _checker_ending(file, known),
        folders,
        known.title,
        known.fence,
    ]


def _known(file: CardFile, row: list[Any]) -> KnownFile:
    _, _, _, header, is_note, asking, images, problems, _, _, title, fence = row
    return KnownFile(
        file.stamp,
        header and _header(*header),
        is_note,
        Asking(asking),
        tuple(Image(*image) for image in images),
        tuple(_problem(file.path, *problem) for problem in problems),
        title,
        fence,
    )


def _checker_ending(file: CardFile, known: KnownFile) -> str:
    """The ending of the file that holds the checker, the card's own for a fence; empty for none."""
    if file.checker is not None:
        return file.checker.suffix
    return file.path.suffix if known.fence else ""


def _entry(row: list[Any]) -> Entry:
    root, name, _, header, _, asking, _, _, ending, folders, title, _ = row
    path = Path(root, name)
    return Entry(
        path,
        Path(root),
        _header(*header),
        Asking.CHECKER if ending else Asking(asking),
        path.with_suffix(ending) if ending else None,
        tuple(folders),
        title,
    )


def _pictures(found: dict[str, Any]) -> dict[str, list[str]]:
    return {name: [*map(str, paths)] for name, paths in found.items()}


def _problem(path: Path, line: int, severity: str, code: str, message: str) -> Problem:
    return Problem(path, line, Severity(severity), code, message)


def _header(
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


def _name(roots: Sequence[Path]) -> str:
    names = b"\0".join(os.fsencode(root) for root in roots)
    return f"deck-{hashlib.sha256(names).hexdigest()[:20]}.json"


def _checksum(body: bytes) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _reader() -> list[Any]:
    """What reads cards: another version, or one edited in a checkout, may read them otherwise."""
    rooms = Path(quizzer.card.__file__).parents[1]
    files = sorted(file for room in ("card", "deck", "tex") for file in (rooms / room).glob("*.py"))
    stats = [(file.name, file.stat()) for file in files]
    return [SCHEMA, [[name, s.st_size, s.st_mtime_ns] for name, s in stats]]


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
