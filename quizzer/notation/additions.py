"""One-addition neighbours of a formula's tree: what a slip has left out. Pure."""

from collections.abc import Iterator
from itertools import combinations, permutations

from msgspec.structs import replace

from quizzer.notation.changes import (
    Change,
    Changed,
    Place,
    Vocabulary,
    changed,
    free,
    has,
    of_factors,
    places,
    product,
)
from quizzer.notation.nodes import (
    Binder,
    Call,
    Compare,
    Element,
    Group,
    Identity,
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
    substituted,
    walk,
    with_parts,
)

_FRESH = "ꞏ"
_MOST_FACTORS = 5


def enlarged(node: Node, known: Vocabulary) -> Iterator[Changed]:
    """The tree with a known name, an Iverson bracket or a sum put in somewhere."""
    found = list(places(node, known.letters, lambda new: new))
    for look in (_more_sums, _more_factors, _more_terms, _other_entries, _other_terms):
        for place in found:
            if not place.is_index:
                yield from look(place, known)


def _more_sums(place: Place, known: Vocabulary) -> Iterator[Changed]:
    """A sum over a letter of the left side, which only some of the factors have then."""
    node = place.node
    factors = node.factors if isinstance(node, Product) else ()
    if known.whole or not (factors or isinstance(node, Element | Call | Power)):
        return
    if any(isinstance(part, Element) and Number(0.0) in _bare(part.indices) for part in walk(node)):
        body = _with_letter(node, _FRESH)
        yield changed(place, Reduce("sum", (Binder(_FRESH),), None, body), Change.SUM)
    for letter in place.letters:
        bound = Reduce("sum", (Binder(letter + _FRESH),), None, node)
        for chosen in _choices(len(factors)) if factors else ((),):
            inside = [factors[number] for number in chosen] if factors else [("*", node)]
            if not any(has(part, letter) for _, part in inside) or (
                factors and any(sign == "/" for sign, _ in inside[:1])
            ):
                continue
            body = of_factors(inside, node.at)
            body = substituted(body, {letter: Letter(letter + _FRESH)})
            summed: Node = Group(replace(bound, body=body))
            if factors:
                rest = [each for number, each in enumerate(factors) if number not in chosen]
                first = ("*", Number(1.0)) if not rest or rest[0][0] == "/" else ("*", rest[0][1])
                kept = (first, *(rest if rest and rest[0][0] == "/" else rest[1:]))
                summed = Product((*kept, (" ", summed)), node.at)
            yield changed(place, summed, Change.SUM)


def _bare(indices: tuple[Node, ...]) -> list[Node]:
    return [replace(each, at=None) if isinstance(each, Number) else each for each in indices]


def _with_letter(node: Node, letter: str) -> Node:
    """The node with a letter in the place of the first index."""
    if isinstance(node, Element):
        zero = (isinstance(each, Number) and each.value == 0 for each in node.indices)
        pairs = zip(node.indices, zero, strict=True)
        indices = tuple(Letter(letter) if is_zero else each for each, is_zero in pairs)
        return Element(node.base, indices, node.at)
    return with_parts(node, lambda part: _with_letter(part, letter))


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    if count <= _MOST_FACTORS:
        for size in range(1, count + 1):
            yield from combinations(range(count), size)


def _more_factors(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Letter | Logic | Identity | Ones):
        return
    if isinstance(node, Name) and not known.whole and known.axes.get(node.name) != 0:
        return
    inner = Group(node, node.at)
    if known.whole:
        for name, axes in known.axes.items():
            factor = Name(name)
            yield changed(place, product(inner, factor), Change.FACTOR)
            if axes == 0:
                yield changed(place, product(inner, factor, sign="/"), Change.FACTOR)
                continue
            yield changed(place, product(factor, inner), Change.FACTOR)
            yield changed(place, product(inner, factor, sign="⊙"), Change.FACTOR)
            turned = Transpose(factor)
            yield changed(place, product(turned, inner), Change.FACTOR)
            yield changed(place, product(inner, turned), Change.FACTOR)
        return
    brackets: list[Node] = [
        Compare(Letter(first), (("==", Letter(second)),))
        for first, second in combinations(place.letters, 2)
    ]
    for bracket in (*brackets, *known.conditions):
        if free(bracket) <= {*place.letters}:
            yield changed(place, product(inner, bracket), Change.FACTOR)
    for entry in _entries(place.letters, known):
        yield changed(place, product(inner, entry), Change.FACTOR)
        yield changed(place, product(inner, entry, sign="/"), Change.FACTOR)


def _more_terms(place: Place, known: Vocabulary) -> Iterator[Changed]:
    node = place.node
    if isinstance(node, Letter | Logic) or isinstance(place.above, Sum):
        return
    if isinstance(node, Name) and not known.whole and known.axes.get(node.name) != 0:
        return
    inner = Group(node, node.at)
    names: Iterator[Node] = (
        (Name(name) for name in known.axes)
        if known.whole
        else iter((Number(1.0), *_entries(place.letters, known)))
    )
    for term in (*known.terms, *names):
        if known.whole or free(term) <= {*place.letters}:
            for sign in (1, -1):
                yield changed(place, Group(Sum(((1, inner), (sign, term)))), Change.TERM)


def _other_terms(place: Place, known: Vocabulary) -> Iterator[Changed]:
    """A summand of a formula nearby in the place of something small."""
    if isinstance(place.node, Name | Element | Number | Reduce):
        if isinstance(place.above, Element):
            return
        for term in known.terms:
            if known.whole or free(term) <= {*place.letters}:
                yield changed(place, Group(term), Change.NAME)


def _other_entries(place: Place, known: Vocabulary) -> Iterator[Changed]:
    """Another name with letters of its own in the place of one."""
    if isinstance(place.node, Element) and not known.whole:
        for entry in _entries(place.letters, known):
            yield changed(place, entry, Change.NAME)


def _entries(letters: tuple[str, ...], known: Vocabulary) -> Iterator[Node]:
    """Every known name with letters that may stand there."""
    for name, axes in known.axes.items():
        if axes == 0:
            yield Name(name)
        elif axes <= min(3, len(letters)):
            for indices in permutations(letters, axes):
                yield Element(Name(name), tuple(map(Letter, indices)))
    for name, axes in known.axes.items():
        if axes == 2:
            for letter in letters:
                yield Element(Name(name), (Letter(letter), Letter(letter)))
