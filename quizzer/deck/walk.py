"""The files of a deck's folders, in an order that does not depend on the file system."""

import hashlib
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from quizzer.card import Problem, Severity

SKIPPED = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})

CHECKERS = (".py", ".checker")
"""The endings of a checker's file: Python, or declared in math; the first wins."""

OF_FOLDERS = ("info.json", "macros.tex")
_A_WHILE = 2_000_000_000
"""Nanoseconds: no file system's clock is coarser."""

Stamp = tuple[int, int, int]
"""Size, time of the last change of the content and of the entry (ns): the same means unchanged."""


class CardFile(Struct, frozen=True):
    """A Markdown file that may be a card; `name` is its path below the root, with slashes.

    `checker` is the file of its checker beside it, `unused` another one that is not the checker.
    """

    path: Path
    root: Path
    folder: Path
    name: str
    stamp: Stamp
    checker: Path | None
    unused: Path | None = None


@dataclass(slots=True)
class Walked:
    """Everything that lies in the folders; `lonely` are checkers without a card's text."""

    files: list[CardFile] = field(default_factory=list)
    lonely: list[Path] = field(default_factory=list)
    media: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def walk(roots: Iterable[Path]) -> Walked:
    """The files of all roots; a folder reached twice, by links or nested roots, counts once."""
    walked = Walked()
    seen: set[tuple[int, int]] = set()
    for root in roots:
        if root.suffix.lower() == ".md" and not root.is_dir():
            _single(walked, root)
        else:
            _tree(walked, root, seen)
    return walked


class Listing(Struct, frozen=True):
    """What tells whether a deck has changed since, without reading any of its files."""

    fingerprint: str
    """Another one whenever `walk`, or reading what it finds, might give something else.

    Empty if that cannot be told."""
    folders: list[str]
    glance: str
    """As `glance` tells it of the folders; empty where they are too new for that."""


def listing(roots: Iterable[Path]) -> Listing:
    """Look at every file's stamp: far quicker than `walk`."""
    listed: list[str] = []
    folders: list[str] = []
    seen: set[tuple[int, int]] = set()
    now = time.time_ns()
    try:
        for root in roots:
            status = root.stat()
            if stat.S_ISDIR(status.st_mode):
                _list_tree(listed, str(root), seen, folders)
            else:
                listed += [f"{root} {stamp_of(status)}", *sorted(_list(str(root.parent), []))]
                folders += [str(root.parent), str(root)]
    except OSError:
        return Listing("", [], "")
    told = hashlib.sha256("\n".join(listed).encode("utf-8", "surrogateescape")).hexdigest()
    return Listing(told, folders, glance(folders, older_than=now - _A_WHILE))


def glance(folders: Iterable[str], older_than: int | None = None) -> str:
    """A text that is another one when a file was put into one of the folders, or taken out.

    It tells of no card that was written to in place. Empty if one of the folders is not there, or
    not older than so many nanoseconds since 1970: another file might come unseen in one tick.
    """
    found = []
    try:
        for folder in folders:
            status = Path(folder).stat()
            if older_than is not None and max(status.st_mtime_ns, status.st_ctime_ns) > older_than:
                return ""
            found.append(f"{folder} {status.st_ino} {status.st_mtime_ns} {status.st_ctime_ns}")
            for name in OF_FOLDERS:
                try:
                    status = Path(folder, name).stat()
                except (FileNotFoundError, NotADirectoryError):
                    continue
                found.append(f"{name} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}")
    except OSError:
        return ""
    return hashlib.sha256("\n".join(found).encode("utf-8", "surrogateescape")).hexdigest()


def is_skipped(name: str) -> bool:
    """Whether a folder of this name never holds cards."""
    return name.startswith(".") or name in SKIPPED


def is_card_name(name: str) -> bool:
    return name.lower().endswith(".md") and not name.startswith(("_", "."))


def checkers_beside(card: Path) -> list[Path]:
    """The files of checkers beside a card, that which is used first."""
    return [file for ending in CHECKERS if (file := card.with_suffix(ending)).is_file()]


