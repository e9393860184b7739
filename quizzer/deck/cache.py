"""What was read of a deck, kept so that what has not changed need not be read again.

One file for each set of roots: a checksum, a line on the whole deck, one for each column of what a
list of cards needs, and a line of JSON for each of its files, whose lengths come first. As long as
nothing in its folders changed, a line is read only when its card is asked for; else the lines of
unchanged files are used. The file may be deleted at any time; one that is damaged, or written by
another version of quizzer, is ignored, and a folder that cannot be written costs only time.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from quizzer import files
from quizzer.card import Header, Image, Problem, Severity
from quizzer.card.revision import revision
from quizzer.deck.kept import COLUMNS, UNUSABLE, Columns, KeptCards, KeptEntries, Lines, header_of
from quizzer.deck.values import Asking, Deck, Entry, Folder
from quizzer.deck.walk import CardFile, Listing, Stamp, glance

SCHEMA = 7
_LARGEST = 256 << 20


class KnownFile(Struct, frozen=True):
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


class Index(Struct, frozen=True):
    """What the file of a set of roots holds."""

    file: Path
    roots: tuple[Path, ...]
    head: dict[str, Any]
    columns: Sequence[bytes]
    lines: Lines

    @property
    def fingerprint(self) -> str:
        """Of the folders when this was written, see `walk.listing`; may be empty."""
        return str(self.head.get("fingerprint", ""))

    def glanced(self) -> Deck | None:
        """The deck, where a glance at its folders tells that their files are the same ones."""
        try:
            kept = self.head["glance"]
            return self._deck() if kept and kept == glance(self.head["listed"]) else None
        except UNUSABLE:
            return None

    def whole(self, listed: Listing) -> Deck | None:
        """The deck, where its folders are as they were."""
        if not listed.fingerprint or self.fingerprint != listed.fingerprint:
            return None
        if listed.glance and listed.glance != self.head.get("glance"):
            # The folders were too new for a glance when this was written.
            head = self.head | {"glance": listed.glance, "listed": listed.folders}
            _write(self.file, head, self.columns, self.lines)
        try:
            return self._deck()
        except UNUSABLE:
            return None

    def _deck(self) -> Deck:
        by_id = KeptCards(self.file, self.columns, self.lines, dict(self.head["cards"]))
        return Deck(
            roots=self.roots,
            entries=KeptEntries(by_id),
            notes=int(self.head["notes"]),
            problems=tuple(_problem(Path(path), *row) for path, *row in self.head["problems"]),
            folders={
                Path(path): Folder(Path(path), name, macros and Path(macros))
                for path, name, macros in self.head["folders"]
            },
            pictures=_pictures(self.head["pictures"]),
            by_id=by_id,
            ease=[(str(course), [*map(str, run)]) for course, run in self.head["ease"]],
        )

    def known(self, files: Sequence[CardFile]) -> list[KnownFile | None]:
        """What is still true of each of these files."""
        try:
            rows = {(row[0], row[1]): row for row in map(json.loads, self.lines)}
            return [
                known_of(file, row) if row and tuple(row[2]) == file.stamp else None
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
        at = data.index(b"\n") + 1
        if data[: at - 1] != _checksum(memoryview(data)[at:]):
            return None
        front = []
        for _ in range(2 + len(COLUMNS)):
            end = data.index(b"\n", at)
            front.append(data[at:end])
            at = end + 1
        first, lengths, *columns = front
        head = json.loads(first)
        if head["written_by"] != _reader():
            return None
        return Index(file, tuple(roots), head, columns, Lines(data, at, lengths))
    except UNUSABLE:
        return None


def write(
    folder: Path, listed: Listing, deck: Deck, found: Iterable[tuple[CardFile, KnownFile]]
) -> None:
    """Replaces what was kept for a deck; quietly does nothing where that is impossible."""
    used = {entry.path: entry for entry in deck.entries}
    cards: dict[str, int] = {}
    columns = Columns()
    lines: list[bytes] = []
    for file, known in found:
        entry = used.get(file.path)
        if entry:
            cards[entry.id] = len(lines)
        columns.add(entry, str(file.path), known.stamp)
        lines.append(_json(row_of(file, known, entry)))
    head = {
        "written_by": _reader(),
        "fingerprint": listed.fingerprint,
        "glance": listed.glance,
        "listed": listed.folders,
        "cards": cards,
        "ease": deck.ease,
        "notes": deck.notes,
        "problems": [(str(p.path), p.line, p.severity, p.code, p.message) for p in deck.problems],
        "folders": [
            (str(f.path), f.name, f.macros and str(f.macros)) for f in deck.folders.values()
        ],
        "pictures": deck.pictures,
    }
    _write(folder / _name(deck.roots), head, [*map(_json, astuple(columns))], lines)


def write_part(
    folder: Path, roots: Sequence[Path], found: Iterable[tuple[CardFile, KnownFile]]
) -> None:
    """Keep what was read before a scan was interrupted: the next one goes on from there."""
    head = {"written_by": _reader(), "fingerprint": "", "glance": "", "listed": []}
    lines = [_json(row_of(file, known)) for file, known in found]
    _write(folder / _name(roots), head, [b""] * len(COLUMNS), lines)


def _write(
    file: Path, head: dict[str, Any], columns: Sequence[bytes], lines: Iterable[bytes]
) -> None:
    lines = [*lines]
    body = b"\n".join([_json(head), _json([*map(len, lines)]), *columns, *lines, b""])
    with suppress(OSError):
        files.write_private(file, _checksum(body) + b"\n" + body, durable=False)


def row_of(file: CardFile, known: KnownFile, entry: Entry | None = None) -> list[Any]:
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
        entry.folders if entry else (),
        known.title,
        known.fence,
        entry.easier if entry else (),
    ]


def known_of(file: CardFile, row: list[Any]) -> KnownFile:
    _, _, _, header, is_note, asking, images, problems, _, _, title, fence, _ = row
    return KnownFile(
        file.stamp,
        header and header_of(*header),
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


def _pictures(found: dict[str, Any]) -> dict[str, list[str]]:
    return {name: [*map(str, paths)] for name, paths in found.items()}


def _problem(path: Path, line: int, severity: str, code: str, message: str) -> Problem:
    return Problem(path, line, Severity(severity), code, message)


def _name(roots: Sequence[Path]) -> str:
    names = b"\0".join(os.fsencode(root) for root in roots)
    return f"deck-{hashlib.sha256(names).hexdigest()[:20]}.json"


def _checksum(body: bytes | memoryview) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _reader() -> list[Any]:
    return [SCHEMA, revision()]


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
