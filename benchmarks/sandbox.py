"""What the sandbox costs: the first check of a session, warm ones, and a thousand in a row.

Run: .venv/bin/python benchmarks/sandbox.py
"""

import os
import statistics
import time
from collections import defaultdict
from pathlib import Path

from quizzer.checker import SERVICE
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.sandbox import protection
from quizzer.sandbox.worker import Completed, ProcessWorker, ZygoteWorker
from quizzer.values import Verdict

CHECKER = Path(__file__).parent.parent / "tests/python_deck/2_layers/linear_layer.py"
ANSWER = {"dW": "dy.T @ x"}
WARM, FRESH, IN_A_ROW = 100, 5, 1000
PAUSE = 0.05
"""Seconds between warm checks, far less than a learner needs to type an answer."""


def main() -> None:
    for each in protection.protections():
        print(f"{each.name:<12} {'active' if each.active else 'absent':<8} {each.note}")
    print(f"\n{'':<34} {'median ms':>9} {'95 % ms':>9} {'most ms':>9}")
    first = []
    for seed in range(FRESH):
        with Judge(ZygoteWorker(SERVICE)) as judge:
            first.append(check(judge, seed))
    row("first check, with the start", first)
    worker = Timed(ZygoteWorker(SERVICE))
    with Judge(worker) as judge:
        check(judge, 0)
        worker.taken.clear()
        row("warm check", [check(judge, seed, PAUSE) for seed in range(WARM)])
        row("  of it the problem stage", worker.taken["pose"])
        row("  of it the answer stage", worker.taken["evaluate"])
        worker.taken.clear()
        row(f"{IN_A_ROW} checks in a row", [check(judge, seed) for seed in range(IN_A_ROW)])
        row("  of each the answer stage", worker.taken["evaluate"])
        print(f"warm process: {worker.resident_megabytes():.0f} MB resident")
    with Judge(ProcessWorker(SERVICE)) as judge:
        row("check by fresh processes", [check(judge, seed) for seed in range(FRESH)])


def check(judge: Judge, seed: int, pause: float = 0.0) -> float:
    """Seconds that one right answer takes to be found right."""
    time.sleep(pause)
    began = time.perf_counter()
    judgement = judge.judge(CHECKER, ANSWER, seed)
    seconds = time.perf_counter() - began
    assert isinstance(judgement, Judgement), judgement
    assert judgement.verdict is Verdict.CORRECT, judgement
    return seconds


def row(name: str, seconds: list[float]) -> None:
    at_95 = sorted(seconds)[int(0.95 * (len(seconds) - 1))]
    numbers = (statistics.median(seconds), at_95, max(seconds))
    print(f"{name:<34}", *(f"{number * 1e3:9.1f}" for number in numbers))


class Timed:
    """A worker that notes how long each kind of stage takes."""

    def __init__(self, worker: ZygoteWorker) -> None:
        self._worker = worker
        self.taken: dict[str, list[float]] = defaultdict(list)

    def start(self) -> None:
        self._worker.start()

    def close(self) -> None:
        self._worker.close()

    def expect(self, message: bytes) -> None:
        self._worker.expect(message)

    def exchange(self, message: bytes, seconds: float) -> Completed:
        began = time.perf_counter()
        ended = self._worker.exchange(message, seconds)
        stage = message.partition(b"\n")[0].decode()
        self.taken[stage].append(time.perf_counter() - began)
        return ended

    def resident_megabytes(self) -> float:
        """Of the warm process, which is our only child."""
        me = os.getpid()
        (warm,) = Path(f"/proc/{me}/task/{me}/children").read_text().split()
        status = Path(f"/proc/{warm}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main()
