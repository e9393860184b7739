"""Whole sessions on real screens of three sizes: nothing overlaps, nothing that stood is lost."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from derived import card_of
from pseudo_terminal import ALT_ENTER, Terminal, environment
from warm_terminal import WarmTerminal

SIZES = [(24, 80), (24, 40), (60, 200)]
WIDEST = 100
"""Columns of the longest line, however wide the window is."""
CARD = "q-sigmoid"
LONG = "dy * y * (1 - y) + 0 * (x + x + x + x + x + x + x + x + x + x + x + x)"


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[1]}x{size[0]}")
def terminal(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A session at the first prompt of a card that asks two names."""
    home, deck = tmp_path / "home", tmp_path / "deck"
    home.mkdir()
    deck.mkdir()
    shutil.copy(card_of("sigmoid"), deck)
    rows, columns = request.param
    arguments = ("review", "--deck", deck, "--card", CARD)
    env = environment(home, "2026-11-20T09:00:00+01:00")
    with WarmTerminal(*arguments, env=env, rows=rows, columns=columns) as started:
        started.prompt("dy_dx = ")
        yield started


def printed(terminal: Terminal) -> list[str]:
    """The lines above the one with the cursor: what was printed for good."""
    return terminal.screen.before_cursor.split("\n")[:-1]


@pytest.mark.slow
def test_what_was_printed_is_no_wider_than_the_window_and_stays_to_the_end(
    terminal: Terminal,
) -> None:
    stood = printed(terminal)
    for answer, shows, prompt in (
        ("dy * (", "^\\? dy_dx", "dy_dx = "),
        ("np.diag(y)", "^✗ dy_dx", "dy_dx = "),
        ("np.diag(y * (1 - y))", "^✓ dy_dx", "dx = "),
        (LONG, "^✓ dx", ".*b q \\? "),
    ):
        terminal.answer(answer)
        terminal.shows(shows)
        terminal.prompt(prompt)
        now = printed(terminal)
        assert now[: len(stood)] == stood
        assert max(map(len, now)) <= min(terminal.screen.columns, WIDEST)
        stood = now
    terminal.send("3")
    assert terminal.ends() == 0
    assert terminal.text.split("\n")[: len(stood) - 8] == stood[:-8]


def typed(terminal: Terminal, above: int) -> list[str]:
    """The lines from the prompt to the cursor."""
    return terminal.screen.before_cursor.split("\n")[above:]


def test_the_cursor_is_where_the_learner_types(terminal: Terminal) -> None:
    prompt = "dy_dx = "
    above = len(printed(terminal))
    terminal.send(LONG)

    def stands(text: str) -> bool:
        """Whether this stands from the prompt to the cursor, wrapped or not."""
        return "".join(typed(terminal, above)).replace(" ", "") == text.replace(" ", "")

    terminal.until(lambda: stands(prompt + LONG), LONG)
    terminal.send("\x1b[H" + "\x1b[C" * 4)
    terminal.until(lambda: stands(prompt + LONG[:4]), LONG[:4])
    terminal.send("0 ")
    terminal.until(lambda: stands(prompt + LONG[:4] + "0"), "what was inserted")


def test_a_second_line_stands_under_the_first_and_both_are_sent(terminal: Terminal) -> None:
    above = len(printed(terminal))
    terminal.send("d = np.diag(y * (1 - y))\rd")
    below = " " * len("dy_dx = ") + "d"
    terminal.until(lambda: typed(terminal, above)[-1:] == [below], "a second line")
    assert typed(terminal, above)[0].startswith("dy_dx = d = np.diag")
    terminal.send(ALT_ENTER)
    terminal.shows("^✓ dy_dx")
