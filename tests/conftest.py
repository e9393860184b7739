"""What many tests need: decks, a clock, one judge, a home of one's own, the command line."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import permissions
import pytest
import workers
from command_line import CommandLine
from documents import Reader
from hypothesis import settings
from postgres_server import PostgresServer, running
from samples import (
    CHECKER,
    CHOICE_CARD,
    DERIVATION_CARD,
    MORNING,
    NUMBER_CARD,
    SettableClock,
    card_text,
)
from workers import InThisProcess, Remembering

from quizzer.checker import SERVICE
from quizzer.judge.judges import Judge
from quizzer.plan import settings as plan_settings
from quizzer.sandbox.worker import best_worker
from quizzer.session.short_form import ShortForms
from quizzer.values import Form

# The thousands of processes that tests start read bytecode, as they do for users.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell lets what it runs in the background ignore Ctrl-C, `nohup` a hangup: all that tests start
# would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
for _name in ("SIGQUIT", "SIGHUP"):
    _number = getattr(signal, _name, None)  # none on Windows
    if _number and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)

# No test is asserted to be fast: others may keep this machine busy.
settings.register_profile("quizzer", derandomize=True, deadline=None)
settings.load_profile("quizzer")


def pytest_collection_finish() -> None:
    """Thousands of tests are no garbage: each search for some would look at all of them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # nor is much of what a test makes


@pytest.fixture(scope="session", autouse=True)
def shared_replies(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give pytest's workers a folder of this run, so that each works out what no other has."""
    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    workers.shared_replies = run / "replies"
    workers.shared_replies.mkdir(exist_ok=True)


@pytest.fixture(autouse=True)
def blank_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards come on blank pages, except where a test configures `forms`: most are about answers."""
    monkeypatch.setattr(plan_settings, "FORMS", (Form.BLANK,))


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture(scope="session")
def checkers() -> Path:
    return Path(__file__).parent / "checkers"


@pytest.fixture
def write_deck(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Write files into a new folder and return it."""

    def write(files: dict[str, str], name: str = "deck") -> Path:
        root = tmp_path / name
        for file, text in files.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return root

    return write


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """From here on permissions hold, whoever runs the tests."""
    with permissions.binding():
        yield


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """Judges in the sandbox what no test of this run has asked before."""
    with Judge(Remembering(best_worker(SERVICE))) as started:
        yield started


@pytest.fixture(scope="session")
def judge_afresh() -> Iterator[Judge]:
    """Judges everything in the sandbox: for tests of the judge and of the sandbox."""
    with Judge() as started:
        yield started


@pytest.fixture(scope="session")
def judge_here() -> Judge:
    """Judges in this process: for answers that we wrote, where processes do not matter."""
    return Judge(InThisProcess())


@pytest.fixture(scope="session")
def running_postgres() -> Iterator[PostgresServer]:
    yield from running()


@pytest.fixture
def postgres_server(running_postgres: PostgresServer) -> Iterator[PostgresServer]:
    """A server that runs when the test begins; the test may stop it."""
    yield running_postgres
    running_postgres.start()


@pytest.fixture
def database(running_postgres: PostgresServer) -> str:
    """The address of an empty database on a real server."""
    return running_postgres.new_database()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory, and none of quizzer's variables set."""
    for name in list(os.environ):
        if name.startswith(("QUIZZER_", "XDG_")) or name in ("NO_COLOR", "EDITOR", "VISUAL"):
            monkeypatch.delenv(name)
    empty = tmp_path / "home"
    empty.mkdir()
    monkeypatch.setenv("HOME", str(empty))
    return empty


@pytest.fixture
def here(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, on a fixed morning, with an empty home."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("QUIZZER_NOW", MORNING.isoformat())
    monkeypatch.setenv("COLUMNS", "80")
    # Output to a pipe shall be buffered, as it is for users.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    return folder


@pytest.fixture
def cli(here: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    return CommandLine(monkeypatch)


@pytest.fixture
def process(here: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the program as a process of its own, without a terminal."""

    def run(*argv: object, stdin: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "quizzer", *map(str, argv)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            env={**os.environ, **environ},
            timeout=60,
        )

    return run


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    """One card of each way of asking, and a note."""
    return write_deck(
        {
            "square.md": DERIVATION_CARD,
            "square.py": CHECKER,
            "choice.md": CHOICE_CARD,
            "number.md": NUMBER_CARD,
            "open.md": card_text("open", course="Statistics"),
            "README.md": "A note.\n",
        }
    )


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the program believe in another time."""
    return lambda moment: monkeypatch.setenv("QUIZZER_NOW", moment)


@pytest.fixture
def reader(here: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Somebody who tries what the documents show, in an empty folder, with an empty home."""
    monkeypatch.delenv("PAGER", raising=False)
    return Reader(monkeypatch)


@pytest.fixture
def forms_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every card waits for its short form, however busy the machine is."""
    take = ShortForms.take
    monkeypatch.setattr(ShortForms, "take", lambda *each: take(*each[:3], seconds=None))
    monkeypatch.setattr(ShortForms, "is_ready", lambda *_: True)
