"""Which forms cards can have: their lines are proven for that, a sandbox for every processor."""

from collections.abc import Callable, Sequence
from pathlib import Path

from quizzer.card import Card
from quizzer.form.forms import forms_of, forms_without_lines
from quizzer.form.proving import CANNOT_PROVE, SEEDS, proven
from quizzer.judge.judges import Judge
from quizzer.judge.source import Allows
from quizzer.sandbox.pool import shared
from quizzer.values import Form


def forms_of_all(
    cards: Sequence[tuple[Path, Card]],
    allows: Allows = lambda file, source: True,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[Form, ...]]:
    """The forms of cards beside their checkers, in their order; the blank page always."""
    return shared(lambda: Judge(allows=allows), _forms, cards, progress)


def _forms(judge: Judge, beside: tuple[Path, Card]) -> tuple[Form, ...]:
    path, card = beside
    try:
        return forms_of(card, *proven(judge.checker(path), card, SEEDS))
    except CANNOT_PROVE:
        return forms_without_lines(card)
