"""`import`: our own export and backups, and what other programs recorded."""

import json
import os
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from command_line import CommandLine


@pytest.fixture
def store(cli: CommandLine, deck: Path, here: Path) -> Path:
    """A history with several kinds of events."""
    path = here / "data" / "history.db"
    for card, rating in (("open", "good"), ("number", "again"), ("open", "easy")):
        cli.ok("rate", card, rating, "--deck", deck, "--store", path)
    cli.ok("undo", "--store", path)
    cli.ok("suspend", "choice", "--deck", deck, "--store", path)
    return path


def exported(cli: CommandLine, store: Path) -> str:
    return cli.ok("export", "-", "--store", store).out


@pytest.mark.parametrize("kind", ["export", "backup"])
def test_what_was_written_and_is_imported_is_the_same_history(
    cli: CommandLine, deck: Path, store: Path, here: Path, kind: str
) -> None:
    cli.ok(kind, "kept", "--store", store)
    ran = cli.ok("import", "kept", "--store", "new.db")
    assert ran.out == f"{here}/kept: took 5 events\n"
    assert exported(cli, here / "new.db") == exported(cli, store)
    lists = [
        cli.ok("list", "--json", "--deck", deck, "--store", path).json
        for path in (store, here / "new.db")
    ]
    assert lists[0] == lists[1]
    assert cli.ok("import", "kept", "--store", "new.db").out.endswith(
        "took 0 events, 5 events there already\n"
    )


def test_two_histories_are_united_by_import(cli: CommandLine, deck: Path, store: Path) -> None:
    cli.ok("rate", "square", "good", "--deck", deck, "--store", "other.db")
    cli.ok("export", "lines", "--store", "other.db")
    ran = cli.ok("import", "lines", "--store", store)
    assert "took 1 event\n" in ran.out
    assert "rescheduled 1 card" in ran.err
    assert cli.ok("history", "square", "--deck", deck, "--store", store)


def test_of_a_changed_export_what_was_changed_is_left_out(
    cli: CommandLine, store: Path, here: Path
) -> None:
    lines = exported(cli, store).splitlines()
    changed = [line.replace('"rating":1', '"rating":4') for line in lines]
    (here / "changed").write_text("\n".join(changed), "utf-8")
    ran = cli("import", "changed", "--store", "new.db")
    assert ran.code == 6 and "left out, damaged:\n  event " in ran.err
    assert set(exported(cli, here / "new.db").splitlines()) == {*lines} & {*changed}
    assert len({*lines} - {*changed}) == 1


def test_an_export_whose_first_line_is_gone_is_taken_and_the_event_missed(
    cli: CommandLine, store: Path, here: Path
) -> None:
    lines = exported(cli, store).splitlines()
    (here / "headless").write_text("\n".join(lines[1:]), "utf-8")
    ran = cli.ok("import", "headless", "--store", "new.db")
    assert "lacks 1 event." in ran.err
    assert exported(cli, here / "new.db").splitlines() == lines[1:]
    assert "1 event lost to damage" in cli("doctor", "--store", "new.db").out


def test_a_pipe_is_refused_and_not_waited_for(cli: CommandLine, store: Path, here: Path) -> None:
    os.mkfifo(here / "pipe")
    ran = cli("import", "pipe", "--store", store)
    assert (ran.code, ran.out) == (2, "") and "is a pipe or a device" in ran.err
    (here / "log.csv").write_text(CSV, "utf-8")
    ran = cli("import", "log.csv", "--map", "pipe", "--store", store)
    assert (ran.code, ran.out) == (2, "") and "is a pipe or a device" in ran.err


def test_a_file_far_too_large_is_refused_and_not_read(
    cli: CommandLine, store: Path, here: Path
) -> None:
    with (here / "endless").open("wb") as file:
        file.truncate(1 << 40)
    ran = cli("import", "endless", "--store", store)
    assert (ran.code, ran.out) == (2, "") and "more than the" in ran.err


def test_a_dry_run_says_what_it_would_take_and_takes_nothing(
    cli: CommandLine, store: Path, here: Path
) -> None:
    cli.ok("export", "lines", "--store", store)
    ran = cli.ok("import", "lines", "--dry-run", "--store", "new.db")
    assert ran.out.endswith("lines: would take 5 events\n")
    assert not (here / "new.db").exists()


CSV = (
    "card_id,review_time,review_rating,review_duration\n"
    "open,1760000000000,3,9000\nopen,1760259200000,3,9000\n"
    "77,1760000000000,1,9000\nstranger,1760000000000,1,9000\n"
)


