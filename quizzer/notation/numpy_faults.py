"""What Python raised while it ran an answer, as a sentence with its place in the text."""

import ast
import re
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from quizzer.notation.numpy_text import FILE, Program
from quizzer.notation.values import FaultError
from quizzer.text import one_line

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.MatMult: "@",
    ast.Pow: "**",
}
_NAME_ERROR = re.compile(r"name '(\w+)' is not defined")


def explained(error: BaseException, program: Program) -> FaultError:
    """The fault, at the innermost place of the answer that raised it."""
    found = _innermost(error.__traceback__)
    if found is None:
        return FaultError(_plain(error), None, "compute")
    frame, (line, end, column, end_column) = found
    at = None if line is None else program.plain.at_line(line, column or 0)
    for node in ast.walk(program.tree):
        span = tuple(getattr(node, f, None) for f in ("lineno", "end_lineno", "col_offset"))
        if span != (line, end, column) or getattr(node, "end_col_offset", None) != end_column:
            continue
        if isinstance(node, ast.BinOp) and isinstance(error, ValueError):
            sentence = _misfit(node, frame)
            if sentence:
                return FaultError(sentence, at, "shape")
    return FaultError(_plain(error), at, "compute")


_Span = tuple[int | None, int | None, int | None, int | None]


def _innermost(traceback: TracebackType | None) -> tuple[FrameType, _Span] | None:
    """The last frame of the text itself, and the lines and columns that ran there."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == FILE:
            positions = list(code.co_positions())
            found = traceback.tb_frame, positions[traceback.tb_lasti // 2]
        traceback = traceback.tb_next
    return found


def _misfit(node: ast.BinOp, frame: FrameType) -> str | None:
    """`dy is (5, 3) and W is (3, 4): they do not fit for *.`"""
    sign = _SIGNS.get(type(node.op))
    left, right = _value(node.left, frame), _value(node.right, frame)
    if sign is None or left is None or right is None:
        return None
    hint = ""
    if sign == "@":
        hint = _transposed(left, right)
    elif sign == "*" and left.ndim and right.ndim and _matmul_fits(left, right):
        hint = " Did you mean @ ?"
    names = _named(node.left, "the left side"), _named(node.right, "the right side")
    sentence = f"{names[0]} is {left.shape} and {names[1]} is {right.shape}"
    return f"{sentence[:1].upper() if names[0][:3] == 'the' else sentence[:1]}{sentence[1:]}: " + (
        f"they do not fit for {sign}.{hint}"
    )


def _named(node: ast.expr, otherwise: str) -> str:
    shown = ast.unparse(node)
    return shown if len(shown) <= 24 and not isinstance(node, ast.BinOp) else otherwise


def _value(node: ast.expr, frame: FrameType) -> np.ndarray[Any, Any] | None:
    """The operand's value, worked out once more; None where that fails."""
    try:
        code = compile(ast.Expression(node), FILE, "eval")
        return np.asarray(eval(code, frame.f_globals, frame.f_locals))
    except Exception:
        return None


def _matmul_fits(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return bool(left.shape[-1] == right.shape[max(right.ndim - 2, 0)])


def _transposed(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> str:
    if not left.ndim or not right.ndim:
        return " Write * for a number times an array."
    if left.ndim == 2 and _matmul_fits(left.T, right):
        return " Is a .T missing on the left?"
    if right.ndim == 2 and _matmul_fits(left, right.T):
        return " Is a .T missing on the right?"
    if left.ndim == right.ndim == 1:
        return " Did you mean np.outer?"
    return ""


def _plain(error: BaseException) -> str:
    """What Python said, as a sentence."""
    said = one_line(str(error), 200).rstrip(".")
    unbound = _NAME_ERROR.search(said)
    if unbound:
        return f"{unbound[1]} has no value here."
    if isinstance(error, ZeroDivisionError):
        return "This divides by zero."
    if isinstance(error, ImportError | RecursionError) or said.startswith("Name the axis"):
        return f"{said}."
    return (
        f"Python stops here with {type(error).__name__}: {said}."
        if said
        else (f"Python stops here with {type(error).__name__}.")
    )
