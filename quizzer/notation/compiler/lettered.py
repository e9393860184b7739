"""Values over index letters: each letter that a value depends on is an axis of its array.

The axes lie in any order. Two values are brought together as NumPy broadcasts them, and a sum over
the product of two is a matrix product where it can be one.
"""

import operator
from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct

from quizzer.notation.compiler.program import Code, Function, Program
from quizzer.notation.values import MAX_CELLS, FaultError

Axes = tuple[int, ...]


class Axis(Struct, frozen=True):
    """A letter's number, which no other letter in scope has, and its values from `start` on."""

    number: int
    start: int
    size: int


class Entry(Struct, frozen=True):
    """A value, and the letters that its axes are."""

    code: Code
    axes: Axes = ()

    @property
    def sizes(self) -> dict[int, int]:
        return dict(zip(self.axes, self.code.shape, strict=True))


def sizes_of(entries: Iterable[Entry]) -> dict[int, int]:
    """The size of every letter that one of the values depends on."""
    return {axis: size for entry in entries for axis, size in entry.sizes.items()}


def check_cells(sizes: Iterable[int], at: int | None) -> None:
    cells = prod(sizes)
    if cells > MAX_CELLS:
        raise FaultError(
            f"This needs {cells:,} cells at once, more than {MAX_CELLS:,}.", at, "too-large"
        )


