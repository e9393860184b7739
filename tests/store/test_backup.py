import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timedelta, timezone
from importlib import import_module
from pathlib import Path

import pytest
from permissions import binding

from quizzer.store import Store, StoreError, backup, restore
from quizzer.values import Event, Flag, Rating, Reset, Review, State, study_day

NOW = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=1)))

NO_ROOM = """
import resource, signal, sys
from pathlib import Path
from quizzer.store import StoreError
from quizzer.store.backup import copy

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
try:
    copy(Path(sys.argv[1]), Path(sys.argv[2]))
except StoreError as error:
    print(error)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


def use(path: Path, now: datetime, card: str = "a") -> list[Event]:
    with Store.open(path, now) as store:
        assert store.warnings == []
        store.record(Flag(card, True), at=now, day=study_day(now))
        return store.events()


def events(path: Path) -> list[Event]:
    with Store.open(path, NOW, read_only=True) as store:
        assert store.check() == []
        return store.events()


def names(path: Path) -> list[str]:
    folder = path.parent / "backups" / path.name
    return sorted(file.name for file in folder.iterdir()) if folder.exists() else []


def test_the_first_opening_of_a_study_day_makes_a_copy(path: Path) -> None:
    first = use(path, NOW)
    assert names(path) == []
    use(path, NOW + timedelta(days=1))
    use(path, NOW + timedelta(days=1, hours=7))
    assert names(path) == ["history-2026-03-02.db"]
    assert events(path.parent / "backups" / path.name / "history-2026-03-02.db") == first


def test_ten_daily_copies_are_kept(path: Path) -> None:
    for day in range(15):
        use(path, NOW + timedelta(days=day))
    assert names(path) == [f"history-2026-03-{day:02}.db" for day in range(6, 16)]
    with Store.open(path, NOW, read_only=True) as store:
        assert [file.name for file in store.backups()] == names(path)


def test_copies_of_days_to_come_push_out_none_of_today(path: Path) -> None:
    """The clock was wrong for some days."""
    for day in range(12):
        use(path, NOW + timedelta(days=3650 + day))
    to_come = names(path)
    for day in (1, 2):
        with Store.open(path, NOW + timedelta(days=day)) as store:
            assert "clock" in store.warnings[0]
    assert names(path) == ["history-2026-03-02.db", "history-2026-03-03.db", *to_come]


def test_other_files_among_the_copies_are_left(path: Path) -> None:
    folder = path.parent / "backups" / path.name
    folder.mkdir(parents=True)
    kept = ["history-2020-01-01-format-1.db", "mine.db", "other-2020-01-01.db"]
    for name in kept:
        (folder / name).write_text("x")
    for day in range(13):
        use(path, NOW + timedelta(days=day))
    assert set(kept) < set(names(path))
    assert len(names(path)) == 13


def test_no_copy_is_made_of_an_empty_store_nor_without_leave(path: Path) -> None:
    Store.open(path, NOW).close()
    use(path, NOW)
    Store.open(path, NOW + timedelta(days=1), backups=False).close()
    assert names(path) == []


def test_a_copy_left_half_done_by_a_killed_process_is_made_anew(path: Path) -> None:
    first = use(path, NOW)
    folder = path.parent / "backups" / path.name
    folder.mkdir(parents=True)
    (folder / "history-2026-03-02.db.4711.partial").write_text("half")
    use(path, NOW + timedelta(days=1))
    assert names(path) == ["history-2026-03-02.db"]
    assert events(folder / "history-2026-03-02.db") == first


def test_a_copy_that_cannot_be_made_is_told_and_does_not_stop_the_day(path: Path) -> None:
    use(path, NOW)
    (path.parent / "backups").write_text("a file where the folder should be")
    with Store.open(path, NOW + timedelta(days=1)) as store:
        (warning,) = store.warnings
        assert warning.startswith("No backup was made today.")
        store.record(Flag("b", True), at=NOW, day=study_day(NOW))


def test_a_store_is_copied_to_a_file_of_the_learners_choice(path: Path, tmp_path: Path) -> None:
    first = use(path, NOW)
    target = tmp_path / "stick" / "copy.db"
    with Store.open(path, NOW, read_only=True) as store:
        store.backup_to(target)
    assert events(target) == first


def test_a_copy_for_which_there_is_no_room_names_its_place_and_leaves_nothing(
    path: Path, tmp_path: Path
) -> None:
    """The disk of the history is another one than the stick that is full."""
    use(path, NOW)
    stick = tmp_path / "stick"
    ran = subprocess.run(
        [sys.executable, "-c", NO_ROOM, path, stick / "mine.db"], capture_output=True, text=True
    )
    assert ran.stderr == ""
    assert ran.stdout.startswith(f"{stick / 'mine.db'} ")
    assert "full" in ran.stdout
    assert list(stick.iterdir()) == []


def test_a_copy_is_never_written_over_a_file(path: Path, tmp_path: Path) -> None:
    use(path, NOW)
    target = tmp_path / "copy.db"
    target.write_text("mine")
    with Store.open(path, NOW) as store, pytest.raises(StoreError, match="already there"):
        store.backup_to(target)
    assert target.read_text() == "mine"


def test_restoring_puts_a_backup_back_and_keeps_what_stood_there(path: Path) -> None:
    first = use(path, NOW)
    second = use(path, NOW + timedelta(days=1), "b")
    kept = restore(path, path.parent / "backups" / path.name / "history-2026-03-02.db", NOW).kept
    assert kept is not None
    assert kept.name == "history-2026-03-01-before-restore.db"
    assert events(path) == first
    assert events(kept) == second


def test_after_restoring_the_log_goes_on_under_another_device(path: Path) -> None:
    first = use(path, NOW)
    use(path, NOW + timedelta(days=1), "b")
    restore(path, path.parent / "backups" / path.name / "history-2026-03-02.db", NOW)
    last = use(path, NOW + timedelta(days=1), "c")[-1]
    assert last.device != first[0].device
    assert len(events(path)) == 2


def test_a_backup_whose_memory_does_not_follow_from_its_history_is_restored_with_one_that_does(
    path: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.db"
    with Store.open(path, NOW) as store:
        store.record(Review("a", Rating.GOOD, 3, State.NEW), at=NOW, day=study_day(NOW))
        expected = store.progress()
        store.backup_to(kept)
    with sqlite3.connect(kept) as raw:
        raw.execute("UPDATE memory SET lapses = 7")
    raw.close()
    restore(path, kept, NOW)
    with Store.open(path, NOW) as store:
        assert store.progress() == expected
        assert store.check() == []


def test_a_restore_tells_how_many_events_it_has_looked_at(path: Path, tmp_path: Path) -> None:
    use(path, NOW)
    use(path, NOW, card="b")
    with Store.open(path, NOW) as store:
        store.backup_to(tmp_path / "kept.db")
    told: list[tuple[int, int]] = []
    restore(path, tmp_path / "kept.db", NOW, step=lambda *done: told.append(done))
    assert told == [(2, 2)]


def test_an_empty_file_is_no_backup_to_put_back(path: Path, tmp_path: Path) -> None:
    first = use(path, NOW)
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match=r"empty\.db is damaged: it is empty"):
        restore(path, tmp_path / "empty.db", NOW)
    assert events(path) == first


def test_restoring_twice_on_a_day_keeps_both(path: Path) -> None:
    use(path, NOW)
    use(path, NOW + timedelta(days=1), "b")
    source = path.parent / "backups" / path.name / "history-2026-03-02.db"
    assert restore(path, source, NOW).kept != restore(path, source, NOW).kept


def test_a_session_goes_on_after_another_process_restored(path: Path) -> None:
    first = use(path, NOW)
    use(path, NOW + timedelta(days=1), "b")
    with Store.open(path, NOW + timedelta(days=1)) as store:
        restore(path, path.parent / "backups" / path.name / "history-2026-03-02.db", NOW)
        (added,) = store.record(Flag("c", True), at=NOW, day=study_day(NOW))
    assert events(path) == [*first, added]


@pytest.mark.parametrize("wreck", [b"no database at all", b""])
def test_a_store_beyond_reading_is_kept_byte_by_byte_and_replaced(path: Path, wreck: bytes) -> None:
    first = use(path, NOW)
    use(path, NOW + timedelta(days=1), "b")
    path.write_bytes(wreck)
    kept = restore(path, path.parent / "backups" / path.name / "history-2026-03-02.db", NOW).kept
    assert events(path) == first
    assert kept is not None
    assert not wreck or kept.read_bytes() == wreck


RESTORER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from quizzer.store import restore

restore(Path(sys.argv[1]), Path(sys.argv[2]), datetime(2026, 3, 1, 20, tzinfo=UTC))
"""


