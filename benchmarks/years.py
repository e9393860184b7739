"""Every command after years: what it takes beside a Typer hello-world, and what must hold.

10,000 cards all new, all reviewed, half and half, or all overdue, with 200,000 reviews; with
--five-years, 1,500 cards, 40,000 reviews and 60,000 typed derivations, each file read from the
disk and the index of the deck made anew. Commands are run in turns within this one run, so that
their ratios hold on a busy machine too. Beside the time on the clock is that of the processor, with
all processes that a command starts: it says more where others use the machine. Memory is the peak
of the process.

Run: .venv/bin/python benchmarks/years.py [--rounds N] [--reviews N] [--five-years] [--only WORD]
[--keep FOLDER]
"""

import argparse
import contextlib
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from _histories import ALL_OVERDUE, write_cards, write_history, write_reports
from startup import HELLO

CARDS = 10_000
FOREIGN = ("QUIZZER_", "XDG_", "PYTHONDONTWRITEBYTECODE")
"""Variables that would lead the commands elsewhere, or have each compile its modules anew."""
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
OPENED = """
import sys
from datetime import datetime
from pathlib import Path
from quizzer.store import Store

Store.open(Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2])).close()
"""
QUIZZER = (sys.executable, "-m", "quizzer")
HISTORIES = {"new": (0, 0), "reviewed": (CARDS, 1.0), "half": (CARDS // 2, 1.0)}
"""How many of the cards were reviewed, and what share of the reviews there are."""


@dataclass
class Case:
    """One row: a command, the history that it finds, what to do before, what must hold."""

    name: str
    words: tuple[str, ...]
    history: str
    limit: float | None = None
    """At most so many hello-worlds."""
    now: datetime = NOW
    before: Callable[[Path], object] = lambda home: None
    until: str | None = None
    """What the screen says once it is measured; the command is then killed."""
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    """Seconds too, where the command ends by itself."""
    peak: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Commands after many years.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--reviews", type=int, default=200_000)
    parser.add_argument("--five-years", action="store_true")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--keep", type=Path, help="build it here, or use what was built here")
    options = parser.parse_args()
    with _folder(options.keep) as home:
        # In a process of its own: the peak of memory of this one is handed on to its children.
        building = multiprocessing.get_context("spawn").Process(
            target=_build, args=(home, options.reviews, options.five_years)
        )
        building.start()
        building.join()
        cases = _five_years() if options.five_years else _cases()
        wanted = [case for case in cases if options.only in case.name]
        hello = Case("typer hello-world", (), "none")
        for number in range(options.rounds + 1):
            for case in (hello, *wanted):
                seconds, processor = _run(case, home)
                if number or options.five_years:  # The first time around the index is made.
                    case.seconds.append(seconds)
                    case.processor += [processor] if processor else []
        _print([hello, *wanted])
        if (reviewed := home / "reviewed.db").exists():
            size = reviewed.stat().st_size / 1e6
            print(
                f"{size:.1f} MB of history: {size / options.reviews * 1e5:.1f} per 100,000 reviews"
            )


def _cases() -> list[Case]:
    found = [
        Case(f"due, {name} cards", ("due",), name, 2.5) for name in ("new", "reviewed", "half")
    ]
    return [
        *found,
        Case("due --json, reviewed cards", ("due", "--json"), "reviewed", 2.5),
        Case("due, all overdue", ("due",), "reviewed", 4, NOW + ALL_OVERDUE),
        Case("rate", ("rate", "card-777", "good"), "used", 2.8, before=_backed_up),
        Case("rate, first of a day", ("rate", "card-7", "good"), "used", 4, before=_a_new_day),
        Case("review, first question", ("review",), "used", 6, before=_backed_up, until="backward"),
        Case("stats", ("stats",), "reviewed", 10),
        Case("stats --from 300 reports", ("stats", "--from", "{home}/reports"), "new", 20),
        Case("doctor", ("doctor",), "reviewed", 30),
        Case("restore", ("restore", "{home}/reviewed.db"), "back", 30, before=_not_backed_up),
        Case("export", ("export", "{home}/out.jsonl"), "reviewed", before=_not_exported),
        Case("import", ("import", "{home}/in.jsonl"), "fresh", before=_no_history),
    ]


def _five_years() -> list[Case]:
    """The same commands for a deck of ordinary size, everything read from the disk again."""
    cases = [
        Case("due", ("due",), "five", 2.5),
        Case("due, all overdue", ("due",), "five", 4, NOW + ALL_OVERDUE),
        Case("rate", ("rate", "card-777", "good"), "used", 2.8, before=_backed_up),
        Case("rate, first of a day", ("rate", "card-7", "good"), "used", 4, before=_a_new_day),
        Case("review, first question", ("review",), "used", 6, before=_backed_up, until="backward"),
        Case("stats", ("stats",), "five", 10),
        Case("doctor", ("doctor",), "five", 30),
        Case("restore", ("restore", "{home}/five.db"), "back", 30, before=_not_backed_up),
        Case("export", ("export", "{home}/out.jsonl"), "five", before=_not_exported),
        Case("import", ("import", "{home}/in.jsonl"), "fresh", before=_no_history),
    ]
    for case in cases:
        case.before = lambda home, first=case.before: (first(home), _cold(home))
    return cases


def _run(case: Case, home: Path) -> tuple[float, float | None]:
    """Seconds that the case takes, of the clock and of the processor.

    Its peak of resident memory is noted in MB.
    """
    store = home / f"{case.history}.db"
    if case.history in ("used", "back") and not store.exists():
        source = next(home / name for name in ("reviewed.db", "five.db") if (home / name).exists())
        shutil.copyfile(source, store)
    case.before(home)
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)},
        "HOME": str(home),
        "QUIZZER_DECK": str(home / "deck"),
        "QUIZZER_STORE": str(store),
        "QUIZZER_NOW": case.now.isoformat(),
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    words = [word.format(home=home) for word in case.words]
    command = [*QUIZZER, *words] if words else [sys.executable, "-c", HELLO]
    if case.until:
        return _until(command, environment, case.until), None
    began = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    unit = 1 if sys.platform == "darwin" else 1024
    case.peak = max(case.peak, usage.ru_maxrss * unit / 1e6)
    return seconds, usage.ru_utime + usage.ru_stime


