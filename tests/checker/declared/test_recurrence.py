"""Formulas that read their own arrays at other places, step by step, against loops in NumPy."""

import numpy as np
import pytest

from quizzer.checker.declared.build import build
from quizzer.checker.load import CheckerError
from quizzer.checker.source import Declared


def worked_out(text: str, seed: int = 0) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The inputs of a sample and all its nodes."""
    checker = build(Declared(text, 1))
    inputs = checker.sample(np.random.default_rng(seed))
    nodes = dict(checker.forward(**inputs))  # type: ignore[misc]
    return inputs, nodes | (checker.let(**inputs) if checker.let else {})


def test_a_start_before_the_first_place_is_only_read() -> None:
    x, nodes = worked_out(
        "x: T × D\nW: D × D\nh0: D\nh[-1,i] = h0_i\nh[t,i] = tanh(x[t,i] + sum_j W[i,j] h[t-1,j])"
    )
    h = x["h0"]
    for t, row in enumerate(x["x"]):
        h = np.tanh(row + x["W"] @ h)
        np.testing.assert_allclose(nodes["h"][t], h)
    assert len(nodes["h"]) == len(x["x"])


def test_a_card_that_counts_from_one_starts_at_zero() -> None:
    x, nodes = worked_out("x: T\nindex from 1\nh[0] = 3\nh[t] = h[t-1] + x[t]")
    np.testing.assert_allclose(nodes["h"], 3 + np.cumsum(x["x"]))


def test_a_start_at_a_place_gives_that_place() -> None:
    x, nodes = worked_out("x: T\nh[0] = 3\nh[t] = h[t-1] + x[t]")
    np.testing.assert_allclose(nodes["h"], 3 + np.cumsum([0, *x["x"][1:]]))


def test_without_a_start_what_lies_before_is_zero() -> None:
    x, nodes = worked_out("x: T\nh[t] = 2 h[t-1] + x[t]")
    assert nodes["h"][0] == x["x"][0]


def test_two_places_before_may_be_read() -> None:
    _, nodes = worked_out("x: T\nsize T: 6\nf[0] = 1\nf[1] = 1\nf[t] = f[t-1] + f[t-2] + 0 x[t]")
    np.testing.assert_allclose(nodes["f"], [1, 1, 2, 3, 5, 8])


def test_it_runs_backward_where_it_reads_what_follows() -> None:
    x, nodes = worked_out("r: T\nG[T] = 5\nG[t] = r[t] + 0.5 G[t+1]")
    expected = 5.0
    for t in range(len(x["r"]) - 1, -1, -1):
        expected = x["r"][t] + 0.5 * expected
        np.testing.assert_allclose(nodes["G"][t], expected)


def test_several_arrays_may_need_each_other() -> None:
    x, nodes = worked_out(
        "g: T × D\nm[t,i] = 0.9 m[t-1,i] + g[t,i] + 0.1 w[t-1,i]\n"
        "w[-1,i] = 1\nw[t,i] = w[t-1,i] - 0.1 m[t,i]\nout w"
    )
    m, w = 0.0, 1.0
    for t, g in enumerate(x["g"]):
        m = 0.9 * m + g + 0.1 * w
        w = w - 0.1 * m
        np.testing.assert_allclose(nodes["m"][t], m)
        np.testing.assert_allclose(nodes["w"][t], w)


def test_a_range_says_how_many_steps_there_are() -> None:
    _, nodes = worked_out("a: N\nT: number 4..4\nw[0,i] = a_i\nw[t,i] = 2 w[t-1,i]  for t <= T")
    np.testing.assert_allclose(nodes["w"][:, 0] / nodes["w"][0, 0], [1, 2, 4, 8, 16])


def test_steps_may_begin_behind_the_start() -> None:
    x, nodes = worked_out("x: T\nh[0] = 3\nh[t] = h[t-1] + x[t]  for 1 <= t < T")
    np.testing.assert_allclose(nodes["h"], 3 + np.cumsum([0, *x["x"][1:]]))


def test_a_later_formula_reads_the_whole_array() -> None:
    x, nodes = worked_out("x: T\nh[t] = h[t-1] + x[t]\nL = sum_t h[t]^2")
    np.testing.assert_allclose(nodes["L"], np.sum(np.cumsum(x["x"]) ** 2))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x: T\nh[t] = h[t] + x[t]", "line 2: `h` (line 2) needs itself at the same place"),
        ("x: T\nh[t] = h[t-1] + h[t+1] + x[t]", "before and behind its own"),
        ("x: T\nh[t] = h[2t] + x[t]", "the first index of h must be t, t-1"),
        ("x: T × D\nh[t,i] = x[t,i] + sum_j h[j,i]", "the first index of h must be t"),
        ("x: T\nh[t] = tanh(h) x[t]", "line 2:"),
        ("x: T\nh[t] = h[t-1] + 1", "how far t runs is not known"),
        ("x: T\nh[t] = h[t-1] + x[t] for 1 <= t < T", "nothing gives h[0]: write a start"),
        ("x: T\nh[9] = 1\nh[t] = h[t-1] + x[t]", "no step reads h at this place"),
        ("x: T\nb: D\nh[0] = b\nh[t] = h[t-1] + x[t]", "the start of h has the shape"),
        ("x: T\na[t] = b[t] + x[t]\nb[t] = 2 a[t]\nout b", "need each other at the same place"),
    ],
)
def test_what_has_no_first_step_is_told_with_its_line(text: str, said: str) -> None:
    with pytest.raises(CheckerError) as caught:
        worked_out(text)
    assert said in str(caught.value)
