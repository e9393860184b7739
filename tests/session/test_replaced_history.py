"""Another process puts another history in the place of the one that a session writes to."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from in_turn import InTurn
from samples import NUMBER_CARD, SettableClock, plain_cards

from quizzer.store import Store, StoreError
from quizzer.values import Flag, Rating, Review

Start = Callable[..., InTurn]
Restore = Callable[[Path], None]

MOVED_OVER = "import os, sys; os.replace(sys.argv[1], sys.argv[2])"


def other_process(*arguments: object) -> None:
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def restore(home: Path, clock: SettableClock, store: Store) -> Restore:
    """`quizzer restore` in a process of its own."""

    def run(backup: Path) -> None:
        os.environ["QUIZZER_NOW"] = clock().isoformat()
        other_process("-m", "quizzer", "restore", backup, "--store", store.path)

    return run


def rate(session: InTurn, rating: Rating = Rating.GOOD) -> str:
    turn = session.advance()
    session.reveal()
    session.rate(rating)
    return turn.entry.id


def reviewed(path: Path, clock: SettableClock) -> list[str]:
    with Store.open(path, clock(), read_only=True) as history:
        assert history.check() == []
        return [event.fact.card for event in history.events(kinds=[Review])]


def test_a_session_goes_on_with_what_another_process_restored_and_says_so(
    start: Start,
    store: Store,
    clock: SettableClock,
    tmp_path: Path,
    restore: Restore,
) -> None:
    session = start(plain_cards("a", "b", "c"))
    assert rate(session) == "a"
    store.backup_to(tmp_path / "backup.db")
    assert rate(session) == "b"
    session.advance()
    restore(tmp_path / "backup.db")
    session.reveal()
    session.rate(Rating.GOOD)
    assert reviewed(store.path, clock) == ["a", "c"]
    (notice,) = session.notices
    assert "1 rating of this session is missing" in notice
    assert session.summary().rated == 2
    assert session.advance().entry.id == "b"
    assert len(session.notices) == 1


def test_a_file_that_another_process_moved_over_the_history_is_the_history(
    start: Start, store: Store, clock: SettableClock, tmp_path: Path
) -> None:
    session = start(plain_cards("a", "b", "c"))
    assert rate(session) == "a"
    store.backup_to(tmp_path / "backup.db")
    assert rate(session) == "b"
    turn = session.advance()
    other_process("-c", MOVED_OVER, tmp_path / "backup.db", store.path)
    session.reveal()
    session.rate(Rating.GOOD)
    assert turn.entry.id == "c"
    assert reviewed(store.path, clock) == ["a", "c"]
    assert len(session.notices) == 1
    assert rate(session) == "b"
    assert reviewed(store.path, clock) == ["a", "c", "b"]


def test_a_damaged_history_stops_the_session_until_another_process_restored_it(
    start: Start,
    store: Store,
    clock: SettableClock,
    tmp_path: Path,
    restore: Restore,
) -> None:
    session = start(plain_cards("a", "b"))
    assert rate(session) == "a"
    store.backup_to(tmp_path / "backup.db")
    session.advance()
    session.reveal()
    inode = store.path.stat().st_ino
    store.path.write_bytes(b"\xff" * 8192)
    number = session.number
    with pytest.raises(StoreError, match="is damaged"):
        session.rate(Rating.GOOD)
    assert session.number == number
    restore(tmp_path / "backup.db")
    assert store.path.stat().st_ino != inode
    session.rate(Rating.GOOD)
    assert reviewed(store.path, clock) == ["a", "b"]


def test_the_card_in_progress_is_rated_by_what_the_restored_history_knows_of_it(
    start: Start,
    store: Store,
    clock: SettableClock,
    tmp_path: Path,
    restore: Restore,
) -> None:
    session = start({"number.md": NUMBER_CARD} | plain_cards("z"))
    store.record(Flag("number", on=False), at=clock(), day=clock().toordinal())
    store.backup_to(tmp_path / "backup.db")
    assert rate(session, Rating.AGAIN) == "number"
    clock.forward(minutes=11)
    assert session.advance().entry.id == "number"
    session.answer("7")
    restore(tmp_path / "backup.db")
    session.answer("0.25")
    session.reveal()
    rated = session.rate(session.suggestion())
    assert (rated.rating, rated.state.value) == (Rating.HARD, "new")


def test_where_no_history_is_left_the_session_refuses_and_makes_none(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start(plain_cards("a", "b"))
    rate(session)
    session.advance()
    moved = store.path.with_name("moved.db")
    store.path.rename(moved)
    shutil.rmtree(store.path.parent / "backups", ignore_errors=True)
    with pytest.raises(StoreError, match="was moved, replaced or deleted"):
        session.rate(Rating.GOOD)
    assert not store.path.exists()
    assert reviewed(moved, clock) == ["a"]
    moved.rename(store.path)
    session.rate(Rating.GOOD)
    assert reviewed(store.path, clock) == ["a", "b"]
    assert session.notices == []


def letter(path: Path) -> None:
    path.write_text("Dear all, " * 100)


def accounts(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE accounts (name)")
        other.commit()


@pytest.mark.parametrize("make", [letter, accounts])
def test_a_file_of_another_program_in_its_place_is_refused_and_left_alone(
    start: Start, store: Store, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    session = start(plain_cards("a", "b"))
    rate(session)
    turn = session.advance()
    foreign = tmp_path / "foreign"
    make(foreign)
    text = foreign.read_bytes()
    other_process("-c", MOVED_OVER, foreign, store.path)
    for _ in range(2):
        with pytest.raises(StoreError):
            session.rate(Rating.GOOD)
    assert store.path.read_bytes() == text
    assert session.turn is turn
    assert session.summary().rated == 1


def test_a_sync_that_renames_the_device_is_no_other_history(
    start: Start, store: Store, clock: SettableClock, tmp_path: Path
) -> None:
    session = start(plain_cards("a", "b"))
    rate(session)
    store.backup_to(tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db", clock(), backups=False) as copy:
        copy.record(Flag("a", on=True), at=clock(), day=clock().toordinal())
        ids = copy.log.hashes().keys() - store.log.hashes().keys()
        rows = copy.log.rows(ids)
    with Store.open(store.path, clock(), backups=False) as elsewhere:
        before = elsewhere.device
        elsewhere.take(rows, clock())
        assert elsewhere.device != before
    assert rate(session) == "b"
    assert session.notices == []
