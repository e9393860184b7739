"""The nodes of a checker: its named values, worked out with some of them held or moved.

A declared checker has one for each formula line. Of a Python checker it is only known how its
outputs and intermediates follow from the inputs. Runs only inside a sandboxed process.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from quizzer.checker.declared.cut import with_node
from quizzer.checker.declared.program import Program, program_of
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance, is_variable, work_out
from quizzer.checker.load import Checker
from quizzer.checker.opening import opened
from quizzer.checker.source import Declared, Source

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Defined:
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

    def contains(self, name: str, other: str) -> bool:
        """Whether the name's own formula contains the other."""

    def can_hold(self, name: str) -> bool:
        """Whether a node can have a value that is given for it."""

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        """The nodes with one more, which is a part of a formula; None where it is none."""


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
        if any(np.iscomplexobj(value) for value in inputs.values()):
            raise ValueError("formulas are worked out in real numbers")
        found: dict[str, Any] = self.program.run(inputs, wanted, held)
        return found

    def follows(self, name: str, other: str) -> bool | None:
        return name == other or other in self._ancestors.get(name, frozenset())

    def contains(self, name: str, other: str) -> bool:
        nodes = self.program.declaration.nodes
        return any(node.name == name and other in node.uses for node in nodes)

    def can_hold(self, name: str) -> bool:
        together = self.program.declaration.recurrences
        return name in self._ancestors and not any(name in group for group in together)

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        assert defined.value is not None
        found = with_node(self.program, defined.name, defined.uses, defined.value, envs)
        return None if found is None else DeclaredNodes(found)


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

    def contains(self, name: str, other: str) -> bool:
        return False

    def can_hold(self, name: str) -> bool:
        return False

    def cut_at(self, defined: Defined, envs: Sequence[Values]) -> "Nodes | None":
        return None


def nodes_of(source: Source, instance: Instance) -> Nodes:
    """The nodes of a checker. Raises CheckerError."""
    if isinstance(source, Declared):
        return _declared(source)
    return PythonNodes(opened(source), instance)


def differentiable(instance: Instance) -> tuple[str, ...]:
    """The names with respect to which there may be derivatives."""
    values = {**instance.inputs, **instance.intermediates, **instance.outputs}
    return tuple(name for name, value in values.items() if is_variable(value))


@lru_cache(maxsize=4)
def _declared(source: Declared) -> DeclaredNodes:
    said = read_declaration(source.text, source.line, source.card, source.is_apart)
    return DeclaredNodes(program_of(said))