def test_a_csv_is_imported_and_what_matches_no_card_is_told(
    cli: CommandLine, deck: Path, here: Path
) -> None:
    (here / "log.csv").write_text(CSV, "utf-8")
    ran = cli.ok("import", "log.csv", "--deck", deck, "--store", "h.db")
    assert ran.out == f"{here}/log.csv: took 2 events\n"
    assert "left out: 2 reviews of 2 cards: not in this deck" in ran.err
    assert "stranger  1 review" in ran.err
    (here / "map.csv").write_text("77,number\n", "utf-8")
    ran = cli.ok("import", "log.csv", "--map", "map.csv", "--deck", deck, "--store", "h.db")
    assert ran.out == f"{here}/log.csv: took 1 event, 2 events there already\n"
    assert "left out: 1 review of 1 card" in ran.err
    told = {
        row["id"]: row for row in cli.ok("list", "--json", "--deck", deck, "--store", "h.db").json
    }
    assert told["open"]["reviews"] == 2
    assert told["number"]["lapses"] == 0 and told["number"]["reviews"] == 1
    assert told["square"]["state"] == "new"
    events = [json.loads(line) for line in exported(cli, here / "h.db").splitlines()]
    assert {event["offset_min"] for event in events} == {60}
    assert all(event["device"].startswith("import-") for event in events)
    assert "no rating to take back" in cli("undo", "--store", "h.db").err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("77,nubmer\n", "no card `nubmer`; did you mean `number`?"),
        ("77\n", "line 1: write two columns"),
        ("77,number\n77,open\n", "line 2: 77 is there twice"),
    ],
)
def test_a_faulty_map_is_refused(
    cli: CommandLine, deck: Path, here: Path, text: str, says: str
) -> None:
    (here / "log.csv").write_text(CSV, "utf-8")
    (here / "map.csv").write_text(text, "utf-8")
    ran = cli("import", "log.csv", "--map", "map.csv", "--deck", deck, "--store", "h.db")
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_what_is_no_file_to_import_is_told(cli: CommandLine, here: Path, store: Path) -> None:
    (here / "diary").write_text("Dear diary", "utf-8")
    for name, says in (("diary", "is none of"), ("gone", "No such file"), (".", "it is a folder")):
        ran = cli("import", name, "--store", store)
        assert (ran.code, ran.out) == (2, "")
        assert says in ran.err
    cli.ok("export", "lines", "--store", store)
    ran = cli("import", "lines", "--map", "diary", "--store", store)
    assert (ran.code, ran.out) == (2, "") and "--map is for" in ran.err


def test_a_database_that_cannot_be_used_is_told_as_a_history_that_cannot(
    cli: CommandLine, here: Path, store: Path
) -> None:
    with closing(sqlite3.connect(here / "other.db")) as raw:
        raw.execute("CREATE TABLE songs (name)")
    shutil.copy(store, here / "newer.db")
    with closing(sqlite3.connect(here / "newer.db")) as raw:
        raw.execute("PRAGMA user_version = 99")
        raw.execute("DROP TABLE events")
    (here / "empty.db").write_bytes(store.read_bytes()[:100].ljust(4096, b"\1"))
    for name in ("other.db", "newer.db", "empty.db"):
        ran = cli("import", name, "--store", "new.db")
        assert (ran.code, ran.out) == (6, ""), name
        assert "cannot be read: " in ran.err and "Nothing was taken" in ran.err
        assert not (here / "new.db").exists()


def test_what_an_export_dates_in_the_future_is_taken_and_said(
    cli: CommandLine, deck: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as ahead:
        ahead.setenv("QUIZZER_NOW", "2031-01-02T09:00:00+01:00")
        cli.ok("rate", "open", "good", "--deck", deck, "--store", "ahead.db")
        cli.ok("export", "lines", "--store", "ahead.db")
    ran = cli.ok("import", "lines", "--store", "new.db")
    assert "took 1 event" in ran.out
    assert "1 event is dated in the future, up to 2031-01-02 09:00" in ran.err


def test_a_line_without_its_hash_has_that_hash(cli: CommandLine, store: Path) -> None:
    """Another program can check a history that it is given, event by event."""
    before = None
    for line in exported(cli, store).splitlines():
        content = re.sub(r',"hash":"[0-9a-f]{64}"}$', "}", line)
        event = json.loads(line)
        assert event["hash"] == sha256(content.encode()).hexdigest()
        assert event["after"] == before
        before = event["id"]


def test_two_cards_of_one_note_are_left_out_and_told_until_somebody_says_which(
    cli: CommandLine, deck: Path, here: Path
) -> None:
    with closing(sqlite3.connect(here / "collection.anki2")) as anki:
        anki.executescript(
            "CREATE TABLE revlog (id, cid, ease, ivl, factor, time, type);"
            "CREATE TABLE cards (id, nid); CREATE TABLE notes (id, guid, flds);"
            "INSERT INTO notes VALUES (7, 'guid', 'open');"
            "INSERT INTO cards VALUES (1, 7), (2, 7);"
            "INSERT INTO revlog VALUES (1760000000000, 1, 3, 4, 2500, 9000, 0),"
            " (1760000060000, 2, 3, 4, 2500, 9000, 0);"
        )
    asked = ("import", "collection.anki2", "--deck", deck, "--store", "h.db")
    ran = cli.ok(*asked)
    assert ran.out.endswith("took 0 events\n")
    assert "left out: 2 reviews of 2 cards: several cards there match one here" in ran.err
    (here / "map.csv").write_text("2,open\n", "utf-8")
    ran = cli.ok(*asked, "--map", "map.csv")
    assert ran.out.endswith("took 1 event\n")


@pytest.mark.parametrize("name", ["collection.anki2", "collection.anki21"])
def test_a_package_with_an_empty_collection_is_told_in_plain_words(
    cli: CommandLine, deck: Path, here: Path, name: str
) -> None:
    with zipfile.ZipFile(here / "nos.apkg", "w") as package:
        package.writestr(name, b"")
    ran = cli("import", "nos.apkg", "--deck", deck, "--store", "new.db")
    assert (ran.code, ran.out) == (2, "")
    assert "holds no reviews: the database in it is empty. Nothing was taken" in ran.err
    assert "SQLite" not in ran.err
