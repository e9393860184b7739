"""Ctrl-C in the middle of what goes through a whole history: nothing lost, the next run goes on."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine
from samples import MORNING

from quizzer.store import Store, log
from quizzer.store.codec import Row, body_of
from quizzer.store.ids import next_id
from quizzer.store.importers import taking
from quizzer.store.integrity import hashed
from quizzer.values import Rating, Review, State

EVENTS = 60
MS = 1_700_000_000_000


def rows(number: int) -> Iterator[Row]:
    device, before = next_id(None, MS - 1, lambda size: bytes(size)), ""
    for count in range(number):
        id = next_id(before or None, MS + count, lambda size: bytes(size))
        fact = Review(f"card-{count % 7}", Rating.GOOD, 3, State.REVIEW, 20.0)
        body = body_of(fact)
        yield hashed(Row(id, device, before, MS + count, 0, 738_000, "review", fact.card, body, ""))
        before = id


@pytest.fixture
def history(here: Path) -> Path:
    path = here / "data" / "history.db"
    with Store.open(path, MORNING, backups=False) as store:
        store.take([*rows(EVENTS)], MORNING)
    return path


def lines(path: Path) -> list[str]:
    with Store.open(path, MORNING, read_only=True) as store:
        assert store.check() == []
        return [*store.lines()]


@pytest.mark.parametrize("words", ["stats", "doctor", "export out", "restore kept.db"])
def test_an_interrupted_command_leaves_history_and_folder_as_they_were(
    cli: CommandLine, history: Path, here: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    cli.ok("backup", "kept.db", "--store", history)
    pages, files = log.kept_pages, {*here.rglob("*")}
    before = history.read_bytes()

    def interrupted(*args: Any, **named: Any) -> Iterator[Any]:
        yield next(pages(*args, **named))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(log, "kept_pages", interrupted)
        patch.setattr("quizzer.store.bulk_fold.ENOUGH", 0)
        ran = cli(*words.split(), "--store", history, "--deck", here)
    assert ran.code == 130
    assert history.read_bytes() == before
    assert {file for file in here.rglob("*") if "cache" not in str(file)} <= files
    cli.ok(*words.split(), "--store", history, "--deck", here)
    assert len(lines(history)) == EVENTS


@pytest.mark.parametrize("after", [1, 2, 5])
def test_an_interrupted_import_goes_on_where_it_was(
    cli: CommandLine, history: Path, here: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    cli.ok("export", "log", "--store", history)
    monkeypatch.setattr(taking, "BATCH", 10)
    add, calls = Store._add, list[int]()

    def interrupted(*args: Any) -> Any:
        calls.append(1)
        if len(calls) > after:
            raise KeyboardInterrupt
        return add(*args)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "_add", interrupted)
        assert cli("import", "log", "--store", "new.db").code == 130
    assert lines(here / "new.db") == lines(history)[: 10 * after]
    rest = EVENTS - 10 * after
    ran = cli.ok("import", "log", "--store", "new.db")
    assert f"took {rest} events, {10 * after} events there already" in ran.out
    assert lines(here / "new.db") == lines(history)


@pytest.mark.slow
def test_a_process_that_is_interrupted_while_it_imports_loses_nothing(here: Path) -> None:
    number = 2 * taking.BATCH
    with Store.open(here / "all.db", MORNING, backups=False) as store:
        store.take([*rows(number)], MORNING)
        (here / "log").write_text("".join(f"{line}\n" for line in store.lines()), "utf-8")
    command = [sys.executable, "-m", "quizzer", "import", "log", "--store", here / "new.db"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while running.poll() is None and not _count(here / "new.db"):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    running.communicate()
    taken = _count(here / "new.db")
    assert running.returncode == (130 if taken < number else 0)
    assert taken % taking.BATCH == 0
    subprocess.run(command, check=True, capture_output=True)
    assert lines(here / "new.db") == (here / "log").read_text("utf-8").splitlines()


def _count(file: Path) -> int:
    """How many events another process has added for good."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as opened:
            ((count,),) = opened.execute("SELECT COUNT(*) FROM events")
            return int(count)
    except sqlite3.Error:
        return 0
