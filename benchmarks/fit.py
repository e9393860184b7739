"""Fitting memory parameters: held-out log-loss and time, beside py-fsrs and fsrs-rs.

Every contender fits the older part of a log, and one evaluator scores what its parameters foretell
of the newer part; log-loss is the mean over all parts, seconds are those of all fits to one log.
Logs are simulated: learners whose memory is not the average one study under the default parameters.
`--log` adds a real one in FSRS's usual CSV (card_id, review_time in ms, review_rating).
fsrs-rs-python is put into a temporary environment; py-fsrs fits only where torch is installed.

Run: .venv/bin/python benchmarks/fit.py [--million] [--log FILE.csv] [--folds N] [--alone]
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import exp
from pathlib import Path
from random import Random

import numpy as np

from quizzer.review import Rating, study_day
from quizzer.schedule import fsrs
from quizzer.schedule.fit import fitted_parameters, log_losses, scored
from quizzer.schedule.histories import Reviews, pack
from quizzer.schedule.model import FSRS_6

Parameters = tuple[float, ...]
Contender = Callable[[Reviews], tuple[Parameters, float]]
"""Fits a log; the parameters, and the seconds that the fit alone took."""

RUST = "fsrs-rs-python"
RUST_SCRIPT = """
import json, sys, time
import fsrs_rs_python as rs

columns, by_card, epochs = json.load(sys.stdin)
known, items, cards = {}, [], []
for card, rating, elapsed in zip(*columns):
    history = known.setdefault(card, [])
    history.append(rs.FSRSReview(rating, elapsed))
    if elapsed:
        items.append(rs.FSRSItem(history))
        cards.append(card)
