"""What a teacher sees of a course: simulated learners study the starter deck and sync it.

Each learner reviews day by day with the real session and judge. A wrong answer is one of the
card's known mistakes, the last of them more often than the others, or right but for a sign or a
factor; some cards are harder than others for all. The command's own output is printed.

It took 20 minutes, since every judgement is made, and needs the programs of PostgreSQL.
Run: .venv/bin/python benchmarks/course.py [--learners N] [--days N]

With `--loaded 200x200 2000x2000`, classes of so many learners with so many events are loaded
instead, and what a teacher and a learner wait for is measured in each, beside a hello-world.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from _classes import measure
from postgres_server import PostgresServer, programs

from quizzer.checker.declared.build import build
from quizzer.checker.source import Declared
from quizzer.deck import Deck, Entry, Filter, load
from quizzer.judge.judges import Judge
from quizzer.judge.source import read_source
from quizzer.plan.settings import Settings
from quizzer.session.daily import Session
from quizzer.store import Store
from quizzer.values import Rating

DECK = Path(__file__).parent.parent / "cards"
FIRST = datetime(2026, 10, 1, 9, tzinfo=UTC)
COURSE = "Deep Learning"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, default=8)
    parser.add_argument("--days", type=int, default=6)
    parser.add_argument("--loaded", nargs="+", metavar="LEARNERSxEVENTS")
    options = parser.parse_args()
    found = programs()
    if found is None:
        sys.exit("PostgreSQL's programs are not installed")
    deck = load((DECK,), None)
    with tempfile.TemporaryDirectory() as folder, Judge() as judge:
        home = Path(folder)
        home.chmod(0o755)
        (home / "server").mkdir()
        server = PostgresServer(found, home / "server")
        server.start()
        try:
            for size in options.loaded or ():
                learners, events = map(int, size.split("x"))
                cards = [entry.id for entry in deck.entries if entry.checker][:60]
                measure(home, server.new_database(), DECK, cards, learners, events)
            if options.loaded:
                return
            database = server.new_database()
            for number in range(options.learners):
                path = home / f"{number}.db"
                study(path, deck, judge, Random(number), options.days)
                sync = ("sync", database, "--learner", f"learner-{number}", "--store", path)
                quizzer(home, *sync, quiet=True)
            quizzer(home, "stats", "--course", COURSE, "--from", database)
        finally:
            server.stop()


def study(path: Path, deck: Deck, judge: Judge, luck: Random, days: int) -> None:
    """Review the course's derivations, so many days, into a history of one's own."""
    skill = luck.uniform(0.5, 0.9)
    for day in range(days):
        clock = Watch(FIRST + timedelta(days=day, minutes=luck.uniform(0, 600)))
        with Store.open(path, clock.now) as store:
            session = Session(
                deck=deck,
                store=store,
                judge=judge,
                settings=Settings(),
                clock=clock,
                rng=luck,
                wanted=Filter(courses=(COURSE,), types=("derivation",)),
            )
            while turn := session.advance():
                while session.turn and (part := session.turn.part):
                    clock.now += timedelta(minutes=luck.uniform(1, 6))
                    slip = (1 - skill * ease(turn.entry)) / (1 + part.wrong) ** 2
                    session.answer(
                        session.number, answer(turn.entry, part.name, luck.random() > slip, luck)
                    )
                session.rate(session.number, session.suggestion() or Rating.GOOD)


@dataclass
class Watch:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


def ease(entry: Entry) -> float:
    """How easy a card is for all, from 0.5 to 1.1."""
    return Random(entry.id).uniform(0.5, 1.1)


def answer(entry: Entry, name: str, knows: bool, luck: Random) -> str:
    right, wrong = known(entry)
    if knows:
        return right[name][0]
    slips = [f"-({right[name][0]})", f"2 * ({right[name][0]})", *wrong.get(name, ())]
    return slips[-1] if luck.random() < 0.5 else luck.choice(slips)


@cache
def known(entry: Entry) -> tuple[dict[str, list[str]], dict[str, tuple[str, ...]]]:
    """The right answers and the known mistakes of a card, by what is asked."""
    assert entry.checker is not None
    source = read_source(entry.checker, lambda *_: False).source
    assert isinstance(source, Declared)
    checker = build(source)
    wrong = {name: tuple(claims.values()) for name, claims in checker.wrong.items()}
    return {name: list(texts) for name, texts in checker.right.items()}, wrong


def quizzer(home: Path, *argv: object, quiet: bool = False) -> None:
    environment = {**os.environ, "HOME": str(home), "QUIZZER_DECK": str(DECK)}
    command = [sys.executable, "-m", "quizzer", *map(str, argv)]
    subprocess.run(command, env=environment, check=True, capture_output=quiet)


if __name__ == "__main__":
    main()
