"""Indices of elements: their arithmetic made simple, and whether they stay inside the array."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct

from quizzer.checker.declared.values import Declaration
from quizzer.checker.printed.body import Extent
from quizzer.notation.nodes import (
    Call,
    Element,
    Group,
    Letter,
    Name,
    Node,
    Number,
    Product,
    Sum,
    walk,
)

_MOST_VALUES = 4_000


class Places(Struct, frozen=True):
    """What the examples say of indices."""

    declaration: Declaration
    examples: tuple[Mapping[str, Any], ...]
    """Whole numbers by name: the sizes, and the inputs that are numbers."""

    def shifted(self, index: Node, by: int) -> Node:
        """The index and a number more."""
        return index if by == 0 else Sum(((1, index), (1 if by > 0 else -1, Number(abs(by)))))

    def simple(
        self, terms: Sequence[tuple[int, Node]], scope: Mapping[str, Any]
    ) -> tuple[tuple[int, Node], ...] | None:
        """A sum of letters and whole numbers with its numbers added up; None of anything else."""
        flat = list(_flat(terms, 1))
        numbers = [sign * part.value for sign, part in flat if isinstance(part, Number)]
        others = [(sign, part) for sign, part in flat if not isinstance(part, Number)]
        if len(numbers) < 1 or not any(_is_index(part) for _, part in others):
            return None
        if any(value != int(value) for value in numbers):
            return None
        total = int(sum(numbers))
        if not others or (others[0][0] < 0 and total <= 0):
            return None
        if others[0][0] < 0:
            return ((1, Number(float(total))), *others)
        rest = ((1 if total > 0 else -1, Number(float(abs(total)))),) if total else ()
        return (*others, *rest)

    def numbers(self, node: Node) -> tuple[int, ...] | None:
        """The whole number that a bound is in each example."""
        found = [_value(node, env) for env in self.examples]
        if any(value is None or value != np.rint(value) for value in found):
            return None
        return tuple(int(value) for value in found if value is not None)

    def is_whole_input(self, index: Node) -> bool:
        """Whether an index is an element of an input of whole numbers, or such a number."""
        while isinstance(index, Group):
            index = index.inner
        if isinstance(index, Sum):
            return all(
                self.is_whole_input(part) or isinstance(part, Number) for _, part in index.terms
            )
        base = index.base if isinstance(index, Element) else index
        return isinstance(base, Name) and any(
            each.name == base.name and each.domain.is_whole for each in self.declaration.inputs
        )

    def always_inside(
        self,
        base: Node,
        indices: Sequence[Node],
        extents: Sequence[Extent],
        scope: Mapping[str, Any],
    ) -> bool:
        """Whether no index leaves its array in any example."""
        return all(
            self._labels(index, extent) or self._inside(index, extent, scope)
            for index, extent in zip(indices, extents, strict=True)
        )

    def _labels(self, index: Node, extent: Extent) -> bool:
        """Whether an index is an element of labels below the length of this very axis."""
        while isinstance(index, Group):
            index = index.inner
        if not (isinstance(index, Element) and isinstance(index.base, Name)):
            return False
        name = index.base.name
        return any(
            each.name == name and each.domain.below and each.domain.below.text == extent.source
            for each in self.declaration.inputs
        )

    def _inside(self, index: Node, extent: Extent, scope: Mapping[str, Any]) -> bool:
        letters = sorted({part.letter for part in walk(index) if isinstance(part, Letter)})
        first = self.declaration.first_index
        for env, *lengths in zip(
            self.examples,
            extent.lengths,
            *(scope[letter].extent.lengths for letter in letters),
            strict=True,
        ):
            size, *runs = lengths
            starts = [scope[letter].start for letter in letters]
            if not all(start.lstrip("-").isdigit() for start in starts):
                return False
            if np.prod(runs, initial=1) > _MOST_VALUES:
                return False
            ranges = [range(int(a), int(a) + n) for a, n in zip(starts, runs, strict=True)]
            for values in product(*ranges):
                place = _value(index, {**env, **dict(zip(letters, values, strict=True))})
                if place is None or not first <= place < first + size:
                    return False
        return True


def _flat(terms: Sequence[tuple[int, Node]], sign: int) -> Any:
    for own, term in terms:
        inner = term
        while isinstance(inner, Group):
            inner = inner.inner
        if isinstance(inner, Sum):
            yield from _flat(inner.terms, sign * own)
        else:
            yield sign * own, inner


def _is_index(node: Node) -> bool:
    return any(isinstance(part, Letter) for part in walk(node)) and not any(
        isinstance(part, Element) for part in walk(node)
    )


def _value(node: Node, env: Mapping[str, Any]) -> float | None:
    """An index for whole numbers; None where it holds anything else."""
    match node:
        case Number(value):
            return value
        case Name(name) | Letter(name):
            return env.get(name)
        case Group(inner):
            return _value(inner, env)
        case Sum(terms):
            parts = [_value(term, env) for _, term in terms]
            if any(part is None for part in parts):
                return None
            return sum(s * (p or 0) for (s, _), p in zip(terms, parts, strict=True))
        case Product(factors):
            total = 1.0
            for sign, factor in factors:
                part = _value(factor, env)
                if part is None or (sign in ("/", "⊘", "//", "%") and not part):
                    return None
                if sign == "//":
                    total = float(total // part)
                elif sign == "%":
                    total %= part
                else:
                    total = total / part if sign in ("/", "⊘") else total * part
            return total
        case Call("floor" | "ceil" as function, (argument,)):
            part = _value(argument, env)
            rounded = np.floor if function == "floor" else np.ceil
            return None if part is None else float(rounded(part))
        case _:
            return None