def test_of_two_backups_put_back_at_once_the_later_one_stands_whole(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = use(path, NOW)
    backup.copy(path, tmp_path / "first.db")
    use(path, NOW, "b")
    backup.copy(path, tmp_path / "second.db")
    restoring = import_module("quizzer.store.restore")
    real = restoring._copy
    other = []

    def copied(source: Path, staged: Path, named: Path) -> None:
        """Another process does it all after the first backup was made ready to be put back."""
        real(source, staged, named)
        arguments = [str(path), str(tmp_path / "second.db")]
        other.append(subprocess.run([sys.executable, "-c", RESTORER, *arguments], check=True))

    monkeypatch.setattr(restoring, "_copy", copied)
    restore(path, tmp_path / "first.db", NOW)
    assert other and events(path) == first


def test_of_a_backup_that_another_program_opened_all_is_put_back(
    path: Path, tmp_path: Path
) -> None:
    """Browsers of databases may leave the newest pages in a file of their own."""
    use(path, NOW)
    backup.copy(path, tmp_path / "seen.db")
    expected = use(path, NOW, "b")
    with closing(sqlite3.connect(tmp_path / "seen.db", isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("ATTACH ? AS whole", (str(path),))
        for table in ("events", "memory", "meta"):
            newer = f"SELECT * FROM whole.{table} EXCEPT SELECT * FROM main.{table}"
            other.execute(f"INSERT OR REPLACE INTO main.{table} {newer}")
        other.execute("DETACH whole")
        assert (tmp_path / "seen.db-wal").stat().st_size
        path.unlink()
        restore(path, tmp_path / "seen.db", NOW)
    assert events(path) == expected


@pytest.mark.parametrize("readable", [True, False])
def test_a_history_that_a_link_leads_to_stays_where_it_is(
    path: Path, tmp_path: Path, readable: bool
) -> None:
    disk = tmp_path / "disk" / "mine.db"
    disk.parent.mkdir()
    first = use(disk, NOW)
    path.symlink_to(disk)
    backup.copy(disk, tmp_path / "copy.db")
    if not readable:
        disk.write_bytes(b"no database at all")
    kept = restore(path, tmp_path / "copy.db", NOW).kept
    assert path.is_symlink() and events(disk) == first
    assert kept and kept.parent == path.parent / "backups" / path.name


@pytest.mark.parametrize("target", ["usb/h.db", "history.db"])
def test_nothing_is_put_in_the_place_of_a_link_that_leads_nowhere(
    path: Path, tmp_path: Path, target: str
) -> None:
    use(tmp_path / "copy.db", NOW)
    path.symlink_to(tmp_path / target)
    with pytest.raises(StoreError, match="not there"):
        restore(path, tmp_path / "copy.db", NOW)
    assert path.is_symlink()


def test_a_backup_is_put_back_in_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff?#%41"), "history.db")
    first = use(odd, NOW)
    backup.copy(odd, tmp_path / "copy.db")
    use(odd, NOW, "b")
    assert restore(odd, tmp_path / "copy.db", NOW).kept
    assert events(odd) == first


def test_what_cannot_be_put_back_for_its_place_is_told_as_such(path: Path, tmp_path: Path) -> None:
    use(path, NOW)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="Not a directory"):
        restore(tmp_path / "file" / "history.db", path, NOW)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    with binding(), pytest.raises(StoreError, match="Permission denied"):
        restore(closed / "history.db", path, NOW)


def test_restoring_where_nothing_stood_keeps_nothing(path: Path, tmp_path: Path) -> None:
    first = use(path, NOW)
    fresh = tmp_path / "elsewhere" / "history.db"
    assert restore(fresh, path, NOW).kept is None
    assert events(fresh) == first


def test_a_journal_left_of_a_store_that_is_gone_is_kept_from_the_one_restored(
    path: Path, tmp_path: Path
) -> None:
    """SQLite would take back in the restored store what a killed process did in the other one."""
    first = use(path, NOW)
    journal = path.with_name("history.db-journal")
    old = sqlite3.connect(path, isolation_level=None)
    for statement in (
        "CREATE TABLE ballast (text TEXT)",
        "INSERT INTO ballast VALUES (zeroblob(200000))",
        "PRAGMA cache_size=2",
        "BEGIN IMMEDIATE",
        "UPDATE ballast SET text = randomblob(300000)",
    ):
        old.execute(statement)
    half_done = journal.read_bytes()
    old.close()
    source = tmp_path / "elsewhere.db"
    use(source, NOW)
    path.unlink()
    journal.write_bytes(half_done)
    restore(path, source, NOW)
    assert events(path) == events(source) != first
    kept = path.parent / "backups" / path.name / "history-2026-03-01-before-restore.db-journal"
    assert kept.read_bytes() == half_done


@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_that_is_gone_while_its_copies_stand_is_not_begun_anew(
    path: Path, read_only: bool
) -> None:
    """A new one's copies would in ten days push out all that is left of the old one."""
    for day in range(2):
        use(path, NOW + timedelta(days=day))
    path.unlink()
    with pytest.raises(StoreError, match=r"is gone, yet backups of it exist.*restore FILE"):
        Store.open(path, NOW + timedelta(days=2), read_only=read_only)
    assert not path.exists()
    assert (
        restore(path, path.parent / "backups" / path.name / "history-2026-03-02.db", NOW).kept
        is None
    )
    assert len(events(path)) == 1


def test_where_the_copies_were_moved_away_a_store_begins_anew(path: Path, tmp_path: Path) -> None:
    for day in range(2):
        use(path, NOW + timedelta(days=day))
    path.unlink()
    (path.parent / "backups").rename(tmp_path / "old")
    assert len(use(path, NOW + timedelta(days=2))) == 1


def test_a_damaged_or_missing_backup_is_not_restored(path: Path, tmp_path: Path) -> None:
    first = use(path, NOW)
    wreck = tmp_path / "wreck.db"
    wreck.write_bytes(path.read_bytes()[:5000])
    for source in (wreck, tmp_path / "missing.db", path):
        with pytest.raises(StoreError):
            restore(path, source, NOW)
    assert events(path) == first
    assert names(path) == []


def test_undo_takes_back_ratings_of_this_device_only(path: Path, tmp_path: Path) -> None:
    def rate(card: str) -> None:
        with Store.open(path, NOW) as store:
            review = Review(card, Rating.GOOD, 3, State.NEW)
            store.record(review, at=NOW, day=study_day(NOW))

    rate("of the other device")
    copy = tmp_path / "copy.db"
    with Store.open(path, NOW) as store:
        store.backup_to(copy)
    restore(path, copy, NOW)
    rate("of this device")
    with Store.open(path, NOW) as store:
        undone = store.undo(NOW, study_day(NOW))
        assert undone
        assert undone.fact.card == "of this device"
        assert store.undo(NOW, study_day(NOW)) is None
        assert store.progress_of("of the other device").memory


def test_a_rating_that_a_reset_made_moot_is_not_undone(path: Path) -> None:
    day = study_day(NOW)
    with Store.open(path, NOW) as store:
        for fact in (
            Review("a", Rating.GOOD, 3, State.NEW),
            Review("b", Rating.GOOD, 3, State.NEW),
            Reset("b"),
        ):
            store.record(fact, at=NOW, day=day)
        undone = store.undo(NOW, day)
        assert undone
        assert undone.fact.card == "a"


def test_what_is_recorded_after_a_restore_belongs_to_the_new_device(path: Path) -> None:
    use(path, NOW)
    use(path, NOW + timedelta(days=1), "b")
    with Store.open(path, NOW + timedelta(days=1)) as running:
        restore(path, path.parent / "backups" / path.name / "history-2026-03-02.db", NOW)
        running.record(Flag("c", True), at=NOW, day=study_day(NOW))
        first, last = running.events()
    assert last.device != first.device
