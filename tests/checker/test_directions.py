"""The directions in which the slopes of many problems are compared."""

import time

import numpy as np

from quizzer.checker.confirming import many_problems
from quizzer.checker.opening import opened
from quizzer.checker.source import Declared

NORM = """
x: 4
y = sqrt(sum_i x_i^2)
ask dx
"""


def test_no_direction_is_that_of_an_input() -> None:
    """There, a slope would only say what a homogeneous forward has anyway."""
    checker = opened(Declared(NORM))
    for seed in range(3):
        for problem in many_problems(checker, ["dx"], seed, 40, time.process_time() + 60):
            x = np.asarray(problem.instance.inputs["x"], float)
            direction = problem.contractions["dx"].direction
            cosine = x @ direction / np.linalg.norm(x) / np.linalg.norm(direction)
            assert abs(cosine) < 0.9999
