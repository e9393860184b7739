"""`check --watch`: at each save the card as it will look, and what `check` says about it."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note, print_text
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Deck
from quizzer.deck.saves import Saves

PAUSE = 0.2
"""Seconds between two looks at the files."""


class Checked(Struct, frozen=True):
    """Cards that were checked: a line for each finding, and one that counts them."""

    deck: Deck
    findings: Sequence[str]
    summary: str


Check = Callable[[Workspace, frozenset[Path] | None], Checked]
"""Checks these cards as their files are now; all of them for None."""


def watch(
    workspace: Workspace,
    roots: Sequence[Path],
    check: Check,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Check the cards, then each that is saved, until the user interrupts."""
    saves = Saves(roots)
    cards: frozenset[Path] | None = None
    while True:
        try:
            with busy("checking"):
                checked = check(replace(workspace), cards)
        except Failure as failure:
            print_text(str(failure))
            sys.stdout.flush()
        else:
            if cards and (away := _away(checked.deck, cards)):
                saves.again(away)
            else:
                _show(workspace, checked)
        if cards is None:
            print_note("Save a card or its checker to see it here. Ctrl-C ends.")
        cards = _next(workspace, saves, cards, sleep)


def _next(
    workspace: Workspace,
    saves: Saves,
    latest: frozenset[Path] | None,
    sleep: Callable[[float], None],
) -> frozenset[Path] | None:
    """Wait until cards or their checkers are saved: these; for a `macros.tex`, the latest."""
    while True:
        sleep(PAUSE)
        saved = saves.look()
        macros = {file for file in saved if file.suffix == ".tex"}
        cards = frozenset(map(_card_of, saved - macros))
        gone = {card for card in cards if not card.exists()}
        for card in sorted(gone):
            print_line(f"{workspace.short(card)} is gone")
            sys.stdout.flush()
        if cards - gone:
            return cards - gone
        if macros:
            return latest


def _card_of(file: Path) -> Path:
    """The card that a card's or a checker's file belongs to."""
    return file if file.suffix.lower() == ".md" else file.with_suffix(".md")


def _away(deck: Deck, cards: frozenset[Path]) -> list[Path]:
    """The files that vanished while they were checked: an editor is just saving them."""
    files = [*cards, *(entry.checker for entry in deck.entries if entry.checker)]
    return [file for file in files if not file.exists()]


def _show(workspace: Workspace, checked: Checked) -> None:
    """On a cleared screen, or below what was printed before."""
    from quizzer.cli.commands.show import draw_question
    from quizzer.cli.terminal.face import Face

    # Pictures and macros are those of the deck that is checked, whichever is in use.
    shown = replace(workspace, deck_option=checked.deck.roots)
    entries = checked.deck.entries
    card = shown.deck.read(entries[0]).card if len(entries) == 1 else None
    asks = shown.asks(entries[0]) if card else None
    face = Face(shown)
    face.clear()
    if card:
        draw_question(face, entries[0], card, asks)
        face.blank()
    for finding in checked.findings:
        print_text(finding)
    print_text(f"{workspace.now():%H:%M:%S}  {checked.summary}")
    if not sys.stdout.isatty():
        print()
    sys.stdout.flush()
