"""What is printed fits the window, and away from a terminal nothing is cut."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import Terminal, environment
from samples import CHECKER, DERIVATION_CARD, MORNING, card_text

from quizzer.store import Store
from quizzer.values import Attempt, Rating, Review, State, Verdict

LONG = "a-card-with-an-id-that-no-narrow-window-has-room-for"
COMMANDS = [
    (),
    ("list",),
    ("due",),
    ("stats",),
    ("stats", "--ahead"),
    ("fit", "--dry-run"),
    ("exam",),
    ("verify", "square", "dx=x * dy + (x == x[0])"),
]


@pytest.fixture
def used(home: Path, write_deck: Callable[..., Path], here: Path) -> tuple[Path, Path]:
    """A deck with an id too long for the window, and a store with some weeks of reviews."""
    cards = {
        "square.md": DERIVATION_CARD,
        "square.py": CHECKER,
        "open.md": card_text("open", course="Statistics"),
        "long.md": card_text(LONG, question="Why is its name so very long?"),
    }
    deck = write_deck(cards, name=f"{home.name}/deck")
    store = here / "history.db"
    with Store.open(store, MORNING - timedelta(days=40)) as opened:
        for ago in range(40, 0, -2):
            at = MORNING - timedelta(days=ago)
            reviews = (
                Review(c, Rating.GOOD, 2, State.REVIEW, seconds=90.0) for c in ("open", LONG)
            )
            wrong = Attempt("square", "dx", "dy", Verdict.WRONG, "upstream-ignored")
            opened.record(*reviews, wrong, at=at, day=at.toordinal())
    return deck, store


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "alone")
@pytest.mark.parametrize("columns", [40, 60])
def test_no_line_runs_over_the_edge_of_a_narrow_window(
    used: tuple[Path, Path], home: Path, command: tuple[str, ...], columns: int
) -> None:
    deck, store = used
    env = environment(home, MORNING.isoformat())
    arguments = (*command, "--deck", deck, "--store", store)
    # As far right as it comes on a screen that breaks no line itself.
    with Terminal(*arguments, env={**env, "COLUMNS": str(columns)}, columns=400) as wide:
        wide.ends()
        assert max(map(len, wide.text.split("\n"))) <= columns, wide.text
        assert wide.text.strip()


def test_ahead_keeps_its_main_figures_in_a_narrow_window(
    used: tuple[Path, Path], home: Path
) -> None:
    deck, store = used
    env = environment(home, MORNING.isoformat())
    arguments = ("stats", "--ahead", "--deck", deck, "--store", store)
    with Terminal(*arguments, env={**env, "COLUMNS": "40"}, columns=40) as narrow:
        narrow.ends()
        lines = narrow.text.split("\n")
    assert "…" not in narrow.text
    (head,) = (n for n, line in enumerate(lines) if line.startswith("in a year"))
    assert lines[head].split()[3:] == ["a", "day", "remembered", "waiting"]
    rows = lines[head + 1 : head + 5]
    assert [row.split()[1] for row in rows] == ["80%", "85%", "90%", "95%"]
    assert [row.split()[0] for row in rows] == ["at", "at", "now", "at"]
    assert all(re.search(r" \d+ (s|min) +\d+% +(-|\d+)$", row) for row in rows)
    (weeks,) = (n for n, line in enumerate(lines) if line.startswith("by week"))
    assert lines[weeks].split()[2:5] == ["a", "day", "reviews"]
    assert re.match(r" +2026-11-20 +\d+ (s|min) +\d+", lines[weeks + 1])


def test_away_from_a_terminal_nothing_is_cut_or_broken(
    used: tuple[Path, Path], cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck, store = used
    monkeypatch.setenv("COLUMNS", "40")
    ran = cli.ok("list", "--deck", deck, "--store", store)
    assert any(
        line.startswith(LONG) and line.endswith("2026-11-20") for line in ran.out.splitlines()
    )
    assert "✓ you type the answer and it is verified\n" in ran.err
