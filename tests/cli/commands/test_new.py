"""`new`, `init` and `tex`; `use` is tested with the configuration."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import card_text


def test_a_new_card_passes_the_strict_check_and_judges_as_it_is(
    cli: CommandLine, here: Path
) -> None:
    ran = cli.ok("new", "my-layer", "--course", 'ML: a "first" course')
    assert [Path(line.removeprefix("wrote ")).name for line in ran.out.splitlines()] == [
        "my-layer.md",
        "my-layer.py",
    ]
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


@pytest.mark.parametrize("slug", ["layers/deep/skip-connection", "010", "null", "é_1"])
def test_a_slug_names_folders_file_and_id(cli: CommandLine, here: Path, slug: str) -> None:
    cli.ok("new", slug)
    assert (here / f"{slug}.md").is_file() and (here / f"{slug}.py").is_file()
    assert [row["id"] for row in cli.ok("list", "--json").json] == [slug.rpartition("/")[2]]


def test_a_new_card_goes_into_the_deck_in_use(cli: CommandLine, deck: Path, here: Path) -> None:
    cli.ok("use", deck)
    cli.ok("new", "extra")
    assert (deck / "extra.md").is_file()
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("present", ["taken.md", "taken.py"])
def test_new_never_writes_over_a_file(cli: CommandLine, here: Path, present: str) -> None:
    (here / present).write_text("mine", "utf-8")
    ran = cli("new", "taken")
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


def test_edit_needs_a_terminal(cli: CommandLine, write_deck: Callable[..., Path]) -> None:
    deck = write_deck({"open.md": card_text("open")})
    ran = cli("edit", "open", "--deck", deck)
    assert ran.code == 2 and "open.md" in ran.err
