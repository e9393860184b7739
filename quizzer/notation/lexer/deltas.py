"""Which δ with two indices is the upstream, and which is Kronecker's.

`δ_{kj}` is the upstream where it has those axes. That is told by the lengths that the letters run
over elsewhere, as they are on the card: of `Σ_j δ_{nj} y_{nj} (δ_{kj} - y_{nk})` the second one is
Kronecker's, for k runs over no axis of δ's first kind.
"""

from collections.abc import Sequence

from quizzer.notation.lexer.names import Names
from quizzer.notation.matrix_sizes import Length
from quizzer.notation.nodes import Element, Letter, Name, Node, show, walk, without_brackets
from quizzer.notation.values import FaultError


def kroneckers(
    node: Node, deltas: Sequence[Element], letters: Sequence[str], names: Names
) -> frozenset[int]:
    """The places of the `deltas`, all read as the upstream, that are Kronecker's instead.

    Raises FaultError where it could be either.
    """
    lengths = _lengths(node, deltas, letters, names)
    found = set()
    for delta in deltas:
        upstream = delta.base.name if isinstance(delta.base, Name) else ""
        axes = names.lengths.get(upstream, ())
        if len(axes) != 2 or delta.at is None:
            continue
        over = [lengths.get(_letter(index), set()) for index in delta.indices]
        strange = any(each and axis not in each for each, axis in zip(over, axes, strict=True))
        looked_up = any(isinstance(without_brackets(index), Element) for index in delta.indices)
        same = bool(over[0] & over[1])
        if strange and same:
            found.add(delta.at)
            continue
        unsure = strange or _is_named(upstream, node, deltas)
        if looked_up or (unsure and not all(over)) or (unsure and same):
            _refuse(delta)
    return frozenset(found)


def _is_named(upstream: str, node: Node, deltas: Sequence[Element]) -> bool:
    """Whether the upstream stands elsewhere under its own name, so that a δ may be another."""
    return any(
        isinstance(part, Element)
        and isinstance(part.base, Name)
        and part.base.name == upstream
        and all(part is not delta for delta in deltas)
        for part in walk(node)
    )


def _lengths(
    node: Node, deltas: Sequence[Element], letters: Sequence[str], names: Names
) -> dict[str, set[Length]]:
    """How long the axes are that each letter indexes alone, but for those of the deltas."""
    asked = names.lengths.get(names.context.asked, ())
    pairs = list(zip(letters, asked, strict=True)) if len(letters) == len(asked) else []
    for part in walk(node):
        doubtful = any(part is delta for delta in deltas)
        if isinstance(part, Element) and isinstance(part.base, Name) and not doubtful:
            axes = names.lengths.get(part.base.name, ())
            pairs += [(_letter(i), axis) for i, axis in zip(part.indices, axes, strict=False)]
    found: dict[str, set[Length]] = {}
    for letter, axis in pairs:
        if letter and axis:
            found.setdefault(letter, set()).add(axis)
    return found


def _letter(node: Node) -> str:
    """The letter that an index is; nothing where it is more."""
    inner = without_brackets(node)
    return inner.letter if isinstance(inner, Letter) else ""


def _refuse(delta: Element) -> None:
    first, second = map(show, delta.indices)
    raise FaultError(
        f"Is this δ Kronecker's or the upstream? Write [{first} = {second}], or "
        f"{show(delta.base)}[{first}, {second}].",
        delta.at,
        "ambiguous",
    )
