"""Changed trees: what was read, with some of its nodes replaced."""

import dataclasses
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation import Reading
from quizzer.notation.nodes import Node


def rebuilt(node: Any, change: Callable[[Node], Node]) -> Any:
    """A tree with each node changed, from the leaves up."""
    if isinstance(node, tuple):
        return tuple(rebuilt(part, change) for part in node)
    if not isinstance(node, Struct):
        return node
    parts = {name: getattr(node, name) for name in node.__struct_fields__}
    found = {name: rebuilt(part, change) for name, part in parts.items()}
    if any(found[name] is not part for name, part in parts.items()):
        node = replace(node, **found)
    return change(node)


def with_nodes(reading: Reading, change: Callable[[Node], Node]) -> Reading:
    """The reading with the tree of each line changed as a whole, without what was kept for the
    old ones."""
    steps = tuple(dataclasses.replace(step, node=change(step.node)) for step in reading.steps)
    others = tuple(with_nodes(other, change) for other in reading.others)
    fresh = {
        each.name: each.default_factory()
        for each in dataclasses.fields(Reading)
        if each.default_factory is not dataclasses.MISSING
    }
    return dataclasses.replace(reading, steps=steps, others=others, **fresh)
