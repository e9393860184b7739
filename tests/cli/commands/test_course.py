"""`course`: a database that a teacher sets up, and learners who each see their own events."""

import csv
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from command_line import CommandLine
from samples import MORNING

from quizzer.store import Store
from quizzer.values import Attempt, Verdict


@pytest.fixture
def course(database: str) -> Iterator[str]:
    """An empty database. Roles belong to the server, so those that a test makes are dropped."""
    with closing(psycopg.connect(database, autocommit=True)) as connection:
        roles = "SELECT quote_ident(rolname) FROM pg_roles"
        before = {*connection.execute(roles.encode())}
        yield database
        for (role,) in {*connection.execute(roles.encode())} - before:
            connection.execute(f"DROP OWNED BY {role}".encode())
            connection.execute(f"DROP ROLE {role}".encode())


def login(course: str, name: str) -> str:
    return course.replace("teacher:chalk", name)


def rate(cli: CommandLine, deck: Path, learner: str, card: str, rating: str) -> None:
    cli.ok("rate", card, rating, "--deck", deck, "--store", f"{learner}.db")


def sync(cli: CommandLine, course: str, learner: str) -> str:
    """As the learner, by their own role."""
    address = login(course, learner)
    return cli.ok("sync", address, "--learner", learner, "--store", f"{learner}.db").out


def test_a_teacher_sets_up_a_database_and_learners_see_only_their_own(
    cli: CommandLine, deck: Path, course: str
) -> None:
    assert cli.ok("course", "init", course).out.endswith(": set up\n")
    added = cli.ok("course", "add", course, "maria", "jo").out.splitlines()
    assert re.search(
        r"^maria: password \S{16}: quizzer sync postgresql://maria@127.0.0.1", added[0]
    )
    assert "chalk" not in "".join(added)
    for learner in ("maria", "jo"):
        rate(cli, deck, learner, "square", "again")
        assert sync(cli, course, learner).endswith("gave 1\n")
    refused = cli("sync", login(course, "jo"), "--learner", "maria", "--store", "x.db")
    assert refused.out.endswith("took 0 events, gave 0\n"), "nothing of maria is seen"
    rate(cli, deck, "x", "square", "again")
    refused = cli("sync", login(course, "jo"), "--learner", "maria", "--store", "x.db")
    assert refused.code == 6 and "does not allow it" in refused.err
    for who, learners in ((course, 2), (login(course, "jo"), 1)):
        told = cli.ok("stats", "--from", who, "--json", "--deck", deck).json
        assert told["learners"] == learners
    with closing(psycopg.connect(login(course, "jo"), autocommit=True)) as connection:
        for statement in (
            "SELECT * FROM quizzer.sums",
            "INSERT INTO quizzer.mistakes VALUES ('jo', 'square', 'x', '', '', 1)",
            "INSERT INTO quizzer.meta VALUES ('format', '9')",
            "SELECT quizzer.add_up('maria', NULL)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_a_second_teacher_reads_everything_and_adds_nothing(
    cli: CommandLine, deck: Path, course: str
) -> None:
    cli.ok("course", "init", course)
    cli.ok("course", "add", course, "maria")
    assert "stats --from" in cli.ok("course", "add", course, "kim", "--teacher").out
    rate(cli, deck, "maria", "square", "again")
    sync(cli, course, "maria")
    ran = cli.ok("stats", "--from", login(course, "kim"), "--json", "--deck", deck)
    assert ran.json["learners"] == 1 and "every event" not in ran.err
    rate(cli, deck, "kim", "square", "again")
    refused = cli("sync", login(course, "kim"), "--learner", "kim", "--store", "kim.db")
    assert refused.code == 6 and "does not allow it" in refused.err


def test_adding_a_learner_again_keeps_their_password_unless_another_is_wanted(
    cli: CommandLine, course: str
) -> None:
    cli.ok("course", "init", course)
    first = cli.ok("course", "add", course, "o'maria").out
    assert "password they have" in cli.ok("course", "add", course, "o'maria").out
    another = cli.ok("course", "add", course, "o'maria", "--new-password").out
    passwords = [re.findall(r"password (\S{16}):", out) for out in (first, another)]
    assert len(passwords[0]) == len(passwords[1]) == 1 and passwords[0] != passwords[1]


def test_a_course_set_up_by_hand_keeps_working_and_is_brought_up_to_date(
    cli: CommandLine, deck: Path, course: str
) -> None:
    """By the SQL that the documents had before there was `course`."""
    rate(cli, deck, "first", "square", "again")
    cli.ok("sync", course, "--learner", "first", "--store", "first.db")
    with closing(psycopg.connect(course, autocommit=True)) as connection:
        for statement in (
            "DROP TRIGGER events_are_added_up ON quizzer.events",
            "DROP FUNCTION quizzer.add_up_new",
            "DROP FUNCTION quizzer.add_up",
            "DROP TABLE quizzer.sums, quizzer.mistakes",
            "DELETE FROM quizzer.meta WHERE name <> 'format'",
            "CREATE ROLE jo LOGIN",
            "CREATE ROLE pupils LOGIN",
            "GRANT USAGE ON SCHEMA quizzer TO jo, pupils",
            "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA quizzer TO jo, pupils",
        ):
            connection.execute(statement.encode())
    rate(cli, deck, "jo", "square", "again")
    sync(cli, course, "jo")
    slow = cli.ok("stats", "--from", login(course, "pupils"), "--json", "--deck", deck)
    assert "course init" in slow.err and slow.json["learners"] == 2
    ran = cli.ok("course", "init", course)
    assert "up to date; added up the events of 2 learners" in ran.out and "--own-rows" in ran.err
    rate(cli, deck, "maria", "square", "again")
    shared = login(course, "pupils")
    cli.ok("sync", shared, "--learner", "maria", "--store", "maria.db")
    fast = cli.ok("stats", "--from", shared, "--json", "--deck", deck)
    assert fast.json["learners"] == 3 and "every event" not in fast.err
    assert "--own-rows" not in cli.ok("course", "init", course, "--own-rows").err
    rate(cli, deck, "maria", "open", "good")
    refused = cli("sync", shared, "--learner", "maria", "--store", "maria.db")
    assert refused.code == 6
    rate(cli, deck, "jo", "open", "good")
    sync(cli, course, "jo")
    told = cli.ok("stats", "--from", course, "--json", "--deck", deck).json
    assert (told["learners"], told["reviews"]) == (3, 4)


