"""`report`, and `stats --from` a folder of them: a class without a server."""

import json
from pathlib import Path

import pytest
from command_line import CommandLine


@pytest.fixture
def handed(cli: CommandLine, deck: Path, here: Path) -> Path:
    """A folder with the reports of two learners."""
    (here / "class").mkdir()
    for learner in ("maria", "jo"):
        store = f"{learner}.db"
        answer = ("verify", "square", "dx=dy", "--deck", deck, "--store", store)
        cli.ok("rate", "square", "again", "--deck", deck, "--store", store)
        cli.ok("rate", "open", "good", "--deck", deck, "--store", store)
        assert cli(*answer).code == 1
        cli.ok("report", f"class/{learner}.json", "--deck", deck, "--store", store)
    return here / "class"


def test_a_folder_of_reports_adds_up_without_names(
    cli: CommandLine, deck: Path, handed: Path
) -> None:
    told = cli.ok("stats", "--from", handed, "--json", "--deck", deck).json
    assert (told["learners"], told["reviews"]) == (2, 4)
    cards = {card["id"]: card for card in told["cards"]}
    assert (cards["square"]["again"], cards["open"]["again"]) == (2, 0)
    table = cli.ok("stats", "--from", handed, "--deck", deck)
    assert "2 learners, 4 reviews" in table.out
    assert "maria" not in table.out


def test_what_cannot_be_used_is_told_and_left_out(
    cli: CommandLine, deck: Path, handed: Path
) -> None:
    report = (handed / "jo.json").read_text("utf-8")
    (handed / "copy.json").write_text(report, "utf-8")
    (handed / "jo.json").write_text(report.replace('"reviews":1', '"reviews":2'), "utf-8")
    ran = cli.ok("stats", "--from", handed, "--deck", deck)
    assert "2 learners, 4 reviews" in ran.out
    assert "jo.json is not as it was written" in ran.err


def test_a_report_tells_a_name_and_answers_only_where_asked(
    cli: CommandLine, deck: Path, here: Path, handed: Path
) -> None:
    plain = json.loads((handed / "jo.json").read_text("utf-8"))
    assert (plain["name"], "answers" in plain) == (None, False)
    ran = cli.ok("report", "mine", "--name", "Jo", "--answers", "--deck", deck, "--store", "jo.db")
    assert "your name and all of your answers" in ran.err
    told = json.loads((here / "mine").read_text("utf-8"))
    assert told["name"] == "Jo"
    assert told["learner"] == plain["learner"]


def test_nothing_is_written_where_there_is_nothing_to_tell(
    cli: CommandLine, deck: Path, here: Path, handed: Path
) -> None:
    place = ("--deck", deck, "--store", "jo.db")
    assert cli("report", "x", "--course", "Biology", *place).code == 2
    ran = cli("report", handed / "jo.json", *place)
    assert (ran.code, "nothing was overwritten" in ran.err) == (2, True)
    assert cli("report", "x", "--deck", deck, "--store", "none.db").code == 6
    cli.ok("suspend", "open", "--deck", deck, "--store", "new.db")
    ran = cli("report", "x", "--deck", deck, "--store", "new.db")
    assert (ran.code, "was reviewed yet" in ran.err) == (2, True)
    assert not (here / "x").exists()
