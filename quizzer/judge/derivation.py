"""The lines of a derivation judged: which are right, and which is the first that is not.

A line is right if it is what its left side stands for, on every instance. A ∂ that may be total or
direct has one meaning in all lines: of the meanings that make the lines so far right, one must make
the next one right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, product

import numpy as np

from quizzer.checker.derivation.board import Board
from quizzer.checker.derivation.lines import Lines
from quizzer.checker.derivation.values import Choice, Claim, Known
from quizzer.judge.acceptance import is_right


class Mark(StrEnum):
    """What is said of one line."""

    RIGHT = "right"
    WRONG = "wrong"
    FOLLOWS = "follows"
    AGAIN = "right-again"
    UNREAD = "unread"
    DEFINES = "defines"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Judged:
    """One link of a line, judged."""

    claim: Claim
    mark: Mark
    choice: Choice | None = None
    """By which meanings it is right or wrong."""


def judge_lines(
    lines: Lines, text: str, upstream_first: bool, stated: Sequence[str] = ()
) -> list[Judged]:
    """Every link of the derivation with its mark."""
    first = Choice(frozenset(), upstream_first)
    lines.read(text, first, stated)
    marks = _marks(lines.claims, {first: lines.known})
    if all(each.mark is not Mark.WRONG for each in marks):
        return marks
    choices = list(_choices(lines.board, first))
    if len(choices) == 1:
        return marks
    known = {first: lines.known} | {each: lines.again(each) for each in choices if each != first}
    return _marks(lines.claims, {each: known[each] for each in choices})


def _choices(board: Board, first: Choice) -> list[Choice]:
    """All meanings of what is ambiguous, those with the least held fixed first."""
    upstreams = (first.upstream, not first.upstream) if board.number else (first.upstream,)
    subsets = chain.from_iterable(
        combinations(board.pairs, count) for count in range(len(board.pairs) + 1)
    )
    return [Choice(frozenset(direct), up) for direct, up in product(subsets, upstreams)]


def _marks(claims: Sequence[Claim], known: dict[Choice, list[Known | None]]) -> list[Judged]:
    alive = list(known)
    found: list[Judged] = []
    wrong = False
    for place, claim in enumerate(claims):
        if claim.words:
            found.append(Judged(claim, Mark.WORDS))
            continue
        if claim.reading is None:
            found.append(Judged(claim, Mark.UNREAD))
            continue
        if claim.defines:
            found.append(Judged(claim, Mark.DEFINES, alive[0]))
            continue
        fitting = [choice for choice in alive if _holds(known[choice][place])]
        if fitting:
            alive = fitting
            found.append(Judged(claim, Mark.AGAIN if wrong else Mark.RIGHT, alive[0]))
            continue
        found.append(Judged(claim, Mark.WRONG, alive[0]))
        wrong = True
    return found


@np.errstate(all="ignore")
def _holds(known: Known | None) -> bool:
    """Whether a line gives on every instance what it should."""
    if known is None:
        return False
    size = max((float(np.max(np.abs(t), initial=0.0)) for t in known.truths), default=0.0)
    for value, truth, error in zip(known.values, known.truths, known.errors, strict=True):
        same = [n for n in value.shape if n != 1] == [n for n in truth.shape if n != 1]
        if not same or not is_right(value.reshape(truth.shape), truth, error + 1e-12 * size):
            return False
    return True
