"""`init` with a part of the starter deck; the whole of it is tested with `new`."""

from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.deck import Filter, load, starter_deck


def copied(cli: CommandLine, folder: str = "part") -> dict[str, dict[str, object]]:
    return {row["id"]: row for row in cli.ok("list", "--json", "--deck", folder).json}


def test_a_part_has_the_cards_of_the_courses_and_all_that_they_require(
    cli: CommandLine, here: Path
) -> None:
    starter = {entry.id: entry for entry in load([starter_deck()]).entries}
    wanted = {
        card
        for card, entry in starter.items()
        if entry.header.course in ("Optimisation", "Reinforcement Learning and Graphs")
    }
    ran = cli.ok(
        *("init", "part", "--course", "optimisation"),
        *("--course", "Reinforcement Learning and Graphs"),
    )
    own = copied(cli)
    assert wanted < set(own)
    assert all(set(starter[card].header.requires) <= set(own) for card in own)
    required = {card for each in own for card in starter[each].header.requires}
    assert set(own) - wanted <= required
    more = len(own) - len(wanted)
    assert ran.out == (
        f"copied {len(own)} cards of the starter deck ({more} because others require them) "
        f"to {here}/part\n"
    )
    assert "quizzer use part" in ran.err


def test_a_part_has_the_folders_of_its_cards_with_their_names_and_no_problems(
    cli: CommandLine, here: Path
) -> None:
    cli.ok("init", "part", "--tag", "momentum", "--tag", "weight-decay")
    deck = load([here / "part"])
    assert deck.entries and not deck.problems
    names = {path.name for path in (here / "part").iterdir()}
    assert "info.json" in names and "7_optimisation" in names
    assert "4_sequences_and_attention" not in names
    assert {"Optimisation"} <= {name for entry in deck.entries for name in entry.folders}


def test_course_and_tag_narrow_each_other_as_filters_do(cli: CommandLine, here: Path) -> None:
    cli.ok("init", "part", "--no-requires", "--course", "Deep Learning", "--tag", "convolution")
    both = Filter(courses=("Deep Learning",), tags=("convolution",))
    starter = load([starter_deck()]).entries
    assert set(copied(cli)) == {entry.id for entry in starter if both.matches(entry)}


def test_without_what_is_required_only_the_named_cards_come(cli: CommandLine, here: Path) -> None:
    ran = cli.ok("init", "part", "--no-requires", "--course", "Optimisation")
    assert {row["course"] for row in copied(cli).values()} == {"Optimisation"}
    assert "because others require" not in ran.out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--course", "Optimization"), "no course `Optimization` in the starter deck"),
        (("--tag", "convolutoin"), "did you mean `convolution`?"),
        (("--course", "Optimisation", "--tag", "convolution"), "both such a course and such a tag"),
        (("--no-requires",), "--no-requires needs --course or --tag"),
    ],
)
def test_a_part_that_is_empty_is_told_and_nothing_is_written(
    cli: CommandLine, here: Path, options: tuple[str, ...], why: str
) -> None:
    ran = cli("init", "part", *options)
    assert ran.code == 2 and why in ran.err
    assert not list(here.iterdir())


def test_a_part_is_never_written_into_a_folder_with_files(cli: CommandLine, here: Path) -> None:
    (here / "part").mkdir()
    (here / "part" / "mine.md").write_text("mine", "utf-8")
    ran = cli("init", "part", "--course", "Optimisation")
    assert ran.code == 2 and "is not empty; nothing was copied" in ran.err
    assert [path.name for path in here.rglob("*")] == ["part", "mine.md"]
