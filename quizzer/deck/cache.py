"""What was read from each file of a deck, kept so that unchanged files need not be read again.

One JSON file for each set of roots. It may be deleted at any time; one that is damaged, or written
by another version of quizzer, is ignored, and a folder that cannot be written costs only time.
"""

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import quizzer.card
from quizzer.card import Header, Image, Problem, Severity
from quizzer.deck.values import Asking
from quizzer.deck.walk import CardFile, Stamp

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Known:
    """What a deck needs to know of one file: of a card its header, else whether it is a note."""

    stamp: Stamp
    header: Header | None
    is_note: bool
    asking: Asking
    images: tuple[Image, ...]
    problems: tuple[Problem, ...]


def read(folder: Path, roots: Sequence[Path], files: Sequence[CardFile]) -> list[Known | None]:
    """What is still true of each of these files."""
    unknown: list[Known | None] = [None] * len(files)
    try:
        checksum, _, body = (folder / _name(roots)).read_bytes().partition(b"\n")
        if checksum != _checksum(body):
            return unknown
        document = json.loads(body)
        if document["written_by"] != _reader():
            return unknown
        rows = document["files"]
        return [
            _known(file, row) if row and tuple(row[0]) == file.stamp else None
            for file in files
            for row in [rows.get(str(file.root), {}).get(file.name)]
        ]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return unknown


def write(folder: Path, roots: Sequence[Path], rows: Iterable[tuple[CardFile, Known]]) -> None:
    """Replaces what was kept for these roots; quietly does nothing where that is impossible."""
    files: dict[str, dict[str, list[Any]]] = {}
    for file, known in rows:
        files.setdefault(str(file.root), {})[file.name] = _row(known)
    document = {"written_by": _reader(), "files": files}
    body = json.dumps(document, separators=(",", ":")).encode()
    temporary = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False) as target:
            temporary = Path(target.name)
            target.write(_checksum(body) + b"\n" + body)
        temporary.replace(folder / _name(roots))
    except OSError:
        if temporary:
            temporary.unlink(missing_ok=True)


def _row(known: Known) -> list[Any]:
    header = known.header
    return [
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
            header.extra,
            header.line,
        ],
        known.is_note,
        known.asking,
        [(image.name, image.line) for image in known.images],
        [(p.line, p.severity, p.code, p.message) for p in known.problems],
    ]


def _known(file: CardFile, row: list[Any]) -> Known:
    _, header, is_note, asking, images, problems = row
    return Known(
        file.stamp,
        header and _header(*header),
        is_note,
        Asking(asking),
        tuple(Image(*image) for image in images),
        tuple(Problem(file.path, n, Severity(s), code, said) for n, s, code, said in problems),
    )


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
    extra: list[list[str]],
    line: int,
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
        tuple((key, value) for key, value in extra),
        line,
    )


def _name(roots: Sequence[Path]) -> str:
    names = b"\0".join(os.fsencode(root) for root in roots)
    return f"deck-{hashlib.sha256(names).hexdigest()[:20]}.json"


def _checksum(body: bytes) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _reader() -> list[Any]:
    """What reads cards: another version, or one edited in a checkout, may read them otherwise."""
    folder = Path(quizzer.card.__file__).parent
    stats = [(path.name, path.stat()) for path in sorted(folder.glob("*.py"))]
    return [SCHEMA, [[name, s.st_size, s.st_mtime_ns] for name, s in stats]]
