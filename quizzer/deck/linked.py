"""Cards that link each other as related, and which of them is to be met first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from quizzer.card import named_by_link
from quizzer.deck.required import each_after
from quizzer.deck.values import Entry
from quizzer.text import folded

After = Mapping[str, Sequence[str]]
"""Ids of cards to be met before a card, by its id."""


def names_of(entry: Entry) -> set[str]:
    """What a link may call the card: its id or its file, as in Obsidian.

    A folder in front, a heading behind, upper case and how accents are encoded make no difference.
    """
    return {folded(entry.id), folded(entry.path.stem)}


def links_of(entry: Entry) -> set[str]:
    """What the card links as related, as `names_of` has it."""
    return {named_by_link(target) for target in entry.header.related}


def with_easier(cards: Mapping[str, Entry]) -> dict[str, Entry]:
    """The cards, each with its `easier` ones."""
    found = easier_linked(cards)
    return {
        card: replace(entry, easier=found[card]) if card in found else entry
        for card, entry in cards.items()
    }


def easier_linked(cards: Mapping[str, Entry]) -> dict[str, tuple[str, ...]]:
    """For each card without `requires`: the easier cards linked with it, the easiest first.

    Either may link the other. Where both are equally hard, or one does not say how hard it is, none
    comes first. A link counts for nothing if what cards require closes a circle with it.
    """
    linked = _linked(cards)
    required = {card: entry.header.requires for card, entry in cards.items()}
    if not linked or not any(required.values()):
        return linked
    circle = _circles({card: linked.get(card) or required[card] for card in cards})
    kept = {
        card: tuple(each for each in before if circle[each] != circle[card])
        for card, before in linked.items()
    }
    return {card: before for card, before in kept.items() if before}


def _linked(cards: Mapping[str, Entry]) -> dict[str, tuple[str, ...]]:
    named = defaultdict[str, list[Entry]](list)
    for entry in cards.values():
        if entry.header.difficulty is not None:
            for name in names_of(entry):
                named[name].append(entry)
    found = defaultdict[str, set[tuple[int, str]]](set)
    for entry in cards.values():
        difficulty = entry.header.difficulty
        if difficulty is None:
            continue
        for other in (other for link in links_of(entry) for other in named.get(link, ())):
            easier, harder = sorted((entry, other), key=_difficulty)
            if (
                _difficulty(easier) < _difficulty(harder)
                and not harder.header.says_what_it_requires
            ):
                found[harder.id].add((_difficulty(easier), easier.id))
    return {card: tuple(each for _, each in sorted(before)) for card, before in found.items()}


def _difficulty(entry: Entry) -> int:
    return entry.header.difficulty or 0


def _circles(after: After) -> dict[str, str]:
    """For each card one of those with which it forms circles, itself where it is in none."""
    # Kosaraju's: each flood against the order of the first search fills one strong component.
    before = defaultdict[str, list[str]](list)
    for card, each in after.items():
        for other in each:
            before[other].append(card)
    circle: dict[str, str] = {}
    for first in reversed([*each_after(after, after.__getitem__)]):
        waiting = [first]
        while waiting:
            card = waiting.pop()
            if card not in circle:
                circle[card] = first
                waiting += before[card]
    return circle
