"""Options, help and usage errors of the command line as a whole, and its exit codes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import card_text

from quizzer.cli.command_line import COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(cli: CommandLine, command: str) -> None:
    ran = cli(command, "-h")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: quizzer {command}")
    assert cli(command, "--help") == ran


def test_help_names_every_command_and_the_options_of_all(cli: CommandLine) -> None:
    ran = cli("--help")
    assert ran.code == 0
    assert set(COMMANDS) <= set(ran.out.split())
    for option in ("--deck", "--store", "--no-color", "--version"):
        assert option in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "..." not in ran.out.partition("Commands:")[2]


def test_version_may_stand_before_or_after_a_command(cli: CommandLine) -> None:
    before, after = cli.ok("--version"), cli.ok("due", "--version")
    assert before.out == after.out
    assert before.out.startswith("quizzer ")


@pytest.mark.parametrize(
    "argv",
    [
        ["--deck", "{deck}", "--store", "s.db", "list", "--json"],
        ["list", "--deck", "{deck}", "--json", "--store", "s.db"],
        ["list", "--json", "--deck={deck}", "--store=s.db"],
        ["--no-color", "list", "--json", "--deck", "{deck}", "--store", "s.db"],
        ["list", "--json", "--deck", "{deck}", "--store", "s.db", "--no-color"],
    ],
)
def test_common_options_stand_before_or_after_the_command(
    cli: CommandLine, deck: Path, here: Path, argv: list[str]
) -> None:
    cli.ok("rate", "open", "good", "--deck", deck, "--store", "s.db")
    rows = cli.ok(*(arg.format(deck=deck) for arg in argv)).json
    assert {row["id"]: row["reviews"] for row in rows} == {
        "choice": 0, "number": 0, "open": 1, "square": 0
    }  # fmt: skip
    assert (here / "s.db").exists()


def test_two_decks_may_be_named(cli: CommandLine, deck: Path, here: Path) -> None:
    (here / "one.md").write_text(card_text("one"), "utf-8")
    rows = cli.ok("list", "--deck", deck, "--json", "--deck", here).json
    assert {row["id"] for row in rows} == {"choice", "number", "open", "square", "one"}


def test_after_two_dashes_nothing_is_an_option(cli: CommandLine, deck: Path) -> None:
    ran = cli("show", "--deck", deck, "--", "--version")
    assert ran.code == 5
    assert "--version" in ran.err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["reveiw"], "no command `reveiw`; did you mean `review`?"),
        (["xyzzy"], "no command `xyzzy`; all commands: quizzer --help"),
        (["list", "--srt"], "no option `--srt`; did you mean `--sort`? See: quizzer list -h"),
        (["--dekc", "x"], "no option `--dekc`; did you mean `--deck`?"),
        (["rate"], "missing argument 'CARD'. See: quizzer rate -h"),
        (["due", "--deck"], "option `--deck` needs a path"),
        (["due", "tomorrow"], "unexpected extra argument"),
        (["list", "--difficulty", "hard"], "'hard' is not a valid int"),
        (["rate", "open", "god"], "no rating `god`; did you mean `good`?"),
        (["list", "--sort", "stabilty"], "`stabilty`; did you mean `stability`?"),
        (["list", "--sort", "colour"], "choose from id, course, due"),
    ],
)
def test_a_usage_error_is_one_sentence_with_the_nearest_right_thing(
    cli: CommandLine, deck: Path, argv: list[str], said: str
) -> None:
    ran = cli(*argv, *([] if argv[-1] == "--deck" else ["--deck", deck]))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("quizzer: ") and said in ran.err
    assert ran.err.count("\n") == 1


def test_each_exit_code_is_told_by_a_command(cli: CommandLine, deck: Path, here: Path) -> None:
    """130 is shown by a process of its own in test_main."""
    (deck / "bad.md").write_text(card_text("bad"), "utf-8")
    (deck / "bad.py").write_text("def forward(x): return x\n", "utf-8")
    on = ["--deck", deck]
    codes = {
        0: cli("verify", "square", "dx = 2 * x * dy", *on),
        1: cli("verify", "square", "dx = 3 * x * dy", *on),
        2: cli("verify", "square", *on),
        3: cli("verify", "square", "dx = 2 x *", *on),
        4: cli("verify", "bad", "dx = 1", *on),
        5: cli("verify", "squirrel", "dx = 1", *on),
        6: cli("rate", "open", "good", *on, "--store", here),
    }
    assert {code: ran.code for code, ran in codes.items()} == {code: code for code in codes}
    assert cli("due", "--deck", here / "gone").code == 4
    assert cli("show", "", *on).code == 5


def test_names_with_escape_sequences_reach_no_terminal_raw(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    wild = "\x1b[31mred\x1b]0;title\x07\x9b2J"
    deck = write_deck(
        {
            "a.md": card_text(
                "wild", question=f"Look {wild}", solution=f"**Short Answer:** {wild}"
            ),
            f"b{wild[:5]}.md": "---\nid: broken\n",
            f"c{wild[:5]}.md": card_text("named"),
        }
    )
    for command in (
        ["list"], ["due"], ["check"], ["show", "wild"], ["show", "wild", "--plain"],
        ["list", "--json"], ["show", "wild", "--json"], ["check", "--json"],
        ["verify", "wild", f"{wild}=1"], ["rate", wild, "good"], ["rate", "wild", wild],
        [wild], ["list", f"--{wild}"], ["list", "--sort", wild], ["check", f"{wild}.md"],
        ["new", wild], ["use", wild], ["init", f"{deck}/../{wild}"], ["tex", wild],
        ["--store", f"{deck}/{wild[:5]}/h.db", "config"], ["--deck", wild, "due"],
        ["backup", wild],
    ):  # fmt: skip
        ran = cli("--deck", deck, *command)
        assert "\x1b" not in ran.out + ran.err, command
        assert "\x9b" not in ran.out + ran.err, command
