"""The formulas of a declared checker, each read once, and worked out on inputs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quizzer.checker.declared.order import ordered
from quizzer.checker.declared.reading import Example, Line, read_line
from quizzer.checker.declared.recurrence import Recurrence, read_recurrence
from quizzer.checker.declared.samples import axis_sizes, draw_problem, solved
from quizzer.checker.declared.values import Declaration, Formula, Variant
from quizzer.checker.load import CheckerError

_EXAMPLES = 3
"""Problems by whose shapes formulas are read: axes that are equally long in all count as one."""

Block = Line | Recurrence


@dataclass(frozen=True, slots=True)
class Program:
    """What a declaration computes."""

    declaration: Declaration
    blocks: tuple[Block, ...]
    examples: tuple[Example, ...]
    """Problems with every name worked out: by their shapes other texts can be read."""

    def run(self, inputs: Mapping[str, Any], wanted: Iterable[str] | None = None) -> dict[str, Any]:
        """Every name with its value: the inputs, the sizes, and the wanted nodes with those that
        they need; all unless said. Raises CheckerError."""
        env, sizes = _begin(self.declaration, inputs)
        needed = None if wanted is None else _needed(self.declaration.nodes, wanted)
        for block in self.blocks:
            _work_out(block, env, sizes, needed)
        return env


def program_of(declaration: Declaration) -> Program:
    """A declaration's formulas, read. Raises CheckerError at the first that cannot be."""
    examples = []
    for seed in range(_EXAMPLES):
        inputs = draw_problem(declaration, np.random.default_rng(seed))
        examples.append(Example(*_begin(declaration, inputs)))
    groups = {name: group for group in declaration.recurrences for name in group}
    blocks: list[Block] = []
    done: set[str] = set()
    for node in declaration.nodes:
        if node.name in done:
            continue
        together = groups.get(node.name, (node.name,))
        done.update(together)
        mine = [each for each in declaration.nodes if each.name in together]
        block: Block
        if node.name in groups:
            block = read_recurrence(mine, declaration, examples)
        else:
            block = read_line(node, declaration, examples)
        blocks.append(block)
        for example in examples:
            _work_out(block, example.env, example.sizes, None)
    return Program(declaration, tuple(blocks), tuple(examples))


def varied(declaration: Declaration, variant: Variant) -> Declaration:
    """The declaration with a variant's formulas in the place of its own. Raises CheckerError."""
    names = {formula.name for formula in variant.formulas}
    nodes = [node for node in declaration.nodes if node.name not in names]
    nodes, recurrences, circles = ordered([*nodes, *variant.formulas])  # type: ignore[assignment]
    if circles:
        raise CheckerError(f"line {variant.line}: {circles[0].message}")
    return replace(declaration, nodes=tuple(nodes), recurrences=recurrences)


def _begin(
    declaration: Declaration, inputs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, int]]:
    """The names before the first formula, and all sizes, those that no answer may name too."""
    sizes = solved(declaration, inputs)
    named = {letter: sizes[letter] for letter in axis_sizes(declaration) if letter in sizes}
    return {**inputs, **named}, sizes


def _work_out(
    block: Block, env: dict[str, Any], sizes: Mapping[str, int], needed: set[str] | None
) -> None:
    if isinstance(block, Recurrence):
        if needed is None or needed.intersection(block.names):
            env |= block.values(env, sizes)
    elif needed is None or block.formula.name in needed:
        env[block.formula.name] = block.value(env, sizes)


def _needed(nodes: tuple[Formula, ...], wanted: Iterable[str]) -> set[str]:
    """The wanted names, and all that their formulas use."""
    needed = set(wanted)
    for node in reversed(nodes):
        if node.name in needed:
            needed.update(node.uses)
    for node in nodes:  # those of a recurrence may use names behind them
        if node.name in needed and not needed.issuperset(node.uses):
            return _needed(nodes, needed | set(node.uses))
    return needed
