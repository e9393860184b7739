"""The nodes of a checker: its named values, worked out with some of them held or moved.

A declared checker has one for each formula line. Of a Python checker it is only known how its
outputs and intermediates follow from the inputs. Runs only inside a sandboxed process.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from quizzer.checker.declared.build import read_source
from quizzer.checker.declared.cut import with_node
from quizzer.checker.declared.optimum import without_asked
from quizzer.checker.declared.program import Program, program_of
from quizzer.checker.declared.reading import Line
from quizzer.checker.declared.values import Domain
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance, copied, is_variable, raw_outputs, work_out
from quizzer.checker.load import Checker, given_by, parameters
from quizzer.checker.opening import opened
from quizzer.checker.source import Declared, Source
from quizzer.notation import Reading

Values = Mapping[str, Any]


class Defined(Struct, frozen=True):
    """A name that the learner defines, and what works it out of the names before it."""

    name: str
    uses: tuple[str, ...]
    value: Callable[[Values], Array] | None
    """None where it is made of derivatives, and does not follow its names."""


class Nodes(Protocol):
    """Named values and how they follow from each other."""

    def run(
        self, inputs: Values, wanted: tuple[str, ...] | None = None, held: Values | None = None
    ) -> dict[str, Any]:
        """The values by name; nodes that are held have the values that are given for them."""

    def follows(self, name: str, other: str) -> bool | None:
        """Whether a name depends on another one; None where that is not known."""

    def uses(self, name: str) -> tuple[str, ...]:
        """The names that the name's own formula contains; none where it is not known."""

    def can_hold(self, name: str) -> bool:
        """Whether a node can have a value that is given for it."""

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        """The nodes with one more, which is a part of a formula; None where it is none."""

    def formula(self, name: str) -> Reading | None:
        """The name's own formula; None where it is not known."""


@dataclass(frozen=True)
class DeclaredNodes:
    """The formula lines of a declared checker."""

    program: Program
    _ancestors: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in self.program.declaration.nodes:
            found = self._ancestors.get(node.name, frozenset())
            for used in node.uses:
                found |= {used} | self._ancestors.get(used, frozenset())
            self._ancestors[node.name] = found

    def run(
        self, inputs: Values, wanted: tuple[str, ...] | None = None, held: Values | None = None
    ) -> dict[str, Any]:
        if any(isinstance(v, np.ndarray) and v.dtype.kind == "c" for v in inputs.values()):
            raise ValueError("formulas are worked out in real numbers")
        found: dict[str, Any] = self.program.run(inputs, wanted, held)
        return found

    def follows(self, name: str, other: str) -> bool | None:
        return name == other or other in self._ancestors.get(name, frozenset())

    def uses(self, name: str) -> tuple[str, ...]:
        nodes = self.program.declaration.nodes
        return tuple(used for node in nodes if node.name == name for used in node.uses)

    def can_hold(self, name: str) -> bool:
        together = self.program.declaration.recurrences
        return name in self._ancestors and not any(name in group for group in together)

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        assert defined.value is not None
        found = with_node(self.program, defined.name, defined.uses, defined.value, envs)
        return None if found is None else DeclaredNodes(found)

    def formula(self, name: str) -> Reading | None:
        lines = (block for block in self.program.blocks if isinstance(block, Line))
        return next((line.reading for line in lines if line.formula.name == name), None)


@dataclass(frozen=True)
class PythonNodes:
    """The outputs and intermediates of a Python checker, as functions of its inputs."""

    checker: Checker
    instance: Instance

    def run(
        self, inputs: Values, wanted: tuple[str, ...] | None = None, held: Values | None = None
    ) -> dict[str, Any]:
        if held:
            raise ValueError("a Python checker has no nodes that can be held")
        found = work_out(self.checker, dict(inputs))
        return {**found.inputs, **found.intermediates, **found.outputs}

    def follows(self, name: str, other: str) -> bool | None:
        if name == other:
            return True
        return other in self.instance.variables or None

    def uses(self, name: str) -> tuple[str, ...]:
        return ()

    def can_hold(self, name: str) -> bool:
        return False

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        return None

    def formula(self, name: str) -> Reading | None:
        return None


@dataclass(frozen=True)
class StepNodes:
    """The intermediates of a Python checker whose `let` is a list of functions, and its outputs."""

    checker: Checker
    instance: Instance
    _uses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Every name with what its function takes, in order."""
    _gives: list[tuple[str, ...]] = field(default_factory=list)
    """The names that each function gives, the forward's last."""

    def __post_init__(self) -> None:
        names: dict[str, Any] = dict(self.instance.inputs)
        for step in self.checker.steps:
            given = given_by(step, names)
            self._note(step, tuple(given), names)
            names |= given
        if self.checker.last is not None:
            self._note(self.checker.last, tuple(self.instance.outputs), names)

    def _note(self, function: Callable[..., Any], given: tuple[str, ...], names: Values) -> None:
        taken = parameters(function)
        uses = tuple(names) if taken is None else tuple(name for name in taken if name in names)
        self._gives.append(given)
        self._uses.update(dict.fromkeys(given, uses))

    def run(
        self, inputs: Values, wanted: tuple[str, ...] | None = None, held: Values | None = None
    ) -> dict[str, Any]:
        found: dict[str, Any] = {**copied(inputs), **(held or {})}
        for step, given in zip(self.checker.steps, self._gives, strict=False):
            if not found.keys() >= {*given}:
                names = {name: value for name, value in found.items() if name not in given}
                found = {**given_by(step, names), **found}
        last = self.checker.last
        outputs = self._gives[-1] if last is not None else ()
        needed = wanted is None or not {*outputs}.isdisjoint(wanted)
        if last is not None and needed and not found.keys() >= {*outputs}:
            found = {**raw_outputs(last, found), **found}
        return found

    def follows(self, name: str, other: str) -> bool | None:
        if name == other:
            return True
        return any(self.follows(used, other) for used in self._uses.get(name, ()))

    def uses(self, name: str) -> tuple[str, ...]:
        return self._uses.get(name, ())

    def can_hold(self, name: str) -> bool:
        return name in self._uses

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        return None

    def formula(self, name: str) -> Reading | None:
        return None


def sought_by(source: Source) -> dict[str, Domain]:
    """The names whose optimum a checker asks for, with the domains in which it is. Raises
    CheckerError."""
    declaration = read_source(source) if isinstance(source, Declared) else None
    if declaration is None or declaration.optimum is None:
        return {}
    names = declaration.optimum.names
    return {each.name: each.domain for each in declaration.inputs if each.name in names}


def nodes_of(source: Source, instance: Instance) -> Nodes:
    """The nodes of a checker. Raises CheckerError."""
    if isinstance(source, Declared):
        return _declared(source)
    checker = opened(source)
    return StepNodes(checker, instance) if checker.steps else PythonNodes(checker, instance)


def differentiable(instance: Instance) -> tuple[str, ...]:
    """The names with respect to which there may be derivatives."""
    values = {**instance.inputs, **instance.intermediates, **instance.outputs}
    return tuple(name for name, value in values.items() if is_variable(value))


@lru_cache(maxsize=4)
def _declared(source: Declared) -> DeclaredNodes:
    declaration = read_source(source)
    return DeclaredNodes(
        program_of(without_asked(declaration) if declaration.optimum else declaration)
    )
