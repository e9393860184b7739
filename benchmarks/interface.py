"""What users and scripts rely on, as sorted JSON: commands, options, exit codes, keys of `--json`.

The program is run from the outside, with the package that PYTHONPATH names or else this checkout's,
on a small deck with some history. `--before` does the same with an older checkout and prints what
was there and is gone, and what is new; it exits 1 if anything is gone.

Run: .venv/bin/python benchmarks/interface.py [--before FOLDER]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent.parent
NOW = "2026-11-20T09:00:00+01:00"
CARD = """---
id: {id}
course: ML
tags: [small]
difficulty: 2
type: {type}
status: to_learn
---

# Question
{question}

---
# Solution
{solution}
"""
CARDS = {
    "open": ("open", "What is it?", "**Short Answer:** That."),
    "number": ("calculation", "(2p) How much?", "**Correct Answer:** 0.25"),
    "choice": (
        "multiple_choice",
        "Which?\n\n## Options\nA) this\nB) that",
        "**Correct Answer:** B",
    ),
    "broken": ("derivation", "Derive it.", "It is so."),
    "square": (
        "derivation",
        "(4p) The layer is $y_i = x_i^2$. Derive its backward message.",
        "### Steps\n1. Square.\n2. Multiply.\n\n## Related Concepts\n[[open]]",
    ),
}
CHECKER = """
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8))}

def forward(x):
    return {"y": x**2}
"""
HISTORY = HERE / "tests" / "store" / "formats" / "2" / "export.jsonl"
"""Events of every kind, in a format that all later versions import."""
PREPARATION = (
    "import {history} --dry-run",
    "import {history}",
    "rate open again",
    "rate number good",
    "rate number easy",
    "rate square hard",
    "undo",
    "suspend choice",
    "exam ML 2026-12-24",
)
RUNS = {
    "check": ("check",),
    "due": ("due",),
    "exam": ("exam",),
    "fit": ("fit --dry-run",),
    "history": ("history square", "history a"),
    "rate": ("rate open good",),
    "show": ("show square", "show choice", "show open"),
    "stats": ("stats", "stats --ahead"),
    "verify": ("verify square dx=2*x*dy", "verify square dx=x*dy", "verify square dx=2*x*q"),
}
"""How commands with `--json` are run; others without arguments."""
ENDS = (
    "due",
    "list --course nothing",
    "check",
    "check {deck}/open.md",
    "verify square dx=2*x*dy",
    "verify square dx=x*dy",
    "verify square dx=2*x*q",
    "verify square",
    "verify broken",
    "verify nothing x=1",
    "rate nothing good",
    "rate open well",
    "frobnicate",
    "due --deck nowhere",
    "due --store .",
    "import nothing",
    "restore nothing",
    "export history.db",
    "sync .",
    "undo --store new.db",
    "exam nothing 2026-12-24",
    "review",
)
"""What a script may see an exit code of."""


def main() -> None:
    parser = argparse.ArgumentParser(description="What users and scripts rely on.")
    parser.add_argument("--before", type=Path, help="an older checkout to compare it with")
    options = parser.parse_args()
    package = Path(os.environ.get("PYTHONPATH", "").split(os.pathsep)[0] or HERE).absolute()
    now = interface(package)
    if options.before is None:
        print(json.dumps(now, indent=2, sort_keys=True))
        return
    before, after = set(facts(interface(options.before.absolute()))), set(facts(now))
    for fact in sorted(before - after):
        print(f"- {fact}")
    for fact in sorted(after - before):
        print(f"+ {fact}")
    print(f"{len(before)} before, {len(before - after)} of them gone, {len(after - before)} new")
    raise SystemExit(1 if before - after else 0)


def interface(package: Path) -> dict[str, Any]:
    """Commands with their options, exit codes, and the keys of each command's JSON."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(package, Path(folder))
        commands = {name: program.options(name) for name in program.commands()}
        for line in PREPARATION:
            program.run(line.format(history=HISTORY))
        keys = {}
        for name, options in commands.items():
            if "--json" in options:
                for line in RUNS.get(name, (name,)):
                    keys[line] = program.keys(line)
        return {
            "commands": {"": program.options(""), **commands},
            "exit codes": {line: program.ends(line.format(deck="deck")) for line in ENDS},
            "json": keys,
        }


