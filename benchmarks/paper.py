"""What becomes of right answers as they are written on paper: the corpus in `tests/corpus/paper`.

    python benchmarks/paper.py [--seed S] [--list VERDICT] [HALF...]

One row for each half of the corpus and each style of writing. `--list invalid` prints every answer
that came to this verdict, too, and what was said of it.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quizzer.checker import SERVICE
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.deck.load import load
from quizzer.judge.case import evaluate
from quizzer.judge.judge import verdict
from quizzer.judge.judgement import Answered
from quizzer.judge.prepared import Prepared
from quizzer.judge.source import read_source
from quizzer.sandbox.worker import Worker, best_worker

ROOT = Path(__file__).parents[1]
SECONDS = 30.0
VERDICTS = ("correct", "invalid", "ambiguous", "wrong", "broken")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("half", nargs="*", help="halves whose names hold one of these")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--list", choices=VERDICTS, action="append", default=[])
    wanted = parser.parse_args()
    print(f"{'half':<12}{'style':<10}{'answers':>8}" + "".join(f"{v:>11}" for v in VERDICTS))
    worker = best_worker(SERVICE)
    try:
        for path in sorted((ROOT / "tests" / "corpus" / "paper").glob("*.jsonl")):
            if not wanted.half or any(word in path.stem for word in wanted.half):
                _print(path, list(_verdicts(worker, path, wanted.seed)), wanted.list)
    finally:
        worker.close()
    return 0


def _print(path: Path, found: list[tuple[dict[str, Any], str, str]], listed: list[str]) -> None:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for entry, came, _ in found:
        counts["all"][came] += 1
        counts[style(entry["answer"])][came] += 1
    for name in sorted(counts):
        total = counts[name].total()
        shares = "".join(f"{counts[name][v] / total:>10.1%} " for v in VERDICTS)
        print(f"{path.stem:<12}{name:<10}{total:>8}{shares}")
    for entry, came, message in found:
        if came in listed:
            print(f"\n{came}: {entry['card']} {entry['name']}\n{entry['answer']}\n  -> {message}")


def style(answer: str) -> str:
    """How a text is written: in `latex`, with the signs of `unicode`, as Python, or `plain`."""
    if "\\" in answer:
        return "latex"
    if "np." in answer or "return " in answer or "axis=" in answer:
        return "numpy"
    return "plain" if answer.isascii() else "unicode"


def _verdicts(worker: Worker, path: Path, seed: int) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Every answer that is labelled as right, what it came to, and what was said."""
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    deck = load([ROOT / "cards"])
    by_name: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        if "label" not in entry:
            by_name[entry["card"], entry["name"]].append(entry)
    prepared: dict[str, Prepared] = {}
    for (card, name), mine in by_name.items():
        checker = deck.by_id[card].checker
        assert checker is not None, card
        if card not in prepared:
            read = read_source(checker, lambda file, source: True)
            remote = RemoteChecker(worker, read.name, read.source, SECONDS, sets=read.sets)
            prepared = {card: Prepared(remote, seed)}
        try:
            case = prepared[card].case(name)
            texts = [entry["answer"] for entry in mine]
            evaluated = evaluate(prepared[card].checker, case, texts)
            for entry, each in zip(mine, evaluated, strict=True):
                answered = verdict(prepared[card], case, each, entry["answer"])
                yield entry, _came_to(answered), answered.message
        except CheckerBroken as broken:
            yield from ((entry, "broken", str(broken)) for entry in mine)


def _came_to(answered: Answered) -> str:
    return "ambiguous" if getattr(answered, "readings", ()) else answered.verdict.value


if __name__ == "__main__":
    sys.exit(main())
