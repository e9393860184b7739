"""The formulas of a declared checker, each read once, and worked out on inputs."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.checker.declared.order import ordered
from quizzer.checker.declared.reading import Example, Line, read_line
from quizzer.checker.declared.recurrence import Recurrence, read_recurrence
from quizzer.checker.declared.samples import axis_sizes, draw_problem, solved
from quizzer.checker.declared.values import Declaration, Formula, Variant
from quizzer.checker.load import CheckerError
from quizzer.checker.tracing import watcher_of

_EXAMPLES = 3
"""Problems by whose shapes formulas are read: axes that are equally long in all count as one."""

_MOST_KEPT = 1_000

Block = Line | Recurrence


class Program(Struct, frozen=True):
    """What a declaration computes."""

    declaration: Declaration
    blocks: tuple[Block, ...]
    examples: tuple[Example, ...]
    """Problems with every name worked out: by their shapes other texts can be read."""
    letters: tuple[str, ...]
    """The sizes that formulas and answers may name: the lengths of axes."""
    _plans: dict[object, tuple[Block, ...]] = field(default_factory=dict)
    _sizes: dict[object, tuple[dict[str, int], dict[str, int]]] = field(
        default_factory=dict,
    )
    _last: dict[int, tuple[Mapping[str, int], list[Any], dict[str, Any]]] = field(
        default_factory=dict,
    )

    def run(
        self,
        inputs: Mapping[str, Any],
        wanted: tuple[str, ...] | None = None,
        held: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Every name with its value: the inputs, the sizes, and the wanted nodes with those that
        they need; all unless said. Nodes that are `held` have the values that are given for them.

        Raises CheckerError.
        """
        sizes, named = self._sizes_of(inputs)
        held = held or {}
        env = {**inputs, **named, **held}
        observed = watcher_of((*inputs.values(), *held.values())) is not None
        for block in self.blocks if wanted is None else self.plan(wanted):
            if held and held.keys() >= {*_names_of(block)}:
                continue
            if observed:
                env |= _values(block, env, sizes)
            else:
                env |= self.remembered(block, env, sizes)
        return env

    def remembered(
        self, block: Block, env: Mapping[str, Any], sizes: Mapping[str, int]
    ) -> dict[str, Any]:
        """What a block gives, not worked out again where what it reads is as it was the last time:
        a derivative moves one input of many."""
        read = [env[name] for name in block.reads]
        last = self._last.get(id(block))
        if last is not None and last[0] is sizes:
            for now, before in zip(read, last[1], strict=True):
                if now is not before and not _same(now, before):
                    break
            else:
                return last[2]
        found = _values(block, env, sizes, unobserved=True)
        self._last[id(block)] = sizes, read, found
        return found

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
        return self._sizes_of(inputs)[0]

    def _sizes_of(self, inputs: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
        """The same, and those of them that formulas may name."""
        key = tuple(
            value.shape if isinstance(value, np.ndarray) else isinstance(value, int) and value
            for value in inputs.values()
        )
        if key not in self._sizes:
            if len(self._sizes) >= _MOST_KEPT:
                self._sizes.clear()
            sizes = solved(self.declaration, inputs)
            named = {name: sizes[name] for name in self.letters if name in sizes}
            self._sizes[key] = sizes, named
        return self._sizes[key]


def program_of(declaration: Declaration) -> Program:
    """A declaration's formulas, read. Raises CheckerError at the first that cannot be."""
    program, faults = read_program(declaration)
    if faults:
        raise faults[0]
    return program


def read_program(declaration: Declaration) -> tuple[Program, list[CheckerError]]:
    """The program of all formulas that can be read, and why the others cannot be; those that need
    them are left out. Raises CheckerError where there are no samples."""
    letters = tuple(axis_sizes(declaration))
    examples = []
    for seed in range(_EXAMPLES):
        inputs = draw_problem(declaration, np.random.default_rng(seed))
        sizes = solved(declaration, inputs)
        named = {name: sizes[name] for name in letters if name in sizes}
        examples.append(Example({**inputs, **named}, sizes))
    groups = {name: group for group in declaration.recurrences for name in group}
    blocks: list[Block] = []
    faults: list[CheckerError] = []
    done: set[str] = set()
    missing: set[str] = set()
    for node in declaration.nodes:
        if node.name in done:
            continue
        together = groups.get(node.name, (node.name,))
        done.update(together)
        mine = [each for each in declaration.nodes if each.name in together]
        if any(missing.intersection(each.uses) for each in mine):
            missing.update(together)
            continue
        try:
            block, values = _read(mine, node.name in groups, declaration, examples)
        except CheckerError as error:
            faults.append(error)
            missing.update(together)
            continue
        blocks.append(block)
        for example, found in zip(examples, values, strict=True):
            example.env.update(found)
    if missing:
        nodes = tuple(node for node in declaration.nodes if node.name not in missing)
        declaration = replace(declaration, nodes=nodes)
    return Program(declaration, tuple(blocks), tuple(examples), letters), faults


def _read(
    formulas: list[Formula], steps: bool, declaration: Declaration, examples: list[Example]
) -> tuple[Block, list[dict[str, Any]]]:
    """The block of formulas that are worked out together, with its values on the examples; where
    a card writes a formula in several ways, of the first that can be read. Raises CheckerError."""
    if steps:
        block: Block = read_recurrence(formulas, declaration, examples)
        return block, [_values(block, each.env, each.sizes) for each in examples]
    first = None
    for formula in (formulas[0], *formulas[0].others):
        try:
            block = read_line(formula, declaration, examples)
            return block, [_values(block, each.env, each.sizes) for each in examples]
        except CheckerError as error:
            first = first or error
    assert first is not None
    raise first


def varied(declaration: Declaration, variant: Variant) -> Declaration:
    """The declaration with a variant's formulas in the place of its own, without those that it has
    no use for. Raises CheckerError."""
    names = {formula.name for formula in variant.formulas}
    nodes = [node for node in declaration.nodes if node.name not in names]
    nodes, recurrences, circles = ordered([*nodes, *variant.formulas])  # type: ignore[assignment]
    if circles:
        raise CheckerError(f"line {variant.line}: {circles[0].message}")
    needed = _needed(tuple(nodes), declaration.outputs)
    nodes = [node for node in nodes if node.name in needed]
    return replace(declaration, nodes=tuple(nodes), recurrences=recurrences)


def _values(
    block: Block, env: Mapping[str, Any], sizes: Mapping[str, int], unobserved: bool = False
) -> dict[str, Any]:
    if isinstance(block, Recurrence):
        return block.values(env, sizes)
    value = block.unobserved(env, sizes) if unobserved else block.value(env, sizes)
    return {block.formula.name: value}


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()
    return type(a) is type(b) and bool(a == b)


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
