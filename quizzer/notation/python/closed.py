"""Whether NumPy notation is a formula: names, numbers, operators, and functions of a closed list.

A formula changes no arrays but its own, keeps nothing and reaches nothing else, so whatever runs
after it in the same process cannot tell; nor can it tell what ran before. A doubtful text does not
count as one: that costs only time.
"""

import ast

from quizzer.notation.python.check import BUILTINS

_SYNTAX = (
    *(ast.Module, ast.Assign, ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp),
    *(ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Subscript, ast.Slice, ast.Call),
    *(ast.keyword, ast.Attribute, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
    *(ast.Load, ast.Store),
)
_ATTRIBUTES = """
T abs absolute arange arccos arcsin arctan argmax argmin argsort array asarray atleast_1d
atleast_2d broadcast_to ceil cholesky clip column_stack concatenate cos cosh cross cumprod cumsum
det diag diagonal diff divide dot einsum equal exp expand_dims expm1 eye flip float64 floor full
full_like greater greater_equal heaviside hstack identity inner inv kron less less_equal linalg log
log1p log2 logaddexp logical_and logical_not logical_or matmul max maximum mean min minimum moveaxis
multiply ndim negative newaxis norm not_equal ones ones_like outer pi pinv power prod ravel repeat
reshape roll shape sign sin sinh size slogdet solve sqrt square squeeze stack std subtract sum
swapaxes take take_along_axis tan tanh tensordot tile trace transpose tri tril triu var vstack where
zeros zeros_like
"""
_KNOWN = frozenset(_ATTRIBUTES.split())
_OPEN = frozenset(BUILTINS) - {"abs", "float", "int", "len", "max", "min", "pow", "round", "sum"}
_ANSWER = "_answer"
_OPEN_KEYWORDS = (None, "out", "where")
"""A ufunc's `where` leaves places as they were in memory, with what another text had there."""


def is_closed(tree: ast.Module) -> bool:
    """Whether what was read, and not yet compiled, is a formula, with names for parts of it."""
    return all(map(_is_closed, ast.walk(tree)))


def _is_closed(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name, ctx=context):
            return name in _KNOWN and isinstance(context, ast.Load)
        case ast.Subscript(ctx=context):
            return isinstance(context, ast.Load)
        case ast.keyword(arg=name):
            return name not in _OPEN_KEYWORDS
        case ast.Name(id=name):
            return name == _ANSWER or not (name.startswith("_") or name in _OPEN)
    return isinstance(node, _SYNTAX)
