"""Elements of arrays: those at places known beforehand are sliced or taken, others looked up.

Outside of its array an element is 0, and takes no part in a maximum, minimum or mean.
"""

from collections.abc import Sequence
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np

from quizzer.notation.compiler.lettered import Axes, Entry, Lettered, check_cells, sizes_of
from quizzer.notation.compiler.program import Code, Shape
from quizzer.notation.functions import Array
from quizzer.notation.values import FaultError


def read(
    base: Code, places: Sequence[Entry], first: int, lettered: Lettered, at: int | None
) -> tuple[Entry, Entry | None]:
    """The element at the places, and where these lie inside of the array if not everywhere."""
    sizes = sizes_of(places)
    check_cells(sizes.values(), at)
    axes = tuple(sorted(sizes))
    shape = tuple(sizes[axis] for axis in axes)
    if 0 in base.shape:
        return lettered.constant(np.zeros(shape), axes), None
    if any(place.code.fixed is None for place in places):
        return _looked_up(base, places, axes, first, lettered, at)
    sliced = _sliced(base, places, first, lettered)
    if sliced is not None:
        return sliced, None
    flat, inside = _located([lettered.spread(p, axes).fixed for p in places], base.shape, first)
    flat, inside = np.broadcast_to(flat, shape), np.broadcast_to(inside, shape)
    everywhere = bool(np.all(inside))
    outside = np.asarray(0.0)

    def taken(array: Array) -> Any:
        found = array.take(flat)
        return found if everywhere else np.where(inside, found, outside)

    key = ("take", flat.tobytes(), inside.tobytes(), shape)
    code = lettered.program.call(taken, base, shape=shape, key=key)
    return Entry(code, axes), None if everywhere else lettered.constant(inside, axes)


def check_whole(place: Any, at: int | None) -> None:
    if not np.all(place == np.rint(place)):
        raise FaultError("An index must be a whole number.", at, "indices")


def _sliced(base: Code, places: Sequence[Entry], first: int, lettered: Lettered) -> Entry | None:
    """The element as a part of the array, where every index is a number or runs evenly over a
    letter of its own; None otherwise."""
    axes: list[int] = []
    index: list[int | slice] = []
    for place, size in zip(places, base.shape, strict=True):
        values = place.code.fixed - first
        if not np.all((values >= 0) & (values < size)) or len(place.axes) > 1:
            return None
        if not place.axes:
            index.append(int(values))
            continue
        step = int(values[1] - values[0]) if len(values) > 1 else 1
        if not len(values) or step < 1 or place.axes[0] in axes or np.any(np.diff(values) != step):
            return None
        axes += place.axes
        start = int(values[0])
        index.append(slice(start, start + step * len(values), step))
    part = tuple(index)
    shape = tuple(size for entry in places for size in entry.code.shape)
    code = lettered.program.call(
        itemgetter(part), base, shape=shape, key=("slice", repr(part)), view=True
    )
    return Entry(code, tuple(axes))


class _LookUp:
    """The elements at places of which some depend on values."""

    def __init__(self, shape: Shape, places: Sequence[Code], first: int, at: int | None) -> None:
        self.shape = shape
        self.places = places
        self.first = first
        self.at = at
        self.known: Any = 0
        self.varying: list[tuple[int, int]] = []
        self.all_inside = True
        """Whether the places that are fixed are inside."""
        for k, (size, code) in enumerate(zip(shape, places, strict=True)):
            stride = prod(shape[k + 1 :])
            if code.fixed is None:
                self.varying.append((size, stride))
            else:
                place = code.fixed - first
                self.all_inside &= bool(np.all((place >= 0) & (place < size)))
                self.known = self.known + place.astype(np.intp) * stride

    def __call__(self, array: Array, *values: Any) -> Any:
        if not self.all_inside:
            return self.partly(array, values)
        flat = self.known
        for value, (size, stride) in zip(values, self.varying, strict=True):
            counted = value - self.first if self.first else value
            place = counted.astype(np.intp) % size
            if not (place == counted).all():  # it is outside, or no whole number
                return self.partly(array, values)
            flat = place * stride + flat
        return array.take(flat) if np.ndim(flat) else array.reshape(-1)[flat]

    def partly(self, array: Array, values: Sequence[Any]) -> Any:
        """The elements where some places are outside, or no places at all."""
        for value in values:
            check_whole(value, self.at)
        flat, inside = self.located(values)
        return np.where(inside, array.take(flat), 0.0)

    def located(self, values: Sequence[Any]) -> tuple[Array, Array]:
        given = iter(values)
        every = [next(given) if code.fixed is None else code.fixed for code in self.places]
        return _located(every, self.shape, self.first)


def _looked_up(
    base: Code, places: Sequence[Entry], axes: Axes, first: int, lettered: Lettered, at: int | None
) -> tuple[Entry, Entry]:
    sizes = sizes_of(places)
    full = tuple(sizes[axis] for axis in axes)
    spread = [lettered.spread(place, axes) for place in places]
    look = _LookUp(base.shape, spread, first, at)

    def within(*values: Any) -> Array:
        return np.broadcast_to(look.located(values)[1], full)

    given = [code for code in spread if code.fixed is None]
    key = (base.shape, first, *(code.place for code in spread))
    call = lettered.program.call
    found = call(look, base, *given, shape=full, key=("look", key))
    inside = call(within, *given, shape=full, key=("within", key), truth=True)
    return Entry(found, axes), Entry(inside, axes)


def _located(values: Sequence[Any], shape: Shape, first: int) -> tuple[Array, Array]:
    """The places in the flat array, and where the indices are inside of it."""
    inside: Array = np.asarray(True)
    places = []
    for value, size in zip(values, shape, strict=True):
        place = np.asarray(value) - first
        inside = inside & (place >= 0) & (place < size)
        places.append(np.clip(place, 0, size - 1).astype(int))
    return np.ravel_multi_index(np.broadcast_arrays(*places), shape), inside
