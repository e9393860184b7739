"""`config` and `doctor`: where things are, and whether they are in order."""

import re
import sqlite3
from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.sandbox import protection


@pytest.fixture
def unattacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """`doctor` does not try the sandbox: one test here and `tests/sandbox` do."""
    monkeypatch.setattr(protection, "attack", tuple)


@pytest.fixture
def store(cli: CommandLine, deck: Path, here: Path) -> Path:
    path = here / "data" / "history.db"
    for rating in ("again", "good", "easy"):
        cli.ok("rate", "open", rating, "--deck", deck, "--store", path)
    return path


def bend_an_event(store: Path) -> None:
    """Change one bit of what the newest review says, as a failing disk does."""
    data = store.read_bytes()
    place = data.rindex(b'"rating":') + len(b'"rating":')
    store.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


def test_config_says_who_named_the_deck(cli: CommandLine, deck: Path) -> None:
    assert cli.ok("config", "--json", "--deck", deck).json["deck_from"] == "the option --deck"
    ran = cli.ok("config")
    assert "the starter deck" in ran.out and "starter deck" in ran.out
    assert "these are the defaults" in ran.err
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_healthy_history_is_said_to_be_in_order(
    cli: CommandLine, deck: Path, store: Path
) -> None:
    ran = cli("doctor", "--deck", deck, "--store", store)
    assert ran.code == 0
    assert f"{store}: 3 events, in order" in ran.out
    assert "4 cards, in order" in ran.out
    assert "judging   works" in ran.out
    if protection.enclosed():
        assert f"{(n := len(protection.ATTACKS))} of {n} attacks on ourselves kept out" in ran.out


@pytest.mark.usefixtures("unattacked")
def test_an_absent_history_is_no_fault_and_is_not_made(
    cli: CommandLine, deck: Path, here: Path
) -> None:
    ran = cli.ok("doctor", "--deck", deck, "--store", "none.db")
    assert "none yet" in ran.out
    assert list(here.iterdir()) == []


@pytest.mark.usefixtures("unattacked")
def test_a_bent_event_is_found_and_the_way_back_told(
    cli: CommandLine, deck: Path, store: Path
) -> None:
    bend_an_event(store)
    before = store.read_bytes()
    ran = cli("doctor", "--deck", deck, "--store", store)
    assert ran.code == 6
    assert "is damaged" in ran.out and "not as it was written" in ran.out
    assert re.search(r"^ +quizzer (restore|import) \S+ --store \S+$", ran.out, re.M)
    assert "4 cards, in order" in ran.out and "judging   works" in ran.out
    assert store.read_bytes() == before
    assert cli("doctor", "--json", "--deck", deck, "--store", store).json["history"]["ok"] is False


@pytest.mark.usefixtures("unattacked")
def test_a_file_that_is_no_history_is_told_beside_all_else(
    cli: CommandLine, deck: Path, here: Path
) -> None:
    (here / "text.db").write_text("a letter to nobody " * 99, "utf-8")
    other = sqlite3.connect(here / "foreign.db")
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    for name in ("text.db", "foreign.db"):
        ran = cli("doctor", "--deck", deck, "--store", here / name)
        assert ran.code == 6
        assert "4 cards, in order" in ran.out and "judging   works" in ran.out


@pytest.mark.usefixtures("unattacked")
def test_a_deck_that_is_not_there_is_told_beside_all_else(cli: CommandLine, here: Path) -> None:
    ran = cli("doctor", "--deck", here / "gone")
    assert ran.code == 4
    assert "does not exist" in ran.out and "judging   works" in ran.out


@pytest.mark.usefixtures("unattacked")
def test_files_of_the_deck_that_cannot_be_used_lead_to_check(cli: CommandLine, deck: Path) -> None:
    (deck / "bad.md").write_text("---\nid:\n---\n", "utf-8")
    assert "4 cards (1 file cannot be used: quizzer check)" in cli.ok("doctor", "--deck", deck).out


def test_no_protection_is_claimed_that_is_not_there(
    cli: CommandLine, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protection.seccomp, "missing", lambda: "not on this system")
    ran = cli.ok("doctor", "--deck", deck)
    assert "not enough here" in ran.out
    assert "seccomp      absent: not on this system" in ran.out
    assert "in a sandbox" not in ran.out
