"""What can go wrong with a learner's history, and that he is led out of it.

Every fault is one of the real program on real files. The learner must be told what happened, where,
and what to do; doing it word for word must bring back what was saved; no other outcome than exit
code 6 or unchanged answers is right.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest
from command_line import CommandLine, Ran
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING, card_text

from quizzer.store import Store
from quizzer.values import Attempt, Fact, Flag, Rating, Review, State, Suspend, Verdict

CARDS = ("square", "choice", "open", "other")
SENTENCE = re.compile(r"quizzer: (?P<where>\S+) .+\. .+\.$", re.M)
"""What was met, where it stands, and at least one sentence on what to do."""
NEWEST = re.compile(r"daily backups?, the newest (?P<file>\S+)$", re.M)
PUT_BACK = re.compile(r"`quizzer restore FILE`.*? (?P<folder>/\S+)\.$", re.M)


@pytest.fixture
def here(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that an ordinary user may enter, with a deck, on a fixed morning."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    for name, text in {
        "square.md": DERIVATION_CARD,
        "square.py": CHECKER,
        "choice.md": CHOICE_CARD,
        "open.md": card_text("open"),
        "other.md": card_text("other"),
    }.items():
        (folder / "deck").mkdir(exist_ok=True)
        (folder / "deck" / name).write_text(text, "utf-8")
    monkeypatch.chdir(folder)
    (folder / "home").mkdir()
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.setenv("QUIZZER_DECK", str(folder / "deck"))
    monkeypatch.setenv("QUIZZER_STORE", str(folder / "data" / "history.db"))
    monkeypatch.setenv("QUIZZER_NOW", MORNING.isoformat())
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def cli(here: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    return CommandLine(monkeypatch)


@pytest.fixture
def judging_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """`doctor` looks at the history alone: how answers are judged is tested elsewhere."""
    from quizzer.cli.commands import doctor

    good = doctor.Finding("judging", "works")
    monkeypatch.setattr(doctor, "_judging", lambda _: good)
    monkeypatch.setattr(doctor, "_sandbox", lambda _: doctor.Finding("sandbox", "stand"))


@pytest.fixture
def store(here: Path) -> Path:
    """A history of 500 events up to yesterday, and the backup of this morning."""
    path = here / "data" / "history.db"
    rng = Random(5)
    with Store.open(path, MORNING - timedelta(days=120), backups=False) as opened:
        for number in range(0, 500, 10):
            at = MORNING - timedelta(days=120 - number * 0.238)
            facts = [_fact(rng, each) for each in range(number, number + 10)]
            opened.record(*facts, at=at, day=at.toordinal())
    Store.open(path, MORNING).close()
    return path


def _fact(rng: Random, number: int) -> Fact:
    card = rng.choice(CARDS)
    match number % 10:
        case 3:
            return Attempt(card, "dx", "2 x dy", Verdict.WRONG, diagnosis="factor", seed=number)
        case 6:
            return Flag(card, on=bool(number % 4))
        case 9 if number == 499:
            return Suspend("other")
    state = State.REVIEW if number > 20 else State.NEW
    return Review(card, rng.choice(list(Rating)), rng.randint(0, 30), state, rng.random() * 60)


def quizzer(*words: object, program: str = "", limit: int = 0, **environ: str) -> Ran:
    """Run the program as a process; `limit`: the bytes that a file may have, as on a full disk."""
    done = subprocess.run(
        [sys.executable, *(["-c", program] if program else ["-m", "quizzer"]), *map(str, words)],
        capture_output=True,
        text=True,
        # Python itself would leave half-written bytecode where a file may have no more bytes.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environ},
        preexec_fn=(lambda: _limit(limit)) if limit else None,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def said(cli: CommandLine) -> list[tuple[int, str]]:
    """What the commands that read most say of the history."""
    runs = (cli("list", "--json"), cli("stats", "--json"), cli("export", "-"))
    for ran in runs:
        assert ran.code in (0, 6), ran.err
        assert ran.code == 0 or SENTENCE.search(ran.err), ran.err
    return [(ran.code, ran.out) for ran in runs]


def put_back(cli: CommandLine, told: str) -> None:
    """Do what the message says: put back the newest backup of the folder that it names."""
    way = PUT_BACK.search(told)
    assert way, told
    newest = max(Path(way["folder"]).glob("history-????-??-??.db"))
    ran = cli.ok("restore", newest)
    assert "is kept in" in ran.err


def led_out(cli: CommandLine, store: Path, before: list[tuple[int, str]], told: str) -> None:
    """Following the message brings all of it back, and the next rating is saved."""
    put_back(cli, told)
    assert said(cli) == before
    cli.ok("rate", "open", "good")
    assert cli.ok("stats", "--json").json["reviews"] == json.loads(before[1][1])["reviews"] + 1


# A full disk


@pytest.mark.parametrize("words", [("rate", "open", "good"), ("undo",), ("suspend", "open")])
def test_on_a_full_disk_nothing_is_lost_and_the_learner_makes_room(
    cli: CommandLine, store: Path, words: tuple[str, ...]
) -> None:
    before = said(cli)
    ran = quizzer(*words, limit=2048)
    assert (ran.code, ran.out) == (6, "")
    assert str(store) in ran.err
    assert "full" in ran.err and "stays saved" in ran.err and "do the last step again" in ran.err
    assert said(cli) == before
    assert quizzer("list", "--json", limit=2048).out == before[0][1]
    cli.ok(*words)


def test_a_full_disk_stops_a_store_from_being_made_and_the_next_start_makes_it(
    cli: CommandLine, here: Path
) -> None:
    ran = quizzer("rate", "open", "good", limit=2048)
    assert ran.code == 6 and "full" in ran.err
    cli.ok("rate", "open", "good")
    assert cli.ok("stats", "--json").json["reviews"] == 1


def test_a_full_disk_while_a_backup_is_put_back_leaves_the_history(
    cli: CommandLine, store: Path
) -> None:
    cli.ok("rate", "open", "good")
    before = said(cli)
    (backup,) = (store.parent / "backups" / "history.db").iterdir()
    ran = quizzer("restore", backup, limit=2048)
    assert ran.code == 6 and f"{store} cannot be used: File too large" in ran.err
    assert said(cli) == before
    cli.ok("restore", backup)
    assert said(cli) != before


def test_a_new_card_that_does_not_fit_the_disk_leaves_no_file_and_can_be_made_later(
    cli: CommandLine, here: Path
) -> None:
    ran = quizzer("new", "my-layer", "--deck", here, limit=64)
    assert ran.code == 2 and "my-layer.md: cannot be written: File too large" in ran.err
    assert not list(here.rglob("my-layer.*"))
    cli.ok("new", "my-layer", "--deck", here)


def test_a_starter_deck_that_does_not_fit_the_disk_is_told_in_a_sentence(here: Path) -> None:
    ran = quizzer("init", "mine", limit=64)
    assert ran.code == 2
    assert re.search(r"mine/\S+: cannot be written: File too large\. Remove mine, then ", ran.err)
    assert "Errno" not in ran.err


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_copy_that_no_longer_fits_the_disk_is_told_and_not_left_half_made(
    cli: CommandLine, store: Path, here: Path, command: str
) -> None:
    ran = quizzer(command, "copy", limit=2048)
    assert ran.code in (2, 6) and ran.err.startswith("quizzer: ")
    assert not [path for path in here.iterdir() if path.name.startswith("copy")]
    cli.ok(command, "copy")


@pytest.mark.parametrize("there", [False, True])
def test_where_a_synced_file_finds_no_room_the_learner_looks_after_its_disk_and_syncs_again(
    cli: CommandLine, store: Path, here: Path, there: bool
) -> None:
    target = here / "carried.db"
    if there:
        cli.ok("sync", target, "--store", here / "other.db")
    ran = quizzer("sync", target, limit=2048)
    assert (ran.code, ran.out) == (6, "")
    assert ran.err.startswith(f"quizzer: {target} ") and "Nothing is lost" in ran.err
    assert re.search(r"(Make room|Check the disk), then sync again\.$", ran.err)
    cli.ok("sync", target)


def test_a_rating_is_saved_although_no_backup_fits_any_more(
    cli: CommandLine, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZZER_NOW", (MORNING + timedelta(days=1)).isoformat())
    backups = store.parent / "backups"
    shutil.rmtree(backups)
    backups.touch()
    ran = cli.ok("rate", "open", "good")
    assert "No backup was made today" in ran.err
    assert cli.ok("due", "--json").json["counts"]["learning"] >= 0


# A store that may only be read


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_store_that_may_only_be_read_is_read_and_takes_no_rating(
    cli: CommandLine, store: Path, locked: str, request: pytest.FixtureRequest
) -> None:
    before = said(cli)
    place = store if locked == "file" else store.parent
    store.parent.chmod(0o755)
    store.chmod(0o644)
    place.chmod(0o555)
    request.getfixturevalue("ordinary_user")
    assert said(cli) == before
    ran = cli("rate", "open", "good")
    assert (ran.code, ran.out) == (6, "")
    assert str(store) in ran.err
    assert "permission" in ran.err and "stays saved" in ran.err
    assert "Make sure that you may read and write the file and its folder" in ran.err
    place.chmod(0o755)
    cli.ok("rate", "open", "good")


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_of_synced_files_that_may_only_be_read_is_told_with_what_to_do(
    cli: CommandLine, here: Path, there: bool, request: pytest.FixtureRequest
) -> None:
    folder, own = here / "carried", here / "own"
    folder.mkdir()
    own.mkdir()
    own.chmod(0o777)
    if there:
        cli.ok("sync", folder / "t.db", "--store", here / "other.db")
    else:
        cli.ok("sync", here / "t.db", "--store", here / "other.db")  # imports what it needs
    if (folder / "t.db").exists():
        (folder / "t.db").chmod(0o644)
    folder.chmod(0o555)
    request.getfixturevalue("ordinary_user")
    cli.ok("rate", "open", "good", "--store", own / "h.db")
    ran = cli("sync", folder / "t.db", "--store", own / "h.db")
    assert (ran.code, ran.out) == (6, "")
    assert ran.err.startswith(f"quizzer: {folder / 't.db'} ") and "Nothing is lost" in ran.err
    assert ran.err.endswith(
        "Make sure that you may read and write the file and its folder, then sync again.\n"
    )
    folder.chmod(0o755)


# Truncated and bit-flipped files


def _damaged(
    cli: CommandLine, store: Path, damages: Iterator[bytes], before: list[tuple[int, str]]
) -> int:
    """Try each damaged file: what is said is as it was, or it is told and leads out. How many
    were told."""
    whole = store.read_bytes()
    told = 0
    for damaged in damages:
        store.write_bytes(damaged)
        after = said(cli)
        doctor = cli("doctor", "--json")
        history = json.loads(doctor.out)["history"]
        assert doctor.code == (0 if history["ok"] else 6)
        if not history["ok"]:
            told += 1
            words = "\n".join([history["says"], *history["details"]])
            if newest := NEWEST.search(words):
                assert f"quizzer restore {newest['file']}" in words
                cli.ok("restore", newest["file"])
            else:
                put_back(cli, words)
            assert said(cli) == before
        else:
            assert after == before
        for leftover in store.parent.glob("history.db*"):
            leftover.unlink()
        store.write_bytes(whole)
    return told


@pytest.mark.slow
def test_a_flipped_bit_is_told_or_changes_nothing(
    cli: CommandLine, store: Path, judging_works: None
) -> None:
    rng = Random(0)
    whole = store.read_bytes()

    def flipped() -> Iterator[bytes]:
        places = [*rng.sample(range(100), 3), *rng.sample(range(len(whole)), 17)]
        for place in places:
            data = bytearray(whole)
            data[place] ^= 1 << rng.randrange(8)
            yield bytes(data)

    assert _damaged(cli, store, flipped(), said(cli)) >= 5


@pytest.mark.slow
def test_a_truncated_file_is_told_whatever_is_left_of_it(
    cli: CommandLine, store: Path, judging_works: None
) -> None:
    whole = store.read_bytes()
    rng = Random(1)
    lengths = [0, 1, 15, 16, 99, 100, 511, 4095, 4096, 4097, len(whole) - 4096, len(whole) - 1]
    lengths += rng.sample(range(len(whole)), 4)
    cut = (whole[:length] for length in lengths)
    assert _damaged(cli, store, cut, said(cli)) == len(lengths)


@pytest.mark.parametrize("length", [0, 5000, 40_000])
def test_who_is_told_of_a_truncated_file_by_any_command_is_led_out(
    cli: CommandLine, store: Path, length: int
) -> None:
    before = said(cli)
    store.write_bytes(store.read_bytes()[:length])
    for words in (["rate", "open", "good"], ["due"], ["undo"], ["stats"]):
        ran = cli(*words)
        assert (ran.code, ran.out) == (6, "")
        assert "Nothing was changed" in ran.err
    assert store.stat().st_size == length
    led_out(cli, store, before, ran.err)


@pytest.mark.parametrize("content", [b"SQLite format 3\0" * 40, b"no store at all" * 40])
def test_who_is_told_of_a_damaged_backup_is_led_to_the_folder_where_the_others_are(
    cli: CommandLine, store: Path, content: bytes
) -> None:
    before = said(cli)
    (other,) = (store.parent / "backups" / "history.db").iterdir()
    damaged = other.with_name("history-2026-01-01.db")
    damaged.write_bytes(content)
    ran = cli("restore", damaged)
    assert (ran.code, ran.out) == (6, "")
    way = PUT_BACK.search(ran.err)
    assert way and Path(way["folder"]) == other.parent
    assert said(cli) == before


def test_a_store_in_a_folder_named_backups_has_its_own_copies_named(
    cli: CommandLine, here: Path
) -> None:
    path = here / "backups" / "mine.db"
    for card in ("open", "other"):
        cli.ok("rate", card, "good", "--store", path)
    (copy,) = (path.parent / "backups" / "mine.db").iterdir()
    path.write_bytes(b"")
    ran = cli("due", "--store", path)
    way = PUT_BACK.search(ran.err)
    assert ran.code == 6 and way and Path(way["folder"]) == copy.parent


def test_an_old_event_that_changed_is_told_when_the_history_is_copied(
    cli: CommandLine, store: Path, here: Path
) -> None:
    before = said(cli)
    data = store.read_bytes()
    place = data.index(b'"rating":') + len(b'"rating":')
    store.write_bytes(data[:place] + bytes([data[place] ^ 3]) + data[place + 1 :])
    for words in (["export", "-"], ["export", "log"], ["backup", "copy"]):
        ran = cli(*words)
        assert ran.code == 6
        assert "not as it was written" in ran.err
    assert (here / "log").exists() and (here / "copy").exists(), "what there is can be kept"
    led_out(cli, store, before, ran.err)


# Killed processes

MIGRATING = """
import os, signal, sys
from pathlib import Path
from quizzer.cli.main import main
from quizzer.store import Store, schema
from quizzer.store.connection import Connection

