"""What a self-rated solution must have: its parts, or its list items, each with its points."""

from msgspec import Struct

from quizzer.card import lines, pieces, points, steps
from quizzer.card.values import Card

FEWEST, MOST = 2, 9
"""Items that are worth ticking one by one."""


class Item(Struct, frozen=True):
    """One thing to have, in Markdown, and what it counts."""

    text: str
    points: float


def checklist(card: Card) -> tuple[Item, ...]:
    """The parts of the question where it has some, else the items of the solution's list.

    Empty where there are fewer than two or more than nine. An item without points counts one.
    """
    found = [Item(f"({part.letter})", part.points) for part in card.parts]
    if len(found) < FEWEST:
        found = [_item(each) for each in _listed(card)]
    worth = FEWEST <= len(found) <= MOST and any(item.points for item in found)
    return tuple(found) if worth else ()


def _listed(card: Card) -> list[str]:
    """The items of the derivation's steps, else those of any list but hints and related cards."""
    text, _ = lines.read(card.solution, card.solution_line)
    if (section := text.under(pieces.STEPS)) and (found := steps.items(section)):
        return found
    for title in (pieces.HINTS, pieces.RELATED):
        if found_at := text.section(title):
            text = text.without(*found_at)
    return steps.items(text)


def _item(text: str) -> Item:
    mark = points.MARK.search(text)
    return Item(text, float(mark["points"].replace(",", ".")) if mark else 1.0)
