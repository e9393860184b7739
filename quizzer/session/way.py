"""How far a derivation follows the card's own solution, by the derivatives that both reach."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizzer.card.solved import Solved
    from quizzer.judge.derivation import JudgedLine

_NAME = r"([^\W\d_]+(?:_(?:hat|bar|tilde))?)"
_DERIVATIVE = re.compile(rf"[∂d]\s*{_NAME}[^/∂=]*?/\s*\(?\s*[∂d]\s*{_NAME}")
_WHOLE = re.compile(rf"[\s(]*{_DERIVATIVE.pattern}[\w{{}}\s,)]*")


def share_of_way(
    own: "Solved",
    solution: "Sequence[JudgedLine]",
    lines: "Sequence[JudgedLine]",
    text: str,
    name: str,
) -> float:
    """The share of the solution's derivatives on the way to a name that a text reaches before its
    first wrong line; 0 where the solution has none.

    Names that are asked for have their own points and do not count.
    """
    ends = max((k for k, each in enumerate(solution) if each.asked == name), default=0)
    above = solution[:ends]
    asked = {each.left for each in solution if each.asked}
    way = {each for each in _subjects(above, own.text) if each} - asked
    return len(way & set(reached(lines, text))) / len(way) if way else 0.0


def reached(lines: "Sequence[JudgedLine]", text: str) -> Iterator[str]:
    """The derivatives that a text works out before its first wrong line.

    A line counts nothing if it says the same as the one before, or if it has a derivative that no
    line above works out.
    """
    found: set[str] = set()
    before = ("", "")
    wrong = next((k for k, each in enumerate(lines) if each.mark == "wrong"), len(lines))
    sure = lines[:wrong]
    for each, subject in zip(sure, _subjects(sure, text), strict=True):
        same = before == (each.left, each.reading)
        before = each.left, each.reading
        if subject and not same and set(_derivatives(_right(each, text))) <= found:
            found.add(subject)
            yield subject


def last_reached(lines: "Sequence[JudgedLine]", solution: "Sequence[JudgedLine]") -> int:
    """How many lines of the solution there are up to the last one that a derivation has too."""
    wrong = next((k for k, each in enumerate(lines) if each.mark == "wrong"), len(lines))
    right = {each.left for each in lines[:wrong] if each.mark == "right"}
    places = (place for place, each in enumerate(solution, 1) if each.left in right)
    return max(places, default=0)


def steps_up_to(steps: Sequence[str], own: "Solved", line: int) -> tuple[str, ...]:
    """The steps of a solution up to the one that has this line of its derivation."""
    link = own.text.split("\n")[line - 1].rpartition("=")[2].strip()
    last = max((k for k, step in enumerate(steps, 1) if link in step), default=0)
    return tuple(steps[:last])


def _subjects(lines: "Sequence[JudgedLine]", text: str) -> Iterator[str]:
    """The derivative that each right line is about, also where it has got a name, `A = ∂L/∂P`;
    nothing for another line."""
    names: dict[str, str] = {}
    for each in lines:
        written = _right(each, text)
        if whole := _WHOLE.fullmatch(written):
            names[each.left] = f"∂{whole[1]}/∂{whole[2]}"
        subject = each.left if each.left.startswith("∂") else names.get(each.left, "")
        yield subject if each.mark == "right" else ""


def _right(line: "JudgedLine", text: str) -> str:
    """The right side of a line as plain text."""
    return _plain(text.split("\n")[line.line - 1]).rpartition("=")[2].strip()


def _plain(text: str) -> str:
    from quizzer.notation.translate import translate

    return translate(text).text


def _derivatives(text: str) -> Iterator[str]:
    for match in _DERIVATIVE.finditer(text):
        yield f"∂{match[1]}/∂{match[2]}"