step = ("ALTER TABLE events ADD COLUMN note TEXT", "CREATE TABLE extra (n INTEGER)")
Store.open.__func__.__kwdefaults__["steps"] = (step,)

left, written = int(sys.argv[1]), Connection.write

def write(self, sql, *rows):
    global left
    if self.path == Path(os.environ["QUIZZER_STORE"]):
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
    written(self, sql, *rows)

Connection.write = write
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("statements", range(3))
def test_a_migration_killed_half_way_leaves_the_history_as_it_was(
    cli: CommandLine, store: Path, statements: int, judging_works: None
) -> None:
    before = said(cli)
    ran = quizzer(statements, "rate", "open", "good", program=MIGRATING)
    assert (ran.code, ran.out) == (-signal.SIGKILL, "")
    assert said(cli) == before
    assert "in order" in cli.ok("doctor").out
    cli.ok("rate", "open", "good")
    assert quizzer(99, "rate", "open", "good", program=MIGRATING).code == 0


def test_after_a_migration_an_older_quizzer_is_told_of_it_and_of_the_backup(
    cli: CommandLine, store: Path
) -> None:
    before = said(cli)
    assert quizzer(99, "due", program=MIGRATING).code == 0
    assert said(cli) == before, "a reader migrates nothing"
    assert quizzer(99, "rate", "open", "good", program=MIGRATING).code == 0
    assert "newer quizzer" in cli.ok("due").err
    ran = cli("rate", "open", "good")
    assert (ran.code, ran.out) == (6, "")
    assert "newer quizzer" in ran.err and "Update quizzer" in ran.err
    (copy,) = (store.parent / "backups" / "history.db").glob("*-format-*.db")
    assert str(copy.parent) in ran.err
    cli.ok("restore", copy)
    assert said(cli) == before


