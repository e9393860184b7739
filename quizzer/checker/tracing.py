"""Which pieces of its piecewise operations a forward goes through, and where they tie.

The forward runs on arrays of a class of their own, whose values are those of plain arrays, and each
comparison, maximum, absolute value and the like notes which of its pieces an entry reached. What
leaves NumPy is not seen: `math`, `float(x)`, an index of whole numbers, arrays that were filled
entry by entry.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from types import CodeType, FrameType
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quizzer.checker.load import FILE
from quizzer.checker.requests import OF_CODE

_MOST_POSITIONS = 6  # of a maximum over many entries, those behind count as one piece

Mask = NDArray[np.bool_]


class Operation(Struct, frozen=True):
    """A piecewise operation of a checker: the line, what it does, and the calls that lead there."""

    line: int
    what: str
    path: tuple[str, ...]

    def piece(self, name: str) -> str:
        """The name of one of its pieces: unique in the checker, with the line for its author."""
        path = " ".join(self.path)
        return f"{self.what} in line {self.line} ({name}){OF_CODE}{path}"


class Seen(Struct, frozen=True):
    """One run of an operation: the pieces that its entries reached, and where operands tie."""

    pieces: frozenset[str]
    operands: tuple[NDArray[Any], ...]
    tied: tuple[Mask, ...]
    """For each operand which of its entries tie."""
    is_number: bool
    """Whether the result is 0-d."""
    sides: bytes
    """The same for the same pieces in every entry."""


@dataclass(slots=True)
class ForwardTrace:
    """What one run of a forward went through, in order."""

    seen: dict[Operation, list[Seen]] = field(default_factory=dict)

    def watch(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values, arrays among them as copies that are observed."""
        return {
            name: _observed(value.copy(), self) if isinstance(value, np.ndarray) else value
            for name, value in values.items()
        }

    def ties(self) -> bool:
        """Whether operands of anything tie."""
        return any(mask.any() for _, _, mask in self._meetings())

    def ties_as(self, other: "ForwardTrace") -> bool:
        """Whether all that ties here has the same operands in another run."""
        for runs_here, k, mask in self._meetings():
            operation, place = runs_here
            there = other.seen.get(operation, [])
            if len(there) <= place:
                return False
            here = self.seen[operation][place].operands[k]
            found = there[place].operands[k]
            if found.shape != here.shape or (found[mask] != here[mask]).any():
                return False
        return True

    def _meetings(self) -> Iterator[tuple[tuple[Operation, int], int, Mask]]:
        """Each run of an operation, the place of an operand, and which of its entries tie."""
        for operation, runs in self.seen.items():
            for place, seen in enumerate(runs):
                for k, mask in enumerate(seen.tied):
                    yield (operation, place), k, mask

    def note(self, what: str, seen: Seen) -> None:
        """Keep what an operation of the checker's did, whichever it is that runs now."""
        self.seen.setdefault(_operation(what), []).append(seen)


class Traced(np.ndarray):
    """An array that reports piecewise operations to its trace, with the values of any array."""

    watcher: ForwardTrace | None

    def __array_finalize__(self, source: Any) -> None:
        self.watcher = getattr(source, "watcher", None)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        trace = watcher_of(inputs) or watcher_of(out or ())
        plain = tuple([_plain(value) for value in inputs])
        options = {name: _plain(value) for name, value in options.items()}
        if trace is not None and ufunc in _PIECEWISE:
            with suppress(ValueError, TypeError, IndexError):  # then the operation itself raises
                _observe(trace, ufunc, method, plain, options)
        if out is not None:
            getattr(ufunc, method)(*plain, out=tuple(map(_plain, out)), **options)
            return out[0] if len(out) == 1 else out
        return _wrapped(getattr(ufunc, method)(*plain, **options), trace)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        look = _FUNCTIONS.get(function)
        if look is None:
            return _wrapped(
                super().__array_function__(function, types, args, options), self.watcher
            )
        args, options = _all_plain(args), {name: _plain(v) for name, v in options.items()}
        if self.watcher is not None:
            with suppress(ValueError, TypeError, IndexError):
                self.watcher.note(function.__name__, look(*args, **options))
        return _wrapped(function(*args, **options), self.watcher)

    def __getitem__(self, index: Any) -> Any:
        return _wrapped(super().__getitem__(_plain(index)), self.watcher)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def argmax(self, *args: Any, **options: Any) -> Any:
        return np.argmax(self, *args, **options)

    def argmin(self, *args: Any, **options: Any) -> Any:
        return np.argmin(self, *args, **options)

    def argsort(self, *args: Any, **options: Any) -> Any:
        return np.argsort(self, *args, **options)

    def sort(self, *args: Any, **options: Any) -> None:
        self[...] = np.sort(self, *args, **options)


