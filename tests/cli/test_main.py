"""The edge of the program, as processes of its own."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import children, is_computing
from samples import card_text

Process = Callable[..., subprocess.CompletedProcess[str]]


def test_a_reader_that_goes_away_is_no_error(write_deck: Callable[..., Path], here: Path) -> None:
    many = {f"{n}.md": card_text(f"card-with-a-long-name-{n}") for n in range(1500)}
    listing = subprocess.Popen(
        [sys.executable, "-m", "quizzer", "--deck", str(write_deck(many)), "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert listing.stdout and listing.stderr
    first = listing.stdout.readline()
    listing.stdout.close()
    said = listing.stderr.read()
    listing.stderr.close()
    assert (first.split()[0], listing.wait()) == ("card-with-a-long-name-0", 0)
    assert "Error" not in said and "Traceback" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_told_in_a_sentence(deck: Path, here: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "quizzer", "--deck", str(deck), "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 7
    assert "no room left" in ran.stderr and "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", [["list"], ["show", "greek"]], ids=["list", "show"])
def test_a_terminal_of_another_encoding_never_fails(
    process: Process, write_deck: Callable[..., Path], encoding: str, command: list[str]
) -> None:
    deck = write_deck({"greek.md": card_text("greek", question="Σ över δ: $\\alpha \\to ∞$ ✓ 数")})
    ran = process("--deck", deck, *command, PYTHONIOENCODING=encoding)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr


def test_json_says_the_same_in_any_encoding(
    process: Process, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({"greek.md": card_text("δ-kort", question="Σ ∞ 数")})
    ascii_, utf8 = (
        process("--deck", deck, "show", "δ-kort", "--json", PYTHONIOENCODING=encoding).stdout
        for encoding in ("ascii", "utf-8")
    )
    assert ascii_.isascii() and "δ-kort" in utf8
    assert json.loads(ascii_) == json.loads(utf8)
    assert json.loads(ascii_)["question"] == "Σ ∞ 数"


def test_an_interrupt_ends_with_130_and_without_a_traceback(here: Path, deck: Path) -> None:
    """While it waits for another process that holds the history."""
    store = here / "history.db"
    command = [sys.executable, "-m", "quizzer", "--deck", str(deck), "--store", str(store)]
    subprocess.run([*command, "rate", "open", "good"], check=True, capture_output=True)
    holder = sqlite3.connect(store, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        waiting = subprocess.Popen([*command, "rate", "open", "easy"], stderr=subprocess.PIPE)
        assert waiting.stderr
        assert b"waiting" in waiting.stderr.readline()
        waiting.send_signal(signal.SIGINT)
        said = waiting.stderr.read()
        waiting.stderr.close()
        assert waiting.wait() == 130
        assert b"Traceback" not in said
    finally:
        holder.close()


@pytest.mark.skipif(sys.platform != "linux", reason="sees there when a stage runs")
def test_an_interrupt_while_answers_are_judged_leaves_no_traceback(
    here: Path, write_deck: Callable[..., Path]
) -> None:
    endless = "def sample(rng):\n    while True:\n        pass\n\ndef forward(x):\n    return x\n"
    deck = write_deck({"slow.md": card_text("slow"), "slow.py": "seconds = 20\n" + endless})
    judging = subprocess.Popen(
        [sys.executable, "-m", "quizzer", "--deck", str(deck), "verify", "slow", "dx=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    # The warm process of the sandbox computes in a child.
    while not any(map(is_computing, grandchildren(judging.pid))):
        assert judging.poll() is None
        time.sleep(0.01)
    os.killpg(judging.pid, signal.SIGINT)
    said, _ = judging.communicate(timeout=60)
    assert judging.returncode == 130
    assert b"Traceback" not in said


def grandchildren(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield from children(child)


def test_a_second_process_waits_for_the_first_and_says_so(here: Path, deck: Path) -> None:
    store = here / "history.db"
    command = [sys.executable, "-m", "quizzer", "--deck", str(deck), "--store", str(store)]
    subprocess.run([*command, "rate", "open", "good"], check=True, capture_output=True)
    holder = sqlite3.connect(store, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    second = subprocess.Popen([*command, "rate", "number", "easy"], stderr=subprocess.PIPE)
    assert second.stderr
    assert b"another quizzer is writing" in second.stderr.readline()
    holder.execute("COMMIT")
    holder.close()
    assert second.wait() == 0
    second.stderr.close()
    history = subprocess.run([*command, "history", "number"], capture_output=True, text=True)
    assert "easy" in history.stdout


def test_two_processes_at_once_lose_nothing(here: Path, deck: Path) -> None:
    command = [sys.executable, "-m", "quizzer", "--deck", str(deck), "--store", str(here / "h.db")]
    both = [
        subprocess.Popen([*command, "rate", card, "good"], stderr=subprocess.DEVNULL)
        for card in ("open", "number", "choice")
    ]
    assert [one.wait() for one in both] == [0, 0, 0]
    stats = subprocess.run([*command, "stats"], capture_output=True, text=True)
    assert "3, 1 day in a row" in stats.stdout


@pytest.mark.parametrize(
    "command", [["review"], ["quiz"], ["edit", "open"]], ids=lambda command: command[0]
)
def test_what_asks_questions_says_without_a_terminal_what_else_to_type(
    process: Process, deck: Path, command: list[str]
) -> None:
    ran = process("--deck", deck, *command)
    assert ran.returncode == 2
    assert "needs a terminal" in ran.stderr and not ran.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_colours_are_for_terminals_whose_owner_wants_them(deck: Path, here: Path) -> None:
    import pexpect

    def shown(*options: str, **environ: str) -> str:
        terminal = {"TERM": "xterm-256color", **environ}
        command = [sys.executable, "-m", "quizzer", "--deck", str(deck), "show", "open", *options]
        out = pexpect.run(shlex.join(command), env={**os.environ, **terminal}, encoding="utf-8")
        assert "What is it?" in out
        return str(out)

    assert "\x1b[" in shown()
    for plain in (shown("--no-color"), shown(NO_COLOR="1"), shown(TERM="dumb")):
        assert "\x1b" not in plain
