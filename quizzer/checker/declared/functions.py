"""Formula lines that give no value of their own: functions, `h(r) = …`, and sets, `Ω(k) = {…}`.

Both are read together with the formulas that use them.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from quizzer.checker.declared.formula import split_formula
from quizzer.checker.declared.statements import Statement
from quizzer.notation.grammar import sets
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

_FUNCTION = re.compile(rf"({WORD})\s*\([^()=]*\)")
_SET = re.compile(r"\s*(?:\\left\s*)?\\?\{")


class Function(Struct, frozen=True):
    """A function by its name, with the line that defines it."""

    name: str
    text: str

    def is_called(self, text: str) -> bool:
        """Whether a right side calls it."""
        return re.search(rf"(?<!\w){re.escape(self.name)}\s*\(", _plain(text)) is not None


def apart(
    formulas: Sequence[Statement],
) -> tuple[list[Statement], tuple[Function, ...], tuple[str, ...]]:
    """The formulas that give values, the functions, and the definitions of sets."""
    values: list[Statement] = []
    functions: list[Function] = []
    found_sets: list[str] = []
    for statement in formulas:
        left, right = split_formula(statement.joined) or ("", "")
        if _SET.match(right) and (found := sets.displayed([statement.joined])):
            found_sets += found
            continue
        match = _FUNCTION.fullmatch(_plain(left))
        others = [split_formula(each.joined) for each in formulas if each is not statement]
        function = Function(match[1], statement.joined) if match else None
        if function and any(function.is_called(sides[1]) for sides in others if sides):
            functions.append(function)
        else:
            values.append(statement)
    return values, tuple(functions), tuple(found_sets)


def called(right: str, functions: Iterable[Function]) -> tuple[str, ...]:
    """The lines of the functions that a right side calls, those that they call before them."""
    found: dict[str, None] = {}
    for function in functions:
        if function.is_called(right) and function.text not in found:
            others = [each for each in functions if each is not function]
            found |= dict.fromkeys(called(function.text.partition("=")[2], others))
            found[function.text] = None
    return tuple(found)


def _plain(text: str) -> str:
    try:
        return translate(text).text.strip()
    except FaultError:
        return text
