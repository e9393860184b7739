"""Whether the numbers that a card shows can be calculated with, and tell what is wrong."""

from collections.abc import Iterator, Sequence

import numpy as np

from quizzer.checker.flaw import Flaw
from quizzer.checker.numbers import STRICT, is_within
from quizzer.checker.remote import INSTANCES, RemoteChecker
from quizzer.judge.case import Case
from quizzer.judge.prepared import Prepared

_SEEDS = 4
_DIGITS = 5


def poor_numbers(checker: RemoteChecker, seed: int, count: int = INSTANCES) -> Iterator[Flaw]:
    """What is wrong with the numbers of some seeds."""
    every = [Prepared(checker, seed + k, count) for k in range(_SEEDS)]
    for asked in every[0].posed().sheet.asked:
        yield from _told_apart(every, asked)
        yield from _short([each.case(asked) for each in every])


def _told_apart(every: Sequence[Prepared], asked: str) -> Iterator[Flaw]:
    """A tolerance that accepts 0, or a known mistake, for the numbers of any seed."""
    found: dict[str, str] = {}
    for prepared in every:
        case = prepared.case(asked)
        truth = case.truths[-1].value
        tolerance = case.sheet.within.get(asked, STRICT)
        if asked not in case.sheet.choices and is_within(np.zeros_like(truth), truth, tolerance):
            found["0"] = tolerance.shown()
        for claim in prepared.evidence(asked).wrong:
            if is_within(claim.values[-1], truth, tolerance):
                found[f"the known mistake {claim.sentence!r}"] = tolerance.shown()
    for what, within in found.items():
        yield Flaw(
            "tolerance",
            f"for some numbers that the card shows, {what} counts as right for {asked} (within "
            f"{within}): choose a smaller tolerance, or inputs with which they differ.",
        )


def _short(cases: Sequence[Case]) -> Iterator[Flaw]:
    """A value that nobody can write in full, where no tolerance is given."""
    asked = cases[0].asked
    if asked in cases[0].sheet.within or asked in cases[0].sheet.choices:
        return
    for case in cases:
        for value in case.truths[-1].value.ravel().tolist():
            if abs(value - float(f"{value:.{_DIGITS}g}")) > STRICT.size * abs(value):
                yield Flaw(
                    "unrounded",
                    f"{asked} is {value:.8g} for numbers that the card shows, and no tolerance is "
                    f"given: write `ask {asked} within 1 %`.",
                    error=False,
                )
                return
