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

    Raises FaultError where j is a value, too: then the rest may count from 1, or from 0."""
    bounded = {
        binder.letter
        for part in walk(node)
        if isinstance(part, Reduce)
        for binder in part.binders
        if binder.low is not None
    }
    ranges: dict[Node, Node] = {}
    letters = {}
    for part in walk(node):
        match part:
            case Compare(low, (("<=", letter_node), *_, ("<" | "<=" as sign, high))):
                letter = lone_letter(letter_node)
            case _:
                continue
        if letter is None or letter in bounded:
            continue
        lengths = {length for length, _ in lengths_under(node, letter, known) if length}
        sizes = answer.get(letter) or (lengths.pop() if len(lengths) == 1 else None)
        if sizes is None:
            continue
        start = whole_values(low, values, len(sizes))
        stop = whole_values(high, values, len(sizes))
        if start != (1 - first,) * len(sizes) or stop is None:
            continue
        if all(e - (sign == "<") == s - first for e, s in zip(stop, sizes, strict=True)):
            end = Sum(((1, high), (2 * first - 1, Number(1.0))), part.at)
            chain = (*part.rest[:-1], (sign, end))
            ranges[part] = replace(part, first=Number(float(first)), rest=chain)
            letters[part] = letter
    without = _replaced(node, dict.fromkeys(ranges, Number(1.0)))
    for part, letter in letters.items():
        if len(part.rest) > 2 or not only_an_index(without, letter):
            raise FaultError(
                f"{show(part)} counts from {1 - first}, but this card from {first}: change that, "
                "or leave it out.",
                part.at,
                "bounds",
            )
    return _replaced(node, ranges) if ranges else node


def _replaced(node: Node, by: Mapping[Node, Node]) -> Node:
    if node in by:
        return by[node]
    return with_parts(node, lambda part: _replaced(part, by)) if by else node
