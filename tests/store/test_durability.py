"""What survives: killed processes, two at once, full disks, flipped bits, older and newer files."""

import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from rows import insert, literal, stored_rows

from quizzer.store import Store, StoreError
from quizzer.store.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreForeignError,
    StoreTooNewError,
    StoreUnusableError,
)
from quizzer.store.integrity import hashed
from quizzer.store.schema import FORMAT
from quizzer.values import Event, Flag, Rating, Review, State, study_day

NOW = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=1)))
DAY = study_day(NOW)

WRITER = """
import sys
from datetime import datetime, timedelta
from pathlib import Path
from quizzer.values import Rating, Review, State, study_day
from quizzer.store import Store

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
now = datetime.fromisoformat("2026-03-01T20:00:00+01:00")
with Store.open(path, now) as store:
    for n in range(count):
        at = now + timedelta(minutes=n)
        card = f"{name}-{n % 7}"
        rating = list(Rating)[n % 4]
        (event,) = store.record(
            Review(card, rating, n % 5, State.REVIEW), at=at, day=study_day(at)
        )
        print(event.id, flush=True)
        if n % 11 == 10:
            store.undo(at, study_day(at))
"""

HOLDER = """
import sqlite3, sys
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("BEGIN IMMEDIATE")
print("holding", flush=True)
sys.stdin.readline()
raw.execute("COMMIT")
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def filled(path: Path, count: int = 20, now: datetime = NOW) -> list[Event]:
    with Store.open(path, now) as store:
        facts = [
            Review(f"card-{n % 4}", Rating.GOOD, n % 3, State.REVIEW, path=f"/deck/{n}.md")
            for n in range(count)
        ]
        store.record(*facts, at=now, day=study_day(now))
        return store.events()


def altered(path: Path, *statements: str) -> None:
    """Change the file behind quizzer's back, without the triggers."""
    with closing(sqlite3.connect(path)) as raw:
        for (trigger,) in raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            raw.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            raw.execute(statement)
        raw.commit()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_every_acknowledged_rating_survives_a_killed_process(path: Path, seed: int) -> None:
    random = Random(seed)
    writers = [start(WRITER, path, name, 1000) for name in ("a", "b")[: 1 + seed % 2]]
    stop_after = random.randint(1, 120)
    acknowledged = []
    for _ in range(stop_after):
        assert writers[0].stdout is not None
        acknowledged.append(writers[0].stdout.readline().strip())
    time.sleep(random.random() / 100)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    for writer in writers:
        rest, _ = writer.communicate()
        acknowledged += [line for line in rest.split("\n")[:-1] if line]
    with Store.open(path, NOW, read_only=True) as store:
        assert set(acknowledged) <= {event.id for event in store.events()}
        assert len(acknowledged) >= stop_after
        assert store.check() == []
    with Store.open(path, NOW) as store:
        store.record(Flag("a", True), at=NOW, day=DAY)
        assert store.check() == []


def test_two_processes_create_and_write_one_store(path: Path) -> None:
    writers = [start(WRITER, path, name, 60) for name in ("a", "b")]
    told = [writer.communicate() for writer in writers]
    assert [errors for _, errors in told] == ["", ""]
    acknowledged = {line for out, _ in told for line in out.split()}
    assert len(acknowledged) == 120
    with Store.open(path, NOW, read_only=True) as store:
        events = store.events()
        assert acknowledged <= {event.id for event in events}
        assert len({event.after for event in events}) == len(events)
        assert len({event.device for event in events}) == 1
        assert store.check() == []


def test_the_second_process_waits_and_says_so_once(path: Path) -> None:
    filled(path)
    holder = start(HOLDER, path)
    assert holder.stdout is not None and holder.stdout.readline() == "holding\n"
    told = []

    def let_go() -> None:
        told.append("waiting")
        assert holder.stdin is not None
        holder.stdin.write("\n")
        holder.stdin.flush()

    with Store.open(path, NOW, on_wait=let_go, backups=False) as store:
        store.record(Flag("a", True), at=NOW, day=DAY)
        assert store.progress_of("a").flagged
    holder.communicate()
    assert told == ["waiting"]


