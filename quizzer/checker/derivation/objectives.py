"""Slopes of an objective, which are 0 at its optimum whatever their sign.

They are compared at other points, in the domain of what is sought: a slope may be written by what
the card promises of it, a length of 1 or a symmetric matrix.
"""

import numpy as np

from quizzer.checker.declared.feasible import moved
from quizzer.checker.declared.values import Domain
from quizzer.checker.derivation.board import Board
from quizzer.checker.derivation.slopes import Scene
from quizzer.checker.derivation.values import Target
from quizzer.checker.derivative import Array

_HALVINGS = 8


def away(target: Target, board: Board) -> list[Scene] | None:
    """The scenes with what is sought away from its optimum; None where a left side is no slope of
    an objective."""
    name = target.ends[1] if target.ends is not None else None
    if name is None or name not in board.sought:
        return None
    domain = board.sought[name]
    return [
        scene.moved({name: _beside(domain, np.asarray(scene.values[name], float), seed)})
        for seed, scene in enumerate(board.scenes)
    ]


def _beside(domain: Domain, value: Array, seed: int) -> Array:
    """A point of the domain that is not this one, every entry of which has moved if it can."""
    rng = np.random.default_rng(seed)
    size = float(np.max(np.abs(value), initial=0.0)) or 1.0
    step = size * rng.uniform(0.2, 0.9, value.shape) * rng.choice([-1.0, 1.0], value.shape)
    for halvings in range(_HALVINGS):
        point = moved(domain, value, step / 2**halvings)
        if point is not None:
            return point
    return value
