"""`optimum w: L`: what is asked minimises a formula, or with `maximum` maximises it.

The author's own answer is certified by L alone: it is feasible, no slope is left in any feasible
direction, and L is nowhere found to be less, neither near by, nor far away, nor by descending from
there. Where the author does not say `unique`, any answer is right that is as good.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from msgspec.structs import replace

from quizzer.checker.declared.feasible import is_feasible
from quizzer.checker.declared.landscape import ROUNDING, Problem, Values
from quizzer.checker.declared.program import Program, program_of
from quizzer.checker.declared.reading import context_of
from quizzer.checker.declared.sought import dependent
from quizzer.checker.declared.values import Claim, Declaration, Input, Sought
from quizzer.checker.derivative import Array
from quizzer.checker.load import CheckerError
from quizzer.checker.paper import read_math
from quizzer.checker.tracing import as_line
from quizzer.notation import Invalid, Reading

_CERTIFIED = 2
"""How many problems of a process the author's answer is certified on."""
_SLOPE = 1e-6


@dataclass(slots=True)
class Optimum:
    """What minimises a formula for the inputs that are given."""

    full: Program
    data: Program
    """The formulas that do not depend on what is asked."""
    claims: tuple[Claim, ...]
    readings: tuple[Reading, ...]
    certified: int = field(default=0)

    @property
    def sought(self) -> Sought:
        """What the checker says of it."""
        sought = self.full.declaration.optimum
        assert sought is not None
        return sought

    @property
    def asked(self) -> tuple[Input, ...]:
        names = self.sought.names
        return tuple(each for each in self.full.declaration.inputs if each.name in names)

    def reference(self, **data: Any) -> Values:
        """The author's answer, certified on the first problems. Raises CheckerError."""
        given = self.given(data)
        found: Values = {}
        values = self.data.run(given)
        for claim, reading in zip(self.claims, self.readings, strict=True):
            with as_line(claim.line):
                value = reading.evaluate({**values, **found})
            if isinstance(value, Invalid):
                raise CheckerError(f"line {claim.line}: {value.message}")
            found[claim.name] = value
        if self.certified < _CERTIFIED:
            self.certified += 1
            self.certify(plainly(given), plainly(found))
        return found

    def accept(self, name: str, answer: Array, **names: Any) -> bool | None:
        """True for an answer that is as good as the author's; else no opinion, so that it is
        compared with that one as any other. Raises CheckerError where it is better."""
        if name not in self.sought.names:
            return None
        given = plainly(self.given(names))
        best = plainly(self.reference(**given))
        if answer.shape != best[name].shape or not np.isfinite(answer).all():
            return None
        found = {**best, name: answer}
        if not self.feasible(found):
            return None
        problem = self.problem(given, found)
        least = self.problem(given, best)
        if not np.isfinite(problem.value):
            return None
        slack = ROUNDING * least.size
        if problem.value < least.value - 1e4 * slack:
            line = self.claims[0].line
            raise CheckerError(
                f"line {line}: an answer has a {self.word} {self.shown(problem.value)} where the "
                f"right one has {self.shown(least.value)}: it is not the {self.word}"
            )
        if problem.value > least.value + slack:
            return None
        return True if problem.slope() <= _SLOPE * problem.steepness() else None

    @property
    def word(self) -> str:
        return "maximum" if self.sought.maximum else "minimum"

    def shown(self, value: float) -> str:
        return f"{-value if self.word == 'maximum' else value:.6g}"

    def given(self, names: Mapping[str, Any]) -> dict[str, Any]:
        return {each.name: names[each.name] for each in self.data.declaration.inputs}

    def feasible(self, values: Mapping[str, Array]) -> bool:
        return all(is_feasible(each.domain, values[each.name]) for each in self.asked)

    def objective(self, given: Mapping[str, Any], values: Mapping[str, Array]) -> float:
        """L, or -L for a maximum; NaN where it has no value."""
        inputs = {
            each.name: given[each.name] if each.name in given else values[each.name]
            for each in self.full.declaration.inputs
        }
        try:
            value = float(self.full.run(inputs, (self.sought.of,))[self.sought.of])
        except (CheckerError, ArithmeticError, ValueError, np.linalg.LinAlgError):
            return np.nan
        return -value if self.sought.maximum else value

    def problem(self, given: Mapping[str, Any], values: Values) -> Problem:
        return Problem(lambda point: self.objective(given, point), self.asked, values)

    def certify(self, given: Mapping[str, Any], values: Values) -> None:
        """Raises CheckerError where the author's answer is not the optimum here."""
        sought = self.sought
        said = f"line {self.claims[0].line}: `right` is not the {self.word} of {sought.of}"
        for each in self.asked:
            if not is_feasible(each.domain, values[each.name]):
                raise CheckerError(
                    f"line {self.claims[0].line}: `right` for {each.name} is not "
                    f"{each.domain.kind}, as line {each.line} says"
                )
        problem = self.problem(given, values)
        if not np.isfinite(problem.value):
            raise CheckerError(f"{said}: there it is no finite number")
        if problem.slope() > _SLOPE * problem.steepness():
            raise CheckerError(
                f"{said}: its slope is not 0 there. On the edge of a domain it need not be; that "
                "takes a Python checker with `accept`"
            )
        lower = problem.lower()
        if lower is not None:
            raise CheckerError(
                f"{said}: it is {self.shown(problem.value)} there, and "
                f"{self.shown(lower)} elsewhere"
            )
        flat, uncertain = problem.flatness()
        if sought.unique and (flat or problem.has_alike()):
            raise CheckerError(
                f"line {sought.line}: `unique`, but {sought.of} has the same value in other "
                "places too: leave `unique` out, so that each of them is right"
            )
        if uncertain and not sought.unique:
            raise CheckerError(
                f"line {sought.line}: {sought.of} is so flat around `right` that other answers "
                "cannot be told from it: add `unique` if only this one is right"
            )