config = rs.TrainingConfig(num_epochs=epochs)
began = time.perf_counter()
found = rs.FSRS(list(rs.DEFAULT_PARAMETERS)).compute_parameters(
    items, card_ids=cards if by_card else None, training_config=config
)
print(json.dumps([list(found), time.perf_counter() - began]))
"""


def main() -> None:
    options = _options()
    groups = {
        f"{learners} × {size:,} simulated": [simulated(size, seed) for seed in range(learners)]
        for size, learners in options.sizes.items()
    }
    if options.log:
        groups[options.log.name] = [usual_csv(options.log)]
    with tempfile.TemporaryDirectory() as folder:
        contenders = {"default parameters": defaults, "quizzer": ours}
        if not options.alone:
            contenders |= _others(Path(folder))
        print(f"{'log':<24} {'fitted by':<28} {'held-out log-loss':>17} {'seconds':>9}")
        for name, logs in groups.items():
            for contender, fit in contenders.items():
                loss, seconds = np.mean([held_out(log, options.folds, fit) for log in logs], 0)
                print(f"{name:<24} {contender:<28} {loss:17.5f} {seconds:9.2f}", flush=True)


def held_out(log: Reviews, folds: int, fit: Contender) -> tuple[float, float]:
    """The mean log-loss of so many parts, each foretold by a fit to all before it; seconds."""
    places = np.flatnonzero(scored(pack(log)))
    cuts = np.linspace(0, len(places), folds + 2).astype(int).tolist()[1:]
    losses, total = [], 0.0
    for low, high in pairwise(cuts):
        parameters, seconds = fit(log.until(int(places[low])))
        told = log.until(int(places[high - 1]) + 1)
        losses.append(log_losses(told, parameters)[places[low:high]].mean())
        total += seconds
    return float(np.mean(losses)), total


def defaults(log: Reviews) -> tuple[Parameters, float]:
    return FSRS_6.defaults, 0.0


def ours(log: Reviews) -> tuple[Parameters, float]:
    began = time.perf_counter()
    return fitted_parameters(log), time.perf_counter() - began


def py_fsrs(log: Reviews) -> tuple[Parameters, float]:
    """On noons of the study days, so that it counts the days that the others are given."""
    from fsrs import Optimizer, ReviewLog
    from fsrs import Rating as Theirs

    newest: dict[int, datetime] = {}
    lines = []
    for card, rating, day in zip(*(column.tolist() for column in _columns(log)[:3]), strict=True):
        at = datetime(2020, 1, 1, 12, tzinfo=UTC) + timedelta(days=day)
        if card in newest and newest[card] >= at:
            at = newest[card] + timedelta(seconds=1)
        newest[card] = at
        lines.append(ReviewLog(card, Theirs(rating), at, None))
    began = time.perf_counter()
    found = Optimizer(lines).compute_optimal_parameters()
    return tuple(found), time.perf_counter() - began


def rust(python: Path, *, by_card: bool, epochs: int = 5) -> Contender:
    def fit(log: Reviews) -> tuple[Parameters, float]:
        card, rating, _, elapsed = (column.tolist() for column in _columns(log))
        ran = subprocess.run(
            [python, "-c", RUST_SCRIPT],
            input=json.dumps([[card, rating, elapsed], by_card, epochs]),
            capture_output=True,
            text=True,
            check=True,
        )
        parameters, seconds = json.loads(ran.stdout)
        return tuple(parameters), seconds

    return fit


def simulated(size: int, seed: int) -> Reviews:
    """So many reviews: cards begun over the years, rated as a memory of his own decides."""
    random = Random(seed)
    own = _own_parameters(random)
    rows: list[tuple[int, int, int]] = []
    days = 1500
    card = 0
    while len(rows) < size:
        rows += ((day, card, rating) for day, rating in _life(random, own, days))
        card += 1
    day, card_number, rating = np.array(sorted(rows, key=lambda row: row[0])[:size]).T
    return Reviews(card_number, rating, day)


def _own_parameters(random: Random) -> Parameters:
    """Half as far off the average as learners are, the first stabilities by factors."""
    drawn = [
        mean * exp(random.gauss(0, 0.7)) if number < 4 else mean + random.gauss(0, spread / 2)
        for number, (mean, spread) in enumerate(zip(FSRS_6.defaults, FSRS_6.spread, strict=True))
    ]
    drawn[:4] = sorted(drawn[:4])
    bounds = zip(drawn, FSRS_6.lower, FSRS_6.upper, strict=True)
    return tuple(min(max(value, low), high) for value, low, high in bounds)


def _life(random: Random, own: Parameters, days: int) -> list[tuple[int, int]]:
    """The days and ratings of one card."""
    day, elapsed = random.randrange(days), 0
    believed = true = None
    reviews = []
    while day < days:
        if true is None:
            rating = random.choices(list(Rating), (25, 15, 50, 10))[0]
        elif elapsed and random.random() > fsrs.retrievability(true, elapsed, own):
            rating = Rating.AGAIN
        else:
            rating = random.choices(list(Rating)[1:], (12, 78, 10))[0]
        reviews.append((day, int(rating)))
        true = fsrs.step(true, rating, elapsed, own)
        believed = fsrs.step(believed, rating, elapsed)
        interval = fsrs.days_until(believed.stability, 0.9) * random.uniform(0.7, 1.5)
        elapsed = 0 if rating is Rating.AGAIN else max(1, round(interval))
        day += elapsed
    return reviews


def usual_csv(path: Path) -> Reviews:
    with path.open(newline="", encoding="utf-8") as file:
        rows = sorted(
            (int(row["review_time"]), row["card_id"], int(row["review_rating"]))
            for row in csv.DictReader(file)
        )
    numbers: dict[str, int] = {}
    history = [numbers.setdefault(card, len(numbers)) for _, card, _ in rows]
    day = [study_day(datetime.fromtimestamp(ms / 1000, UTC)) for ms, _, _ in rows]
    return Reviews(np.array(history), np.array([rating for *_, rating in rows]), np.array(day))


def _columns(log: Reviews) -> tuple[np.ndarray, ...]:
    histories = pack(log)
    elapsed = histories.in_log_order(histories.elapsed).astype(int)
    return log.history, log.rating, log.day, elapsed


def _others(folder: Path) -> dict[str, Contender]:
    found: dict[str, Contender] = {}
    try:
        import torch  # noqa: F401

        found["py-fsrs"] = py_fsrs
    except ImportError:
        print("py-fsrs is left out: its optimizer needs torch, which is not installed here.")
    print(f"installing {RUST} into a temporary environment ...", flush=True)
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    ran = subprocess.run([python, "-m", "pip", "install", "-q", RUST], capture_output=True)
    if ran.returncode:
        print(f"{RUST} is left out: it could not be installed.")
        return found
    return found | {
        "fsrs-rs": rust(python, by_card=False),
        "fsrs-rs, card ids": rust(python, by_card=True),
        "fsrs-rs, card ids, 30 epochs": rust(python, by_card=True, epochs=30),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Held-out log-loss and time of fits.")
    parser.add_argument("--million", action="store_true", help="a log of 1,000,000 reviews too")
    parser.add_argument("--log", type=Path, help="a real log, FSRS's usual CSV")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--alone", action="store_true", help="without other optimizers")
    options = parser.parse_args()
    options.sizes = {1_000: 20, 10_000: 10, 100_000: 2} | (
        {1_000_000: 1} if options.million else {}
    )
    return options


if __name__ == "__main__":
    main()
