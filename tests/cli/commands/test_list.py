"""`list`, `show` and `history`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import card_text


@pytest.fixture
def courses(write_deck: Callable[..., Path]) -> Path:
    return write_deck(
        {
            "cnn/info.json": json.dumps({"name": "Convolutional networks"}),
            "cnn/pool.md": card_text("pool", course="Vision", type_="derivation"),
            "cnn/conv.md": card_text("conv", course="Vision", status="flagged"),
            "stats/bayes.md": card_text("bayes", course="Statistics", question="Needle?"),
        }
    )


def listed(cli: CommandLine, deck: Path, *argv: str) -> list[str]:
    return [row["id"] for row in cli.ok("list", "--json", "--deck", deck, *argv).json]


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        (["--course", "VISION"], ["conv", "pool"]),
        (["--course", "cnn"], ["conv", "pool"]),
        (["--course", "convolutional networks"], ["conv", "pool"]),
        (["--course", "cnn", "--course", "statistics"], ["conv", "pool", "bayes"]),
        (["--course", "cnn", "--type", "derivation"], ["pool"]),
        (["--status", "flagged"], ["conv"]),
        (["--difficulty", "2", "--status", "flagged"], ["conv"]),
        (["--difficulty", "1"], []),
        (["--search", "needle"], ["bayes"]),
    ],
)
def test_filters_narrow_across_options_and_widen_within_one(
    cli: CommandLine, courses: Path, argv: list[str], found: list[str]
) -> None:
    assert listed(cli, courses, *argv) == found


def test_a_filter_that_matches_nothing_says_so(cli: CommandLine, courses: Path) -> None:
    ran = cli.ok("list", "--course", "cooking", "--deck", courses)
    assert ran.out == ""
    assert "0 of 3 cards match" in ran.err


@pytest.mark.parametrize("key", ["due", "stability", "reviews"])
def test_sorting_is_ascending_with_unknown_values_last(
    cli: CommandLine, courses: Path, key: str
) -> None:
    cli.ok("rate", "pool", "easy", "--deck", courses)
    cli.ok("rate", "bayes", "good", "--deck", courses)
    order = listed(cli, courses, "--sort", key)
    expected = ["conv", "pool", "bayes"] if key == "reviews" else ["bayes", "pool", "conv"]
    assert order == expected


def test_list_shows_state_and_day_in_one_column(cli: CommandLine, courses: Path) -> None:
    cli.ok("rate", "pool", "good", "--deck", courses)
    cli.ok("rate", "bayes", "again", "--deck", courses)
    cli.ok("suspend", "conv", "--deck", courses)
    day = cli.ok("show", "pool", "--json", "--deck", courses).json["due"][:10]
    lines = [line.split() for line in cli.ok("list", "--deck", courses).out.splitlines()]
    assert lines[0][:3] == ["conv", "⚑", "suspended"]
    assert [line[:2] for line in lines[1:]] == [["pool", day], ["bayes", "learning"]]


@pytest.mark.parametrize("key", ["square", "sq", "{deck}/square.py"])
def test_a_card_is_named_by_id_beginning_or_file(cli: CommandLine, deck: Path, key: str) -> None:
    ran = cli.ok("show", key.format(deck=deck), "--json", "--deck", deck)
    assert ran.json["id"] == "square"


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("sqare", "did you mean square?"),
        ("zzz", "quizzer list"),
        ("card", "2 ids begin with card: card1, card2"),
    ],
)
def test_a_card_that_is_none_is_exit_code_5_with_a_way_on(
    cli: CommandLine, deck: Path, key: str, said: str
) -> None:
    for name in ("card1", "card2"):
        (deck / f"{name}.md").write_text(card_text(name), "utf-8")
    for command in (["show", key], ["rate", key, "good"], ["verify", key], ["suspend", key]):
        ran = cli(*command, "--deck", deck)
        assert (ran.code, ran.out) == (5, "")
        assert said in ran.err and str(deck) in ran.err


def test_show_hides_the_solution_on_request(cli: CommandLine, deck: Path) -> None:
    whole, question = (cli.ok("show", "open", *a, "--deck", deck) for a in ([], ["--question"]))
    assert "What is it?" in whole.out and "That." in whole.out
    assert "What is it?" in question.out and "That." not in question.out


def test_show_as_json_holds_what_a_script_needs(cli: CommandLine, deck: Path) -> None:
    choice = cli.ok("show", "choice", "--json", "--deck", deck).json
    assert choice["options"] == {"A": "this", "B": "that", "C": "both"}
    assert choice["correct_answer"] == "B"
    square = cli.ok("show", "square", "--json", "--deck", deck).json
    assert [ask["name"] for ask in square["asks"]] == ["dx"]
    assert square["steps"] == ["Square.", "Multiply."]
    assert (square["checker"], square["points"]) == (True, 4)


def test_a_broken_checker_is_told_beside_the_card(cli: CommandLine, deck: Path) -> None:
    (deck / "square.py").write_text("import nothing_of_this_name\n", "utf-8")
    ran = cli.ok("show", "square", "--json", "--deck", deck)
    assert ran.json["asks"] == []
    assert "checker is broken" in ran.err
    assert "checker is broken" in cli.ok("show", "square", "--deck", deck).out


def test_history_tells_reviews_and_what_was_taken_back(cli: CommandLine, deck: Path) -> None:
    assert "never reviewed" in cli.ok("history", "open", "--deck", deck).err
    cli.ok("rate", "open", "good", "--deck", deck)
    cli.ok("rate", "open", "again", "--deck", deck)
    cli.ok("undo", "--deck", deck)
    cli.ok("suspend", "open", "--deck", deck)
    lines = cli.ok("history", "open", "--deck", deck).out.splitlines()
    assert lines[0].startswith("2026-11-20 09:00  good, next in")
    assert lines[1].endswith("(undone)") and "again" in lines[1]
    assert lines[3].endswith("suspend")
    rows = cli.ok("history", "open", "--json", "--deck", deck).json
    assert [(row["kind"], row["undone"]) for row in rows] == [
        ("review", False), ("review", True), ("undo", False), ("suspend", False)
    ]  # fmt: skip
    assert rows[0]["rating"] == "good"


def test_the_history_of_a_card_outlives_its_file(cli: CommandLine, deck: Path) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    (deck / "open.md").rename(deck / "open.txt")
    (deck / "longer.md").write_text(card_text("open-question"), "utf-8")
    ran = cli.ok("history", "open", "--deck", deck)
    assert "good" in ran.out
    assert "open: no file in" in ran.err
    assert cli("history", "never-there", "--deck", deck).code == 5


def test_history_stands_in_the_order_in_which_it_was_made_though_the_clock_went_back(
    cli: CommandLine, deck: Path, at: Callable[[str], None]
) -> None:
    for day in ("2026-12-10", "2026-12-08", "2026-12-12"):
        at(f"{day}T09:00+01:00")
        cli.ok("rate", "open", "good", "--deck", deck)
    lines = cli.ok("history", "open", "--deck", deck).out.splitlines()
    assert [line[:10] for line in lines[:3]] == ["2026-12-10", "2026-12-08", "2026-12-12"]
    gone_back = [line.endswith("  (the clock had gone back)") for line in lines[:3]]
    assert gone_back == [False, True, False]
    assert lines[-1].split()[0] == "2026-12-10"
    assert not any(line.startswith("  0%") for line in lines)