class Program:
    """quizzer in a folder of its own, with a deck and an empty home."""

    def __init__(self, package: Path, folder: Path) -> None:
        self.folder = folder
        home, deck = folder / "home", folder / "deck"
        home.mkdir()
        deck.mkdir()
        for id, (kind, question, solution) in CARDS.items():
            text = CARD.format(id=id, type=kind, question=question, solution=solution)
            (deck / f"{id}.md").write_text(text, "utf-8")
        for id in "abcdef":  # cards of the history
            text = CARD.format(id=id, type="open", question="What?", solution="That.")
            (deck / f"{id}.md").write_text(text, "utf-8")
        (deck / "square.py").write_text(CHECKER, "utf-8")
        (deck / "broken.py").write_text(CHECKER.replace("x**2", "z"), "utf-8")
        (deck / "again").mkdir()
        (deck / "again" / "open.md").write_text((deck / "open.md").read_text("utf-8"), "utf-8")
        self.environ = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(package),
            "HOME": str(home),
            "QUIZZER_DECK": str(deck),
            "QUIZZER_STORE": str(folder / "history.db"),
            "QUIZZER_NOW": NOW,
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }

    def run(self, line: str) -> "subprocess.CompletedProcess[str]":
        ran = subprocess.run(
            [sys.executable, "-m", "quizzer", *line.split()],
            cwd=self.folder,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if "Traceback" in ran.stderr:
            raise SystemExit(f"{line}:\n{ran.stderr}")
        return ran

    def ends(self, line: str) -> int:
        return self.run(line).returncode

    def commands(self) -> list[str]:
        listed = self.run("--help").stdout.partition("Commands:")[2]
        return re.findall(r"^  ([a-z][a-z-]*)  ", listed, re.M)

    def options(self, command: str) -> list[str]:
        """The options and arguments that the help of a command shows."""
        text = self.run(f"{command} --help").stdout.partition("Commands:")[0]
        usage, _, listed = text.partition("\n")
        named = re.findall(r"^  (?=-)(.*?)(?:  |$)", listed, re.M)
        options = {option for line in named for option in re.findall(r"--?[a-z][a-z-]*", line)}
        arguments = usage.partition("[OPTIONS]")[2].upper().split()
        # Brackets of what may be left out are not on all arguments that may be.
        return sorted({*options, *(each.strip("[]{}") for each in arguments)})

    def keys(self, line: str) -> list[str]:
        ran = self.run(f"{line} --json")
        if not ran.stdout:
            raise SystemExit(f"{line} --json:\n{ran.stderr}")
        return sorted(set(paths(json.loads(ran.stdout))))


def paths(value: Any, at: str = "") -> Iterator[str]:
    """The keys of a JSON document with those above them; days, numbers and cards are data."""
    if isinstance(value, dict):
        for key, inner in value.items():
            is_data = re.fullmatch(r"\d[\d.-]*", key) or key in {*CARDS, *"abcdef"}
            name = f"{at}.{'*' if is_data else key}".strip(".")
            yield name
            yield from paths(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, f"{at}[]")


def facts(found: dict[str, Any]) -> Iterator[str]:
    for command, options in found["commands"].items():
        yield f"command {command or 'quizzer'}"
        yield from (f"command {command or 'quizzer'}: {option}" for option in options)
    yield from (f"exit code of {line}: {code}" for line, code in found["exit codes"].items())
    for line, keys in found["json"].items():
        yield from (f"{line} --json: {key}" for key in keys)


if __name__ == "__main__":
    main()
