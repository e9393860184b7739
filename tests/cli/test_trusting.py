"""What happens where the kernel offers no walls: a deck's code is asked for before it runs."""

from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.cli.trusting import ask_for_trust
from quizzer.cli.workspace import Workspace
from quizzer.sandbox import walls


@pytest.fixture
def no_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel without seccomp, as macOS or Windows are."""
    monkeypatch.setattr(walls.seccomp, "missing", lambda: "not on this system")


@pytest.mark.usefixtures("no_walls")
def test_code_that_is_not_trusted_does_not_run(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "square", "dx=2*x*dy", "--deck", deck)
    assert ran.code == 4
    assert "quizzer trust" in ran.out


@pytest.mark.usefixtures("no_walls")
def test_trust_holds_until_the_next_edit(cli: CommandLine, deck: Path) -> None:
    cli.ok("trust", deck)
    assert cli.ok("verify", "square", "dx=2*x*dy", "--deck", deck)
    with (deck / "square.py").open("a") as file:
        file.write("# edited by somebody else\n")
    assert cli("verify", "square", "dx=2*x*dy", "--deck", deck).code == 4


@pytest.mark.usefixtures("no_walls")
def test_the_starter_deck_and_what_quizzer_wrote_need_no_question(
    cli: CommandLine, here: Path
) -> None:
    cli.ok("verify", "q-sigmoid", "dx=dy*y*(1-y)")
    cli.ok("new", "mine")
    assert "2 * delta" in (here / "mine.py").read_text()
    cli.ok("verify", "mine", "dx=2*delta*a*x", "--deck", here)
    cli.ok("init", here / "copy")
    cli.ok("verify", "q-sigmoid", "dx=dy*y*(1-y)", "--deck", here / "copy")


@pytest.mark.usefixtures("no_walls")
@pytest.mark.parametrize(("typed", "trusted"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_before_a_session_the_learner_is_asked(
    deck: Path, home: Path, monkeypatch: pytest.MonkeyPatch, typed: str, trusted: bool
) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    workspace = Workspace((deck,))
    assert workspace.untrusted() == (deck / "square.py",)
    ask_for_trust(workspace)
    assert (not workspace.untrusted()) is trusted


def test_inside_walls_nobody_is_asked(cli: CommandLine, deck: Path) -> None:
    if not walls.enclosed():
        pytest.skip("no walls stand on this machine")
    assert Workspace((deck,)).untrusted() == ()
    cli.ok("verify", "square", "dx=2*x*dy", "--deck", deck)


def test_a_checker_that_prints_is_told_to_its_author(cli: CommandLine, deck: Path) -> None:
    with (deck / "square.py").open("a") as file:
        file.write("print('hello', 'from', 'here')\n")
    ran = cli("check", deck)
    assert "hello from here" in ran.out
    assert "[prints]" in ran.out