RATING = """
import sys
from quizzer.app.workspace import Workspace
from quizzer.values import Rating
from quizzer.session.rating import commit

workspace = Workspace()
entry = workspace.entry(sys.argv[1])
with workspace.open_store() as store:
    for number in range(int(sys.argv[2])):
        rating = list(Rating)[number % 4]
        commit(store, entry, rating, workspace.settings, workspace.now())
        print(rating.label, flush=True)
"""


@pytest.mark.slow
def test_of_hundreds_of_ratings_by_two_writers_that_are_killed_none_is_lost(
    cli: CommandLine, here: Path, judging_works: None
) -> None:
    rng = Random(9)
    acknowledged = {"open": 0, "other": 0}
    kills = 0
    while (left := 300 - sum(acknowledged.values())) > 0:
        writers = {
            card: subprocess.Popen(
                [sys.executable, "-c", RATING, card, str(min(left, 150 - done))],
                stdout=subprocess.PIPE,
                text=True,
            )
            for card, done in acknowledged.items()
            if done < 150
        }
        first = next(iter(writers.values()))
        assert first.stdout
        heard = [first.stdout.readline() for _ in range(rng.randint(1, 40))]
        time.sleep(rng.random() / 50)
        for writer in writers.values():
            writer.kill()
        for card, writer in writers.items():
            lines = writer.communicate()[0].splitlines(keepends=True)
            lines += heard if writer is first else []
            acknowledged[card] += sum(line.endswith("\n") for line in lines)
            kills += writer.returncode < 0
        rows = {row["id"]: row for row in cli.ok("list", "--json").json}
        for card, said_to_be_saved in acknowledged.items():
            assert said_to_be_saved <= rows[card]["reviews"] <= said_to_be_saved + kills
    assert kills >= 4
    assert "in order" in cli.ok("doctor").out
    log = [json.loads(line) for line in cli.ok("export", "-").out.splitlines()]
    assert [event["after"] for event in log] == [None, *(event["id"] for event in log[:-1])]


