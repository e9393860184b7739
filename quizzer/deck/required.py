"""Cards that are to be met before others."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from quizzer.card import Problem, Severity
from quizzer.deck.values import Entry
from quizzer.text import clean, did_you_mean


def required_first(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The cards in their order, but each after those of them that `Entry.after` names."""
    cards = {entry.id: entry for entry in entries}
    yield from map(cards.__getitem__, each_after(cards, lambda card: cards[card].after))


def each_after(cards: Collection[str], after: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """These ids in their order, but each after those of them that `after` names for it.

    In a circle, the card that comes first in the order is last.
    """
    waiting = dict.fromkeys(cards)
    opened = set[str]()
    for card in cards:
        stack = [card]
        while stack:
            top = stack[-1]
            if top not in waiting:
                stack.pop()
                continue
            opened.add(top)
            before = [each for each in after(top) if each in waiting and each not in opened]
            stack += reversed(before)
            if not before:
                del waiting[top]
                yield top


def required_problems(entries: Iterable[Entry], known: Mapping[str, Entry]) -> Iterator[Problem]:
    """A warning for each card that requires an id of no `known` card, or in the end itself."""
    for entry in entries:
        for card in entry.header.requires:
            if card not in known:
                advice = did_you_mean(card, known) or "; mend it, or delete it"
                yield _problem(entry, f"requires {clean(card)}, which is the id of no card{advice}")
            elif circle := _circle(card, entry.id, known):
                named = " requires ".join(map(clean, [entry.id, *circle]))
                yield _problem(
                    entry, f"{named}: none of them could come first; delete one of these"
                )


def _circle(card: str, end: str, known: Mapping[str, Entry]) -> list[str] | None:
    """The ids by which a card requires `end`, that included; None where it does not."""
    came_from: dict[str, str | None] = {card: None}
    coming = [card]
    while coming:
        here = coming.pop()
        if here == end:
            chain = [here]
            while (before := came_from[chain[-1]]) is not None:
                chain.append(before)
            return chain[::-1]
        for other in known[here].header.requires if here in known else ():
            if other not in came_from:
                came_from[other] = here
                coming.append(other)
    return None


def _problem(entry: Entry, message: str) -> Problem:
    return Problem(entry.path, entry.header.requires_line, Severity.WARNING, "requires", message)
