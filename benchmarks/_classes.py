"""A whole class in one PostgreSQL database: how long a teacher and a learner wait, and what is
kept when many sync at once and some of them are killed.

Twenty histories are made by the store, with reviews, wrong answers, derivations, disputes and
undos; the learners' are copies of these. They are loaded by COPY, and their sums added up or
copied alike.
"""

import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import psycopg

from quizzer.store import Store
from quizzer.store.codec import Row
from quizzer.values import Attempt, Dispute, Rating, Review, State, Verdict

HELLO = "import typer\napp = typer.Typer()\n@app.command()\ndef hello(): print('hello')\napp()"
STARTER = """
import os, subprocess, sys, time
began = time.perf_counter()
process = subprocess.Popen(sys.argv[2:], stdout=open(sys.argv[1], "wb"))
_, status, used = os.wait4(process.pid, 0)
print(time.perf_counter() - began, used.ru_maxrss, os.waitstatus_to_exitcode(status))
"""
HISTORIES = 20
STORM = 8
"""Seconds in which processes are killed: fifty at once take longer on two cores."""
ROUNDS = 7
AT_ONCE, KILLED = 50, 20
_CODES = ("sign", "factor", "known-mistake", "missing-term", "transposed", "unexplained")
_TABLES = {
    "sums": "card, reviews, again, learned, forgotten, wrong, disputes, seconds",
    "mistakes": "card, code, mistake, line, times",
}


class Ran(NamedTuple):
    seconds: float
    megabytes: float


def measure(
    home: Path, database: str, deck: Path, cards: Sequence[str], learners: int, events: int
) -> None:
    """Load a class, and print what commands take in it."""
    began = time.perf_counter()
    quizzer(home, deck, "course", "init", database)
    stores = [home / f"{learners}-{number}.db" for number in range(HISTORIES)]
    for number, path in enumerate(stores):
        study(path, cards, events, Random(number))
    with closing(psycopg.connect(database, autocommit=True)) as connection:
        load(connection, stores, learners)
        size = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        sums = connection.execute("SELECT COUNT(*) FROM quizzer.mistakes").fetchone()
    assert size and sums
    print(
        f"{learners:,} learners, {events:,} events each, loaded in "
        f"{time.perf_counter() - began:.0f} s: {size[0] / 1e6:,.0f} MB, "
        f"{sums[0]:,} rows of mistakes"
    )
    hello, stats, syncs = [], [], []
    quizzer(home, deck, "course", "add", database, *(name(n) for n in range(AT_ONCE + ROUNDS)))
    for turn in range(ROUNDS):
        hello.append(run(home, deck, [sys.executable, "-c", HELLO]).seconds)
        stats.append(quizzer(home, deck, "stats", "--from", database, "--json"))
        command = a_day(home, stores, database, AT_ONCE + turn)
        syncs.append(quizzer(home, deck, *command))
    once = statistics.median(hello)
    for what, runs in (("stats --from", stats), ("a learner's sync", syncs)):
        seconds = statistics.median(each.seconds for each in runs)
        megabytes = max(each.megabytes for each in runs)
        print(
            f"  {what:<18} {seconds:6.2f} s {seconds / once:6.1f} hello-worlds {megabytes:5.0f} MB"
        )
    storm(home, deck, database, stores)


def name(number: int) -> str:
    return f"learner-{number:06}"


def study(path: Path, cards: Sequence[str], events: int, luck: Random) -> None:
    """A history of so many events."""
    at = datetime.fromisoformat("2026-01-05T09:00:00+01:00")
    with Store.open(path, at, backups=False) as store:
        for _ in range(events // 100):
            at += timedelta(days=1)
            facts = [fact(luck, luck.choice(cards)) for _ in range(98)]
            day = at.toordinal()
            store.record(*facts, Review(cards[0], Rating.AGAIN, 0, State.NEW), at=at, day=day)
            store.undo(at, day)


def fact(luck: Random, card: str) -> Review | Attempt | Dispute:
    kind = luck.random()
    if kind < 0.4:
        return Review(card, luck.choice([*Rating]), 3, State.REVIEW, luck.lognormvariate(5, 1))
    line = luck.randint(1, 4)
    answer = "\n".join(f"∂L/∂x_{n} = Σ_k W_{{k {n}}} dy_k / {luck.random()}" for n in range(line))
    if kind < 0.41:
        return Dispute(card, "dx", answer, Verdict.WRONG)
    code = luck.choice(_CODES) if kind < 0.7 else None
    said = "You lost the 1/n of the mean." if code == "known-mistake" else None
    verdict = Verdict.WRONG if code else Verdict.CORRECT
    about = f"∂L/∂{luck.choice('Wbxh')}" if code else None
    return Attempt(
        *(card, "dx", answer, verdict, code, "indices", 7, 60.0),
        line=line if code else None,
        step=about,
        mistake=said,
    )


def load(connection: "psycopg.Connection[Any]", stores: Sequence[Path], learners: int) -> None:
    """All learners' events by COPY; sums are added up for the first of each history."""
    columns = ", ".join(("learner", *Row._fields))
    connection.execute("ALTER SYSTEM SET max_wal_size = '8GB'")
    connection.execute("SELECT pg_reload_conf()")
    connection.execute("SET maintenance_work_mem = '512MB'")
    connection.execute("ALTER TABLE quizzer.events DISABLE TRIGGER events_are_added_up")
    connection.execute("DROP INDEX quizzer.events_by_device, quizzer.events_by_card")
    blocks = [_block(path) for path in stores]
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY quizzer.events ({columns}) FROM STDIN".encode()) as copy,
    ):
        for number in range(learners):
            copy.write(blocks[number % HISTORIES].replace(b"LEARNER", name(number).encode()))
    connection.execute("CREATE INDEX events_by_card ON quizzer.events (card)")
    connection.execute("CREATE INDEX events_by_device ON quizzer.events (learner, device, id)")
    connection.execute("ALTER TABLE quizzer.events ENABLE TRIGGER events_are_added_up")
    connection.execute("ANALYZE quizzer.events")
    began = time.perf_counter()
    for number in range(HISTORIES):
        connection.execute("SELECT quizzer.add_up(%s, NULL)", (name(number),))
    each = (time.perf_counter() - began) / HISTORIES
    print(f"  adding up a learner's events anew takes {each * 1e3:.0f} ms")
    for table, sums in _TABLES.items():
        connection.execute(
            f"""INSERT INTO quizzer.{table} (learner, {sums})
            SELECT 'learner-' || lpad(number::text, 6, '0'), {sums} FROM quizzer.{table}
            JOIN generate_series({HISTORIES}, {learners - 1}) AS number
            ON learner = 'learner-' || lpad((number % {HISTORIES})::text, 6, '0')""".encode()
        )
    connection.execute("VACUUM ANALYZE quizzer.sums, quizzer.mistakes")


