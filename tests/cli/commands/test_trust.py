"""What happens without a sandbox: the learner is asked before a deck's code runs."""

import hashlib
from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.trust import ask_for_trust
from quizzer.sandbox import protection, trust


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel without seccomp, as macOS or Windows are."""
    monkeypatch.setattr(protection.seccomp, "missing", lambda: "not on this system")


@pytest.mark.usefixtures("no_sandbox")
def test_code_that_is_not_trusted_does_not_run(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "square", "dx=2*x*dy", "--deck", deck)
    assert ran.code == 4
    assert "quizzer trust" in ran.out


@pytest.mark.usefixtures("no_sandbox")
def test_trust_holds_until_the_next_edit(cli: CommandLine, deck: Path) -> None:
    cli.ok("trust", deck)
    assert cli.ok("verify", "square", "dx=2*x*dy", "--deck", deck)
    with (deck / "square.py").open("a") as file:
        file.write("# edited by somebody else\n")
    assert cli("verify", "square", "dx=2*x*dy", "--deck", deck).code == 4


FENCED = (
    "---\nid: fenced\n---\n\n# Question\nFind `dx`.\n\n---\n# Solution\n2\n\n"
    "```checker\nx: N\ny = 2 x\nask dx\n```\n"
)


@pytest.mark.usefixtures("no_sandbox")
def test_a_checker_in_math_needs_no_trust_but_an_answer_in_numpy_does(
    cli: CommandLine, here: Path
) -> None:
    (here / "fenced.md").write_text(FENCED, "utf-8")
    assert Workspace((here,)).untrusted() == ()
    cli.ok("verify", "fenced", "dx_n=2 dy_n", "--deck", here)
    cli.ok("verify", "fenced", "dx=2*dy", "--deck", here)  # read as on paper
    assert cli("verify", "fenced", "dx=np.add(dy, dy)", "--deck", here).code == 3
    assert cli.ok("trust", here).out.startswith("trusted: 1 file, until the next edit")
    cli.ok("verify", "fenced", "dx=np.add(dy, dy)", "--deck", here)


@pytest.mark.usefixtures("no_sandbox")
def test_the_starter_deck_and_what_quizzer_wrote_need_no_question(
    cli: CommandLine, here: Path
) -> None:
    cli.ok("verify", "q-sigmoid", "dx=dy*y*(1-y)")
    cli.ok("new", "mine")
    cli.ok("verify", "mine", "dx=2*dy*a*x", "--deck", here)
    cli.ok("init", here / "copy")
    cli.ok("verify", "q-sigmoid", "dx=dy*y*(1-y)", "--deck", here / "copy")


@pytest.mark.usefixtures("no_sandbox")
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


def test_with_a_sandbox_nobody_is_asked(cli: CommandLine, deck: Path) -> None:
    if not protection.enclosed():
        pytest.skip("this system has no sandbox")
    assert Workspace((deck,)).untrusted() == ()
    cli.ok("verify", "square", "dx=2*x*dy", "--deck", deck)


def test_a_checker_that_prints_is_told_to_its_author(cli: CommandLine, deck: Path) -> None:
    with (deck / "square.py").open("a") as file:
        file.write("print('hello', 'from', 'here')\n")
    ran = cli("check", deck)
    assert "hello from here" in ran.out
    assert "[prints]" in ran.out


@pytest.mark.usefixtures("no_sandbox")
def test_who_may_write_beside_the_history_says_nothing_of_trust(
    cli: CommandLine, deck: Path, tmp_path: Path, home: Path
) -> None:
    store = tmp_path / "shared" / "history.db"
    cli.ok("trust", deck, "--store", store)
    record = home / ".local" / "share" / "quizzer" / "trusted"
    text = record.read_text()
    record.unlink()
    store.parent.mkdir(exist_ok=True)
    store.with_name("trusted").write_text(text)
    assert cli("verify", "square", "dx=2*x*dy", "--deck", deck, "--store", store).code == 4


@pytest.mark.usefixtures("no_sandbox")
def test_a_record_that_others_may_write_trusts_nothing(
    cli: CommandLine, deck: Path, home: Path
) -> None:
    cli.ok("trust", deck)
    record = home / ".local" / "share" / "quizzer" / "trusted"
    assert record.stat().st_mode & 0o777 == 0o600
    record.chmod(0o620)
    assert cli("verify", "square", "dx=2*x*dy", "--deck", deck).code == 4


@pytest.mark.usefixtures("no_sandbox")
def test_a_name_with_a_line_of_its_own_trusts_no_other_file(
    cli: CommandLine, deck: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "later.py").write_text("a = 1\n")
    digest = hashlib.sha256(b"a = 1\n").hexdigest()
    (deck / f"x\n{digest}  ").mkdir()
    (deck / f"x\n{digest}  " / str(other)[1:]).mkdir(parents=True)
    (deck / f"x\n{digest}  " / str(other / "later.py")[1:]).write_text("b = 1\n")
    cli.ok("trust", deck)
    assert not trust.is_trusted([other / "later.py"], Workspace().trust_path)


@pytest.mark.usefixtures("no_sandbox")
def test_a_deck_with_names_in_another_encoding_can_be_trusted(cli: CommandLine, deck: Path) -> None:
    (deck / "\udcff.py").write_text("a = 1\n")
    cli.ok("trust", deck)
    assert trust.is_trusted([deck], Workspace().trust_path)
