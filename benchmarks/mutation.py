"""What the tests would miss: random lines of a room are changed, and the room's tests are run.

Each mutant changes one thing on one line: a comparison, `and`/`or`, a condition's sign, a number by
one, `True`/`False`, an arithmetic sign, two arguments of a call, or a statement that is left out.
It compiles, and differs from the original beyond its layout. The tests run on a copy of the
checkout; nothing here is ever changed. A mutant is caught if a test fails or runs out of time.

Of a room the tests are those in its folder under tests/ (the module's own first), and then all
others that import it or that `ALSO` names. What survives changes nothing that a test can see: read
each, for some change nothing at all.

A mutant that survives has run every test: hours, for fifty lines. With `--kept FILE` each outcome
is written there, and the same command goes on from it; `--minutes` says when to stop.

Run: .venv/bin/python benchmarks/mutation.py store [judge plan …] [--lines 20] [--seed 1]
"""

import argparse
import ast
import json
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent.parent
NOT_COPIED = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
ALSO = {
    "store": (
        "tests/cli/test_damaged_history.py",
        "tests/cli/commands/test_import_.py",
        "tests/cli/commands/test_sync.py",
        "tests/cli/commands/test_export.py",
        "tests/cli/commands/test_doctor.py",
        "tests/test_faults.py",
    ),
    "plan": ("tests/session", "tests/forecast", "tests/cli/commands/test_due.py"),
}
"""Tests that run a room's code without importing it."""
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
LEFT_OUT = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Mutant:
    file: Path
    """From the checkout."""
    line: int
    change: str
    source: str
    original: str
    """The line as it is written."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Which changes of the code do the tests miss?")
    parser.add_argument("rooms", nargs="+", help="folders of quizzer/")
    parser.add_argument("--lines", type=int, default=20, help="mutants, spread over the rooms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120, help="of computing, for a mutant")
    parser.add_argument("--room-only", action="store_true", help="only the tests in its folder")
    parser.add_argument("--kept", type=Path, help="a file of outcomes: go on where it ends")
    parser.add_argument("--minutes", type=float, default=math.inf, help="then stop")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    outcomes = Outcomes(options.kept, time.monotonic() + 60 * options.minutes)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "checkout")
        shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
        caught: Counter[str] = Counter()
        survived: list[Mutant] = []
        mutants = chosen(copy, options.rooms, options.lines, random.Random(options.seed))
        for mutant in mutants:
            started = time.monotonic()
            by = catcher(copy, mutant, options.seconds, options.room_only, outcomes)
            room = mutant.file.parts[1]
            caught[room] += by is not None
            survived += [] if by else [mutant]
            seconds = time.monotonic() - started
            print(f"{by or 'SURVIVED':<40} {seconds:>4.0f} s  {described(mutant)}", flush=True)
    for room in options.rooms:
        of_room = sum(mutant.file.parts[1] == room for mutant in mutants)
        print(f"{room:<10} {caught[room]} of {of_room} caught")
    for mutant in survived:
        print(f"survived: {described(mutant)}")


def described(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.line}  {mutant.change}  | {mutant.original}"


def chosen(checkout: Path, rooms: list[str], count: int, rng: random.Random) -> list[Mutant]:
    """One mutant of each of so many lines, drawn from all lines of these rooms that have one."""
    lines = []
    for room in rooms:
        found = sorted((checkout / "quizzer" / room).rglob("*.py"))
        if not found:
            raise SystemExit(f"quizzer/{room}: no such room")
        for file in found:
            source = file.read_text("utf-8")
            places = {line for line, _, _ in changes(ast.parse(source))}
            lines += [(file, source, line) for line in sorted(places)]
    rng.shuffle(lines)
    mutants = (mutated(checkout, *place, rng) for place in lines)
    found = (mutant for mutant in mutants if mutant)
    return [mutant for _, mutant in zip(range(count), found, strict=False)]


def mutated(
    checkout: Path, file: Path, source: str, line: int, rng: random.Random
) -> Mutant | None:
    """A change of this line that compiles and differs, None if there is none."""
    plain = ast.unparse(ast.parse(source))
    numbers = [n for n, (at, _, _) in enumerate(changes(ast.parse(source))) if at == line]
    rng.shuffle(numbers)
    for number in numbers:
        tree = ast.parse(source)
        _, change, apply = list(changes(tree))[number]
        apply()
        text = ast.unparse(ast.fix_missing_locations(tree))
        try:
            compile(text, str(file), "exec")
        except (SyntaxError, ValueError):
            continue
        if text != plain:
            original = source.splitlines()[line - 1].strip()
            return Mutant(file.relative_to(checkout), line, change, text + "\n", original)
    return None


Change = tuple[int, str, Callable[[], None]]
"""A line, what is changed on it, and what changes it in the tree."""


def changes(tree: ast.AST) -> Iterator[Change]:
    """All changes of a tree, in one order; docstrings, annotations and decorators stay."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST):
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            yield from of_node(node)
            yield from of_body(node)
            yield from changes(node)


