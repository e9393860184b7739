"""NumPy notation: Python text that is parsed and checked here, and run elsewhere.

Reading never executes anything.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from types import CodeType

from msgspec import Struct

from quizzer.notation.grammar.left import asked_too, is_asked, named, parse_left
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.signs import SUPERSCRIPTS
from quizzer.notation.python.check import check, is_python_name, syntax_fault
from quizzer.notation.values import FaultError

FILE = "<answer>"
"""What Python calls the text in its tracebacks."""

_DERIVATIVE = re.compile(r"\s*\(?\s*(?:[∂d]\s*\w+|∂)[^/]*/\s*\(?\s*[∂d]\s*\w|.*[∂∇]")
_NUMBER_BESIDE = re.compile(
    r"(?<![\w.)\]}])(?:\d+(?:\.\d+)?|\(\(\d+\)/\(\d+\)\))"
    r"(?=\s*(?:\(|(?!e\d|(?:if|else|and|or)\b)[^\W\d_]))"
)
"""A number beside a factor, as on paper."""
_ENDS_IN_NUMBER = re.compile(r"(?<![\w.)\]}])\d+(?:\.\d+)?\s*$")
_SIGNS = {
    "−": "-", "–": "-",    "⊙": "*", "∗": "*", "≤": "<=", "≥": ">=",
    "≠": "!=", "ᵀ": ".T", "⊤": ".T", "’": "'",
}  # fmt: skip


class Program(Struct, frozen=True):
    """Python text that can be run: its tree and code, and the name whose value is the answer."""

    tree: ast.Module
    code: CodeType
    answer: str
    plain: Plain
    """What was parsed, with the places of the typed text."""
    text: str
    places: frozenset[str]
    """Names that say places in arrays: they are used as an index."""
    words: frozenset[str]
    """Every name in it, whatever it names."""

    def shown(self) -> str:
        return self.text


def parse_python(text: str, names: Names) -> ast.Module:
    """The text as Python with the card's names put in. Raises FaultError where it is none."""
    return _parsed(text, names)[0]


def with_stars(text: str) -> str:
    """`2 x` as `2 * x`, `1/2 x` too; not `y/2 x`, which could divide by both."""

    def starred(number: re.Match[str]) -> str:
        before, slash, behind = text[: number.start()].rpartition("/")
        divides = slash and not behind.strip() and not _ENDS_IN_NUMBER.search(before)
        return number[0] if divides else f"{number[0]} *"

    return _NUMBER_BESIDE.sub(starred, text)


def read_python(text: str, names: Names) -> Program:
    """The text ready to be run. Raises FaultError, with the nearest name for an unknown one."""
    tree, plain = _parsed(text, names)
    _rename(tree, names)
    check(tree, names, plain)
    tree = _Vectors().visit(tree)
    answer = _answer_name(tree, names, plain)
    try:
        shown = ast.unparse(tree)
        tree = _PythonsOwn().visit(tree)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(tree, FILE, "exec")
    except SyntaxError as error:
        raise syntax_fault(error, plain) from None
    except (ValueError, RecursionError, MemoryError):
        raise FaultError("Python cannot read this.") from None
    text = shown.replace("_answer = ", "").strip()
    words = frozenset((answer, *_words(code)))
    return Program(tree, code, answer, plain, text, frozenset(_places(tree)), words)


def _words(code: CodeType) -> Iterator[str]:
    """The names in compiled Python and in the functions that it defines."""
    yield from code.co_names
    yield from code.co_varnames
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)


def _places(tree: ast.Module) -> Iterator[str]:
    """Names within an index, such as c in `P[np.arange(N), c]`, and those that
    `take_along_axis` takes; a name that is compared there only makes a mask."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=index) if not any(
                isinstance(part, ast.Compare) for part in ast.walk(index)
            ):
                yield from (part.id for part in ast.walk(index) if isinstance(part, ast.Name))
            case ast.Call(func=ast.Attribute(attr="take_along_axis"), args=[_, index, *_]):
                yield from (part.id for part in ast.walk(index) if isinstance(part, ast.Name))


def _parsed(text: str, names: Names) -> tuple[ast.Module, Plain]:
    plain = _dedented(_in_python_signs(text))
    try:
        plain = _with_left_side(plain, names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(plain.text), plain
    except SyntaxError as error:
        raise syntax_fault(error, plain) from None
    except (ValueError, RecursionError, MemoryError):
        raise FaultError("Python cannot read this.") from None


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
    end = len("".join(out).rstrip(" \t\n,;"))
    return Plain("".join(out)[:end], tuple(origin[:end]))


def _dedented(plain: Plain) -> Plain:
    """Without the spaces that all lines begin with."""
    lines = plain.text.split("\n")
    written = [line for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip(" \t")) for line in written), default=0)
    start = len(plain.text)
    for line in reversed(lines):
        start -= len(line)
        plain = plain.replaced(start, start + min(indent, len(line)), "")
        start -= 1
    return plain


def _with_left_side(plain: Plain, names: Names) -> Plain:
    """`∂L/∂x = …` as an assignment to the asked name, where it is one line's left side."""
    start = 0
    for line in plain.text.split("\n"):
        head, equals, _ = line.partition("=")
        written = "(" not in head or re.match(r"\s*\(\(\s*∂", head)
        if equals and written and _DERIVATIVE.match(head):
            part = plain[start : start + len(head)]
            left = parse_left(part, names, indexed=False)
            name = names.context.asked if is_asked(left, names) else left.name
            plain = plain.replaced(start, start + len(head), name + " ")
            return _with_left_side(plain, names)
        start += len(line) + 1
    return plain


