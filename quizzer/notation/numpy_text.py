"""NumPy notation: Python text that is parsed here and run only by `NumpyReading.evaluate`.

Reading never executes anything. Evaluation runs the text as Python: only in a confined process.
"""

import ast
import builtins
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from quizzer.notation import functions
from quizzer.notation.functions import ELEMENTWISE
from quizzer.notation.left import is_asked, parse_left
from quizzer.notation.names import Names
from quizzer.notation.signs import SUPERSCRIPTS
from quizzer.notation.translate import Plain
from quizzer.notation.values import FaultError

_BUILTINS = [
    "abs",
    "all",
    "any",
    "bool",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "int",
    "len",
    "list",
    "map",
    "max",
    "min",
    "pow",
    "print",
    "range",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
    "True",
    "False",
    "None",
    "ValueError",
    "isinstance",
]
_FUNCTIONS = frozenset(
    {*ELEMENTWISE, *functions.WHOLE, *functions.REDUCTIONS, "np", "numpy", "math", "one_hot", "pi"}
)
_SIGNS = {
    "−": "-", "–": "-",    "⊙": "*", "∗": "*", "≤": "<=", "≥": ">=",
    "≠": "!=", "ᵀ": ".T", "⊤": ".T", "’": "'",
}  # fmt: skip
_MODULES = frozenset({"numpy", "numpy.linalg", "math"})


@dataclass(frozen=True, slots=True)
class Program:
    """Python text that was parsed: the tree, and the name whose value is the answer."""

    tree: ast.Module
    answer: str
    text: str

    def shown(self) -> str:
        return self.text


def parse_python(text: str, names: Names) -> ast.Module:
    """The text as Python with the card's names put in. Raises FaultError where it is none."""
    plain = _in_python_signs(text)
    try:
        plain = _with_left_side(plain, names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(plain.text)
    except SyntaxError as error:
        raise FaultError(f"Python cannot read this: {error.msg}.", _place(plain, error)) from None
    except (ValueError, RecursionError, MemoryError):
        raise FaultError("Python cannot read this.") from None
    return tree


def read_python(text: str, names: Names) -> Program:
    """The text ready to be run. Raises FaultError, with the nearest name for an unknown one."""
    tree = parse_python(text, names)
    _rename(tree, names)
    _check(tree, names, text)
    answer = _answer_name(tree, names, text)
    try:
        shown = ast.unparse(tree)
    except RecursionError:
        shown = text
    return Program(tree, answer, shown.replace("_answer = ", "").strip())


def free_names(tree: ast.Module) -> Iterator[ast.Name]:
    """Names that are read and that the text itself does not define."""
    bound = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.arg(arg=name) | ast.FunctionDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=alias):
                bound.add(alias or name.split(".")[0])
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in bound:
            yield node


def is_python_name(name: str) -> bool:
    """Whether a name means something without the card."""
    return name in _FUNCTIONS or name in _BUILTINS


def run(program: Program, names: Names, env: Mapping[str, Any]) -> Any:
    """Runs the text and returns what it computes, whatever it is. Raises what the text raises."""
    namespace = _namespace(names, env)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(_compiled(program), namespace)
        value = namespace.get(program.answer)
        if callable(value):
            return value(**_arguments(value, namespace))
    return value


def _compiled(program: Program) -> CodeType:
    return compile(program.tree, "<answer>", "exec")


def _namespace(names: Names, env: Mapping[str, Any]) -> dict[str, Any]:
    safe = {name: getattr(builtins, name) for name in _BUILTINS if hasattr(builtins, name)}
    space: dict[str, Any] = {"__builtins__": {**safe, "__import__": _import}}
    space |= {"np": np, "numpy": np, "pi": np.pi, "one_hot": functions.one_hot}
    space |= ELEMENTWISE | functions.WHOLE
    space |= {"mean": np.mean, "prod": np.prod, "sum": total, "max": largest, "min": smallest}
    for name, value in env.items():
        space[name] = _own(value)
    for spelling in ("delta", "δ"):
        if spelling not in space and names.find(spelling):
            space[spelling] = space.get(names.find(spelling) or "")
    return space


def _own(value: Any) -> Any:
    """A copy, so that the text cannot change what others are given; a 0-d integer as an int."""
    if isinstance(value, np.ndarray):
        whole = value.ndim == 0 and value.dtype.kind in "iub"
        return value.item() if whole else value.copy()
    return value


def _import(name: str, *rest: Any) -> Any:
    if name not in _MODULES:
        raise ImportError(f"only numpy and math can be imported, not {name}")
    return builtins.__import__(name, *rest)


def _arguments(function: Any, namespace: dict[str, Any]) -> dict[str, Any]:
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    return {name: namespace[name] for name in code.co_varnames[:count] if name in namespace}


