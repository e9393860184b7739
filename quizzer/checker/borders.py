"""Inputs beside a border: where an operation of the forward is about to change its piece, or an
entry of an input or output its sign.

Random problems seldom come near a border, and so would not show that a piece of an answer ends a
little before it or behind it.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.branches import generator, observed
from quizzer.checker.instance import Value, draw_inputs, is_variable
from quizzer.checker.load import Checker, CheckerError

_MOST_IN_VAIN = 10
_MOST_DRAWS = 200
_MOST_NUMBER = 2**32
_HALVINGS = 16
_APART = ((1e-4, 1e-3), (1e-3, 1e-2))
"""How far from a border, as shares of the way from one sample to another."""
_FASTEST, _ROUNDING = 8.0, 1e-3
"""How far an input may move, relative to its size, over a whole way if it went on like that."""
_REAL = (
    *("random", "uniform", "triangular", "beta", "dirichlet", "power", "vonmises"),
    *("normal", "standard_normal", "multivariate_normal", "lognormal", "wald", "logistic"),
    *("exponential", "standard_exponential", "gamma", "standard_gamma", "laplace", "gumbel"),
    *("chisquare", "noncentral_chisquare", "f", "noncentral_f", "standard_t", "standard_cauchy"),
    *("pareto", "rayleigh", "weibull"),
)
"""What draws real numbers, between any two of which lie numbers that it may draw, too."""

Inputs = dict[str, Value]
Sides = dict[tuple[str, ...], bytes]
"""On which side of its borders each operation, input and output is, entry by entry."""


class _Between(np.random.Generator):
    """Draws real numbers between those of two generators, and whatever else the first one does."""

    def __init__(self, here: int, there: int, share: float) -> None:
        super().__init__(generator(here).bit_generator)
        self.there = np.random.default_rng(there)
        self.share = share


def _mixing(name: str) -> Callable[..., Any]:
    def draw(self: _Between, *args: Any, **options: Any) -> Any:
        here = getattr(np.random.Generator, name)(self, *args, **options)
        there = getattr(self.there, name)(*args, **options)
        mixed = (1 - self.share) * here + self.share * there
        return np.asarray(mixed) if isinstance(here, np.ndarray) else mixed

    return draw


for _name in _REAL:
    setattr(_Between, _name, _mixing(_name))


class _Way(Struct, frozen=True):
    """From one sample to another, by samples: so nothing that the checker's inputs have in common,
    a fixed length or the inverse of another one, is lost on it. In a declared checker, it may lead
    through inputs that do not meet every `need`."""

    checker: Checker
    here: int
    there: int

    def at(self, share: float) -> Inputs:
        drawing = replace(self.checker, sample=self.checker.draw or self.checker.sample)
        return draw_inputs(drawing, _Between(self.here, self.there, share))


def beside_borders(checker: Checker, rng: "np.random.Generator", end: float) -> Iterator[Inputs]:
    """Inputs a little before and a little behind borders on the ways between samples.

    They end when a few ways in a row cross no border, or when this much processor time is spent.
    """
    in_vain = 0
    while in_vain < _MOST_IN_VAIN and time.process_time() <= end:
        found = list(_beside_one(checker, rng, end))
        in_vain = 0 if found else in_vain + 1
        yield from found


def _beside_one(checker: Checker, rng: "np.random.Generator", end: float) -> Iterator[Inputs]:
    """Inputs on both sides of one border, at each distance, that are samples."""
    with suppress(CheckerError):
        way = _Way(checker, _end(checker, rng, end), _end(checker, rng, end))
        border = _border(way, rng, end)
        for ends in _APART if border else ():
            apart = np.exp(rng.uniform(*np.log(ends)))
            for share in (max(border - apart, 0.0), min(border + apart, 1.0)):
                inputs = way.at(share)
                if _meets(checker, inputs):
                    yield inputs


def _end(checker: Checker, rng: "np.random.Generator", end: float) -> int:
    """The seed of a draw that is a sample; of any, if hardly one is. Raises CheckerError."""
    number = int(rng.integers(_MOST_NUMBER))
    for _ in range(_MOST_DRAWS):
        is_sample = checker.draw is None or _meets(checker, _Way(checker, number, number).at(0.0))
        if is_sample or time.process_time() > end:
            break
        number = int(rng.integers(_MOST_NUMBER))
    return number


def _meets(checker: Checker, inputs: Inputs) -> bool:
    return checker.meets is None or checker.meets(inputs)


def _border(way: _Way, rng: "np.random.Generator", end: float) -> float | None:
    """How far along the way something changes its side; None if nothing does, if the inputs jump
    there, since a sample was rejected, or if time is up."""
    before, behind = way.at(0.0), way.at(1.0)
    first, last = _sides(way.checker, before), _sides(way.checker, behind)
    changed = [what for what in first if last.get(what) != first[what]]
    in_code = [what for what in changed if len(what) > 1]
    if not changed:
        return None
    wanted = in_code if in_code and rng.random() < 0.5 else changed
    what = wanted[int(rng.integers(len(wanted)))]
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        inputs = way.at(middle)
        if _sides(way.checker, inputs).get(what) == first[what]:
            low, before = middle, inputs
        else:
            high, behind = middle, inputs
        if time.process_time() > end or not _is_near(before, behind, high - low):
            return None
    return high


def _is_near(here: Inputs, there: Inputs, apart: float) -> bool:
    """Whether no variable among inputs jumps between places so far apart on a way."""
    reach = _FASTEST * apart + _ROUNDING
    for name, value in here.items():
        if is_variable(value):
            a, b = np.asarray(value, float), np.asarray(there[name], float)
            if a.shape != b.shape or (np.abs(a - b) > reach * np.abs(a).max(initial=0.0)).any():
                return False
    return True


def _sides(checker: Checker, inputs: Mapping[str, Any]) -> Sides:
    outputs, trace = observed(checker, inputs)
    moving = {name: value for name, value in inputs.items() if is_variable(value)}
    found: Sides = {
        (name,): np.sign(np.asarray(value, float)).tobytes()
        for name, value in (moving | outputs).items()
    }
    for operation, runs in trace.seen.items():
        what = (operation.what, str(operation.line), *operation.path)
        found[what] = b"".join(run.sides for run in runs)
    return found
