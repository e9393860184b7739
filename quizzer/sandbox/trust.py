"""Whose code may run where there is no sandbox: trust in a deck's checkers, by content.

Any edit ends it. The record is a text file with a line for each trusted file, `<sha256>  <path>`;
any other line trusts nothing.
"""

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from quizzer import files

_LARGEST = 16 << 20
_FENCE = re.compile(rb"^[ \t]*(?:`{3,}|~{3,})[ \t]*checker[ \t]*$", re.IGNORECASE | re.MULTILINE)


def is_trusted(paths: Iterable[Path], record: Path) -> bool:
    """Whether every checker in these folders, or named by itself, is still trusted."""
    return not changed(paths, record)


def changed(paths: Iterable[Path], record: Path) -> tuple[Path, ...]:
    """The checkers that are new, edited or unreadable since their folder was trusted."""
    trusted = _read(record)
    return tuple(
        file
        for file in checkers(paths)
        if trusted.get(str(file)) is None or trusted[str(file)] != _fingerprint(file)
    )


def allows(file: Path, source: bytes, record: Path) -> bool:
    """Whether this very content of a file is trusted, just before it runs."""
    return _read(record).get(str(file.resolve())) == hashlib.sha256(source).hexdigest()


def trust(paths: Iterable[Path], record: Path) -> tuple[Path, ...]:
    """Trust the checkers as they are now; returns them. Raises OSError.

    What these folders held before is forgotten: a file that was removed must be trusted again when
    it is back.
    """
    paths = [path.resolve() for path in paths]
    found = checkers(paths)
    kept = {
        file: digest
        for file, digest in _read(record).items()
        if not any(Path(file).is_relative_to(path) for path in paths)
    }
    for file in found:
        digest = _fingerprint(file)
        if digest is not None and "\n" not in str(file):  # else its name could trust another file
            kept[str(file)] = digest
    _write(record, kept)
    return found


@contextlib.contextmanager
def kept(paths: Iterable[Path], record: Path) -> Iterator[None]:
    """Around an edit of the learner's own: what was trusted before stays trusted."""
    paths = list(paths)
    before = is_trusted(paths, record)
    yield
    if before:
        trust(paths, record)


def checkers(paths: Iterable[Path]) -> tuple[Path, ...]:
    """All checkers in folders and below, through links too, with those named by themselves."""
    found = set()
    for path in paths:
        if path.is_dir():
            found |= _below(path)
        elif _is_checker(path):
            found.add(path.resolve())
    return tuple(sorted(found))


def _below(root: Path) -> set[Path]:
    found: set[Path] = set()
    seen: set[Path] = set()
    for folder, folders, names in os.walk(root, followlinks=True):
        here = Path(folder).resolve()
        if here in seen:  # a link back
            folders.clear()
            continue
        seen.add(here)
        paths = [Path(folder, name) for name in names]
        found |= {path.resolve() for path in paths if _is_checker(path)}
    return found


def _is_checker(path: Path) -> bool:
    """Whether a file holds Python, or a checker in math: answers to that may be in NumPy notation,
    which runs as Python."""
    if path.suffix in (".py", ".checker"):
        return True
    if path.suffix.lower() != ".md":
        return False
    try:
        return _FENCE.search(files.read(path, _LARGEST)) is not None
    except OSError:
        return False


def _fingerprint(file: Path) -> str | None:
    try:
        return hashlib.sha256(files.read(file)).hexdigest()
    except OSError:
        return None


def _read(record: Path) -> dict[str, str]:
    """What is trusted; nothing if somebody else may have written the record."""
    try:
        lines = os.fsdecode(files.read_own(record, _LARGEST)).split("\n")
    except OSError:
        return {}
    parts = (line.partition("  ") for line in lines)
    return {file: digest for digest, gap, file in parts if gap}


def _write(record: Path, trusted: dict[str, str]) -> None:
    """Replace the record as a whole, so that it is never half written."""
    lines = (f"{digest}  {path}\n" for path, digest in sorted(trusted.items()))
    files.write_private(record, os.fsencode("".join(lines)))
