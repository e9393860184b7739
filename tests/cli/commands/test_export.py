"""`backup`, `restore` and `export`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine


@pytest.fixture
def store(cli: CommandLine, deck: Path, here: Path) -> Path:
    """A history with one review."""
    path = here / "data" / "history.db"
    cli.ok("rate", "open", "good", "--deck", deck, "--store", path)
    return path


def test_a_backup_is_a_whole_store_of_its_own(cli: CommandLine, deck: Path, store: Path) -> None:
    ran = cli.ok("backup", "copies/mine.db", "--store", store)
    assert ran.out.endswith("/copies/mine.db\n")
    assert (
        cli.ok("stats", "--json", "--store", "copies/mine.db", "--deck", deck).json["reviews"] == 1
    )


def test_a_backup_without_a_name_is_dated_and_beside_the_history(
    cli: CommandLine, store: Path
) -> None:
    cli.ok("backup", "--store", store)
    assert {path.name for path in store.parent.glob("*.db")} == {
        "history-2026-11-20-090000.db",
        "history.db",
    }


@pytest.mark.parametrize("command", ["backup", "export"])
def test_nothing_is_ever_written_over_a_file(
    cli: CommandLine, store: Path, here: Path, command: str
) -> None:
    (here / "mine").write_text("precious", "utf-8")
    (here / "link").symlink_to(here / "nowhere")
    for target in ("mine", store, here, "link"):
        ran = cli(command, target, "--store", store)
        assert (ran.code, ran.out) == (2, "")
        assert "nothing was overwritten" in ran.err
    assert (here / "mine").read_text("utf-8") == "precious"
    assert not (here / "nowhere").exists()


@pytest.mark.parametrize("command", ["backup", "export"])
def test_without_a_history_there_is_nothing_to_keep(
    cli: CommandLine, here: Path, command: str
) -> None:
    ran = cli(command, "x", "--store", "none.db")
    assert ran.code == 6
    assert "no history yet" in ran.err
    assert list(here.iterdir()) == []


@pytest.mark.slow
def test_a_history_that_is_gone_is_not_taken_for_one_that_never_was(
    cli: CommandLine, deck: Path, store: Path
) -> None:
    daily = store.parent / "backups" / "history.db" / "history-2026-03-01.db"
    cli.ok("backup", daily, "--store", store)
    store.unlink()
    for command in ("backup", "export", "due", "rate open good", "fit", "doctor"):
        ran = cli(*command.split(), *(["x"] if command in ("backup", "export") else []),
                  "--deck", deck, "--store", store)  # fmt: skip
        assert ran.code == 6
        assert "is gone, yet backups of it exist" in ran.out + ran.err
    cli.ok("restore", daily, "--store", store)
    assert cli.ok("doctor", "--deck", deck, "--store", store).out.count("1 event, in order") == 1


def test_restore_puts_a_backup_back_and_keeps_what_stood_there(
    cli: CommandLine, deck: Path, store: Path
) -> None:
    cli.ok("backup", "mine.db", "--store", store)
    cli.ok("rate", "number", "good", "--deck", deck, "--store", store)
    ran = cli.ok("restore", "mine.db", "--store", store)
    kept = Path(ran.err.rpartition(" in ")[2].strip())

    def reviews(path: Path) -> int:
        count: int = cli.ok("stats", "--json", "--deck", deck, "--store", path).json["reviews"]
        return count

    assert (reviews(store), reviews(kept)) == (1, 2)


def test_restore_refuses_what_is_no_sound_backup(
    cli: CommandLine, deck: Path, store: Path, here: Path
) -> None:
    (here / "text.db").write_text("no database" * 99, "utf-8")
    before = store.read_bytes()
    assert cli("restore", "gone.db", "--store", store).code == 2
    assert cli("restore", "text.db", "--store", store).code == 6
    assert cli("restore", store, "--store", store).code == 6
    assert store.read_bytes() == before


def test_export_writes_an_event_a_line(
    cli: CommandLine, deck: Path, store: Path, here: Path
) -> None:
    cli.ok("undo", "--deck", deck, "--store", store)
    assert cli.ok("export", "log.jsonl", "--store", store).out.startswith("wrote 2 events to ")
    lines = (here / "log.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["review", "undo"]
    assert cli.ok("export", "-", "--store", store).out.splitlines() == lines


KILLED = """
import resource, signal
from quizzer.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
main(["export", "log.jsonl", "--store", {store!r}])
"""
"""The end comes when a hundred bytes are written."""


def test_an_export_killed_half_way_does_not_pass_for_a_whole_one(store: Path, here: Path) -> None:
    script = KILLED.format(store=str(store))
    ran = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True)
    assert ran.returncode == -signal.SIGXFSZ
    assert not (here / "log.jsonl").exists()


def test_an_interrupted_or_impossible_export_leaves_nothing(
    cli: CommandLine, store: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, code in ((KeyboardInterrupt(), 130), (OSError(28, "No space left on device"), 6)):

        def fails(_: int, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(os, "fsync", fails)
        assert cli("export", "log.jsonl", "--store", store).code == code
        assert [path.name for path in here.iterdir()] == ["data"]


@pytest.mark.parametrize("command", ["export", "backup"])
@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_appears_while_a_copy_is_made_is_not_overwritten(
    cli: CommandLine,
    store: Path,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    links: bool,
) -> None:
    link = os.link

    def appears(finished: Path, target: Path) -> None:
        target.write_text("mine")
        if links:
            link(finished, target)
        raise OSError("no second names here")

    monkeypatch.setattr(os, "link", appears)
    ran = cli(command, "copy", "--store", store)
    assert ran.code in (2, 6) and "Traceback" not in ran.err
    assert (here / "copy").read_text() == "mine"
    assert sorted(path.name for path in here.iterdir()) == ["copy", "data"]


def test_an_export_leaves_a_file_alone_that_is_called_as_its_own_would_be(
    cli: CommandLine, store: Path, here: Path
) -> None:
    taken = here / f"log.jsonl.{os.getpid()}.partial"
    taken.write_text("mine")
    cli.ok("export", "log.jsonl", "--store", store)
    assert taken.read_text() == "mine"
