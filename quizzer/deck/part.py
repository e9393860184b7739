"""A part of a deck: the cards that others require, and the files that belong to cards."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from quizzer.deck.values import Deck, Entry
from quizzer.deck.walk import OF_FOLDERS, checkers_beside


def with_required(deck: Deck, entries: Iterable[Entry]) -> list[Entry]:
    """These cards and all that they require, directly or not, in the deck's order."""
    waiting = [entry.id for entry in entries]
    taken = set[str]()
    while waiting:
        card = waiting.pop()
        if card in deck.by_id and card not in taken:
            taken.add(card)
            waiting += deck.by_id[card].header.requires
    return [entry for entry in deck.entries if entry.id in taken]


def files_of(deck: Deck, entries: Iterable[Entry]) -> Iterator[Path]:
    """The files without which these cards would be other cards.

    They are their texts, checkers and images, and what `info.json` and `macros.tex` say of their
    folders. A file of several cards comes several times.
    """
    for entry in entries:
        yield entry.path
        yield from checkers_beside(entry.path)
        card = deck.read(entry).card
        for image in card.images if card else ():
            if found := deck.media(image.name, entry.path):
                yield found
        for folder in entry.path.parents:
            if not folder.is_relative_to(entry.root):
                break
            yield from (folder / name for name in OF_FOLDERS if (folder / name).is_file())
