"""Two machines and a target, a file or a real PostgreSQL: nothing is lost, whatever happens."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from permissions import binding
from postgres_server import PostgresServer
from rows import insert, literal, stored_rows

from quizzer.store import Store, json_lines, merge, restore
from quizzer.store.errors import (
    StoreDamagedError,
    StoreForeignError,
    StoreTooNewError,
    TargetError,
)
from quizzer.store.importers import quizzer_log
from quizzer.store.integrity import hashed
from quizzer.store.sync import file_target, postgres
from quizzer.store.sync.address import shown
from quizzer.store.sync.exchange import Exchange, Target, sync
from quizzer.values import Bury, Dispute, Flag, Rating, Reset, Review, State, Verdict, study_day

NOW = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=1)))
Place = str | Path


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A target that is not there yet."""
    if request.param == "file":
        (tmp_path / "carried").mkdir()
        return tmp_path / "carried" / "quizzer.db"
    address: str = request.getfixturevalue("database")
    return address


@contextmanager
def held(place: Place, store: Store) -> Iterator[Target]:
    with ExitStack() as stack:
        if isinstance(place, Path):
            yield stack.enter_context(file_target.opened(place, store, None))
        else:
            yield stack.enter_context(postgres.opened(place, "maria", claimed=True))


def synced(path: Path, place: Place, now: datetime = NOW) -> Exchange:
    with Store.open(path, now) as store, held(place, store) as target:
        return sync(store, target, now)


def rated(path: Path, *cards: str, now: datetime = NOW, rating: Rating = Rating.GOOD) -> None:
    with Store.open(path, now) as store:
        for card in cards:
            store.record(Review(card, rating, 2, State.NEW), at=now, day=study_day(now))


def lines(path: Path) -> list[str]:
    with Store.open(path, NOW, read_only=True) as store:
        assert store.check() == []
        return [*store.lines()]


def test_two_machines_end_up_with_the_same_log_and_memory(tmp_path: Path, place: Place) -> None:
    a, b = tmp_path / "a" / "h.db", tmp_path / "b" / "h.db"
    rated(a, "x", "y")
    rated(b, "x", "z", now=NOW + timedelta(days=1))
    assert synced(a, place) == Exchange(taken=0, given=2, cards=0)
    assert synced(b, place) == Exchange(taken=2, given=2, cards=2)
    assert synced(a, place) == Exchange(taken=2, given=0, cards=2)
    assert lines(a) == lines(b)
    with Store.open(a, NOW) as one, Store.open(b, NOW) as other:
        assert one.progress() == other.progress()
        assert one.progress().keys() == {"x", "y", "z"}
        memory = one.progress_of("x").memory
        assert memory is not None and memory.reviews == 2


def test_a_second_sync_takes_and_gives_nothing(tmp_path: Path, place: Place) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x")
    for path in (a, b, a, b):
        synced(path, place)
    before = a.read_bytes(), place.read_bytes() if isinstance(place, Path) else b""
    assert synced(a, place) == synced(b, place) == Exchange(0, 0, 0)
    assert (a.read_bytes(), place.read_bytes() if isinstance(place, Path) else b"") == before