def watcher_of(values: Iterable[Any]) -> ForwardTrace | None:
    """The trace of the first observed array among values."""
    for value in values:
        if isinstance(value, Traced) and value.watcher is not None:
            return value.watcher
    return None


def observed_by(value: NDArray[Any], trace: ForwardTrace) -> NDArray[Any]:
    """A value whose further use is observed, where what computed it gave a plain array."""
    return _observed(np.asarray(value), trace)


@contextmanager
def as_line(number: int) -> Iterator[None]:
    """Around what a formula line computes: its operations are known by the line and their order,
    as there is no code of a checker's that they could be known by."""
    _line.number, _line.count = number, 0
    try:
        yield
    finally:
        _line.number = 0


@dataclass(slots=True)
class _Line:
    """The formula line that is worked out, and how many operations it has gone through."""

    number: int = 0
    count: int = 0


_line = _Line()


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value.view(np.ndarray) if isinstance(value, Traced) else value


def _all_plain(values: Any) -> Any:
    return tuple([_plain(v) for v in value] if isinstance(value, list) else _plain(value)
                 for value in values)  # fmt: skip


def _observed(array: NDArray[Any], trace: ForwardTrace | None) -> NDArray[Any]:
    traced = array.view(Traced)
    traced.watcher = trace
    return traced


