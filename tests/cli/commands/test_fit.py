"""`fit`."""

import re
import sys
from datetime import date, timedelta
from pathlib import Path
from shutil import copy

import pytest
from command_line import CommandLine
from forgetting import FORGETFUL, reviews_of_learner
from pseudo_terminal import CTRL_C, Terminal, environment
from samples import MORNING

from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters
from quizzer.store import Store, fitted
from quizzer.values import Rating, Review, State

HELD = """
import signal
import sys
from quizzer.cli.main import program
from quizzer.fsrs import fit as fitting

learn = fitting.fit

def fit(*arguments, progress, **options):
    def held(made, total):
        progress(made, total)
        signal.pause()
    return learn(*arguments, progress=held, **options)

fitting.fit = fit
sys.exit(program())
"""
"""The program, which waits for a signal after the first fit: on a busy machine all are made before
a key arrives."""


def history(path: Path, own: Parameters, cards: int, days: int) -> Path:
    """A store with the reviews of a learner, the last of them on the day before MORNING."""
    log = reviews_of_learner(own, cards, days)
    begin = MORNING - timedelta(days=days)
    with Store.open(path, begin, backups=False) as store:
        for day in range(days):
            here = log.day == day
            at = begin + timedelta(days=day)
            rows = zip(log.history[here].tolist(), log.rating[here].tolist(), strict=True)
            facts = [Review(f"card-{card}", Rating(r), 1, State.REVIEW) for card, r in rows]
            store.record(*facts, at=at, day=at.toordinal())
    return path


@pytest.fixture(scope="module")
def forgetful_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forgetful")
    return history(folder / "history.db", FORGETFUL, cards=250, days=120)


@pytest.fixture
def forgetful(forgetful_once: Path, here: Path) -> Path:
    """The history of a learner who forgets much faster than the average."""
    (here / "data").mkdir()
    return copy(forgetful_once, here / "data" / "history.db")


def stabilities(path: Path) -> dict[str, float]:
    with Store.open(path, MORNING, read_only=True) as store:
        known = store.progress().items()
        return {card: its.memory.stability for card, its in known if its.memory}


def test_parameters_that_foretell_better_are_adopted_and_it_says_by_how_much(
    cli: CommandLine, forgetful: Path
) -> None:
    ran = cli.ok("fit", "--store", forgetful)
    lines = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert "the defaults of FSRS-6" in lines["in"]
    before, after, gain, error = map(float, re.findall(r"0\.\d{4}", ran.out))
    assert gain == pytest.approx(before - after, abs=1.1e-4)
    assert gain > error
    assert f"{gain:.4f}" in lines["better"]
    assert lines["kept"].endswith("the history; quizzer undo takes them back")
    own = fitted.of(forgetful)
    assert own is not None
    assert date.fromordinal(own.day) == MORNING.date()
    assert own.parameters != DEFAULT_PARAMETERS


def test_memory_is_made_anew_with_the_adopted_parameters(cli: CommandLine, forgetful: Path) -> None:
    before = stabilities(forgetful)
    cli.ok("fit", "--store", forgetful)
    own = fitted.of(forgetful)
    assert own is not None
    after = stabilities(forgetful)
    assert after.keys() == before.keys()
    assert sum(after.values()) < sum(before.values())


def test_a_dry_run_says_the_same_and_changes_nothing(cli: CommandLine, forgetful: Path) -> None:
    before = {path: path.read_bytes() for path in forgetful.parent.glob("*.*")}
    dry = cli.ok("fit", "--dry-run", "--json", "--store", forgetful).json
    assert (dry["better"], dry["adopted"]) == (True, False)
    assert {path: path.read_bytes() for path in forgetful.parent.glob("*.*")} == before
    told = cli.ok("fit", "--dry-run", "--store", forgetful)
    assert "better by" in told.out
    assert "kept in" not in told.out
    assert "Nothing was changed" in told.err
    real = cli.ok("fit", "--json", "--store", forgetful).json
    assert real == {**dry, "adopted": True}
    own = fitted.of(forgetful)
    assert own is not None
    assert list(own.parameters) == real["fitted"]
    assert str(forgetful) == real["file"]


