"""Definitions of functions and sets among the lines: `f'(s) = …`, `M = {n : y_n < 0}`.

The sets are those of the card, too. They are put in where they are used, so that what is left
are lines of arrays.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from quizzer.notation.functions import WORDS
from quizzer.notation.lines import Line
from quizzer.notation.names import WORD, Names
from quizzer.notation.sets import given, with_set
from quizzer.notation.translate import Plain
from quizzer.notation.values import MAX_LENGTH, FaultError

_FUNCTION = re.compile(rf"({WORD}'*)\s*\(([^()=]*)\)")
_PRIMED = re.compile(rf"({WORD}?)('+)\s*(_\s*(?:\{{[^{{}}]*\}}|\w))?")
_DELTA = re.compile(r"(δ|delta)\s*_\s*(?:\{\s*(\w)\s*\}|(\w))")
_COUNTED = re.compile(rf"({WORD}?)\s*_\s*(?:\{{\s*\w\s*\}}|\w)")
_MOST = 200
"""Uses that are put in, at most."""


def put_in(lines: list[Line], names: Names) -> list[Line]:
    """The lines without definitions of functions and sets, and with what these say in the others.

    Raises FaultError where a text gets too long by it.
    """
    if any("∈" in line.right.text for line in lines):
        lines = [*given(names.context.sets), *lines]
    lines = _renamed(lines, names)
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if line.left is None or len(lines) == 1:
            continue
        others = [other for k, other in enumerate(lines) if k != place]
        changed = with_set(line, others, names) or _with_function(line, others, names)
        if changed is not None:
            lines = changed
    return lines


def _with_function(line: Line, others: list[Line], names: Names) -> list[Line] | None:
    """The other lines with the function's value put in; None where the line defines none."""
    assert line.left is not None
    found = _FUNCTION.fullmatch(line.left.text)
    if not found or names.find(found[1]) or found[1] in WORDS:
        return None
    if found[1].rstrip("'") in ("σ", "sigma"):
        return None
    parameters = [part.strip() for part in found[2].split(",")]
    called = re.compile(rf"(?<![\w]){re.escape(found[1])}\s*(?=\()")
    if not any(called.search(other.right.text) for other in others):
        return None
    return [
        replace(other, right=_called(other.right, called, parameters, line)) for other in others
    ]


def _called(plain: Plain, called: re.Pattern[str], parameters: list[str], line: Line) -> Plain:
    for match in list(called.finditer(plain.text))[::-1][:_MOST]:
        opened = match.end()
        close = _closing(plain.text, opened)
        arguments = list(_split(plain.text[opened + 1 : close]))
        if len(arguments) != len(parameters):
            raise FaultError(
                f"This function takes {len(parameters)} argument(s).", plain.at(match.start())
            )
        body = line.right.text
        for parameter, argument in zip(parameters, arguments, strict=True):
            pattern = rf"(?<![\w]){re.escape(parameter)}(?![\w']|\s*_)"
            body = re.sub(pattern, f"({argument.strip()})".replace("\\", ""), body)
        plain = plain.replaced(match.start(), close + 1, f"({body})")
        _check_length(plain)
    return plain


def _renamed(lines: list[Line], names: Names) -> list[Line]:
    """With one word for a name with a prime, `u'_i`, and for a δ of another node, `δ_z`."""
    for line in list(lines):
        if line.left is None:
            continue
        counted = _COUNTED.fullmatch(line.left.text)
        if counted and len(lines) > 1 and names.axes.get(names.find(counted[1]) or "") == 0:
            if names.spelled(counted[1]) != names.context.asked:
                spelled = re.compile(rf"(?<![\w]){re.escape(counted[1])}(?=\s*_)")
                lines = _everywhere(lines, spelled, f"{counted[1]}each")
            continue
        primed, delta = _PRIMED.fullmatch(line.left.text), _DELTA.fullmatch(line.left.text)
        if primed:
            base = re.compile(rf"(?<![\w]){re.escape(primed[1])}{primed[2]}(?!'|\s*\()")
            lines = _everywhere(lines, base, f"{primed[1]}prime")
        elif delta and not _indexes(line.right.text, delta[2] or delta[3]):
            letter = delta[2] or delta[3]
            spelled = re.compile(
                rf"(?<![\w])(?:δ|delta)\s*_\s*(?:\{{\s*{letter}\s*\}}|{letter}(?!\w))"
            )
            if len(lines) > 1 and f"d{letter}" != names.context.asked:
                lines = _everywhere(lines, spelled, f"{delta[1]}ꞏ{letter}")
    return lines


def _indexes(text: str, letter: str) -> bool:
    below = rf"_\s*\{{?[^}}\s]*{letter}|\w\[[^\]]*{letter}"
    return re.search(below, text) is not None


def _everywhere(lines: list[Line], pattern: re.Pattern[str], name: str) -> list[Line]:
    def change(plain: Plain) -> Plain:
        for match in list(pattern.finditer(plain.text))[::-1]:
            below = name + ("_" if plain.text[match.end() : match.end() + 1] == "_" else "")
            plain = plain.replaced(match.start(), match.end() + (below[-1] == "_"), below)
        return plain

    return [
        replace(line, left=line.left and change(line.left), right=change(line.right))
        for line in lines
    ]


def _closing(text: str, opened: int) -> int:
    depth = 0
    for place in range(opened, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    raise FaultError("This bracket is not closed.", None, "unfinished")


def _split(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _check_length(plain: Plain) -> None:
    if len(plain.text) > 4 * MAX_LENGTH:
        raise FaultError(
            "This gets too long once its definitions are spelled out.", None, "too-large"
        )
