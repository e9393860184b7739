"""Replaying a long log: all cards at once, beside our plain step, py-fsrs and fsrs-rs.

Seconds are those of making memory from ratings and study days, the best of three runs; reading a
store or a file is not in them. fsrs-rs-python is put into a temporary environment, if it can be.

Run: .venv/bin/python benchmarks/replay.py [--reviews N] [--alone]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from quizzer.fsrs.histories import Reviews, pack
from quizzer.fsrs.replay import replay, replay_ends
from quizzer.fsrs.step import MemoryState, step
from quizzer.values import Rating

RUST = "fsrs-rs-python"
RUST_SCRIPT = """
import json, sys, time
import fsrs_rs_python as rs

histories = json.load(sys.stdin)
model = rs.FSRS(list(rs.DEFAULT_PARAMETERS))
items = [rs.FSRSItem([rs.FSRSReview(*review) for review in history]) for history in histories]
times = []
for _ in range(3):
    began = time.perf_counter()
    found = model.memory_state_batch(items)
    times.append(time.perf_counter() - began)
print(json.dumps([min(times), [state.stability for state in found]]))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Seconds to replay a log.")
    parser.add_argument("--reviews", type=int, default=1_000_000)
    parser.add_argument("--alone", action="store_true", help="without other packages")
    options = parser.parse_args()
    log = _log(options.reviews)
    histories = pack(log)
    print(
        f"{len(log):,} reviews of {histories.count:,} cards, at most "
        f"{len(histories.repetitions)} of one"
    )
    print(f"{'':<46} {'seconds':>8} {'largest difference':>19}")
    ends = replay_ends(histories).stability
    _row("quizzer, packing and every review", _timed(lambda: replay(pack(log))), None)
    _row("quizzer, packing and the ends", _timed(lambda: replay_ends(pack(log))), None)
    _row("quizzer, every review, packed before", _timed(lambda: replay(histories)), None)
    lives = _lives(log, histories.count)
    _row("quizzer, a plain step for each", *_against(ends, lambda: _plain(lives)))
    if not options.alone:
        _row("py-fsrs", *_against(ends, lambda: _py_fsrs(lives), runs=1))
        _rust(lives, ends)


def _log(size: int) -> Reviews:
    """Cards of 1 to some 40 reviews, a sixth of them on the day of the one before."""
    rng = np.random.default_rng(6)
    cards = max(size // 14, 1)
    card = np.concatenate([np.arange(cards), rng.integers(0, cards, size - cards)])
    day = np.sort(rng.integers(0, 1800, size))
    return Reviews(card, rng.choice([1, 2, 3, 4], size, p=[0.15, 0.1, 0.65, 0.1]), day)


def _lives(log: Reviews, cards: int) -> list[list[tuple[int, int]]]:
    """Ratings and days since the review before, card by card."""
    histories = pack(log)
    elapsed = histories.in_log_order(histories.elapsed).astype(int).tolist()
    lives: list[list[tuple[int, int]]] = [[] for _ in range(cards)]
    for card, rating, days in zip(log.history.tolist(), log.rating.tolist(), elapsed, strict=True):
        lives[card].append((rating, days))
    return lives


def _plain(lives: list[list[tuple[int, int]]]) -> list[float]:
    ends = []
    for life in lives:
        state: MemoryState | None = None
        for rating, days in life:
            state = step(state, Rating(rating), days)
        ends.append(state.stability if state else 0.0)
    return ends


def _py_fsrs(lives: list[list[tuple[int, int]]]) -> list[float]:
    import fsrs

    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    ends = []
    for life in lives:
        card, at = fsrs.Card(card_id=1), datetime(2020, 1, 1, 12, tzinfo=UTC)
        for rating, days in life:
            at += timedelta(days=days)
            card, _ = scheduler.review_card(card, fsrs.Rating(rating), at)
        ends.append(card.stability or 0.0)
    return ends


def _rust(lives: list[list[tuple[int, int]]], ends: np.ndarray) -> None:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
        ran = subprocess.run([python, "-m", "pip", "install", "-q", RUST], capture_output=True)
        if ran.returncode:
            print(f"{RUST} is left out: it could not be installed.")
            return
        script = subprocess.run(
            [python, "-c", RUST_SCRIPT],
            input=json.dumps(lives),
            capture_output=True,
            text=True,
            check=True,
        )
    seconds, stability = json.loads(script.stdout)
    _row("fsrs-rs, the ends, in single precision", seconds, _difference(ends, stability))


def _against(
    ends: np.ndarray, run: Callable[[], list[float]], runs: int = 3
) -> tuple[float, float]:
    found: list[list[float]] = []
    return _timed(lambda: found.append(run()), runs), _difference(ends, found[0])


def _difference(ends: np.ndarray, stability: list[float]) -> float:
    """Relative, of stability at the end of each card's history."""
    return float(np.max(np.abs(np.array(stability) / ends - 1)))


def _timed(run: Callable[[], object], runs: int = 3) -> float:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def _row(name: str, seconds: float, difference: float | None) -> None:
    shown = "" if difference is None else f"{difference:19.1e}"
    print(f"{name:<46} {seconds:8.3f} {shown}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
