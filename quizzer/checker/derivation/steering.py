"""Which differentials of a text move together: those that one expression of it adds up.

Who differentiates toward one variable after the other, `dL = tr(δᵀ dW x)` and then `dL = δᵀ W dx`,
holds the others each time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quizzer.checker.derivation.lefts import Lefts
from quizzer.notation.grammar.derivation import Part, Written

Names = frozenset[str]


def steered(parts: Sequence[Part], lefts: Lefts) -> list[Names]:
    """For each part of a text, the names that move where it has differentials."""
    statements = list(_statements(parts, lefts))
    together = [links for each in statements for links in each.links]
    ways: dict[Names, set[Names]] = {}
    for each in statements:
        ways.setdefault(each.left, set()).update(links for links in each.links if links)
    for left, links in ways.items():
        if len(links) == 1:  # else each says how it moves with another variable
            together.append(left.union(*links))
    found = []
    for each in statements:
        names = each.left.union(*each.links)
        found += [_with_theirs(names, together)] * each.parts
    return found


def _with_theirs(names: Names, together: Sequence[Names]) -> Names:
    """The names, with all that move with one of them."""
    while True:
        more = names.union(*(group for group in together if not names.isdisjoint(group)))
        if more == names:
            return names
        names = more


@dataclass
class _Statement:
    """A left side's differentials, those of each of its links, and how many parts it has."""

    left: Names = frozenset()
    links: list[Names] = field(default_factory=list)
    parts: int = 0


def _statements(parts: Sequence[Part], lefts: Lefts) -> Iterator[_Statement]:
    names = lefts.board.names()
    statement = _Statement()
    for part in parts:
        if isinstance(part, Written):
            if part.left is not None:
                yield statement
                statement = _Statement(frozenset(lefts.differentials(part.left, names)))
            statement.links += [frozenset(lefts.differentials(link, names)) for link in part.links]
        statement.parts += 1
    yield statement