def _wrapped(result: Any, trace: ForwardTrace | None) -> Any:
    """A result whose further use is observed: arrays of numbers, and single floats."""
    if isinstance(result, tuple):
        items = [_wrapped(item, trace) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    if isinstance(result, list):
        return [_wrapped(item, trace) for item in result]
    if isinstance(result, np.floating):
        return _observed(np.asarray(result), trace)
    if isinstance(result, np.ndarray) and result.dtype.kind in "iufc":
        return _observed(result, trace)
    return result


def _operation(what: str) -> Operation:
    """The operation of the checker's that runs now: by line, and by the calls that lead to it,
    so that a helper which is used twice is two operations and a loop is one."""
    if _line.number:
        _line.count += 1
        return Operation(_line.number, what, (f"{_line.number}:{_line.count}",))
    path: list[str] = []
    line = 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == FILE:
            line = line or frame.f_lineno
            path.append(_place(frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return Operation(line, what, tuple(path))


@cache
def _place(code: CodeType, instruction: int) -> str:
    """Where an instruction stands in the source: its number changes as Python warms to it."""
    line, _, column, end = next(islice(code.co_positions(), instruction // 2, None))
    return f"{line}:{column}-{end}"


def _observe(
    trace: ForwardTrace,
    ufunc: np.ufunc,
    method: str,
    plain: tuple[Any, ...],
    options: dict[str, Any],
) -> None:
    if method == "__call__" and ufunc in _OPERATIONS:
        trace.note(ufunc.__name__, _OPERATIONS[ufunc](*plain))
    elif method == "reduce" and ufunc in _REDUCTIONS:
        trace.note(ufunc.__name__, _REDUCTIONS[ufunc](plain[0], options.get("axis", 0)))


def _seen(
    pieces: Iterable[tuple[str, Any]], operands: tuple[NDArray[Any], ...], tied: tuple[Mask, ...]
) -> Seen:
    """What an operation did whose pieces are each reached where a mask holds."""
    named = list(pieces)
    reached = frozenset(name for name, where in named if np.count_nonzero(where))
    is_number = all(np.ndim(where) == 0 for _, where in named)
    sides = b"".join(name.encode() + np.asarray(where, bool).tobytes() for name, where in named)
    return Seen(reached, tuple(map(np.array, operands)), tied, is_number, sides)


def _comparison(a: Any, b: Any, holds: Any) -> Seen:
    a, b = np.broadcast_arrays(a, b)
    equal = np.asarray(a == b)
    return _seen((("true", holds), ("false", ~np.asarray(holds))), (a, b), (equal, equal))


def _comparing(ufunc: np.ufunc) -> Callable[..., Seen]:
    return lambda a, b: _comparison(a, b, ufunc(a, b))


def _choice(a: Any, b: Any) -> Seen:
    """One of two: of a maximum or a minimum."""
    a, b = np.broadcast_arrays(a, b)
    equal = np.asarray(a == b)
    return _seen((("one", a > b), ("the other", a < b)), (a, b), (equal, equal))


def _sign(a: Any) -> Seen:
    a = np.asarray(a)
    return _seen((("positive", a > 0), ("negative", a < 0)), (a,), (np.asarray(a == 0),))


def _clipped(a: Any, low: Any, high: Any) -> Seen:
    a, low, high = np.broadcast_arrays(a, low, high)
    inside = (low < a) & (a < high)
    at_end = np.asarray((a == low) | (a == high))
    pieces = (("below", a < low), ("within", inside), ("above", a > high))
    return _seen(pieces, (a,), (at_end,))


def _condition(condition: Any, *values: Any) -> Seen:
    holds = np.asarray(condition, bool)
    return _seen((("true", holds), ("false", ~holds)), (), ())


def _extreme(best: Callable[..., Any]) -> Callable[..., Seen]:
    """Of a reduction to the largest or smallest: which position it was at."""

    def look(a: Any, axis: Any = None, *rest: Any, **options: Any) -> Seen:
        a = np.asarray(a)
        axes = tuple(range(a.ndim)) if axis is None else tuple(np.atleast_1d(axis))
        moved = np.moveaxis(a, axes, range(-len(axes), 0))
        flat = moved.reshape(*moved.shape[: a.ndim - len(axes)], -1)
        position = np.minimum(best(flat, axis=-1), _MOST_POSITIONS - 1)
        extreme = np.take_along_axis(flat, best(flat, axis=-1)[..., np.newaxis], -1)
        several = (flat == extreme).sum(axis=-1, keepdims=True) > 1
        tied = ((flat == extreme) & several).reshape(moved.shape)
        pieces = [(f"at {k}", position == k) for k in np.unique(position)]
        return _seen(pieces, (a,), (np.moveaxis(tied, range(-len(axes), 0), axes),))

    return look


def _sorting(a: Any, *rest: Any, axis: int | None = -1, **options: Any) -> Seen:
    """Of a sort only where entries tie: it has too many pieces to name."""
    a = np.asarray(a)
    lines = np.moveaxis(a.reshape(-1) if axis is None else a, -1 if axis is None else axis, -1)
    equal = (lines[..., :, np.newaxis] == lines[..., np.newaxis, :]).sum(axis=-1) > 1
    tied = equal.reshape(a.shape) if axis is None else np.moveaxis(equal, -1, axis)
    return _seen((), (a,), (tied,))


_COMPARISONS = (np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal)
_OPERATIONS: dict[np.ufunc, Callable[..., Seen]] = {
    **{ufunc: _comparing(ufunc) for ufunc in _COMPARISONS},
    **dict.fromkeys((np.maximum, np.minimum, np.fmax, np.fmin), _choice),
    **dict.fromkeys((np.absolute, np.fabs, np.sign), _sign),
    np.heaviside: lambda a, _: _sign(a),
}
_REDUCTIONS: dict[np.ufunc, Callable[..., Seen]] = {
    np.maximum: _extreme(np.argmax),
    np.minimum: _extreme(np.argmin),
}
_FUNCTIONS: dict[Any, Callable[..., Seen]] = {
    np.where: _condition,
    np.argmax: _extreme(np.argmax),
    np.argmin: _extreme(np.argmin),
    np.sort: _sorting,
    np.argsort: _sorting,
    np.partition: _sorting,
    np.argpartition: _sorting,
}
with suppress(AttributeError):  # NumPy 2 has it as a ufunc of its own
    _OPERATIONS[np._core.umath.clip] = _clipped  # type: ignore[attr-defined]
_PIECEWISE = _OPERATIONS.keys() | _REDUCTIONS.keys()
