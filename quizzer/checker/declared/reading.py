"""One formula of a declared checker, read by the notation's reader and worked out on values.

A formula that could only be read as Python is refused: nothing of the author's is executed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.declared.argmax import place_of, without_arg
from quizzer.checker.declared.sizes import SizeError
from quizzer.checker.declared.values import Declaration, Formula
from quizzer.checker.derivative import Array
from quizzer.checker.load import CheckerError
from quizzer.checker.paper import read_math
from quizzer.checker.tracing import as_line, observed_by, watcher_of
from quizzer.notation import Context, Invalid, Reading
from quizzer.notation.compiler.index_ranges import one_size, uses_under
from quizzer.notation.nodes import Name, Node, walk
from quizzer.notation.values import FaultError
from quizzer.text import one_line

Env = Mapping[str, Any]
"""Values by name: inputs, sizes, nodes."""


_OF_SHAPES = ("shape", "index-range", "axes", "indices")
"""Codes of faults for which it helps to see what was declared."""


class Example(Struct, frozen=True):
    """One drawn problem with what has been worked out of it so far."""

    env: dict[str, Any]
    sizes: dict[str, int]


@dataclass(frozen=True)
class Line:
    """A formula that was read."""

    formula: Formula
    reading: Reading
    first: int
    shapes: str = ""
    """The inputs that it uses with their shapes and lines, for a message."""
    _shapes: dict[object, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def node(self) -> Node:
        return self.reading.steps[-1].node

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The names that it needs, its own helper lines left out."""
        steps = self.reading.steps
        own = {step.name for step in steps}
        return tuple(dict.fromkeys(n for step in steps for n in step.used if n not in own))

    def value(
        self, env: Env, sizes: Mapping[str, int], shape: tuple[int, ...] | None = None
    ) -> Array:
        """The formula's value, an array of this `shape` where it is known. Raises CheckerError
        with its line."""
        watcher = watcher_of(env.values())
        if watcher is None:
            return self.unobserved(env, sizes, shape)
        with as_line(self.formula.line):
            return observed_by(self.unobserved(env, sizes, shape), watcher)

    def unobserved(
        self, env: Env, sizes: Mapping[str, int], shape: tuple[int, ...] | None = None
    ) -> Array:
        """The same of values that nothing watches. Raises CheckerError."""
        known = self.formula.ranges or (self._shapes and tuple(sizes.items()) in self._shapes)
        if shape is None and known:
            shape = self.shape(env, sizes)
        value = self.reading.evaluate(env, shape)
        if isinstance(value, Invalid) and shape is None and self._is_in_table(value):
            value = self.reading.evaluate(env, self.shape(env, sizes))
        if isinstance(value, Invalid):
            raise CheckerError(_said(self.formula, value, self.first, self.shapes))
        return value

    def _is_in_table(self, why: Invalid) -> bool:
        """Whether a range that nothing tells is known from the card's table."""
        return why.code == "range" and 0 < len(self.formula.letters) == len(self.formula.shape)

    def shape(self, env: Env, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """The lengths of the axes on the left, by the ranges and by the arrays on the right."""
        key = tuple(sizes.items())
        if key not in self._shapes:
            for letter in self.formula.letters:
                if (begun := self.begins(letter, sizes)) != self.first:
                    raise CheckerError(
                        f"line {self.formula.line}: {letter} begins at {begun}, but the places of "
                        f"an array at {self.first}: let it begin there, or write `index from 1`"
                    )
            self._shapes[key] = tuple(
                self.length(letter, env, sizes) for letter in self.formula.letters
            )
        return self._shapes[key]

    def begins(self, letter: str, sizes: Mapping[str, int]) -> int:
        """The first value of a letter of the left side."""
        for given in self.formula.ranges:
            if given.letter == letter and given.low is not None:
                try:
                    return given.low.value(sizes)
                except SizeError as error:
                    where = f"line {self.formula.line}: the range of {letter}"
                    raise CheckerError(f"{where}: {error}") from None
        return self.first

    def length(self, letter: str, env: Env, sizes: Mapping[str, int]) -> int:
        """How far a letter of the left side runs. Raises CheckerError where nothing tells."""
        formula = self.formula
        for given in formula.ranges:
            if given.letter != letter:
                continue
            try:
                length = given.stop.value(sizes) - self.first
            except SizeError as error:
                raise CheckerError(f"line {formula.line}: the range of {letter}: {error}") from None
            if length < 1:
                raise CheckerError(
                    f"line {formula.line}: {letter} < {given.stop.text} runs over nothing"
                )
            return length
        try:
            uses = uses_under(self.node)
            found = one_size(uses, letter, lambda base: _shape(base, env), None)
        except FaultError as fault:
            raise CheckerError(f"line {formula.line}: {fault.message}") from None
        if found is None:
            return self._in_table(letter, sizes)
        return found

    def _in_table(self, letter: str, sizes: Mapping[str, int]) -> int:
        """The length that the card's table gives an axis. Raises CheckerError."""
        formula = self.formula
        if len(formula.shape) == len(formula.letters):
            try:
                length = formula.shape[formula.letters.index(letter)].value(sizes)
            except SizeError as error:
                shown = one_line(formula.text, 60)
                raise CheckerError(
                    f"line {formula.line}: how far {letter} runs in `{shown}`: {error}"
                ) from None
            if length > 0:
                return length
        raise CheckerError(open_range(formula, letter, self.first))


def read_line(
    formula: Formula,
    declaration: Declaration,
    examples: list[Example],
    together: Mapping[str, int] | None = None,
) -> Line:
    """A formula, read with the names that the examples have by now. Raises CheckerError.

    `together` are the names of its recurrence, with their numbers of axes.
    """
    asked = f"next{formula.name}" if together else formula.name
    below = f"[{','.join(formula.letters)}]" if formula.letters else ""
    right, is_place = without_arg(formula.right)
    text = "\n".join([*formula.before, f"{asked}{below} = {right}"])
    context = context_of(declaration, examples, asked)
    if together:
        axes = {name: (2,) * count for name, count in together.items()}
        context = replace(context, shapes={**context.shapes, **axes})
    reading = read_math(text, context, bool(formula.letters))
    shapes = _shapes(formula, declaration)
    if is_place and isinstance(reading, Reading):
        reading = place_of(reading) or Invalid(
            "argmax goes over one letter and is the whole right side: k_n = argmax_j Z_{nj}"
        )
    if isinstance(reading, Invalid):
        said = _said(formula, reading, declaration.first_index, shapes)
        if together:
            said += (
                f" In a recurrence every array has all its indices: {formula.name}[t,i] = … "
                f"{formula.name}[t-1,j] …"
            )
        raise CheckerError(said)
    return Line(formula, reading, declaration.first_index, shapes)


def _shapes(formula: Formula, declaration: Declaration) -> str:
    return ", ".join(
        f"{given.name} is {' × '.join(size.text for size in given.shape)} (line {given.line})"
        for given in declaration.inputs
        if given.name in formula.uses and given.shape
    )


def context_of(declaration: Declaration, examples: list[Example], asked: str) -> Context:
    """What the reader needs to know: the names that the examples have, and their shapes."""
    first = examples[0].env
    whole = [n for n, v in first.items() if isinstance(v, int) and not isinstance(v, bool)]
    return Context(
        shapes={name: np.shape(value) for name, value in first.items()},
        asked=asked,
        symbols={
            name: symbol
            for name, symbol in declaration.symbols.items()
            if name in first or name == asked
        },
        numbers=frozenset(n for n, v in first.items() if not isinstance(v, np.ndarray)),
        first_index=declaration.first_index,
        samples=tuple({n: np.shape(v) for n, v in each.env.items()} for each in examples),
        values={name: tuple(int(each.env[name]) for each in examples) for name in whole},
        sets=declaration.sets,
    )


def _shape(base: Node, env: Env) -> tuple[int, ...]:
    inner = base
    while not isinstance(inner, Name) and hasattr(inner, "inner"):
        inner = inner.inner
    if isinstance(inner, Name):
        return np.shape(env[inner.name])
    names = [part.name for part in walk(base) if isinstance(part, Name)]
    shape = np.shape(env[names[0]]) if len(names) == 1 else ()
    return shape[::-1]


def _said(formula: Formula, why: Invalid, first: int, shapes: str) -> str:
    """The message for a formula that cannot be read or worked out, with the formula."""
    if why.code == "range":
        letters = (each for each in formula.letters if f"index {each} runs" in why.message)
        open_letter = next(letters, None)
        if open_letter is not None:
            return open_range(formula, open_letter, first)
    shown = one_line(formula.text, 60)
    there = f" Here {shapes}." if shapes and why.code in _OF_SHAPES else ""
    return f"line {formula.line}: in `{shown}`: {why.message}{there}"


def open_range(formula: Formula, letter: str, first: int) -> str:
    """What to say where nothing tells how far a letter of the left side runs."""
    end = "<= N" if first else "< N"
    return (
        f"line {formula.line}: how far {letter} runs is not known from "
        f"`{one_line(formula.text, 60)}`: write it behind the formula, `for {letter} {end}`"
    )