def test_a_database_of_a_newer_format_is_read_as_far_as_its_sums_are_known_and_never_written(
    cli: CommandLine, deck: Path, course: str
) -> None:
    rate(cli, deck, "maria", "square", "again")
    cli.ok("sync", course, "--learner", "maria", "--store", "maria.db")
    with closing(psycopg.connect(course, autocommit=True)) as connection:
        connection.execute("UPDATE quizzer.meta SET content = '99' WHERE name = 'format'")
    ran = cli.ok("stats", "--from", course, "--json", "--deck", deck)
    assert ran.json["reviews"] == 1 and "made by a newer quizzer" in ran.err
    for command in (
        ("course", "init", course),
        ("course", "rebuild", course),
        ("course", "add", course, "jo"),
        ("sync", course, "--learner", "maria", "--store", "maria.db"),
    ):
        ran = cli(*command)
        assert ran.code == 6 and "newer quizzer" in ran.err, command
    with closing(psycopg.connect(course, autocommit=True)) as connection:
        connection.execute("UPDATE quizzer.meta SET content = '99' WHERE name = 'summary'")
        assert connection.execute("SELECT COUNT(*) FROM quizzer.events").fetchone() == (1,)
        assert not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'jo'").fetchone()
    assert cli("stats", "--from", course, "--deck", deck).code == 6


def test_sums_of_a_newer_version_are_not_read_and_not_rebuilt(
    cli: CommandLine, deck: Path, course: str
) -> None:
    rate(cli, deck, "maria", "square", "again")
    cli.ok("sync", course, "--learner", "maria", "--store", "maria.db")
    with closing(psycopg.connect(course, autocommit=True)) as connection:
        connection.execute("UPDATE quizzer.meta SET content = '99' WHERE name = 'summary'")
        connection.execute("UPDATE quizzer.sums SET reviews = 7")
    ran = cli.ok("stats", "--from", course, "--json", "--deck", deck)
    assert ran.json["reviews"] == 1, "events are still known"
    ran = cli("course", "rebuild", course)
    assert ran.code == 6 and "sums are of a newer quizzer" in ran.err


def test_which_known_mistake_and_which_line_hurt_is_told_and_given_as_csv(
    cli: CommandLine, deck: Path, here: Path, course: str
) -> None:
    with Store.open(here / "maria.db", MORNING) as store:
        for card in ("square", "open"):
            wrong = Attempt(
                *(card, "dx", "x", Verdict.WRONG, "known-mistake"),
                line=2,
                step="=cmd()",
                mistake="You lost the factor 2.",
            )
            store.record(wrong, at=MORNING, day=1)
    cli.ok("sync", course, "--learner", "maria", "--store", "maria.db")
    out = cli.ok("stats", "--from", course, "--deck", deck).out
    assert re.search(r"known mistake\n +1  open +You lost the factor 2\.\n", out)
    assert re.search(r"first wrong line\n +1  open +=cmd\(\)\n", out)
    told = cli.ok("stats", "--from", course, "--csv", "--course", "ML", "--deck", deck).out
    rows = [*csv.DictReader(told.splitlines())]
    assert [(row["kind"], row["name"], row["times"]) for row in rows] == [
        ("card", "", ""),
        ("mistake", "known-mistake", "1"),
        ("known-mistake", "You lost the factor 2.", "1"),
        ("line", "'=cmd()", "1"),
    ]
    assert (rows[0]["card"], rows[0]["learners"], rows[0]["wrong"]) == ("square", "1", "1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("init",), "name one database"),
        (("init", "mysql://u:secret@host/x"), "needs postgresql://HOST/DATABASE"),
        (("init", "postgresql://h/x", "maria"), "quizzer course add"),
        (("add", "postgresql://h/x"), "name who is to be added"),
        (("add", "postgresql://h/x", "m" * 64), "1 to 63 bytes"),
        (("add", "postgresql://h/x", " "), "1 to 63 bytes"),
    ],
)
def test_what_course_cannot_do_is_told(
    cli: CommandLine, arguments: tuple[str, ...], says: str
) -> None:
    ran = cli("course", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert says in " ".join(ran.err.split()) and "secret" not in ran.err


def test_who_adds_before_setting_up_or_without_the_right_is_told(
    cli: CommandLine, course: str
) -> None:
    ran = cli("course", "add", course, "maria")
    assert ran.code == 6 and "quizzer course init" in ran.err
    cli.ok("course", "init", course)
    cli.ok("course", "add", course, "maria")
    ran = cli("course", "add", login(course, "maria"), "jo")
    assert ran.code == 6 and "CREATEROLE" in ran.err
