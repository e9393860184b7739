"""How far index letters run: by the arrays they index, or by the answer's own shape."""

from collections.abc import Iterator, Mapping

import numpy as np

from quizzer.notation.functions import Array
from quizzer.notation.index_whole import whole
from quizzer.notation.matrix_sizes import ANY, Length
from quizzer.notation.nodes import (
    Choice,
    Compare,
    Element,
    Group,
    Letter,
    Logic,
    Name,
    Node,
    children,
    show,
    walk,
)
from quizzer.notation.values import FaultError


def uses(node: Node, letter: str, env: Mapping[str, Array]) -> Iterator[tuple[int, str]]:
    """Sizes of the axes that the letter alone indexes, each with the array's name."""
    for part in walk(node):
        if not isinstance(part, Element):
            continue
        plain = [k for k, index in enumerate(part.indices) if _is_letter(index, letter)]
        if plain:
            shape = np.shape(whole(part.base, env))
            yield from ((shape[k], show(part.base)) for k in plain)


def one_size(node: Node, letter: str, env: Mapping[str, Array], at: int | None) -> int | None:
    """The range of a letter by its uses; None without any. Raises where they disagree."""
    found = list(uses(node, letter, env))
    for size, name in found[1:]:
        if size != found[0][0]:
            raise FaultError(
                f"Index {letter} runs over {found[0][0]} in {found[0][1]} "
                f"but over {size} in {name}.",
                at,
                "index-range",
            )
    return found[0][0] if found else None


def left_sizes(
    node: Node,
    letters: tuple[str, ...],
    env: Mapping[str, Array],
    shape: tuple[int, ...] | None,
) -> tuple[int, ...]:
    """Ranges of the letters on the left.

    They come from the arrays. Where the text itself limits a letter (`[i > 0]`, `df[i-1]`)
    an array may be shorter than the answer, so there the asked shape decides.
    """
    fits = shape is not None and len(shape) == len(letters)
    asked = dict(zip(letters, shape or (), strict=True)) if fits else {}
    bounded = {letter for letter in letters if letter in asked and _bounded(node, letter)}
    sizes = {}
    for letter in letters:
        if letter in bounded:
            found = {size for size, _ in uses(node, letter, env)}
            sizes[letter] = found.pop() if len(found) == 1 else asked[letter]
            continue
        size = one_size(node, letter, env, node.at)
        if size is None and letter not in asked:
            raise FaultError(
                f"How far index {letter} runs is not known: put this line into the one that uses "
                "it, so that arrays say it.",
                node.at,
                "range",
            )
        sizes[letter] = asked[letter] if size is None else size
    implied = tuple(sizes.values())
    if sorted(implied) != sorted(asked.values()):
        sizes.update({letter: asked[letter] for letter in bounded})
    return tuple(sizes.values())


def lengths_of(
    node: Node, letters: tuple[str, ...], known: Mapping[str, tuple[Length, ...]]
) -> tuple[Length, ...] | None:
    """How long the axes are that the letters name, by the arrays that they index alone."""
    found: dict[str, Length] = {}
    for part in walk(node):
        if isinstance(part, Element) and isinstance(part.base, Name):
            axes = known.get(part.base.name, ())
            for index, length in zip(part.indices, axes, strict=False):
                if isinstance(index, Letter):
                    found.setdefault(index.letter, length)
    return tuple(found.get(letter, ANY) for letter in letters)


def _is_letter(node: Node, letter: str) -> bool:
    while isinstance(node, Group):
        node = node.inner
    return isinstance(node, Letter) and node.letter == letter


def _bounded(node: Node, letter: str) -> bool:
    """Whether a condition or a computed index limits the letter."""
    for part in walk(node):
        if isinstance(part, Compare | Logic):
            inside: list[Node] = list(children(part))
        elif isinstance(part, Choice):
            inside = [part.test]
        elif isinstance(part, Element):
            inside = [index for index in part.indices if not _is_letter(index, letter)]
        else:
            continue
        direct = (below for item in inside for below in _outside_arrays(item))
        if any(_is_letter(below, letter) for below in direct):
            return True
    return False


def _outside_arrays(node: Node) -> Iterator[Node]:
    """The node and those below it, without the indices of arrays."""
    yield node
    if not isinstance(node, Element):
        for child in children(node):
            yield from _outside_arrays(child)
