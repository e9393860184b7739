"""What no crash test would miss for sure is asserted directly: pragmas, flushes, rights, locks."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
from rows import stored_rows

from quizzer.files import replace, write_new, write_private
from quizzer.store import Store, StoreError, backup, files, restore
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreBusyError, StoreDamagedError, StoreUnusableError
from quizzer.values import Flag, Rating, Review, State

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
DAY = NOW.toordinal()


def rate(store: Store, card: str) -> str:
    (event,) = store.record(Review(card, Rating.GOOD, 1, State.REVIEW), at=NOW, day=DAY)
    return event.id


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("synchronous", 3), ("recursive_triggers", 1), ("fullfsync", 1), ("trusted_schema", 0),
     ("journal_mode", "delete")],
)  # fmt: skip
def test_a_writer_is_opened_so_that_a_commit_is_on_the_disk(
    tmp_path: Path, pragma: str, value: object
) -> None:
    Store.open(tmp_path / "h.db", NOW).close()
    with closing(Connection.to_file(tmp_path / "h.db", write=True)) as connection:
        assert connection.read(f"PRAGMA {pragma}") == [(value,)]


@pytest.mark.parametrize(("pragma", "value"), [("query_only", 1), ("trusted_schema", 0)])
def test_a_reader_writes_nothing(tmp_path: Path, pragma: str, value: object) -> None:
    Store.open(tmp_path / "h.db", NOW).close()
    with closing(Connection.to_file(tmp_path / "h.db", write=False)) as connection:
        assert connection.read(f"PRAGMA {pragma}") == [(value,)]


def test_what_is_read_in_a_snapshot_is_one_state(tmp_path: Path) -> None:
    with Store.open(tmp_path / "h.db", NOW, patience=0.1) as store:
        rate(store, "a")
        with closing(Connection.to_file(tmp_path / "h.db", write=False)) as reader:
            with reader.snapshot():
                before = reader.read("SELECT id FROM events")
                with pytest.raises(StoreBusyError):
                    rate(store, "b")
                assert reader.read("SELECT id FROM events") == before
            rate(store, "b")
            assert len(reader.read("SELECT id FROM events")) == 2


def test_a_strangers_file_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quizzer.store.connection.DEADLINE", -1.0)
    with closing(Connection.to_file(tmp_path / "s.db", write=True, stranger=True)) as stranger:
        with pytest.raises(StoreError):
            stranger.read("SELECT length(hex(zeroblob(9999999)))")
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        with pytest.raises(StoreDamagedError, match="takes too long"):
            stranger.read(f"{endless} SELECT COUNT(*) FROM n")


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is flushed: files and folders, in their order."""
    found: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        found.append("folder" if is_folder else "file")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def test_a_text_that_replaces_another_is_flushed_and_so_is_its_folder(
    tmp_path: Path, flushed: list[str]
) -> None:
    replace(tmp_path / "new" / "config.toml", b"one")
    replace(tmp_path / "new" / "config.toml", b"two")
    assert flushed == ["file", "folder"] * 2
    assert [file.read_text() for file in (tmp_path / "new").iterdir()] == ["two"]


def test_a_new_file_is_flushed_and_so_is_its_folder(tmp_path: Path, flushed: list[str]) -> None:
    write_new(tmp_path / "log", b"x")
    assert flushed == ["file", "folder"]


def test_what_only_this_program_reads_is_flushed_unless_it_can_be_made_again(
    tmp_path: Path, flushed: list[str]
) -> None:
    write_private(tmp_path / "trusted", b"x")
    assert flushed == ["file", "folder"]
    write_private(tmp_path / "cache", b"x", durable=False)
    assert flushed == ["file", "folder"]


def test_a_copy_is_flushed_with_its_folder(tmp_path: Path, flushed: list[str]) -> None:
    Store.open(tmp_path / "h.db", NOW).close()
    backup.copy(tmp_path / "h.db", tmp_path / "copy.db")
    assert flushed == ["folder"], "SQLite itself flushes the file"


