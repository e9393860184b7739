"""`sync`: what it says, which target it takes, and that it tells no password."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine


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
        "memory of 1 card made anew\n",
    )
    cli.ok("sync", "t.db", "--store", "a.db")
    one, other = (cli.ok("export", "-", "--store", name).out for name in ("a.db", "b.db"))
    assert one == other and one.count("\n") == 2
    assert cli.ok("sync", "t.db", "--store", "a.db").out.endswith("took 0 events, gave 0\n")


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
