"""Wrong answers made from a right one, which a checker must reject. Pure.

They are the right answer's neighbours by one edit: a sign, a dropped term, a transpose, another
name, another axis, a magnitude, a condition negated; and the whole answer twice.
"""

from collections.abc import Mapping

from quizzer.judge.edits import Edit, conditions, edits, magnitudes, twice
from quizzer.notation.changes import Change

_IGNORED = frozenset({Change.INDEX})  # in index notation another letter rarely makes sense


def mutants(
    text: str, axes: Mapping[str, int], notation: str, symbols: Mapping[str, str]
) -> list[Edit]:
    """The mutants of an answer, each with another text."""
    found = {text: None}
    kept = []
    for edit in [
        *twice(text),
        *edits(text, axes, notation, symbols),
        *conditions(text),
        *magnitudes(text, axes, notation, symbols),
    ]:
        if edit.change not in _IGNORED and edit.text not in found:
            found[edit.text] = None
            kept.append(edit)
    return kept


def described(edit: Edit) -> str:
    """The mutant as the author of a card must see it."""
    if edit.change is Change.TERM:
        return f"without “{edit.was}”"
    if edit.change is Change.FACTOR:
        return "taken twice"
    return f"with “{edit.now}” for “{edit.was}”"
