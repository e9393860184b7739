"""The formulas of a declared checker, each read once, and worked out on inputs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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

_MOST_KEPT = 1_000

Block = Line | Recurrence


@dataclass(frozen=True, slots=True)
class Program:
    """What a declaration computes."""

    declaration: Declaration
    blocks: tuple[Block, ...]
    examples: tuple[Example, ...]
    """Problems with every name worked out: by their shapes other texts can be read."""
    letters: tuple[str, ...]
    """The sizes that formulas and answers may name: the lengths of axes."""
    _plans: dict[object, tuple[Block, ...]] = field(default_factory=dict, repr=False)
    _sizes: dict[object, dict[str, int]] = field(default_factory=dict, repr=False)

    def run(
        self, inputs: Mapping[str, Any], wanted: tuple[str, ...] | None = None
    ) -> dict[str, Any]:
        """Every name with its value: the inputs, the sizes, and the wanted nodes with those that
        they need; all unless said. Raises CheckerError."""
        sizes = self.sizes(inputs)
        env = {**inputs, **{name: sizes[name] for name in self.letters if name in sizes}}
        for block in self.blocks if wanted is None else self.plan(wanted):
            _work_out(block, env, sizes)
        return env

    def plan(self, wanted: tuple[str, ...]) -> tuple[Block, ...]:
        """What gives these names."""
        if wanted not in self._plans:
            needed = _needed(self.declaration.nodes, wanted)
            self._plans[wanted] = tuple(
                block for block in self.blocks if needed.intersection(_names_of(block))
            )
        return self._plans[wanted]

    def sizes(self, inputs: Mapping[str, Any]) -> dict[str, int]:
        """All sizes of inputs of these shapes, worked out once for each."""
        key = tuple(
            value.shape if isinstance(value, np.ndarray) else value for value in inputs.values()
        )
        if key not in self._sizes:
            if len(self._sizes) >= _MOST_KEPT:
                self._sizes.clear()
            self._sizes[key] = solved(self.declaration, inputs)
        return self._sizes[key]


def program_of(declaration: Declaration) -> Program:
    """A declaration's formulas, read. Raises CheckerError at the first that cannot be."""
    letters = tuple(axis_sizes(declaration))
    examples = []
    for seed in range(_EXAMPLES):
        inputs = draw_problem(declaration, np.random.default_rng(seed))
        sizes = solved(declaration, inputs)
        named = {name: sizes[name] for name in letters if name in sizes}
        examples.append(Example({**inputs, **named}, sizes))
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
            _work_out(block, example.env, example.sizes)
    return Program(declaration, tuple(blocks), tuple(examples), letters)


def varied(declaration: Declaration, variant: Variant) -> Declaration:
    """The declaration with a variant's formulas in the place of its own. Raises CheckerError."""
    names = {formula.name for formula in variant.formulas}
    nodes = [node for node in declaration.nodes if node.name not in names]
    nodes, recurrences, circles = ordered([*nodes, *variant.formulas])  # type: ignore[assignment]
    if circles:
        raise CheckerError(f"line {variant.line}: {circles[0].message}")
    return replace(declaration, nodes=tuple(nodes), recurrences=recurrences)


def _work_out(block: Block, env: dict[str, Any], sizes: Mapping[str, int]) -> None:
    if isinstance(block, Recurrence):
        env |= block.values(env, sizes)
    else:
        env[block.formula.name] = block.value(env, sizes)


def _names_of(block: Block) -> tuple[str, ...]:
    return block.names if isinstance(block, Recurrence) else (block.formula.name,)


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
