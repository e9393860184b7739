"""A formula computed as a whole equals the formula computed entry by entry, in plain Python."""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.checker.tracing import ForwardTrace
from quizzer.notation import Context, Invalid, Reading, read
from quizzer.notation.nodes import (
    Binder,
    Call,
    Choice,
    Compare,
    Element,
    Group,
    Letter,
    Logic,
    Name,
    Node,
    Number,
    Power,
    Product,
    Reduce,
    Sum,
)

SIZES = [{"n": 2, "m": 3, "k": 4}, {"n": 5, "m": 2, "k": 3}]
AXES = {"x": "n", "y": "m", "W": "nm", "V": "mk", "T": "nmk", "A": "nn", "p": ""}
LETTERS = {"i": "n", "j": "m", "l": "k", "a": "n", "b": "m"}
"""Each letter with the axis that it runs over."""
OPERATORS: dict[str, Callable[[float, float], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def values(sizes: Mapping[str, int], seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {
        name: rng.uniform(-2, 2, [sizes[axis] for axis in axes]) for name, axes in AXES.items()
    } | {"t": rng.integers(0, sizes["m"], sizes["n"])}


class Outside(Exception):
    """A maximum, minimum or mean skips the cell: something was read outside of its array."""


class Slow:
    """Computes one entry at a time, for letters of certain values."""

    def __init__(self, env: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
        self.env = env
        self.sizes = sizes
        self.strict = False

    def __call__(self, node: Node, at: Mapping[str, int]) -> float:
        match node:
            case Number(value):
                return value
            case Name(name):
                return float(self.env[name])
            case Letter(letter):
                return at[letter]
            case Group(inner):
                return self(inner, at)
            case Element(Name(name), indices):
                return self.element(self.env[name], [self(index, at) for index in indices])
            case Sum(terms):
                return sum(sign * self(term, at) for sign, term in terms)
            case Product(factors):
                total = self(factors[0][1], at)
                for sign, factor in factors[1:]:
                    value = self(factor, at)
                    total = total / value if sign == "/" else total * value
                return total
            case Power(base, exponent):
                return float(self(base, at) ** self(exponent, at))
            case Call(("max" | "min") as function, arguments) if len(arguments) > 1:
                pick = max if function == "max" else min
                return pick(self(argument, at) for argument in arguments)
            case Call(function, (argument,)):
                return float(getattr(math, function)(self(argument, at)))
            case Compare(first, rest):
                parts = [self(first, at), *(self(part, at) for _, part in rest)]
                signs = [OPERATORS[sign] for sign, _ in rest]
                pairs = zip(signs, itertools.pairwise(parts), strict=True)
                return float(all(sign(*pair) for sign, pair in pairs))
            case Logic(word, parts):
                return float((all if word == "and" else any)([self(part, at) for part in parts]))
            case Choice(yes, test, no):
                chosen, other = self(yes, at), self(no, at)
                return chosen if self(test, at) else other
            case Reduce():
                return self.reduce(node, at)
            case _:
                raise AssertionError(node)

    def element(self, array: Any, places: list[float]) -> float:
        if all(0 <= place < size for place, size in zip(places, array.shape, strict=True)):
            return float(array[tuple(map(int, places))])
        if self.strict:
            raise Outside
        return 0.0

    def reduce(self, node: Reduce, at: Mapping[str, int]) -> float:
        found = []
        for places in itertools.product(*(self.range(binder, at) for binder in node.binders)):
            inner = {**at, **dict(zip((b.letter for b in node.binders), places, strict=True))}
            if node.condition is not None and not self(node.condition, inner):
                continue
            kept, self.strict = self.strict, node.kind in ("max", "min", "mean")
            try:
                found.append(self(node.body, inner))
            except Outside:
                pass
            finally:
                self.strict = kept
        match node.kind:
            case "sum":
                return sum(found)
            case "prod":
                return math.prod(found)
            case "mean":
                return sum(found) / len(found) if found else math.nan
            case "max":
                return max(found, default=-math.inf)
            case _:
                return min(found, default=math.inf)

    def range(self, binder: Binder, at: Mapping[str, int]) -> range:
        if binder.low is None or binder.high is None:
            return range(self.sizes[LETTERS[binder.letter]])
        return range(int(self(binder.low, at)), int(self(binder.high, at)) + 1)


def terms(*atoms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    wraps = ["({})", "exp(-({}))", "({})^2", "max({}, 1)", "({} if x_i > y_j else 1)",
             "[{} > 1 and p < 1]"]  # fmt: skip
    signs = st.sampled_from([" + ", " - ", " ", " / "])
    return st.recursive(
        st.one_of(*atoms),
        lambda inner: st.one_of(
            st.builds("({}){}({})".format, inner, signs, inner),
            st.builds(str.format, st.sampled_from(wraps), inner),
        ),
        max_leaves=4,
    )


def over(own: str, body: st.SearchStrategy[str], *kinds: str) -> st.SearchStrategy[str]:
    """The body under one of the kinds; `own` has all of its letters, so that their ranges are
    known."""
    frames = [f"{kind} ({own} {sign} ({{}}))" for kind in kinds for sign in ("", "+")]
    return st.builds(str.format, st.sampled_from(frames), body)


OUTER = st.sampled_from(
    ["x_i", "y_j", "W_{ij}", "A_{ii}", "p", "2", "0.5", "x_{i+1}", "y_{2j}", "W_{i+1,j-1}",
     "W_{i,0}", "T_{i,1,0}", "y_{t_i}", "W_{i,t_i}", "i", "j"]
)  # fmt: skip
WITH_B = st.sampled_from(["y_b", "W_{ib}", "[j <= b]", "y_{b-j}", "V_{b,1}", "T_{i,b,j}"])
WITH_A = st.sampled_from(
    ["x_a", "A_{ia}", "A_{ai}", "W_{aj}", "[i = a]", "[x_i > x_a]", "x_{a-1}", "W_{a,t_i+1}"]
)
WITH_L = st.sampled_from(["V_{jl}", "T_{ijl}"])
WITH_AB = st.sampled_from(["W_{ab}", "x_a y_b", "T_{a,b,0}"])
OVER_B = over(
    "y_b", terms(WITH_B, WITH_B, OUTER), "sum_b", "min_{{b}}", "max_{{b <= j}}", "sum_{{b=0}}^{{j}}"
)
TEXTS = terms(
    OUTER,
    OVER_B,
    over("V_{{jl}}", terms(WITH_L, OUTER), "sum_l", "mean_l"),
    over("W_{{ab}}", terms(WITH_A, WITH_B, WITH_AB), "sum_{{a, b}}", "mean(a, b)"),
    over(
        "x_a",
        terms(WITH_A, WITH_A, OUTER, OVER_B),
        *("sum_a", "max_a", "mean_a", "prod_a", "sum_{{a != i}}", "mean_{{a: x_a > x_i}}"),
        *("sum_{{a=0}}^{{i}}", "sum_{{a=0}}^{{1}}"),
    ),
)


@pytest.mark.slow
@given(TEXTS, st.sampled_from(["ij", "ji"]))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_what_is_computed_at_once_equals_what_is_computed_entry_by_entry(
    text: str, letters: str
) -> None:
    samples = tuple(
        {name: np.shape(value) for name, value in values(sizes, 0).items()}
        | {"q": tuple(sizes[LETTERS[letter]] for letter in letters)}
        for sizes in SIZES
    )
    shapes = {name: axes for name, axes in samples[0].items() if name != "q"}
    context = Context(shapes, "q", samples[0]["q"], samples=samples)
    reading = read(f"q[{','.join(letters)}] = {text}", context, "index")
    if not isinstance(reading, Reading) or reading.others:
        return
    for seed, sizes in enumerate([*SIZES, SIZES[0]]):
        env = values(sizes, seed)
        shape = tuple(sizes[LETTERS[letter]] for letter in letters)
        found = reading.evaluate(env, shape)
        if isinstance(found, Invalid):
            continue
        slow = Slow(env, sizes)
        (step,) = reading.steps
        for place in np.ndindex(shape):
            try:
                expected = slow(step.node, dict(zip(letters, place, strict=True)))
            except (ArithmeticError, ValueError):
                continue
            if math.isfinite(expected):
                np.testing.assert_allclose(found[place], expected, 1e-8, 1e-10, err_msg=text)


def reading_of(text: str, numbers: frozenset[str] = frozenset(), **shapes: Any) -> Reading:
    found = read(text, Context(shapes, "q", numbers=numbers))
    assert isinstance(found, Reading), found.message
    return found


@pytest.mark.parametrize(
    "text", ["q = W", "q_ij = W_ij", "q = W^T", "q[j,i] = W[i,j]", "q_i = W_{i0}"]
)
def test_a_value_is_an_array_of_its_own(text: str) -> None:
    W = np.arange(6.0).reshape(2, 3)
    value = reading_of(text, W=(2, 3)).evaluate({"W": W})
    assert isinstance(value, np.ndarray)
    value += 1
    np.testing.assert_array_equal(W, np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("numbers", [frozenset({"N"}), frozenset()])
def test_a_sum_ends_where_its_bound_is_now_though_all_shapes_are_as_before(
    numbers: frozenset[str],
) -> None:
    reading = reading_of("q = sum_{k=1}^{N} k", numbers, N=())
    found = [reading.evaluate({"N": np.asarray(bound)}) for bound in (3, 5, 3)]
    assert list(map(float, found)) == [6, 15, 6]  # type: ignore[arg-type]


def test_a_constant_that_is_not_whole_may_change_without_compiling_anew() -> None:
    reading = reading_of("q_i = c x_i", frozenset({"c"}), c=(), x=(2,))
    for c in (0.5, 1.5, 2.0, 0.25):
        value = reading.evaluate({"c": c, "x": np.ones(2)})
        np.testing.assert_array_equal(value, [c, c])


def test_logdet_is_a_number_among_indices() -> None:
    A = np.eye(2) * 3
    value = reading_of("q_i = x_i logdet(A)", A=(2, 2), x=(2,)).evaluate({"A": A, "x": np.ones(2)})
    np.testing.assert_allclose(value, np.full(2, np.log(9)))


@pytest.mark.parametrize(
    "text",
    ["q_i = max(sum_j W_ij x_j, 0)", "q = \\max(W x, 0)", "q = \\max(x^T x, 0)",
     "q = \\max(\\tr W, 0)", "q = max(x_0, 0)",
     "q = max(x_{t_0}, 0)", "q = \\max(e^{-c}, 0)", "q_i = max(W_{i,t_i}, 0)"],
)  # fmt: skip
def test_an_array_that_observes_what_is_done_with_it_sees_every_piece(text: str) -> None:
    trace = ForwardTrace()
    env = {"W": np.eye(2), "x": np.ones(2), "t": np.array([1, 0]), "c": np.array(0.5)}
    shapes = {name: np.shape(value) for name, value in env.items()}
    reading = reading_of(text, **shapes)
    assert reading.notation != "numpy"
    assert isinstance(reading.evaluate(trace.watch(env)), np.ndarray)
    assert [operation.what for operation in trace.seen] == ["maximum"]
