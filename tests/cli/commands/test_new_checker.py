"""`new --checker`: the first draft of a checker, beside a card that has none."""

import shutil
import sys
from pathlib import Path

import pytest
from command_line import CommandLine
from starter import CHECKED
from workers import InThisProcess

ROOT = Path(__file__).parents[3]
TWENTY = ROOT / "tests/corpus/authoring/twenty"


@pytest.fixture
def card(here: Path) -> Path:
    return Path(shutil.copy(TWENTY / "huber_regression.md", here))


def test_what_the_card_says_is_set_out_and_passes_the_strict_check(
    cli: CommandLine, card: Path
) -> None:
    before = card.read_bytes()
    ran = cli.ok("new", "--checker", "huber_regression.md")
    checker = card.with_suffix(".checker")
    assert ran.out.splitlines() == [f"wrote {checker}"]
    assert ran.err.splitlines()[-1] == "1 card, 1 checker, 0 notes: 0 errors, 0 warnings"
    assert card.read_bytes() == before
    lines = checker.read_text("utf-8").splitlines()
    assert {"w: D", "X: N × D", "b: number", "y: N", "ask dL_dw"} <= set(lines)
    assert cli.ok("check", "--strict").out == ""
    right = "dL_dw = 1/N sum_n max(-c, min(c, r_n)) x_n + λ w"
    assert cli("verify", "huber_regression.md", right).code == 0


def test_what_the_card_does_not_say_is_left_to_fill_in_with_its_line(
    cli: CommandLine, card: Path
) -> None:
    text = card.read_text("utf-8").replace("r_n = \\boldsymbol{w}", "r_n \\approx \\boldsymbol{w}")
    card.write_text(text, "utf-8")
    ran = cli.ok("new", "--checker", "huber_regression.md")
    places = [line for line in ran.out.splitlines() if ": to fill in: " in line]
    assert places
    number = int(places[0].partition(".checker:")[2].partition(":")[0])
    written = card.with_suffix(".checker").read_text("utf-8").splitlines()
    assert "[fill in: " in written[number - 1]
    assert "line 12" in " ".join(places)
    assert f"{len(places)} line" in ran.err
    checked = cli("check")
    assert checked.code == 1 and "still to be filled in" in checked.out


@pytest.mark.parametrize("ending", [".checker", ".py"])
def test_a_checker_is_never_overwritten(cli: CommandLine, card: Path, ending: str) -> None:
    beside = card.with_suffix(ending)
    beside.write_text("# mine\n", "utf-8")
    ran = cli("new", "--checker", "huber_regression.md")
    assert ran.code == 2 and "exists" in ran.err
    assert beside.read_text("utf-8") == "# mine\n"
    assert len(list(card.parent.glob("huber*"))) == 2


def test_a_card_with_a_checker_within_it_keeps_that(cli: CommandLine, card: Path) -> None:
    card.write_text(card.read_text("utf-8") + "\n```checker\nask dL_dw\n```\n", "utf-8")
    ran = cli("new", "--checker", "huber_regression.md")
    assert ran.code == 2 and "has a checker within it" in ran.err


@pytest.mark.slow
def test_most_drafts_of_the_starter_deck_are_complete() -> None:
    """Of every sixth card; `benchmarks/drafting.py` drafts them all."""
    sys.path.append(str(ROOT / "benchmarks"))
    from drafting import drafts

    for cards, least in ((CHECKED[::6], 11), (sorted(TWENTY.glob("*.md")), 8)):
        found = drafts(cards, InThisProcess(), complete_only=True)
        assert sum(not flaws for _, flaws in found.values()) >= least
