"""A part of a declared formula that a learner has a name for: the graph is cut there.

`u = W x + b` makes a node of `W x + b` in `y = max(W x + b, 0)`, where both give the same on all
instances and on changed inputs.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from msgspec.structs import replace

from quizzer.checker.declared.program import Program
from quizzer.checker.declared.reading import Line
from quizzer.checker.declared.values import Formula
from quizzer.checker.derivative import Array
from quizzer.notation import Invalid, Reading
from quizzer.notation.nodes import (
    Element,
    Group,
    Letter,
    Name,
    Node,
    Number,
    Product,
    Reduce,
    Sum,
    children,
    walk,
    with_parts,
)
from quizzer.notation.steps import Step

Envs = Sequence[Mapping[str, Any]]
_MOST_LETTERS = 4


@dataclasses.dataclass(frozen=True)
class Given:
    """A learner's definition in the place of a formula line."""

    formula: Formula
    work_out: Callable[[Mapping[str, Any]], Array]

    @property
    def reads(self) -> tuple[str, ...]:
        return self.formula.uses

    def value(
        self, env: Mapping[str, Any], sizes: Mapping[str, int], shape: object = None
    ) -> Array:
        return self.work_out(env)

    unobserved = value


def with_node(
    program: Program,
    name: str,
    uses: tuple[str, ...],
    work_out: Callable[[Mapping[str, Any]], Array],
    envs: Envs,
) -> Program | None:
    """The program with one more node; None where no formula has such a part.

    `envs` are values of all names, the new one too, on instances and on changed inputs.
    """
    blocks = list(program.blocks)
    nodes = list(program.declaration.nodes)
    first = None
    for place, block in enumerate(blocks):
        if not isinstance(block, Line) or len(block.reading.steps) != 1:
            continue
        changed = _with_name(block, name, envs)
        if changed is None:
            continue
        blocks[place] = changed
        nodes = [changed.formula if node.name == changed.formula.name else node for node in nodes]
        first = place if first is None else first
    if first is None:
        return None
    ahead = blocks[first]
    assert isinstance(ahead, Line)
    behind = {node.name for node in nodes[_place(nodes, ahead.formula.name) :]}
    if behind.intersection(uses):
        return None
    formula = Formula(name, (), "", 0, uses=uses)
    blocks.insert(first, Given(formula, work_out))  # type: ignore[arg-type]
    nodes.insert(_place(nodes, ahead.formula.name), formula)
    declaration = replace(program.declaration, nodes=tuple(nodes))
    return replace(
        program, declaration=declaration, blocks=tuple(blocks), _plans={}, _sizes={}, _last={}
    )


def _place(nodes: Sequence[Formula], name: str) -> int:
    return next(place for place, node in enumerate(nodes) if node.name == name)


def _with_name(line: Line, name: str, envs: Envs) -> Line | None:
    """The formula with the name for its parts that have the name's value; None without such."""
    (step,) = line.reading.steps
    node = _replaced(step.node, step, line.reading, name, envs)
    if node is step.node:
        return None
    reading = dataclasses.replace(line.reading, steps=(_step(step, node, step.letters),), others=())
    sizes = [shape_of(env, line.formula.name) for env in envs]
    if not all(
        _same(_value(reading, env, size), np.asarray(env[line.formula.name], float))
        for env, size in zip(envs, sizes, strict=True)
    ):
        return None
    used = {part.name for part in walk(node) if isinstance(part, Name)}
    uses = tuple(each for each in (*line.formula.uses, name) if each in used)
    return Line(replace(line.formula, uses=uses), reading, line.first, line.shapes)


def shape_of(env: Mapping[str, Any], name: str) -> tuple[int, ...]:
    return np.shape(env[name])


def _replaced(node: Node, step: Step, reading: Reading, name: str, envs: Envs) -> Node:
    if isinstance(node, Number | Letter):
        return node
    found = _as_name(node, step, reading, name, envs)
    if found is not None:
        return found
    found = with_parts(node, lambda part: _replaced(part, step, reading, name, envs))
    return node if found == node else found


def _as_name(node: Node, step: Step, reading: Reading, name: str, envs: Envs) -> Node | None:
    """The name, with its indices, where the node has its value."""
    axes = np.ndim(envs[0][name])
    if isinstance(node, Group):
        return None
    if step.whole:
        value = [_value(_part(reading, step, node, ()), env, None) for env in envs]
        wanted = [np.asarray(env[name], float) for env in envs]
        if all(map(_same, value, wanted)):
            return Name(name, node.at)
        return None
    if not isinstance(node, Sum | Product | Reduce | Element) and not hasattr(node, "arguments"):
        return None
    letters = _free(node)
    if len(letters) != axes or axes > _MOST_LETTERS:
        return None
    for order in permutations(letters):
        if all(
            _same(
                _value(_part(reading, step, node, order), env, shape_of(env, name)),
                np.asarray(env[name], float),
            )
            for env in envs
        ):
            at = node.at
            if not order:
                return Name(name, at)
            return Element(Name(name, at), tuple(Letter(each, at) for each in order), at)
    return None


def _free(node: Node) -> tuple[str, ...]:
    """The letters that nothing in the node binds."""
    return tuple(dict.fromkeys(_free_in(node, frozenset())))


def _free_in(node: Node, bound: frozenset[str]) -> Iterator[str]:
    if isinstance(node, Letter):
        if node.letter not in bound:
            yield node.letter
        return
    if isinstance(node, Reduce):
        bound = bound | {binder.letter for binder in node.binders}
    for part in children(node):
        yield from _free_in(part, bound)


def _part(reading: Reading, step: Step, node: Node, letters: tuple[str, ...]) -> Reading:
    return dataclasses.replace(reading, steps=(_step(step, node, letters),), others=())


def _step(step: Step, node: Node, letters: tuple[str, ...]) -> Step:
    return Step(step.name, letters, node, False, len(letters), step.whole)


def _value(reading: Reading, env: Mapping[str, Any], shape: tuple[int, ...] | None) -> Any:
    try:
        return reading.evaluate(env, shape)
    except Exception:
        return Invalid("It has no value.")


def _same(a: Any, b: Array) -> bool:
    if isinstance(a, Invalid):
        return False
    flat = [n for n in a.shape if n != 1] == [n for n in b.shape if n != 1]
    return flat and bool(np.allclose(a.reshape(b.shape), b, rtol=1e-9, atol=1e-11))
