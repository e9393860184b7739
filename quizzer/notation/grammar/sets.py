"""Definitions of sets, `Ω(k,l) = {2k, 2k+1} × {2l, 2l+1}` or `M = {n : y_n < 0}`, and membership.

What a set says is put in where membership in it stands, so that what is left are comparisons.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.notation.grammar.lines import Line, lines_of
from quizzer.notation.lexer.plain import Plain, between_commas
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import MAX_LENGTH, FaultError

if TYPE_CHECKING:
    from quizzer.notation.lexer.names import Names

_HEAD = re.compile(rf"\s*({WORD})\s*(?:\(([^()=]*)\))?\s*")
_BUILT = re.compile(r"\s*\{\s*(\(?[^:{}|]*?\)?)\s*[:|](.*)\}\s*")
_LISTED = re.compile(r"\s*\{([^{}]*)\}\s*(?:(?:\*|×)\s*\{([^{}]*)\}\s*)?")
_WORDS = re.compile(WORD)
_MOST = 200
"""Uses that are put in, at most."""
_MOST_OF_A_CARD = 8
_LONGEST = 400


def displayed(formulas: Iterable[str]) -> tuple[str, ...]:
    """The definitions of sets among a card's displayed formulas, one text each."""
    found = []
    for formula in formulas:
        if "{" not in formula:
            continue
        try:
            lines = lines_of(translate(formula))
        except FaultError:
            continue
        for line in lines:
            if line.left is not None and not line.before and is_set(line):
                found.append(f"{line.left.text} = {line.right.text}")
    return tuple(text for text in found if len(text) <= _LONGEST)[:_MOST_OF_A_CARD]


def given(texts: Iterable[str]) -> list[Line]:
    """The lines that define what `displayed` found."""
    found = []
    for text in texts:
        try:
            found += lines_of(translate(text))
        except FaultError:
            continue
    return [line for line in found if is_set(line)]


def is_set(line: Line) -> bool:
    """Whether the line defines a set."""
    if line.left is None or not _HEAD.fullmatch(line.left.text):
        return False
    return bool(_BUILT.fullmatch(line.right.text) or _LISTED.fullmatch(line.right.text))


def with_set(line: Line, others: list[Line], names: "Names") -> list[Line] | None:
    """The other lines with a set's condition for the membership in it; None where the line
    defines none."""
    if not is_set(line):
        return None
    assert line.left is not None
    head = _HEAD.fullmatch(line.left.text)
    assert head is not None
    after = r"\s*\(([^()]*)\)" if head[2] is not None else r"(?!\w)()"
    member = re.compile(rf"(\([^()]*\)|(?<!\w)\w)\s*∈\s*{re.escape(head[1])}{after}")
    return [replace(other, right=_told(other.right, member, line, names)) for other in others]


def _told(plain: Plain, member: re.Pattern[str], line: Line, names: "Names") -> Plain:
    for match in list(member.finditer(plain.text))[::-1][:_MOST]:
        element = _entries(match[1].strip("()"))
        conditions = _conditions(line, element, _entries(match[2]), names)
        if conditions is None:
            raise FaultError("This set has other elements.", plain.at(match.start()), "set")
        below, first = _below(plain.text, match.start())
        if first:
            conditions = [*element, *conditions]
        said = (", " if below else " and ").join(conditions)
        plain = plain.replaced(match.start(), match.end(), said)
        if len(plain.text) > 4 * MAX_LENGTH:
            raise FaultError("This gets too long once its sets are spelled out.", None, "too-large")
    return plain


def _conditions(
    line: Line, element: list[str], given: list[str], names: "Names"
) -> list[str] | None:
    """What holds of an element of the set; None where it has another number of entries."""
    assert line.left is not None
    head = _HEAD.fullmatch(line.left.text)
    assert head is not None
    parameters = _entries(head[2] or "")
    if len(parameters) != len(given):
        return None
    exchanged = dict(zip(parameters, given, strict=True))
    built = _BUILT.fullmatch(line.right.text)
    if built:
        own = _entries(built[1].strip("() "))
        if len(own) != len(element):
            return None
        exchanged |= dict(zip(own, element, strict=True))
        return [_exchanged(part, exchanged, names) for part in _split(built[2])]
    listed = _LISTED.fullmatch(line.right.text)
    assert listed is not None
    factors = [part for part in listed.groups() if part is not None]
    if len(factors) != len(element):
        return None
    return [
        _among(letter, _exchanged(part, exchanged, names))
        for letter, part in zip(element, factors, strict=True)
    ]


def _among(letter: str, listed: str) -> str:
    """`i` is one of `2k, 2k+1`, or lies between the ends of `2k, …, 2k+1`."""
    parts = [part.strip() for part in listed.split(",") if part.strip()]
    if any(part in ("…", "...") for part in parts):
        return f"{parts[0]} <= {letter} <= {parts[-1]}"
    return "(" + " or ".join(f"{letter} == {part}" for part in parts) + ")"


def _exchanged(text: str, by: Mapping[str, str], names: "Names") -> str:
    """The text with other letters, all at once; `sk` is s times k unless it is a name."""

    def word(match: re.Match[str]) -> str:
        found = match[0]
        below = text[: match.start()].rstrip()[-1:] == "_"
        if found in by:
            given = by[found]
            alone = below or len(given) == 1
            return given if alone else f"({given})"
        if "_" in found or names.find(found) or not any(letter in by for letter in found):
            return found
        letters = [by.get(letter, letter) for letter in found]
        return " ".join(each if len(each) == 1 else f"({each})" for each in letters)

    return _WORDS.sub(word, text)


def _entries(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _split(text: str) -> list[str]:
    """The conditions that commas or `and` join, outside of brackets."""
    parts = between_commas(text)
    return [each.strip() for part in parts for each in re.split(r"\band\b", part) if each.strip()]


def _below(text: str, place: int) -> tuple[bool, bool]:
    """Whether the place stands below a sum, and whether it is the first thing there."""
    depth = 0
    for at in range(place - 1, -1, -1):
        depth += (text[at] in ")]}") - (text[at] in "([{")
        if depth < 0:
            if text[at] == "(" and not text[at + 1 : place].strip():
                depth = 0  # brackets round all of it
                continue
            below = text[at] == "{" and text[:at].rstrip().endswith("_")
            return below, below and not text[at + 1 : place].strip(" (")
    return False, False