def test_patience_ends_with_a_sentence_and_nothing_recorded(path: Path) -> None:
    events = filled(path)
    holder = start(HOLDER, path)
    assert holder.stdout is not None and holder.stdout.readline() == "holding\n"
    with Store.open(path, NOW, backups=False, patience=0.2) as store:
        with pytest.raises(StoreBusyError, match="Another quizzer"):
            store.record(Flag("a", True), at=NOW, day=DAY)
        holder.communicate("\n")
        assert store.events() == events
        store.record(Flag("a", True), at=NOW, day=DAY)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_the_process_that_is_waited_for_in_vain_is_named(path: Path) -> None:
    filled(path)
    holder = start(HOLDER, path)
    assert holder.stdout is not None and holder.stdout.readline() == "holding\n"
    said = rf"quizzer \(process {holder.pid}\) has been"
    with (
        Store.open(path, NOW, backups=False, patience=0.2) as store,
        pytest.raises(StoreBusyError, match=said),
    ):
        store.record(Flag("a", True), at=NOW, day=DAY)
    holder.communicate("\n")


def test_a_reader_does_not_wait_for_a_writer(path: Path) -> None:
    events = filled(path)
    holder = start(HOLDER, path)
    assert holder.stdout is not None and holder.stdout.readline() == "holding\n"
    with Store.open(path, NOW, read_only=True, patience=0.0) as store:
        assert store.events() == events
    holder.communicate("\n")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET card = 'x'",
        "DELETE FROM events",
        "INSERT OR REPLACE INTO events SELECT * FROM events LIMIT 1",
        "INSERT OR IGNORE INTO events SELECT * FROM events",
    ],
)
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
def test_events_cannot_be_changed_or_removed(path: Path, statement: str, recursive: str) -> None:
    events = filled(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(f"PRAGMA recursive_triggers={recursive}")
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            raw.execute(statement)
    with Store.open(path, NOW, read_only=True) as store:
        assert store.events() == events
        assert store.check() == []


ADD_COLUMN = ("ALTER TABLE events ADD COLUMN note TEXT", "CREATE TABLE extra (n INTEGER)")

MIGRATOR = """
import os, signal, sys
from datetime import datetime
from pathlib import Path
from quizzer.store import Store
from quizzer.store.connection import Connection
from quizzer.store.integrity import hashed
from quizzer.store.schema import FORMAT

stop_before = int(sys.argv[2])
now = datetime.fromisoformat("2026-03-01T20:00:00+01:00")
written = Connection.write
count = 0

def write(self, sql, *rows):
    global count
    if self.path == Path(sys.argv[1]):
        if count == stop_before:
            os.kill(os.getpid(), signal.SIGKILL)
        count += 1
    written(self, sql, *rows)

Connection.write = write
step = ("ALTER TABLE events ADD COLUMN note TEXT", "CREATE TABLE extra (n INTEGER)")
Store.open(Path(sys.argv[1]), now, steps=(step,)).close()
print("done")
"""


@pytest.mark.parametrize("statements", range(4))
def test_a_migration_killed_half_way_is_done_whole_or_not_at_all(
    path: Path, statements: int
) -> None:
    events = filled(path)
    out, _ = start(MIGRATOR, path, statements).communicate()
    assert ("done" in out) == (statements == 3)
    with closing(sqlite3.connect(path)) as raw:
        (version,) = raw.execute("PRAGMA user_version").fetchone()
        columns = [row[1] for row in raw.execute("PRAGMA table_info(events)").fetchall()]
    assert version == FORMAT + (statements == 3)
    assert ("note" in columns) == (version > FORMAT)
    with Store.open(path, NOW, steps=(ADD_COLUMN,)) as store:
        assert store.events() == events
        store.record(Flag("a", True), at=NOW, day=DAY)


def test_a_store_killed_while_it_is_made_is_made_at_the_next_opening(path: Path) -> None:
    out, _ = start(MIGRATOR, path, 3).communicate()
    assert "done" not in out
    assert len(filled(path)) == 20


def test_a_backup_is_made_before_a_migration(path: Path) -> None:
    events = filled(path)
    Store.open(path, NOW, steps=(ADD_COLUMN,), backups=False).close()
    (copy,) = (path.parent / "backups" / path.name).iterdir()
    assert copy.name == f"history-2026-03-01-format-{FORMAT}.db"
    with Store.open(copy, NOW, read_only=True) as store:
        assert store.events() == events
        assert store.check() == []


def test_a_reader_of_an_older_store_sees_it_as_a_newer_one_and_leaves_it(path: Path) -> None:
    events = filled(path)
    before = path.read_bytes()
    with Store.open(path, NOW, read_only=True, steps=(ADD_COLUMN,)) as store:
        assert store.events() == events
    assert path.read_bytes() == before
    assert not (path.parent / "backups").exists()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_of_a_newer_quizzer_is_refused(path: Path, read_only: bool) -> None:
    filled(path)
    Store.open(path, NOW, steps=(ADD_COLUMN,)).close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNewError, match=r"newer quizzer.*Nothing was changed.*Update"):
        Store.open(path, NOW, read_only=read_only)
    assert path.read_bytes() == before