def test_undo_reaches_the_other_machine_and_takes_back_ratings_of_its_own_only(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x")
    synced(a, place)
    synced(b, place)
    with Store.open(b, NOW) as store:
        assert store.undo(NOW, study_day(NOW)) is None
        assert "x" in store.progress()
    with Store.open(a, NOW) as store:
        assert store.undo(NOW, study_day(NOW))
    synced(a, place)
    synced(b, place)
    with Store.open(b, NOW) as store:
        assert store.progress() == {}


@pytest.mark.parametrize("ahead", [1, -1])
def test_clocks_apart_by_a_day_make_no_difference_to_what_both_say(
    tmp_path: Path, place: Place, ahead: int
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    for _ in range(3):
        rated(a, "x", "y")
        synced(a, place)
        there = NOW + timedelta(days=ahead)
        rated(b, "y", "z", now=there)
        synced(b, place, there)
    synced(a, place)
    assert lines(a) == lines(b)
    with Store.open(a, NOW) as one, Store.open(b, NOW) as other:
        assert one.progress() == other.progress()
        newest = one.events()[-1]
    rated(a, "x")
    with Store.open(a, NOW) as store:
        assert store.events()[-1].id > newest.id


def test_a_copied_store_used_in_two_places_keeps_what_both_did(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x", "y")
    shutil.copy(a, b)
    rated(a, "only-a")
    rated(b, "only-b", "twice-b", now=NOW + timedelta(hours=1))
    with Store.open(a, NOW) as store:
        device = store.device
    synced(a, place)
    assert synced(b, place) == Exchange(taken=1, given=2, cards=1)
    assert synced(a, place) == Exchange(taken=2, given=0, cards=2)
    with Store.open(a, NOW) as one, Store.open(b, NOW) as other:
        assert one.progress().keys() == {"x", "y", "only-a", "only-b", "twice-b"}
        assert len({device, one.device, other.device}) == 3
    for path in (a, b):
        rated(path, "more", now=NOW + timedelta(days=1))
    for path in (a, b, a):
        synced(path, place)
    assert lines(a) == lines(b)
    assert synced(a, place) == synced(b, place) == Exchange(0, 0, 0)


def test_after_a_fork_each_machine_takes_back_its_own_ratings_and_no_other(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "shared")
    shutil.copy(a, b)
    rated(a, "a1", "a2")
    rated(b, "b1", "b2", "b3")
    for path in (a, b, a):
        synced(path, place)
    rated(a, "a3")
    for path, own in ((a, ["a3", "a2", "a1"]), (b, ["b3", "b2", "b1"])):
        with Store.open(path, NOW) as store:
            undone = [store.undo(NOW, study_day(NOW)) for _ in range(4)]
        assert [event.fact.card for event in undone if event] == own
    for path in (a, b, a):
        synced(path, place)
    for path in (a, b):
        with Store.open(path, NOW, read_only=True) as store:
            assert store.progress().keys() == {"shared"}


def test_a_restore_forgets_which_ratings_before_a_fork_were_of_this_machine(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "shared")
    shutil.copy(a, b)
    rated(a, "a1")
    rated(b, "b1")
    for path in (a, b, a):
        synced(path, place)
    shutil.copy(a, tmp_path / "backup.db")
    restore(a, tmp_path / "backup.db", NOW)
    with Store.open(a, NOW) as store:
        assert store.undo(NOW, study_day(NOW)) is None


def test_a_rating_before_a_fork_that_a_reset_made_moot_is_not_undone(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "shared")
    shutil.copy(a, b)
    rated(a, "first", "then reset")
    rated(b, "b1")
    with Store.open(a, NOW) as store:
        store.record(Reset("then reset"), at=NOW, day=study_day(NOW))
    for path in (a, b, a):
        synced(path, place)
    with Store.open(a, NOW) as store:
        undone = store.undo(NOW, study_day(NOW))
    assert undone and undone.fact.card == "first"


@pytest.mark.parametrize(("years", "said"), [(5, True), (0, False)])
def test_events_dated_in_the_future_are_taken_and_said(
    tmp_path: Path, place: Place, years: int, said: bool
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    ahead = NOW.replace(year=NOW.year + years)
    rated(a, "x", "y", now=ahead)
    synced(a, place, now=ahead)
    done = synced(b, place)
    assert (done.taken, done.not_taken) == (2, ())
    assert ("2 events are dated in the future, up to 2031-03-01" in (done.odd or "")) == said
    assert synced(b, place).odd is None, "it is said once"


def test_what_no_clock_can_have_said_is_neither_taken_nor_given(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x")
    rated(a, "y", now=NOW.replace(year=2200))
    done = synced(a, place)
    assert done.given == 1
    (fault,) = done.not_given
    assert "dated after the year 2199" in fault
    assert synced(b, place).taken == 1


def test_a_copy_that_stands_still_learns_what_the_other_did_and_goes_on_by_another_name(
    tmp_path: Path, place: Place
) -> None:
    a, old = tmp_path / "a.db", tmp_path / "old.db"
    rated(a, "x")
    shutil.copy(a, old)
    rated(a, "y")
    synced(a, place)
    shutil.copy(old, a)
    assert synced(a, place) == Exchange(taken=1, given=0, cards=1)
    with Store.open(a, NOW) as store:
        assert store.progress().keys() == {"x", "y"}
        assert store.device not in {event.device for event in store.events()}


def test_after_a_restore_a_sync_brings_back_what_the_backup_lacked(
    tmp_path: Path, place: Place
) -> None:
    a = tmp_path / "a.db"
    rated(a, "x")
    with Store.open(a, NOW) as store:
        store.backup_to(tmp_path / "backup.db")
    rated(a, "y")
    synced(a, place)
    restore(a, tmp_path / "backup.db", NOW)
    rated(a, "z")
    assert synced(a, place) == Exchange(taken=1, given=1, cards=1)
    with Store.open(a, NOW) as store:
        assert store.progress().keys() == {"x", "y", "z"}


def test_a_backup_put_back_while_logs_are_compared_loses_nothing(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    for card in "xyz":
        rated(a, card)
        synced(a, place)
        if card != "z":
            synced(b, place)
        if card == "x":
            with Store.open(b, NOW) as store:
                store.backup_to(tmp_path / "copy.db")
    with Store.open(b, NOW) as store, held(place, store) as target:
        rows = merge.lacking(store.log, target.log).one.rows
        restore(b, tmp_path / "copy.db", NOW)
        store.take(rows, NOW)
    synced(b, place)
    assert lines(b) == lines(a)


def test_an_event_of_a_kind_that_only_a_newer_quizzer_knows_is_carried(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x")
    with closing(sqlite3.connect(a)) as raw:
        newest = stored_rows(raw)[-1]
        row = newest._replace(
            id="0200" + newest.id[4:], after=newest.id, kind="badge", body='{"\\u00e9":1}'
        )
        insert(raw, hashed(row))
    synced(a, place)
    synced(b, place)
    assert lines(a) == lines(b)
    assert '"badge"' in lines(b)[-1]


def altered(place: Place, *statements: str) -> None:
    """Change a target behind quizzer's back."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place)) as raw:
            triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            put_back = []
            for name, sql in triggers.fetchall():
                raw.execute(f"DROP TRIGGER {name}")
                put_back.append(sql)
            for statement in (*statements, *put_back):
                raw.execute(statement)
            raw.commit()
    else:
        with psycopg.connect(place) as connection:
            connection.execute("ALTER TABLE quizzer.events DISABLE TRIGGER ALL")
            for statement in statements:
                connection.execute(statement.replace("events", "quizzer.events").encode())
            connection.execute("ALTER TABLE quizzer.events ENABLE TRIGGER ALL")


FORGERIES = {
    "a changed body": "UPDATE events SET body = replace(body, '2', '9') WHERE id = {1}",
    "a changed card": "UPDATE events SET card = 'other' WHERE id = {1}",
    "a changed hash": "UPDATE events SET hash = '' WHERE id = {1}",
    "another before it": "UPDATE events SET after = {0} WHERE id = {2}",
    "another's name": "UPDATE events SET device = 'laptop' WHERE id = {1}",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_of_a_damaged_target_all_but_the_damaged_event_is_taken(
    tmp_path: Path, place: Place, forgery: str
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x", "y", "z")
    rated(b, "own")
    synced(a, place)
    with Store.open(a, NOW) as store:
        ids = [event.id for event in store.events()]
    written = literal if isinstance(place, Path) else repr
    altered(place, FORGERIES[forgery].format(*map(written, ids)))
    done = synced(b, place)
    damaged = ids[2 if forgery == "another before it" else 1]
    assert (done.taken, done.given) == (2, 1)
    (fault,) = done.not_taken
    assert damaged in fault and "not as it was written" in fault
    with Store.open(b, NOW) as store:
        assert {event.id for event in store.events()} & {*ids} == {*ids} - {damaged}


def test_a_damaged_target_is_made_whole_by_the_machines_that_gave_to_it(
    tmp_path: Path, place: Place
) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x", "y", "z")
    synced(a, place)
    altered(place, "DELETE FROM events WHERE card = 'y'")
    if isinstance(place, Path):
        assert synced(a, place).not_taken
        place.unlink()  # as it is told
        assert synced(a, place) == Exchange(0, 3, 0)
    else:
        assert synced(a, place) == Exchange(0, 1, 0)
    assert synced(b, place) == Exchange(3, 0, 3)


def test_events_that_vanished_from_a_file_are_missed_whatever_its_pages_say(
    tmp_path: Path,
) -> None:
    carried = tmp_path / "carried.db"
    rated(tmp_path / "a.db", "one", "two", "three")
    synced(tmp_path / "a.db", carried)
    with closing(sqlite3.connect(carried)) as raw, raw:
        ((trigger,),) = raw.execute("SELECT sql FROM sqlite_master WHERE name LIKE '%deleted'")
        raw.execute("DROP TRIGGER events_are_never_deleted")
        raw.execute("DELETE FROM events WHERE card <> 'one'")
        raw.execute(trigger)
    before = carried.read_bytes()
    rated(tmp_path / "b.db", "four")
    found = synced(tmp_path / "b.db", carried)
    assert (found.taken, found.given) == (1, 0)
    assert found.not_taken == ("2 of the events that were added to it are missing",)
    assert carried.read_bytes() == before
    carried.unlink()
    for name in ("a.db", "b.db", "a.db"):
        assert synced(tmp_path / name, carried).not_taken == ()
    assert lines(tmp_path / "b.db") == lines(tmp_path / "a.db")


def test_of_two_events_with_one_id_each_stays_where_it_is(tmp_path: Path, place: Place) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x", "more")
    rated(b, "y")
    synced(a, place)
    with closing(sqlite3.connect(a)) as raw:
        row = stored_rows(raw)[0]
    forged = hashed(row._replace(device="b", card="other"))
    with closing(sqlite3.connect(b)) as raw:
        insert(raw, forged)
    done = synced(b, place)
    assert (done.taken, done.given) == (1, 1)
    (fault,) = done.not_taken
    assert row.id in fault and "not the same here" in fault
    with Store.open(b, NOW, read_only=True) as store:
        assert '"card":"other"' in "".join(store.lines())


def test_what_is_damaged_here_is_not_given(tmp_path: Path, place: Place) -> None:
    a = tmp_path / "a.db"
    rated(a, "x", "y", "z")
    altered(a, "UPDATE events SET card = 'other' WHERE card = 'y'")
    done = synced(a, place)
    assert (done.given, len(done.not_given)) == (2, 1)
    assert synced(tmp_path / "b.db", place).taken == 2


def test_what_is_damaged_here_alone_is_not_blamed_on_the_target(
    tmp_path: Path, place: Place
) -> None:
    a = tmp_path / "a.db"
    rated(a, "x", "y", "z")
    synced(a, place)
    altered(a, "UPDATE events SET hash = 'no' WHERE card = 'y'")
    done = synced(a, place)
    assert (done.not_taken, len(done.not_given)) == ((), 1)


def test_a_stranger_in_the_target_who_swallows_what_is_given_is_told(
    tmp_path: Path, database: str
) -> None:
    rated(tmp_path / "a.db", "x")
    synced(tmp_path / "a.db", database)
    with psycopg.connect(database) as connection:
        connection.execute(
            "CREATE FUNCTION quizzer.swallow() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RETURN NULL; END $$"
        )
        connection.execute(
            "CREATE TRIGGER swallow BEFORE INSERT ON quizzer.events FOR EACH ROW"
            " EXECUTE FUNCTION quizzer.swallow()"
        )
    rated(tmp_path / "a.db", "y")
    with pytest.raises(TargetError, match="did not keep what was given"):
        synced(tmp_path / "a.db", database)


def test_a_database_that_does_not_answer_is_not_waited_for_for_good(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated(tmp_path / "a.db", "x")
    synced(tmp_path / "a.db", database)
    with psycopg.connect(database) as connection:
        connection.execute("ALTER TABLE quizzer.events RENAME TO hidden")
        connection.execute(
            "CREATE VIEW quizzer.events AS SELECT hidden.* FROM quizzer.hidden,"
            " pg_sleep(1000) WHERE pg_sleep IS NOT NULL"
        )
    monkeypatch.setattr(postgres, "SYNCING", replace(postgres.SYNCING, timeout="1s"))
    with pytest.raises(TargetError, match="took longer than 1s"):
        synced(tmp_path / "a.db", database)


HOSTILE = {
    "a view": (
        "ALTER TABLE events RENAME TO hidden",
        "CREATE VIEW events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT printf('%.1000c', i) AS id, i AS device, '' AS after, 0 AS at_ms, 0 AS offset_min,"
        " 0 AS day, '' AS kind, '' AS card, '' AS body, '' AS hash FROM n",
    ),
    "a trigger": (
        "CREATE TRIGGER swallows BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END",
    ),
    "another trigger": (
        "DROP TRIGGER events_are_never_deleted",
        "CREATE TRIGGER events_are_never_deleted AFTER INSERT ON events"
        " BEGIN DELETE FROM events; END",
    ),
    "a computed column": ("ALTER TABLE events ADD COLUMN more AS (hex(zeroblob(100000000)))",),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_strangers_tables_are_compared_with_ours_before_anything_is_read(
    tmp_path: Path, what: str
) -> None:
    a, b, place = (tmp_path / name for name in ("a.db", "b.db", "t.db"))
    rated(a, "x", "y")
    rated(b, "own")
    synced(a, place)
    with closing(sqlite3.connect(place)) as raw:
        for statement in HOSTILE[what]:
            raw.execute(statement)
        raw.commit()
    before = place.read_bytes()
    with pytest.raises(TargetError, match=r"is damaged: its table.*`quizzer import .*t\.db`"):
        synced(b, place)
    with pytest.raises(
        StoreDamagedError, match=r"t\.db is damaged: its table.* Nothing was changed"
    ):
        restore(b, place, NOW)
    found = quizzer_log.of_store(place)
    assert merge.sound(found.rows, {}).rows == [json_lines.row_of(line) for line in lines(a)]
    assert found.faults
    assert place.read_bytes() == before


def test_a_link_that_leads_back_to_itself_is_told(tmp_path: Path) -> None:
    rated(tmp_path / "a.db", "x")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(TargetError, match="leads back to itself"):
        synced(tmp_path / "a.db", loop)


SYNCER = """
import sys
from datetime import datetime, timedelta
from pathlib import Path
from quizzer.values import Rating, Review, State, study_day
from quizzer.store import Store
from quizzer.store.sync import file_target, postgres
from quizzer.store.sync.exchange import sync

path, place, name, rounds = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
now = datetime.fromisoformat("2026-03-01T20:00:00+01:00") + timedelta(days=name == "b")
with Store.open(path, now, patience=120) as store:
    for n in range(rounds):
        for card in range(5):
            (event,) = store.record(
                Review(f"card-{card}", Rating.GOOD, 1, State.REVIEW), at=now, day=study_day(now)
            )
            print(event.id, flush=True)
        if n % 3 == 2:
            store.undo(now, study_day(now))
        if "://" in place:
            opened = postgres.opened(place, "maria", claimed=True)
        else:
            opened = file_target.opened(Path(place), store, None)
        with opened as target:
            sync(store, target, now)
        print("synced", flush=True)
"""


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SYNCER, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_processes_that_rate_and_sync_at_once_lose_nothing(
    tmp_path: Path, place: Place
) -> None:
    paths = {name: tmp_path / f"{name}.db" for name in ("a", "b")}
    running = [start(path, place, name, 8) for name, path in paths.items()]
    told = [process.communicate() for process in running]
    assert [errors for _, errors in told] == ["", ""]
    recorded = {line for out, _ in told for line in out.split() if line != "synced"}
    assert len(recorded) == 80
    for path in (*paths.values(), paths["a"]):
        synced(path, place)
    assert lines(paths["a"]) == lines(paths["b"])
    with Store.open(paths["a"], NOW) as one, Store.open(paths["b"], NOW) as other:
        assert recorded <= {event.id for event in one.events()}
        assert one.progress() == other.progress()


def test_two_processes_that_sync_one_store_at_once_lose_nothing(
    tmp_path: Path, place: Place
) -> None:
    path = tmp_path / "a.db"
    running = [start(path, place, "a", 6) for _ in range(2)]
    told = [process.communicate() for process in running]
    assert [errors for _, errors in told] == ["", ""]
    recorded = {line for out, _ in told for line in out.split() if line != "synced"}
    synced(path, place)
    synced(tmp_path / "b.db", place)
    assert lines(path) == lines(tmp_path / "b.db")
    assert len(recorded) == 60 and all(any(id in line for line in lines(path)) for id in recorded)


@pytest.mark.parametrize("seed", range(4))
def test_a_sync_killed_anywhere_loses_nothing_and_the_next_completes_it(
    tmp_path: Path, place: Place, seed: int
) -> None:
    random = Random(seed)
    paths = {name: tmp_path / f"{name}.db" for name in ("a", "b")}
    running = [start(path, place, name, 1000) for name, path in paths.items()]
    acknowledged: list[str] = []
    for process in running:
        assert process.stdout is not None
        for _ in range(random.randint(6, 25)):
            line = process.stdout.readline().strip()
            assert line, process.stderr and process.stderr.read()
            acknowledged.append(line)
    time.sleep(random.random() / 20)
    for process in running:
        process.send_signal(signal.SIGKILL)
    for process in running:
        rest, _ = process.communicate()
        acknowledged += [line for line in rest.split("\n")[:-1] if line]
    recorded = set(acknowledged) - {"synced"}
    for path in (*paths.values(), paths["a"]):
        synced(path, place)
    assert lines(paths["a"]) == lines(paths["b"])
    with Store.open(paths["a"], NOW) as store:
        assert len(recorded) > 5
        assert recorded <= {event.id for event in store.events()}
    if isinstance(place, Path):
        assert not list(place.parent.glob("*.partial"))


@pytest.mark.parametrize("by", ["nothing", "an older one"])
def test_a_file_that_is_replaced_half_way_is_told_and_the_next_sync_completes_it(
    tmp_path: Path, by: str
) -> None:
    a, place, older = tmp_path / "a.db", tmp_path / "t.db", tmp_path / "older.db"
    rated(tmp_path / "b.db", "x")
    synced(tmp_path / "b.db", place)
    shutil.copy(place, older)
    rated(a, "y")
    synced(a, place)
    rated(a, "z")
    with Store.open(a, NOW) as store, held(place, store) as target:
        place.unlink() if by == "nothing" else older.replace(place)
        with pytest.raises(TargetError, match=r"replaced or removed meanwhile.*Sync again"):
            sync(store, target, NOW)
    assert not list(tmp_path.glob("*.partial"))
    assert synced(a, place).given == (3 if by == "nothing" else 2)
    synced(tmp_path / "b.db", place)
    assert lines(a) == lines(place) == lines(tmp_path / "b.db")


def test_a_file_that_appears_half_way_is_added_to(tmp_path: Path) -> None:
    a, b, place = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "t.db"
    rated(a, "x")
    rated(b, "y")
    with Store.open(a, NOW) as store, held(place, store) as target:
        synced(b, place)
        assert sync(store, target, NOW) == Exchange(0, 1, 0)
    assert len(lines(place)) == 2


def test_a_folder_that_disappears_half_way_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    a, place = tmp_path / "a.db", tmp_path / "disk" / "t.db"
    place.parent.mkdir()
    rated(tmp_path / "b.db", "x")
    synced(tmp_path / "b.db", place)
    rated(a, "y")
    with Store.open(a, NOW) as store, held(place, store) as target:
        place.parent.rename(tmp_path / "unplugged")
        with pytest.raises(TargetError, match="Nothing is lost"):
            sync(store, target, NOW)
        assert store.progress().keys() == {"x", "y"}
    with pytest.raises(TargetError, match="its folder is not there"):
        synced(a, place)
    (tmp_path / "unplugged").rename(place.parent)
    assert synced(a, place) == Exchange(0, 1, 0)
    assert lines(a) == lines(place)


@pytest.mark.parametrize("when", ["before reading", "before giving", "between"])
def test_a_server_that_stops_half_way_is_told_and_nothing_is_lost(
    tmp_path: Path, postgres_server: PostgresServer, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, address = tmp_path / "a.db", postgres_server.new_database()
    rated(tmp_path / "b.db", "x")
    synced(tmp_path / "b.db", address)
    rated(a, "y")
    with Store.open(a, NOW) as store:
        if when != "between":
            with held(address, store) as target:
                if when == "before reading":
                    postgres_server.stop()
                else:
                    taken = store.take

                    def take(*arguments: object) -> object:
                        found = taken(*arguments)  # type: ignore[arg-type]
                        postgres_server.stop()
                        return found

                    monkeypatch.setattr(store, "take", take)
                with pytest.raises(TargetError, match=r"(cannot be reached|could not be).*is lost"):
                    sync(store, target, NOW)
        else:
            postgres_server.stop()
    with pytest.raises(TargetError, match="cannot be reached"):
        synced(a, address)
    postgres_server.start()
    synced(a, address)
    synced(tmp_path / "b.db", address)
    assert lines(a) == lines(tmp_path / "b.db")
    assert len(lines(a)) == 2


def test_a_password_is_never_told(tmp_path: Path, database: str) -> None:
    rated(tmp_path / "a.db", "x")
    wrong = database.replace("/course", "/no-course")
    addresses = [
        wrong,
        f"{wrong}?password=chalk",
        "postgresql://u:chalk%ZZ@127.0.0.1/x",
        "postgresql://u:chalk@127.0.0.1:1/x",
        "postgresql://u:cha?lk@127.0.0.1/x",
        "postgresql://u:chalk/@127.0.0.1/x",
        "postgresql://127.0.0.1:1/x?password=chalk@home",
        "postgresql://u:chalk@[::1/x",
        "postgresql://u:chalk@127.0.0.1/x?nothing=1",
        "postgresql://u:chalk",
        "postgresql://u:1chalk/x",
    ]
    for address in addresses:
        with pytest.raises(TargetError) as caught:
            synced(tmp_path / "a.db", address)
        assert "cha" not in str(caught.value), address
        assert "lk" not in str(caught.value), address


@pytest.mark.parametrize(
    "address",
    ["postgresql://host:5432/x", "postgresql://[fe80::a]:1/x", "postgresql://a:1,b:2/x"],
)
def test_an_address_that_holds_no_password_is_told_whole(address: str) -> None:
    assert shown(address) == address


def test_two_learners_of_a_course_are_kept_apart(tmp_path: Path, database: str) -> None:
    for name in ("maria", "jo'; DROP TABLE quizzer.events; --"):
        path = tmp_path / f"{len(name)}.db"
        rated(path, f"card-of-{len(name)}", "shared")
        with Store.open(path, NOW) as store:
            with postgres.opened(database, name, claimed=True) as target:
                assert sync(store, target, NOW) == Exchange(0, 2, 0)
            with postgres.opened(database, name, claimed=True) as target:
                assert sync(store, target, NOW) == Exchange(0, 0, 0)
            assert len(store.events()) == 2
    assert list(postgres.all_events(database, ["unmet"])) == []
    found = list(postgres.all_events(database, ["card-of-5", "card-of-34", "shared"]))
    assert {len(learner) for learner, _ in found} == {5, 34}
    assert {event.fact.card for _, event in found} == {"card-of-5", "card-of-34", "shared"}


def test_an_unreadable_event_of_one_learner_hides_nothing_of_another(
    tmp_path: Path, database: str
) -> None:
    rated(tmp_path / "a.db", "x", "y")
    synced(tmp_path / "a.db", database)
    with psycopg.connect(database) as connection:
        connection.execute(
            "INSERT INTO quizzer.events SELECT 'jo', id, device, after, at_ms, offset_min, day,"
            " kind, card, '[]', hash FROM quizzer.events WHERE after = ''"
        )
    assert [name for name, _ in postgres.all_events(database, ["x", "y"])] == ["maria", "maria"]
    with (
        postgres.opened(database, "jo", claimed=True) as target,
        Store.open(tmp_path / "b.db", NOW) as store,
    ):
        assert len(sync(store, target, NOW).not_taken) == 1
        assert "new --learner NAME" in target.remedy


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding_is_synced_with(
    tmp_path: Path, database: str, encoding: str
) -> None:
    other = f"{database}_{encoding.lower()}"
    with closing(psycopg.connect(database, autocommit=True)) as connection:
        connection.execute(
            f"CREATE DATABASE {other.rpartition('/')[2]} TEMPLATE template0"
            f" ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'".encode()
        )
    rated(tmp_path / "a.db", "naïve")
    assert synced(tmp_path / "a.db", other) == Exchange(0, 1, 0)
    assert synced(tmp_path / "b.db", other) == Exchange(1, 0, 1)
    assert lines(tmp_path / "a.db") == lines(tmp_path / "b.db")


def test_an_assumed_name_does_not_mix_two_learners(tmp_path: Path, database: str) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    rated(a, "x")
    rated(b, "y")
    with Store.open(a, NOW) as store:
        for _ in range(2):
            with postgres.opened(database, "student", claimed=False) as target:
                sync(store, target, NOW)
    with Store.open(b, NOW) as store:
        with (
            postgres.opened(database, "student", claimed=False) as target,
            pytest.raises(TargetError, match=r"“student”.*--learner student.*--learner NAME"),
        ):
            sync(store, target, NOW)
        assert len(store.events()) == 1
        with postgres.opened(database, "student", claimed=True) as target:
            assert sync(store, target, NOW) == Exchange(1, 1, 1)
        with postgres.opened(database, "student", claimed=False) as target:
            assert sync(store, target, NOW) == Exchange(0, 0, 0)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE quizzer.events SET card = 'x'",
        "DELETE FROM quizzer.events",
        "TRUNCATE quizzer.events",
    ],
)
def test_a_database_refuses_to_change_events(tmp_path: Path, database: str, statement: str) -> None:
    rated(tmp_path / "a.db", "x")
    synced(tmp_path / "a.db", database)
    with (
        closing(psycopg.connect(database)) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="only ever added"),
    ):
        connection.execute(statement.encode())


def test_who_only_syncs_needs_no_right_but_to_read_and_add(tmp_path: Path, database: str) -> None:
    rated(tmp_path / "a.db", "x")
    with psycopg.connect(database) as connection:
        connection.execute("DROP ROLE IF EXISTS pupil")
        connection.execute("CREATE ROLE pupil LOGIN")
    pupil = database.replace("teacher:chalk", "pupil")
    with pytest.raises(TargetError, match="does not allow it"):
        synced(tmp_path / "a.db", pupil)
    synced(tmp_path / "a.db", database)
    with psycopg.connect(database) as connection:
        connection.execute("GRANT USAGE ON SCHEMA quizzer TO pupil")
        connection.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA quizzer TO pupil")
    rated(tmp_path / "a.db", "y")
    assert synced(tmp_path / "a.db", pupil) == Exchange(0, 1, 0)
    with psycopg.connect(database) as connection:
        connection.execute("DROP OWNED BY pupil")
        connection.execute("DROP ROLE pupil")


def test_a_course_may_let_each_role_see_its_own_events_alone(tmp_path: Path, database: str) -> None:
    for card, path in (("x", tmp_path / "a.db"), ("y", tmp_path / "b.db")):
        rated(path, card)
    synced(tmp_path / "a.db", database)
    with psycopg.connect(database) as connection:
        connection.execute("CREATE ROLE jo LOGIN")
        connection.execute("GRANT USAGE ON SCHEMA quizzer TO jo")
        connection.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA quizzer TO jo")
        connection.execute("ALTER TABLE quizzer.events ENABLE ROW LEVEL SECURITY")
        connection.execute("CREATE POLICY own ON quizzer.events USING (learner = current_user)")
    as_jo = database.replace("teacher:chalk", "jo")
    with Store.open(tmp_path / "b.db", NOW) as store:
        with (
            postgres.opened(as_jo, "maria", claimed=True) as target,
            pytest.raises(TargetError, match="does not allow it"),
        ):
            sync(store, target, NOW)
        with postgres.opened(as_jo, "jo", claimed=True) as target:
            assert sync(store, target, NOW) == Exchange(0, 1, 0)
    assert [name for name, _ in postgres.all_events(as_jo, ["x", "y"])] == ["jo"]
    assert [name for name, _ in postgres.all_events(database, ["x", "y"])] == ["jo", "maria"]
    with psycopg.connect(database) as connection:
        connection.execute("DROP OWNED BY jo")
        connection.execute("DROP ROLE jo")


def test_a_link_to_a_target_and_its_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.db", tmp_path / "link.db"
    link.symlink_to(real)
    rated(tmp_path / "a.db", "x")
    synced(tmp_path / "a.db", link)
    real.chmod(0o660)
    rated(tmp_path / "a.db", "y")
    synced(tmp_path / "a.db", link)
    assert link.is_symlink() and len(lines(real)) == 2
    assert real.stat().st_mode & 0o777 == 0o660


def test_a_database_of_a_newer_quizzer_is_refused(tmp_path: Path, database: str) -> None:
    rated(tmp_path / "a.db", "x")
    synced(tmp_path / "a.db", database)
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE quizzer.meta SET content = '99'")
    for ask in (
        lambda: synced(tmp_path / "a.db", database),
        lambda: [*postgres.all_events(database, ["x"])],
    ):
        with pytest.raises(TargetError, match="newer quizzer"):
            ask()


def test_without_psycopg_the_remedy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(TargetError, match=r'needs psycopg.* -m pip install "psycopg\[binary\]"'):
        synced(tmp_path / "a.db", "postgresql://host/course")


def test_a_file_target_is_a_store_that_can_be_restored(tmp_path: Path) -> None:
    a, place = tmp_path / "a.db", tmp_path / "t.db"
    rated(a, "x", "y")
    synced(a, place)
    restore(tmp_path / "new.db", place, NOW)
    assert lines(tmp_path / "new.db") == lines(a)
    with Store.open(tmp_path / "new.db", NOW) as one, Store.open(a, NOW) as other:
        assert one.progress() == other.progress()


def test_copies_in_conflict_are_united_by_syncing_with_each(tmp_path: Path) -> None:
    a, b, place = (tmp_path / name for name in ("a.db", "b.db", "t.db"))
    conflicted = tmp_path / "t (conflicted copy).db"
    rated(a, "x")
    rated(b, "y")
    synced(a, place)
    synced(b, conflicted)
    for target in (conflicted, place, conflicted):
        synced(a, target)
    synced(b, place)
    assert lines(a) == lines(b) == lines(place) == lines(conflicted)


def test_files_that_are_no_target_are_refused_and_left(tmp_path: Path) -> None:
    a = tmp_path / "a.db"
    rated(a, "x")
    (tmp_path / "text.db").write_text("Dear diary, " * 99)
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as raw:
        raw.execute("CREATE TABLE notes (n)")
    (tmp_path / "h-2026-03-02.db").write_bytes(a.read_bytes())
    (tmp_path / "h-2026-03-03.since-2026-03-02").write_text("what changed")
    Store.open(tmp_path / "newer.db", NOW, steps=(("CREATE TABLE extra (n)",),)).close()
    refusals = {
        "text.db": "not a SQLite file",
        "foreign.db": "another program",
        "newer.db": "newer quizzer",
        "a.db": "this history itself",
        "h-2026-03-02.db": "daily copy",
        "h-2026-03-03.since-2026-03-02": "daily copy",
        ".": "is a folder",
        "nowhere/t.db": "folder is not there",
    }
    for name, says in refusals.items():
        place = tmp_path / name
        before = place.read_bytes() if place.is_file() else None
        with pytest.raises((TargetError, StoreTooNewError), match=says):
            synced(a, place)
        assert (place.read_bytes() if place.is_file() else None) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_refused_and_left(tmp_path: Path) -> None:
    rated(tmp_path / "a.db", "x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TargetError, match="is a pipe or a device"):
        synced(tmp_path / "a.db", tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_folder_that_may_not_be_entered_is_told_as_such(tmp_path: Path) -> None:
    rated(tmp_path / "a.db", "x")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    with binding(), pytest.raises(TargetError, match="Permission denied"):
        synced(tmp_path / "a.db", closed / "t.db")


def test_another_programs_file_is_left_in_the_mode_it_has(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("CREATE TABLE notes (n)")
    before = other.read_bytes()
    rated(tmp_path / "a.db", "x")
    with pytest.raises(TargetError, match="another program"):
        synced(tmp_path / "a.db", other)
    with pytest.raises(StoreForeignError, match="Nothing was changed"):
        Store.open(other, NOW)
    with pytest.raises(StoreForeignError, match="Nothing was changed"):
        restore(other, tmp_path / "a.db", NOW)
    assert other.read_bytes() == before


def test_an_empty_file_that_a_carrier_made_first_is_filled(tmp_path: Path) -> None:
    (tmp_path / "t.db").write_bytes(b"")
    rated(tmp_path / "a.db", "x")
    assert synced(tmp_path / "a.db", tmp_path / "t.db") == Exchange(0, 1, 0)


def test_a_file_left_half_written_by_a_killed_process_is_cleared(tmp_path: Path) -> None:
    rated(tmp_path / "a.db", "x")
    synced(tmp_path / "a.db", tmp_path / "t.db")
    with Store.open(tmp_path / "a.db", NOW) as store, held(tmp_path / "t.db", store) as target:
        assert isinstance(target, file_target.FileTarget)
        partial = target.beside.with_name(f"{target.beside.name}.17.partial")
        partial.write_text("half")
        partial.with_name(f"{partial.name}-journal").write_text("half")
    before = {file.name for file in tmp_path.iterdir()}
    synced(tmp_path / "a.db", tmp_path / "t.db")
    gone = before - {file.name for file in tmp_path.iterdir()}
    assert len(gone) == 2 and all(".partial" in name for name in gone)


def test_who_has_opened_a_store_does_not_add_under_a_name_given_up_by_a_sync(
    tmp_path: Path,
) -> None:
    a, copy, place = tmp_path / "a.db", tmp_path / "copy.db", tmp_path / "t.db"
    rated(a, "x")
    shutil.copy(a, copy)
    rated(copy, "y")
    synced(copy, place)
    with Store.open(a, NOW) as session:
        synced(a, place)
        (event,) = session.record(Flag("x", True), at=NOW, day=study_day(NOW))
        assert event.after is None
        assert session.check() == []


FACTS = st.one_of(
    st.builds(
        Review,
        st.sampled_from("xyz"),
        st.sampled_from(Rating),
        st.integers(0, 9),
        st.just(State.REVIEW),
    ),
    st.builds(Flag, st.sampled_from("xyz"), st.booleans()),
    st.builds(Reset, st.sampled_from("xyz")),
    st.builds(Bury, st.sampled_from("xyz")),
    st.builds(Dispute, st.sampled_from("xyz"), *map(st.just, ("dx", "1", Verdict.WRONG))),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("record"), st.integers(0, 2), FACTS),
        st.tuples(st.just("undo"), st.integers(0, 2), st.none()),
        st.tuples(st.just("sync"), st.integers(0, 2), st.booleans()),
        st.tuples(st.just("copy"), st.integers(0, 2), st.none()),
    ),
    max_size=25,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS, apart=st.integers(-2, 2))
def test_whatever_three_machines_do_they_come_to_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, object]], apart: int
) -> None:
    """Two targets, and stores that are copied over one that had synced: chains fork."""
    folder = tmp_path_factory.mktemp("three")
    paths = [folder / f"{n}.db" for n in range(3)]
    places = [folder / "t.db", folder / "u.db"]
    clocks = [NOW + timedelta(days=apart * n) for n in range(3)]
    ids = set()

    def opened(n: int) -> Store:
        return Store.open(paths[n], clocks[n], backups=False)

    for step, n, detail in steps:
        with opened(n) as store:
            if step == "record":
                assert not isinstance(detail, bool | None)
                (event,) = store.record(detail, at=clocks[n], day=study_day(clocks[n]))  # type: ignore[arg-type]
                ids.add(event.id)
            elif step == "undo":
                store.undo(clocks[n], study_day(clocks[n]))
            else:
                with held(places[bool(detail)], store) as target:
                    sync(store, target, clocks[n])
        if step == "copy":
            with opened((n + 1) % 3) as other, held(places[0], other) as target:
                sync(other, target, clocks[n])
            shutil.copy(paths[n], paths[(n + 1) % 3])
    for n, place in [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (1, 0), (1, 1), (0, 0), (2, 0)]:
        with opened(n) as store, held(places[place], store) as target:
            sync(store, target, clocks[n])
    with opened(0) as one, opened(1) as other, opened(2) as third:
        assert [*one.lines()] == [*other.lines()] == [*third.lines()]
        assert one.progress() == other.progress() == third.progress()
        assert ids <= {event.id for event in one.events()}
        assert one.check() == other.check() == []
    shutil.rmtree(folder)