def _block(path: Path) -> bytes:
    """A history's rows as COPY takes them, their learner to be filled in."""
    with Store.open(path, datetime.fromisoformat("2026-12-01T09:00:00+01:00")) as store:
        rows = store.log.rows(store.log.hashes())
    escaped = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
    lines = ("\t".join(str(value).translate(escaped) for value in row) for row in rows)
    return "".join(f"LEARNER\t{line}\n" for line in lines).encode()


def a_day(home: Path, stores: Sequence[Path], database: str, number: int) -> list[str]:
    """Let a learner review for a day; returns the command that syncs what they did."""
    path = home / f"mine-{number}.db"
    if not path.exists():
        shutil.copy(stores[number % HISTORIES], path)
    at = datetime.fromisoformat("2026-12-02T09:00:00+01:00")
    luck = Random(number)
    with Store.open(path, at, backups=False) as store:
        facts = [fact(luck, f"new-{n}" if n % 4 else "q-relu") for n in range(20)]
        store.record(*facts, at=at, day=at.toordinal())
    role = database.replace("teacher:chalk", name(number))
    return ["sync", role, "--learner", name(number), "--store", str(path)]


def storm(home: Path, deck: Path, database: str, stores: Sequence[Path]) -> None:
    """Fifty learners sync at once, and twenty of them are killed at some moment."""
    luck = Random(1)
    commands = [a_day(home, stores, database, number) for number in range(AT_ONCE)]
    began = time.perf_counter()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "quizzer", *command],
            env=_environment(home, deck),
            stdout=subprocess.DEVNULL,
        )
        for command in commands
    ]
    for _ in range(KILLED):
        time.sleep(luck.uniform(0, 2 * STORM / KILLED))
        if at_work := [process for process in running if process.poll() is None]:
            luck.choice(at_work).kill()
    codes = [process.wait() for process in running]
    took = time.perf_counter() - began
    killed = codes.count(-signal.SIGKILL)
    assert codes.count(0) == AT_ONCE - killed, codes
    for command in commands:
        quizzer(home, deck, *command)
    lost, drifted = 0, 0
    with closing(psycopg.connect(database, autocommit=True)) as connection:
        for number in range(AT_ONCE):
            at = datetime.fromisoformat("2026-12-03T09:00:00+01:00")
            with Store.open(home / f"mine-{number}.db", at, read_only=True) as store:
                mine = store.log.hashes()
            there = connection.execute(
                "SELECT id, hash FROM quizzer.events WHERE learner = %s", (name(number),)
            )
            lost += mine != dict(there.fetchall())
            before = _sums(connection, name(number))
            connection.execute("SELECT quizzer.add_up(%s, NULL)", (name(number),))
            drifted += before != _sums(connection, name(number))
        deadlocks = connection.execute(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    assert deadlocks
    print(
        f"  {AT_ONCE} syncs at once, {killed} of them killed, in {took:.0f} s; one more each, and "
        f"{lost} learners lack an event, {drifted} have other sums, {deadlocks[0]} deadlocks"
    )


def _sums(connection: "psycopg.Connection[Any]", learner: str) -> list[Any]:
    return [
        sorted(
            connection.execute(
                f"SELECT {columns} FROM quizzer.{table} WHERE learner = %s".encode(), (learner,)
            ).fetchall()
        )
        for table, columns in _TABLES.items()
    ]


def quizzer(home: Path, deck: Path, *argv: object) -> Ran:
    return run(home, deck, [sys.executable, "-m", "quizzer", *map(str, argv)])


def run(home: Path, deck: Path, command: Sequence[str]) -> Ran:
    """In a process that a small one starts, since a peak of memory begins with the parent's."""
    told = subprocess.run(
        [sys.executable, "-c", STARTER, str(home / "out"), *command],
        env=_environment(home, deck),
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, kilobytes, code = told.stdout.split()
    if int(code):
        raise SystemExit(f"{' '.join(command)} failed: {told.stderr}")
    return Ran(float(seconds), int(kilobytes) / 1024)


def _environment(home: Path, deck: Path) -> dict[str, str]:
    now = "2026-12-03T09:00:00+01:00"
    return {**os.environ, "HOME": str(home), "QUIZZER_DECK": str(deck), "QUIZZER_NOW": now}
