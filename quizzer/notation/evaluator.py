"""What computes an answer: its lines compiled once for each set of shapes.

Lines that follow each other become one program. Nothing of the text enters it but as a choice among
the operations of this package.
"""

import contextvars
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from quizzer.notation.compiler.index_ranges import Uses
from quizzer.notation.compiler.indexed import Entries
from quizzer.notation.compiler.program import Code, Program, Run, Shape
from quizzer.notation.compiler.wholes import matrix_answer
from quizzer.notation.functions import Array
from quizzer.notation.steps import Step
from quizzer.notation.values import Context, FaultError

_MOST_KEPT = 64
_FLOAT = np.dtype(float)


_QUIET = contextvars.Context()
_QUIET.run(np.seterr, all="ignore")


def quiet() -> contextvars.Context:
    """Where NumPy does not warn of infinity and NaN. It costs less than `np.errstate`."""
    return _QUIET.copy()


class Evaluator:
    """Computes the last of some lines, from the values of the names that they use."""

    def __init__(self, steps: Sequence[Step], context: Context) -> None:
        self.steps = steps
        self.context = context
        self.runs: dict[object, Run] = {}
        self.found: dict[int, Uses] = {}

    @cached_property
    def names(self) -> list[tuple[str, bool, bool]]:
        """The names, each with whether it is a size or constant, and whether an upstream."""
        used = dict.fromkeys(name for step in self.steps for name in step.used)
        numbers, upstreams = self.context.numbers, self.context.upstreams
        return [(name, name in numbers, name in upstreams) for name in used]

    def __call__(self, env: Mapping[str, Any], shape: Shape | None) -> Array:
        """The value. Raises FaultError, ArithmeticError, ValueError or LinAlgError."""
        return quiet().run(self._computed, env, shape)

    def _computed(self, env: Mapping[str, Any], shape: Shape | None) -> Array:
        values: list[Any] = []
        key: list[object] = [shape]
        for name, is_number, is_upstream in self.names:
            value: Any = env.get(name)
            if value is None and is_upstream:
                value = env.get("delta")
            if not isinstance(value, np.ndarray) or value.dtype is not _FLOAT:
                value = _array(value)
            if value is None or value.shape:
                key.append(value if value is None else value.shape)
            else:
                number = value.item()
                key.append(number if is_number and number.is_integer() else ())
                if type(value) is np.ndarray:  # a subclass that watches what is computed goes on
                    value = value[()]
            values.append(value)
        kept = tuple(key)
        run = self.runs.get(kept)
        return run(values) if run is not None else self._first(kept, values, shape)

    def _first(self, key: tuple[object, ...], values: list[Any], shape: Shape | None) -> Array:
        """The value where nothing is compiled for these shapes yet."""
        known = {name: value for (name, *_), value in zip(self.names, values, strict=True)}
        program = Program(known)
        names = {name: code for name, code in program.inputs.items() if known[name] is not None}
        for part, (name, is_number, _) in zip(key[1:], self.names, strict=True):
            if is_number and isinstance(part, float):
                names[name] = program.constant(part)
        run = self._compiled(program, names, shape)
        if program.reusable:
            if len(self.runs) >= _MOST_KEPT:
                self.runs.clear()
            self.runs[key] = run
        return run(values)

    def _compiled(self, program: Program, names: dict[str, Code], shape: Shape | None) -> Run:
        lines: list[Code] = []
        for step in self.steps:
            asked = None if step.helper else shape
            for name in step.used:
                if name not in names:
                    raise FaultError(f"{name} has no value here.", step.node.at, "unknown-name")
            if step.whole:
                code = matrix_answer(program, names, step.node, asked)
            else:
                entries = Entries(program, names, self.context.first_index, self.found)
                code = entries.answer(step.node, step.letters, asked)
            names[step.name] = program.number(code)
            lines.append(names[step.name])
        return program.finished(lines[-1], lines)


def _array(value: Any) -> Any:
    """The value as an array of floats; None where there is none."""
    if value is None:
        return None
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        return np.asarray(np.nan)