def of_node(node: ast.AST) -> Iterator[Change]:
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                name = f"{type(operator).__name__} -> {other.__name__}"
                yield line, name, lambda at=at, other=other: setitem(node.ops, at, other())
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield line, f"-> {other.__name__}", lambda: setattr(node, "op", other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        negated = ast.UnaryOp(ast.Not(), node.operand)
        yield line, "not dropped", lambda: setattr(node, "operand", negated)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        negation = ast.UnaryOp(ast.Not(), node.test)
        yield node.test.lineno, "condition negated", lambda: setattr(node, "test", negation)
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in SIGNS:
        sign = SIGNS[type(node.op)]
        name = f"{type(node.op).__name__} -> {sign.__name__}"
        yield line, name, lambda: setattr(node, "op", sign())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield line, f"-> {not node.value}", lambda: setattr(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for step in (1, -1):
            value = node.value + step
            yield (
                line,
                f"{node.value} -> {value}",
                lambda value=value: setattr(node, "value", value),
            )
    elif isinstance(node, ast.Call):
        for at, (one, other) in enumerate(zip(node.args, node.args[1:], strict=False)):
            if type(one) is type(other) and not isinstance(one, ast.Constant | ast.Starred):
                yield line, "arguments swapped", lambda at=at: swap(node.args, at)


def of_body(node: ast.AST) -> Iterator[Change]:
    """Statements of a function that can be left out."""
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if not isinstance(body, list) or isinstance(node, ast.ClassDef):
            continue
        for at, statement in enumerate(body):
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            # Without the assignment of a name nothing would run: no test is needed to see that.
            kept = isinstance(statement, ast.Assign) and not isinstance(
                statement.targets[0], ast.Name | ast.Tuple
            )
            if (isinstance(statement, LEFT_OUT) or kept) and not text:
                yield statement.lineno, "left out", lambda b=body, at=at: setitem(b, at, ast.Pass())


def setitem(items: list[Any], at: int, value: object) -> None:
    items[at] = value


def swap(items: list[ast.expr], at: int) -> None:
    items[at], items[at + 1] = items[at + 1], items[at]


class Outcomes:
    """What failed (None if nothing did) by change and test file, in a file if there is one."""

    def __init__(self, file: Path | None, until: float) -> None:
        self.file = file
        self.until = until
        self.known: dict[tuple[str, str], str | None] = {}
        if file and file.exists():
            for line in file.read_text("utf-8").splitlines():
                mutant, test, by = json.loads(line)
                self.known[mutant, test] = by

    def of(self, change: str, test: str, run: Callable[[], str | None]) -> str | None:
        """The outcome that is known, else that of running it; ends the program after its time."""
        key = change, test
        if key not in self.known:
            if time.monotonic() > self.until:
                raise SystemExit("to be continued")
            self.known[key] = run()
            if self.file:
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([*key, self.known[key]]) + "\n")
        return self.known[key]


def catcher(
    checkout: Path, mutant: Mutant, seconds: float, room_only: bool, outcomes: Outcomes
) -> str | None:
    """The test that fails for a mutant, or "time", None if none does; the copy is as before."""
    target = checkout / mutant.file
    before = target.read_bytes()
    for test in tests_of(checkout, mutant.file, room_only):

        def run(test: str = test) -> str | None:
            return failure(checkout, test, seconds)

        try:
            target.write_text(mutant.source, "utf-8")
            by = outcomes.of(described(mutant), test, run)
        finally:
            target.write_bytes(before)
        if by:
            # A test that fails anyway would catch them all.
            if unchanged := outcomes.of("nothing", test, run):
                raise SystemExit(f"{test}: {unchanged} fails without any change")
            return by
    return None


def tests_of(checkout: Path, file: Path, room_only: bool) -> list[str]:
    """Test files to run one after the other: the likeliest to fail first."""
    room = file.parts[1]
    module = ".".join(file.with_suffix("").parts)
    of_room: list[tuple[bool, bool, str]] = []
    others: list[tuple[bool, bool, str]] = []
    also = [checkout / name for name in ALSO.get(room, ())]
    for path in (checkout / "tests").rglob("test_*.py"):
        source = path.read_text("utf-8")
        place = path.stem != f"test_{file.stem}", module not in source, str(path)
        if checkout / "tests" / room in path.parents:
            of_room.append(place)
        elif f"quizzer.{room}" in source or any(one in (path, *path.parents) for one in also):
            others.append(place)
    found = sorted(of_room) + ([] if room_only else sorted(others))
    return [str(Path(path).relative_to(checkout)) for _, _, path in found]


def failure(checkout: Path, test: str, seconds: float) -> str | None:
    """The name of the first test that fails, "time" if they take too long, None if all pass.

    The limit is one of computing, so that a busy machine makes no mutant look caught; who only
    waits gets ten times as long.
    """
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", test]
    limit = math.ceil(seconds)
    for _ in range(3):
        with subprocess.Popen(
            command,
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=10 * seconds)
            except subprocess.TimeoutExpired:
                return "time"
            finally:
                end(process)
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return "time"
        if process.returncode in (4, 5):
            raise SystemExit(f"pytest cannot run {test}:\n{said}")
        if process.returncode >= 0:  # else somebody else ended it: try again
            break
    lines = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if process.returncode == 0 or not lines:
        return f"exit {process.returncode}" if process.returncode else None
    return lines[0].split("::")[-1].split(" - ")[0][:38]


def end(process: "subprocess.Popen[str]") -> None:
    """End what is left of the tests and of all that they started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    main()
