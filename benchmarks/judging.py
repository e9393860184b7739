"""How long a judgement takes: warm, as in a session, and cold, as `quizzer verify`.

Warm: the instances have been made while the learner reads, and the time runs from the submitted
text to the verdict, with its diagnosis where the answer is wrong. One row a starter card, over its
own right answers and known mistakes, and one over all answers of the corpus that are wrong in no
way that a card names. Cold: whole processes, in turns with the bare interpreter and `import numpy`,
so that the ratios hold on a busy machine. Run: .venv/bin/python benchmarks/judging.py
Only the cold ones: .venv/bin/python benchmarks/judging.py cold
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from corpus.reading import CHECKERS, UNSPECIFIC, cases, module

from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge

DECK = Path(__file__).parent.parent / "cards"
TWINS = Path(__file__).parent.parent / "tests/python_deck"
ROUNDS = 15
SEED = 7
TYPING = 0.1  # seconds before each answer, as one types it: a process gets ready meanwhile


def main() -> None:
    if "cold" not in sys.argv[1:]:
        with Judge() as judge:
            _print_warm(judge)
    _print_cold()


def _print_warm(judge: Judge) -> None:
    print(
        f"{'warm judgement, median ms':<34} {'right':>7} {'wrong':>7} {'repair':>7} {'prepare':>8}"
    )
    rights: list[float] = []
    wrongs: list[float] = []
    repairs: list[float] = []
    for twin in sorted(TWINS.rglob("*.py")):
        loaded, path = module(twin), (DECK / twin.relative_to(TWINS)).with_suffix(".md")
        ready = prepared(judge, path, {name for name, _ in rights(loaded)})
        right = list(timed(judge, path, rights(loaded)))
        wrong = list(timed(judge, path, _mistakes(loaded)))
        repair = list(_repaired(judge, path, _mistakes(loaded)))
        _print_row(path.stem, right, wrong, repair, ready)
        rights, wrongs, repairs = rights + right, wrongs + wrong, repairs + repair
    _print_row("all starter cards", rights, wrongs, repairs, None)
    right, wrong = [], []
    for path in CHECKERS:
        prepared(judge, path, {name for name, _ in rights(module(path))})
        mine = list(cases(path))
        right += timed(judge, path, ((c.asked, c.text) for c in mine if c.right))
        hard = [c for c in mine if c.code in (*UNSPECIFIC, "one-edit", "input-for-output")]
        wrong += timed(judge, path, ((c.asked, c.text) for c in hard))
    _print_row("corpus (wrong: unspecific ones)", right, wrong, [], None)


def rights(loaded: object) -> list[tuple[str, str]]:
    return [(name, text) for name, texts in getattr(loaded, "right", {}).items() for text in texts]


def _mistakes(loaded: object) -> list[tuple[str, str]]:
    """The known mistakes, and the same off by something that no card names."""
    known = [
        (name, text)
        for name, claims in getattr(loaded, "wrong", {}).items()
        for text in claims.values()
        if isinstance(text, str)
    ]
    return known + [(name, f"({text}) * 1.5") for name, text in known if "\n" not in text]


def prepared(judge: Judge, path: Path, names: Iterable[str]) -> float:
    """The seconds until the instances and all that answers are compared with are there."""
    began = time.perf_counter()
    judge.prepare(path, SEED)
    for name in names:
        judge.judge(path, {name: "0 * 0"}, SEED)
    return time.perf_counter() - began


def timed(judge: Judge, path: Path, answers: Iterable[tuple[str, str]]) -> Iterator[float]:
    for name, text in answers:
        time.sleep(TYPING)
        began = time.perf_counter()
        judgement = judge.judge(path, {name: text}, SEED)
        taken = time.perf_counter() - began
        assert isinstance(judgement, Judgement), judgement
        yield taken


def _repaired(judge: Judge, path: Path, answers: Iterable[tuple[str, str]]) -> Iterator[float]:
    for name, text in answers:
        began = time.perf_counter()
        judge.repair(path, {name: text}, SEED)
        yield time.perf_counter() - began


def _print_row(
    name: str, right: list[float], wrong: list[float], repair: list[float], ready: float | None
) -> None:
    columns = (
        f"{statistics.median(times) * 1e3:7.1f}" if times else f"{'-':>7}"
        for times in (right, wrong, repair)
    )
    prepare = f"{ready * 1e3:8.0f}" if ready is not None else ""
    print(f"{name:<34} {' '.join(columns)} {prepare}")


def _print_cold() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "QUIZZER_DECK": str(DECK)}
        verify = [sys.executable, "-m", "quizzer", "verify", "q-sigmoid"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
            "quizzer verify, right": [*verify, "dx=dy * y * (1 - y)"],
            "quizzer verify, wrong": [*verify, "dx=dy * y * (2 - y)"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                began = time.perf_counter()
                subprocess.run(command, env=environment, capture_output=True, check=False)
                times[name].append(time.perf_counter() - began)
    numpy = times["python -c 'import numpy'"]
    heads = ("median ms", "/ numpy", "least ms", "/ numpy")
    print(f"\n{f'cold, {ROUNDS} processes each':<34}", *(f"{head:>9}" for head in heads))
    for name, taken in times.items():
        columns = (
            f"{which(taken) * 1e3:9.0f} {which(taken) / which(numpy):9.2f}"
            for which in (statistics.median, min)
        )
        print(f"{name:<34}", *columns)


if __name__ == "__main__":
    main()
