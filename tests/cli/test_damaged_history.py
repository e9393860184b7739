"""One damaged event strands no other: what follows `restore`, word for word, brings all back."""

import re
import shlex
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import MORNING

from quizzer.cli.commands import doctor
from quizzer.store import Store, additions, backup
from quizzer.store.files import base_of
from quizzer.store.layout import id_of, kept_id
from quizzer.values import Flag, Rating, Review, State, study_day

Process = Callable[..., subprocess.CompletedProcess[str]]
EVENTS = 10
OTHER = (
    "CAST(CASE substr({0}, 1, 1) WHEN x'FF' THEN x'FE' ELSE x'FF' END || substr({0}, 2) AS BLOB)"
)
"""Bytes that differ from those of a column in the first one."""
FLIPS = {
    "body": """UPDATE events SET body = replace(body, '"rating":3', '"rating":2')""",
    "no text": "UPDATE events SET body = CAST(X'7BFF' || substr(body, 3) AS TEXT)",
    "type": "UPDATE events SET body = CAST(body AS BLOB)",
    "hash": f"UPDATE events SET hash = {OTHER.format('hash')}",
    "day": "UPDATE events SET day = day + 1",
    "id": f"UPDATE events SET id = {OTHER.format('id')}",
    "device": f"UPDATE events SET device = {OTHER.format('device')}",
    "no bytes": "UPDATE events SET device = CAST(device AS TEXT)",
    "half an id": "UPDATE events SET after = substr(after, 1, 8)",
    "after": "UPDATE events SET after = id",
}


@pytest.fixture(autouse=True)
def judging_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """`doctor` looks at the history alone: how answers are judged is tested elsewhere."""
    for name in ("judging", "sandbox"):
        monkeypatch.setattr(doctor, f"_{name}", lambda _, name=name: doctor.Finding(name, "stands"))


