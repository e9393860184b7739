"""One-change neighbours of a formula's tree, and its summands: what a slip changes.

A wrong line that one change makes right is wrong in that place; so is one that a change makes of a
right line. Pure.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation.nodes import (
    Binder,
    Call,
    Compare,
    Element,
    Group,
    Identity,
    Inverse,
    Letter,
    Logic,
    Name,
    Node,
    Number,
    Ones,
    Power,
    Product,
    Reduce,
    Sum,
    Transpose,
    bare,
    children,
    substituted,
    walk,
    with_parts,
)

_FRESH = "ꞏ"
_MOST_FACTORS = 5
_OPERATORS = {"/": " ", " ": "/", "*": "/", "⊙": "⊘", "⊘": "⊙"}
_FUNCTIONS = {"sin": "cos", "cos": "sin", "max": "min", "min": "max"}
_COMPARISONS = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}
TAKEN_FOR = {**_FUNCTIONS, **_COMPARISONS}
"""Functions and comparisons that are taken for each other; slips in texts are these too."""
_REDUCTIONS = {"mean": ("sum",), "sum": ("mean", "prod"), "prod": ("sum",), "max": ("min",)}
_TAKEN_AWAY = ("sqrt", "exp", "log", "abs", "diag", "det", "tr", "inv", "^⊙")
_PUT_ROUND = ("sqrt", "log", "exp")


class Change(StrEnum):
    """What an edit changes."""

    SIGN = "sign"
    OPERATOR = "operator"
    NUMBER = "number"
    NAME = "name"
    INDEX = "index"
    POWER = "power"
    TRANSPOSE = "transpose"
    TERM = "term"
    FACTOR = "factor"
    SUM = "sum"
    MAGNITUDE = "magnitude"
    CONDITION = "condition"


class Changed(Struct, frozen=True):
    """A tree in which one place is another."""

    node: Node
    change: Change
    was: str
    """What stood there, shown."""
    within: str = ""
    """What that was a part of, shown."""


class Summand(Struct, frozen=True):
    """A summand somewhere in a tree, and the tree without it."""

    term: Node
    sign: int
    without: Node
    is_all: bool
    """Whether it is the whole."""


class Vocabulary(Struct, frozen=True):
    """What may be written in a formula: names with their numbers of axes, and the letters of its
    left side."""

    axes: Mapping[str, int]
    letters: tuple[str, ...]
    whole: bool
    """Whether it is in matrix notation."""
    terms: tuple[Node, ...] = ()
    """Summands of formulas nearby."""
    conditions: tuple[Node, ...] = ()
    """What is in brackets there."""


Put = Callable[[Node], Node]


class Place(Struct, frozen=True):
    node: Node
    letters: tuple[str, ...]
    """Those that may stand here."""
    put: Put
    """The whole with another node here."""
    above: Node | None = None
    is_index: bool = False
    """Whether it is in an index or a condition."""


def summands(node: Node) -> Iterator[Summand]:
    """Every summand of the tree, the outer ones first, and the whole."""
    yield Summand(node, 1, Number(0.0), True)
    for place in places(node, (), lambda new: new):
        if isinstance(place.node, Sum):
            for number, (sign, term) in enumerate(place.node.terms):
                yield Summand(term, sign, place.put(_without_term(place.node, number)), False)


def mended(node: Node, known: Vocabulary) -> Iterator[Changed]:
    """The tree with something in it taken away, turned round or replaced, the likely ones first."""
    found = list(places(node, known.letters, lambda new: new))
    for look in (
        _signs,
        _terms,
        _turned,
        _factors,
        _powers,
        _numbers,
        _sums,
        _letters,
        _names,
        _exchanged,
    ):
        for place in found:
            if not place.is_index or look in _IN_INDICES:
                yield from look(place, known)


def places(
    node: Node,
    letters: tuple[str, ...],
    put: Put,
    above: Node | None = None,
    is_index: bool = False,
) -> Iterator[Place]:
    if not isinstance(node, Binder | Group):
        yield Place(node, letters, put, above, is_index)
    inside = letters
    if isinstance(node, Reduce):
        inside = tuple(dict.fromkeys((*letters, *(each.letter for each in node.binders))))
    outer = above if isinstance(node, Group) else node
    condition = isinstance(node, Compare | Logic | Binder)
    for number, child in enumerate(children(node)):
        index = is_index or condition or (isinstance(node, Element) and number > 0)
        yield from places(child, inside, _putting(node, number, put), outer, index)


def _putting(node: Node, number: int, put: Put) -> Put:
    def put_here(new: Node) -> Node:
        counted = iter(range(1_000))
        return put(with_parts(node, lambda part: new if next(counted) == number else part))

    return put_here


def changed(place: Place, new: Node, change: Change, was: Node | None = None) -> Changed:
    within = "" if place.above is None else bare(place.above)
    return Changed(place.put(new), change, bare(was or place.node), within)


def _without_term(node: Sum, number: int) -> Node:
    rest = (*node.terms[:number], *node.terms[number + 1 :])
    return Group(Sum(rest, node.at), node.at) if rest else Number(0.0)


def product(*factors: Node, sign: str = " ") -> Node:
    first, *others = factors
    return Group(Product((("*", first), *((sign, other) for other in others))))


def of_factors(factors: Sequence[tuple[str, Node]], at: int | None) -> Node:
    """The product; of one factor, the factor itself."""
    return factors[0][1] if len(factors) == 1 else Product(tuple(factors), at)


def _signs(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Sum):
        for number, (sign, term) in enumerate(node.terms):
            turned = (*node.terms[:number], (-sign, term), *node.terms[number + 1 :])
            yield changed(place, Sum(turned, node.at), Change.SIGN, term)
    elif isinstance(node, Call | Power):
        parts = node.arguments if isinstance(node, Call) else (node.exponent,)
        for number, part in enumerate(children(node)):
            if part in parts and not isinstance(part, Group | Sum | Number):
                put = _putting(node, number, place.put)
                minus = Group(Sum(((-1, part),), part.at), part.at)
                yield Changed(put(minus), Change.SIGN, bare(part), bare(node))


def _terms(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Sum) and len(node.terms) > 1:
        for number, (_, term) in enumerate(node.terms):
            yield changed(place, _without_term(node, number), Change.TERM, term)


def _turned(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    match node:
        case Transpose(base) | Inverse(base):
            yield changed(place, base, Change.TRANSPOSE)
        case Element(base, indices) if len(indices) > 1:
            for one, two in combinations(range(len(indices)), 2):
                order = list(indices)
                order[one], order[two] = order[two], order[one]
                if order != list(indices):
                    yield changed(place, Element(base, tuple(order), node.at), Change.TRANSPOSE)
        case Name(name) if known.whole and known.axes.get(name, 0) > 0:
            yield changed(place, Transpose(node, node.at), Change.TRANSPOSE)
        case Product(factors) if known.whole and len(factors) > 1:
            yield changed(place, Transpose(Group(node), node.at), Change.TRANSPOSE)
            for number in range(len(factors) - 1):
                (first, left), (second, right) = factors[number : number + 2]
                if second == " ":
                    swapped = ((first, right), (second, left))
                    new = (*factors[:number], *swapped, *factors[number + 2 :])
                    yield changed(place, Product(new, node.at), Change.TRANSPOSE)


def _factors(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Product) and len(node.factors) > 1:
        for number, (sign, factor) in enumerate(node.factors):
            rest = [*node.factors[:number], *node.factors[number + 1 :]]
            if number == 0:
                one = [("*", Number(1.0))]
                rest = [("*", rest[0][1]), *rest[1:]] if rest[0][0] != "/" else one + rest
            yield changed(place, of_factors(rest, node.at), Change.FACTOR, factor)
            if number and sign in _OPERATORS:
                turned = list(node.factors)
                turned[number] = (_OPERATORS[sign], factor)
                yield changed(place, Product(tuple(turned), node.at), Change.OPERATOR, factor)
        if len(node.factors) == 2 and node.factors[1][0] == "/":
            (_, above), (_, below) = node.factors
            turned = [("*", below), ("/", above)]
            yield changed(place, Product(tuple(turned), node.at), Change.OPERATOR)


def _powers(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    match node:
        case Power(base, _):
            yield changed(place, base, Change.POWER)
        case Call(function, arguments) if function in _TAKEN_AWAY:
            yield changed(place, Group(arguments[0], node.at), Change.POWER)
        case Call(function, arguments) if function in _FUNCTIONS:
            other = Call(_FUNCTIONS[function], arguments, node.at)
            yield changed(place, other, Change.OPERATOR)
    if known.whole and isinstance(node, Product):
        yield changed(place, Inverse(Group(node, node.at), node.at), Change.POWER)
    if isinstance(node, Element | Name | Sum | Call | Reduce | Power) and _is_value(node, known):
        inner = Group(node, node.at)
        if known.whole:
            if isinstance(node, Name) and known.axes.get(node.name, 0) == 1:
                yield changed(place, Call("^⊙", (inner, Number(2.0)), node.at), Change.POWER)
            yield changed(place, Inverse(inner, node.at), Change.POWER)
        yield changed(place, Power(inner, Number(2.0), node.at), Change.POWER)
        for function in _PUT_ROUND:
            yield changed(place, Call(function, (inner,), node.at), Change.POWER)


def _is_value(node: Node, known: Vocabulary) -> bool:
    return known.whole or not isinstance(node, Name) or known.axes.get(node.name) == 0


def _numbers(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Number):
        value = node.value
        for other in dict.fromkeys((value + 1, value - 1, 2 * value, value / 2, -value)):
            if other != value:
                yield changed(place, Number(other, node.at), Change.NUMBER)
    if isinstance(node, Name) and known.axes.get(node.name) == 0:
        yield changed(place, Number(1.0, node.at), Change.NUMBER)
    if isinstance(node, Compare):
        for number, (sign, other_side) in enumerate(node.rest):
            if sign in _COMPARISONS:
                rest = list(node.rest)
                rest[number] = (_COMPARISONS[sign], other_side)
                new = replace(node, rest=tuple(rest))
                yield changed(place, new, Change.CONDITION)


def _sums(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Reduce):
        for kind in _REDUCTIONS.get(node.kind, ()):
            yield changed(place, replace(node, kind=kind), Change.SUM)
        for number, binder in enumerate(node.binders):
            rest = (*node.binders[:number], *node.binders[number + 1 :])
            free = binder.letter in place.letters
            if not free and has(node.body, binder.letter):
                for letter in place.letters:
                    body = substituted(node.body, {binder.letter: Letter(letter)})
                    yield changed(place, _reduced(node, rest, body), Change.SUM)
            else:
                yield changed(place, _reduced(node, rest, node.body), Change.SUM)


def _reduced(node: Reduce, binders: tuple[Binder, ...], body: Node) -> Node:
    return replace(node, binders=binders, body=body) if binders else Group(body, node.at)


def _letters(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Letter):
        for letter in place.letters:
            if letter != node.letter:
                yield changed(place, Letter(letter, node.at), Change.INDEX)
    elif isinstance(node, Element):
        for number, index in enumerate(node.indices):
            if isinstance(index, Number):
                for letter in place.letters:
                    indices = list(node.indices)
                    indices[number] = Letter(letter, node.at)
                    new = Element(node.base, tuple(indices), node.at)
                    yield changed(place, new, Change.INDEX)


def _names(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Name) and node.name in known.axes:
        for name, axes in known.axes.items():
            if name != node.name and axes == known.axes[node.name]:
                yield changed(place, Name(name, node.at), Change.NAME)
            elif known.whole and axes == 1 and known.axes[node.name] == 2:
                yield changed(place, Call("diag", (Name(name),), node.at), Change.NAME)
    elif known.whole and isinstance(node, Identity | Ones):
        wanted = (1, 2) if isinstance(node, Identity) else (1,)
        for name, axes in known.axes.items():
            if axes in wanted:
                new: Node = Name(name, node.at)
                two = isinstance(node, Identity) and axes == 1
                yield changed(place, Call("diag", (new,)) if two else new, Change.NAME)


def _exchanged(place: Place, known: Vocabulary) -> Iterator[Changed]:
    """Two names in each other's place, everywhere."""
    if place.above is not None:
        return
    used = {part.name: None for part in walk(place.node) if isinstance(part, Name)}
    for one, two in combinations(used, 2):
        if one in known.axes and known.axes[one] == known.axes.get(two):
            node = _with_names(place.node, {one: two, two: one})
            yield Changed(place.put(node), Change.NAME, f"{one}” and “{two}")


def _with_names(node: Node, names: Mapping[str, str]) -> Node:
    if isinstance(node, Name):
        return Name(names.get(node.name, node.name), node.at)
    return with_parts(node, lambda part: _with_names(part, names))


_LOOKS = (
    _signs, _terms, _turned, _factors, _powers, _numbers, _sums, _letters, _names, _exchanged
)  # fmt: skip
_IN_INDICES = (_signs, _terms, _factors, _numbers, _letters, _names)


def has(node: Node, letter: str) -> bool:
    return any(isinstance(part, Letter) and part.letter == letter for part in walk(node))


def free(node: Node) -> set[str]:
    """The letters that nothing in the node binds."""
    if isinstance(node, Letter):
        return {node.letter}
    found = {letter for part in children(node) for letter in free(part)}
    return found - {each.letter for each in node.binders} if isinstance(node, Reduce) else found
