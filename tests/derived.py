"""Derivations judged in this process, for tests: nothing of a learner's text is executed."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np

from quizzer.card import parse
from quizzer.checker.derivation.derive import derive
from quizzer.checker.posed import Posed
from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose
from quizzer.checker.source import Declared
from quizzer.judge.derivation import JudgedDerivation, Mark, judged_lines, request_of
from quizzer.judge.judgement import Question
from quizzer.judge.judges import Judge
from quizzer.judge.outcome import Reached

SEED = 3
CARDS = Path(__file__).parents[1] / "cards"
SOFTMAX = """
z: K
y: K simplex
size K: 3..6
p_k = exp(z_k) / (sum_j exp(z_j))
L = -sum_k y_k log(p_k)
ask dL_dz
"""
"""A declared checker: softmax with cross-entropy, without a card."""


def card_of(stem: str) -> Path:
    """The starter card with this name."""
    (found,) = CARDS.rglob(f"{stem}.md")
    return found


def declared_text(stem: str) -> str:
    """The checker within a starter card."""
    card = parse(card_of(stem).read_bytes(), card_of(stem)).card
    assert card and card.checker
    return card.checker.text


def settled(judge: Judge, stem: str, name: str, text: str) -> Reached:
    """What a derivation for a starter card settles."""
    return settled_for(judge, card_of(stem), name, text)


def settled_for(judge: Judge, checker: Path, name: str, text: str) -> Reached:
    """The same for any card."""
    asks = judge.question(checker)
    assert isinstance(asks, Question)
    among = {each.name: each.context for each in asks.asked if each.context}
    found = judge.reached(checker, text, SEED, name, among)
    assert isinstance(found, Reached)
    return found


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