@pytest.fixture
def store(deck: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two ratings a day for five days, with a backup of each morning but the first."""
    path = here / "data" / "s.db"
    monkeypatch.setenv("QUIZZER_STORE", str(path))
    monkeypatch.setenv("QUIZZER_DECK", str(deck))
    monkeypatch.setenv("QUIZZER_NOW", (MORNING + timedelta(days=4, hours=1)).isoformat())
    rated(path, 0, EVENTS)
    return path


def rated(path: Path, first: int, end: int) -> None:
    for number in range(first, end):
        at = MORNING + timedelta(days=number // 2, minutes=number % 2)
        with Store.open(path, at) as store:
            review = Review("open" if number % 2 else "number", Rating.GOOD, 1, State.REVIEW)
            store.record(review, at=at, day=study_day(at))


def damage(path: Path, number: int, how: str) -> None:
    """Change one event of the file behind quizzer's back, in one of the ways or by a statement."""
    with closing(sqlite3.connect(path)) as raw:
        triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, sql in triggers.fetchall():
            raw.execute(f"DROP TRIGGER {name}")
            if name == "events_are_never_changed":
                raw.execute(
                    f"{FLIPS.get(how, how)} WHERE id = (SELECT id FROM events ORDER BY id"
                    f" LIMIT 1 OFFSET {number - 1})"
                )
            raw.execute(sql)
        raw.commit()


def restored(cli: CommandLine, backup: str) -> tuple[str, ...]:
    """Put a backup back; the words of the command that the message gives."""
    told = cli.ok("restore", f"data/backups/s.db/s-{backup}.db").err
    found = re.search(r"Bring them back with: quizzer (.+)$", told, re.M)
    assert found, told
    return tuple(shlex.split(found[1]))


def events(cli: CommandLine, path: object = None) -> dict[str, str]:
    """The lines of the log by id."""
    said = cli.ok("export", "-", *(["--store", path] if path else [])).out
    return {line.split('"')[3]: line for line in said.splitlines()}


def in_order(cli: CommandLine, *store: object) -> str:
    return next(line for line in cli("doctor", *store).out.splitlines() if "in order" in line)


@pytest.mark.parametrize("how", FLIPS)
@pytest.mark.parametrize("number", [10, 9])
def test_what_is_newer_than_the_backup_comes_back_but_for_what_is_damaged(
    cli: CommandLine, store: Path, here: Path, number: int, how: str
) -> None:
    whole = events(cli)
    cli.ok("backup", "intact.db")
    damage(store, number, how)
    command = restored(cli, "2026-11-24")
    dry, ran, again = cli(*command, "--dry-run"), cli(*command), cli(*command)
    assert (dry.code, ran.code, again.code) == (6, 6, 6)
    assert "would take 1 event," in dry.out
    expected = dict(whole)
    del expected[list(whole)[number - 1]]
    assert "left out, damaged:\n  event " in ran.err
    assert events(cli) == expected
    assert "took 0 events" in again.out
    assert f"{len(expected)} events, in order" in in_order(cli)

    for _ in range(2):
        cli.ok("sync", here / "intact.db")
        assert events(cli) == whole
        assert cli.ok("export", "-").out == cli.ok("export", "-", "--store", "intact.db").out
        assert "10 events, in order" in in_order(cli)
        assert "10 events, in order" in in_order(cli, "--store", "intact.db")
    assert "lost" not in cli("doctor").out
    assert cli(*command).code in (0, 6)


@pytest.mark.parametrize("how", sorted(FLIPS.keys() - {"id"}))
def test_days_after_an_old_event_was_damaged_are_not_lost(
    cli: CommandLine, store: Path, how: str
) -> None:
    whole = events(cli)
    store.unlink()
    shutil.copy(store.parent / "backups" / "s.db" / "s-2026-11-23.db", store)
    damage(store, 3, how)
    for late in (24, 23, 22):
        (store.parent / "backups" / "s.db" / f"s-2026-11-{late}.db").unlink()
    rated(store, 6, EVENTS)
    ran = cli(*restored(cli, "2026-11-21"))
    told = events(cli)
    assert (ran.code, len(told)) == (6, EVENTS - 1)
    assert [id in told for id in list(whole)[:6]] == [True, True, False, True, True, True]
    assert f"{len(told)} events, in order" in in_order(cli)
    assert "1 event lost to damage" in cli("doctor").out
    cli.ok("sync", "carried.db")
    cli.ok("import", "carried.db", "--store", "new.db")
    assert events(cli, "new.db") == told


@pytest.mark.parametrize("how", ["type", "half an id", "UPDATE events SET hash = 1.5"])
def test_an_export_of_a_damaged_history_has_every_other_event(
    cli: CommandLine, store: Path, how: str
) -> None:
    whole = list(events(cli).values())
    damage(store, 3, how)
    assert cli("export", "log.jsonl").code == 6
    ran = cli("import", "log.jsonl", "--store", "new.db")
    assert "left out, damaged:\n  event " in ran.err
    assert [*events(cli, "new.db").values()] == whole[:2] + whole[3:]


@pytest.mark.parametrize("column", ["id", "device", "after"])
def test_an_event_that_is_kept_as_text_is_told_and_comes_back_by_an_import(
    cli: CommandLine, store: Path, column: str
) -> None:
    """SQLite sorts texts before all bytes: its card would be remembered by another order."""
    whole = events(cli)
    with closing(sqlite3.connect(store)) as raw:
        ((kept,),) = raw.execute(f"SELECT {column} FROM events ORDER BY id LIMIT 1 OFFSET 5")
    damage(store, 6, f"UPDATE events SET {column} = '{id_of(kept)}'")
    ran = cli("doctor")
    assert ran.code == 6 and f"event {list(whole)[5]} has a text" in ran.out
    cli.ok("import", store, "--store", "new.db")
    assert events(cli, "new.db") == whole
    assert "in order" in in_order(cli, "--store", "new.db")


def test_processes_that_do_as_they_are_told_bring_it_back(store: Path, process: Process) -> None:
    before = process("export", "-").stdout.splitlines()
    data = store.read_bytes()
    place = data.index(b'"rating":') + len(b'"rating":')
    store.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    ran = process("rate", "open", "good")
    assert ran.returncode == 6 and "`quizzer restore FILE`" in ran.stderr
    ran = process("restore", "data/backups/s.db/s-2026-11-24.db")
    found = re.search(r"Bring them back with: quizzer (.+)$", ran.stderr, re.M)
    assert found, ran.stderr
    ran = process(*shlex.split(found[1]))
    assert "took 1 event, 8 events there already" in ran.stdout
    assert (ran.returncode, "Traceback" in ran.stderr) == (6, False)
    after = process("export", "-").stdout.splitlines()
    assert len(after) == 9 and set(after) < set(before)
    assert process("rate", "open", "good").returncode == 0


def test_of_lines_that_cannot_be_read_the_others_are_taken(
    cli: CommandLine, store: Path, here: Path
) -> None:
    lines = cli.ok("export", "-").out.splitlines()
    (here / "cut").write_text("\n".join([*lines[:-1], lines[-1][:40]]), "utf-8")
    ran = cli("import", "cut", "--store", "new.db")
    assert (ran.code, ran.out) == (6, f"{here}/cut: took 9 events\n")
    assert "left out, damaged:\n  line 10: " in ran.err
    assert len(events(cli, "new.db")) == 9


@pytest.mark.parametrize("byte", [b"\x0b", b"*", b"\x8a", b""])
def test_events_are_taken_though_the_break_between_their_lines_is_damaged(
    cli: CommandLine, store: Path, here: Path, byte: bytes
) -> None:
    data = cli.ok("export", "-").out.encode()
    place = data.index(b"\n")
    (here / "joined").write_bytes(data[:place] + byte + data[place + 1 :])
    ran = cli("import", "joined", "--store", "new.db")
    assert (ran.code, ran.out) == (6, f"{here}/joined: took 10 events\n")
    assert "left out, damaged:\n  line 1: " in ran.err


def test_lines_are_known_though_the_first_byte_is_damaged(
    cli: CommandLine, store: Path, here: Path
) -> None:
    (here / "spoiled").write_text("[" + cli.ok("export", "-").out[1:], "utf-8")
    ran = cli("import", "spoiled", "--store", "new.db")
    assert (ran.code, ran.out) == (6, f"{here}/spoiled: took 9 events\n")


def test_an_event_is_counted_once(cli: CommandLine, store: Path, here: Path) -> None:
    lines = cli.ok("export", "-").out.splitlines()
    (here / "twice").write_text("\n".join([*lines, *lines]), "utf-8")
    assert cli.ok("import", "twice", "--store", "new.db").out == f"{here}/twice: took 10 events\n"


def typed(cli: CommandLine, told: str) -> None:
    """Type the commands that `doctor` prints, and what `restore` prints then, word for word."""
    for line in told.splitlines():
        words = shlex.split(line.strip()) if line.strip().startswith(("quizzer ", "mv ")) else []
        if words[:1] == ["mv"]:
            shutil.move(words[1], words[2])
        elif words:
            said = cli(*words[1:]).err
            if found := re.search(r"Bring them back with: quizzer (.+)$", said, re.M):
                cli(*shlex.split(found[1]))


@pytest.mark.parametrize("how", FLIPS)
@pytest.mark.parametrize("backups", ["sound", "damaged", "none"])
def test_what_doctor_prints_leads_out_with_all_that_is_sound(
    cli: CommandLine, store: Path, how: str, backups: str
) -> None:
    whole = events(cli)
    damage(store, 5, how)
    copies = sorted((store.parent / "backups" / "s.db").iterdir())
    if backups == "none":
        shutil.rmtree(store.parent / "backups")
    elif backups == "damaged":
        for copy in copies:
            copy.write_bytes(copy.read_bytes()[:5000])
    ran = cli("doctor")
    assert ran.code == 6
    typed(cli, ran.out)
    ran = cli("doctor")
    assert ran.code == 0 and "in order" in ran.out
    left = set(whole.values()) - set(events(cli).values())
    assert len(left) == (0 if backups == "sound" else 1)
    assert ("1 event lost to damage" in ran.out) == bool(left)


@pytest.mark.parametrize("older", ["intact", "none"])
def test_what_doctor_prints_takes_what_is_sound_of_copies_that_build_on_a_damaged_one(
    cli: CommandLine, store: Path, monkeypatch: pytest.MonkeyPatch, older: str
) -> None:
    monkeypatch.setattr(backup, "LARGE", 0)
    monkeypatch.setattr(additions, "FEW", 0)
    monkeypatch.setenv("QUIZZER_NOW", (MORNING + timedelta(days=9)).isoformat())
    for day, events_of_day in ((5, 400), (6, 1), (7, 1)):
        at = MORNING + timedelta(days=day)
        with Store.open(store, at) as opened:
            flags = [Flag(f"card-{number}", True) for number in range(events_of_day)]
            opened.record(*flags, at=at, day=study_day(at))
    *earlier, base, newest = sorted((store.parent / "backups" / "s.db").iterdir())
    assert base_of(newest) == base
    for copy in earlier if older == "none" else []:
        copy.unlink()
    whole = events(cli)
    damage(store, 100, "day")  # no intact copy has it
    data = bytearray(base.read_bytes())
    data[len(data) // 2] ^= 1
    base.write_bytes(data)
    told = cli("doctor").out
    assert ("None of them is intact" in told) == (older == "none")
    typed(cli, told)
    assert cli("doctor").code == 0
    assert events(cli) == whole


def test_what_only_an_older_copy_still_has_is_brought_back(
    cli: CommandLine, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "LARGE", 0)
    monkeypatch.setattr(additions, "FEW", 0)
    monkeypatch.setenv("QUIZZER_NOW", (MORNING + timedelta(days=9)).isoformat())
    for day, events_of_day in ((5, 400), (6, 30), (7, 1), (8, 1)):
        at = MORNING + timedelta(days=day)
        with Store.open(store, at) as opened:
            flags = [Flag(f"card-{number}", True) for number in range(events_of_day)]
            opened.record(*flags, at=at, day=study_day(at))
    *earlier, base, older, newest = sorted((store.parent / "backups" / "s.db").iterdir())
    assert base_of(newest) == base_of(older) == base
    for copy in earlier:
        copy.unlink()
    whole = events(cli)
    store.write_bytes(b"no history" * 99)
    base.write_bytes(base.read_bytes()[:-5000])
    newest.write_bytes(b"")
    typed(cli, cli("doctor").out)
    flags_of_day_6 = [id for id, line in whole.items() if '"flag"' in line][400:430]
    assert set(flags_of_day_6) <= set(events(cli))


@pytest.mark.parametrize("newest", ["empty", "of a day to come"])
def test_a_copy_that_is_the_newest_by_its_name_alone_hides_no_other(
    cli: CommandLine, store: Path, newest: str
) -> None:
    whole = events(cli)
    copies = sorted((store.parent / "backups" / "s.db").iterdir())
    if newest == "empty":
        copies[-1].write_bytes(b"")
    else:  # it was made while the clock was wrong
        shutil.copy(copies[0], copies[0].with_name("s-2027-01-01.db"))
    store.write_bytes(b"no history" * 99)
    typed(cli, cli("doctor").out)
    assert list(events(cli)) == list(whole)[: 6 if newest == "empty" else 8]


def test_what_was_put_aside_after_an_earlier_damage_is_not_overwritten(
    cli: CommandLine, store: Path
) -> None:
    kept = []
    for number in (5, 3):
        damage(store, number, "body")
        shutil.rmtree(store.parent / "backups", ignore_errors=True)
        kept.append(store.read_bytes())
        typed(cli, cli("doctor").out)
    assert {file.read_bytes() for file in store.parent.glob("*.damaged")} == set(kept)


def test_backups_in_both_their_places_do_not_stand_in_the_way(
    cli: CommandLine, store: Path
) -> None:
    damage(store, 5, "body")
    folder = store.parent / "backups"
    for copy in (folder / "s.db").iterdir():
        copy.write_bytes(copy.read_bytes()[:5000])
        shutil.copy(copy, folder / copy.name.replace("2026", "2025"))
    typed(cli, cli("doctor").out)
    ran = cli("doctor")
    assert ran.code == 0 and f"{EVENTS - 1} events, in order" in ran.out


def test_backups_of_other_histories_stay_where_they_are(cli: CommandLine, store: Path) -> None:
    """An older quizzer kept the backups of all histories of a folder in one."""
    damage(store, 5, "body")
    folder = store.parent / "backups"
    (folder / "other-2025-11-20.db").write_bytes(b"another history's")
    (folder / "s-2025-11-20.db").write_bytes(b"damaged")
    for copy in (folder / "s.db").iterdir():
        copy.write_bytes(copy.read_bytes()[:5000])
    typed(cli, cli("doctor").out)
    assert (folder / "other-2025-11-20.db").read_bytes() == b"another history's"
    assert (folder / "s-2025-11-20.db.damaged").read_bytes() == b"damaged"
    assert "in order" in cli.ok("doctor").out


def vanish(path: Path, which: str) -> None:
    """Remove events behind quizzer's back."""
    with closing(sqlite3.connect(path)) as raw:
        ((sql,),) = raw.execute("SELECT sql FROM sqlite_master WHERE name LIKE '%deleted'")
        raw.execute("DROP TRIGGER events_are_never_deleted")
        raw.execute(f"DELETE FROM events WHERE id IN (SELECT id FROM events {which})")
        raw.execute(sql)
        raw.commit()


def test_what_a_file_lacks_is_no_loss_where_the_history_has_it(
    cli: CommandLine, store: Path, here: Path
) -> None:
    cli.ok("backup", "whole.db")
    shutil.copy(store, here / "less.db")
    vanish(here / "less.db", "LIMIT 1 OFFSET 4")
    ran = cli.ok("import", "less.db")
    assert "took 0 events, 9 events there already" in ran.out
    ran = cli("import", "less.db", "--store", "new.db")
    assert ran.code == 6 and ran.err.count(" is missing") == 1


def test_a_loss_that_one_machine_was_told_of_is_no_damage_of_another(
    cli: CommandLine, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = cli.ok("export", "-").out.splitlines()
    gap = store.parent / "gap.jsonl"
    gap.write_text("\n".join([*lines[:3], *lines[4:]]), "utf-8")
    cli.ok("import", gap, "--store", "one.db")
    cli.ok("sync", "carried.db", "--store", "one.db")
    cli.ok("sync", "carried.db", "--store", "two.db")
    for name in ("one.db", "two.db"):
        ran = cli.ok("doctor", "--store", name)
        assert "9 events, in order" in ran.out and "1 event lost to damage" in ran.out
    later = MORNING + timedelta(days=6)
    monkeypatch.setenv("QUIZZER_NOW", later.isoformat())
    assert "No backup" not in cli.ok("rate", "open", "good", "--store", "two.db").err
    assert list(Path("backups", "two.db").iterdir())


def test_events_that_vanished_are_missed_and_come_back_from_a_backup(
    cli: CommandLine, store: Path
) -> None:
    whole = events(cli)
    vanish(store, "LIMIT 2 OFFSET 4")
    ran = cli("doctor")
    assert ran.code == 6 and f"event {list(whole)[5]} of device" in ran.out
    typed(cli, ran.out)
    assert whole.items() <= events(cli).items()
    assert "in order" in cli("doctor").out


def test_an_import_does_not_hide_that_the_newest_event_vanished(
    cli: CommandLine, store: Path
) -> None:
    """No other event names it: only the count tells."""
    vanish(store, "ORDER BY id DESC LIMIT 1")
    (store.parent / "old").write_text(cli("export", "-").out.splitlines()[0], "utf-8")
    ran = cli("import", str(store.parent / "old"))
    assert "The history lacks 1 event." in ran.err


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory SET lapses = 7",
        "UPDATE memory SET stability = 'much'",
        "UPDATE memory SET card = 'x' WHERE card = 'open'",
        "DELETE FROM memory",
        "UPDATE memory SET card = x'ff' WHERE card = 'open'",
    ],
)
def test_memory_that_does_not_follow_is_no_damaged_history_and_is_made_anew(
    cli: CommandLine, store: Path, statement: str
) -> None:
    whole, rows = events(cli), cli.ok("list", "--json").json
    with closing(sqlite3.connect(store)) as raw:
        raw.execute(statement)
        raw.commit()
    ran = cli("due")
    assert ran.code in (0, 6)
    if ran.code:
        assert "`quizzer doctor` rebuilds the schedule" in ran.err
    ran = cli.ok("doctor")
    assert "in order" in ran.out and "rebuilt" in ran.out and "restore" not in ran.out
    assert cli.ok("list", "--json").json == rows
    assert events(cli) == whole
    assert "rebuilt" not in cli.ok("doctor").out


def test_a_synced_file_whose_rows_are_blank_is_told_and_made_whole(
    cli: CommandLine, store: Path, here: Path
) -> None:
    whole = events(cli)
    cli.ok("sync", "carried.db")
    data = (here / "carried.db").read_bytes()
    rows = data.index(kept_id(next(iter(whole))))
    page = rows // 4096 * 4096
    blank = data[: page + 100] + bytes(3996) + data[page + 4096 :]
    (here / "carried.db").write_bytes(blank)
    ran = cli("sync", "carried.db", "--store", "new.db")
    assert ran.code == 6 and "its pages do not fit together" in ran.err
    found = re.search(r"`quizzer (import .+)` takes what is sound", ran.err)
    assert found
    cli(*shlex.split(found[1]), "--store", "new.db")
    (here / "carried.db").rename(here / "aside.db")
    for each in (store, "new.db"):
        cli.ok("sync", "carried.db", "--store", each)
    assert events(cli, "new.db") == events(cli) == whole


def test_what_the_index_of_the_previous_history_no_longer_lists_comes_back(
    cli: CommandLine, store: Path
) -> None:
    whole = events(cli)
    with closing(sqlite3.connect(store)) as raw:
        root = "(SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_meta_1')"
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute(
            f"UPDATE sqlite_schema SET rootpage = {root} WHERE name = 'sqlite_autoindex_events_1'"
        )
        raw.commit()
    assert cli("doctor").code == 6
    cli(*restored(cli, "2026-11-22"))
    assert events(cli) == whole


def test_a_history_that_is_given_up_for_a_backup_says_what_it_had_more(
    cli: CommandLine, store: Path
) -> None:
    whole = cli.ok("export", "-").out
    told = cli.ok("restore", "data/backups/s.db/s-2026-11-23.db", "--store", store).err
    assert told.startswith(
        "It lacks 4 events of the previous history. Bring them back with: quizzer "
    )
    assert f"--store {store}\n" in told
    cli.ok(*restored(cli, "2026-11-22"))
    assert cli.ok("export", "-").out != whole
    kept = min(store.parent.glob("backups/s.db/*before-restore.db"))
    cli.ok("import", kept)
    assert cli.ok("export", "-").out == whole
    assert "It lacks" not in cli.ok("restore", kept).err


def test_what_a_newer_quizzer_wrote_is_not_called_damaged(cli: CommandLine, store: Path) -> None:
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("PRAGMA user_version = 99")
    ran = cli("doctor")
    history = [line for line in ran.out.splitlines() if line.startswith((" ", "history"))]
    assert ran.code == 6
    assert "a newer quizzer" in history[0] and "Update quizzer" in history[0]
    assert "Only if no newer quizzer has ever run here, the file is damaged" in history[1]


def test_what_a_newer_quizzer_wrote_is_read_and_never_written(
    cli: CommandLine, here: Path, store: Path
) -> None:
    exported = cli.ok("export", "-").out
    card = cli.ok("list", "--json").json[0]["id"]
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("ALTER TABLE events ADD COLUMN note TEXT")
        raw.execute("PRAGMA user_version = 99")
    (here / "more.jsonl").write_text(exported, "utf-8")
    before = store.read_bytes()
    reading = (("due",), ("list",), ("stats",), ("show", card), ("history", card), ("export", "-"))
    for command in reading:
        ran = cli.ok(*command)
        assert "written by a newer quizzer (format 99, this one knows 4)" in ran.err, command
        assert "not written to: only update quizzer" in ran.err, command
    assert ran.out == exported
    for command in (
        ("rate", card, "good"),
        ("undo",),
        ("suspend", card),
        ("fit",),
        ("import", "more.jsonl"),
        ("import", "more.jsonl", "--dry-run"),
        ("sync", "other.jsonl"),
    ):
        ran = cli(*command)
        assert ran.code == 6 and "only an update is needed" in ran.err, command
    assert store.read_bytes() == before


def test_the_advice_on_a_damaged_backup_names_the_history_that_it_was_for(
    cli: CommandLine, here: Path, store: Path
) -> None:
    cli.ok("backup", "one.db")
    (here / "one.db").write_bytes((here / "one.db").read_bytes()[:8_000])
    for place in ([], ["--store", str(here / "other.db")]):
        ran = cli("restore", "one.db", *place)
        assert ran.code == 6
        found = re.search(r"`quizzer (import .+)` takes what is sound of it", ran.err)
        assert found and shlex.split(found[1]) == ["import", str(here / "one.db"), *place]


@pytest.mark.parametrize(("place", "said"), [(68, "of another program"), (60, "a newer quizzer")])
def test_a_backup_whose_header_is_damaged_can_be_imported(
    cli: CommandLine, here: Path, store: Path, place: int, said: str
) -> None:
    whole = events(cli)
    cli.ok("backup", "one.db")
    data = bytearray((here / "one.db").read_bytes())
    data[place] ^= 1
    (here / "one.db").write_bytes(data)
    ran = cli("restore", "one.db", "--store", "new.db")
    assert ran.code == 6 and said in ran.err
    found = re.search(r"`quizzer (import .+)` takes what is sound of it", ran.err)
    assert found
    cli(*shlex.split(found[1]))
    assert events(cli, "new.db") == whole