# Clocks


def test_a_clock_that_went_back_is_told_and_gains_no_card_anything(
    cli: CommandLine, store: Path, monkeypatch: pytest.MonkeyPatch, judging_works: None
) -> None:
    assert "clock" not in cli.ok("rate", "open", "good").err
    stability = cli.ok("rate", "open", "good", "--json").json["stability"]
    for back in (timedelta(days=2), timedelta(days=400)):
        monkeypatch.setenv("QUIZZER_NOW", (MORNING - back).isoformat())
        ran = cli.ok("rate", "open", "good", "--json")
        assert "The clock" in ran.err and "2026-11-20 09:00" in ran.err
        assert ran.json["stability"] < stability * 2
    promised = ran.json["due"][:10]
    monkeypatch.setenv("QUIZZER_NOW", MORNING.isoformat())
    assert "in order" in cli.ok("doctor").out
    (row,) = (row for row in cli.ok("list", "--json").json if row["id"] == "open")
    assert row["due"][:10] == promised > "2026-11-20"
    assert "took back good on open" in cli.ok("undo").out


ON_THE_WAY = {
    "summer time begins": [("Europe/Berlin", "2026-03-26", 8)],
    "summer time ends": [("Europe/Berlin", "2026-10-22", 8)],
    "from Tokyo to Los Angeles": [
        ("Asia/Tokyo", "2026-11-16", 4),
        ("America/Los_Angeles", "2026-11-19", 6),
    ],
    "from Los Angeles to Tokyo": [
        ("America/Los_Angeles", "2026-11-16", 4),
        ("Asia/Tokyo", "2026-11-21", 6),
    ],
}


