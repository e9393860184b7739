"""The part of a wrong array that is shown: around its first differing entry, with the truth."""

from collections.abc import Sequence

import numpy as np

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Truth
from quizzer.judge.acceptance import beyond, bound, reoriented
from quizzer.judge.difference import first_of
from quizzer.judge.judgement import View

MOST = {1: (5,), 2: (4, 4)}
"""Entries shown along the last axis, or the last two: two such tables fit side by side."""


def view_of(
    asked: str, answers: Sequence[Array], truths: Sequence[Truth], symmetric: bool, first_index: int
) -> View | None:
    """The view of the first instance with a difference.

    None for a number, and where the shapes differ: then entries have no counterpart.
    """
    for answer, truth in zip(reoriented(answers, truths) or answers, truths, strict=True):
        if answer.shape != truth.value.shape or not answer.ndim:
            return None
        differs = beyond(answer, truth.value, truth.error, symmetric)
        if differs.any():
            return _around_first(asked, answer, truth, differs, first_index)
    return None


def _around_first(
    asked: str, answer: Array, truth: Truth, differs: Array, first_index: int
) -> View:
    index = first_of(differs)
    axes = min(answer.ndim, 2)
    window = [
        _window(*each) for each in zip(answer.shape[-axes:], index[-axes:], MOST[axes], strict=True)
    ]
    place: tuple[int | slice, ...] = (*index[:-axes], *(slice(*ends) for ends in window))
    start = (*index[:-axes], *(low for low, _ in window))
    noise = bound(truth.value, truth.error)

    def rows(array: Array) -> Array:
        return array[place].reshape(-1, 1) if answer.ndim == 1 else array[place]

    def numbers(array: Array) -> tuple[tuple[float, ...], ...]:
        cleared = np.where(np.abs(rows(array)) <= rows(noise), 0.0, rows(array))
        return tuple(tuple(map(float, row)) for row in cleared)

    return View(
        name=asked,
        start=tuple(low + first_index for low in start),
        got=numbers(answer),
        expected=numbers(truth.value),
        differs=tuple(tuple(map(bool, row)) for row in rows(differs)),
    )


def _window(length: int, at: int, most: int) -> tuple[int, int]:
    """Up to so many entries with this one among them, and one before it to go by."""
    low = max(0, min(at - 1, length - most))
    return low, min(length, low + most)
