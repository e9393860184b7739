"""Whatever ends or stops the program, the terminal is as it was, and nothing is lost or left."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import descendants, is_running
from pseudo_terminal import PATIENCE, PROGRAM, Terminal, environment
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING, card_text

from quizzer.store import Store
from quizzer.values import Review

JOB_CONTROL = Path(__file__).with_name("job_control.py")
NOW = "2026-11-20T09:00:00+01:00"
RATING = r"1-4 rates, .*\? "
ENDING = [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
SLOW = "seconds = 30\n" + CHECKER.replace(
    "def forward(x):", "def forward(x):\n    while True: pass"
)

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="looks at processes as Linux tells of them"
)


class Desk:
    """A learner at a shell, with a deck."""

    def __init__(self, home: Path, deck: Path) -> None:
        self.home, self.deck = home, deck
        config = home / ".config" / "quizzer" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text('forms = ["blank"]\n')

    def start(self, *arguments: str, **environ: str) -> "Job":
        env = environment(self.home, NOW, **environ)
        return Job(*arguments, "--deck", self.deck, env=env, program=self.program)

    program = (sys.executable, JOB_CONTROL, PROGRAM)

    def reviews(self) -> list[str]:
        path = self.home / ".local" / "share" / "quizzer" / "history.db"
        with Store.open(path, MORNING, read_only=True) as store:
            return [event.fact.card for event in store.events(kinds=[Review])]


class Job(Terminal):
    """A program that a shell has started, and what became of it."""

    @property
    def job(self) -> int:
        return int(self.shown(r"^job (\d+)")[1])

    def shown(self, pattern: str) -> re.Match[str]:
        """Wait until this stands on the screen, or stood there before."""
        self._at_last_key = ("", (-1, -1))
        found = re.compile(rf"(?m){pattern}")
        self.until(lambda: bool(found.search(self.text)), pattern)
        match = found.search(self.text)
        assert match
        return match

    def end_by(self, number: signal.Signals) -> None:
        """Send the signal; the program ends for it, the terminal is as it was, no process stays."""
        family = list(descendants(self.job))
        os.kill(self.job, number)
        self.shown(rf"^ended {128 + number}, terminal kept$")
        assert self.ends() == 0
        assert "Traceback" not in self.text
        for switched_on, off in (("\x1b[?2004h", "\x1b[?2004l"), ("\x1b[?25l", "\x1b[?25h")):
            assert self.raw.rfind(switched_on) <= self.raw.rfind(off)
        deadline = time.monotonic() + PATIENCE
        while any(map(is_running, family)):
            assert time.monotonic() < deadline, "a process was left behind"
            time.sleep(0.01)


@pytest.fixture
def sit_down(tmp_path: Path, write_deck: Callable[[dict[str, str]], Path]) -> Callable[..., Desk]:
    def sit(**files: str) -> Desk:
        named = {name.replace("_", "."): text for name, text in files.items()}
        return Desk(tmp_path / "home", write_deck(named))

    return sit


SitDown = Callable[..., Desk]


def editor(tmp_path: Path) -> str:
    """One that draws on the terminal, and stays until it is ended."""
    path = tmp_path / "editor"
    path.write_text("#!/bin/sh\necho editing\nexec sleep 600\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("number", ENDING)
def test_in_the_middle_of_an_answer(sit_down: SitDown, number: signal.Signals) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=CHECKER)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("2 x")
        terminal.shows("2 x")
        terminal.end_by(number)


@pytest.mark.parametrize(("number", "plain"), [*zip(ENDING, ([], ["--plain"], []), strict=True)])
def test_after_a_rating_that_was_said_to_be_saved(
    sit_down: SitDown, number: signal.Signals, plain: list[str]
) -> None:
    cards = {f"c{n}_md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(2)}
    desk = sit_down(**cards)
    with desk.start("review", *plain) as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.shows("saved: good")
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.end_by(number)
    assert len(desk.reviews()) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_while_an_answer_is_judged(sit_down: SitDown, number: signal.Signals) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=SLOW)
    with desk.start("verify", "square", "dx = dy") as terminal:
        terminal.shown(r"\.\.\.")  # nothing that is typed is shown meanwhile
        terminal.end_by(number)


def test_while_the_learner_writes_in_an_editor(sit_down: SitDown, tmp_path: Path) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=CHECKER)
    with desk.start("review", EDITOR=editor(tmp_path)) as terminal:
        terminal.prompt("dx = ")
        terminal.send("\x05")
        terminal.shows("editing")
        terminal.end_by(signal.SIGHUP)


def test_while_a_card_is_edited(sit_down: SitDown, tmp_path: Path) -> None:
    desk = sit_down(open_md=card_text("open"))
    with desk.start("edit", "open", EDITOR=editor(tmp_path)) as terminal:
        terminal.shown("editing")
        terminal.end_by(signal.SIGTERM)


@pytest.mark.skipif(not Path("/usr/bin/less").exists(), reason="needs less")
def test_while_a_long_card_is_read_in_a_pager(sit_down: SitDown) -> None:
    desk = sit_down(open_md=card_text("open", question="line\n\n" * 200))
    with desk.start("show", "open") as terminal:
        terminal.shown("^:")
        terminal.end_by(signal.SIGTERM)


def test_when_the_window_is_closed_all_is_saved_and_no_process_stays(sit_down: SitDown) -> None:
    cards = {f"c{n}_md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(2)}
    desk = sit_down(**cards)
    with desk.start("review") as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.shows("saved: good")
        terminal.prompt(r"which of A, B, C\? ")
        family = [terminal.job, *descendants(terminal.job)]
        terminal._child.close(force=True)
        deadline = time.monotonic() + PATIENCE
        while any(map(is_running, family)):
            assert time.monotonic() < deadline, "a process was left behind"
            time.sleep(0.01)
    assert len(desk.reviews()) == 1


def test_a_signal_that_was_ignored_before_is_ignored_further(sit_down: SitDown) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=CHECKER)
    ignoring = (
        "import os, signal, sys; signal.signal(1, signal.SIG_IGN); os.execv(*eval(sys.argv[1]))"
    )
    desk.program = (
        *(sys.executable, JOB_CONTROL, sys.executable, "-c", ignoring),
        repr((str(PROGRAM), [str(PROGRAM), "review", "--deck", str(desk.deck)])),
    )
    with desk.start() as terminal:
        terminal.prompt("dx = ")
        os.kill(terminal.job, signal.SIGHUP)
        terminal.answer("2*x*dy")
        terminal.prompt(RATING)
        terminal.end_by(signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGTSTP, "Ctrl-Z"])
def test_stopped_at_a_question_it_leaves_the_terminal_and_asks_again(
    sit_down: SitDown, number: signal.Signals | str
) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=CHECKER)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("2*x*")
        terminal.shows(r"2\*x\*")
        for times in (1, 2):
            if isinstance(number, str):
                terminal.send("\x1a")
            else:
                os.kill(terminal.job, number)
            terminal.shown(r"stopped, terminal kept[\s\S]*" * times)
            terminal.send("\n")
            terminal.prompt(r"dx = 2\*x\*")
        terminal.answer("dy")
        terminal.prompt(RATING)
        terminal.end_by(signal.SIGTERM)


def test_stopped_while_it_judges_it_shows_what_is_typed_until_it_goes_on(
    sit_down: SitDown,
) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=SLOW)
    with desk.start("verify", "square", "dx = dy") as terminal:
        terminal.shown(r"\.\.\.")
        os.kill(terminal.job, signal.SIGTSTP)
        terminal.shown("^stopped, terminal kept")
        terminal.send("\n")
        terminal.end_by(signal.SIGTERM)


def test_stopped_by_force_it_takes_the_keys_again_when_it_goes_on(sit_down: SitDown) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=CHECKER)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("2*x*")
        terminal.shows(r"2\*x\*")
        os.kill(terminal.job, signal.SIGSTOP)
        terminal.shown("^stopped")  # nobody could leave the terminal as it was
        terminal.send("\n")
        terminal.prompt(r"dx = 2\*x\*")
        terminal.answer("dy")
        terminal.prompt(RATING)
        terminal.end_by(signal.SIGTERM)


FAILING = """
import sys
from quizzer.cli import main
from quizzer.cli.terminal import daily

def fail(*_):
    raise RuntimeError("a fault of the program")

daily.TerminalSession._{where} = fail
sys.exit(main.program())
"""


@pytest.mark.parametrize("where", ["show_verdict", "rate", "summary"])
def test_after_a_fault_of_the_program_itself(sit_down: SitDown, where: str) -> None:
    desk = sit_down(square_md=DERIVATION_CARD, square_py=CHECKER)
    desk.program = (
        *(sys.executable, JOB_CONTROL, sys.executable, "-c", FAILING.format(where=where)),
    )
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2*x*dy")
        if where == "summary":
            terminal.prompt(RATING)
            terminal.send("q")
        terminal.shown("a fault of the program[\\s\\S]*^ended 1, terminal kept$")
