"""Formulas of a card that cannot be drawn."""

from collections.abc import Iterator
from pathlib import Path

from quizzer import tex
from quizzer.card import Card, Problem, Severity
from quizzer.card.scanner import formulas, tokens_of


def formula_problems(path: Path, card: Card, macros: str) -> Iterator[Problem]:
    """Unknown commands and unbalanced braces in the formulas of the card at `path`, by line."""
    for text, first in ((card.question, card.question_line), (card.solution, card.solution_line)):
        for formula in formulas(tokens_of(text, first)):
            latex, line = formula.content, formula.map[0] if formula.map else first
            for name in tex.unknown(latex, macros=macros):
                message = (
                    f"`{name}` is not known and will be shown as written; "
                    "use another command, or define it in macros.tex"
                )
                yield Problem(path, line, Severity.WARNING, "tex-unknown", message)
            for fault in tex.faults(latex, macros):
                yield Problem(path, line, Severity.WARNING, "tex-fault", fault)