@pytest.mark.parametrize("journey", ON_THE_WAY)
@pytest.mark.parametrize("hour", [4, 13, 27.98])
def test_no_card_comes_twice_on_a_study_day_nor_is_passed_over(
    cli: CommandLine,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    journey: str,
    hour: float,
) -> None:
    due: dict[str, str] = {}
    met: dict[str, list[str]] = {card: [] for card in CARDS}
    last = ""
    for zone, first, days in ON_THE_WAY[journey]:
        for number in range(days):
            midnight = datetime.fromisoformat(first).replace(tzinfo=ZoneInfo(zone))
            local = midnight + timedelta(days=number, hours=hour)  # by the clock on the wall
            monkeypatch.setenv("QUIZZER_NOW", local.isoformat())
            today = (midnight + timedelta(days=number)).date().isoformat()
            queue = cli.ok("due", "--json").json
            assert queue["day"] == today
            asked = [row["id"] for row in queue["due"]] + queue["new"]
            assert set(asked) == {card for card in CARDS if due.get(card, "") <= today}
            for number_of_card, card in enumerate(asked):
                rating = "easy" if (number_of_card + len(met[card])) % 3 == 0 else "good"
                said_due = cli.ok("rate", card, rating, "--json").json
                due[card] = _study_day(said_due, today)
                assert today not in met[card], f"{card} came twice on {today}"
                met[card].append(today)
            left = {row["id"] for row in cli.ok("due", "--json").json["due"]}
            assert not left & set(met_today(met, today))
            last = max(last, today)
    assert all(len(days) > 1 for days in met.values())


def met_today(met: dict[str, list[str]], today: str) -> Iterator[str]:
    return (card for card, days in met.items() if today in days)


def _study_day(rated: dict[str, object], today: str) -> str:
    days = rated["interval_days"]
    assert isinstance(days, int)
    return (datetime.fromisoformat(today) + timedelta(days=days)).date().isoformat()
