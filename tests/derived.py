"""Derivations judged in this process, for tests: nothing of a learner's text is executed."""

import warnings
from functools import cache

import numpy as np

from quizzer.checker.derivation.derive import derive
from quizzer.checker.problem import Posed, pose
from quizzer.checker.requests import Pose
from quizzer.checker.source import Declared
from quizzer.judge.derivation import JudgedDerivation, Mark, judged_lines, request_of

SEED = 3


@cache
def posed(declared: str) -> Posed:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return pose(Pose(Declared(declared), SEED, 4, {}, 0))


def judged(declared: str, text: str, explain: bool = False) -> JudgedDerivation:
    """A derivation for a declared checker, line by line."""
    request = request_of(Declared(declared), posed(declared), text)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return judged_lines(request, derive, explain)


def marks(declared: str, text: str) -> list[str]:
    """The mark of every link, in order, without lines of words."""
    found = judged(declared, text).lines
    return [each.mark.value for each in found if each.mark is not Mark.WORDS]
