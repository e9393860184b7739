"""Cards that link each other as related: shown on one day, the first would give the next away."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass

from quizzer.card import named_by_link
from quizzer.deck import Deck, Entry
from quizzer.text import folded


@dataclass(frozen=True, slots=True)
class Apart:
    """Of some cards those that are related to none that comes before, and those that wait."""

    kept: tuple[Entry, ...]
    waiting: tuple[Entry, ...]


def relatives(deck: Deck) -> Mapping[str, Set[str]]:
    """For each card the ids of those that it links as related, and of those that link it.

    A link names a card by its id or by its file, as in Obsidian: a folder in front, a heading
    behind, upper case and how accents are encoded make no difference. What names no card of the
    deck is left out.
    """
    by_name: dict[str, str] = {}
    for entry in deck.entries:
        by_name.setdefault(folded(entry.path.stem), entry.id)
    by_name |= {folded(entry.id): entry.id for entry in deck.entries}
    found = defaultdict[str, set[str]](set)
    for entry in deck.entries:
        for target in entry.header.related:
            other = by_name.get(named_by_link(target))
            if other and other != entry.id:
                found[entry.id].add(other)
                found[other].add(entry.id)
    return found


def apart(
    related: Mapping[str, Set[str]], met: Collection[str], *queues: Iterable[Entry]
) -> list[Apart]:
    """Each queue, in order, without what is related to a card met today or to one before it."""
    seen = set(met)
    parted = []
    for queue in queues:
        kept, waiting = list[Entry](), list[Entry]()
        for entry in queue:
            if seen.isdisjoint(related.get(entry.id, ())):
                seen.add(entry.id)
                kept.append(entry)
            else:
                waiting.append(entry)
        parted.append(Apart(tuple(kept), tuple(waiting)))
    return parted
