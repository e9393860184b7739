"""Which deck is meant when a command starts, and who said so."""

import os
import re
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from quizzer.deck.walk import is_card_name, is_skipped
from quizzer.files import opened

MAX_FOLDERS = 1000
MAX_FILES = 2000


class Source(StrEnum):
    """Who named the deck, in words that complete "this deck comes from …"."""

    OPTION = "the option --deck"
    ENVIRONMENT = "the environment variable QUIZZER_DECK"
    CONFIGURATION = "the configuration"
    CURRENT_FOLDER = "the current folder"
    STARTER = "quizzer itself: it is the starter deck"


class Located(Struct, frozen=True):
    roots: tuple[Path, ...]
    source: Source
    cut_short: bool = False
    """The current folder is so large that the search for cards in it was given up."""


class NoDeck(Struct, frozen=True):
    """A deck was named, and it is not there."""

    message: str


def locate(
    explicit: Sequence[Path],
    environ: Mapping[str, str],
    configured: Sequence[Path],
    cwd: Path,
    starter: Path,
) -> Located | NoDeck:
    """The deck of the option, else the environment, the configuration, the current folder if it
    holds cards, else the starter deck."""
    exported = [Path(part) for part in environ.get("QUIZZER_DECK", "").split(os.pathsep) if part]
    for source, named in (
        (Source.OPTION, explicit),
        (Source.ENVIRONMENT, exported),
        (Source.CONFIGURATION, configured),
    ):
        if named:
            return _named(source, [_absolute(path, cwd) for path in named])
    found = holds_cards(cwd)
    if found:
        return Located((cwd,), Source.CURRENT_FOLDER)
    if not starter.is_dir():
        return NoDeck(f"the starter deck is missing from {starter}; install quizzer again")
    return Located((starter,), Source.STARTER, cut_short=found is None)


def starter_deck() -> Path:
    """Where the starter deck lies: in an installed package, else beside it in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "cards"
    return installed if installed.is_dir() else package.parent / "cards"


def holds_cards(folder: Path) -> bool | None:
    """Whether a card lies in the folder or below, nearest folders first.

    None if `MAX_FOLDERS` folders or `MAX_FILES` files were looked at without an end: started in a
    home directory, quizzer must not read a whole disk.
    """
    pending = deque([folder])
    seen: set[tuple[int, int]] = set()
    files = 0
    while pending:
        if len(seen) >= MAX_FOLDERS:
            return None
        here = pending.popleft()
        try:
            status = here.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            for entry in sorted(here.iterdir()):
                if is_card_name(entry.name) and entry.is_file():
                    files += 1
                    if files > MAX_FILES:
                        return None
                    if _looks_like_card(entry):
                        return True
                elif not is_skipped(entry.name) and entry.is_dir():
                    pending.append(entry)
        except OSError:
            continue
    return False


def _named(source: Source, roots: Sequence[Path]) -> Located | NoDeck:
    for root in roots:
        try:
            if root.is_dir() or (root.is_file() and root.suffix.lower() == ".md"):
                continue
            wrong = "is neither a folder nor a .md file" if root.exists() else "does not exist"
        except OSError as error:
            wrong = f"cannot be read ({error.strerror})"
        return NoDeck(f"{root}, named by {source}, {wrong}; {_REMEDIES[source]}")
    return Located(tuple(roots), source)


def _absolute(path: Path, cwd: Path) -> Path:
    with suppress(RuntimeError):
        path = path.expanduser()
    return cwd / path


def _looks_like_card(path: Path) -> bool:
    """Whether the file begins with front matter that has an id, without reading YAML for it."""
    try:
        with opened(path) as file:
            return _CARD.match(file.read(4096)) is not None
    except OSError:
        return False


_CARD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n){0,20}-{3,}[ \t]*\r?\n"
    rb"(?:(?!-{3})[^\n]*\n){0,200}?[\"']?id[\"']?[ \t]*:"
)
_REMEDIES = {
    Source.OPTION: "mend the path",
    Source.ENVIRONMENT: "mend or unset the variable",
    Source.CONFIGURATION: "choose a deck with `quizzer use PATH`",
}