ADD_TABLE = ("CREATE TABLE badges (card TEXT)",)


@pytest.mark.parametrize("stale", [False, True])
def test_a_reader_who_asks_for_it_is_let_into_a_newer_store_that_holds_all_that_is_read(
    path: Path, stale: bool
) -> None:
    filled(path)
    with Store.open(path, NOW, steps=(ADD_COLUMN, ADD_TABLE)) as store:
        events, progress = store.events(), store.progress()
    if stale:
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("UPDATE meta SET content = 'of a newer fold' WHERE name = 'fold'")
            raw.commit()
    before = path.read_bytes()
    with Store.open(path, NOW, read_only=True, newer=True) as store:
        assert (store.events(), store.progress()) == (events, progress)
        assert "written by a newer quizzer" in store.warnings[0]
        with pytest.raises(StoreError):
            store.record(Flag("a", True), at=NOW, day=DAY)
    with pytest.raises(StoreTooNewError):
        Store.open(path, NOW, newer=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "step",
    [
        "ALTER TABLE memory RENAME TO memories",
        "ALTER TABLE memory RENAME COLUMN due_in TO days",
        "ALTER TABLE events RENAME COLUMN body TO said",
        "UPDATE memory SET state = 'dreaming'",
    ],
)
def test_a_newer_store_that_lacks_what_is_read_lets_no_reader_in(path: Path, step: str) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(step)
        raw.execute("PRAGMA user_version = 99")
        raw.commit()
    with pytest.raises(StoreTooNewError):
        Store.open(path, NOW, read_only=True, newer=True)


