"""Conditions that only say how far an index goes: `(1 <= j <= K)` on a card that counts from 0."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation.compiler.index_ranges import (
    lengths_under,
    lone_letter,
    only_an_index,
    whole_values,
)
from quizzer.notation.matrix_sizes import Length
from quizzer.notation.nodes import (
    Choice,
    Compare,
    Group,
    Logic,
    Node,
    Number,
    Product,
    Reduce,
    Sum,
    children,
    show,
    walk,
    with_parts,
    without_brackets,
)
from quizzer.notation.values import FaultError

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class _Bound(Struct, frozen=True):
    """One end of a chain of comparisons that bounds a letter in it: of `1 <= j`, of `j < k <= K`.

    `place` is that of the end in the chain; `sign` is < or <=, as if the chain rose.
    """

    chain: Compare
    place: int
    sign: str
    letter: str
    is_low: bool

    @property
    def end(self) -> Node:
        return _sides(self.chain)[self.place]


class _Group(Struct, frozen=True):
    """Bounds that hold together."""

    bounds: list[_Bound]
    is_factor: bool
    """Whether they only multiply a term, so that those of a whole axis say nothing."""


def counted_as_the_card_does(
    node: Node,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
    answer: Mapping[str, Length],
) -> Node:
    """The formula with `1 <= j <= K` as `0 <= j <= K - 1`, where j is only an index of axes as
    long as K, and the card counts so. `answer` has the lengths of the answer's own axes.

    Raises FaultError where the rest may count from 1, or from 0: j is a value too, say.
    """
    groups = list(_groups(node))
    found: list[_Bound] = []
    for letter in dict.fromkeys(bound.letter for group in groups for bound in group.bounds):
        lengths = {length for length, _ in lengths_under(node, letter, known) if length}
        sizes = answer.get(letter) or (lengths.pop() if len(lengths) == 1 else None)
        if sizes and not _is_summed(node, letter):
            found += _whole_axis(groups, letter, sizes, values, first)
    without = _replaced(node, {bound.chain: Number(1.0) for bound in found})
    for bound in found:
        used = filter(None, map(lone_letter, _sides(bound.chain)))
        if len(bound.chain.rest) > 2 or not all(only_an_index(without, each) for each in used):
            raise _counts_otherwise(bound, first)
    moved: dict[Node, Node] = {}
    for bound in found:
        moved[bound.chain] = _moved(moved.get(bound.chain, bound.chain), bound, first)
    return _replaced(node, moved)


def _whole_axis(
    groups: Sequence[_Group], letter: str, sizes: Length, values: Mapping[str, Length], first: int
) -> list[_Bound]:
    """Both ends of the letter's axis, wherever they are stated; none where only one is.

    Raises FaultError where they are not together, `[1 <= t] a_t + [t <= T] b_t`, or are more than
    a factor, `a_t if 1 <= t <= T else b_t`: there they may leave out a place of the axis.
    """
    stated = [
        [b for b in group.bounds if b.letter == letter and _is_end(b, sizes, values, first)]
        for group in groups
    ]
    ends = [bound for some in stated for bound in some]
    if len({bound.is_low for bound in ends}) < 2:
        return []
    for group, some in zip(groups, stated, strict=True):
        if some and (not group.is_factor or len({bound.is_low for bound in some}) < 2):
            beyond = [bound for bound in ends if bound.is_low == bool(first)]
            raise _counts_otherwise(beyond[0], first)
    return ends


def _counts_otherwise(bound: _Bound, first: int) -> FaultError:
    return FaultError(
        f"{show(bound.chain)} counts from {1 - first}, but this card from {first}: change that, "
        "or leave it out.",
        bound.chain.at,
        "bounds",
    )


def _groups(node: Node, is_factor: bool = True) -> Iterator[_Group]:
    """The comparisons in a formula, those together that are factors of the same term."""
    apart: list[tuple[Node, bool]] = []
    bounds = [bound for part in _factors(node, apart) for bound in _bounds(part)]
    if bounds:
        yield _Group(bounds, is_factor)
    for part, is_factor in apart:
        yield from _groups(part, is_factor)


def _factors(node: Node, apart: list[tuple[Node, bool]]) -> Iterator[Compare]:
    """The comparisons that a formula is multiplied by; the parts that are no factors go to
    `apart`, each with whether comparisons in it may only say how far an index goes."""
    match node:
        case Compare():
            yield node
        case Group(inner) | Sum(((_, inner),)):
            yield from _factors(inner, apart)
        case Logic("and", parts):
            for part in parts:
                yield from _factors(part, apart)
        case Product(factors):
            for sign, part in factors:
                if sign in ("/", "⊘"):
                    apart.append((part, True))
                else:
                    yield from _factors(part, apart)
        case Reduce("sum", _, condition, body):
            for part in (condition, body) if condition else (body,):
                yield from _factors(part, apart)
        case Choice(yes, test, no):
            match without_brackets(no):
                case Number(0):
                    yield from _factors(test, apart)
                    yield from _factors(yes, apart)
                case _:
                    apart += [(test, False), (yes, True), (no, True)]
        case Sum(terms):
            apart += [(term, not isinstance(without_brackets(term), Compare)) for _, term in terms]
        case _:
            apart += [(part, True) for part in children(node)]


def _bounds(part: Compare) -> Iterator[_Bound]:
    """Both ends of a chain in which every side is at least, or at most, the one before."""
    signs = [sign for sign, _ in part.rest]
    rises, falls = {*signs} <= {"<", "<="}, {*signs} <= {">", ">="}
    if not rises and not falls:
        return
    sides = _sides(part)
    for place, sign in ((0, signs[0]), (len(signs), signs[-1])):
        if lone_letter(sides[place]) is None:
            sign = sign if rises else _TURNED[sign]
            for letter in filter(None, map(lone_letter, sides)):
                yield _Bound(part, place, sign, letter, rises == (place == 0))


def _is_summed(node: Node, letter: str) -> bool:
    """Whether a sum states bounds of the letter itself."""
    return any(
        binder.letter == letter and binder.low is not None
        for part in walk(node)
        if isinstance(part, Reduce)
        for binder in part.binders
    )


def _is_end(bound: _Bound, sizes: Length, values: Mapping[str, Length], first: int) -> bool:
    """Whether this is the end of axes of these sizes, counted as the card does not."""
    stated = whole_values(bound.end, values, len(sizes))
    if stated is None:
        return False
    inside = 0 if bound.sign == "<=" else 1
    if bound.is_low:
        return all(end + inside == 1 - first for end in stated)
    return all(end - inside == size - first for end, size in zip(stated, sizes, strict=True))


def _moved(chain: Node, bound: _Bound, first: int) -> Compare:
    """The chain with this end as the card counts."""
    assert isinstance(chain, Compare)
    end = Sum(((1, bound.end), (2 * first - 1, Number(1.0))), bound.end.at)
    if bound.place == 0:
        return replace(chain, first=end)
    rest = list(chain.rest)
    rest[bound.place - 1] = (rest[bound.place - 1][0], end)
    return replace(chain, rest=tuple(rest))


def _sides(chain: Compare) -> tuple[Node, ...]:
    return (chain.first, *(side for _, side in chain.rest))


def _replaced(node: Node, by: Mapping[Node, Node]) -> Node:
    if node in by:
        return by[node]
    return with_parts(node, lambda part: _replaced(part, by)) if by else node
