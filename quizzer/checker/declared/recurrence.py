"""Formulas that need each other at other places: worked out step by step over their first index."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from msgspec.structs import replace

from quizzer.checker.declared.reading import Env, Example, Line, open_range, read_line
from quizzer.checker.declared.sizes import SizeError
from quizzer.checker.declared.trees import rebuilt, with_nodes
from quizzer.checker.declared.values import Declaration, Formula
from quizzer.checker.derivative import Array
from quizzer.checker.load import CheckerError
from quizzer.checker.tracing import observed_by, watcher_of
from quizzer.notation.nodes import Element, Group, Letter, Name, Node, Number, Sum, walk

MAX_STEPS = 1_000


@dataclasses.dataclass(frozen=True)
class Recurrence:
    """Arrays that are filled place by place, in the order of their formulas within a step."""

    names: tuple[str, ...]
    steps: tuple[Line, ...]
    starts: tuple[Line, ...]
    backward: bool
    first: int
    reach: int
    """How many places the arrays have more at both ends, for what the steps read there."""

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The names that its formulas need, its own left out."""
        lines = (*self.starts, *self.steps)
        every = dict.fromkeys(name for line in lines for name in line.reads)
        return tuple(name for name in every if name not in self.names)

    def values(self, env: Env, sizes: Mapping[str, int]) -> dict[str, Array]:
        """The arrays by name. Raises CheckerError."""
        watcher = watcher_of(env.values())
        shapes = self.shapes(env, sizes)
        begun = [
            (
                line,
                line.value(
                    env, sizes, shapes[line.formula.name][1:] if line.formula.letters else None
                ),
            )
            for line in self.starts
        ]
        filled = {
            name: np.zeros((shape[0] + 2 * self.reach, *shape[1:]))
            for name, shape in shapes.items()
        }
        given = self.start(filled, begun, shapes, sizes)
        for line in self.steps:
            name, letter = line.formula.name, line.formula.letters[0]
            before = set(range(line.begins(letter, sizes) - self.first))
            if missing := before - given[name]:
                raise CheckerError(
                    f"line {line.formula.line}: nothing gives {name}[{min(missing) + self.first}]: "
                    f"write a start, or let {letter} begin at {self.first}"
                )
        length = max(shape[0] for shape in shapes.values())
        for place in range(length - 1, -1, -1) if self.backward else range(length):
            for line in self.steps:
                name = line.formula.name
                if place in given[name] or place >= shapes[name][0]:
                    continue
                now = {**env, **filled}
                if watcher is not None:
                    now |= {each: observed_by(filled[each].copy(), watcher) for each in filled}
                value = np.asarray(line.value(now, sizes, shapes[name]))
                filled[name][place + self.reach] = value[place]
        inner = {
            name: array[self.reach : self.reach + shapes[name][0]] for name, array in filled.items()
        }
        return {n: a if watcher is None else observed_by(a, watcher) for n, a in inner.items()}

    def start(
        self,
        filled: dict[str, Array],
        begun: Sequence[tuple[Line, Array]],
        shapes: Mapping[str, tuple[int, ...]],
        sizes: Mapping[str, int],
    ) -> dict[str, set[int]]:
        """Fill the places that are given; returns them, counted from 0."""
        given: dict[str, set[int]] = {name: set() for name in self.names}
        for line, value in begun:
            name, where = line.formula.name, line.formula.line
            place = _place(line.formula, sizes) - self.first
            last = shapes[name][0] - 1
            if not -self.reach <= place <= last + self.reach:
                raise CheckerError(
                    f"line {where}: no step reads {name} at this place: the places go from "
                    f"{self.first} to {self.first + last}"
                )
            try:
                filled[name][place + self.reach] = value
            except ValueError:
                raise CheckerError(
                    f"line {where}: the start of {name} has the shape {value.shape}, one place of "
                    f"it {shapes[name][1:]}"
                ) from None
            given[name].add(place)
        return given

    def shapes(self, env: Env, sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The shape of every array: by ranges, by the arrays on the right, by its start, and the
        number of places by the others'. Raises CheckerError."""
        known: dict[str, list[int | None]] = {
            line.formula.name: [None] * len(line.formula.letters) for line in self.steps
        }
        for _ in range(1 + sum(map(len, known.values()))):
            for line in (*self.steps, *self.starts):
                mine = known[line.formula.name]
                # A start is one place: its letters are the further axes.
                behind = len(mine) - len(line.formula.letters)
                for axis, letter in enumerate(line.formula.letters, behind):
                    mine[axis] = mine[axis] or _length(line, letter, env, sizes, known)
            lengths = [axes[0] for axes in known.values() if axes[0]]
            for axes in known.values():
                axes[0] = axes[0] or (lengths[0] if lengths else None)
        for line in self.steps:
            for letter, length in zip(line.formula.letters, known[line.formula.name], strict=True):
                if length is None:
                    raise CheckerError(open_range(line.formula, letter, self.first))
                if length > MAX_STEPS:
                    raise CheckerError(
                        f"line {line.formula.line}: {length:,} steps are more than {MAX_STEPS:,}: "
                        "give the size a smaller range"
                    )
        return {name: tuple(axis or 0 for axis in axes) for name, axes in known.items()}


def read_recurrence(
    formulas: Sequence[Formula], declaration: Declaration, examples: list[Example]
) -> Recurrence:
    """Formulas that need each other, or themselves, at other places. Raises CheckerError."""
    steps = [formula for formula in formulas if formula.place is None]
    axes = {formula.name: len(formula.letters) for formula in steps}
    starts = [
        read_line(formula, declaration, examples)
        for formula in formulas
        if formula.place is not None
    ]
    lines = [read_line(formula, declaration, examples, axes) for formula in steps]
    lags: dict[str, dict[str, set[int]]] = {}
    for line in lines:
        mine = lags.setdefault(line.formula.name, {})
        for name, lag in _references(line, axes):
            mine.setdefault(name, set()).add(lag)
    every = {
        lag: line for line in lines for each in lags[line.formula.name].values() for lag in each
    }
    ahead, behind = [lag for lag in every if lag < 0], [lag for lag in every if lag > 0]
    if ahead and behind:
        line = every[ahead[0]]
        raise CheckerError(
            f"line {line.formula.line}: this reads places before and behind its own, so no step "
            "can be the first"
        )
    reach = max([abs(lag) for lag in every], default=0)
    reach = max(reach, 1)
    return Recurrence(
        names=tuple(axes),
        steps=tuple(_moved(line, axes, reach) for line in _within_step(lines, lags)),
        starts=tuple(starts),
        backward=bool(ahead),
        first=declaration.first_index,
        reach=reach,
    )


def _references(line: Line, names: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The places of the recurrence's arrays that a formula reads: how far before its own."""
    letter = line.formula.letters[0]
    inside: set[int] = set()
    for step in line.reading.steps:
        for part in walk(step.node):
            if isinstance(part, Element) and (name := _name(part.base)) in names:
                inside.update(id(each) for each in walk(part.base))
                lag = _lag(part.indices[0], letter)
                if lag is None:
                    raise CheckerError(
                        f"line {line.formula.line}: the first index of {name} must be {letter}, "
                        f"{letter}-1, {letter}+1 or so: it is worked out step by step over "
                        f"{letter}"
                    )
                yield name, lag
            elif isinstance(part, Name) and part.name in names and id(part) not in inside:
                raise CheckerError(
                    f"line {line.formula.line}: write {part.name} with all its indices, "
                    f"{part.name}[{letter}-1,…]: it is worked out step by step over {letter}"
                )


def _lag(index: Node, letter: str) -> int | None:
    """k of the index t - k."""
    while isinstance(index, Group):
        index = index.inner
    if isinstance(index, Letter):
        return 0 if index.letter == letter else None
    if not isinstance(index, Sum):
        return None
    lag = 0
    letters = 0
    for sign, term in index.terms:
        while isinstance(term, Group):
            term = term.inner
        if isinstance(term, Letter) and term.letter == letter and sign > 0:
            letters += 1
        elif isinstance(term, Number) and term.value == int(term.value):
            lag -= sign * int(term.value)
        else:
            return None
    return lag if letters == 1 else None


def _within_step(
    lines: Sequence[Line], lags: Mapping[str, Mapping[str, set[int]]]
) -> Iterator[Line]:
    """The formulas in the order in which one step works them out. Raises CheckerError."""
    pending = list(lines)
    while pending:
        names = {line.formula.name for line in pending}
        ready = [
            line
            for line in pending
            if not any(
                0 in found and name in names for name, found in lags[line.formula.name].items()
            )
        ]
        if not ready:
            named = [f"`{each.formula.name}` (line {each.formula.line})" for each in pending]
            chain = ", ".join(named)
            need = "needs itself" if len(pending) == 1 else "need each other"
            raise CheckerError(
                f"line {pending[0].formula.line}: {chain} {need} at the same place: none can be "
                "worked out first; read another place, such as t-1"
            )
        yield ready[0]
        pending.remove(ready[0])


def _moved(line: Line, names: Mapping[str, int], reach: int) -> Line:
    """The formula for arrays with `reach` places more in front."""

    def move(node: Node) -> Node:
        if isinstance(node, Element) and _name(node.base) in names:
            first = Sum(((1, node.indices[0]), (1, Number(float(reach)))), node.at)
            return replace(node, indices=(first, *node.indices[1:]))
        return node

    moved = with_nodes(line.reading, lambda tree: rebuilt(tree, move))
    return dataclasses.replace(line, reading=moved, _shapes={})


def _length(
    line: Line,
    letter: str,
    env: Env,
    sizes: Mapping[str, int],
    known: Mapping[str, list[int | None]],
) -> int | None:
    if any(each.letter == letter for each in line.formula.ranges):
        return line.length(letter, env, sizes)
    for part in walk(line.node):
        if not isinstance(part, Element):
            continue
        name = _name(part.base)
        for axis, index in enumerate(part.indices):
            while isinstance(index, Group):
                index = index.inner
            if not (isinstance(index, Letter) and index.letter == letter):
                continue
            if name in known:
                length = known[name][axis] if axis else None
            else:
                length = np.shape(env[name])[axis] if name in env else None
            if length:
                return length
    return None


def _name(base: Node) -> str:
    while isinstance(base, Group):
        base = base.inner
    return base.name if isinstance(base, Name) else ""


def _place(formula: Formula, sizes: Mapping[str, int]) -> int:
    assert formula.place is not None
    try:
        return formula.place.value(sizes)
    except SizeError as error:
        raise CheckerError(f"line {formula.line}: {error}") from None
