"""How the house is built: no circle of modules, and nothing too long to be read at once."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_OF_A_MODULE = 400
MOST_OF_A_FUNCTION = 60


@cache
def trees() -> dict[str, tuple[str, ast.Module]]:
    """Source and syntax tree of each module, by its name."""
    found = {}
    for file in sorted((ROOT / "quizzer").rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        source = file.read_text("utf-8")
        found[name] = (source, ast.parse(source))
    return found


def run(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers read."""
    waiting = [*ast.iter_child_nodes(tree)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, ast.expr):  # no import is within one
            yield node
            waiting += ast.iter_child_nodes(node)


def imported(tree: ast.AST, modules: set[str]) -> Iterator[str]:
    """The modules that are imported, also those that are only inside functions."""
    for node in run(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in modules or node.module in modules:
                    yield inner if inner in modules else node.module


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that all lead to each other: strongly connected, by Tarjan."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = lowest[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == index[name]:
            at = stack.index(name)
            if len(stack) - at > 1 or name in graph[name]:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for name in sorted(graph):
        if name not in index:
            visit(name)
    return found


def lengths_of_functions() -> dict[str, int]:
    """Lines of each function, decorators left out, by module and qualified name."""

    def within(node: ast.AST, name: str) -> Iterator[tuple[str, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}"
                if not isinstance(child, ast.ClassDef):
                    assert child.end_lineno
                    yield inner, child.end_lineno - child.lineno + 1
                yield from within(child, inner)
            else:
                yield from within(child, name)

    return {
        key: lines for module, (_, tree) in trees().items() for key, lines in within(tree, module)
    }


def longer(lengths: dict[str, int], most: int) -> set[str]:
    return {name for name, lines in lengths.items() if lines > most}


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = set(trees())
    graph = {name: set(imported(tree, modules)) for name, (_, tree) in trees().items()}
    assert sum(map(len, graph.values())) > len(modules), "imports are found"
    assert circles(graph) == []


def test_a_circle_would_be_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}}
    assert circles(graph) == [["b", "c"], ["e"]]
    lazily = ast.parse("def f():\n    from x.y import z\n    import x.w\n")
    assert set(imported(lazily, {"x", "x.y", "x.y.z", "x.w"})) == {"x.y.z", "x.w"}
    for_types = ast.parse("if TYPE_CHECKING:\n    import a\nelse:\n    import b\n")
    assert set(imported(for_types, {"a", "b"})) == {"b"}


def test_no_module_is_too_long_to_be_read() -> None:
    lengths = {name: len(source.splitlines()) for name, (source, _) in trees().items()}
    assert longer(lengths, MOST_OF_A_MODULE) == set()


def test_no_function_is_longer_than_a_screen() -> None:
    assert longer(lengths_of_functions(), MOST_OF_A_FUNCTION) == set()