def stamp_of(status: os.stat_result) -> Stamp:
    """Raises OSError for what is no regular file."""
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def natural(name: str) -> tuple[tuple[str | int, ...], str]:
    """A sort key by which `card2` precedes `card10`, whatever the case."""
    pieces = _DIGITS.split(name.casefold())
    return tuple(int(p) if i % 2 else p for i, p in enumerate(pieces)), name


def _tree(walked: Walked, root: Path, seen: set[tuple[int, int]]) -> None:
    """A folder's files in natural order, then the same for each of its folders."""
    pending = [(root, "")]
    while pending:
        folder, below = pending.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: natural(entry.name))
        except OSError as error:
            _unreadable(walked, folder, error)
            continue
        if any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        walked.folders.append(folder)
        _files(walked, root, folder, below, [e for e in entries if not _is_folder(e)])
        for entry in reversed(entries):
            if _is_folder(entry) and not is_skipped(entry.name):
                pending.append((folder / entry.name, f"{below}{entry.name}/"))


def _list_tree(
    listed: list[str], root: str, seen: set[tuple[int, int]], folders: list[str]
) -> None:
    pending = [root]
    while pending:
        folder = pending.pop()
        status = Path(folder).stat()
        if (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            below: list[str] = []
            listed += [folder, *sorted(_list(folder, below))]
            folders.append(folder)
            pending += sorted(below)


def _list(folder: str, below: list[str]) -> Iterator[str]:
    """A line for each entry of a folder; of files that are read, with their stamp."""
    with os.scandir(folder) as listing:
        for entry in listing:
            name = entry.name
            if name.lower().endswith(".md") or name in OF_FOLDERS:
                s = entry.stat()
                is_folder = stat.S_ISDIR(s.st_mode)
                name = f"{name} {s.st_mode} {s.st_size} {s.st_mtime_ns} {s.st_ctime_ns}"
            else:
                is_folder = entry.is_dir()
            if is_folder and not is_skipped(entry.name):
                below.append(entry.path)
            yield f"{name}/" if is_folder else name


def _files(
    walked: Walked, root: Path, folder: Path, below: str, entries: list["os.DirEntry[str]"]
) -> None:
    """Puts the plain files of one folder where they belong."""
    beside: dict[str, list[Path]] = {}
    for ending in CHECKERS:
        for entry in entries:
            if entry.name.endswith(ending):
                beside.setdefault(entry.name.removesuffix(ending), []).append(Path(entry.path))
    for entry in entries:
        name = entry.name
        if name.lower().endswith(".md"):
            checkers = beside.pop(name[:-3], [])
            if is_card_name(name):
                try:
                    stamp = stamp_of(entry.stat())
                except OSError as error:
                    _unreadable(walked, Path(entry.path), error)
                    continue
                path = Path(entry.path)
                walked.files.append(
                    CardFile(path, root, folder, below + name, stamp, *_first_two(checkers))
                )
        elif not name.startswith(".") and not name.endswith(CHECKERS):
            walked.media.append(Path(entry.path))
    for stem, checkers in beside.items():
        if not stem.startswith(("_", ".")):
            walked.lonely += checkers


def _single(walked: Walked, path: Path) -> None:
    """A root that is one card: only it counts, with what its folder holds beside it."""
    try:
        with os.scandir(path.parent) as listing:
            entries = [entry for entry in listing if not _is_folder(entry)]
        stamp = stamp_of(path.stat())
    except OSError as error:
        _unreadable(walked, path, error)
        return
    walked.folders.append(path.parent)
    walked.media += [
        Path(entry.path) for entry in entries if not entry.name.endswith((".md", *CHECKERS))
    ]
    if is_card_name(path.name) and path not in [file.path for file in walked.files]:
        found = _first_two(checkers_beside(path))
        walked.files.append(CardFile(path, path.parent, path.parent, path.name, stamp, *found))


def _first_two(checkers: list[Path]) -> tuple[Path | None, Path | None]:
    first, second, *_ = [*checkers, None, None]
    return first, second


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _unreadable(walked: Walked, path: Path, error: OSError) -> None:
    reason = error.strerror or str(error)
    message = f"cannot be read ({reason}); mend its permissions or take it out of the deck"
    walked.problems.append(Problem(path, 1, Severity.ERROR, "unreadable", message))


_DIGITS = re.compile(r"([0-9]+)")
