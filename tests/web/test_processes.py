"""Nothing forks from the server, which has several threads.

A fork copies one thread only: a lock that another one held stays locked in the copy for ever. What
counts is a copy in which Python goes on: `os.fork`, `os.forkpty`, `multiprocessing` by fork, and
`subprocess` with a `preexec_fn`. All of them call what `os.register_at_fork` was given. Starting a
program as `subprocess` does otherwise is no such copy: nothing of Python runs in it before `exec`.
"""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from time import sleep

import httpx2
import pytest
from command_line import CommandLine
from samples import CHECKER, DERIVATION_CARD, plain_cards
from served import serving
from site_of import words

from quizzer.deck.reading import MANY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
WATCH = """
import os, sys, traceback

told = sys.argv.pop(1)

def before_fork():
    if len(os.listdir("/proc/self/task")) > 1:
        with open(told, "a") as file:
            print("forked", *traceback.format_stack(), file=file)

os.register_at_fork(before=before_fork)
"""
"""Notes every fork while there are several threads in a file."""
QUIZZER = """
import runpy
runpy.run_module("quizzer", run_name="__main__", alter_sys=True)
"""
FORKS = {
    "os.fork": "os.fork() or os._exit(0)",
    "multiprocessing": "multiprocessing.get_context('fork').Process(target=print).start()",
    "preexec_fn": "subprocess.Popen(['true'], preexec_fn=print).wait()",
}
STARTS = {
    "subprocess": "subprocess.Popen(['true'], start_new_session=True).wait()",
    "posix_spawn": "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)",
}


@pytest.mark.parametrize("name", [*FORKS, *STARTS])
def test_the_watch_tells_a_fork_from_the_start_of_a_program(name: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    threaded = f"""
import multiprocessing, os, subprocess, threading
thread = threading.Thread(target=lambda: {(FORKS | STARTS)[name]})
thread.start()
thread.join()
"""
    subprocess.run([sys.executable, "-c", WATCH + threaded, told], check=True)
    assert told.exists() == (name in FORKS)


@pytest.mark.slow
def test_nothing_forks_from_the_server_whatever_is_done(
    write_deck: Callable[[dict[str, str]], Path],
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = home / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('forms = ["blank"]\n', "utf-8")
    opened, told = tmp_path / "opened", tmp_path / "told"
    opener = tmp_path / "opener"
    opener.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n', "utf-8")
    opener.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(opener))
    monkeypatch.setenv("EDITOR", str(opener))
    deck = write_deck({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    python = ("-c", WATCH + QUIZZER, str(told), "serve")
    options = ("--port", 8980, "--deck", deck, "--store", tmp_path / "h.db")
    with serving(*options, python=python) as (process, address, port):
        own = f"http://127.0.0.1:{port}"
        with httpx2.Client(
            base_url=own, follow_redirects=True, trust_env=False, timeout=60
        ) as browser:
            browser.headers["origin"] = own
            browser.get(address)
            use(browser, deck)
        threads = len(list(Path(f"/proc/{process.pid}/task").iterdir()))
    assert threads > 3
    waited = 0
    while len(opened.read_text("utf-8").splitlines()) < 2 and (waited := waited + 1) < 100:
        sleep(0.1)
    browsed, edited = opened.read_text("utf-8").splitlines()
    assert browsed == address and edited.endswith("square.md")
    assert not told.exists(), told.read_text("utf-8")


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_a_history_that_is_locked(
    cli: CommandLine, write_deck: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    deck, store = write_deck(plain_cards("one")), tmp_path / "h.db"
    cli.ok("rate", "one", "good", "--deck", deck, "--store", store)
    with serving("--port", 8960, "--deck", deck, "--store", store) as (process, address, port):
        with httpx2.Client(follow_redirects=True, trust_env=False) as browser:
            assert browser.get(address).status_code == 200
            other = sqlite3.connect(store, isolation_level=None)
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(httpx2.ReadTimeout):
                browser.get(f"http://127.0.0.1:{port}/stats", timeout=1)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130, "the store itself is patient for 30 seconds"
        other.close()
    assert cli.ok("stats", "--json", "--deck", deck, "--store", store).json["reviews"] == 1


def use(browser: httpx2.Client, deck: Path) -> None:
    """Whatever may start a process: judging, checks, a forecast, the editor.

    The deck also grows by so many files that a command would read them on two cores.
    """

    def send(path: str, expected: str, **fields: str) -> None:
        nonlocal page
        number = page.partition('name="number" value="')[2].partition('"')[0]
        answered = browser.post(path, data={"number": number, **fields})
        page = answered.text
        assert answered.status_code == 200 and expected in words(page), words(page)

    page = ""
    send("/begin", "Derive its backward message", minutes="all")
    send("/do/answer", "✗", text="dx = x ⊙ dy")
    read = browser.post("/read", json={"text": "dx = x ⊙ dy", "line": 1})
    assert read.json()["state"] == "read"
    send("/do/hint", "Use the chain rule.")
    send("/do/edit", "open in")
    send("/do/answer", "right", text="dx = 2 x ⊙ dy")
    send("/do/rate", "saved: hard", rating="2")
    send("/do/undo", "took back hard")
    for name, text in plain_cards(*(f"new{k}" for k in range(MANY))).items():
        (deck / name).write_text(text, "utf-8")
    send("/do/quit", "1 card")
    assert f"{MANY + 1} cards" in words(browser.get("/cards").text)
    for path in ("/map", "/stats", "/plan"):
        assert browser.get(path).status_code == 200
    send("/plan/exam", "Plan", course="ML", day=str(date.today() + timedelta(30)))
    draft = {"type": "open", "name": "mine", "question": "Why?", "solution": "So."}
    send("/new/check", "has nothing to say", **draft)
    send("/new", "Saved in", **draft, do="save")
    send("/quiz/begin", "", cards="1")
    send("/quiz/do/reveal", "")
