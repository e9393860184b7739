"""Wiki-links that lead to no card, in a deck whose links lead to cards."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from quizzer.card import Card, named_by_link
from quizzer.card.scanner import tokens_of
from quizzer.checker.flaw import Flaw
from quizzer.lint.warned import warned

_MOST, _NEARLY_ALL = 0.8, 0.95
"""The shares of a folder's links that lead to cards, from which another one is a mistake if a card
has nearly its name, or whatever it is. In many decks links name topics or notes, and a part of a
deck lacks the cards of the other parts."""


def link_problems(
    cards: Mapping[Path, Card], known: Collection[str], related: Mapping[Path, Collection[str]]
) -> Iterator[tuple[Path, Flaw]]:
    """A warning for each link of these cards to none of the `known` ids and files, folded.

    `related` are all links of the cards in each folder: what they lead to says how the folder's
    links are meant.
    """
    alive = {
        folder: sum(named_by_link(target) in known for target in targets) / max(len(targets), 1)
        for folder, targets in related.items()
    }
    for path, card in cards.items():
        share = alive.get(path.parent, 0.0)
        for target, line in _links(card) if share >= _MOST else ():
            name = named_by_link(target)
            near = None if name in known else _near(name, known)
            if near or (share >= _NEARLY_ALL and name not in known):
                meant = f"did you mean [[{near}]]?" if near else "mend its name, or delete it."
                message = f"[[{target}]] leads to no card of this deck: {meant}"
                yield path, warned(line, "link", message)


def _near(name: str, known: Collection[str]) -> str | None:
    """A card that has nearly this name: a slip, or what it was called before."""
    longer = [each for each in known if name.startswith(f"{each}_") or each.startswith(f"{name}_")]
    return next(iter([*get_close_matches(name, known, 1, 0.85), *sorted(longer, key=len)]), None)


def _links(card: Card) -> Iterator[tuple[str, int]]:
    for text, first in ((card.question, card.question_line), (card.solution, card.solution_line)):
        for token in tokens_of(text, first):
            for child in token.children or ():
                if child.type == "wiki_link":
                    yield str(child.attrs["target"]), child.map[0] if child.map else first
