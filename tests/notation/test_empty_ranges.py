"""Sums whose range is empty for small sizes, such as `sum_{k=2}^{T}` where T is 1."""

from collections.abc import Callable

import numpy as np
import pytest

from quizzer.checker.derivative import Array
from quizzer.notation import Context, read
from quizzer.notation.reading import Reading


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize(
    ("text", "summed"),
    [
        ("dx_i = y_i + sum_{k=2}^{T} x_k", lambda x: x[1:]),
        ("dx_i = y_i + sum_{k=1}^{T-1} x_k", lambda x: x[:-1]),
        ("dx_i = y_i + sum_{k=1}^{T-1} x_{k+1} x_k", lambda x: x[1:] * x[:-1]),
    ],
)
def test_an_empty_sum_is_zero(text: str, summed: Callable[[Array], Array], length: int) -> None:
    shape = (length,)
    shapes = {"x": shape, "y": shape, "T": ()}
    context = Context(shapes, "dx", shape, numbers=frozenset({"T"}), first_index=1)
    x, y = np.arange(1.0, length + 1), np.ones(length)
    reading = read(text, context)
    assert isinstance(reading, Reading)
    found = reading.evaluate({"x": x, "y": y, "T": float(length)}, shape)
    np.testing.assert_array_equal(found, y + np.sum(summed(x)))
