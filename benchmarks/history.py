"""The store with 10,000 cards and 100,000 reviews: committing, reading what is due, syncing.

Run: .venv/bin/python benchmarks/history.py
"""

import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quizzer.store import Store
from quizzer.store.sync.exchange import sync
from quizzer.store.sync.file_target import opened
from quizzer.values import Rating, Review, State

CARDS = 10_000
ROUNDS = 10
RATINGS = 200
START = datetime(2026, 1, 1, 9, tzinfo=UTC)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder, "history.db"), START, backups=False) as store,
    ):
        for round_ in range(ROUNDS):
            at = START + timedelta(days=3 * round_)
            reviews = [_review(card, round_) for card in range(CARDS)]
            store.record(*reviews, at=at, day=at.toordinal())
        at = START + timedelta(days=3 * ROUNDS)
        taken = []
        for card in range(RATINGS):
            began = time.perf_counter()
            store.record(_review(card, ROUNDS), at=at, day=at.toordinal())
            taken.append(time.perf_counter() - began)
        print(f"{CARDS} cards, {CARDS * ROUNDS} reviews, {store.path.stat().st_size >> 20} MB")
        print(f"commit of one rating, median of {RATINGS}: {statistics.median(taken) * 1e3:.2f} ms")
        for name, read in (
            ("progress of all cards", store.progress),
            ("whole log", store.events),
            ("full check", store.check),
        ):
            began = time.perf_counter()
            read()
            print(f"{name}: {(time.perf_counter() - began) * 1e3:.0f} ms")
        _sync(store, Path(folder), at)


def _sync(store: Store, folder: Path, at: datetime) -> None:
    """Give all to a new file, take all of it into an empty store, then find nothing to do."""
    with Store.open(folder / "other.db", at, backups=False) as other:
        for what, one in (
            ("sync, all given to a new file", store),
            ("sync, all taken into an empty store", other),
            ("sync, nothing new", store),
        ):
            began = time.perf_counter()
            with opened(folder / "carried.db", one, None) as target:
                done = sync(one, target, at)
            taken = time.perf_counter() - began
            print(f"{what} ({done.taken} taken, {done.given} given): {taken * 1e3:.0f} ms")


def _review(card: int, round_: int) -> Review:
    state = State.REVIEW if round_ else State.NEW
    return Review(f"card-{card}", Rating.GOOD, 3, state, seconds=20.0)


if __name__ == "__main__":
    main()
