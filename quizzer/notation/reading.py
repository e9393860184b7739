"""Reading an answer: the notation, the helper lines, the answer line, and what computes it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from quizzer.notation import compiled, matrix_eval, numpy_run, numpy_text
from quizzer.notation.choose import choose
from quizzer.notation.definitions import put_in
from quizzer.notation.functions import Array
from quizzer.notation.left import Left, index_letters, is_asked, parse_left
from quizzer.notation.lines import Line, lines_of, mentions
from quizzer.notation.names import WORD, Doubt, Names
from quizzer.notation.numpy_faults import plain_words
from quizzer.notation.steps import MAX_READINGS, LineReader, Step, index_line, matrix_line
from quizzer.notation.translate import translate
from quizzer.notation.values import (
    LATEX_BREAK,
    MAX_BRACKETS,
    MAX_LENGTH,
    NOTATIONS,
    Context,
    FaultError,
    Invalid,
)

Env = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer that could be read."""

    notation: str
    text: str
    names: Names
    steps: tuple[Step, ...] = ()
    program: numpy_text.Program | None = None
    others: tuple["Reading", ...] = ()
    """Other readings of the text, with what to say where their values differ."""
    doubt: Doubt | None = None
    _compiled: dict[object, compiled.Run] = field(default_factory=dict, compare=False, repr=False)

    def shown(self) -> str:
        """What was understood, with all brackets; read again it means the same."""
        if self.program is not None:
            return self.program.shown()
        try:
            return "\n".join(step.shown() for step in self.steps)
        except RecursionError:
            return self.text

    def latex(self) -> str | None:
        """What was understood, as LaTeX; None for Python."""
        if self.program is not None:
            return None
        try:
            return LATEX_BREAK.join(step.latex() for step in self.steps)
        except RecursionError:
            return None

    def evaluate(
        self, env: Mapping[str, Any], shape: tuple[int, ...] | None = None
    ) -> Array | Invalid:
        """The array of floats that the answer is for these values of the names.

        `shape` is that of the asked array in this instance: ranges and sizes that the text leaves
        open fit themselves to it, but the result may have another. NumPy notation is run as
        Python here, so call this in a confined process only.
        """
        value = self._evaluated(env, shape)
        for other in self.others:
            second = other._evaluated(env, shape)
            if not (isinstance(value, Invalid) or isinstance(second, Invalid)) and not same(
                value, second
            ):
                assert self.doubt is not None
                fault = FaultError(self.doubt.message, self.doubt.at, "ambiguous")
                return replace(fault.invalid(self.text), readings=(self.shown(), other.shown()))
        return value

    def _evaluated(self, env: Env, shape: tuple[int, ...] | None) -> Array | Invalid:
        try:
            with np.errstate(all="ignore"):
                if self.program is not None:
                    return _numbers(numpy_run.run(self.program, self.names, env))
                return _numbers(self._compute(env, shape))
        except FaultError as fault:
            return fault.invalid(self.text)
        except RecursionError:
            return Invalid("This is nested too deeply.", code="too-large")
        except MemoryError:
            return Invalid("This needs too much memory.", code="too-large")
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            return Invalid(plain_words(error), code="compute")

    def _compute(self, env: Mapping[str, Any], shape: tuple[int, ...] | None) -> Array:
        needed = {name for step in self.steps for name in step.used}
        values = {name: _array(env[name]) for name in needed if name in env}
        for upstream in self.names.context.upstreams:
            if upstream in needed and upstream not in env and "delta" in env:
                values[upstream] = _array(env["delta"])
        for step in self.steps:
            asked = None if step.helper else shape
            for name in step.used:
                if name not in values:
                    raise FaultError(f"{name} has no value here.", step.node.at, "unknown-name")
            if not step.whole:
                value = self._indexed(step, values, asked)
            else:
                value = matrix_eval.evaluate(step.node, values, asked)
            values[step.name] = value
        return value

    def _indexed(self, step: Step, values: Env, shape: tuple[int, ...] | None) -> Array:
        """A line in index notation, compiled once for these shapes."""
        numbers = self.names.context.numbers
        used = step.used
        key = (
            step.name,
            shape,
            tuple(values[name].shape for name in used),
            tuple(
                float(values[name])
                for name in used
                if not values[name].ndim and (name in numbers or name in step.bounds)
            ),
        )
        run = self._compiled.get(key)
        if run is None:
            numbers |= step.bounds
            first = self.names.context.first_index
            run = compiled.compiled(step.node, step.letters, values, shape, first, numbers)
            self._compiled[key] = run
        return run(values)


