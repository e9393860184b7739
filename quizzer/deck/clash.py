"""One id in two decks: the same history would stand for two different cards."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from quizzer import files
from quizzer.deck import Entry
from quizzer.deck.values import MAX_CARD_BYTES, read_file

STARTER_PREFIX = "q-"
"""Ids of the starter deck, whose copies are meant to share one history."""


def clashes(
    entries: Iterable[Entry], last_paths: Mapping[str, str]
) -> Iterator[tuple[Entry, Path]]:
    """Cards whose id was last reviewed from another file that is still there with the same id.

    A card that was moved, copied unchanged or comes from the starter deck is no clash.
    """
    for entry in entries:
        last = last_paths.get(entry.id)
        if last is None or last == str(entry.path) or entry.id.startswith(STARTER_PREFIX):
            continue
        other = Path(last)
        if other != entry.path.resolve() and _same_id(entry, other):
            yield entry, other


def _same_id(entry: Entry, other: Path) -> bool:
    try:
        if files.read(other, MAX_CARD_BYTES) == files.read(entry.path, MAX_CARD_BYTES):
            return False
    except OSError:
        return False
    card = read_file(other).card
    return card is not None and card.header.id == entry.id
