"""The summands of a declared right answer, so that a learner can be told which one is missing."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.checker.declared.program import Program
from quizzer.checker.declared.reading import context_of
from quizzer.checker.declared.values import Claim
from quizzer.checker.meaning import Kind, resolve
from quizzer.checker.paper import read_math
from quizzer.notation import Context, Invalid, Reading
from quizzer.notation.nodes import Group, Name, Node, Product, Reduce, Sum, walk

MOST_TERMS = 6
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclasses.dataclass(frozen=True, slots=True)
class Terms(Mapping[str, dict[str, str]]):
    """By asked name, the terms of its first right answer that is a sum: read when wanted."""

    program: Program
    claims: Mapping[str, list[Claim]]

    def __getitem__(self, asked: str) -> dict[str, str]:
        context = context_of_answer(self.program, asked)
        for claim in self.claims[asked]:
            if terms := _terms(claim.text, context):
                return terms
        return {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)


class Mistakes(Struct, frozen=True):
    """What the known mistakes for an asked name are, worked out: numbers are chosen by which they
    can be told from what is right."""

    program: Program
    _read: dict[str, list[Reading]] = field(default_factory=dict)

    def __call__(self, asked: str, names: Mapping[str, Any]) -> list[Any]:
        if asked not in self._read:
            context = context_of_answer(self.program, asked)
            claims = [c for c in self.program.declaration.claims if c.name == asked]
            read = [read_math(c.text, context) for c in claims if c.kind == "wrong"]
            self._read[asked] = [each for each in read if isinstance(each, Reading)]
        found = [reading.evaluate(names) for reading in self._read[asked]]
        return [value for value in found if not isinstance(value, Invalid)]


def context_of_answer(program: Program, asked: str) -> Context:
    """What reading an answer needs to know: the upstreams are there too."""
    outputs = program.declaration.outputs
    examples = [
        replace(
            each, env={**each.env, **{f"d{o}": np.asarray(each.env[o], float) for o in outputs}}
        )
        for each in program.examples
    ]
    context = context_of(program.declaration, examples, asked)
    upstreams = tuple(f"d{output}" for output in outputs)
    return replace(context, upstreams=upstreams, asked_shape=_shape(program, asked))


def _shape(program: Program, asked: str) -> tuple[int, ...] | None:
    env = program.examples[0].env
    shapes: dict[str, tuple[int, ...]] = {name: np.shape(value) for name, value in env.items()}
    if asked in shapes:
        return shapes[asked]
    inputs = tuple(given.name for given in program.declaration.inputs)
    meaning = resolve(asked, inputs, dict.fromkeys(program.declaration.outputs))
    if meaning.variable is None:
        return None
    before = shapes[str(meaning.output)] if meaning.kind is Kind.LOCAL else ()
    return before + shapes[meaning.variable]


def _terms(text: str, context: Context) -> dict[str, str]:
    reading = read_math(text, context)
    if isinstance(reading, Invalid):
        return {}
    *helpers, last = reading.steps
    parts = _summands(last.source or last.node)
    if not 1 < len(parts) <= MOST_TERMS:
        return {}
    before = [helper.shown() for helper in helpers]
    return {
        label: "\n".join([*before, dataclasses.replace(last, node=part, source=None).shown()])
        for label, part in zip(_labels(parts), parts, strict=True)
    }


def _summands(node: Node) -> list[Node]:
    """What a sum adds up; a factor or a Σ before its bracket goes to each of them."""
    while isinstance(node, Group):
        node = node.inner
    if isinstance(node, Sum) and len(node.terms) > 1:
        return [term if sign > 0 else Sum(((sign, term),)) for sign, term in node.terms]
    if isinstance(node, Reduce) and node.kind in ("sum", "mean"):
        return [replace(node, body=Group(each)) for each in _summands(node.body)]
    if isinstance(node, Product):
        for place, (sign, factor) in enumerate(node.factors):
            parts = _summands(factor) if sign != "/" and isinstance(factor, Group) else []
            if parts:
                before, behind = node.factors[:place], node.factors[place + 1 :]
                return [
                    replace(node, factors=(*before, (sign, Group(each)), *behind)) for each in parts
                ]
    return []


def _labels(parts: list[Node]) -> list[str]:
    """A name for each term that does not give it away: by the names that only it has."""
    names = [{part.name for part in walk(each) if isinstance(part, Name)} for each in parts]
    labels = []
    for place, mine in enumerate(names):
        others = set().union(*(each for other, each in enumerate(names) if other != place))
        own = sorted(mine - others)
        labels.append(f"the one with {own[0]}" if own else f"the {_ORDINALS[place]} one")
    return labels
