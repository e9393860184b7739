"""Changed trees: what was read, with some of its nodes replaced."""

from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from typing import Any

from quizzer.notation import Reading
from quizzer.notation.nodes import Node


def rebuilt(node: Any, change: Callable[[Node], Node]) -> Any:
    """A tree with each node changed, from the leaves up."""
    if isinstance(node, tuple):
        return tuple(rebuilt(part, change) for part in node)
    if not hasattr(node, "__dataclass_fields__"):
        return node
    parts = {each.name: getattr(node, each.name) for each in fields(node)}
    found = {name: rebuilt(part, change) for name, part in parts.items()}
    if any(found[name] is not part for name, part in parts.items()):
        node = replace(node, **found)
    return change(node)


def with_nodes(reading: Reading, change: Callable[[Node], Node]) -> Reading:
    """The reading with the tree of each line changed as a whole, without what was kept for the
    old ones."""
    steps = tuple(replace(step, node=change(step.node)) for step in reading.steps)
    others = tuple(with_nodes(other, change) for other in reading.others)
    fresh = {
        each.name: each.default_factory()
        for each in fields(Reading)
        if each.default_factory is not MISSING
    }
    return replace(reading, steps=steps, others=others, **fresh)