def read(text: str, context: Context, notation: str | None = None) -> Reading | Invalid:
    """The answer as something that computes arrays, or why it cannot be read.

    Nothing is executed. `notation` forces one of `numpy`, `index` and `matrix`.
    """
    if len(text) > MAX_LENGTH:
        return Invalid(f"This is longer than {MAX_LENGTH:,} characters.", code="too-large")
    if _depth(text) > MAX_BRACKETS:
        return Invalid("This is nested too deeply.", code="too-large")
    if not text.strip():
        return Invalid("Nothing is written.", code="empty")
    if notation is not None and notation not in NOTATIONS:
        return Invalid(f"{notation} is no notation: {', '.join(NOTATIONS)}.", code="notation")
    try:
        letters = index_letters(text, context)
        names = Names(context, letters)
        chosen = notation or choose(text, names)
        if chosen == "numpy":
            program = numpy_text.read_python(text, names)
            return Reading(chosen, text, names, program=program)
        if notation is None and chosen == "matrix" and len(context.asked_shape or ()) > 2:
            return _elementwise(text, names)
        reader = index_line if chosen == "index" else matrix_line
        return _read_all(chosen, text, lambda: Names(context, letters), reader)
    except FaultError as fault:
        return fault.invalid(text)
    except RecursionError:
        return Invalid("This is nested too deeply.", code="too-large")


def _read_all(
    notation: str, text: str, fresh: Callable[[], Names], reader: LineReader
) -> Reading | Invalid:
    """The reading with all others that the text has, where some of its places have several."""
    names = fresh()
    first: Reading | FaultError = _attempt(notation, text, names, reader)
    doubts = names.doubts
    if isinstance(first, FaultError) and (first.code != "shape" or not doubts):
        return first.invalid(text)
    if not doubts and isinstance(first, Reading):
        return first
    doubt = next(iter(doubts.values()))
    told = FaultError(doubt.message, doubt.at, "ambiguous")
    counts = [range(each.ways) for each in doubts.values()]
    if isinstance(first, FaultError) or prod(map(len, counts)) > MAX_READINGS:
        return told.invalid(text)
    found = {first.shown(): first}
    for decided in list(product(*counts))[1:]:
        names = fresh()
        names.decided = dict(zip(doubts, decided, strict=True))
        other = _attempt(notation, text, names, reader)
        if isinstance(other, Reading):
            found.setdefault(other.shown(), other)
    _, *others = found.values()
    return replace(first, others=tuple(others), doubt=doubt)


def _attempt(notation: str, text: str, names: Names, reader: LineReader) -> Reading | FaultError:
    try:
        return Reading(notation, text, names, _steps(text, names, reader))
    except FaultError as fault:
        return fault


def same(a: Array, b: Array) -> bool:
    """Whether two readings have one value."""
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)


def _elementwise(text: str, names: Names) -> Reading:
    """LaTeX for an array with more than two axes, such as `\\delta \\odot m`, as NumPy reads it."""
    try:
        program = numpy_text.read_python(translate(text).text, names)
    except FaultError:
        return Reading("matrix", text, names, _steps(text, names, matrix_line))
    return Reading("numpy", text, names, program=program)


def _depth(text: str) -> int:
    """How deep the brackets are nested."""
    depth = deepest = 0
    for sign in text:
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        deepest = max(deepest, depth)
    return deepest


_NEW_NAME = re.compile(rf"{WORD}(?:_\{{[^{{}}]*\}})?(?:\s*\([^()=]*\))?")


def _steps(text: str, names: Names, reader: LineReader) -> tuple[Step, ...]:
    """The lines up to the answer, each read with the names that the lines before define."""
    indexed = reader is index_line
    lines: list[Line] = []
    lefts: list[Left | None] = []
    for line in put_in(lines_of(names.with_phrases(translate(text))), names):
        try:
            left = _left(line, names, indexed)
        except FaultError:
            if not line.leads and not any(left and is_asked(left, names) for left in lefts):
                raise
            continue  # after the answer, or before a ⇒: a remark
        lines.append(line)
        lefts.append(left)
    if not lines:
        raise FaultError("No formula is written here.", None, "unfinished")
    named = [index for index, left in enumerate(lefts) if left and is_asked(left, names)]
    named = [index for index in named if not getattr(lefts[index], "label", False)] or named
    answer = named[-1] if named else _only_answer(lefts, names)
    lefts[answer] = _as_asked(lefts[answer], names)
    _check_heading(lefts[answer], names)
    steps: list[Step] = []
    for index in _in_order(lines, lefts, answer):
        line, left = lines[index], lefts[index]
        if index != answer:
            if left is None:
                if line.leads:
                    continue
                raise FaultError(
                    "A helper line needs its name: s = …", line.right.at(0), "left-side"
                )
            try:
                _define(reader(line, left, names), steps, names, indexed)
            except FaultError:
                if not line.leads and index < answer:
                    raise
            continue
        step = _last_of_chain(line, left, names, reader)
        steps.append(replace(step, name=names.context.asked, helper=False))
    for line, left in zip(lines[answer + 1 :], lefts[answer + 1 :], strict=True):
        if left is None and _is_formula(line, lefts[answer], names, reader):
            raise FaultError(
                "Does this line go on from the one before? Join them, or leave it out.",
                line.right.at(0),
                "ambiguous",
            )
    return tuple(steps)


