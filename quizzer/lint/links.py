"""Wiki-links that lead to no card, in a deck whose links lead to cards."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from quizzer.card import Card, named_by_link
from quizzer.card.scanner import scan
from quizzer.checker.flaw import Flaw
from quizzer.lint.warned import warned

_MOST = 0.8
"""The share of a deck's links that lead to cards, from which another one is a mistake. In many
decks links name topics or notes."""


def link_problems(
    cards: Mapping[Path, Card], known: Collection[str]
) -> Iterator[tuple[Path, Flaw]]:
    """A warning for each link of these cards to none of the `known` ids and files, folded."""
    links = [(path, target, line) for path, card in cards.items() for target, line in _links(card)]
    dead = [link for link in links if named_by_link(link[1]) not in known]
    if not links or len(links) - len(dead) < _MOST * len(links):
        return
    for path, target, line in dead:
        yield path, warned(line, "link", _message(target, known))


def _message(target: str, known: Collection[str]) -> str:
    name = named_by_link(target)
    near = get_close_matches(name, known, 1, 0.75) or sorted(
        (each for each in known if name.startswith(each) or each.startswith(name)), key=len
    )
    meant = f"did you mean [[{near[0]}]]?" if near else "mend its name, or delete it."
    return f"[[{target}]] leads to no card of this deck: {meant}"


def _links(card: Card) -> Iterator[tuple[str, int]]:
    for text, first in ((card.question, card.question_line), (card.solution, card.solution_line)):
        for token in scan(text, first):
            for child in token.children or ():
                if child.type == "wiki_link":
                    yield str(child.attrs["target"]), child.map[0] if child.map else first
