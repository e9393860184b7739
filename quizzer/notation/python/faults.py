"""What Python raised while it ran an answer, as a sentence with its place in the text."""

import ast
import re
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from quizzer.notation.python.text import FILE, Program
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


def explained(error: BaseException, program: Program) -> FaultError:
    """The fault, at the innermost place of the answer that raised it."""
    found = _innermost(error.__traceback__)
    if found is None:
        return FaultError(plain_words(error), None, "compute")
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
    return FaultError(plain_words(error), at, "compute")


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


def plain_words(error: BaseException) -> str:
    """What went wrong, in our words: Python's own never reach the learner, but for what they assert
    themselves."""
    said = one_line(str(error), 300)
    if isinstance(error, AssertionError):
        return f"Your assertion fails: {said}" if said else "Your assertion fails."
    for pattern, sentence in _SENTENCES:
        found = re.search(pattern, said)
        if found:
            return found.expand(sentence)
    return next(
        (sentence for kind, sentence in _KINDS if isinstance(error, kind)),
        "This cannot be computed.",
    )


_SENTENCES = (
    (r"name '(\w+)' is not defined", r"\1 has no value here."),
    (r"variable '(\w+)'.* not associated", r"\1 has no value here."),
    (
        r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)",
        r"Index \1 is out of bounds: axis \2 has \3 places, counted from 0.",
    ),
    (r"too many indices", "This has more indices than the array has axes."),
    (r"index out of range", "This index is out of bounds."),
    (
        r"could not be broadcast together with shapes (\([\d, ]*\)) (\([\d, ]*\))",
        r"The shapes \1 and \2 do not fit together.",
    ),
    (r"could not broadcast input array", "The shapes on both sides of = do not fit together."),
    (r"shapes (\([\d, ]*\)) and (\([\d, ]*\)) not aligned", r"\1 and \2 do not fit for @."),
    (r"matmul|gufunc", "The shapes do not fit for @."),
    (r"truth value", "A whole array is no single condition: write np.where(condition, a, b)."),
    (
        r"cannot reshape array of size (\d+) into shape (\([\d, -]*\))",
        r"An array of \1 entries cannot take the shape \2.",
    ),
    (
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        r"There is no axis \1: the array has \2, counted from 0.",
    ),
    (r"axes don't match|repeated axis", "These axes do not fit the array."),
    (r"inhomogeneous", "This is no array: its rows have different lengths."),
    (r"zero-size array", "This array is empty."),
    (r"object is not callable", "A number or an array is called here: is a * missing before (?"),
    (r"is not subscriptable|invalid index to scalar", "This is a number and has no indices."),
    (
        r"missing \d+ required|expected at least|expected \d+ arg",
        "This function needs one more argument.",
    ),
    (
        r"positional argument|unexpected keyword|takes from|takes at most|takes no|got multiple",
        "This function is not called with what it takes.",
    ),
    (
        r"must be a tuple of|only integer|must be integers|as an integer|single integer",
        "A whole number is expected here: for a size write int(…).",
    ),
    (r"has no attribute '(\w+)'", r"There is nothing called \1 here."),
    (
        r"unsupported operand|operand type|bad operand|ufunc",
        "These two cannot be computed with each other.",
    ),
    (r"[Ss]ingular", "This matrix has no inverse."),
    (r"must be square|square matrix|be square", "This needs a square matrix."),
    (r"needs its axis", "logsumexp of a matrix needs its axis: logsumexp(z, axis=-1)."),
    (r"^Only numpy and math can be imported, not (\w+)", r"Only numpy and math can be imported."),
)
_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (PermissionError, "An answer may not do this: it only computes."),
    (ZeroDivisionError, "This divides by zero."),
    (OverflowError, "This number is too large."),
    (RecursionError, "This is nested too deeply."),
    (MemoryError, "This needs too much memory."),
    (IndexError, "This index is out of bounds."),
    (KeyError, "There is nothing under this name."),
    (np.linalg.LinAlgError, "This matrix has no such decomposition."),
    (ValueError, "These values or shapes do not fit here."),
    (TypeError, "Something of another kind is expected here: a number or an array."),
    (ImportError, "Only numpy and math can be imported."),
)
