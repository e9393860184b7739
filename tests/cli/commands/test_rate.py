"""What adds to the log: `rate`, `undo`, `suspend`, `unsuspend`, `bury`, `reset`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine


def state(cli: CommandLine, deck: Path, card: str = "open") -> tuple[str, int]:
    row = cli.ok("show", card, "--json", "--deck", deck).json
    return row["state"], row["reviews"]


@pytest.mark.parametrize(
    ("rating", "after"),
    [("again", "learning"), ("hard", "review"), ("good", "review"), ("EASY", "review")],
)
def test_rate_records_a_review(cli: CommandLine, deck: Path, rating: str, after: str) -> None:
    ran = cli.ok("rate", "open", rating, "--deck", deck)
    assert ran.out.startswith(f"open: {rating.lower()}, next in ")
    assert state(cli, deck) == (after, 1)


def test_rate_as_json_agrees_with_the_list(cli: CommandLine, deck: Path) -> None:
    rated = cli.ok("rate", "open", "easy", "--json", "--deck", deck).json
    row = cli.ok("show", "open", "--json", "--deck", deck).json
    assert (rated["card"], rated["rating"]) == ("open", "easy")
    for key in ("due", "stability", "difficulty_fsrs"):
        assert rated[key] == row[key]
    again = cli.ok("rate", "number", "again", "--json", "--deck", deck).json
    assert (again["interval_days"], again["due"]) == (0, "2026-11-20T09:10:00+01:00")


def test_a_course_may_want_a_higher_retention(cli: CommandLine, deck: Path) -> None:
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    usual = cli.ok("rate", "number", "easy", "--json", "--deck", deck).json["interval_days"]
    path.write_text('[course."statistics"]\ndesired_retention = 0.98\n', "utf-8")
    strict = cli.ok("rate", "open", "easy", "--json", "--deck", deck).json["interval_days"]
    assert strict < usual / 2


def test_undo_takes_back_one_rating_after_another(cli: CommandLine, deck: Path) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    cli.ok("rate", "number", "again", "--deck", deck)
    first = cli.ok("undo", "--deck", deck)
    assert first.out == "took back again on number of 2026-11-20 09:00\n"
    assert "good on open" in cli.ok("undo", "--deck", deck).out
    assert state(cli, deck) == state(cli, deck, "number") == ("new", 0)
    last = cli.ok("undo", "--deck", deck)
    assert (last.out, last.err) == ("", "there is no rating to take back\n")


def test_the_lapse_that_makes_a_leech_is_told_and_the_leech_listed(
    cli: CommandLine, deck: Path, at: Callable[[str], None]
) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    text = (deck / "open.md").read_bytes()
    told = []
    for month in range(1, 10):
        at(f"2027-{month:02}-01T09:00:00+01:00")
        ran = cli.ok("rate", "open", "again", "--json", "--deck", deck)
        told.append((ran.json["leech"], ran.err))
        cli.ok("rate", "open", "good", "--deck", deck)
    assert [leech for leech, _ in told] == [False] * 7 + [True] * 2
    assert [bool(err) for _, err in told] == [False] * 7 + [True, False]
    assert told[7][1] == (
        "this card has lapsed 8 times: it is a leech; rewrite it, split it or suspend it: "
        "quizzer edit open\n"
    )
    for option in ("--status", "--tag"):
        (row,) = cli.ok("list", option, "leech", "--json", "--deck", deck).json
        assert (row["id"], row["leech"], row["lapses"]) == ("open", True, 9)
    listed = cli.ok("list", "--deck", deck)
    assert [line.split()[0] for line in listed.out.splitlines() if " ! " in line] == ["open"]
    assert "! a leech: forgotten 8 times or more" in listed.err
    assert "lapsed 9 times" in cli.ok("show", "open", "--deck", deck).err
    assert cli.ok("stats", "--json", "--deck", deck).json["leeches"] == ["open"]
    assert "leeches     open\n" in cli.ok("stats", "--deck", deck).out
    assert (deck / "open.md").read_bytes() == text


def test_suspended_cards_come_back_as_they_were(cli: CommandLine, deck: Path) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    ran = cli.ok("suspend", "open", "number", "--deck", deck)
    assert ran.out == "open: suspended\nnumber: suspended\n"
    assert state(cli, deck) == ("suspended", 1)
    again = cli.ok("suspend", "open", "choice", "--deck", deck)
    assert (again.out, again.err) == ("choice: suspended\n", "1 card unchanged\n")
    cli.ok("unsuspend", "open", "--deck", deck)
    assert state(cli, deck) == ("review", 1)


def test_reset_makes_a_card_new_and_keeps_its_history(cli: CommandLine, deck: Path) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    assert cli.ok("reset", "open", "number", "--deck", deck).out == "open: new again\n"
    assert state(cli, deck) == ("new", 0)
    assert len(cli.ok("history", "open", "--json", "--deck", deck).json) == 2


def test_a_card_named_twice_is_recorded_once(cli: CommandLine, deck: Path) -> None:
    assert cli.ok("bury", "open", "ope", deck / "open.md", "--deck", deck).out.count("buried") == 1
    assert len(cli.ok("history", "open", "--json", "--deck", deck).json) == 1


def test_of_several_cards_none_is_changed_when_one_is_unknown(cli: CommandLine, deck: Path) -> None:
    assert cli("suspend", "open", "nothing", "--deck", deck).code == 5
    assert state(cli, deck) == ("new", 0)