def plainly(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as arrays that nobody watches."""
    return {
        name: value.view(np.ndarray) if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def optimum_of(declaration: Declaration) -> Optimum:
    """What a declaration asks for. Raises CheckerError where a right answer cannot be read."""
    optimum = declaration.optimum
    assert optimum is not None
    full = program_of(declaration)
    data = program_of(without_asked(declaration))
    claims, readings = [], []
    for name in optimum.names:
        claim = next(c for c in declaration.claims if (c.kind, c.name) == ("right", name))
        shapes = [np.shape(each.env[name]) for each in full.examples]
        before = optimum.names[: optimum.names.index(name)]
        examples = [
            replace(each, env={**each.env, **{other: whole.env[other] for other in before}})
            for each, whole in zip(data.examples, full.examples, strict=True)
        ]
        context = context_of(data.declaration, examples, name)
        context = replace(
            context,
            asked_shape=shapes[0],
            samples=tuple(
                {**each, name: shape} for each, shape in zip(context.samples, shapes, strict=True)
            ),
        )
        reading = read_math(claim.text, context)
        if isinstance(reading, Invalid):
            raise CheckerError(f"line {claim.line}: in `right`: {reading.message}")
        claims.append(claim)
        readings.append(reading)
    return Optimum(full, data, tuple(claims), tuple(readings))


def without_asked(declaration: Declaration) -> Declaration:
    """The declaration of what does not depend on the names that are asked."""
    assert declaration.optimum is not None
    hidden = dependent(declaration.nodes, declaration.optimum.names)
    nodes = tuple(node for node in declaration.nodes if node.name not in hidden)
    return replace(
        declaration,
        inputs=tuple(each for each in declaration.inputs if each.name not in hidden),
        nodes=nodes,
        needs=(),
        recurrences=tuple(r for r in declaration.recurrences if not hidden.intersection(r)),
    )