def test_fitted_again_at_once_the_parameters_are_kept(cli: CommandLine, forgetful: Path) -> None:
    cli.ok("fit", "--store", forgetful)
    kept = fitted.of(forgetful)
    ran = cli.ok("fit", "--store", forgetful)
    assert "yours of 2026-11-20" in ran.out
    assert "needs 200 reviews that no fit has seen, and there are 0 since 2026-11-20" in ran.out
    assert fitted.of(forgetful) == kept


def test_an_average_learner_keeps_the_defaults_and_hears_why(cli: CommandLine, here: Path) -> None:
    store = history(here / "data" / "history.db", DEFAULT_PARAMETERS, cards=60, days=200)
    ran = cli.ok("fit", "--store", store)
    assert "kept        those in use: the fit is" in ran.out
    assert fitted.of(store) is None


def test_too_few_reviews_are_counted(cli: CommandLine, here: Path) -> None:
    store = history(here / "data" / "history.db", FORGETFUL, cards=5, days=30)
    ran = cli.ok("fit", "--json", "--store", store)
    assert ran.json["held_out"] is None
    assert ran.json["fitted"] is None
    assert 0 < ran.json["unseen"] < 200
    assert "needs 200 reviews" in cli.ok("fit", "--store", store).out


def test_without_a_history_there_is_nothing_to_fit(cli: CommandLine, here: Path) -> None:
    ran = cli("fit", "--store", "none.db")
    assert ran.code == 6
    assert "no history yet" in ran.err
    assert list(here.iterdir()) == []


def test_a_fit_is_taken_back_by_undo(cli: CommandLine, forgetful: Path) -> None:
    before = stabilities(forgetful)
    cli.ok("fit", "--store", forgetful)
    assert "took back the fit of 2026-11-20" in cli.ok("undo", "--store", forgetful).out
    assert fitted.of(forgetful) is None
    assert stabilities(forgetful) == before


def test_a_fit_reaches_another_machine_by_sync_export_and_backup(
    cli: CommandLine, forgetful: Path, here: Path
) -> None:
    cli.ok("fit", "--store", forgetful)
    own = fitted.of(forgetful)
    cli.ok("sync", "carried.db", "--store", forgetful)
    cli.ok("sync", "carried.db", "--store", "synced.db")
    cli.ok("export", "log", "--store", forgetful)
    cli.ok("import", "log", "--store", "imported.db")
    cli.ok("backup", "copy.db", "--store", forgetful)
    cli.ok("restore", "copy.db", "--store", "restored.db")
    for name in ("synced.db", "imported.db", "restored.db"):
        assert fitted.of(here / name) == own
        assert stabilities(here / name) == pytest.approx(stabilities(forgetful), rel=1e-12)


def test_on_a_terminal_it_says_how_far_it_is_and_clears_the_line(forgetful: Path) -> None:
    env = environment(forgetful.parent, MORNING.isoformat())
    with Terminal("fit", "--dry-run", "--store", forgetful, env=env) as terminal:
        assert terminal.ends() == 0
        assert "learning how you forget: 1 of 6 fits made" in terminal.raw
        assert "6 of 6 fits made" in terminal.raw
        assert "fits made" not in terminal.text


def test_an_interrupt_while_it_fits_changes_nothing_and_leaves_no_traceback(
    forgetful: Path,
) -> None:
    before = {path: path.read_bytes() for path in forgetful.parent.glob("*.*")}
    env = environment(forgetful.parent, MORNING.isoformat())
    program = (sys.executable, "-c", HELD)
    with Terminal("fit", "--store", forgetful, env=env, program=program) as terminal:
        terminal.until(lambda: "1 of 6 fits made" in terminal.raw)
        terminal.send(CTRL_C)
        assert terminal.ends() == 130
        assert "Traceback" not in terminal.raw
        assert "kept in" not in terminal.raw
    assert {path: path.read_bytes() for path in forgetful.parent.glob("*.*")} == before
