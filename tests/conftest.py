"""What many tests need: small decks on disk, a clock, one judge, an environment of one's own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import permissions
import pytest
from hypothesis import settings
from postgres_server import PostgresServer, running
from samples import SettableClock

from quizzer.judge.judges import Judge

# No test is asserted to be fast: others may keep this machine busy.
settings.register_profile("quizzer", derandomize=True, deadline=None)
settings.load_profile("quizzer")


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
    with Judge() as started:
        yield started


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
