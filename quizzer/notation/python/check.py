"""What is wrong with Python text, before it is run: syntax, unknown names, foreign signs."""

import ast
import keyword
import re
from collections.abc import Iterable

from quizzer.notation import functions
from quizzer.notation.functions import ELEMENTWISE
from quizzer.notation.grammar.parser import DECIMALS
from quizzer.notation.lexer.names import ENGLISH, Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.values import FaultError

BUILTINS = [
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
_OF_PAPER = frozenset({*ELEMENTWISE, *functions.WHOLE, *functions.REDUCTIONS})
_FUNCTIONS = frozenset({*_OF_PAPER, "np", "numpy", "math", "one_hot", "pi"})
_CALLED = frozenset({*_FUNCTIONS, *BUILTINS}) - {"pi", "True", "False", "None", "ValueError"}
_TAKES_FUNCTIONS = frozenset({"map", "filter", "sorted", "isinstance", "max", "min"})
MODULES = frozenset({"numpy", "numpy.linalg", "math"})
_UNFINISHED = re.compile(r"(\*\*|//|[-+*/@%=(\[{,])\s*$")
_DECIMAL = re.compile(r"^[^(\[{]*[0-9],[0-9]")
_WORD = re.compile(r"\w+")
_NEVER_CLOSED = re.compile(r"'([(\[{])' was never closed")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def free_names(nodes: Iterable[ast.AST]) -> list[ast.Name]:
    """Names that are read and that the text itself does not define."""
    bound = set()
    found = []
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.add(name)
            case ast.Name():
                found.append(node)
            case ast.arg(arg=name) | ast.FunctionDef(name=name):
                bound.add(name)
            case ast.alias(name=name, asname=alias):
                bound.add(alias or name.split(".")[0])
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
    return [name for name in found if name.id not in bound]


def is_python_name(name: str) -> bool:
    """Whether a name means something without the card."""
    return name in _FUNCTIONS or name in BUILTINS


def check(tree: ast.Module, names: Names, plain: Plain) -> None:
    """Raises FaultError for what Python would only refuse, or misread, when it runs."""
    nodes = list(ast.walk(tree))
    inside = {
        id(part)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for part in ast.walk(node)
    }
    for node in nodes:
        match node:
            case ast.BinOp(op=ast.BitXor(), right=right):
                raise FaultError("^ is no power in NumPy: write **.", _at(right, plain))
            case ast.Import() | ast.ImportFrom():
                _check_import(node, plain)
            case ast.BinOp(left=left, right=right, op=operation):
                _check_operand(left, names, plain)
                _check_operand(right, names, plain)
                if isinstance(operation, ast.Add | ast.Mult) and id(node) not in inside:
                    _check_list(left, plain)
                    _check_list(right, plain)
            case ast.UnaryOp(operand=operand):
                _check_operand(operand, names, plain)
            case ast.BoolOp(values=values):
                for operand in values:
                    _check_holds(operand, plain)
            case ast.IfExp(test=test):
                _check_holds(test, plain)
            case ast.Call(func=ast.Name(id=called), keywords=[_, *_]) if names.find(called):
                raise FaultError(
                    "Is this in brackets a remark? Begin it with #, or leave it out.",
                    _at(node, plain),
                    "ambiguous",
                )
    for statement in tree.body:
        if isinstance(statement, ast.Return):
            raise FaultError(
                "Leave out `return`: without a `def`, the last line is the answer.",
                _at(statement, plain),
            )
        value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
        if isinstance(value, ast.Tuple) and _DECIMAL.search(_source(value, plain)):
            raise FaultError("Decimals are written with a point: 0.5.", _at(value, plain))
        if isinstance(value, ast.Starred):
            raise FaultError("Something is missing before *.", _at(value, plain))
        _check_decimals(value, names, plain)
    stored = [
        each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    free = free_names(nodes)
    for name in free:
        if not names.find(name.id) and not is_python_name(name.id):
            defined = [each.id for each in stored if each.lineno < name.lineno]
            raise names.unknown(name.id, _at(name, plain), defined)
    _check_functions(nodes, free, names, plain)
    _check_where(nodes, names, plain)


def _check_decimals(value: ast.expr | None, names: Names, plain: Plain) -> None:
    """Refuses `(0,5)` in place of a number: a vector has a space between its entries."""
    for node in ast.walk(value) if value is not None else ():
        operands = [node.left, node.right] if isinstance(node, ast.BinOp) else []
        for each in [value, *operands] if node is value else operands:
            if not isinstance(each, ast.Tuple) or not all(map(_is_numeral, each.elts)):
                continue
            commas = re.findall(r",(\s*)", _source(each, plain))
            glued = sum(not spaces for spaces in commas)
            two = len(each.elts) == 2 and not names.asks_for_two()
            if glued and (two or glued < len(commas)):
                raise FaultError(DECIMALS, _at(each, plain), "ambiguous")


def _is_numeral(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _check_functions(
    nodes: list[ast.AST], free: list[ast.Name], names: Names, plain: Plain
) -> None:
    """Refuses a function where its value is meant: `dW = tr`, `exp * x`, `norm(tr)`."""
    called: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            called.add(node.func)
            if isinstance(node.func, ast.Attribute) or _is_any(node.func, _TAKES_FUNCTIONS):
                called |= {*node.args, *(keyword.value for keyword in node.keywords)}
        elif isinstance(node, ast.Attribute):
            called.add(node.value)
    for name in free:
        acts = name.id in _CALLED and not names.find(name.id)
        if acts and name not in called and name.id in ("np", "numpy", "math"):
            raise FaultError(f"{name.id} is no value: write {name.id}.exp(x).", _at(name, plain))
        if acts and name not in called:
            raise FaultError(
                f"{name.id} needs brackets round what it acts on: {name.id}(x).", _at(name, plain)
            )


def _check_where(nodes: list[ast.AST], names: Names, plain: Plain) -> None:
    """Refuses `np.log(x, where=x > 0)`: elsewhere it has what the memory happens to hold."""
    import numpy as np

    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)):
                function = getattr(np, called, None)
            case _:
                continue
        if not isinstance(function, np.ufunc) or names.find(called):
            continue
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        out = [*node.args[function.nin :], *(given[key] for key in ("out",) if key in given)]
        if "where" in given and all(_is_none(each) for each in out):
            raise FaultError(
                f"{called} leaves the entries outside of where= unset: add out=np.zeros(…), or "
                "use np.where.",
                _at(node, plain),
            )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_any(node: ast.expr, words: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in words


def _check_import(node: ast.Import | ast.ImportFrom, plain: Plain) -> None:
    modules = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or ""]
    if not MODULES.issuperset(modules):
        raise FaultError("Only numpy and math can be imported.", _at(node, plain))


def _check_operand(node: ast.expr, names: Names, plain: Plain) -> None:
    """A function without its brackets: `exp -x` is a subtraction in Python."""
    if isinstance(node, ast.Name) and node.id in _OF_PAPER and not names.find(node.id):
        raise FaultError(
            f"{node.id} needs brackets round what it acts on: {node.id}(x).", _at(node, plain)
        )
    if isinstance(node, ast.Set):
        raise FaultError("Braces make a set; a vector is (5, 3).", _at(node, plain))


def _check_holds(node: ast.expr, plain: Plain) -> None:
    """Refuses a number where a condition belongs: `(1 and 2) * x`."""
    number = isinstance(node, ast.Constant) and not isinstance(node.value, bool)
    joined = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr)
    if (
        number
        or isinstance(node, ast.Tuple | ast.List)
        or (isinstance(node, ast.BinOp) and not joined)
    ):
        raise FaultError("A condition compares: x > 0 and y > 0.", _at(node, plain))


