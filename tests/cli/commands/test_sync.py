"""`sync`: what it says, which target it takes, and that it tells no password."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import Terminal, environment
from samples import MORNING

from quizzer.store import Store
from quizzer.values import Attempt, Dispute, Verdict


@pytest.fixture
def config(cli: CommandLine, home: Path) -> Path:
    path = Path(cli.ok("config", "--json").json["path"])
    path.parent.mkdir(parents=True)
    return path


def rate(cli: CommandLine, deck: Path, card: str, store: str) -> None:
    cli.ok("rate", card, "good", "--deck", deck, "--store", store)


def test_two_histories_meet_in_a_file(cli: CommandLine, deck: Path, here: Path) -> None:
    rate(cli, deck, "open", "a.db")
    rate(cli, deck, "number", "b.db")
    assert cli.ok("sync", "t.db", "--store", "a.db").out == f"{here}/t.db: took 0 events, gave 1\n"
    ran = cli.ok("sync", "t.db", "--store", "b.db")
    assert (ran.out, ran.err) == (
        f"{here}/t.db: took 1 event, gave 1\n",
        "rescheduled 1 card\n",
    )
    cli.ok("sync", "t.db", "--store", "a.db")
    one, other = (cli.ok("export", "-", "--store", name).out for name in ("a.db", "b.db"))
    assert one == other and one.count("\n") == 2
    assert cli.ok("sync", "t.db", "--store", "a.db").out.endswith("took 0 events, gave 0\n")


def test_the_waiting_line_gives_way_to_word_of_another_process(
    cli: CommandLine, deck: Path, here: Path, home: Path
) -> None:
    rate(cli, deck, "open", "a.db")
    cli.ok("sync", "t.db", "--store", "a.db")
    env = environment(home, MORNING.isoformat())
    with closing(sqlite3.connect("t.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with Terminal("sync", here / "t.db", "--store", here / "a.db", env=env) as terminal:
            terminal.until(lambda: "waiting for it" in terminal.text)
            other.execute("ROLLBACK")
            assert terminal.ends() == 0
            assert terminal.text.startswith("another quizzer is writing to the history; ")
            assert "syncing" not in terminal.text


def test_without_a_target_the_configured_one_is_taken(
    cli: CommandLine, deck: Path, here: Path, config: Path, home: Path
) -> None:
    ran = cli("sync")
    assert (ran.code, ran.out) == (2, "")
    assert "quizzer sync FILE" in ran.err and "config.toml" in ran.err
    config.write_text('sync = "~/carried.db"\n', "utf-8")
    rate(cli, deck, "open", "a.db")
    assert cli.ok("sync", "--store", "a.db").out == "~/carried.db: took 0 events, gave 1\n"
    assert (home / "carried.db").exists()
    assert 'sync = "~/carried.db"' in cli.ok("config").out


def test_learners_are_kept_apart_by_name(
    cli: CommandLine, deck: Path, config: Path, database: str
) -> None:
    rate(cli, deck, "open", "a.db")
    rate(cli, deck, "number", "b.db")
    config.write_text(f'sync = "{database}"\nlearner = "maria"\n', "utf-8")
    cli.ok("sync", "--store", "a.db")
    assert cli.ok("sync", "--store", "b.db", "--learner", "jo").out.endswith(
        "took 0 events, gave 1\n"
    )
    assert cli.ok("sync", "--store", "c.db").out.endswith("took 1 event, gave 0\n")
    shown = cli.ok("config").out + json.dumps(cli.ok("config", "--json").json)
    assert "chalk" not in shown and "127.0.0.1" in shown and 'learner = "maria"' in shown


def test_the_login_name_is_the_learners_where_none_is_given(
    cli: CommandLine, deck: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "student")
    rate(cli, deck, "open", "a.db")
    cli.ok("sync", database, "--store", "a.db")
    ran = cli("sync", database, "--store", "b.db")
    assert (ran.code, ran.out) == (6, "")
    assert "1 event of a learner “student”" in ran.err and "--learner student" in ran.err
    cli.ok("sync", database, "--store", "b.db", "--learner", "student")
    cli.ok("sync", database, "--store", "b.db")


@pytest.mark.parametrize(
    ("target", "code", "says"),
    [
        ("https://u:secret@host/x", 2, "only a file or a postgresql://"),
        ("postgresql://u:secret@127.0.0.1:1/x", 6, "cannot be reached"),
        ("postgres://u:secret@127.0.0.1:1/x?password=secret", 6, "Nothing is lost"),
        ("nowhere/t.db", 6, "its folder is not there"),
        ("host=127.0.0.1 password=secret dbname=x", 2, "postgresql://USER@HOST/DATABASE"),
        ("postgresql:/u:secret@127.0.0.1/x", 2, "postgresql://USER@HOST/DATABASE"),
    ],
)
def test_a_target_that_cannot_be_used_is_told_without_its_password(
    cli: CommandLine, target: str, code: int, says: str
) -> None:
    ran = cli("sync", target, "--store", "a.db")
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err and "secret" not in ran.err


def test_a_file_is_synced_without_psycopg(here: Path) -> None:
    script = (
        "import sys; from quizzer.cli.main import main; "
        "main(['sync', 't.db', '--store', 'a.db']); print('psycopg' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.stdout.endswith("gave 0\nFalse\n"), ran.stderr


@pytest.fixture
def course(cli: CommandLine, deck: Path, database: str, here: Path) -> str:
    """Three learners of a course: two forgot the same, one of them answered wrongly."""
    for learner, ratings in {
        "maria": [("square", "again"), ("open", "good")],
        "jo": [("square", "again"), ("number", "easy")],
        "kim": [("square", "good")],
    }.items():
        for card, rating in ratings:
            cli.ok("rate", card, rating, "--deck", deck, "--store", f"{learner}.db")
        if learner == "jo":
            with Store.open(here / "jo.db", MORNING) as store:
                wrong = Attempt("square", "dx", "x", Verdict.WRONG, diagnosis="factor")
                store.record(wrong, wrong, at=MORNING, day=1)
                store.record(Dispute("number", "", "2", Verdict.WRONG), at=MORNING, day=1)
        cli.ok("sync", database, "--learner", learner, "--store", f"{learner}.db")
    return database


def test_a_teacher_sees_what_hurts_and_no_names(cli: CommandLine, deck: Path, course: str) -> None:
    ran = cli.ok("stats", "--course", "ML", "--from", course, "--deck", deck)
    head, names, first, *_ = ran.out.splitlines()
    assert head == "ML: 3 learners, 4 reviews"
    assert " ".join(names.split()) == "card hurt learners reviews forgot min disputed mistakes"
    assert first.split() == ["square", "1.3", "3", "3", "-", "-", "-", "factor", "2"]
    assert "factor                 2        1  square" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    for name in ("maria", "jo", "kim", "chalk"):
        assert name not in ran.out + ran.err


def test_who_only_looks_is_not_told_to_sync(cli: CommandLine, deck: Path) -> None:
    ran = cli("stats", "--from", "postgresql://u:secret@127.0.0.1:1/x", "--deck", deck)
    assert (ran.code, ran.out) == (6, "")
    assert "cannot be reached" in ran.err and "Look again when it can" in ran.err
    assert "sync" not in ran.err.lower() and "secret" not in ran.err


def test_a_teachers_numbers_as_json(cli: CommandLine, deck: Path, course: str) -> None:
    told = cli.ok("stats", "--course", "ml", "--from", course, "--json", "--deck", deck).json
    assert (told["courses"], told["learners"], told["reviews"]) == (["ml"], 3, 4)
    assert [card["id"] for card in told["cards"]] == ["square", "number"]
    square, number = told["cards"]
    assert square == {
        "id": "square",
        "hurt": pytest.approx(4 / 3),
        "learners": 3,
        "reviews": 3,
        "again": 2,
        "forgotten": None,
        "median_minutes": None,
        "wrong": 2,
        "disputed": 0,
        "mistakes": {"factor": 2},
        "known_mistakes": {},
        "lines": {},
    }
    assert (number["disputed"], number["mistakes"]) == (1, {})
    assert told["mistakes"] == [{"code": "factor", "times": 2, "learners": 1, "cards": ["square"]}]
    every = cli.ok("stats", "--from", course, "--json", "--deck", deck).json
    assert {card["id"] for card in every["cards"]} == {"square", "number", "open"}


def test_a_course_that_is_not_there_is_told(cli: CommandLine, deck: Path, database: str) -> None:
    ran = cli("stats", "--course", "Biology", "--from", database, "--deck", deck)
    assert (ran.code, ran.out) == (2, "") and "no card of the course Biology" in ran.err
    for other in ("t.db", "mysql://u:secret@host/x"):
        ran = cli("stats", "--from", other, "--deck", deck)
        assert (ran.code, ran.out) == (2, "") and "postgresql://HOST/DATABASE" in ran.err
        assert "secret" not in ran.err
    ran = cli.ok("stats", "--course", "ML", "--from", database, "--deck", deck)
    assert ran.out == "ML: 0 learners, 0 reviews\n"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("carried.db", "carried.db"),
        ("mysql://u:secret@host/x", "mysql://host/x"),
        ("host=127.0.0.1 password=secret dbname=x", "…"),
        ("postgresql:/u:secret@127.0.0.1/x", "…"),
    ],
)
def test_what_is_no_address_of_a_course_is_told_as_it_was_typed_without_a_password(
    cli: CommandLine, deck: Path, typed: str, told: str
) -> None:
    ran = cli("stats", "--from", typed, "--deck", deck)
    assert (ran.code, ran.out) == (2, "")
    assert f"--from {told}: name a course's database" in ran.err


def test_own_stats_of_one_course(cli: CommandLine, deck: Path) -> None:
    for card in ("open", "number", "square"):
        rate(cli, deck, card, "a.db")
    told = cli.ok("stats", "--course", "ML", "--json", "--deck", deck, "--store", "a.db").json
    assert (told["cards"], told["reviews"]) == (3, 2)
    told = cli.ok("stats", "--json", "--deck", deck, "--store", "a.db").json
    assert (told["cards"], told["reviews"]) == (4, 3)
