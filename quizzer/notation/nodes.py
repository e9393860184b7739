"""What index and matrix notation are read into, and how it is shown back."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace


class Number(Struct, frozen=True):
    value: float
    at: int | None = None


class Name(Struct, frozen=True):
    """A known name, bare."""

    name: str
    at: int | None = None


class Letter(Struct, frozen=True):
    """An index letter where its value is meant."""

    letter: str
    at: int | None = None


class Group(Struct, frozen=True):
    """What stood in brackets."""

    inner: "Node"
    at: int | None = None


class Sum(Struct, frozen=True):
    """Terms with their signs, 1 or -1."""

    terms: tuple[tuple[int, "Node"], ...]
    at: int | None = None


class Product(Struct, frozen=True):
    """Factors from left to right, each with the sign before it; a space means side by side."""

    factors: tuple[tuple[str, "Node"], ...]
    at: int | None = None


class Power(Struct, frozen=True):
    base: "Node"
    exponent: "Node"
    at: int | None = None


class Transpose(Struct, frozen=True):
    base: "Node"
    at: int | None = None


class Inverse(Struct, frozen=True):
    base: "Node"
    at: int | None = None


class Call(Struct, frozen=True):
    function: str
    arguments: tuple["Node", ...]
    at: int | None = None


class Compare(Struct, frozen=True):
    """A chain: `first op1 node1 op2 node2 …`."""

    first: "Node"
    rest: tuple[tuple[str, "Node"], ...]
    at: int | None = None


class Logic(Struct, frozen=True):
    """Conditions joined by `and` or by `or`."""

    word: str
    parts: tuple["Node", ...]
    at: int | None = None


class Choice(Struct, frozen=True):
    yes: "Node"
    test: "Node"
    no: "Node"
    at: int | None = None


class Vector(Struct, frozen=True):
    """`(a, b, c)`, entry by entry; of vectors, a matrix by its rows."""

    entries: tuple["Node", ...]
    at: int | None = None


class Element(Struct, frozen=True):
    """One element of an array; outside of it, 0."""

    base: "Node"
    indices: tuple["Node", ...]
    at: int | None = None


class Binder(Struct, frozen=True):
    """A letter that a sum runs over, with its bounds where they are written."""

    letter: str
    low: "Node | None" = None
    high: "Node | None" = None
    at: int | None = None
    like: str | None = None
    """The letter that it hides, whose range it has where nothing else tells."""


class Reduce(Struct, frozen=True):
    """A sum, product, mean, maximum or minimum over letters, where `condition` holds.

    A letter with bounds has a node of its own.
    """

    kind: str
    binders: tuple[Binder, ...]
    condition: "Node | None"
    body: "Node"
    at: int | None = None


class Table(Struct, frozen=True):
    """A whole array, by its entries over letters of its own."""

    letters: tuple[str, ...]
    body: "Node"
    at: int | None = None


class Identity(Struct, frozen=True):
    size: "Node | None" = None
    at: int | None = None


class Ones(Struct, frozen=True):
    size: "Node | None" = None
    at: int | None = None


Node = (
    Number | Name | Letter | Group | Sum | Product | Power | Transpose | Inverse | Call | Compare
    | Logic | Choice | Vector | Element | Binder | Reduce | Table | Identity | Ones
)  # fmt: skip


_KINDS = frozenset(get_args(Node))
_WHOLES = frozenset({"//", "%"})
_DIVIDES = frozenset({"/", "⊘"})


def children(node: Node) -> list[Node]:
    """The nodes directly below."""
    found: list[Node] = []
    for name in _names_of_parts(type(node)):
        value = getattr(node, name)
        if type(value) in _KINDS:
            found.append(value)
        else:
            _collect(value, found)
    return found


@cache
def _names_of_parts(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a kind of node in which there may be others."""
    hints = get_type_hints(kind)
    return tuple(name for name in kind.__struct_fields__ if _may_hold_nodes(hints[name]))


def _may_hold_nodes(hint: object) -> bool:
    return hint in _KINDS or any(map(_may_hold_nodes, get_args(hint)))


def _collect(value: object, found: list[Node]) -> None:
    if type(value) in _KINDS:
        found.append(value)  # type: ignore[arg-type]
    elif isinstance(value, tuple):
        for part in value:
            _collect(part, found)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, each before its children."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(children(node))


def substituted(node: Node, letters: Mapping[str, Node]) -> Node:
    """The node with other nodes for letters. What is put in must use no letter that is bound in
    the node."""
    if isinstance(node, Letter):
        return letters.get(node.letter, node)
    return with_parts(node, lambda part: substituted(part, letters))


