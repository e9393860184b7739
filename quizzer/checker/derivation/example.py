"""The smallest counter-example to a wrong line: few entries, small numbers, and still wrong.

Lines that are right stay right there, so that numbers which the card does not mean refute nothing.
Runs only inside a sandboxed process.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.declared.build import read_source
from quizzer.checker.declared.samples import draw_small
from quizzer.checker.derivation import objectives
from quizzer.checker.derivation.derived import Example, Known, Small
from quizzer.checker.derivation.lines import Lines
from quizzer.checker.derivation.nearby import names_in
from quizzer.checker.derivation.slopes import Scene
from quizzer.checker.derivative import Array
from quizzer.checker.instance import (
    Instance,
    Truth,
    Value,
    draw_inputs,
    is_symmetric,
    is_variable,
    work_out,
)
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.opening import opened
from quizzer.checker.source import Declared, Source
from quizzer.checker.truth import closed_forms
from quizzer.notation.grammar.partials import LOSS

Inputs = dict[str, Value]
LENGTHS = (1, 2, 3)
_MOST_POINTS = 8
_MOST_SHRUNK = 10
_MOST_SHOWN = 4
_DRAWS = 12
_APART = 1e-3


class _Point(Struct, frozen=True):
    inputs: Inputs
    upstreams: dict[str, Array]


class _Seen(Struct, frozen=True):
    scene: Scene
    lines: Lines
    known: Known


Work = Callable[[Instance], Lines]


def smallest(
    source: Source, small: Small, instances: Sequence[Instance], work: Work
) -> Example | None:
    """The example; None where none of a few points is one. `work` reads the text at a point."""
    checker = opened(source)
    found: tuple[_Point, _Seen] | None = None
    for point in islice(_points(source, checker, instances), _MOST_POINTS):
        seen = _refuted(checker, point, small, work)
        if seen is not None:
            found = point, seen
            break
    if found is None:
        return None
    for name, place in islice(_entries(found[0]), _MOST_SHRUNK):
        for number in (0.0, 1.0):
            simpler = _with_number(found[0], name, place, number)
            seen = None if simpler is None else _refuted(checker, simpler, small, work)
            if simpler is not None and seen is not None:
                found = simpler, seen
                break
    return _shown(found[1], small)


# Points


def _points(source: Source, checker: Checker, instances: Sequence[Instance]) -> Iterator[_Point]:
    """Problems, the smallest first: small sizes where they can be had, and small numbers."""
    rng = np.random.default_rng(0)
    if isinstance(source, Declared) and not source.is_partial:
        declaration = read_source(source)
        for lengths in ((1,), (2,), LENGTHS, (3, 2)):
            with suppress(CheckerError, ArithmeticError, ValueError, IndexError):
                yield _point(draw_small(declaration, rng, lengths), instances)
    drawn = []
    for _ in range(_DRAWS):
        with suppress(CheckerError):
            drawn.append(draw_inputs(checker, rng))
    drawn.sort(key=lambda inputs: sum(np.size(value) for value in inputs.values()))
    for inputs in drawn:
        yield _point({name: _rounded(value) for name, value in inputs.items()}, instances)
        yield _point(inputs, instances)


def _point(inputs: Inputs, instances: Sequence[Instance]) -> _Point:
    return _Point(inputs, dict.fromkeys(instances[0].upstreams, np.asarray(1.0)))


def _rounded(value: Value) -> Value:
    """Whole numbers that are not 0; what a rounded matrix would lose is kept."""
    if not is_variable(value):
        return value
    array = np.asarray(value, float)
    if is_symmetric(array) or (array.ndim and np.allclose(array.sum(-1), 1)):
        return value
    whole = np.round(2 * array)
    return np.where(whole == 0, np.where(array < 0, -1.0, 1.0), whole)


def _entries(point: _Point) -> Iterator[tuple[str, int]]:
    """What may be made smaller: entries of inputs, and of upstreams."""
    for name, value in (*point.upstreams.items(), *point.inputs.items()):
        if is_variable(value):
            array = np.asarray(value, float)
            whole = np.array_equal(np.round(array), array)
            free = name in point.upstreams or (whole and not is_symmetric(array))
            if free and array.size > 1:
                yield from ((name, place) for place in range(array.size))


def _with_number(point: _Point, name: str, place: int, number: float) -> _Point | None:
    """The point with 0 or 1 in this place, where it is neither yet."""
    values: Mapping[str, Any] = point.upstreams if name in point.upstreams else point.inputs
    array = np.array(values[name], float)
    if array.flat[place] in (0.0, 1.0):
        return None
    array.flat[place] = number
    if name in point.upstreams:
        return replace(point, upstreams={**point.upstreams, name: array})
    return replace(point, inputs={**point.inputs, name: array})


def _refuted(checker: Checker, point: _Point, small: Small, work: Work) -> _Seen | None:
    """The lines at a point where the claim is wrong and all that are right are so too."""
    with suppress(Exception):  # the card's code, away from what it samples
        rng = np.random.default_rng(1)
        instance = work_out(checker, point.inputs, rng)
        for name, value in instance.upstreams.items():
            if name not in point.upstreams or point.upstreams[name].shape != value.shape:
                point.upstreams[name] = np.asarray(rng.choice([1.0, 2.0, -1.0], value.shape))
        upstreams = {name: point.upstreams[name] for name in instance.upstreams}
        closed = {
            name: Truth(value, np.zeros_like(value))
            for name, value in closed_forms(checker, instance).items()
        }
        lines = work(replace(instance, upstreams=upstreams, truths=closed))
        known = lines.known[small.claim]
        every = [lines.known[place] for place in small.right]
        if known is not None and _is_apart(known) and all(map(_is_met, every)):
            target = lines.claims[small.claim].target
            away = None if target is None else objectives.away(target, lines.board)
            return _Seen((away or lines.board.scenes)[0], lines, known)
    return None


def _is_apart(known: Known) -> bool:
    """Whether a line is wrong by more than what could be rounding."""
    (value,), (truth,) = known.values, known.truths
    if not (np.isfinite(value).all() and np.isfinite(truth).all()):
        return False
    if value.shape != truth.shape:
        return value.size != truth.size
    return bool(np.max(np.abs(value - truth), initial=0) > _APART * (1 + np.max(np.abs(truth))))


def _is_met(known: Known | None) -> bool:
    if known is None:
        return False
    (value,), (truth,), (error,) = known.values, known.truths, known.errors
    if value.size != truth.size:
        return False
    bound = 1e-6 * np.max(np.abs(truth), initial=0) + 3 * error + 1e-9
    return bool((np.abs(value.reshape(truth.shape) - truth) <= bound).all())


# What is shown


def _shown(seen: _Seen, small: Small) -> Example:
    claim = seen.lines.claims[small.claim]
    (value,), (truth,) = seen.known.values, seen.known.truths
    names = _needed(seen, small)
    symbols = seen.lines.board.sheet.symbols
    given = [(symbols.get(name, name), _text(seen.scene.values[name])) for name in names]
    assert claim.target is not None
    for name, upstream in seen.scene.upstreams.items():
        if upstream.ndim and _is_about_upstream(seen, small):
            given.append(("δ" if len(seen.scene.upstreams) == 1 else name, _text(upstream)))
    for name in names_in(claim, claim.target, seen.lines.board) if claim.target.way else ():
        if name in claim.steered and name != claim.target.base:
            way = seen.lines.board.way(name, 0, small.choice)
            given.append((f"d{symbols.get(name, name)}", _text(way)))
    given = list(dict.fromkeys(given))
    if value.shape != truth.shape or value.size <= _MOST_SHOWN:
        return Example(tuple(given), _text(truth), _text(value))
    index = np.unravel_index(int(np.argmax(np.abs(value - truth))), value.shape)
    first = seen.lines.board.sheet.first_index
    entry = f"[{', '.join(str(int(i) + first) for i in index)}]"
    return Example(tuple(given), _text(truth[index]), _text(value[index]), entry)


def _needed(seen: _Seen, small: Small) -> list[str]:
    """The inputs that the line and its left side depend on."""
    scene, claim = seen.scene, seen.lines.claims[small.claim]
    assert claim.reading is not None and claim.target is not None
    about = set(names_in(claim, claim.target, seen.lines.board))
    if claim.target.ends is not None:
        about.add(claim.target.ends[0])
    if LOSS in about:
        about |= {*scene.outputs}
    found = [
        name
        for name, value in (*scene.inputs.items(), *scene.free.items())
        if not isinstance(value, str) and any(scene.follows(other, name) for other in about)
    ]
    return found or [name for name in scene.inputs if name in about]


def _is_about_upstream(seen: _Seen, small: Small) -> bool:
    claim = seen.lines.claims[small.claim]
    assert claim.reading is not None and claim.target is not None
    used = names_in(claim, claim.target, seen.lines.board)
    return claim.target.name.startswith("∂L") or bool({"delta", LOSS}.intersection(used))


def _text(value: Any) -> str:
    """`(1, 2)`, `[[1, 0], [0, 1]]`, `0.25`."""
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{array.item():.4g}" if array.dtype.kind == "f" else str(array.item())
    inner = ", ".join(_text(part) for part in array + 0)
    return f"({inner})" if array.ndim == 1 else f"[{inner}]".replace("(", "[").replace(")", "]")
