"""How the histories in the folders 1 to 3 were made: with the quizzer of that time.

Run with the old code on the path: PYTHONPATH=OLD_CHECKOUT python make.py FOLDER
Format 1 is the commit before f3a6b78, format 2 is 51aa0ba, format 3 is 42e4340. The files are never
made again.
"""

import json
import random
import shutil
import sqlite3
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import Store
from quizzer.values import (
    Attempt,
    Bury,
    Dispute,
    Fit,
    Flag,
    Rating,
    Reset,
    Review,
    State,
    Suspend,
    Unsuspend,
    Verdict,
    study_day,
)

folder = Path(sys.argv[1])
begin = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=1)))
rng = random.Random(3)


def opened(path: Path, day: int) -> Store:
    return Store.open(path, begin + timedelta(days=day), backups=False, randomness=rng.randbytes)


def used(path: Path, first: int, days: int, cards: str) -> None:
    for day in range(first, first + days):
        at = begin + timedelta(days=day)
        with opened(path, day) as store:
            for card in cards:
                store.record(
                    Attempt(card, "dX", "σ(x) ⊙ (1 - σ(x))", Verdict.WRONG, "sign", seed=day),
                    Review(card, Rating(rng.randint(1, 4)), rng.randint(0, 9), State.REVIEW, 21.5),
                    at=at,
                    day=study_day(at),
                )
            store.undo(at, study_day(at))


history = folder / "history.db"
used(history, 0, 4, "abc")
with opened(history, 4) as store:
    at = begin + timedelta(days=4)
    for fact in (
        Suspend("a"),
        Unsuspend("a"),
        Bury("b"),
        Flag("c", True),
        Dispute("c", "dX", "1/0", Verdict.WRONG, 7),
        Reset("b"),
    ):
        store.record(fact, at=at, day=study_day(at))

if folder.name in ("2", "3"):
    if folder.name == "2":
        from quizzer.store.file_target import opened as target_opened

        from quizzer.store.sync import sync
    else:
        from quizzer.store.sync.exchange import sync
        from quizzer.store.sync.file_target import opened as target_opened

    other, copied = folder / "other.db", folder / "copied.db"
    used(other, 2, 2, "cd")
    shutil.copy(history, copied)
    used(copied, 6, 1, "e")  # the same device goes on in two places: a fork
    used(history, 7, 1, "f")
    for path in (history, other, copied, history):
        with opened(path, 8) as store, target_opened(folder / "target.db", store, None) as target:
            sync(store, target, begin + timedelta(days=8))
    other.unlink()
    copied.unlink()

with opened(history, 9) as store:
    store.backup_to(folder / "backup.db")
    (folder / "export.jsonl").write_text("".join(f"{line}\n" for line in store.lines()), "utf-8")
used(history, 9, 1, "g")
own = [0.1, *DEFAULT_PARAMETERS[1:]]
if folder.name == "3":
    with opened(history, 9) as store:
        at = begin + timedelta(days=9)
        store.record(Fit("FSRS-6", tuple(own), 12), at=at, day=study_day(at))
else:
    table = {"model": "FSRS-6", "parameters": own, "day": "2026-03-09", "reviews": 12}
    (folder / "history-parameters.json").write_text(json.dumps(table), "utf-8")
for path in folder.glob("*.db"):
    with sqlite3.connect(path) as raw:
        print(path, *raw.execute("SELECT COUNT(*) FROM events").fetchone())