def with_parts(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with what is directly below it changed."""

    def changed(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(changed, value))
        return change(value) if type(value) in _KINDS else value  # type: ignore[arg-type]

    names = _names_of_parts(type(node))
    return replace(node, **{name: changed(getattr(node, name)) for name in names})


def factors_of(node: Node) -> Iterator[tuple[Node, bool]]:
    """The factors of a product, each with whether it divides; a square is two."""
    match node:
        case Group(inner):
            yield from factors_of(inner)
        case Power(base, Number(2)):
            yield from ((base, False), (base, False))
        case Product(factors) if len(factors) > 1 and not any(s in _WHOLES for s, _ in factors):
            yield from factors_of(factors[0][1])
            for sign, factor in factors[1:]:
                if sign in _DIVIDES:
                    yield factor, True
                else:
                    yield from factors_of(factor)
        case _:
            yield node, False


def is_whole(node: Node) -> bool:
    """Whether it is a whole array, of which no entry is named."""
    match node:
        case Name() | Transpose() | Inverse() | Table():
            return True
        case Group(inner):
            return is_whole(inner)
        case Call(_, arguments):
            return all(is_whole(argument) for argument in arguments)
        case _:
            return False


def show(node: Node) -> str:
    """The node in a notation that is read back to the same, with all its brackets."""
    match node:
        case Number(value):
            return _number(value)
        case Name(name):
            return name
        case Letter(letter):
            return letter
        case Group(inner):
            return show(inner)
        case Sum(terms):
            shown = "".join(f" {'-' if sign < 0 else '+'} {show(term)}" for sign, term in terms)
            return f"({shown[3:] if shown.startswith(' +') else '-' + shown[3:]})"
        case Product(factors):
            return _product(factors)
        case Power(base, exponent):
            return _power(base, exponent)
        case Transpose(base):
            return f"{_tight(base)}^T"
        case Inverse(base):
            return f"{_tight(base)}^{{-1}}"
        case Call("|", arguments):
            return f"|{bare(arguments[0])}|"
        case Call("^⊙", (base, exponent)):
            return f"{_tight(base)}^{{⊙ {show(exponent)}}}"
        case Call("inner", (first, second)):
            return f"⟨{bare(first)}, {bare(second)}⟩"
        case Call(function, arguments):
            return f"{function}({', '.join(map(bare, arguments))})"
        case Compare(first, rest):
            return f"[{bare(first)}{''.join(f' {op} {bare(part)}' for op, part in rest)}]"
        case Logic(word, parts):
            return f"[{f' {word} '.join(map(show, parts))}]"
        case Choice(yes, test, no):
            return f"({show(yes)} if {show(test)} else {show(no)})"
        case Vector(entries):
            return f"({', '.join(map(bare, entries))})"
        case Element(base, indices):
            return f"{_tight(base)}[{', '.join(map(bare, indices))}]"
        case Binder(letter, low):
            return letter if low is None else f"{letter}={show(low)}"
        case Reduce():
            return _reduce(node)
        case Table(letters, body):
            return f"({', '.join(letters)} ↦ {bare(body)})"
        case Identity(size):
            return "I" if size is None else f"I_{{{show(size)}}}"
        case Ones(size):
            return "𝟏" if size is None else f"𝟏_{{{show(size)}}}"


def without_brackets(node: Node) -> Node:
    """What stands in the brackets round all of a node, if there are any."""
    while isinstance(node, Group):
        node = node.inner
    return node


def bare(node: Node) -> str:
    """The node shown without a pair of round brackets round all of it."""
    shown = show(node)
    if isinstance(without_brackets(node), Vector) or not (
        shown.startswith("(") and shown.endswith(")")
    ):
        return shown
    depth = 0
    for place, sign in enumerate(shown):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(shown) - 1:
            return shown
    return shown[1:-1]


def _number(value: float) -> str:
    if value == math.pi:
        return "pi"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _tight(node: Node) -> str:
    """Shown so that a power or an index after it belongs to all of it."""
    while isinstance(node, Group):
        node = node.inner
    closed = Name | Identity | Ones | Call | Letter | Sum | Product | Reduce | Choice | Vector
    return show(node) if isinstance(node, closed) else f"({show(node)})"


def _product(factors: tuple[tuple[str, Node], ...]) -> str:
    shown = show(factors[0][1])
    divided = False
    for sign, factor in factors[1:]:
        if divided and sign == " ":
            shown = f"({shown})"
        divided = sign == "/"
        part = show(factor)
        if part[0] in "0123456789" and sign == " ":
            part = f"({part})"
        shown += f" {part}" if sign == " " else f" {sign} {part}"
    return f"({shown})"


def _power(base: Node, exponent: Node) -> str:
    while isinstance(base, Group):
        base = base.inner
    raised = show(base) if isinstance(base, Element) else _tight(base)
    if isinstance(exponent, Number) and exponent.value == int(exponent.value) >= 0:
        return f"{raised}^{show(exponent)}"
    return f"{raised}^({bare(exponent)})"


def _reduce(node: Reduce) -> str:
    under = [show(binder) for binder in node.binders]
    high = node.binders[0].high
    body = show(node.body) if isinstance(node.body, Element) else f"({bare(node.body)})"
    if node.condition is None and high is None:
        return f"({node.kind}({', '.join(under)}) {body})"
    if node.condition is not None:
        under.append(show(node.condition))
    over = "" if high is None else f"^{{{bare(high)}}}"
    return f"({node.kind}_{{{', '.join(under)}}}{over} {body})"
