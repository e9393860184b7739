"""`new`, `init` and `tex`; `use` is tested with the configuration."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from command_line import CommandLine
from samples import card_text

from quizzer.cli.commands import init


def test_a_new_card_passes_the_strict_check_and_judges_as_it_is(
    cli: CommandLine, here: Path
) -> None:
    ran = cli.ok("new", "my-layer", "--course", 'ML: a "first" course')
    assert ran.out == f"wrote {here}/my-layer.md\n"
    assert [path.name for path in here.iterdir()] == ["my-layer.md"]
    checked = cli.ok("check", "--strict")
    assert (checked.out, checked.err.splitlines()[-1]) == (
        "",
        "1 card, 1 checker, 0 notes: 0 errors, 0 warnings",
    )
    right = ("dx[i] = 2 delta_i a_i x_i", "da = delta * x**2")
    assert cli("verify", "my-layer", *right).code == 0
    assert cli("verify", "my-layer", "dx = 2 * a * x").code == 1
    (row,) = cli.ok("list", "--json").json
    assert (row["id"], row["course"]) == ("my-layer", 'ML: a "first" course')


FILLED = {
    "the letter, or several, such as A, C": "A, C",
    "the number alone": "0.25",
    "an option": "ReLU",
}
"""What an author writes in the places where more than a sentence counts."""


@pytest.mark.parametrize(
    ("type_", "places", "asked"),
    [
        ("open", 3, {}),
        ("multiple_choice", 7, {"choice=A, C": 0, "choice=B": 1}),
        ("calculation", 5, {"number=0.25": 0, "number=4": 1}),
        ("problem-solving", 7, {}),
        ("proof", 6, {}),
    ],
)
def test_a_card_without_a_checker_passes_once_each_place_that_check_names_is_filled(
    cli: CommandLine, here: Path, type_: str, places: int, asked: dict[str, int]
) -> None:
    assert cli.ok("new", "mine", "--type", type_).out.splitlines() == [f"wrote {here}/mine.md"]
    card = here / "mine.md"
    unfilled = cli("check", "--strict", "--json")
    problems = unfilled.json["problems"]
    assert unfilled.code == 1 and len(problems) == places
    lines = card.read_text("utf-8").splitlines()
    for problem in problems:
        assert (problem["code"], problem["severity"]) == ("unfilled", "warning")
        named = re.fullmatch(r"`(\[fill in: (.*)\])` is .*", problem["message"])
        assert named and named[1] in lines[problem["line"] - 1]
        at = problem["line"] - 1
        lines[at] = lines[at].replace(named[1], FILLED.get(named[2], "a sentence"), 1)
    card.write_text("\n".join(lines), "utf-8")
    assert cli.ok("check", "--strict").out == ""
    (row,) = cli.ok("list", "--json").json
    assert (row["type"], row["checker"]) == (type_, False)
    for answer, code in asked.items():
        assert cli("verify", "mine", answer).code == code


def test_a_type_may_be_spelled_in_other_ways_but_must_be_known(
    cli: CommandLine, here: Path
) -> None:
    assert "`multiple_choice`" in cli("new", "one", "--type", "multiple_choise").err
    unknown = cli("new", "one", "--type", "riddle")
    assert unknown.code == 2 and "problem-solving" in unknown.err
    assert not list(here.iterdir())
    cli.ok("new", "one", "--type", "Multiple choice")
    assert cli.ok("list", "--json").json[0]["type"] == "multiple_choice"


def test_a_new_card_takes_the_course_of_most_and_the_tags_of_all_cards_beside_it(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    def tagged(card: str, course: str, tags: str) -> str:
        return card_text(card, course=course).replace("tags: []", f"tags: {tags}")

    deck = write_deck(
        {
            "cnn/a.md": tagged("a", "'Deep Learning: II'", "[pooling, cnn, exam 2023]"),
            "cnn/b.md": tagged("b", "'Deep Learning: II'", "[cnn, exam 2023]"),
            "cnn/c.md": tagged("c", "Vision", "cnn, exam 2023"),
            "cnn/deeper/d.md": tagged("d", "Vision", "[other]"),
            "alone/e.md": tagged("e", "Statistics", "[its-own]"),
            "mixed/f.md": tagged("f", "One", "[x]"),
            "mixed/g.md": tagged("g", "Two", "[y]"),
        }
    )

    def header(slug: str, *options: str) -> tuple[str, list[str]]:
        cli.ok("new", slug, "--deck", deck, *options)
        rows = cli.ok("list", "--json", "--deck", deck).json
        (row,) = [row for row in rows if row["path"] == str(deck / f"{slug}.md")]
        return row["course"] or "", row["tags"]

    assert header("cnn/new-1") == ("Deep Learning: II", ["cnn", "exam 2023"])
    assert header("cnn/new-2", "--course", "Mine") == ("Mine", ["cnn", "exam 2023"])
    assert header("cnn/new-3", "--course", "") == ("", ["cnn", "exam 2023"])
    assert header("alone/new-4") == ("Statistics", [])
    assert header("mixed/new-5", "--type", "proof") == ("", [])
    assert header("elsewhere/new-6") == ("", [])


@pytest.mark.parametrize("slug", ["layers/deep/skip-connection", "010", "null", "é_1"])
def test_a_slug_names_folders_file_and_id(cli: CommandLine, here: Path, slug: str) -> None:
    cli.ok("new", slug)
    assert (here / f"{slug}.md").is_file()
    assert [row["id"] for row in cli.ok("list", "--json").json] == [slug.rpartition("/")[2]]


def test_a_new_card_goes_into_the_deck_in_use(cli: CommandLine, deck: Path, here: Path) -> None:
    cli.ok("use", deck)
    cli.ok("new", "extra")
    assert (deck / "extra.md").is_file()
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("present", ["taken.md", "taken.py", "taken.checker"])
@pytest.mark.parametrize("type_", ["derivation", "open"])
def test_new_never_writes_over_a_file(
    cli: CommandLine, here: Path, present: str, type_: str
) -> None:
    (here / present).write_text("mine", "utf-8")
    ran = cli("new", "taken", "--type", type_)
    assert ran.code == 2 and "nothing was changed" in ran.err
    assert [(path.name, path.read_text("utf-8")) for path in here.iterdir()] == [(present, "mine")]


def test_new_refuses_an_id_that_a_card_has(cli: CommandLine, deck: Path) -> None:
    ran = cli("new", "folder/open", "--deck", deck)
    assert ran.code == 2 and "open.md" in ran.err
    assert not (deck / "folder").exists()


@pytest.mark.parametrize("slug", ["", "../out", "/tmp/x", "a b", "_hidden", ".dot", "a/", "a.md"])
def test_new_refuses_a_name_that_would_be_no_card(cli: CommandLine, here: Path, slug: str) -> None:
    assert cli("new", slug).code == 2
    assert list(here.iterdir()) == []


def test_new_tells_where_it_cannot_write(cli: CommandLine, here: Path) -> None:
    (here / "layers").write_text("a file, no folder", "utf-8")
    ran = cli("new", "layers/one")
    assert ran.code == 2 and "layers" in ran.err


def test_init_copies_the_starter_deck_which_then_is_the_users(cli: CommandLine, here: Path) -> None:
    starter = len(cli.ok("list", "--json").json)
    ran = cli.ok("init", "mine")
    assert "quizzer use mine" in ran.err
    listed = cli.ok("list", "--json")
    assert len(listed.json) == starter
    assert "the starter deck" not in listed.err
    assert not list(here.rglob("__pycache__"))


def test_init_sets_the_minutes_of_a_day_and_takes_what_cannot_be_before_it_copies(
    cli: CommandLine, here: Path
) -> None:
    assert cli.ok("config", "--json").json["minutes_per_day"] == 20
    ran = cli("init", "mine", "--minutes", "0")
    assert ran.code == 2 and "from 1 to 1440, or none" in ran.err and not list(here.iterdir())
    assert "15 minutes a day" in cli.ok("init", "mine", "--minutes", "15").out
    assert cli.ok("config", "--json").json["minutes_per_day"] == 15
    assert "no limit" in cli.ok("init", "other", "--minutes", "None").out
    assert cli.ok("config", "--json").json["minutes_per_day"] is None
    assert 'minutes_per_day = "none"' in cli.ok("config").out


def test_init_asks_once_for_how_long_a_day_is(
    cli: CommandLine, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = ["an hour", "30"]
    monkeypatch.setattr(init, "_can_ask", lambda: True)
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: answers.pop(0))
    assert "30 minutes a day" in cli.ok("init", "mine").out
    assert "minutes a day" not in cli.ok("init", "second").out
    assert answers == [] and cli.ok("config", "--json").json["minutes_per_day"] == 30


def test_init_never_writes_into_a_folder_with_files(cli: CommandLine, here: Path) -> None:
    (here / "notes").mkdir()
    (here / "notes" / "mine.txt").write_text("mine", "utf-8")
    for target, why in (("notes", "is not empty"), ("notes/mine.txt", "is not a folder")):
        ran = cli("init", target)
        assert ran.code == 2 and f"{why}; nothing was copied" in ran.err
    assert [path.name for path in here.rglob("*")] == ["notes", "mine.txt"]
    (here / "empty").mkdir()
    cli.ok("init", "empty")


def test_tex_draws_a_formula_and_names_what_it_does_not_know(cli: CommandLine) -> None:
    assert cli.ok("tex", "--inline", "$\\alpha^2$").out == "α²\n"
    drawn = cli.ok("tex", "\\frac{a}{b} \\nonsense")
    assert len(drawn.out.splitlines()) == 3
    assert "\\nonsense" in drawn.err
