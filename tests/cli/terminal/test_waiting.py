"""What is said while the learner waits."""

import os
import subprocess
import sys

import pexpect
import pytest

BUSY = """
import time
from quizzer.cli.terminal.waiting import busy
with busy("boiling the kettle") as line:
    time.sleep({seconds})
print("done")
"""
STEPS = """
import time
from quizzer.cli.terminal.waiting import ProgressLine
with ProgressLine("counting sheep") as line:
    for number in range(1, 4):
        time.sleep({seconds})
        line(number, 3)
print("done")
"""


def environment() -> dict[str, str]:
    """Without the width that readline, where it is loaded, hands down past `os.environ`."""
    return {name: value for name, value in os.environ.items() if name != "COLUMNS"}


def seen(script: str, columns: int = 80) -> str:
    """All that the script writes to a terminal."""
    shown, status = pexpect.run(
        f"{sys.executable} -c '{script}'",
        withexitstatus=True,
        encoding="utf-8",
        env=environment(),
        dimensions=(24, columns),
    )
    assert status == 0
    return str(shown)


def test_what_takes_longer_than_a_blink_is_named_and_wiped_away() -> None:
    shown = seen(BUSY.format(seconds=0.5))
    told, _, after = shown.partition("boiling the kettle ...")
    assert told.strip("\r\n") == ""
    assert after == "\r" + " " * len("boiling the kettle ...") + "\rdone\r\n"


@pytest.mark.parametrize("script", [BUSY, STEPS])
def test_a_line_is_cut_to_the_window_so_that_it_can_be_wiped(script: str) -> None:
    shown = seen(script.format(seconds=0.3), columns=12)
    first, *others = shown.partition("done")[0].split("\r")
    assert first == "" and any(line.strip() for line in others)
    assert max(map(len, others)) < 12


def test_a_message_is_broken_at_the_words_of_its_own_window() -> None:
    script = (
        'from quizzer.cli.terminal.output import print_note; print_note("some words to be read")'
    )
    shell = f"{sys.executable} -c '{script}' > /dev/null"
    child = pexpect.spawn(
        "sh", ["-c", shell], env=environment(), encoding="utf-8", dimensions=(24, 12), timeout=30
    )
    assert child.read().split("\r\n") == ["some words", "to be read", ""]


def test_a_message_meanwhile_takes_the_place_of_the_line() -> None:
    said = BUSY.format(
        seconds='0.5); from quizzer.cli.terminal.output import print_note; print_note("patience"'
    )
    line = "boiling the kettle ..."
    assert seen(said).strip("\r\n") == f"{line}\r{' ' * len(line)}\rpatience\r\ndone"


def test_what_is_typed_meanwhile_is_kept_and_not_written_into_the_line() -> None:
    script = BUSY.format(seconds=0.5) + "print(len(input()))"
    child = pexpect.spawn(sys.executable, ["-c", script], encoding="utf-8", timeout=30)
    child.expect_exact("boiling the kettle ...")
    child.send("typed\r")
    child.expect_exact("done\r\n")
    assert child.before.strip() == ""
    assert child.read() == "5\r\n"


def test_work_in_the_background_is_not_stopped_for_the_keyboard() -> None:
    script = BUSY.format(seconds=0.2)
    shell = f"set -m; {sys.executable} -c '{script}' & wait $!; echo ended $?"
    child = pexpect.spawn("bash", ["-c", shell], encoding="utf-8", timeout=30)
    assert "ended 0" in child.read()


def test_after_the_waiting_what_is_typed_is_seen_again() -> None:
    script = BUSY.format(seconds=0.2) + "print(len(input()))"
    child = pexpect.spawn(sys.executable, ["-c", script], encoding="utf-8", timeout=30)
    child.expect_exact("done")
    child.send("seen\r")
    assert "seen" in child.read()


def test_what_takes_a_blink_says_nothing() -> None:
    assert seen(BUSY.format(seconds=0)).strip() == "done"


def test_many_steps_tell_how_far_they_are() -> None:
    shown = seen(STEPS.format(seconds=0.2))
    assert "counting sheep: 1 of 3" in shown
    assert "\rcounting sheep: 3 of 3" in shown
    assert shown.rsplit("\r", 2)[1] == "done"


def test_quick_steps_say_nothing() -> None:
    assert seen(STEPS.format(seconds=0)).strip() == "done"


@pytest.mark.parametrize("script", [BUSY, STEPS])
def test_away_from_a_terminal_nothing_is_said(script: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", script.format(seconds=0.2)], capture_output=True, text=True
    )
    assert (ran.stdout, ran.stderr) == ("done\n", "")
