"""The lines of an answer in index or matrix notation: helper lines and the answer line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quizzer.notation.translate import Plain
from quizzer.notation.values import FaultError

_COMMENT = re.compile(r"#[^\n]*")
_DEFINED = re.compile(r"([^\W\d_](?:[^\W_]|_(?!\s*\{))*)[^=]*=(?!=)")
_BOUND = re.compile(r"\s*([^\W\d]\w*(?:\s*_?\s*\{[^{}]*\}|\[[^\[\]]*\])?)\s*(?:>=|≈|←)")
"""A left side with a sign that is written in place of =, such as `m ≥ …`."""
_CONTINUES = ("+", "*", "/", "=", "·", "⊙", ")", "]", "}")
_UNFINISHED = ("+", "-", "*", "/", "=", "·", "⊙", "(", "[", "{")


@dataclass(frozen=True, slots=True)
class Line:
    """One line, cut at its equals sign; `left` is None without one."""

    left: Plain | None
    right: Plain


def lines_of(plain: Plain) -> list[Line]:
    """The lines of the text. Breaks in brackets and beside an operator do not end a line.

    A comma between two equations ends a line. Raises FaultError where a line begins with a minus
    sign and does not use what the line before defines: it could go on or be its own.
    """
    for match in reversed(list(_COMMENT.finditer(plain.text))):
        plain = plain.replaced(match.start(), match.end(), "")
    found: list[Plain] = []
    for part in _parts(plain):
        stripped = part.stripped()
        # A formula in a sentence ends with its comma or full stop.
        stripped = stripped[: len(stripped.text.rstrip(" ,."))]
        if not stripped.text:
            continue
        if found and stripped.text.startswith("-") and not _uses(stripped.text, found[-1].text):
            raise FaultError(
                "Does this line go on from the one before? Join them, or give it a left side.",
                stripped.at(0),
                "ambiguous",
            )
        found.append(stripped)
    if not found:
        raise FaultError("Nothing is written.", None, "empty")
    for part in found:
        _check_decimals(part)
    return [_cut(part) for part in found]


def _uses(text: str, before: str) -> bool:
    """Whether the text names what the line before defines: then it does not go on from there."""
    defined = _DEFINED.match(before)
    if not defined:
        return False
    return re.search(rf"(?<![^\W\d_]){re.escape(defined[1])}(?![^\W_])", text) is not None


def _check_decimals(plain: Plain) -> None:
    """Refuses `0,5 x`: outside of brackets, a comma between digits is a decimal comma."""
    depth = 0
    for place, sign in enumerate(plain.text):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        digits = plain.text[place - 1 : place] + plain.text[place + 1 : place + 2]
        if sign == "," and not depth and re.fullmatch("[0-9]{2}", digits):
            raise FaultError("Decimals are written with a point: 0.5.", plain.at(place))


def _parts(plain: Plain) -> Iterator[Plain]:
    start, depth, text = 0, 0, plain.text
    for place, sign in enumerate(text):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        ends = sign == ";" or (sign == "," and not depth and _between_equations(text, start, place))
        if ends or (sign == "\n" and not depth and not _joined(text, place)):
            yield plain[start:place]
            start = place + 1
    yield plain[start:]


def _between_equations(text: str, start: int, comma: int) -> bool:
    """Whether an equation stands before this comma, and another one after it."""
    before, after = text[start:comma], text[comma + 1 :].split("\n")[0]
    equals = next(_equals(after), None)
    if equals is None or next(_equals(before), None) is None:
        return False
    conditional = " if " in before or " if " in after[:equals]
    return not conditional and "," not in _outside_brackets(after[:equals])


def _outside_brackets(text: str) -> str:
    depth, kept = 0, []
    for sign in text:
        depth -= sign in ")]}"
        kept.append(sign if depth <= 0 else "")
        depth += sign in "([{"
    return "".join(kept)


def _joined(text: str, place: int) -> bool:
    following = text[place + 1 :].lstrip()
    return text[:place].rstrip().endswith(_UNFINISHED) or following.startswith(_CONTINUES)


def _cut(plain: Plain) -> Line:
    places = list(_equals(plain.text))
    if not places:
        bound = _BOUND.match(plain.text)
        if not bound:
            return Line(None, plain)
        return Line(plain[: bound.end(1)].stripped(), plain[bound.end() :].stripped())
    first = places[0]
    conditional = " if " in plain.text[first:]
    if len(places) > 1 and not conditional:
        raise FaultError(
            "There are two equals signs: keep one of the right sides, or give each line a left "
            "side of its own; a condition stands in brackets, [i = j].",
            plain.at(places[1]),
        )
    return Line(plain[:first].stripped(), plain[first + 1 :].stripped())


def _equals(text: str) -> Iterator[int]:
    """Places of the single equals signs outside of brackets."""
    depth = 0
    for place, sign in enumerate(text):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        if sign == "=" and not depth:
            around = text[place - 1 : place] + text[place + 1 : place + 2]
            if not any(neighbour in "=<>!" for neighbour in around):
                yield place
