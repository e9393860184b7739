"""`k_n = argmax_j Z_{nj}`: read as the maximum, and turned into its first place."""

import re
from typing import Any

from msgspec.structs import replace

from quizzer.checker.declared.trees import rebuilt, with_nodes
from quizzer.notation import Reading
from quizzer.notation.nodes import Binder, Compare, Group, Letter, Logic, Node, Reduce

_ARG = re.compile(
    r"\s*(?:\\operatorname\*?\s*\{\s*)?\\?arg\s*(?:\\,|~)?\s*\\?(max|min)\s*\}?(?=\s*[_({])"
)


def without_arg(right: str) -> tuple[str, bool]:
    """The right side with `max` or `min` for `argmax` or `argmin`, and whether it was one."""
    match = _ARG.match(right)
    return (f"{match[1]}{right[match.end() :]}", True) if match else (right, False)


def place_of(reading: Reading) -> Reading | None:
    """The first place at which the maximum is reached that was read; None where it is over several
    letters, or not the whole right side."""
    node = reading.steps[-1].node
    while isinstance(node, Group):
        node = node.inner
    if not isinstance(node, Reduce) or node.kind not in ("max", "min") or len(node.binders) != 1:
        return None
    here = node.binders[0].letter
    there = f"{here}'"

    def moved(part: Node) -> Node:
        if isinstance(part, Letter | Binder) and part.letter == here:
            return replace(part, letter=there)
        return part

    body: Any = rebuilt(node.body, moved)
    condition: Any = Compare(body, (("==", node),))
    if node.condition is not None:
        condition = Logic("and", (rebuilt(node.condition, moved), condition))
    found = Reduce("min", tuple(rebuilt(node.binders, moved)), condition, Letter(there), node.at)
    last = reading.steps[-1].node
    return with_nodes(reading, lambda tree: found if tree is last else tree)