def _until(command: list[str], environment: dict[str, str], text: str) -> float:
    import pexpect

    began = time.perf_counter()
    child = pexpect.spawn(
        command[0], command[1:], env=environment, dimensions=(50, 80), encoding="utf-8", timeout=60
    )
    try:
        child.expect(text)
        return time.perf_counter() - began
    finally:
        child.close(force=True)


def _print(cases: list[Case]) -> None:
    hello = statistics.median(cases[0].seconds)
    processor = statistics.median(cases[0].processor)
    print(
        f"{'':<28} {'median ms':>9} {'/ hello':>8} {'cpu / hello':>11} {'must':>5} {'peak MB':>8}"
    )
    for case in cases:
        median = statistics.median(case.seconds)
        must = f"{case.limit:g}" if case.limit else ""
        late = " *" if case.limit and median / hello > case.limit else ""
        peak = f"{case.peak:.0f}" if case.peak else ""
        taken = f"{statistics.median(case.processor) / processor:.1f}" if case.processor else ""
        print(
            f"{case.name:<28} {median * 1e3:9.0f} {median / hello:8.1f} {taken:>11} {must:>5} "
            f"{peak:>8}{late}"
        )


def _backed_up(home: Path) -> None:
    """As after the first write of the day."""
    folder = home / "backups" / "used.db"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"used-{NOW.date().isoformat()}.db").touch()


def _a_new_day(home: Path) -> None:
    """As after a whole copy on the day before: what was added is copied."""
    _not_backed_up(home)
    before = (NOW - timedelta(days=1)).isoformat()
    subprocess.run([sys.executable, "-c", OPENED, home / "used.db", before], check=True)


def _not_backed_up(home: Path) -> None:
    shutil.rmtree(home / "backups", ignore_errors=True)


def _not_exported(home: Path) -> None:
    (home / "out.jsonl").unlink(missing_ok=True)


def _no_history(home: Path) -> None:
    _not_backed_up(home)
    (home / "fresh.db").unlink(missing_ok=True)
    if not (home / "in.jsonl").exists():
        shutil.copyfile(home / "out.jsonl", home / "in.jsonl")


def _cold(home: Path) -> None:
    """Without an index, and with no file of history or deck left in memory."""
    shutil.rmtree(home / ".cache", ignore_errors=True)
    if hasattr(os, "posix_fadvise"):
        for file in [*home.glob("*.db"), *(home / "deck").rglob("*.md")]:
            opened = os.open(file, os.O_RDONLY)
            os.fsync(opened)
            os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(opened)


@contextlib.contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.absolute()


def _build(home: Path, reviews: int, five_years: bool) -> None:
    root = home / "deck"
    if five_years:
        if not root.exists():
            write_cards(root, 1500)
            write_history(home / "five.db", root, NOW, 1500, 40_000, 60_000)
        return
    if not root.exists():
        write_cards(root, CARDS)
    if not (home / "reports").exists():
        write_reports(home / "reports", 300, 100)
    for name, (cards, share) in HISTORIES.items():
        file = home / f"{name}.db"
        if not file.exists():
            write_history(file, root, NOW, cards, round(share * reviews) if cards else 0)


if __name__ == "__main__":
    main()
