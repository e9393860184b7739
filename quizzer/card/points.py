"""Points as exam papers write them: `(5p)`, `(4 pts)`, those of the parts `(a)`, `(b)` … apart."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from quizzer.card.values import Part


class _Mark(Struct, frozen=True):
    """One `(5p)`: its number, the part it stands in, and whether it may be a total."""

    points: float
    part: str
    is_total: bool


def read(prose: Iterable[str]) -> tuple[float | None, tuple[Part, ...]]:
    """The points of a question in all, None if it names none, and those of its parts.

    A number ahead of the parts, or one that says so, is the total and counts once; one that is
    smaller than the sum of the parts is not.
    """
    marks = list(_marks(prose))
    if not marks:
        return None, ()
    parts: dict[str, float] = {}
    for mark in marks:
        if mark.part:
            parts[mark.part] = parts.get(mark.part, 0.0) + mark.points
    in_parts = tuple(Part(letter, points) for letter, points in parts.items())
    totals = [mark.points for mark in marks if mark.is_total]
    rest = sum(mark.points for mark in marks if not mark.is_total)
    total = max(totals, default=0.0)
    if parts or rest == 0 or total == rest or len(totals) > 1:
        return max(total, rest), in_parts
    return total + rest, in_parts


def disagreement(prose: Iterable[str]) -> tuple[float, float] | None:
    """The total that a question names and the sum of its parts, where the two differ."""
    marks = list(_marks(prose))
    total = max((mark.points for mark in marks if mark.is_total), default=0.0)
    parts = sum(mark.points for mark in marks if mark.part)
    loose = any(not mark.part and not mark.is_total for mark in marks)
    return None if loose or not total or not parts or total == parts else (total, parts)


def _marks(prose: Iterable[str]) -> Iterator[_Mark]:
    part, pointed, first = "", False, True
    for line in prose:
        for match in _TOKEN.finditer(line):
            letter = (match["letter"] or match["inline"] or "").lower()
            if match["points"]:
                total = bool(match["total"] or match["in_all"])
                points = float(match["points"].replace(",", "."))
                yield _Mark(points, "" if total else part, total or (first and not part))
                pointed, first = True, False
            elif letter == _next(part) and (match["letter"] or pointed):
                part, pointed = letter, False


def _next(part: str) -> str:
    return chr(ord(part) + 1) if part else "a"


_MARK = (
    r"(?<![\w)}\]\\])[(\[][*_]{0,2}(?P<total>total:?|max\.?|maximum)?[ \t]{0,3}"
    r"(?P<points>\d{1,4}(?:[.,]\d{1,2})?)[ \t]{0,3}(?:points?|pts?|p|poäng|punkte?)\.?"
    r"(?P<in_all>[ \t]+(?:in[ \t]+)?total)?[*_]{0,2}[)\]]"
)
MARK = re.compile(_MARK, re.IGNORECASE)
"""Points in the prose of a question: `(5p)`, `[4 pts]`, `(max 6 points)`, `(3p in total)`."""
_TOKEN = re.compile(
    r"^(?:[ \t]{0,8}[*_]{0,2}(?:\((?=[a-zA-Z]\)))?(?P<letter>[a-zA-Z])\))"
    rf"|(?<=[\s.;])\((?P<inline>[a-z])\)|{_MARK}",
    re.IGNORECASE,
)
