"""What a text and the question's formulas are before their lines are read: names for what the card
does not name, and variables that only an objective has."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from quizzer.card.formulation import NAMELESS
from quizzer.checker.derivation.board import Board
from quizzer.notation.grammar.applied import applied, without_arguments, without_densities
from quizzer.notation.grammar.derivation import Written
from quizzer.notation.grammar.left import LOSSES
from quizzer.notation.lexer.spellings import WORD, variants

FUNCTION = re.compile(rf"{WORD}\s*\(\s*({WORD}(?:\s*,\s*{WORD})*)\s*\)")
"""A left side `L(μ, C)`."""

_OVER = re.compile(
    r"(?:/\s*\(?\s*[∂d]\s*|∇\s*_\s*\{?\s*|(?<![^\W\d])d\s*)([^\W\d_](?:_(?:hat|bar|tilde))?)(?=_|\W|$)"
)
_BASE = re.compile(r"(?<![^\W_]|_|\{)([^\W\d_])(?![^\W\d_])")
_PI = re.compile(r"π(?=[^\W\d_])")
_TOP = re.compile(r"(?:∂|\\partial)\s*([QLJFℓ]|\\ell)\s*(?:\}\s*\{|/)\s*\(?\s*(?:∂|\\partial)")
_HEAD = re.compile(r"^\s*([QLJFℓ]|\\ell)\s*(?:\([^()]*\))?\s*&?\s*=", re.M)
_OWN = re.compile(rf"\s*{WORD}(?=\s*(?:_[^\W\d_]|_?\{{[^{{}}]*\}})?\s*$)")


class Prepared(Struct, frozen=True):
    """A text as its lines are read, and what the question states."""

    text: str
    stated: tuple[str, ...]
    nameless: str
    """The text's name for an objective that the question does not name."""


def prepared(board: Board, text: str, stated: Sequence[str]) -> Prepared:
    """The text and what is stated, ready to be read; the board has the variables of objectives."""

    def means_nothing(letter: str) -> bool:
        bases = {name.rpartition("_")[0] for name in board.sheet.asked}
        return board.names().find(letter) is None and bases.isdisjoint(variants(letter))

    text = _PI.sub("π ", applied(text, stated, means_nothing))
    nameless = _nameless(board, text, stated)
    named = [each for each in stated if not each.startswith(f"{NAMELESS} =")]
    if nameless and not board.has_loss:
        rest = (each for each in stated if each not in named)
        named += [each.replace(NAMELESS, nameless, 1) for each in rest]
    named = [without_densities(each) for each in named]
    text = without_arguments(text, named)
    _set_free(board, text, named)
    return Prepared(text, tuple(named), nameless)


def _nameless(board: Board, text: str, stated: Sequence[str]) -> str:
    names = board.names()
    tops = {match[1] for match in _TOP.finditer(text)}
    own = {match[1] for each in (text, *stated) for match in _HEAD.finditer(each)}
    tops = {top for top in tops if top not in names.axes and top not in own}
    return tops.pop() if len(tops) == 1 else ""


def _set_free(board: Board, text: str, stated: Sequence[str]) -> None:
    """Take up the variables of an objective, `L(w) = …`, that the checker does not have."""
    asked = [name for name in board.sheet.asked if _is_estimate(board, name)]
    if not asked:
        return
    every = [part for each in (*stated, text) for part in board.parts(each)]
    written = [part for part in every if isinstance(part, Written)]
    named = board.names()
    own = {match[0] for part in written if part.left and (match := _OWN.match(part.left.text))}
    moved = {word for part in written for word in _variables_of(part)}
    words = [*sorted(moved), *(word for part in written for word in _words(part))]
    for word in dict.fromkeys(words):
        if named.find(word) is not None:
            continue
        same = [name for name in asked if name.rpartition("_")[0] in variants(word)]
        if not same and (word in own or word in LOSSES or word not in moved):
            continue
        vectors = [name for name in asked if np.ndim(board.base[0].values[name]) == 1]
        if same or len(asked) == 1 or word == "w":
            board.set_free(word, (same or vectors or asked)[0])


def _variables_of(part: Written) -> Iterator[str]:
    """`w` of `L(w)`, of `∂L/∂w`, `∇_w L` and `dw`."""
    if part.left is not None and (match := FUNCTION.fullmatch(part.left.text.strip())):
        yield from (each.strip() for each in match[1].split(","))
    for plain in (part.left, *part.links):
        yield from (match[1] for match in _OVER.finditer(plain.text if plain else ""))


def _words(part: Written) -> Iterator[str]:
    """The letters of a line's formulas, without indices."""
    for link in part.links:
        yield from (match[1] for match in _BASE.finditer(link.text))


def _is_estimate(board: Board, name: str) -> bool:
    """Whether an asked name is a value, and no derivative."""
    return name in board.base[0].values and name not in board.base[0].inputs
