"""`check`: what is wrong with cards and checkers, where, and how to mend it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import CHECKER, card_text

DECKS = Path(__file__).parents[2] / "decks"


def test_every_fault_of_a_malformed_deck_is_told_with_its_line_and_a_remedy(
    cli: CommandLine,
) -> None:
    ran = cli("check", "--deck", DECKS / "malformed")
    assert ran.code == 1
    lines = [line.removeprefix(f"{DECKS / 'malformed'}/") for line in ran.out.splitlines()]
    told = {tuple(line.split(": ")[:2]): line for line in lines}
    for place, kind, remedy in (
        ("duplicate_2.md:2", "error", "give this card an id of its own"),
        ("never_closed.md:1", "error", "put a line `---`"),
        ("no_id.md:1", "error", "add a line such as `id:"),
        ("no_solution.md:5", "error", "add `---`"),
        ("not_yaml.md:3", "error", "put the value in quotes"),
        ("missing_picture.md:7", "warning", "add the image"),
        ("stray.py:1", "warning", "give both the same name"),
        ("info.json:2", "warning", "write `{"),
    ):
        assert remedy in told.pop((place, kind))
    assert not told
    assert ran.err.splitlines()[-1] == "3 cards, 0 checkers, 0 notes: 5 errors, 3 warnings"


def test_warnings_fail_only_where_that_is_asked_for(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({"a.md": card_text("a", question="$\\nonsense$ and ![[none.png]]")})
    ran = cli("check", "--deck", deck)
    assert ran.code == 0
    assert ran.out.count(": warning: ") == 2 and f"{deck}/a.md:11: " in ran.out
    assert cli("check", "--strict", "--deck", deck).code == 1
    assert cli("check", "--strict", deck).code == 1


def test_of_a_clean_deck_its_count_is_printed_and_which_cards_have_too_few_lines_for_all_forms(
    cli: CommandLine, deck: Path
) -> None:
    told = (
        "forms of square: worked, blank (fewer than three lines can be read and are right)\n"
        "4 cards, 1 checker, 1 note: 0 errors, 0 warnings\n"
    )
    for plain in (cli.ok("check", "--strict", deck), cli.ok("check", "--forms", deck)):
        assert (plain.out, plain.err) == ("", told)


@pytest.mark.parametrize("suffix", [".md", ".py"])
def test_one_card_is_checked_by_its_file_or_its_checker(
    cli: CommandLine, deck: Path, suffix: str
) -> None:
    (deck / "square.py").write_text(CHECKER + '\nright = {"dx": ["3 * x * dy"]}\n', "utf-8")
    (deck / "other.md").write_text("---\nid:\n---\n", "utf-8")
    ran = cli("check", (deck / "square").with_suffix(suffix), "--json")
    assert (ran.code, ran.json["cards"], ran.json["checkers"]) == (1, 1, 1)
    assert {problem["path"] for problem in ran.json["problems"]} == {str(deck / "square.py")}


def test_a_card_of_the_deck_in_use_finds_its_pictures_and_its_doubles(
    cli: CommandLine, write_deck: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = write_deck(
        {
            "a/card.md": card_text("card", question="![[far.png]]"),
            "b/far.png": "",
            "c/double.md": card_text("card"),
        }
    )
    monkeypatch.chdir(deck / "a")
    cli.ok("check", "--strict", "card.md", "--deck", deck)
    assert "is taken by" in cli("check", "../c/double.md", "--deck", deck).out
    assert "far.png" in cli("check", "card.md").out


def test_several_paths_are_checked_together(
    cli: CommandLine, deck: Path, write_deck: Callable[..., Path]
) -> None:
    other = write_deck({"x.md": card_text("x")}, "other")
    assert cli.ok("check", deck / "open.md", other, "--json").json["cards"] == 2


@pytest.mark.parametrize("path", ["gone.md", "text.txt", "lonely.py"])
def test_a_path_that_cannot_be_checked_is_a_usage_error(
    cli: CommandLine, here: Path, path: str
) -> None:
    (here / "text.txt").write_text("", "utf-8")
    (here / "lonely.py").write_text("", "utf-8")
    ran = cli("check", path)
    assert (ran.code, ran.out) == (2, "")
    assert path in ran.err


def test_a_checker_that_does_not_load_is_an_error_of_its_file(cli: CommandLine, deck: Path) -> None:
    (deck / "square.py").write_text("import nothing_of_this_name\n", "utf-8")
    ran = cli("check", deck)
    assert ran.code == 1
    assert f"{deck}/square.py:1: error: " in ran.out and "nothing_of_this_name" in ran.out


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("def sample(rng:\n", 1, "it is no Python: '(' was never closed"),
        ("import numpy as np\nundefined_\n", 2, "it raises when loaded: NameError"),
    ],
)
def test_a_checkers_fault_names_its_file_and_line_once(
    cli: CommandLine, deck: Path, source: str, line: int, said: str
) -> None:
    (deck / "square.py").write_text(source, "utf-8")
    (told,) = [each for each in cli("check", deck).out.splitlines() if "square.py" in each]
    assert told.lower().startswith(f"{deck}/square.py:{line}: error: {said}".lower())
    assert told.count("square.py") == 1
    assert told.count(f"line {line}") == 0


def test_macros_of_the_deck_are_known(cli: CommandLine, deck: Path) -> None:
    (deck / "m.md").write_text(card_text("m", question="$\\loss + 1$"), "utf-8")
    assert "\\loss" in cli("check", deck).out
    (deck / "macros.tex").write_text("\\newcommand{\\loss}{L}\n", "utf-8")
    cli.ok("check", "--strict", deck)


def test_a_check_leaves_no_file_behind(cli: CommandLine, here: Path) -> None:
    shutil.copytree(DECKS / "good", here / "good")
    before = sorted(here.rglob("*"))
    cli("check")
    assert sorted(here.rglob("*")) == before


def test_formulas_are_held_to_be_sound_as_their_macros_draw_them(
    cli: CommandLine, deck: Path
) -> None:
    (deck / "sub").mkdir()
    card = deck / "sub" / "m.md"
    card.write_text(card_text("m", question="$$ \\rows a &= b \\endrows $$"), "utf-8")
    assert "[tex-fault]" in cli("check", deck).out
    macros = "\\def\\rows{\\begin{aligned}}\n\\def\\endrows{\\end{aligned}}\n"
    (deck / "macros.tex").write_text(macros, "utf-8")
    for arguments in ([], [deck], [card], [deck / "sub"], [deck / "sub", deck / "open.md"]):
        ran = cli("check", "--strict", "--deck", deck, *arguments)
        assert (ran.code, ran.out) == (0, "")


def test_a_fault_in_a_formula_is_told_with_the_formulas_own_line(
    cli: CommandLine, deck: Path
) -> None:
    text = card_text("m", question="One line,\nanother with $\\nonsense$\nand a third.")
    (deck / "m.md").write_text(text, "utf-8")
    line = text[: text.index("another")].count("\n") + 1
    assert f"m.md:{line}:" in cli("check", deck).out


def test_points_and_links_are_told_unless_the_card_ignores_them(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    asked = "(5p) Two parts.\n\n(a) (2p) One?\n\n(b) (2p) Two?"
    related = "\n## Related Concepts\n- [[a]]\n- [[b]]\n- [[c]]\n- [[d]]\n"
    cards = {f"{name}.md": card_text(name, question="Why?") + related for name in "abcd"}
    card = card_text("pooling", question=asked) + related + "- [[a_old]]\n"
    deck = write_deck({**cards, "pooling.md": card})
    told = cli.ok("check", deck, "--json").json["problems"]
    assert [(each["line"], each["code"]) for each in told] == [
        (card[: card.index("(5p)")].count("\n") + 1, "points"),
        (card.count("\n"), "link"),
    ]
    (deck / "pooling.md").write_text(card.replace("---\n", "---\nignore: link, points\n", 1))
    assert cli.ok("check", "--strict", deck, "--json").json["problems"] == []


def test_a_single_card_is_held_against_the_links_of_its_whole_deck(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    related = "\n## Related Concepts\n- [[a]]\n- [[b]]\n- [[c]]\n- [[d]]\n"
    cards = {f"{name}.md": card_text(name, question="Why?") + related for name in "abcd"}
    cards["e.md"] = card_text("e", question="Why?") + related.replace("[[d]]", "[[d_old]]")
    deck = write_deck(cards)
    (told,) = cli.ok("check", deck / "e.md", "--deck", deck, "--json").json["problems"]
    assert (told["code"], told["line"]) == ("link", cards["e.md"].count("\n"))


def test_a_card_that_differs_from_its_checker_is_told_with_the_cards_line(
    cli: CommandLine, deck: Path
) -> None:
    card = card_text("square", question="A layer:\n\n$$ y_i = x_i^3 $$\n\nFind `dx`.")
    (deck / "square.md").write_text(card)
    (told,) = cli.ok("check", deck / "square.md", "--json").json["problems"]
    assert told["path"] == str(deck / "square.md")
    assert (told["line"], told["severity"]) == (13, "warning")
    assert (told["code"], "by the checker" in told["message"]) == ("question-formula", True)
    (deck / "square.md").write_text(card.replace("---\n", "---\nignore: question-formula\n", 1))
    assert cli.ok("check", deck / "square.md", "--json").json["problems"] == []
