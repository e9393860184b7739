"""Which entries of an array the indices of a left side name, and the letters in a text."""

import re
from collections.abc import Callable, Iterator

import numpy as np

from quizzer.checker.derivation.values import Unjudged
from quizzer.checker.derivative import Array
from quizzer.notation import Reading
from quizzer.notation.functions import REDUCTIONS
from quizzer.notation.grammar.partials import thing
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.nodes import Element, Letter, walk

_BINDS = re.compile(
    rf"(?:(?<![^\W\d_])(?:{'|'.join(sorted(REDUCTIONS))})|[ΣΠ])\s*_?\s*(\{{[^{{}}]*\}}|\([\w\s,]*\)|\w)"
)
_INDEXED = re.compile(rf"(?<![^\W\d])({WORD}?)(\s*_\s*\{{[^{{}}]*\}}|\s*\[[^\[\]]*\]|)(?![\w{{])")
_LETTER = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])'*")


def taken(
    above: tuple[str, ...], below: tuple[str, ...], axes: tuple[int, int]
) -> tuple[Callable[[Array], Array], tuple[str, ...]]:
    """What takes the entries that indices name out of an array, and the letters that stay.

    Letters that stand twice take the diagonal; axes without a letter go behind the others.
    Raises Unjudged.
    """
    above, below = _apart(above, axes[0]), _apart(below, axes[1])
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
        found: Array = np.einsum(pattern, value[places])
        return found

    return take, tuple(kept)


def _apart(indices: tuple[str, ...], count: int) -> tuple[str, ...]:
    """`C_{k,ij}` with a letter for each axis, where that makes as many as there are."""
    letters = [letter for index in indices for letter in re.findall(r"[^\W\d_]'*|\W|\d+", index)]
    plain = all(re.fullmatch(r"[^\W\d_]'*|\d+", letter) for letter in letters)
    return tuple(letters) if plain and len(letters) == count > len(indices) else indices


def free_letters(text: str, names: Names) -> tuple[str, ...]:
    """The index letters in a text that no sum binds, in order; a sum ends with its term."""
    terms = _terms(text)
    return tuple(dict.fromkeys(letter for term in terms for letter in _free_in(term, names)))


def _terms(text: str) -> list[str]:
    """The terms outside all brackets; those in brackets of their own are split too."""
    text = text.strip()
    cuts, depth, wraps = [0], 0, text[:1] == "("
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        wraps = wraps and (depth > 0 or place == len(text) - 1)
        if depth == 0 and sign in "+-":
            cuts.append(place + 1)
    if wraps:
        return _terms(text[1:-1])
    found = [text[a:b].rstrip("+- ") for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True)]
    if len(found) == 1:
        return found
    return [term for part in found if part.strip() for term in _terms(part)]


def _free_in(text: str, names: Names) -> tuple[str, ...]:
    bound = {letter for match in _BINDS.finditer(text) for letter in _letters(match[1])}
    found: dict[str, None] = {}
    for match in _INDEXED.finditer(_BINDS.sub(" ", text)):
        known = thing(match[0], names)
        if known is not None:
            indices = known.indices
        else:
            below = match[2].strip() or "_" + match[1].rpartition("_")[2] * ("_" in match[1])
            indices = tuple(_letters(below.strip("_[] ")))
        for index in indices:
            for letter in _letters(index):
                if letter not in bound and names.find(letter) is None:
                    found[letter] = None
    return tuple(found)


def implied_values(reading: Reading) -> Iterator[str]:
    """Letters that a text has taken for axes, and that index nothing: names that are not known."""
    indexed = {
        part.letter
        for step in reading.steps
        for element in walk(step.node)
        if isinstance(element, Element)
        for index in element.indices
        for part in walk(index)
        if isinstance(part, Letter)
    }
    yield from (
        letter for step in reading.steps for letter in step.letters if letter not in indexed
    )


def _letters(text: str) -> Iterator[str]:
    inner = text.strip("{}() ")
    if inner.isalpha() and len(inner) > 1:
        inner = " ".join(inner)
    return (match[0] for match in _LETTER.finditer(inner))
