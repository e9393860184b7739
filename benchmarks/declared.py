"""The starter deck's checkers in math beside their twins in Python: how many lines each takes.

A line counts if it is not blank; one of more than 120 columns counts as many times as it holds 120,
and each statement behind a semicolon counts as a line of its own.

With --judging N, every N-th card is judged beside its twin, warm and in turns: the median time of
its right answers, the least of several rounds.

Run: .venv/bin/python benchmarks/declared.py [--check] [--judging N]
"""

import argparse
import ast
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

import judging

from quizzer.card import parse
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove_all

HERE = Path(__file__).parent.parent
PYTHON = HERE / "tests/python_deck"
CARDS = HERE / "cards"
COLUMNS = 120
ROUNDS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description="Lines of checkers in Python and in math.")
    parser.add_argument("--check", action="store_true", help="prove each declared checker")
    parser.add_argument("--judging", type=int, metavar="N", help="judge every N-th card and twin")
    options = parser.parse_args()
    every = sorted(PYTHON.rglob("*.py"))
    by_folder: dict[str, list[Path]] = defaultdict(list)
    for path in every:
        by_folder[path.parent.name].append(path)
    print(f"{'':<24} {'checkers':>9} {'in Python':>13} {'in math':>8}")
    for folder, paths in [*by_folder.items(), ("all", every)]:
        texts = [path.read_text("utf-8") for path in paths]
        before = lines(texts) + sum(map(shared_lines, texts))
        now = lines(map(fence, map(card_of, paths)))
        print(f"{folder:<24} {len(paths):>9} {before:>13,} {now:>8,}")
    if options.check:
        check(list(map(card_of, every)))
    if options.judging:
        judge_beside(every[:: options.judging])


def card_of(path: Path) -> Path:
    return (CARDS / path.relative_to(PYTHON)).with_suffix(".md")


def judge_beside(twins: Sequence[Path]) -> None:
    """How long a right answer takes in math, as a multiple of the time in Python."""
    ratios = []
    with Judge() as judge:
        for twin in twins:
            answers = judging.rights(judging.module(twin))
            times: dict[Path, list[float]] = {card_of(twin): [], twin: []}
            for path in times:
                judging.prepared(judge, path, {name for name, _ in answers})
            for _ in range(ROUNDS):
                for path, found in times.items():
                    found.append(median(judging.timed(judge, path, answers)))
            declared, python = map(min, times.values())
            ratios.append(declared / python)
    print(f"a right answer in math takes {median(ratios):.2f} times as long as in Python")
    print(f"(median of {len(ratios)} cards; the most is {max(ratios):.2f})")


def fence(card: Path) -> str:
    """The checker within a card."""
    parsed = parse(card.read_bytes(), card).card
    assert parsed and parsed.checker, card
    return parsed.checker.text


def lines(texts: Iterable[str]) -> int:
    """Lines that are not blank, of at most 120 columns."""
    every = (line.rstrip() for text in texts for line in text.splitlines())
    return sum(-(-len(line) // COLUMNS) for line in every)


def shared_lines(source: str) -> int:
    """How many statements of a Python module begin on a line where another one began."""
    begun = [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    return len(begun) - len(set(begun))


def check(files: list[Path]) -> None:
    """Every flaw of every declared checker."""
    count = 0
    for path, proof in zip(files, prove_all(files, 0), strict=True):
        for flaw in proof.flaws:
            count += 1
            place = f"{path.relative_to(HERE)}:{flaw.line or 1}"
            print(f"{place}: {flaw.code}: {flaw.message}")
    print(f"{len(files)} declared checkers: {count} flaws")


if __name__ == "__main__":
    main()
