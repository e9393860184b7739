"""Reading an answer: the notation, the helper lines, the answer line, and what computes it."""

import dataclasses
from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from typing import Any

import numpy as np
from msgspec.structs import replace

from quizzer.notation.choose import choose
from quizzer.notation.compiler.operands import check_crosses
from quizzer.notation.evaluator import Evaluator, quiet
from quizzer.notation.functions import Array
from quizzer.notation.grammar.left import index_letters, with_derivatives
from quizzer.notation.latex import latex, name_of
from quizzer.notation.lexer.names import Doubt, Names
from quizzer.notation.lexer.translate import translate
from quizzer.notation.matrix_sizes import agree
from quizzer.notation.python.drawn import formula_of
from quizzer.notation.python.faults import plain_words
from quizzer.notation.python.run import run
from quizzer.notation.python.text import Program, read_python, with_stars
from quizzer.notation.statements import steps_of
from quizzer.notation.steps import MAX_READINGS, LineReader, Step, index_line, matrix_line
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


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """An answer that could be read."""

    notation: str
    text: str
    names: Names
    steps: tuple[Step, ...] = ()
    program: Program | None = None
    others: tuple["Reading", ...] = ()
    """Other readings of the text, with what to say where their values differ."""
    doubt: Doubt | None = None
    _evaluator: Evaluator = dataclasses.field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_evaluator", Evaluator(self.steps, self.names.context))

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

    def formula(self) -> str | None:
        """What was understood, as LaTeX; of NumPy, what matrix notation reads as the same."""
        if self.program is None:
            return self.latex()
        try:
            node = formula_of(self.program, self.names)
            shown = f"{name_of(self.names.context.asked)} = {latex(node)}" if node else ""
        except RecursionError:
            return None
        again = read(shown, self.names.context, "matrix")
        alike = isinstance(again, Reading) and not again.others and again.latex() == shown
        return shown if alike else None

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
            if self.program is None:
                return self._evaluator(env, shape)
            return _numbers(quiet().run(run, self.program, self.names, env))
        except FaultError as fault:
            return fault.invalid(self.text)
        except RecursionError:
            return Invalid("This is nested too deeply.", code="too-large")
        except MemoryError:
            return Invalid("This needs too much memory.", code="too-large")
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            return Invalid(plain_words(error), code="compute")


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
            program = read_python(text, names)
            return Reading(chosen, text, names, program=program)
        check_crosses(text, names)
        if chosen == "matrix" and len(context.asked_shape or ()) > 2:
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
    readings = list(found.values())
    fitting = [reading for reading in readings if _may_fit(reading)]
    first, *others = fitting or readings
    return dataclasses.replace(first, others=tuple(others), doubt=doubt)


def _may_fit(reading: Reading) -> bool:
    """Whether the lengths of the answer's axes, as far as known, are those that are asked."""
    lengths = reading.steps[-1].lengths
    asked = reading.names.lengths.get(reading.names.context.asked)
    if lengths is None or asked is None:
        return True
    long = [[axis for axis in axes if set(axis) != {1}] for axes in (lengths, asked)]
    return len(long[0]) == len(long[1]) and all(map(agree, *long))


def _attempt(notation: str, text: str, names: Names, reader: LineReader) -> Reading | FaultError:
    try:
        return Reading(notation, text, names, steps_of(text, names, reader, _axes_by_trial))
    except FaultError as fault:
        return fault


def _axes_by_trial(steps: list[Step], names: Names) -> int | None:
    """How many axes the last step's value has: it is worked out for values of the right shapes."""
    rng = np.random.default_rng(0)
    env = {name: rng.uniform(1, 2, shape) for name, shape in names.context.shapes.items()}
    reading = Reading("index", "", names, tuple(steps))
    value = reading.evaluate(env)
    return None if isinstance(value, Invalid) else value.ndim


def same(a: Array, b: Array) -> bool:
    """Whether two readings have one value; most have the very same, which is seen sooner."""
    if a.shape != b.shape:
        return False
    return bool((a == b).all()) or np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)


def _elementwise(text: str, names: Names) -> Reading:
    """LaTeX for an array with more than two axes, such as `\\delta \\odot m`, as NumPy reads it."""
    plain = translate(text)
    try:
        start = plain.text.rfind("=") + 1
        right = with_derivatives(plain[start:], names).text
        program = read_python(plain.text[:start] + with_stars(right), names)
    except FaultError:
        return Reading("matrix", text, names, steps_of(text, names, matrix_line, _axes_by_trial))
    return Reading("matrix", text, names, program=program)


def _depth(text: str) -> int:
    """How deep the brackets are nested."""
    depth = deepest = 0
    for sign in text:
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        deepest = max(deepest, depth)
    return deepest


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
