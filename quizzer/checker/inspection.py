"""What a checker's source shows without running: names that nothing reads, repeated sentences.

Runs only inside a sandboxed process, as parsing a stranger's source can exhaust a process.
"""

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from quizzer.checker.flaw import UNREAD_LINE, Flaw, Flaws
from quizzer.checker.load import NAMES, CheckerError
from quizzer.checker.requests import Inspect
from quizzer.checker.source import Declared

_ALIKE, _NEAR = 0.6, 0.75
"""How alike two names are, for one to be the nearest and for one to be meant by the other."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def inspect(request: Inspect) -> Flaws:
    """Every name that resembles one of `NAMES` but is not one, and every key that replaces another;
    of a declared checker every line that cannot be read.

    Raises CheckerError.
    """
    if isinstance(request.source, Declared):
        return _unread_lines(request.source)
    try:
        tree = ast.parse(request.source)
    except SyntaxError as error:
        raise CheckerError(f"line {error.lineno}: it is no Python: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise CheckerError(f"it is no Python: {error}") from None
    return Flaws((*_strange_names(tree), *_repeated_keys(tree)))


def _unread_lines(source: Declared) -> Flaws:
    from quizzer.checker.declared.build import read_source
    from quizzer.checker.declared.partial import faults_of
    from quizzer.checker.declared.values import CardLine

    faults = faults_of(read_source(source), source.line)
    return Flaws(
        tuple(
            Flaw(
                UNREAD_LINE,
                each.message,
                line=int(each.line),
                in_card=isinstance(each.line, CardLine),
            )
            for each in faults
        )
    )


def _strange_names(tree: ast.Module) -> Iterator[Flaw]:
    """Names that mean nothing here and that the module itself never uses.

    An unused function or a constant in capitals is reported only where it is close to one of
    `NAMES`: otherwise it does no harm.
    """
    used = _used(tree)
    for name, node in _bound(tree.body):
        if name.startswith("_") or name in used or name in NAMES:
            continue
        is_own = isinstance(node, _DEFINITIONS) or name.isupper()
        near = get_close_matches(name.lower(), NAMES, 1, _NEAR if is_own else _ALIKE)
        if is_own and not near:
            continue
        meant = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(NAMES)}."
        yield Flaw(
            "unknown-name",
            f"`{name}` is no name of a checker, and nothing in it uses `{name}`: {meant} "
            "A name of your own may begin with _.",
            line=node.lineno,
        )


def _bound(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names that a module binds itself, each once: not those that it imports."""
    seen: set[str] = set()
    for statement in body:
        for name in _names_of(statement):
            if name not in seen:
                seen.add(name)
                yield name, statement


def _names_of(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, _DEFINITIONS):
        yield statement.name
        return
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        targets = [statement.target]
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _used(tree: ast.Module) -> set[str]:
    """The names that are read anywhere, other than to fill them: `wrong_["dx"] = …` uses none."""
    filled = {id(node) for statement in tree.body for node in _filled(statement)}
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in filled
    }


def _filled(statement: ast.stmt) -> Iterator[ast.expr]:
    """The name to which a statement of the module only adds something."""
    places: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        places = [target for target in statement.targets if isinstance(target, ast.Subscript)]
    elif isinstance(statement, ast.AugAssign):
        places = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        places = [statement.value.func]
    for place in places:
        while isinstance(place, ast.Subscript | ast.Attribute):
            place = place.value
            yield place


def _repeated_keys(tree: ast.Module) -> Iterator[Flaw]:
    """Keys that appear twice in one dict: the second silently replaces the first."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Dict):
            continue
        seen: dict[str, int] = {}
        for key in node.keys:
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                continue
            if key.value in seen:
                yield Flaw(
                    "repeated-key",
                    f"{key.value!r} already appears in line {seen[key.value]}, and only the last "
                    "counts: write another key, or delete one.",
                    line=key.lineno,
                )
            seen[key.value] = key.lineno
