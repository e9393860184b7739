"""Real histories of formats 1 to 3 become histories of this format, and lose nothing."""

import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg
import pytest

from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import Store, merge, restore
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError, TargetError
from quizzer.store.importers import quizzer_log
from quizzer.store.sync import course, file_target, postgres
from quizzer.store.sync.course_sums import totals
from quizzer.store.sync.exchange import sync
from quizzer.values import Fit

FORMATS = Path(__file__).parent / "formats"
NOW = datetime(2026, 4, 1, 20, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture(params=[1, 2, 3])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with what a quizzer of an older format wrote."""
    return copied(request.param, tmp_path)


@pytest.fixture(params=[1, 2])
def chained(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same of formats whose parameters were in a file of their own."""
    return copied(request.param, tmp_path)


def copied(format: int, tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    shutil.copytree(FORMATS / str(format), folder)
    return folder


def format_of(path: Path) -> int:
    return path.read_bytes()[63]  # where SQLite keeps the number that a program may set


def told(lines: list[str]) -> dict[str, tuple[object, ...]]:
    """What each line says of its event, by the id; the columns that all formats share."""
    keys = ("device", "at_ms", "offset_min", "day", "kind", "card", "body")
    found = (json.loads(line) for line in lines)
    return {event["id"]: tuple(event[key] for key in keys) for event in found}


def exported(folder: Path) -> dict[str, tuple[object, ...]]:
    return told((folder / "export.jsonl").read_text("utf-8").splitlines())


def lines(path: Path) -> list[str]:
    with Store.open(path, NOW, read_only=True) as store:
        assert store.check() == []
        return [*store.lines()]


def test_a_store_keeps_every_event_after_a_backup_of_its_own(old: Path) -> None:
    path = old / "history.db"
    format = format_of(path)
    with Store.open(path, NOW, backups=False) as store:
        assert store.warnings == []
        assert store.check() == []
        found = told(store.lines())
        assert exported(old).items() <= found.items()
        last = store.events()[-1].fact
        assert isinstance(last, Fit) and last.parameters == store.parameters
        assert store.parameters[0] == 0.1
    (copy,) = (old / "backups" / "history.db").iterdir()
    assert copy.name == f"history-2026-04-01-format-{format}.db"
    with closing(sqlite3.connect(copy)) as kept, closing(sqlite3.connect(path)) as new:
        before, after = (
            raw.execute("SELECT COUNT(*) FROM events").fetchone()[0] for raw in (kept, new)
        )
    assert after == before + (format < 3), "the fit of a file becomes an event"
    first = path.read_bytes()
    with Store.open(path, NOW) as store:
        assert sum(isinstance(event.fact, Fit) for event in store.events()) == 1
    assert path.read_bytes() == first, "it is converted once"


def test_a_converted_store_goes_on_under_the_name_of_its_device(old: Path) -> None:
    with closing(sqlite3.connect(old / "history.db")) as before:
        ((device,),) = before.execute("SELECT content FROM meta WHERE name = 'device'")
    with Store.open(old / "history.db", NOW, backups=False) as store:
        assert store.device == store.events()[-1].device == device


class Killed(BaseException):
    """As by SIGKILL: nothing after it is done."""


@pytest.mark.parametrize("commits", [1, 2, 3])
def test_a_conversion_that_was_killed_loses_no_parameters(
    old: Path, monkeypatch: pytest.MonkeyPatch, commits: int
) -> None:
    left = commits
    real = Connection._run

    def run(self: Connection, sql: str, parameters: Sequence[object] = ()) -> list[object]:
        nonlocal left
        if left == 0:
            raise Killed
        found = real(self, sql, parameters)
        left -= sql == "COMMIT"
        return found

    with monkeypatch.context() as patch, suppress(Killed):
        patch.setattr(Connection, "_run", run)
        Store.open(old / "history.db", NOW, backups=False).close()
    with Store.open(old / "history.db", NOW, backups=False) as store:
        assert store.parameters[0] == 0.1
        assert sum(isinstance(event.fact, Fit) for event in store.events()) == 1


def test_what_was_readable_by_others_is_their_owners_alone_from_then_on(old: Path) -> None:
    copy = old / "backups" / "history-2026-03-01.db"
    copy.parent.mkdir()
    shutil.copy(old / "backup.db", copy)
    for file in (old / "history.db", copy):
        file.chmod(0o644)
    Store.open(old / "history.db", NOW).close()
    for file in (old / "history.db", copy):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_reader_sees_an_old_store_as_a_new_one_and_leaves_it(old: Path) -> None:
    path = old / "history.db"
    before = path.read_bytes()
    assert exported(old).items() <= told(lines(path)).items()
    assert path.read_bytes() == before


def test_parameters_that_were_damaged_are_the_defaults_with_a_warning(chained: Path) -> None:
    file = chained / "history-parameters.json"
    for text in ("", "{", "[]", "[" * 100_000, '{"model": "FSRS-6", "parameters": [1]}'):
        file.write_text(text, "utf-8")
        copy = shutil.copy(chained / "history.db", chained / "copy.db")
        shutil.copy(file, chained / "copy-parameters.json")
        with Store.open(copy, NOW, backups=False) as store:
            (warning,) = store.warnings
            assert "copy-parameters.json" in warning and "quizzer fit" in warning
            assert store.parameters == DEFAULT_PARAMETERS
        assert (chained / "copy-parameters.json").read_text("utf-8") == text
        copy.unlink()


def test_a_conversion_that_is_killed_before_the_parameters_are_taken_over_is_done_again(
    chained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("quizzer.store.log.append", killed)
        Store.open(chained / "history.db", NOW, backups=False)
    with Store.open(chained / "history.db", NOW, backups=False) as store:
        assert [type(event.fact) for event in store.events(kinds=(Fit,))] == [Fit]


def test_a_pipe_in_place_of_the_parameters_keeps_nobody_waiting(chained: Path) -> None:
    (chained / "history-parameters.json").unlink()
    os.mkfifo(chained / "history-parameters.json")
    with Store.open(chained / "history.db", NOW, backups=False) as store:
        (warning,) = store.warnings
        assert "history-parameters.json" in warning
        assert store.parameters == DEFAULT_PARAMETERS


def test_an_old_export_and_an_old_backup_are_imported(old: Path, tmp_path: Path) -> None:
    with Store.open(tmp_path / "new.db", NOW) as store:
        rows = quizzer_log.of_lines((old / "export.jsonl").read_text("utf-8").split("\n"))
        assert rows.faults == []
        sound = merge.sound(rows.rows, {})
        assert sound.faults == []
        store.take(sound.rows, NOW)
        assert told(store.lines()) == exported(old)
        backup = quizzer_log.of_store(old / "backup.db")
        assert merge.sound(backup.rows, store.log.hashes()) == ([], [])
        assert len([*backup.rows]) == len(exported(old))


def test_an_old_backup_is_put_back(old: Path) -> None:
    path = old / "history.db"
    Store.open(path, NOW, backups=False).close()
    restore(path, old / "backup.db", NOW)
    with Store.open(path, NOW, backups=False) as store:
        found = told(store.lines())
        assert exported(old).items() <= found.items()
        taken_over = format_of(old / "backup.db") < 3
        assert len(found) == len(exported(old)) + taken_over, "and the fit that was in a file"
        assert store.check() == []


@pytest.mark.parametrize("column", ["card", "body", "day", "device", "id"])
def test_a_damaged_event_of_an_old_store_is_not_made_a_sound_one(old: Path, column: str) -> None:
    path = old / "history.db"
    with closing(sqlite3.connect(path)) as raw:
        triggers = raw.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        raw.execute("DROP TRIGGER events_are_never_changed")
        ((row,),) = raw.execute(
            "SELECT rowid FROM events WHERE kind = 'review' ORDER BY rowid LIMIT 1 OFFSET 3"
        )
        value = {"day": "day + 1", "body": "'{}'", "id": "'00' || substr(id, 3)"}
        raw.execute(f"UPDATE events SET {column} = {value.get(column, chr(39) + 'x' + chr(39))}"
                    f" WHERE rowid = {row}")  # fmt: skip
        raw.execute(next(sql for (sql,) in triggers if "never_changed" in sql))
        raw.commit()
    with pytest.raises(StoreDamagedError, match="not as it was written"):
        Store.open(path, NOW)
    left = [*(old / "backups" / "history.db").iterdir()]
    assert left == [], "no try leaves a further copy"
    found = quizzer_log.of_store(path)
    assert found.faults
    whole = exported(old)
    assert all(whole.get(row.id, (row.device,))[0] == row.device for row in found.rows)
    assert len(whole) - 8 <= len({row.id for row in found.rows} & whole.keys()) < len(whole)


def test_in_an_old_store_whose_pages_do_not_fit_every_event_is_found(old: Path) -> None:
    path = old / "history.db"
    data = bytearray(path.read_bytes())
    data[100:4096] = bytes(3996)  # the names of all tables
    path.write_bytes(data)
    found = quizzer_log.of_store(path)
    assert found.faults
    assert exported(old).keys() <= {row.id for row in found.rows}
    assert merge.sound(found.rows, {}).faults == []


@pytest.mark.parametrize("lost", [0, 2])
def test_what_an_old_store_had_lost_is_missed_after_it_is_converted(
    tmp_path: Path, lost: int
) -> None:
    path = copied(3, tmp_path) / "history.db"
    with closing(sqlite3.connect(path)) as raw, raw:
        trigger = "FROM sqlite_master WHERE name = 'events_are_never_deleted'"
        ((sql,),) = raw.execute(f"SELECT sql {trigger}")
        raw.execute("DROP TRIGGER events_are_never_deleted")
        ids = f"SELECT id FROM events ORDER BY id DESC LIMIT {lost}"
        raw.execute(f"DELETE FROM events WHERE id IN ({ids})")
        raw.execute(sql)
    assert quizzer_log.of_store(path).missing.count == lost
    with Store.open(path, NOW, backups=False) as store:
        assert len(store.check()) == (lost > 0)
        assert store.examined().missing.count == lost


def test_two_machines_convert_an_event_to_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "two"
    shutil.copytree(FORMATS / "2", folder)
    (folder / "history-parameters.json").unlink()
    one, other, fork = folder / "history.db", folder / "target.db", folder / "backup.db"
    assert {*lines(fork)} <= {*lines(one)} and {*lines(other)} <= {*lines(one)}
    events = [json.loads(line) for line in lines(one)]
    after = [event["after"] for event in events if event["after"]]
    assert len(after) > len(set(after)), "the fork is two events after one"


@pytest.mark.parametrize("format", [2, 3])
def test_an_old_synced_file_is_converted_and_told(tmp_path: Path, format: int) -> None:
    folder = copied(format, tmp_path)
    place, path = folder / "target.db", tmp_path / "new.db"
    before = place.read_bytes()
    with (
        Store.open(path, NOW) as store,
        file_target.opened(place, store, None) as target,
    ):
        assert target.converted and f"of format {format}; now it is of format 4" in target.converted
        done = sync(store, target, NOW)
    assert (done.taken, done.given, done.not_taken) == (len(exported(folder)), 0, ())
    assert (folder / f"target.db.format-{format}").stat().st_size == len(before)
    assert lines(place) == lines(path)
    with Store.open(path, NOW) as store, file_target.opened(place, store, None) as target:
        assert target.converted is None
        assert sync(store, target, NOW).taken == 0


def test_an_old_file_that_was_kept_before_is_not_lost_to_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "two"
    shutil.copytree(FORMATS / "2", folder)
    place = folder / "target.db"
    (folder / "target.db.format-2").write_bytes(b"kept before")
    with (
        Store.open(tmp_path / "new.db", NOW) as store,
        file_target.opened(place, store, None) as target,
    ):
        before = quizzer_log.of_store(place)
        sync(store, target, NOW)
        assert target.converted and "kept as target.db-2.format-2" in target.converted
    assert (folder / "target.db.format-2").read_bytes() == b"kept before"
    assert quizzer_log.of_store(folder / "target.db-2.format-2") == before


OLD_TABLES = (
    "CREATE SCHEMA quizzer",
    """CREATE TABLE quizzer.events (learner TEXT NOT NULL, id TEXT NOT NULL, device TEXT NOT NULL,
        seq BIGINT NOT NULL, at_ms BIGINT NOT NULL, offset_min INTEGER NOT NULL,
        day INTEGER NOT NULL, kind TEXT NOT NULL, card TEXT NOT NULL, body TEXT NOT NULL,
        hash TEXT NOT NULL, PRIMARY KEY (learner, id))""",
    "CREATE INDEX events_in_chains ON quizzer.events (learner, device, seq)",
    "CREATE INDEX events_by_card ON quizzer.events (card)",
    """CREATE FUNCTION quizzer.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'events are only ever added'; END $$""",
    """CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE
        ON quizzer.events FOR EACH STATEMENT EXECUTE FUNCTION quizzer.refuse()""",
    "CREATE TABLE quizzer.meta (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)",
    "INSERT INTO quizzer.meta (name, content) VALUES ('format', '1')",
)


@pytest.fixture
def old_database(database: str) -> str:
    """A course's database as the quizzer of format 2 made it, with two learners."""
    with closing(sqlite3.connect(FORMATS / "2" / "target.db")) as raw:
        rows = raw.execute("SELECT * FROM events").fetchall()
    with psycopg.connect(database) as connection:
        for statement in OLD_TABLES:
            connection.execute(statement.encode())
        for learner in ("maria", "jo"):
            for row in rows:
                marks = ", ".join(["%s"] * 11)
                connection.execute(
                    f"INSERT INTO quizzer.events VALUES ({marks})".encode(), (learner, *row)
                )
        connection.execute("DROP ROLE IF EXISTS late")
        connection.execute("CREATE ROLE late LOGIN")
        connection.execute("GRANT USAGE ON SCHEMA quizzer TO late")
        connection.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA quizzer TO late")
    return database


def synced(path: Path, address: str, learner: str) -> tuple[int, str | None]:
    with Store.open(path, NOW) as store, postgres.opened(address, learner, claimed=True) as target:
        return sync(store, target, NOW).taken, target.converted


def test_a_courses_old_database_is_converted_by_who_made_it_and_others_are_told(
    tmp_path: Path, old_database: str
) -> None:
    late = old_database.replace("teacher:chalk", "late")
    events = len(exported(FORMATS / "2"))
    with pytest.raises(TargetError, match=r"older format.*Ask them to run `quizzer sync`"):
        synced(tmp_path / "late.db", late, "jo")
    with pytest.raises(TargetError, match="of an older format"):
        list(postgres.all_events(late, ["a"]))
    taken, told = synced(tmp_path / "maria.db", old_database, "maria")
    assert taken == events and told and "events_of_format_1" in told
    assert synced(tmp_path / "maria.db", old_database, "maria") == (0, None)
    assert synced(tmp_path / "late.db", late, "jo") == (events, None), "rights stay"
    done = course.set_up(old_database, own_rows=False, anew=False, progress=lambda *_: None)
    assert (done.made, done.added_up) == (False, 2)
    for who in (old_database, late):
        found = totals(who, ["a"])
        assert found and found.learners == 2, "who could read events can read their sums"
    assert {name for name, _ in postgres.all_events(old_database, ["a"])} == {"jo", "maria"}
    with psycopg.connect(old_database) as connection:
        kept = connection.execute("SELECT COUNT(*) FROM quizzer.events_of_format_1").fetchone()
        assert kept == (2 * events,)
        connection.execute("DROP OWNED BY late")
        connection.execute("DROP ROLE late")


def test_what_was_damaged_in_an_old_database_is_told_when_it_is_converted(
    tmp_path: Path, old_database: str
) -> None:
    with psycopg.connect(old_database) as connection:
        for change in ("DISABLE", "ENABLE"):
            connection.execute(
                f"ALTER TABLE quizzer.events {change} TRIGGER events_are_never_changed".encode()
            )
            if change == "DISABLE":
                connection.execute(
                    "UPDATE quizzer.events SET day = day + 1 WHERE learner = 'jo' AND id ="
                    " (SELECT MAX(id) FROM quizzer.events)"
                )
    _, told = synced(tmp_path / "maria.db", old_database, "maria")
    assert told and "damaged and left out: 1" in told
    with psycopg.connect(old_database) as connection:
        connection.execute("DROP OWNED BY late")
        connection.execute("DROP ROLE late")
