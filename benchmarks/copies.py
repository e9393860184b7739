"""Daily copies: their bytes in histories of the present size, their time, and that of a restore.

Day after day reviews are added, then the first command of the next day makes its copy. "Most" is
the most that the copies took on one day, of which ten have to be kept.

Run: .venv/bin/python benchmarks/copies.py [--days 30] [--daily 110]
"""

import argparse
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median

from _histories import write_history

from quizzer.store import Store, backup, restore
from quizzer.values import Rating, Review, State

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
SIZES = ((1_500, 3_000, 0), (1_500, 40_000, 60_000), (10_000, 200_000, 0))
"""Cards, reviews and attempts."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Daily copies.")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--daily", type=int, default=110, help="Reviews a day.")
    options = parser.parse_args()
    print("reviews  attempts  history    copies: ten, most   a copy   a whole one   a restore")
    for cards, reviews, attempts in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "history.db")
            write_history(path, Path(folder), NOW, cards, reviews, attempts)
            figures = _measured(path, cards, options.days, options.daily)
            print(f"{reviews:>7} {attempts:>9}  {figures}", flush=True)


def _measured(path: Path, cards: int, days: int, daily: int) -> str:
    rng = Random(1)
    ratios, times = [], []
    for number in range(days):
        now = NOW + timedelta(days=number + 1)
        with Store.open(path, now, backups=False) as store:
            start = time.perf_counter()
            store.back_up_daily(now.toordinal())
            times.append(time.perf_counter() - start)
            if store.is_to_be_proven(now.toordinal()):
                store.prove(now.toordinal())
            for card in rng.choices(range(cards), k=daily):
                fact = Review(f"card-{card}", Rating.GOOD, 60, State.REVIEW, rng.random() * 60)
                store.record(fact, at=now, day=now.toordinal())
            copies = store.backups()
        ratios.append(sum(file.stat().st_size for file in copies) / path.stat().st_size)
    start = time.perf_counter()
    backup.copy(path, path.with_name("whole.db"))
    whole = time.perf_counter() - start
    restores = [_restored(path, file) for file in (path.with_name("whole.db"), copies[-1])]
    return (
        f"{path.stat().st_size / 1e6:5.1f} MB     {ratios[9]:.2f}, {max(ratios):.2f} ×"
        f"      {median(times):.3f} s      {whole:.3f} s     {restores[1]:.2f} s"
        f" (whole: {restores[0]:.2f} s)"
    )


def _restored(path: Path, copy: Path) -> float:
    start = time.perf_counter()
    restore(path, copy, NOW + timedelta(days=60))
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