def _at(node: ast.AST, plain: Plain) -> int | None:
    line, column = getattr(node, "lineno", None), getattr(node, "col_offset", 0)
    return None if line is None else plain.at_line(line, column)


def _rename(tree: ast.Module, names: Names) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = _spelled(node.id, names)
        elif isinstance(node, ast.arg):
            node.arg = _spelled(node.arg, names)


class _Vectors(ast.NodeTransformer):
    """`(5, 3) / 8` with the vector that it is."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Sub | ast.MatMult | ast.Pow):
            node.left, node.right = _vector(node.left), _vector(node.right)
        return node


def _vector(node: ast.expr) -> ast.expr:
    if not isinstance(node, ast.List | ast.Tuple):
        return node
    array = ast.Attribute(ast.Name("np", ast.Load()), "array", ast.Load())
    made = ast.copy_location(ast.Call(array, [node], []), node)
    return ast.fix_missing_locations(made)


class _PythonsOwn(ast.NodeTransformer):
    """Inside `def` the names sum, max and min are Python's."""

    def __init__(self) -> None:
        self.depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        own = isinstance(node.func, ast.Name) and node.func.id in ("sum", "max", "min")
        if self.depth and own and isinstance(node.func, ast.Name):
            node.func.id = f"_python_{node.func.id}"
        return node


def _spelled(word: str, names: Names) -> str:
    known = names.find(word)
    if known or is_python_name(word):
        return known or word
    return names.spelled(_apart(word))


def _apart(word: str) -> str:
    """Python composes ŷ into one letter; here it is `y_hat`."""
    from quizzer.notation.lexer.translate import translate

    return translate(word).text


def _answer_name(tree: ast.Module, names: Names, plain: Plain) -> str:
    """The name that holds the answer; a bare expression at the end is given one."""
    if not tree.body:
        raise FaultError("Nothing is written.", None, "empty")
    asked = names.context.asked
    defined = [_defined(statement) for statement in tree.body]
    last = tree.body[-1]
    bare = asked not in defined and isinstance(last, ast.Expr)
    if asked in defined and isinstance(last, ast.Expr) and _is_name(last.value, asked):
        return asked
    for statement in tree.body[:-1] if bare else tree.body:
        if isinstance(statement, ast.Expr) and not _may_act(statement):
            raise FaultError(
                "This line changes nothing: is it part of the one before? Put brackets round both.",
                _at(statement, plain),
                "ambiguous",
            )
    if asked in defined:
        return asked
    if isinstance(last, ast.Expr):
        helpers = {name for name in defined if name}
        if helpers and _begins_with_sign(last) and not _uses(last, helpers):
            raise FaultError(
                "Does this line go on from the one before? Put brackets round both, or give it "
                f"its left side: {asked} = …",
                _at(last, plain),
                "ambiguous",
            )
        target = ast.Name("_answer", ast.Store())
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
        ast.fix_missing_locations(tree)
        return "_answer"
    found = [name for name in defined if name]
    if not found:
        raise FaultError(f"No line gives {asked} a value.", None, "left-side")
    left = named(found[-1], names)
    if not is_asked(left, names) and (other := asked_too(left, names)):
        why = f"This defines {other}, but {asked} is asked here."
        raise FaultError(why, _at(last, plain), "left-side")
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
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name))):
            return name
        case ast.For() | ast.If() | ast.With() | ast.While():
            inner = [_defined(part) for part in statement.body]
            return next((name for name in reversed(inner) if name), None)
        case _:
            return None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _may_act(statement: ast.Expr) -> bool:
    """Whether the line is a call, which may change an array in place, or a comment in quotes."""
    return isinstance(statement.value, ast.Call | ast.Constant)


def _uses(statement: ast.Expr, helpers: set[str]) -> bool:
    """Whether a line reads what the lines before define: then it is a line of its own."""
    return any(isinstance(node, ast.Name) and node.id in helpers for node in ast.walk(statement))


def _begins_with_sign(statement: ast.Expr) -> bool:
    """Whether a plus or minus sign is the first thing in the line."""
    return any(
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.UAdd | ast.USub)
        and (node.lineno, node.col_offset) == (statement.lineno, statement.col_offset)
        for node in ast.walk(statement)
    )
