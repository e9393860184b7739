"""A learner of many years: 10,000 cards, 200,000 reviews, some 200 cards due today.

Commands are run in turns within this one run, the index of the deck warm, so that their ratios to
a Typer hello-world hold on a busy machine too. Memory is the peak of the process. A rating is
committed in the store, which is on the disk when it returns.

Run: .venv/bin/python benchmarks/years.py [--rounds N] [--keep FOLDER]
"""

import argparse
import contextlib
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from deck import CARDS, write_deck
from startup import HELLO

from quizzer.store import Store
from quizzer.values import Rating, Review, State

REVIEWS_OF_A_CARD = 20
DUE = 200
RATINGS = 200
FOREIGN = ("QUIZZER_", "XDG_", "PYTHONDONTWRITEBYTECODE")
"""Variables that would lead the commands elsewhere, or have each compile its modules anew."""
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description="Commands after many years.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--keep", type=Path, help="build it here, or use what was built here")
    options = parser.parse_args()
    with _folder(options.keep) as home:
        root, history = home / "deck", home / "history.db"
        if not history.exists():
            # In a process of its own: the peak of memory of this one is handed on to its children.
            building = multiprocessing.get_context("spawn").Process(
                target=_build, args=(root, history)
            )
            building.start()
            building.join()
        used = home / "used.db"
        shutil.copyfile(history, used)
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)},
            "HOME": str(home),
            "QUIZZER_DECK": str(root),
            "QUIZZER_STORE": str(used),
            "QUIZZER_NOW": NOW.isoformat(),
        }
        quizzer = [sys.executable, "-m", "quizzer"]
        _commands(
            {
                "typer hello-world": [sys.executable, "-c", HELLO],
                "quizzer due": [*quizzer, "due"],
                "quizzer due --json": [*quizzer, "due", "--json"],
                "quizzer rate": [*quizzer, "rate", "card-777", "good"],
                "quizzer stats --json": [*quizzer, "stats", "--json"],
            },
            environment,
            options.rounds,
        )
        _store(root, used)


def _commands(commands: dict[str, list[str]], environment: dict[str, str], rounds: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in commands}
    peaks: dict[str, float] = {}
    for number in range(rounds + 1):
        for name, command in commands.items():
            seconds, peaks[name] = _run(command, environment)
            if number:  # The first time around the index is made.
                times[name].append(seconds)
    hello = statistics.median(times["typer hello-world"])
    print(f"{'':<32} {'median ms':>9} {'/ hello':>8} {'peak MB':>8}")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:<32} {median * 1e3:9.0f} {median / hello:8.1f} {peaks[name]:8.0f}")


def _run(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds, and the peak of resident memory in MB."""
    began = time.perf_counter()
    silent = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=silent, stderr=silent)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, usage.ru_maxrss * unit / 1e6


def _store(root: Path, history: Path) -> None:
    with Store.open(history, NOW, backups=False) as store:
        taken = [
            _timed(lambda card=card: _rate(store, _review(root, card, 9)))
            for card in range(RATINGS)
        ]
        taken.sort()
        print(
            f"a rating committed in the store: median {statistics.median(taken) * 1e3:.2f} ms, "
            f"p95 {taken[int(0.95 * RATINGS)] * 1e3:.2f} ms, of {RATINGS}"
        )
        read: Callable[[], object]
        for name, read in (
            ("progress of all cards", store.progress),
            ("last paths", store.last_paths),
            ("whole log", store.events),
            ("reviews in short", store.brief_reviews),
            ("memory made anew", store.rebuild),
            ("full check", store.check),
        ):
            print(f"{name}: {_timed(read) * 1e3:.0f} ms")


def _rate(store: Store, review: Review) -> None:
    store.record_after(review.card, lambda _: review, at=NOW, day=NOW.toordinal())


def _timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


@contextlib.contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.absolute()


def _build(root: Path, history: Path) -> None:
    """Each card comes again and again over years; the last time on one of the past 100 days."""
    write_deck(root)
    rng = Random(7)
    days: defaultdict[int, list[Review]] = defaultdict(list)
    today = NOW.toordinal()
    for card in range(CARDS):
        last = today - rng.randint(1, 100)
        interval = today - last - rng.randint(0, 5) if card < DUE else today - last + 1
        for number in range(REVIEWS_OF_A_CARD):
            passed = (REVIEWS_OF_A_CARD - 1 - number) * 60
            newest = number == REVIEWS_OF_A_CARD - 1
            review = _review(root, card, max(interval, 1) if newest else 60, rng, first=number == 0)
            days[last - passed].append(review)
    with Store.open(history, NOW - timedelta(days=4000), backups=False) as store:
        for day, reviews in sorted(days.items()):
            store.record(*reviews, at=NOW + timedelta(days=day - today), day=day)


def _review(
    root: Path, card: int, interval: int, rng: Random | None = None, first: bool = False
) -> Review:
    rating = rng.choices(list(Rating), (10, 10, 70, 10))[0] if rng else Rating.GOOD
    state = State.NEW if first else State.REVIEW
    path = f"{root}/course-{card % 20}/card_{card}.md"
    return Review(f"card-{card}", rating, interval, state, seconds=20.0, path=path)


if __name__ == "__main__":
    main()