def test_a_newer_store_with_other_hashes_lets_no_reader_in(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as raw:
        newest = stored_rows(raw)[-1]
        insert(raw, newest._replace(id="ef" + newest.id[2:], hash="0" * 64))
        raw.execute("PRAGMA user_version = 99")
        raw.commit()
    with pytest.raises(StoreTooNewError):
        Store.open(path, NOW, read_only=True, newer=True)


def test_a_session_does_not_write_to_a_store_that_another_process_migrated(path: Path) -> None:
    filled(path)
    with Store.open(path, NOW) as store:
        Store.open(path, NOW, steps=(ADD_COLUMN,)).close()
        with pytest.raises(StoreTooNewError):
            store.record(Flag("a", True), at=NOW, day=DAY)


def test_an_event_of_a_kind_that_only_a_newer_quizzer_knows_is_kept_and_ignored(
    path: Path,
) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as raw:
        newest = stored_rows(raw)[-1]
        row = newest._replace(
            id="ef" + newest.id[2:], after=newest.id, kind="badge", body='{"of":"gold"}'
        )
        row = hashed(row)
        insert(raw, row)
    with Store.open(path, NOW) as store:
        before = store.progress()
        assert len(store.events()) == 20
        store.record(Flag("a", True), at=NOW, day=DAY)
        store.rebuild()
        assert {c: p for c, p in store.progress().items() if c != "a"} == before
        assert store.check() == []
        assert '"badge"' in [*store.lines()][20]
        assert store.events()[-1].after == row.id


@pytest.mark.parametrize("read_only", [True, False])
def test_a_newest_event_that_was_changed_is_refused(path: Path, read_only: bool) -> None:
    events = filled(path)
    newest = literal(events[-1].id)
    altered(path, f"UPDATE events SET body = replace(body, 'deck', 'desk') WHERE id = {newest}")
    before = path.read_bytes()
    with pytest.raises(StoreDamagedError) as caught:
        Store.open(path, NOW + timedelta(days=1), read_only=read_only)
    assert path.read_bytes() == before
    told = str(caught.value)
    assert "quizzer doctor" in told and "Nothing was changed" in told


def test_a_damaged_store_may_be_looked_at(path: Path) -> None:
    events = filled(path)
    altered(path, f"UPDATE events SET card = 'x' WHERE id = {literal(events[-1].id)}")
    with Store.open(path, NOW, read_only=True, damaged=True) as store:
        assert any(events[-1].id in problem for problem in store.check())


def test_an_older_event_that_was_changed_is_found_and_stops_the_backup(path: Path) -> None:
    events = filled(path)
    Store.open(path, NOW + timedelta(days=1)).close()
    altered(path, f"UPDATE events SET card = 'x' WHERE id = {literal(events[4].id)}")
    with Store.open(path, NOW + timedelta(days=2)) as store:
        (warning,) = store.warnings
        assert events[4].id in warning
        assert any(events[4].id in problem for problem in store.check())
        (good,) = store.backups()
        store.record(Flag("a", True), at=NOW, day=DAY)
    with Store.open(good, NOW, read_only=True) as store:
        assert store.events() == events
        assert store.check() == []


def test_a_removed_event_and_a_removed_trigger_are_found(path: Path) -> None:
    events = filled(path)
    altered(path, f"DELETE FROM events WHERE id = {literal(events[4].id)}")
    with Store.open(path, NOW) as store:
        problems = "\n".join(store.check())
    assert f"event {events[4].id} of device" in problems
    assert "events_are_never_deleted" in problems


def test_the_removal_of_the_newest_events_is_found(path: Path) -> None:
    events = filled(path)
    altered(path, f"DELETE FROM events WHERE id >= {literal(events[-2].id)}")
    with Store.open(path, NOW) as store:
        assert any("2 of the events that were added are missing" in p for p in store.check())


def test_a_flipped_bit_never_changes_unnoticed_what_the_store_says(path: Path) -> None:
    filled(path, 40)
    whole = path.read_bytes()
    with Store.open(path, NOW, read_only=True) as store:
        cards = [*store.progress()]
        said = store.events(), store.progress(), store.last_paths(cards)
    random = Random(3)
    noticed = 0
    for _ in range(150):
        place, bit = random.randrange(len(whole)), random.randrange(8)
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        path.write_bytes(flipped)
        try:
            with Store.open(path, NOW, read_only=True) as store:
                if store.check():
                    noticed += 1
                else:
                    assert store.events() == said[0]
                    assert store.progress() == said[1]
                    assert store.last_paths(cards) == said[2]
        except StoreError:
            noticed += 1
    assert noticed > 20


def test_a_truncated_store_is_refused_and_left(path: Path) -> None:
    filled(path, 60)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreDamagedError):
        Store.open(path, NOW)
    assert path.read_bytes() == whole[: len(whole) // 2]


def test_a_store_emptied_to_nothing_is_not_taken_for_a_new_one(path: Path) -> None:
    filled(path)
    Store.open(path, NOW + timedelta(days=1)).close()
    path.write_bytes(b"")
    with pytest.raises(StoreDamagedError, match="empty"):
        Store.open(path, NOW)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_that_is_no_database_is_refused_and_left(path: Path, read_only: bool) -> None:
    path.write_text("Dear diary, " * 100)
    with pytest.raises(StoreError, match=r"not a SQLite file.*Nothing was changed"):
        Store.open(path, NOW, read_only=read_only)
    assert path.read_text() == "Dear diary, " * 100


@pytest.mark.parametrize("read_only", [True, False])
def test_the_database_of_another_program_is_refused_and_left(path: Path, read_only: bool) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE notes (n)")
        raw.commit()
    before = path.read_bytes()
    with pytest.raises(StoreForeignError, match="another program"):
        Store.open(path, NOW, read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [True, False])
def test_a_folder_is_refused(tmp_path: Path, read_only: bool) -> None:
    with pytest.raises(StoreUnusableError, match="is a folder"):
        Store.open(tmp_path, NOW, read_only=read_only)


def test_a_store_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnusableError):
        Store.open(tmp_path / "file" / "history.db", NOW)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that an ordinary user may enter; the tests are that user, whoever started them."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_without_permission_to_write_the_store_can_be_read_only(
    open_folder: Path, locked: str, request: pytest.FixtureRequest
) -> None:
    path = open_folder / "history.db"
    events = filled(path)
    path.chmod(0o644)
    (path if locked == "file" else open_folder).chmod(0o555)
    request.getfixturevalue("ordinary_user")
    with pytest.raises(StoreUnusableError, match="permission"):
        Store.open(path, NOW)
    with Store.open(path, NOW, read_only=True) as store:
        assert store.events() == events


