"""A formula as a list of NumPy calls, each on values that are kept by their number.

Shapes are known while the list is made. Calls whose arguments are the same for all values are made
at once, the same call twice is made once, and what nothing needs is left out.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import attrgetter, itemgetter, methodcaller
from typing import Any

import numpy as np
from msgspec import Struct

from quizzer.notation.functions import Array

Function = Callable[..., Any]
Run = Callable[[list[Any]], Array]
Shape = tuple[int, ...]
_Call = tuple[int, Function, int, int]
"""Where the value goes, the function, and the places of its arguments: -1 for none."""


class Code(Struct, frozen=True):
    """A value of the program: its place, its shape, and the value where it is always the same.

    Numbers are NumPy's scalars, which are faster than arrays without axes.
    """

    place: int
    shape: Shape
    fixed: Any = None
    truth: bool = False
    """Whether it holds truth values, which are numbers only after `Program.number`."""
    shared: bool = False
    """Whether it may lie in the memory of an input."""


class Program:
    """The calls that were asked for so far, for inputs with these values or others like them."""

    def __init__(self, inputs: Mapping[str, Any]) -> None:
        self.frame: list[Any] = list(inputs.values())
        self.inputs = {
            name: Code(place, np.shape(value), shared=True)
            for place, (name, value) in enumerate(inputs.items())
        }
        self.calls: list[tuple[int, Function, tuple[int, ...]]] = []
        self.made: dict[object, Code] = {}
        self.reusable = True
        """Whether no shape depends on the values of these inputs."""

    def constant(self, value: Any) -> Code:
        array = np.asarray(value)
        truth = array.dtype == bool
        kept = (array if truth else array.astype(float))[()]
        if array.ndim:
            return Code(self._keep(kept), array.shape, kept, truth)
        key = ("constant", truth, repr(kept))
        if key not in self.made:
            self.made[key] = Code(self._keep(kept), (), kept, truth)
        return self.made[key]

    def call(
        self,
        function: Function,
        *arguments: Code,
        shape: Shape,
        key: object = None,
        truth: bool = False,
        view: bool = False,
    ) -> Code:
        """The value of a function of values. Functions made here are told apart by their `key`."""
        places = tuple(argument.place for argument in arguments)
        name = (key or function, places)
        if name in self.made:
            return self.made[name]
        if all(argument.fixed is not None for argument in arguments):
            code = self.constant(function(*(argument.fixed for argument in arguments)))
        else:
            shared = view and any(each.shared or each.fixed is not None for each in arguments)
            code = Code(self._keep(None), shape, None, truth, shared)
            self.calls.append((code.place, function, places))
        self.made[name] = code
        return code

    def number(self, code: Code) -> Code:
        """Truth values as 1 and 0."""
        if not code.truth:
            return code
        convert = _as_floats if code.shape else np.float64
        return self.call(convert, code, shape=code.shape)

    def transposed(self, code: Code, order: Shape) -> Code:
        count = len(order)
        if order == tuple(range(count)):
            return code
        backwards = order == tuple(range(count))[::-1]
        return self.call(
            attrgetter("T") if backwards else methodcaller("transpose", order),
            code,
            shape=tuple(code.shape[axis] for axis in order),
            key=("transpose", order),
            truth=code.truth,
            view=True,
        )

    def reshaped(self, code: Code, shape: Shape) -> Code:
        if code.shape == shape:
            return code
        turn: Function = methodcaller("reshape", shape)
        if not code.shape:
            turn = partial(np.reshape, shape=shape)
        elif not shape:
            turn = itemgetter((0,) * len(code.shape))
        return self.call(
            turn, code, shape=shape, key=("reshape", shape), truth=code.truth, view=True
        )

    def value_of(self, code: Code) -> Any:
        """The value for these inputs, for a shape that depends on it."""
        if code.fixed is not None:
            return code.fixed
        self.reusable = False
        frame = self.frame.copy()
        _run(self._needed(code), frame)
        return frame[code.place]

    def finished(self, result: Code, helpers: Iterable[Code] = ()) -> Run:
        """What computes the result, an array of its own; helpers are computed too, as they may
        raise."""
        result = self.number(result)
        shared = result.shared or result.fixed is not None
        own = partial(np.array, subok=True) if shared else np.asanyarray
        calls = self._needed(result, *helpers)
        template = self.frame[len(self.inputs) :]
        place = result.place

        def run(values: list[Any]) -> Array:
            frame = [*values, *template]
            _run(calls, frame)
            return own(frame[place])

        return run

    def _needed(self, *results: Code) -> list[_Call]:
        """The calls that the results need, ready to run."""
        needed = {result.place for result in results}
        calls: list[_Call] = []
        for place, function, places in reversed(self.calls):
            if place in needed:
                needed.update(places)
                match places:
                    case (first,):
                        calls.append((place, function, first, -1))
                    case (first, second):
                        calls.append((place, function, first, second))
                    case _:
                        calls.append((place, _of_many(function, places), -1, -1))
        return calls[::-1]

    def _keep(self, value: Any) -> int:
        self.frame.append(value)
        return len(self.frame) - 1


def _run(calls: list[_Call], frame: list[Any]) -> None:
    for place, function, first, second in calls:
        if second >= 0:
            frame[place] = function(frame[first], frame[second])
        elif first >= 0:
            frame[place] = function(frame[first])
        else:
            frame[place] = function(frame)


def _of_many(function: Function, places: tuple[int, ...]) -> Function:
    return lambda frame: function(*[frame[place] for place in places])


def _as_floats(truth: Array) -> Array:
    return truth.astype(float)
