"""Conditions that only say how far an index goes: `(1 <= j <= K)` on a card that counts from 0."""

from collections.abc import Mapping
from dataclasses import replace

from quizzer.notation.compiler.index_ranges import (
    lengths_under,
    lone_letter,
    only_an_index,
    whole_values,
)
from quizzer.notation.matrix_sizes import Length
from quizzer.notation.nodes import Compare, Node, Number, Reduce, Sum, show, walk, with_parts
from quizzer.notation.values import FaultError


def counted_as_the_card_does(
    node: Node,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
    answer: Mapping[str, Length],
) -> Node:
    """The formula with `1 <= j <= K` as `0 <= j <= K - 1`, where j is only an index of axes as
    long as K, and the card counts so. `answer` has the lengths of the answer's own axes.

    Raises FaultError where j is a value, too: then the rest may count from 1, or from 0.
    """
    bounded = {
        binder.letter
        for part in walk(node)
        if isinstance(part, Reduce)
        for binder in part.binders
        if binder.low is not None
    }
    found: dict[Node, Node] = {}
    letters = []
    for part in walk(node):
        letter = _letter_between(part)
        if letter is None or letter in bounded or not isinstance(part, Compare):
            continue
        lengths = {length for length, _ in lengths_under(node, letter, known) if length}
        sizes = answer.get(letter) or (lengths.pop() if len(lengths) == 1 else None)
        if sizes and _is_whole_axis(part, sizes, values, first):
            found[part] = _moved(part, first)
            letters.append((part, letter))
    without = _replaced(node, dict.fromkeys(found, Number(1.0)))
    for part, letter in letters:
        if len(part.rest) > 2 or not only_an_index(without, letter):
            raise FaultError(
                f"{show(part)} counts from {1 - first}, but this card from {first}: change that, "
                "or leave it out.",
                part.at,
                "bounds",
            )
    return _replaced(node, found)


def _letter_between(node: Node) -> str | None:
    """The index j of `1 <= j <= K`, or of a longer chain that begins with it."""
    match node:
        case Compare(_, (("<=", letter), *_, ("<" | "<=", _))):
            return lone_letter(letter)
    return None


def _is_whole_axis(
    bounds: Compare, sizes: Length, values: Mapping[str, Length], first: int
) -> bool:
    """Whether the bounds are the ends of axes of these sizes, counted as the card does not."""
    sign, high = bounds.rest[-1]
    start = whole_values(bounds.first, values, len(sizes))
    stop = whole_values(high, values, len(sizes))
    if start != (1 - first,) * len(sizes) or stop is None:
        return False
    return all(e - (sign == "<") == s - first for e, s in zip(stop, sizes, strict=True))


def _moved(bounds: Compare, first: int) -> Compare:
    """The bounds of the same axis as the card counts."""
    sign, high = bounds.rest[-1]
    end = Sum(((1, high), (2 * first - 1, Number(1.0))), bounds.at)
    return replace(bounds, first=Number(float(first)), rest=(*bounds.rest[:-1], (sign, end)))


def _replaced(node: Node, by: Mapping[Node, Node]) -> Node:
    if node in by:
        return by[node]
    return with_parts(node, lambda part: _replaced(part, by)) if by else node
