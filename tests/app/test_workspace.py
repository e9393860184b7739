"""Which deck, which history and which time the program works with."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine, Ran
from samples import card_text

from quizzer.app.workspace import Workspace


def ids(ran: Ran) -> set[str]:
    return {row["id"] for row in ran.json}


def test_the_environment_names_several_decks_as_a_path_does(
    cli: CommandLine, deck: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "one.md").write_text(card_text("one"), "utf-8")
    monkeypatch.setenv("QUIZZER_DECK", os.pathsep.join((str(deck), str(here))))
    assert ids(cli.ok("list", "--json")) == {"choice", "number", "open", "square", "one"}
    monkeypatch.setenv("QUIZZER_DECK", str(here / "one.md"))
    assert ids(cli.ok("list", "--json")) == {"one"}


def test_option_environment_configuration_and_folder_name_the_deck_in_this_order(
    cli: CommandLine, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("option", "environment", "configuration"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "card.md").write_text(card_text(name), "utf-8")
    (here / "below").mkdir()
    (here / "below" / "card.md").write_text(card_text("folder"), "utf-8")
    assert ids(cli.ok("list", "--json")) == {"folder"}
    cli.ok("use", tmp_path / "configuration")
    assert ids(cli.ok("list", "--json")) == {"configuration"}
    monkeypatch.setenv("QUIZZER_DECK", str(tmp_path / "environment"))
    assert ids(cli.ok("list", "--json")) == {"environment"}
    assert ids(cli.ok("list", "--json", "--deck", "../option")) == {"option"}


@pytest.mark.parametrize("command", [["due"], ["list"], ["stats"], ["due", "--json"]])
def test_the_starter_deck_is_never_opened_silently(cli: CommandLine, command: list[str]) -> None:
    assert "the starter deck" in cli.ok(*command).err


def test_a_folder_with_cards_is_never_passed_over_for_the_starter_deck(
    cli: CommandLine, here: Path
) -> None:
    folder = here / "a" / "b" / "c"
    folder.mkdir(parents=True)
    (folder / "card.md").write_text(card_text("deep"), "utf-8")
    ran = cli.ok("list", "--json")
    assert ids(ran) == {"deep"}
    assert "starter" not in ran.err


def test_a_folder_too_large_to_search_is_told(
    cli: CommandLine, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1001):
        (here / str(number)).mkdir()
    ran = cli.ok("due")
    assert "too large to search" in ran.err and "quizzer use" in ran.err


def test_a_deck_with_broken_files_serves_the_others_and_says_so(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    good = {f"good{n}.md": card_text(f"good{n}") for n in range(250)}
    bad = {f"bad{n}.md": "---\ncourse: none\n---\n# Question\nWho?\n" for n in range(50)}
    deck = write_deck(good | bad)
    ran = cli.ok("list", "--deck", deck)
    assert len(ran.out.splitlines()) == 250
    assert "250 cards (50 files cannot be used: quizzer check)" in ran.err
    assert cli("check", "--deck", deck, "--json").json["cards"] == 250


@pytest.mark.parametrize("name", ["gone", "note.txt"])
@pytest.mark.parametrize("command", ["due", "list", "stats", "check"])
def test_a_deck_that_is_not_there_is_exit_code_4(
    cli: CommandLine, here: Path, name: str, command: str
) -> None:
    (here / "note.txt").write_text("no deck", "utf-8")
    ran = cli(command, "--deck", here / name)
    assert (ran.code, ran.out) == (4, "")
    assert str(here / name) in ran.err and "the option --deck" in ran.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_deck_that_may_not_be_read_is_exit_code_4(cli: CommandLine, here: Path) -> None:
    (here / "locked").mkdir(0o000)
    ran = cli("due", "--deck", here / "locked")
    assert ran.code == 4
    assert "mend its permissions" in ran.err


def test_the_environment_names_the_store(
    cli: CommandLine, deck: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZZER_STORE", str(here / "deep" / "my.db"))
    cli.ok("rate", "open", "good", "--deck", deck)
    assert (here / "deep" / "my.db").is_file()
    cli.ok("rate", "open", "good", "--deck", deck, "--store", "other.db")
    assert (here / "other.db").is_file()


def test_without_being_told_the_store_is_in_the_home_directory(
    cli: CommandLine, deck: Path, home: Path
) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    (store,) = home.rglob("history.db")
    assert cli.ok("config", "--json", "--deck", deck).json["store"] == str(store)


def test_what_the_store_tells_names_paths_as_the_rest_does(
    cli: CommandLine, deck: Path, home: Path
) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    (store,) = home.rglob("history.db")
    short = f"~/{store.relative_to(home)}"
    (store.parent / "backups").touch()
    assert f" {short[:-10]}backups/" in cli.ok("rate", "number", "good", "--deck", deck).err
    store.write_bytes(b"a shopping list")
    ran = cli("due", "--deck", deck)
    assert ran.code == 6 and f"quizzer: {short} is damaged" in ran.err
    assert f" {short} is damaged" in f" {ran.err}"
    assert f"{short} is damaged" in cli("doctor", "--deck", deck).out
    assert str(home) not in ran.err


def test_a_path_that_only_begins_like_the_home_folder_is_told_whole(
    cli: CommandLine, deck: Path, home: Path
) -> None:
    beside = home.with_name(f"{home.name}work")
    beside.mkdir()
    (beside / "h.db").write_bytes(b"a shopping list")
    assert (
        f"quizzer: {beside / 'h.db'} is"
        in cli("due", "--deck", deck, "--store", beside / "h.db").err
    )


def test_reading_makes_no_store(cli: CommandLine, deck: Path, here: Path) -> None:
    for command in (["due"], ["list"], ["show", "open"], ["history", "open"], ["stats"], []):
        cli.ok(*command, "--deck", deck, "--store", here / "none.db")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("command", [["due"], ["rate", "open", "good"], ["backup", "x.db"]])
def test_a_store_that_is_none_is_exit_code_6_and_stays_as_it_is(
    cli: CommandLine, deck: Path, here: Path, command: list[str]
) -> None:
    (here / "text.db").write_text("a shopping list that is longer than a header " * 9, "utf-8")
    (here / "folder").mkdir()
    other = sqlite3.connect(here / "foreign.db")
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = {path: path.read_bytes() for path in here.iterdir() if path.is_file()}
    for name in ("text.db", "folder", "foreign.db"):
        ran = cli(*command, "--deck", deck, "--store", here / name)
        assert (ran.code, ran.out) == (6, ""), name
        assert name in ran.err.splitlines()[-1]
        assert "Nothing was changed" in ran.err or "What was saved before stays saved" in ran.err
    assert {path: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


@pytest.mark.slow
def test_no_command_changes_a_file_that_the_user_wrote(cli: CommandLine, deck: Path) -> None:
    before = {path: path.read_bytes() for path in deck.rglob("*")}
    for command in (
        "due", "list", "stats", "check", "check --strict", "show square", "verify square dx=2*x",
        "rate open good", "undo", "suspend open", "unsuspend open", "bury open", "reset open",
        "config", "doctor", "history open", "new square", "init .", "new choice",
    ):  # fmt: skip
        cli(*command.split(), "--deck", deck)
    assert {path: path.read_bytes() for path in deck.rglob("*")} == before


def test_one_id_in_two_decks_is_told(cli: CommandLine, deck: Path, here: Path) -> None:
    (here / "other.md").write_text(card_text("open", question="Another one?"), "utf-8")
    cli.ok("rate", "open", "good", "--deck", deck)
    for command in (["due"], ["rate", "open", "good"]):
        ran = cli.ok(*command, "--deck", here)
        assert "the id open is in two decks" in ran.err
        assert "deck/open.md" in ran.err
    assert "two decks" not in cli.ok("rate", "open", "good", "--deck", here).err


def test_a_moved_card_is_no_clash(cli: CommandLine, deck: Path, here: Path) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    shutil.move(deck / "open.md", here / "moved.md")
    assert "two decks" not in cli.ok("due", "--deck", here).err


@pytest.mark.parametrize(
    "told", ["yesterday", "2026-11-20", "2026-11-20T09:00:00", "2026-13-01T00:00:00Z"]
)
def test_a_time_without_meaning_or_offset_is_refused(
    cli: CommandLine, deck: Path, at: Callable[[str], None], told: str
) -> None:
    at(told)
    ran = cli("due", "--deck", deck)
    assert (ran.code, ran.out) == (2, "")
    assert f"QUIZZER_NOW is `{told}`" in ran.err and "2026-11-20T09:00:00+01:00" in ran.err


@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2026-11-20T03:59:00+01:00", "2026-11-19"),
        ("2026-11-20T04:00:00+01:00", "2026-11-20"),
        ("2026-11-20T23:30:00-08:00", "2026-11-20"),
        ("2026-11-20T23:30:00Z", "2026-11-20"),
        ("2026-11-21T08:30:00+09:00", "2026-11-21"),
    ],
)
def test_the_offset_of_the_time_gives_the_study_day(
    cli: CommandLine, deck: Path, at: Callable[[str], None], now: str, day: str
) -> None:
    at(now)
    document = cli.ok("due", "--json", "--deck", deck).json
    assert document["day"] == day
    assert document["now"] == now.replace("Z", "+00:00")


def test_the_day_begins_at_the_configured_hour(
    cli: CommandLine, deck: Path, home: Path, at: Callable[[str], None]
) -> None:
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text("rollover_hour = 6\n", "utf-8")
    at("2026-11-20T05:59:00+01:00")
    assert cli.ok("due", "--json", "--deck", deck).json["day"] == "2026-11-19"
    due = cli.ok("rate", "open", "good", "--json", "--deck", deck).json["due"]
    rows = cli.ok("list", "--json", "--deck", deck).json
    assert due.endswith("T06:00:00+01:00")
    assert [row["due"] for row in rows if row["id"] == "open"] == [due]


def test_a_backup_that_could_not_be_made_is_told(cli: CommandLine, deck: Path, here: Path) -> None:
    store = here / "s.db"
    cli.ok("rate", "open", "good", "--deck", deck, "--store", store)
    shutil.rmtree(here / "backups", ignore_errors=True)
    (here / "backups").write_text("in the way", "utf-8")
    ran = cli.ok("rate", "number", "good", "--deck", deck, "--store", store)
    assert "No backup was made today" in ran.err


def test_the_home_folder_is_written_as_a_tilde(home: Path) -> None:
    short = Workspace().short
    assert (short(home), short(home / "cards")) == ("~", "~/cards")
