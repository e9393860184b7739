"""Whether arrays are the right ones: the only comparison that a verdict rests on.

Identical shape, everything finite, and on every instance
max|answer - truth| <= 1e-6 max|truth| + 3 error. Nothing is broadcast and nothing is averaged.
"""

from collections.abc import Sequence

import numpy as np

from quizzer.check.derivative import Array
from quizzer.check.instance import Truth
from quizzer.check.target import symmetrised

TOLERANCE = 1e-6

Arrays = Sequence[Array]


def is_right(answer: Array, truth: Array, error: float = 0.0, symmetric: bool = False) -> bool:
    """Whether an answer meets the truth, which is known up to `error`."""
    if answer.shape != truth.shape or not np.isfinite(answer).all():
        return False
    return not beyond(answer, truth, error, symmetric).any()


def beyond(answer: Array, truth: Array, error: float = 0.0, symmetric: bool = False) -> Array:
    """Which entries of an answer of the right shape, everything finite, miss the truth."""
    difference = symmetrised(answer - truth) if symmetric else answer - truth
    return np.asarray(np.abs(difference) > bound(truth, error))


def bound(truth: Array, error: float) -> float:
    """How far an entry may be from the truth."""
    return float(TOLERANCE * np.max(np.abs(truth), initial=0.0) + 3 * error)


def all_right(answers: Arrays, truths: Sequence[Truth], symmetric: bool) -> bool:
    """Whether the answers are what was asked, on every instance."""
    return all(
        is_right(answer, truth.value, truth.error, symmetric)
        for answer, truth in zip(answers, truths, strict=True)
    )


def all_right_by_the_other_convention(
    answers: Arrays, truths: Sequence[Truth], symmetric: bool
) -> bool:
    """Whether they are the local derivative where the message was asked, or the other way round."""
    return all(
        truth.other is not None
        and is_right(answer, truth.other, truth.error * _growth(truth), symmetric)
        for answer, truth in zip(answers, truths, strict=True)
    )


def reoriented(answers: Arrays, truths: Sequence[Truth]) -> list[Array] | None:
    """The answers in the asked shapes, where they differ in axes of length 1 only."""
    if all(a.shape == t.value.shape for a, t in zip(answers, truths, strict=True)):
        return None
    turned = []
    for answer, truth in zip(answers, truths, strict=True):
        if _without_ones(answer.shape) != _without_ones(truth.value.shape):
            return None
        turned.append(answer.reshape(truth.value.shape))
    return turned


def _without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in shape if n != 1)


def _growth(truth: Truth) -> float:
    """How much larger the other convention's values, and their errors, are."""
    assert truth.other is not None
    asked, other = np.max(np.abs(truth.value)), np.max(np.abs(truth.other))
    return float(other / asked) if asked else 1.0