def total(x: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    """`sum(x)`, `sum(x, axis=0)`; of a generator too."""
    if not isinstance(x, np.ndarray | list | tuple | np.generic | int | float):
        return builtins.sum(x)
    return np.sum(x, axis=axis, keepdims=keepdims)


def largest(*values: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`max(x, 0)` elementwise; `max(x)` and `max(x, axis=0)` of one array."""
    return _extreme(np.maximum, np.max, values, axis, keepdims)


def smallest(*values: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`min(x, 0)` elementwise; `min(x)` and `min(x, axis=0)` of one array."""
    return _extreme(np.minimum, np.min, values, axis, keepdims)


def _extreme(pair: Any, one: Any, values: tuple[Any, ...], axis: Any, keepdims: bool) -> Any:
    if len(values) == 1:
        value = values[0]
        return one(value if isinstance(value, np.ndarray) else list(np.atleast_1d(value)),
                   axis=axis, keepdims=keepdims)  # fmt: skip
    if axis is not None:
        raise TypeError("an axis goes with one array: max(x, axis=0)")
    found = values[0]
    for value in values[1:]:
        found = pair(found, value)
    return found


def _in_python_signs(text: str) -> Plain:
    """Typographic signs as Python's own; everything else is left alone."""
    out: list[str] = []
    origin: list[int] = []
    for at, sign in enumerate(text):
        plain = _SIGNS.get(sign, sign)
        if sign in SUPERSCRIPTS and SUPERSCRIPTS[sign].isdigit():
            plain = "**" + SUPERSCRIPTS[sign]
        out += plain
        origin += [at] * len(plain)
    return Plain("".join(out), tuple(origin))


def _with_left_side(plain: Plain, names: Names) -> Plain:
    """`∂L/∂x = …` as an assignment to the asked name, where it is one line's left side."""
    start = 0
    for line in plain.text.split("\n"):
        head, equals, _ = line.partition("=")
        if equals and ("/" in head or "∂" in head or "∇" in head) and "(" not in head:
            part = plain[start : start + len(head)]
            left = parse_left(part, names, indexed=False)
            name = names.context.asked if is_asked(left, names) else left.name
            plain = plain.replaced(start, start + len(head), name + " ")
            return _with_left_side(plain, names)
        start += len(line) + 1
    return plain


def _place(plain: Plain, error: SyntaxError) -> int | None:
    if error.lineno is None:
        return None
    lines = plain.text.split("\n")
    before = sum(len(line) + 1 for line in lines[: error.lineno - 1])
    return plain.at(min(before + max((error.offset or 1) - 1, 0), len(plain.text)))


def _at(node: ast.AST, text: str) -> int | None:
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", 0)
    if line is None:
        return None
    lines = text.split("\n")
    if line > len(lines):
        return None
    before = sum(len(part) + 1 for part in lines[: line - 1])
    # Python counts columns in bytes.
    return before + len(lines[line - 1].encode()[:column].decode(errors="ignore"))


def _rename(tree: ast.Module, names: Names) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = _spelled(node.id, names)
        elif isinstance(node, ast.arg):
            node.arg = _spelled(node.arg, names)


def _spelled(word: str, names: Names) -> str:
    known = names.find(word)
    if known or is_python_name(word):
        return known or word
    return names.spelled(_apart(word))


def _apart(word: str) -> str:
    """Python composes ŷ into one letter; here it is `y_hat`."""
    from quizzer.notation.translate import translate

    return translate(word).text


def _check(tree: ast.Module, names: Names, text: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            raise FaultError("^ is no power in NumPy: write **.", _at(node.right, text))
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names]
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else modules
            if not _MODULES.issuperset(modules):
                raise FaultError("Only numpy and math can be imported.", _at(node, text))
    for name in free_names(tree):
        if not names.find(name.id) and not is_python_name(name.id):
            raise names.unknown(name.id, _at(name, text))


def _answer_name(tree: ast.Module, names: Names, text: str) -> str:
    """The name that holds the answer; a bare expression at the end is given one."""
    if not tree.body:
        raise FaultError("Nothing is written.", None, "empty")
    asked = names.context.asked
    defined = [_defined(statement) for statement in tree.body]
    last = tree.body[-1]
    if asked in defined:
        effectless = [s for s in tree.body if isinstance(s, ast.Expr) and not _is_text(s)]
        if effectless:
            raise FaultError(
                f"This line changes nothing: is it part of {asked}? Put brackets round both.",
                _at(effectless[0], text),
                "ambiguous",
            )
        return asked
    if isinstance(last, ast.Expr):
        target = ast.Name("_answer", ast.Store())
        tree.body[-1] = ast.Assign([target], last.value)
        ast.fix_missing_locations(tree)
        return "_answer"
    found = [name for name in defined if name]
    if not found:
        raise FaultError(f"No line gives {asked} a value.", None, "left-side")
    if found[-1] in names.context.others:
        raise FaultError(
            f"This is headed {found[-1]}, but {asked} is asked for here.",
            _at(last, text),
            "left-side",
        )
    return found[-1]


def _defined(statement: ast.stmt) -> str | None:
    match statement:
        case ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[*_, ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]):
            return name
        case ast.For() | ast.If() | ast.With() | ast.While():
            inner = [_defined(part) for part in statement.body]
            return next((name for name in reversed(inner) if name), None)
        case _:
            return None


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
