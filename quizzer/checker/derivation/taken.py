"""Which entries of an array the indices of a left side name, and the letters in a text."""

import re
from collections.abc import Callable, Iterator

import numpy as np

from quizzer.checker.derivation.values import Unjudged
from quizzer.checker.derivative import Array
from quizzer.notation.functions import REDUCTIONS
from quizzer.notation.names import Names

_BINDS = re.compile(
    rf"(?:(?<![^\W\d_])(?:{'|'.join(sorted(REDUCTIONS))})|[ΣΠ])\s*_?\s*(\{{[^{{}}]*\}}|\([\w\s,]*\)|\w)"
)
_BELOW = re.compile(r"_\s*\{([^{}]*)\}|_(\w+)|(?<=[\w\]])\[([^\[\]]*)\]")
_LETTER = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])'*")


def taken(
    above: tuple[str, ...], below: tuple[str, ...], axes: tuple[int, int]
) -> tuple[Callable[[Array], Array], tuple[str, ...]]:
    """What takes the entries that indices name out of an array, and the letters that stay.

    Letters that stand twice take the diagonal; axes without a letter go behind the others.
    Raises Unjudged.
    """
    for indices, count in ((above, axes[0]), (below, axes[1])):
        if len(indices) > count:
            raise Unjudged("There are more indices on the left than axes.", "indices")
    if not above and not below:
        return lambda value: value, ()
    every: list[str | int] = []
    for indices, count in ((above, axes[0]), (below, axes[1])):
        every += [int(index) if index.isdigit() else index for index in indices]
        every += [f"({len(every) + k})" for k in range(count - len(indices))]
    letters = [each for each in every if isinstance(each, str)]
    if any(not re.fullmatch(r"[^\W\d_]'*|\(\d+\)", letter) for letter in letters):
        raise Unjudged("The left side takes index letters only.", "indices")
    once = list(dict.fromkeys(letters))
    kept = [letter for letter in once if letter[0] != "("]
    order = [*kept, *(letter for letter in once if letter[0] == "(")]
    sign = {letter: chr(ord("a") + k) for k, letter in enumerate(once)}
    pattern = "".join(sign[letter] for letter in letters)
    pattern += "->" + "".join(sign[letter] for letter in order)
    places = tuple(each if isinstance(each, int) else slice(None) for each in every)

    def take(value: Array) -> Array:
        return np.einsum(pattern, value[places])

    return take, tuple(kept)


def free_letters(text: str, names: Names) -> tuple[str, ...]:
    """The index letters in a text that no sum binds, in order."""
    bound = {letter for match in _BINDS.finditer(text) for letter in _letters(match[1])}
    found: dict[str, None] = {}
    for match in _BELOW.finditer(text):
        if match[2] is not None:
            word = re.search(r"[^\W\d]\w*$", text[: match.end()])
            if word and names.find(word[0]):
                continue
            inner = " ".join(match[2])
        else:
            inner = match[1] if match[1] is not None else match[3]
            if "," not in inner and inner.strip().isalnum():
                inner = " ".join(inner)
        for letter in _letters(inner):
            if names.axes.get(names.find(letter) or "", 0) == 0 and letter not in bound:
                found[letter] = None
    return tuple(letter for letter in found if names.find(letter) is None)


def _letters(text: str) -> Iterator[str]:
    inner = text.strip("{}() ")
    if inner.isalpha() and len(inner) > 1:
        inner = " ".join(inner)
    return (match[0] for match in _LETTER.finditer(inner))
