"""A NumPy expression as the formula that it is on paper, so that it can be drawn.

Only what keeps its meaning in matrix notation: no sum along an axis, no axes that are stretched or
added, no function but those of matrix notation. Nothing is run.
"""

import ast
import math
from collections.abc import Sequence

from msgspec import Struct

from quizzer.notation.functions import ELEMENTWISE
from quizzer.notation.lexer.names import Names
from quizzer.notation.nodes import (
    Call,
    Choice,
    Compare,
    Inverse,
    Name,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Transpose,
)
from quizzer.notation.python.text import Program

_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_METHODS = ("sum", "dot", "transpose")
_LARGER = {"maximum": "max", "minimum": "min", "max": "max", "min": "min"}


class _Undrawn(Exception):
    """It has no formula."""


class _Part(Struct, frozen=True):
    node: Node
    axes: int


def formula_of(program: Program, names: Names) -> Node | None:
    """The right side of a single expression; None where it is not written so on paper."""
    match program.tree.body:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value)] if name == program.answer:
            try:
                return _Drawer(names).part(value).node
            except _Undrawn:
                return None
    return None


class _Drawer:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.axes = names.axes

    def part(self, node: ast.expr) -> _Part:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return _Part(Number(float(value)), 0)
            case ast.Name(id=name) if (axes := self.axes.get(name)) is not None:
                return _Part(Name(name), axes)
            case ast.Attribute(value=ast.Name(id="np"), attr="pi") if not self.names.find("pi"):
                return _Part(Number(math.pi), 0)
            case ast.Attribute(value=inner, attr="T"):
                return _transposed(self.part(inner))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                part = self.part(inner)
                return _Part(Sum(((-1, part.node),)), part.axes)
            case ast.BinOp(left=left, op=sign, right=right):
                return _binary(self.part(left), sign, self.part(right))
            case ast.Compare(left=left, ops=[sign], comparators=[right]) if (
                type(sign) in _RELATIONS
            ):
                first, second = self.part(left), self.part(right)
                compared = Compare(first.node, ((_RELATIONS[type(sign)], second.node),))
                return _Part(compared, _same_axes(first, second))
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self.call(function, arguments)
        raise _Undrawn

    def call(self, function: ast.expr, arguments: Sequence[ast.expr]) -> _Part:
        match function:
            case ast.Name(id=name) if name not in self.axes:
                pass
            case ast.Attribute(value=ast.Name(id="np"), attr="max" | "min") if len(arguments) > 1:
                raise _Undrawn  # along an axis
            case ast.Attribute(value=ast.Name(id="np"), attr=name):
                pass
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="np"), attr="linalg"), attr=name
            ):
                pass
            case ast.Attribute(value=owner, attr=name) if name in _METHODS:
                arguments = [owner, *arguments]
            case _:
                raise _Undrawn
        return _called(name, [self.part(each) for each in arguments])


def _called(name: str, parts: list[_Part]) -> _Part:
    match name, parts:
        case _, [part] if name in ELEMENTWISE:
            return _Part(Call(name, (part.node,)), part.axes)
        case "square", [part]:
            return _raised(part, _Part(Number(2.0), 0))
        case "sum", [part] if part.axes:
            return _Part(Call("sum", (part.node,)), 0)
        case "transpose", [part]:
            return _transposed(part)
        case "outer", [_Part(a, 1), _Part(b, 1)]:
            return _Part(Product((("*", a), (" ", Transpose(b)))), 2)
        case "dot" | "matmul", [first, second] if first.axes and second.axes:
            return _multiplied(first, second)
        case "norm", [_Part(a, 1)]:
            return _Part(Call("norm", (a,)), 0)
        case "softmax", [_Part(a, 1)]:
            return _Part(Call("softmax", (a,)), 1)
        case "diag", [_Part(a, 1)]:
            return _Part(Call("diag", (a,)), 2)
        case "trace" | "tr", [_Part(a, 2)]:
            return _Part(Call("tr", (a,)), 0)
        case "inv", [_Part(a, 2)]:
            return _Part(Inverse(a), 2)
        case _, [first, second] if name in _LARGER:
            call = Call(_LARGER[name], (first.node, second.node))
            return _Part(call, _same_axes(first, second))
        case "where", [_Part(Compare() as test, axes), yes, no] if {yes.axes, no.axes} <= {0, axes}:
            return _Part(Choice(yes.node, test, no.node), axes)
    raise _Undrawn


def _binary(left: _Part, sign: ast.operator, right: _Part) -> _Part:
    match sign:
        case ast.Add() | ast.Sub():
            terms = left.node.terms if isinstance(left.node, Sum) else ((1, left.node),)
            term = (1 if isinstance(sign, ast.Add) else -1, right.node)
            return _Part(Sum((*terms, term)), _same_axes(left, right))
        case ast.Mult() if left.axes and right.axes:
            return _Part(_product(left, "⊙", right), _same_axes(left, right))
        case ast.Mult():
            if isinstance(right.node, Number) and not isinstance(left.node, Number):
                left, right = right, left  # on paper a number comes first
            return _Part(_product(left, " ", right), max(left.axes, right.axes))
        case ast.Div():
            axes = _same_axes(left, right)
            line = "⊘" if right.axes > 1 else "/"
            return _Part(Product((("*", left.node), (line, right.node))), axes)
        case ast.Pow():
            return _raised(left, right)
        case ast.MatMult():
            return _multiplied(left, right)
    raise _Undrawn


def _same_axes(first: _Part, second: _Part) -> int:
    """The axes of both, or of one beside a number: nothing is stretched along an axis."""
    if first.axes and second.axes and first.axes != second.axes:
        raise _Undrawn
    return max(first.axes, second.axes)


def _product(left: _Part, sign: str, right: _Part) -> Product:
    """One product with what is on its left, where that is multiplied in the same way."""
    if isinstance(left.node, Product):
        factors = left.node.factors
        plain = left.axes or all(isinstance(each, Number | Name) for _, each in factors)
        if plain and {each for each, _ in factors[1:]} == {sign}:
            return Product((*factors, (sign, right.node)))
    return Product((("*", left.node), (sign, right.node)))


def _raised(base: _Part, exponent: _Part) -> _Part:
    if exponent.axes:
        raise _Undrawn
    if base.axes:
        return _Part(Call("^⊙", (base.node, exponent.node)), base.axes)
    return _Part(Power(base.node, exponent.node), 0)


def _multiplied(left: _Part, right: _Part) -> _Part:
    """A matrix product. A vector is a column on paper, so that it comes last, or is transposed."""
    match left.axes, right.axes:
        case 2, 1 | 2:
            return _Part(_product(left, " ", right), right.axes)
        case 1, 2:
            return _Part(_product(_transposed(right), " ", left), 1)
        case 1, 1:
            return _Part(Product((("*", Transpose(left.node)), (" ", right.node))), 0)
    raise _Undrawn


def _transposed(part: _Part) -> _Part:
    if part.axes < 2:
        return part
    if isinstance(part.node, Transpose):
        return _Part(part.node.base, 2)
    return _Part(Transpose(part.node), part.axes)