def _check_list(node: ast.expr, plain: Plain) -> None:
    """A list that Python would repeat or lengthen where a vector is multiplied or added to."""
    if isinstance(node, ast.List | ast.Tuple) and len(node.elts) > 1:
        source = _source(node, plain)
        numbers = all(map(_is_numeral, node.elts))
        if not numbers and _DECIMAL.search(source.removeprefix("(")):
            raise FaultError("Decimals are written with a point: 0.5.", _at(node, plain))
        raise FaultError(
            f"A vector is np.array({source if len(source) <= 60 else '(…)'}) here: Python would "
            "repeat or lengthen a list.",
            _at(node, plain),
        )


def syntax_fault(error: SyntaxError, plain: Plain) -> FaultError:
    """What Python's parser says, in a sentence that says what to do."""
    lines = plain.text.split("\n")
    line = min(error.lineno or 1, len(lines))
    before = sum(len(part) + 1 for part in lines[: line - 1])
    column = max((error.offset or 1) - 1, 0)
    at = plain.at(min(before + column, len(plain.text)))
    word = _keyword(lines[line - 1], column)
    unfinished = _UNFINISHED.search(plain.text)
    if isinstance(error, IndentationError):
        if "expected" in error.msg:
            return FaultError("Put spaces in front of the lines that belong to the def.", at)
        return FaultError("This line begins with another number of spaces than its block.", at)
    if unfinished:
        return FaultError(f"Something is missing after {unfinished[1]}.", plain.at(len(plain.text)))
    words = {each[0] for each in _WORD.finditer(lines[line - 1], column)}
    if any(each in ENGLISH and not keyword.iskeyword(each) for each in words):
        return FaultError("Leave a remark out, or begin it with #.", at)
    if word == "lambda":
        return FaultError("lambda is a word of Python's own: write λ or lam.", at)
    if word:
        return FaultError(f"{word} is a word of Python's own: take another name.", at)
    if bracket := _NEVER_CLOSED.fullmatch(error.msg):
        closing = _CLOSING[bracket[1]]
        return FaultError(f"This {bracket[1]} is not closed by a {closing}.", at, "unfinished")
    reason = error.msg[:1].lower() + error.msg[1:]
    return FaultError(f"Python cannot read this: {reason.rstrip('.')}.", at)


def _keyword(line: str, column: int) -> str | None:
    """A keyword that stands where a name should, at the fault or just before it."""
    near = [word for word in _WORD.finditer(line) if word.start() <= column + 1][-2:]
    for word in reversed(near):
        operand = word[0] not in ("if", "else", "for", "in", "is", "not", "and", "or", "return")
        if keyword.iskeyword(word[0]) and word[0] != "def" and operand:
            return word[0]
    return None


def _at(node: ast.AST, plain: Plain) -> int | None:
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", 0)
    return plain.at_line(line, column) if line is not None else None


def _source(node: ast.expr, plain: Plain) -> str:
    return ast.get_source_segment(plain.text, node) or ""