def _define(step: Step, steps: list[Step], names: Names, indexed: bool) -> None:
    """Adds a helper line, whose name later lines may use."""
    steps.append(replace(step, helper=True))
    axes = _axes_by_trial(steps, names) if indexed and step.whole else step.axes
    names.define(step.name, axes, step.lengths)


def _only_answer(lefts: list[Left | None], names: Names) -> int:
    """Which line is the answer where none is named so: the first without a left side that only
    definitions follow, else the last."""
    bare = [index for index, left in enumerate(lefts) if left is None]
    if len(bare) == 1 and bare[0] < len(lefts) - 1:
        return bare[0]
    return len(lefts) - 1


def _as_asked(left: Left | None, names: Names) -> Left | None:
    """The left side of the answer, where it is the asked name in another spelling: `λ_k` where a
    new λ is asked, `δ_j` where the card's own δ is a number."""
    if left is None or is_asked(left, names):
        return left
    context = names.context
    axes = len(context.asked_shape or ())
    renewed = context.asked.startswith(f"{left.name}_") and left.name not in context.others
    upstream = left.name in context.upstreams and names.axes.get(left.name) == 0
    if renewed or (upstream and axes == len(left.letters) > 0):
        return replace(left, name=context.asked)
    return left


def _in_order(lines: list[Line], lefts: list[Left | None], answer: int) -> list[int]:
    """The lines before the answer, what lines behind it define for it, and the answer."""
    found = list(range(answer + 1))
    for index in range(answer + 1, len(lines)):
        left = lefts[index]
        if left is None:
            continue
        used = (
            place for place, other in enumerate(found) if mentions(lines[other].right, left.name)
        )
        first = next(used, None)
        if first is not None:
            found.insert(first, index)
    return found


def _last_of_chain(line: Line, left: Left | None, names: Names, reader: LineReader) -> Step:
    """The last part of `a = b = c`; where that is only a new name for it, the part before."""
    try:
        return reader(line, left, names)
    except FaultError:
        if not line.before or not _NEW_NAME.fullmatch(line.right.text):
            raise
    return reader(replace(line, right=line.before[-1], before=line.before[:-1]), left, names)


def _is_formula(line: Line, answer: Left | None, names: Names, reader: LineReader) -> bool:
    """Whether the line can be read, with the answer's letters or others; a remark cannot."""
    faults = {_fault(line, left, names, reader) for left in (answer, None)}
    # A missing sum may be told before a word that is no name.
    return "unknown-name" not in faults and bool(faults & {None, "missing-sum", "letter-twice"})


def _fault(line: Line, left: Left | None, names: Names, reader: LineReader) -> str | None:
    """What kind of fault the line has; None where it can be read."""
    try:
        reader(line, left, names)
    except FaultError as fault:
        return fault.code
    return None


def _axes_by_trial(steps: list[Step], names: Names) -> int | None:
    """How many axes the last step's value has: it is worked out for values of the right shapes."""
    rng = np.random.default_rng(0)
    env = {name: rng.uniform(1, 2, shape) for name, shape in names.context.shapes.items()}
    reading = Reading("index", "", names, tuple(steps))
    value = reading.evaluate(env)
    return None if isinstance(value, Invalid) else value.ndim


def _left(line: Line, names: Names, indexed: bool) -> Left | None:
    if line.left is None:
        return None
    left = parse_left(line.left, names, indexed)
    axes = len(names.context.asked_shape or ())
    if is_asked(left, names) and len(left.letters) > axes and "".join(left.letters).isupper():
        left = replace(left, letters=())  # `μ_{ML}`: no indices, but whose estimate it is
    if not indexed and left.letters:
        raise FaultError("Indices on the left belong to index notation.", left.at, "indices")
    return left


def _check_heading(left: Left | None, names: Names) -> None:
    context = names.context
    if left is None or is_asked(left, names):
        return
    if left.name in context.others or left.name in context.shapes:
        raise FaultError(
            f"This defines {left.name}, but {context.asked} is asked here.",
            left.at,
            "left-side",
        )


def _array(value: Any) -> Array:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        return np.asarray(np.nan)


def _numbers(value: Any) -> Array | Invalid:
    if value is None:
        return Invalid("This gives no value: end with the name of the answer.", code="compute")
    try:
        array = np.asarray(value)
    except ValueError:
        return Invalid("The answer is no array: its rows have different lengths.", code="compute")
    if array.dtype.kind not in "fiub":
        return Invalid("The answer is no array of real numbers.", code="compute")
    return np.array(array, float)