class Lettered:
    """What is computed of values over letters."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def constant(self, value: Any, axes: Axes = ()) -> Entry:
        return Entry(self.program.constant(value), axes)

    def values_of(self, axis: Axis) -> Entry:
        """A letter where its value is meant."""
        values = np.arange(axis.start, axis.start + axis.size, dtype=float)
        return self.constant(values, (axis.number,))

    def number(self, entry: Entry) -> Entry:
        return Entry(self.program.number(entry.code), entry.axes)

    def truth(self, entry: Entry) -> Entry:
        if entry.code.truth:
            return entry
        zero = self.program.constant(0.0)
        code = self.program.call(operator.ne, entry.code, zero, shape=entry.code.shape, truth=True)
        return Entry(code, entry.axes)

    def apply(self, function: Function, entry: Entry) -> Entry:
        """A function of every cell."""
        code = self.program.number(entry.code)
        return Entry(self.program.call(function, code, shape=code.shape), entry.axes)

    def combine(
        self, function: Function, a: Entry, b: Entry, at: int | None, truth: bool = False
    ) -> Entry:
        """A function of two values, cell by cell."""
        return self.join(function, (self.number(a), self.number(b)), at, truth)

    def join(
        self, function: Function, entries: Sequence[Entry], at: int | None, truth: bool = False
    ) -> Entry:
        """A function of several values of the kinds that it takes, cell by cell."""
        sizes = sizes_of(entries)
        check_cells(sizes.values(), at)
        widest = max(entries, key=lambda entry: len(entry.axes)).axes
        axes = widest if len(widest) == len(sizes) else tuple(sorted(sizes))
        codes = [self.spread(entry, axes) for entry in entries]
        shape = tuple(sizes[axis] for axis in axes)
        return Entry(self.program.call(function, *codes, shape=shape, truth=truth), axes)

    def ordered(self, entry: Entry, axes: Axes) -> Code:
        """The value with exactly these axes, in this order."""
        return self.program.transposed(entry.code, tuple(entry.axes.index(axis) for axis in axes))

    def spread(self, entry: Entry, axes: Axes) -> Code:
        """The value as it is broadcast over these axes, its own and others."""
        own = tuple(axis for axis in axes if axis in entry.axes)
        code = self.ordered(entry, own)
        if not own or own == axes[-len(own) :]:
            return code
        sizes = entry.sizes
        behind = axes[axes.index(own[0]) :]
        return self.program.reshaped(code, tuple(sizes.get(axis, 1) for axis in behind))

    def over(self, entry: Entry, sizes: dict[int, int]) -> Entry:
        """The value with these axes too, along which it does not change."""
        for axis, size in sizes.items():
            if axis not in entry.axes:
                entry = self.combine(
                    operator.mul, entry, self.constant(np.ones(size), (axis,)), None
                )
        return entry

    def reduce(self, function: Function, entry: Entry, summed: dict[int, int]) -> Entry:
        """A reduction over letters, of which each has its size."""
        entry = self.over(self.number(entry), summed)
        axes = tuple(axis for axis in entry.axes if axis not in summed)
        places = tuple(k for k, axis in enumerate(entry.axes) if axis in summed)
        sizes = entry.sizes
        where = None if not axes else places[0] if len(places) == 1 else places
        code = self.program.call(
            lambda array: function(array, where),
            entry.code,
            shape=tuple(sizes[axis] for axis in axes),
            key=(function, where),
        )
        return Entry(code, axes)

    def choose(self, test: Entry, yes: Entry, no: Entry, at: int | None) -> Entry:
        return self.join(np.where, (self.truth(test), self.number(yes), self.number(no)), at)

    # Sums of products

    def total(
        self, factors: list[Entry], divisors: list[Entry], summed: dict[int, int], at: int | None
    ) -> Entry:
        """The sum over letters of a product of factors, by others that have none of the letters."""
        factors = [self.number(factor) for factor in factors]
        over = set(summed)
        outside = [factor for factor in factors if not over & set(factor.axes)]
        inside = [factor for factor in factors if over & set(factor.axes)]
        found = {axis for factor in inside for axis in factor.axes}
        count = prod(size for axis, size in summed.items() if axis not in found)
        rest = {axis: size for axis, size in summed.items() if axis in found}
        if inside:
            outside = [self.contracted(inside, rest, at), *outside]
        if count != 1 or not outside:
            outside.append(self.constant(float(count)))
        total = outside[0]
        for factor in outside[1:]:
            total = self.combine(operator.mul, total, factor, at)
        for divisor in divisors:
            total = self.combine(operator.truediv, total, divisor, at)
        return total

    def contracted(self, factors: list[Entry], summed: dict[int, int], at: int | None) -> Entry:
        """The sum of the product, of which the two smallest factors are multiplied first."""
        while len(factors) > 1:
            a, b = min(
                ((a, b) for k, a in enumerate(factors) for b in factors[k + 1 :]),
                key=lambda pair: prod(sizes_of(pair).values()),
            )
            others = [factor for factor in factors if factor is not a and factor is not b]
            elsewhere = {axis for factor in others for axis in factor.axes}
            here = {axis: size for axis, size in summed.items() if axis not in elsewhere}
            factors = [self.product(a, b, here, at), *others]
        left = {axis: size for axis, size in summed.items() if axis in factors[0].axes}
        return self.reduce(np.add.reduce, factors[0], left) if left else factors[0]

    def product(self, a: Entry, b: Entry, summed: dict[int, int], at: int | None) -> Entry:
        """The product of two, summed over the letters that no other factor has."""
        common = [axis for axis in a.axes if axis in b.axes]
        together = tuple(axis for axis in common if axis in summed)
        if not together:
            return self.combine(operator.mul, a, b, at)
        kept = tuple(axis for axis in common if axis not in summed)
        rows = tuple(axis for axis in a.axes if axis not in common)
        columns = tuple(axis for axis in b.axes if axis not in common)
        if kept and not (rows and columns):
            every = {axis: summed[axis] for axis in together}
            return self.reduce(np.add.reduce, self.combine(operator.mul, a, b, at), every)
        if not rows and not columns:
            return self.inner(a, b, together)
        if columns and rows > columns:
            a, b, rows, columns = b, a, columns, rows
        first = self.grouped(a, kept, (rows, together))
        second = self.grouped(b, kept, (together, columns))
        sizes = sizes_of((a, b))
        ends = tuple(prod(sizes[axis] for axis in group) for group in (rows, columns) if group)
        shape = (*(sizes[axis] for axis in kept), *ends)
        multiply = np.matmul if kept else np.dot
        code = self.program.call(multiply, first, second, shape=shape)
        axes = kept + rows + columns
        return Entry(self.program.reshaped(code, tuple(sizes[axis] for axis in axes)), axes)

    def inner(self, a: Entry, b: Entry, axes: Axes) -> Entry:
        multiply = np.dot if len(axes) == 1 else np.vdot
        first, second = self.ordered(a, axes), self.ordered(b, axes)
        return Entry(self.program.call(multiply, first, second, shape=()))

    def grouped(self, entry: Entry, kept: Axes, groups: tuple[Axes, Axes]) -> Code:
        """The value with each group of its axes as one axis; an empty group is none."""
        code = self.ordered(entry, kept + groups[0] + groups[1])
        sizes = entry.sizes
        ends = tuple(prod(sizes[axis] for axis in group) for group in groups if group)
        return self.program.reshaped(code, (*(sizes[axis] for axis in kept), *ends))
