"""The starter deck's checkers in math beside their twins in Python: how many, and how long.

A line counts if it is not blank; one of more than 120 columns counts as many times as it holds 120,
and each statement behind a semicolon counts as a line of its own.

Run: .venv/bin/python benchmarks/declared.py [--check]
"""

import argparse
import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from quizzer.lint.proof import prove_all

HERE = Path(__file__).parent.parent
PYTHON = HERE / "cards"
DECLARED = HERE / "tests/declared_deck"
COLUMNS = 120


def main() -> None:
    parser = argparse.ArgumentParser(description="Lines of checkers in Python and in math.")
    parser.add_argument("--check", action="store_true", help="prove each declared checker")
    options = parser.parse_args()
    every = sorted(PYTHON.rglob("*.py"))
    twins = {path: twin for path in every if (twin := twin_of(path)).exists()}
    by_folder: dict[str, list[Path]] = defaultdict(list)
    for path in every:
        by_folder[path.parent.name].append(path)
    print(f"{'':<24} {'declared':>9} {'lines before':>13} {'now':>6}")
    for folder, paths in [*by_folder.items(), ("all", every)]:
        done = f"{sum(path in twins for path in paths)}/{len(paths)}"
        now = lines(twins.get(path, path) for path in paths)
        print(f"{folder:<24} {done:>9} {lines(paths):>13,} {now:>6,}")
    if options.check:
        check(list(twins.values()))


def twin_of(path: Path) -> Path:
    return (DECLARED / path.relative_to(PYTHON)).with_suffix(".checker")


def lines(paths: Iterable[Path]) -> int:
    """Lines of at most 120 columns with one statement each."""
    count = 0
    for path in paths:
        text = path.read_text("utf-8")
        count += sum(-(-len(line.rstrip()) // COLUMNS) for line in text.splitlines())
        if path.suffix == ".py":
            count += shared_lines(text)
    return count


def shared_lines(source: str) -> int:
    """How many statements of a Python module begin on a line where another one began."""
    begun = [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    return len(begun) - len(set(begun))


def check(files: list[Path]) -> None:
    """Every flaw of every declared checker."""
    count = 0
    for path, flaws in zip(files, prove_all(files, 0), strict=True):
        for flaw in flaws:
            count += 1
            place = f"{path.relative_to(HERE)}:{flaw.line or 1}"
            print(f"{place}: {flaw.code}: {flaw.message}")
    print(f"{len(files)} declared checkers: {count} flaws")


if __name__ == "__main__":
    main()