def test_without_permission_to_read_the_store_is_refused(
    open_folder: Path, request: pytest.FixtureRequest
) -> None:
    path = open_folder / "history.db"
    filled(path)
    path.chmod(0o000)
    request.getfixturevalue("ordinary_user")
    for read_only in (True, False):
        with pytest.raises(StoreUnusableError, match="stays saved"):
            Store.open(path, NOW, read_only=read_only)


def test_no_store_is_made_in_a_folder_that_may_not_be_written(
    open_folder: Path, request: pytest.FixtureRequest
) -> None:
    open_folder.chmod(0o555)
    request.getfixturevalue("ordinary_user")
    with pytest.raises(StoreUnusableError):
        Store.open(open_folder / "deeper" / "history.db", NOW)
    assert list(open_folder.iterdir()) == []


FULL_DISK = """
import resource, signal, sys
from datetime import datetime
from pathlib import Path
from quizzer.values import Flag, study_day
from quizzer.store import Store, StoreError

path = Path(sys.argv[1])
now = datetime.fromisoformat("2026-03-01T20:00:00+01:00")
with Store.open(path, now, backups=False) as store:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        while True:
            (event,) = store.record(Flag("a" * 500, True), at=now, day=study_day(now))
            print(event.id, flush=True)
    except StoreError as error:
        print("refused:", error)
    assert store.events()
"""


def test_a_disk_that_takes_no_more_keeps_what_was_recorded(path: Path) -> None:
    events = filled(path)
    out, errors = start(FULL_DISK, path).communicate()
    assert errors == ""
    *acknowledged, refusal = out.splitlines()
    assert refusal.startswith("refused:") and "stays saved" in refusal
    with Store.open(path, NOW) as store:
        assert [event.id for event in store.events()] == [
            *(event.id for event in events),
            *acknowledged,
        ]
        assert store.check() == []
        store.record(Flag("a", True), at=NOW, day=DAY)


def test_a_store_moved_away_while_it_is_open_takes_no_more(path: Path) -> None:
    events = filled(path)
    with Store.open(path, NOW, backups=False) as store:
        path.rename(path.with_name("moved.db"))
        with pytest.raises(StoreUnusableError, match="no longer the file"):
            store.record(Flag("a", True), at=NOW, day=DAY)
    with Store.open(path.with_name("moved.db"), NOW, read_only=True) as store:
        assert store.events() == events


def test_a_name_with_signs_that_mean_something_in_an_address_is_a_name(tmp_path: Path) -> None:
    path = tmp_path / "100% of it?mode=memory#1.db"
    filled(path)
    assert path.exists()
    with Store.open(path, NOW, read_only=True) as store:
        assert len(store.events()) == 20
