"""The lines of a derivation as they are written: statements, what goes on with them, words.

Nothing is decided here of what a left side means; `partials` finds the derivatives in a line.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from quizzer.notation.functions import WORDS
from quizzer.notation.grammar.lines import Line, lines_of, pieces_of
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.signs import QUAD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

MAX_LINES = 200
MAX_TEXT = 20_000
IN_PART = " in part"
"""Behind a derivative of which only some entries are meant, `∂y_i/∂x_i`."""

_SPANNING = re.compile(r"\\(begin|end)\s*\{(?:d?cases|[bpvBV]?matrix|array)\*?\}")
_UNFINISHED = ("+", "-", "*", "=", "·", "⊙")
_GOES_ON = re.compile(r"\s*(?:&|\\q?quad(?![A-Za-z])|\\[,;:! ]|[ \t])*[-+−]")
_BECAUSE = re.compile(
    r"[\s,;]*(?:\(\s*)?(?:since|because|as|using)\s+(?=\S)|\s+\(\s*(?=[ΣΠ]|sum|prod|mean|tr|∂)"
)
_WORDS = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}")
_OTHERWISE = re.compile(r"[<>≤≥≠:;]|!=|,(?![^{]*\})")
_LEFT_ALONE = re.compile(r"[^=]*=\s*&?\s*(?:\\\\)?\s*")
_SO = re.compile(
    r"\s*(?:so|or|hence|s\.t\.|thus|then|therefore|and|now|with|also)\s*,?\s+(?=[^=]*=)"
)
_IN_BRACKETS = re.compile(rf"[\s{QUAD}]+\(([^()]*)\)[\s.,;]*$")
_OVERSET = re.compile(r"\\(?:overset|stackrel)\s*\{[^{}]*\}\s*\{\s*=\s*\}")
_PLAIN_WORDS = re.compile(r"[^\W\d_](?:[^\W\d_]|[ ,.'-])*")
_IMPLIES = re.compile(
    r"^\s*(?:&|[ \t])*(?:⇒|⟹|⟺|⇔|=>|\\(?:Long)?[Rr]ightarrow(?![A-Za-z])|\\implies(?![A-Za-z])"
    r"|\\iff(?![A-Za-z])|\\Leftrightarrow(?![A-Za-z]))"
)


class Written(Struct, frozen=True):
    """A statement, or how one goes on: then `left` is None. The text has its true line number."""

    line: int
    left: Plain | None
    links: tuple[Plain, ...]


class Words(Struct, frozen=True):
    """A line that says nothing to be computed."""

    line: int


class Remark(Struct, frozen=True):
    """An equation in a remark behind a formula: `, since Σ_k y_k = 1`."""

    line: int
    left: Plain
    right: Plain


class Unreadable(Struct, frozen=True):
    """A line that cannot be read, and why."""

    line: int
    why: str
    code: str = "syntax"


Part = Written | Words | Remark | Unreadable


def parts_of(text: str, names: Names) -> tuple[Part, ...]:
    """The lines in order; one that holds several statements gives several parts."""
    found: list[Part] = []
    for number, line in _lines(text):
        try:
            found.extend(_parts(number, line, names))
        except FaultError as fault:
            if fault.code != "empty":
                found.append(Unreadable(number, fault.message, fault.code))
        except RecursionError:
            found.append(Unreadable(number, "This is nested too deeply.", "too-large"))
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers; those that an open bracket or sign joins come as one."""
    waiting, first = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        goes_on = bool(waiting) and _GOES_ON.match(line) is not None and "=" not in line
        if waiting and not goes_on and not _is_open(waiting):
            yield first, waiting
            waiting = ""
        if waiting:
            first = number if _LEFT_ALONE.fullmatch(waiting) else first
            waiting = (
                f"{waiting}\n{line}" if _depth(waiting) > 0 else f"{_without_break(waiting)} {line}"
            )
        elif line.strip():
            waiting, first = line, number
    if waiting:
        yield first, waiting


def _without_break(line: str) -> str:
    return re.sub(r"\\\\\s*$", "", line.rstrip())


def _is_open(text: str) -> bool:
    """Whether a formula goes on in the next line."""
    return _depth(text) > 0 or _without_break(text).rstrip(" \t&").endswith(_UNFINISHED)


def _depth(text: str) -> int:
    depth = 0
    for match in _SPANNING.finditer(text):
        depth += 1 if match[1] == "begin" else -1
    return depth


def _parts(number: int, line: str, names: Names) -> Iterator[Part]:
    line = _OVERSET.sub("=", _IMPLIES.sub("", line))
    whole = names.with_phrases(translate(line))
    plain = _without_words(whole, names)
    found = lines_of(plain)
    if len(found) > 1 and not any(each.leads for each in found) and _uses(found[0], found[1:]):
        found = [*found[1:], found[0]]
    for each in found:
        links = tuple(link for link in (*each.before, each.right) if link.text.strip())
        if each.left is None:
            if each.before and "∝" not in plain.text:
                yield Written(number, None, links)
            else:
                yield Words(number)
            continue
        left = each.left[each.left.text.rfind(":") + 1 :].stripped()
        yield Written(number, left if left.text else None, links)
    yield from _remarks(number, whole, names)


def _remarks(number: int, plain: Plain, names: Names) -> Iterator[Remark]:
    """The equations in what is set aside behind a formula; conditions are none."""
    for piece in pieces_of(plain):
        begun = _BECAUSE.match(piece.text)
        if begun is None:
            continue
        ends = piece.text.rstrip(" .,;")
        inner = piece[begun.end() : len(ends) - (begun[0].lstrip(" ,;")[:1] == "(")]
        sides = inner.text.split("=")
        words = [word for word in _WORDS.findall(inner.text) if word not in WORDS]
        if len(sides) != 2 or any(names.find(word) is None for word in words):
            continue
        if _OTHERWISE.search(inner.text) is None and all(side.strip() for side in sides):
            cut = len(sides[0])
            yield Remark(number, inner[:cut].stripped(), inner[cut + 1 :].stripped())


def _uses(first: Line, others: Sequence[Line]) -> bool:
    """Whether the first of a line's statements uses what the others define."""
    whole = first.whole().text
    for each in others:
        name = re.match(r"[^\W\d_]+", each.left.text) if each.left else None
        if name and re.search(rf"(?<![^\W\d_]){name[0]}(?![^\W\d_])", whole):
            return True
    return False


def _without_words(plain: Plain, names: Names) -> Plain:
    """The line without a word in front, `so ∂L/∂V = …`, and without words in brackets behind it."""
    begun = _SO.match(plain.text)
    if begun:
        plain = plain[begun.end() :]
    found = _IN_BRACKETS.search(plain.text)
    if found and "=" in plain.text[: found.start()]:
        words = [word.strip(",.;:") for word in found[1].split()]
        words = [word for word in words if word.isalpha() and len(word) > 1]
        said = [word for word in words if not (names.find(word) or word in WORDS)]
        only = _PLAIN_WORDS.fullmatch(found[1]) is not None
        if (
            (only and len(said) > 1)
            or (only and len(said) == len(words) == 1 and len(said[0]) > 4)
            or len([word for word in said if len(word) > 2]) > 1
        ):
            plain = plain[: found.start()]
    return plain