def test_what_is_made_may_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "h.db"
    old = os.umask(0o022)
    try:
        for day in range(2):
            at = NOW + timedelta(days=day)
            with Store.open(path, at) as store:
                rate(store, "a")
        write_new(path.parent / "log", b"x")
    finally:
        os.umask(old)
    made = [path.parent, *path.parent.rglob("*")]
    modes = {file: stat.S_IMODE(file.stat().st_mode) for file in made}
    assert len(made) == 6
    assert {mode for file, mode in modes.items() if file.is_dir()} == {0o700}
    assert {mode for file, mode in modes.items() if file.is_file()} == {0o600}


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Store.open(tmp_path / "h.db", NOW).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_what_killed_processes_left_half_written_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        rate(store, "a")
    old = NOW.timestamp() - 10**8
    left = [tmp_path / f"copy.db.{n}.partial{end}" for n in (1, 22) for end in ("", "-journal")]
    for file in left:
        file.write_text("half")
        os.utime(file, (old, old))
    at_work = tmp_path / "copy.db.333.partial"
    at_work.write_text("half")
    other = tmp_path / "other.db.1.partial"
    other.write_text("half")
    mine = tmp_path / "copy.db.2024.partial results.txt"
    mine.write_text("the learner's own")
    os.utime(mine, (old, old))
    backup.copy(path, tmp_path / "copy.db")
    assert not any(file.exists() for file in left)
    assert at_work.exists() and other.exists() and mine.exists()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_link_to_a_disk_that_is_not_connected_is_no_new_history(
    tmp_path: Path, read_only: bool
) -> None:
    link = tmp_path / "h.db"
    link.symlink_to(tmp_path / "usb" / "h.db")
    with pytest.raises(StoreUnusableError, match=r"usb/h\.db, which is not there.*Connect"):
        Store.open(link, NOW, read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_pipe_is_no_history(tmp_path: Path, read_only: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreUnusableError, match="is a pipe or a device"):
        Store.open(tmp_path / "pipe", NOW, read_only=read_only)


def test_two_stores_of_one_stem_have_backups_of_their_own(tmp_path: Path) -> None:
    for name in ("h.db", "h.sqlite"):
        for day in range(2):
            with Store.open(tmp_path / name, NOW + timedelta(days=day)) as store:
                rate(store, name)
    for name in ("h.db", "h.sqlite"):
        (copy,) = files.listed(tmp_path / name)
        with Store.open(copy, NOW, read_only=True) as store:
            assert {event.fact.card for event in store.events()} == {name}


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from quizzer.values import Rating, Review, State
from quizzer.files import replace, write_new, write_private
from quizzer.store import Store, StoreError

now = datetime(2026, 11, 20, 9, tzinfo=UTC)
with Store.open(Path(sys.argv[1]), now, backups=False) as store:
    print("open", flush=True)
    while True:
        try:
            review = Review("b", Rating.GOOD, 1, State.REVIEW)
            (event,) = store.record(review, at=now, day=now.toordinal())
        except StoreError:
            break
        print(event.id, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("damaged", [False, True])
def test_what_another_process_acknowledged_while_a_backup_is_put_back_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    """The gap between copy and exchange is held open until the other process has had its turn."""
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        rate(store, "a")
        store.backup_to(tmp_path / "copy.db")
    if damaged:
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("PRAGMA writable_schema=ON")
            raw.execute("DELETE FROM sqlite_master WHERE name = 'events_by_card'")
            raw.commit()
    name = "keep_as_is" if damaged else "aside"
    real = getattr(backup, name)

    def slowly(*arguments: object) -> Path:
        kept: Path = real(*arguments)
        threading.Event().wait(0.5)  # far longer than a rating takes
        return kept

    monkeypatch.setattr(backup, name, slowly)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        heard = [writer.stdout.readline() for _ in range(5)]
        kept = restore(path, tmp_path / "copy.db", NOW).kept
        writer.kill()
        heard += writer.stdout.read().splitlines(keepends=True)
    acknowledged = {line.strip() for line in heard if line.endswith("\n")} - {"open"}
    assert kept and len(acknowledged) > 3
    with closing(sqlite3.connect(path)) as new, closing(sqlite3.connect(kept)) as old:
        there = {row.id for raw in (new, old) for row in stored_rows(raw)}
    assert acknowledged <= there


RESTORER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from quizzer.store import restore

restore(Path(sys.argv[1]), Path(sys.argv[2]), datetime(2026, 11, 20, 9, tzinfo=UTC))
"""


def test_two_backups_that_are_put_back_at_once_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process puts another backup back while this one has its own ready."""
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        rate(store, "a")
        store.backup_to(tmp_path / "one.db")
        rate(store, "b")
        store.backup_to(tmp_path / "two.db")
    restoring = import_module("quizzer.store.restore")
    real = restoring._exchange

    def after_another(*arguments: object) -> object:
        other = [sys.executable, "-c", RESTORER, str(path), str(tmp_path / "two.db")]
        subprocess.run(other, check=True)
        return real(*arguments)

    monkeypatch.setattr(restoring, "_exchange", after_another)
    assert restore(path, tmp_path / "one.db", NOW).kept
    with Store.open(path, NOW, read_only=True) as store:
        assert [event.fact.card for event in store.events()] == ["a"]
        assert store.check() == []
    assert not [file for file in tmp_path.iterdir() if "restoring" in file.name]


TELLING = """
import sys
from pathlib import Path
from quizzer.store.connection import Connection

real = Connection.copy_to
def told(self, target, named=None):
    if target.path == Path(sys.argv[1]):
        print("exchanging", flush=True)
    real(self, target, named)
Connection.copy_to = told
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
@pytest.mark.parametrize("wait", [0.0, 0.001, 0.002, 0.004, 0.008])
def test_a_restore_that_is_killed_leaves_one_history_or_the_other(
    tmp_path: Path, wait: float
) -> None:
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        store.record(*(Flag(f"card-{n}", True) for n in range(2000)), at=NOW, day=DAY)
        store.backup_to(tmp_path / "copy.db")
        rate(store, "later")
    command = [sys.executable, "-c", TELLING + RESTORER, str(path), str(tmp_path / "copy.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as restorer:
        assert restorer.stdout and restorer.stdout.readline() == "exchanging\n"
        threading.Event().wait(wait)
        restorer.kill()
    with Store.open(path, NOW, backups=False) as store:
        assert store.check() == []
        assert store.size in (2000, 2001)
    (kept,) = files.backups(path).glob("*-before-restore.db")
    with Store.open(kept, NOW, read_only=True) as store:
        assert (store.size, store.check()) == (2001, [])


@pytest.mark.slow
def test_a_page_may_hold_anything_and_a_rating_is_saved_or_refused_in_words(
    tmp_path: Path,
) -> None:
    """Swapped pages: texts where numbers are expected."""
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        for number in range(200):
            store.record(Flag(f"card-{number}", True), at=NOW, day=DAY)
    whole = path.read_bytes()
    size = 4096
    pages = len(whole) // size
    for one in range(1, pages, 3):
        for other in range(one + 1, pages, 5):
            data = bytearray(whole)
            data[one * size : (one + 1) * size] = whole[other * size : (other + 1) * size]
            data[other * size : (other + 1) * size] = whole[one * size : (one + 1) * size]
            path.write_bytes(data)
            for late in (0, 1):
                try:
                    with Store.open(path, NOW + timedelta(days=late)) as store:
                        assert store.check()
                        rate(store, "a")
                except StoreError:
                    pass
            path.write_bytes(whole)


def test_an_id_of_another_type_is_damage_and_nothing_is_added(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        rate(store, "a")
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("DROP TRIGGER events_are_never_changed")
            raw.execute("UPDATE events SET id = x'ff'")
            raw.commit()
        with pytest.raises(StoreError):
            rate(store, "a")


def test_columns_of_other_types_are_damage_and_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    with Store.open(path, NOW) as store:
        rate(store, "a")
        rate(store, "b")
    whole = path.read_bytes()
    for column in ("device", "after", "at_ms", "offset_min", "day", "kind", "card", "body", "hash"):
        for value in ("'x'", "1", "1.5", "x'ff'", "CAST(x'ff' AS TEXT)", "9223372036854775807"):
            with closing(sqlite3.connect(path)) as raw:
                raw.execute("DROP TRIGGER events_are_never_changed")
                raw.execute(f"UPDATE events SET {column} = {value}")
                raw.commit()
            late = NOW + timedelta(days=1)
            with pytest.raises(StoreError), Store.open(path, late, damaged=True) as store:
                assert store.check()
                raise StoreUnusableError("told by check")
            path.write_bytes(whole)
