"""Without what only POSIX has, everything works but the sandbox of Linux.

Windows itself is not at hand: quizzer's own modules find no `termios`, no `fork`, no SIGHUP.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import ALT_ENTER, CTRL_C, Terminal, environment
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING

TESTS = Path(__file__).parent.parent
PROGRAM = (
    f"import sys; sys.path.insert(0, {str(TESTS)!r}); import windows; windows.pretend(); "
    "from quizzer.cli.main import program; sys.exit(program())"
)
RATING = r"1-4 rates, .*\? "
FOREVER = CHECKER.replace("def forward(x):", "def forward(x):\n    while True: pass")

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(here: Path, deck: Path) -> Run:
    def run(*argv: str | Path) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM, "--deck", deck, *argv],
            capture_output=True,
            text=True,
            env={**os.environ, "HOME": str(here.parent / "home")},
            timeout=120,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran

    return run


@pytest.mark.slow
def test_the_program_believes_to_be_on_windows(run: Run) -> None:
    found = json.loads(run("doctor", "--json").stdout)
    assert found["platform"] == "win32"
    details = " ".join(found["walls"]["details"])
    assert "Windows has no such limits" in details and "only Linux has it" in details


LINES = (
    *("due", "list", "rate open good", "show square", "stats", "config", "tex x^2", "-h"),
    *("export -", "suspend open", "exam ML 2026-12-24", "init mine", "new fresh", "history open"),
)
ONE_AFTER_ANOTHER = f"""
import contextlib, io, json, sys, traceback
sys.path.insert(0, {str(TESTS)!r})
import windows
windows.pretend()
from quizzer.cli.main import main
deck, *lines = sys.argv[1:]
ran = {{}}
for line in lines:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(["--deck", deck, *line.split()])
        except BaseException:
            code = traceback.format_exc()
    ran[line] = [code, *(each.buffer.getvalue().decode() for each in (out, err))]
print(json.dumps(ran))
"""
"""A process in which these commands run: half a second of imports once, not for each."""


def test_what_runs_no_code_of_a_deck_works_at_once(
    here: Path, cli: CommandLine, deck: Path
) -> None:
    cli.ok("rate", "open", "good", "--deck", deck)
    ran = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_ANOTHER, deck, *LINES],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(here.parent / "home")},
        timeout=120,
    )
    found = json.loads(ran.stdout)
    assert list(found) == [*LINES]
    for line, (code, out, err) in found.items():
        assert (code, bool(out)) == (0, True), f"{line}: {code} {err}"


@pytest.mark.slow
def test_code_of_a_deck_runs_when_it_is_trusted_in_a_process_of_its_own(
    run: Run, deck: Path
) -> None:
    ran = run("verify", "square", "dx = 2*x*dy")
    assert ran.returncode == 4 and "quizzer trust" in ran.stdout
    assert run("trust", deck).returncode == 0
    assert run("verify", "square", "dx = 2*x*dy").returncode == 0
    assert run("verify", "square", "dx = x*dy").returncode == 1
    assert run("check", deck).returncode == 0
    assert run("show", "square").returncode == 0


@pytest.mark.slow
def test_a_stage_without_end_is_ended_when_its_time_is_up(run: Run, deck: Path) -> None:
    (deck / "square.py").write_text(f"seconds = 0.2\n{FOREVER}", "utf-8")
    assert run("trust", deck).returncode == 0
    ran = run("verify", "square", "dx = 2*x*dy")
    assert ran.returncode == 4 and "longer than 0.2" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_a_session_asks_for_trust_and_reads_single_keys(
    tmp_path: Path, write_deck: Callable[..., Path], plain: list[str]
) -> None:
    deck = write_deck(
        {
            "square.md": DERIVATION_CARD,
            "square.py": CHECKER,
            "choice.md": CHOICE_CARD.replace("difficulty: 2", "difficulty: 1"),
        }
    )
    home = tmp_path / "home"
    home.mkdir()
    env = environment(home, MORNING.isoformat())
    program = (sys.executable, "-c", PROGRAM)
    with Terminal(
        "review", *plain, "--form", "blank", "--deck", deck, env=env, program=program
    ) as terminal:
        terminal.shows("This system has no sandbox")
        terminal.send("y\r")
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.shows("saved: good")
        terminal.prompt("dx = ")
        terminal.answer("2*x*dy", ALT_ENTER)
        terminal.shows("right")
        terminal.prompt(RATING)
        terminal.send("4")
        terminal.shows("2 ratings on 2 cards")
        assert terminal.ends() == 0


def test_an_interrupt_ends_a_session_with_all_saved(
    tmp_path: Path, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({"choice.md": CHOICE_CARD})
    home = tmp_path / "home"
    home.mkdir()
    env = environment(home, MORNING.isoformat())
    with Terminal(
        "review", "--deck", deck, env=env, program=(sys.executable, "-c", PROGRAM)
    ) as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send(CTRL_C)
        assert terminal.ends() == 130


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\Tools\edit.exe --wait", [r"C:\Tools\edit.exe", "--wait"]),
        (r'"C:\Program Files\edit.exe" -n', [r"C:\Program Files\edit.exe", "-n"]),
        ("code --wait", ["code", "--wait"]),
    ],
)
def test_an_editor_of_windows_is_named_with_backslashes(
    monkeypatch: pytest.MonkeyPatch, command: str, words: list[str]
) -> None:
    from quizzer.app import editor

    monkeypatch.setattr(editor, "WINDOWS", True)
    assert editor.editor_command({"EDITOR": command}, None) == words
