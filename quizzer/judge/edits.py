"""One-edit neighbours of an answer: if one of them is right, the mistake is where it differs.

The texts are made here, and judged like any answer. Pure.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from quizzer.notation.changes import TAKEN_FOR, Change

MOST = 200
_BESIDE = 8

_TOKEN = re.compile(
    r"(?P<name>[^\W\d]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>\*\*|<=|>=|[-+*/@⊙<>])|(?P<other>\S)"
)
_TRANSPOSED = re.compile(r"\s*(?:\.T\b|\^\s*\\top\b|\^\s*\{\\top\}|\^\s*T\b|ᵀ|⊤)")
_BELOW = re.compile(r"\[[^\[\]]*\]|_\{[^{}]*\}|_\w+")
_OTHER_SIGNS: dict[str, tuple[str, ...]] = {
    "+": ("-",),
    "-": ("+",),
    "*": ("@", "/"),
    "@": ("*",),
    "/": ("*",),
    **{sign: (TAKEN_FOR[sign],) for sign in ("<", ">", "<=", ">=")},
}
_TRANSPOSES = {"numpy": ".T", "matrix": "^T"}
_SQUARES = {"numpy": "**2", "index": "^2"}
_MAGNITUDES = {"numpy": "np.abs", "index": "abs", "matrix": "abs"}
_COMPARISON = re.compile(r"<=|>=|==|!=|[<>≤≥]")
_NEGATED = {
    "<": ">=",
    ">": "<=",
    "<=": ">",
    ">=": "<",
    "==": "!=",
    "!=": "==",
    "≤": ">",
    "≥": "<",
}
_WHERE = re.compile(r"\bwhere\(")
_FACTORS = ("*", "/", "@", "⊙")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Edit(Struct, frozen=True):
    """A changed text: `now` replaces `was` at the place `start`."""

    text: str
    start: int
    was: str
    now: str
    change: Change

    def around(self, text: str) -> str:
        """What was changed in the text, with a few characters around it."""
        end = self.start + len(self.was)
        before = text[max(0, self.start - _BESIDE) : self.start].rpartition("\n")[2]
        after = text[end : end + _BESIDE].partition("\n")[0]
        return f"“{self.was}” in “{(before + self.was + after).strip()}”"

    def place(self, text: str) -> str:
        """Where to look, without saying what to write there: a sentence."""
        term = _term_of(text, self.start)
        if self.change is Change.SIGN:
            return f"Look at the sign of {term}." if term else "Look at the sign in front."
        if self.change is Change.TERM:
            return f"Do you need {term}?" if term else "Is there a term too many?"
        within = f" {term}:" if term else ""
        return f"Look at{within} {self.around(text)}."

    def advice(self) -> str:
        """What to write: a sentence."""
        if self.change is Change.TERM:
            return f"Leave out “{self.was.strip()}”."
        if self.change is Change.TRANSPOSE:
            return f"Write “{self.now}” instead of “{self.was}”."
        return f"Write “{self.now}” instead of “{self.was}” there."


def edits(
    text: str, axes: Mapping[str, int], notation: str, symbols: Mapping[str, str] | None = None
) -> list[Edit]:
    """At most `MOST` neighbours; `axes` gives the known names with their numbers of axes, and
    `symbols` how the card writes some of them."""
    return list(islice(_edits(text, _KnownNames(axes, symbols or {}), notation), MOST))


def twice(text: str) -> Iterator[Edit]:
    """The answer twice, where it is an expression."""
    start = _answer_start(text)
    if not text.lstrip().startswith("def") and text[start:].strip():
        doubled = f"{text[:start]} 2 * ({text[start:].strip()})"
        yield Edit(doubled, start, text[start:].strip(), "2", Change.FACTOR)


def magnitudes(
    text: str, axes: Mapping[str, int], notation: str, symbols: Mapping[str, str]
) -> Iterator[Edit]:
    """The answer with a name replaced by its magnitude, and by minus its magnitude: if one of them
    is right, too, the name has only one sign."""
    names = _KnownNames(axes, symbols)
    for token in _tokens(text, names, notation):
        if token.kind == "name":
            end = _subscript_end(text, token.end) if notation == "index" else token.end
            magnitude = f"{_MAGNITUDES[notation]}({text[token.start : end]})"
            for now in (magnitude, f"(-{magnitude})"):
                yield _replaced(text, token.start, end, now, Change.MAGNITUDE)


def conditions(text: str) -> Iterator[Edit]:
    """The answer with a condition negated, or with the two cases of a `where` exchanged."""
    heads = _heads(text)
    for match in _COMPARISON.finditer(text):
        if not any(start <= match.start() < end for start, end in heads):
            negated = _NEGATED[match[0]]
            yield _replaced(text, match.start(), match.end(), negated, Change.CONDITION)
    for match in _WHERE.finditer(text):
        cuts = _arguments(text, match.end())
        if len(cuts) == 4:
            first, second = text[cuts[1] + 1 : cuts[2]].strip(), text[cuts[2] + 1 : cuts[3]].strip()
            exchanged = f" {second}, {first}"
            yield _replaced(text, cuts[1] + 1, cuts[3], exchanged, Change.CONDITION)


def _arguments(text: str, start: int) -> list[int]:
    """Where a call's arguments begin and end: its opening bracket, its commas, its closing one."""
    cuts, depth = [start - 1], 0
    for place in range(start, len(text)):
        if text[place] in ")]}" and depth == 0:
            return [*cuts, place]
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if text[place] == "," and depth == 0:
            cuts.append(place)
    return []


class _Piece(Struct, frozen=True):
    """A part of the text: its kind is `name`, `letter`, `number`, `sign` or `other`."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _KnownNames:
    """The known names in both spellings, and which may replace which."""

    def __init__(self, axes: Mapping[str, int], symbols: Mapping[str, str]) -> None:
        self.spelled = {name: symbols.get(name, name) for name in axes}
        self.names = {name: name for name in axes}
        self.names |= {symbol: name for name, symbol in self.spelled.items()}
        self.axes = axes

    def count(self, word: str) -> int | None:
        """The number of axes; None for what is no known name."""
        return self.axes[self.names[word]] if word in self.names else None

    def exchangeable(self, word: str) -> list[str]:
        """The other names with as many axes, as the card writes them."""
        meant = self.names[word]
        return [
            spelled
            for name, spelled in self.spelled.items()
            if name != meant and self.axes[name] == self.axes[meant]
        ]


def _edits(text: str, names: _KnownNames, notation: str) -> Iterator[Edit]:
    tokens = _tokens(text, names, notation)
    letters = {token.text for token in tokens if token.kind == "letter"}
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        for kind, new in _replacements(token, names, letters):
            yield _replaced(text, token.start, token.end, new, kind)
        if token.kind == "letter" and (second := _next_letter(tokens, place)):
            yield from _letters_swapped(text, token, second)
        if token.kind == "name":
            if names.count(token.text) == 2 and notation in _TRANSPOSES:
                yield _transposed(text, token, notation)
            if before and before.text in _FACTORS:
                yield _replaced(text, before.start, token.end, "", Change.TERM)
            if before and before.text == "(" and (not after or after.text != "="):
                yield _replaced(text, token.start, token.end, f"-{token.text}", Change.SIGN)
    yield from _terms_changed(text, _answer_start(text))
    for token in tokens:
        if token.kind == "name" and notation in _SQUARES:
            end = _subscript_end(text, token.end) if notation == "index" else token.end
            if not text[end:].lstrip().startswith(("**", "^", "(")):
                squared = text[token.start : end] + _SQUARES[notation]
                yield _replaced(text, token.start, end, squared, Change.POWER)


def _tokens(text: str, names: _KnownNames, notation: str) -> list[_Piece]:
    """The tokens of all right-hand sides."""
    found = []
    heads = _heads(text)
    for match in _TOKEN.finditer(text):
        if any(start <= match.start() < end for start, end in heads):
            continue
        found += _split(match, names, notation)
    return found


def _split(match: re.Match[str], names: _KnownNames, notation: str) -> list[_Piece]:
    """A match as tokens: `y_ij` in index notation is a name and two letters."""
    word, start = match[0], match.start()
    if not match["name"]:
        kind = "number" if match["number"] else "sign" if match["sign"] else "other"
        return [_Piece(kind, word, start)]
    if names.count(word) is not None:
        return [_Piece("name", word, start)]
    if notation != "index":
        return [_Piece("other", word, start)]
    base, _, below = word.rpartition("_")
    if base and names.count(base) is not None and len(below) <= 4:
        first = start + len(base) + 1
        letters = [_Piece("letter", letter, first + k) for k, letter in enumerate(below)]
        return [_Piece("name", base, start), *letters]
    if len(word) == 1:
        return [_Piece("letter", word, start)]
    return [_Piece("other", word, start)]


def _heads(text: str) -> list[tuple[int, int]]:
    """Where the left sides of the lines are, and the first line of a function."""
    heads, start = [], 0
    for line in text.split("\n"):
        end = line.find(":") + 1 if line.lstrip().startswith("def ") else _head_end(line)
        heads.append((start, start + end))
        start += len(line) + 1
    return heads


def _head_end(line: str) -> int:
    """The place after the first equals sign outside all brackets; 0 without one."""
    depth = 0
    for place, sign in enumerate(line):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "=" and depth == 0:
            around = line[max(0, place - 1) : place] + line[place + 1 : place + 2]
            if not any(neighbour in "=<>!" for neighbour in around):
                return place + 1
    return 0


def _answer_start(text: str) -> int:
    """Where the right-hand side of the last line begins; the body of a function."""
    if text.lstrip().startswith("def"):
        return text.find(":") + 1
    last = text.rfind("\n") + 1
    return last + _head_end(text[last:])


def _replacements(token: _Piece, names: _KnownNames, letters: set[str]) -> list[tuple[Change, str]]:
    word = token.text
    if token.kind == "sign":
        kind = Change.SIGN if word in "+-" else Change.OPERATOR
        return [(kind, sign) for sign in _OTHER_SIGNS.get(word, ())]
    if token.kind == "number" and word.isdigit():
        near = (int(word) - 1, int(word) + 1)
        return [(Change.NUMBER, str(number)) for number in near if number >= 0]
    if token.kind == "letter":
        return [(Change.INDEX, letter) for letter in sorted(letters - {word})]
    if token.kind == "name":
        return [(Change.NAME, name) for name in names.exchangeable(word)]
    return []


def _transposed(text: str, token: _Piece, notation: str) -> Edit:
    """The name with a transpose after it, or without the one that is there."""
    found = _TRANSPOSED.match(text, token.end)
    if found:
        return _replaced(text, token.start, found.end(), token.text, Change.TRANSPOSE)
    turned = token.text + _TRANSPOSES[notation]
    return _replaced(text, token.start, token.end, turned, Change.TRANSPOSE)


def _next_letter(tokens: list[_Piece], place: int) -> _Piece | None:
    """The letter that follows, directly or after a comma."""
    following = tokens[place + 1 : place + 3]
    if len(following) == 2 and following[0].text == ",":
        following = following[1:]
    return following[0] if following and following[0].kind == "letter" else None


def _letters_swapped(text: str, first: _Piece, second: _Piece) -> Iterator[Edit]:
    """Two indices of one name in the other order."""
    between = text[first.end : second.start]
    if first.text != second.text and not between.replace(",", "").strip():
        swapped = second.text + between + first.text
        yield _replaced(text, first.start, second.end, swapped, Change.TRANSPOSE)


def _subscript_end(text: str, end: int) -> int:
    """The place after the indices of a name."""
    found = _BELOW.match(text, end)
    return found.end() if found else end


def _terms_changed(text: str, start: int) -> Iterator[Edit]:
    """The answer with one of its terms left out, or the first one with a minus sign."""
    terms = _terms(text, start)
    if len(terms) < 2:
        return
    for place, (begin, end) in enumerate(terms):
        if place:
            yield _replaced(text, begin, end, "", Change.TERM)
        else:
            after = end + len(text[end:]) - len(text[end:].lstrip())
            stop = after + 1 if text[after] == "+" else end
            yield _replaced(text, begin, stop, " ", Change.TERM)
            if not text[begin:end].lstrip().startswith(("-", "+")):
                yield Edit(
                    f"{text[:begin]} -{text[begin:].lstrip()}",
                    begin,
                    text[begin:end],
                    "-",
                    Change.SIGN,
                )


def _terms(text: str, start: int) -> list[tuple[int, int]]:
    """The summands outside all brackets, each with the sign before it."""
    cuts, depth = [start], 0
    for place in range(start, len(text)):
        sign = text[place]
        depth += (sign in "([{") - (sign in ")]}")
        before = text[start:place].rstrip()
        if depth == 0 and sign in "+-" and before and before[-1] not in "+-*/@^=(,eE⊙":
            cuts.append(place)
    return [(a, b) for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True) if text[a:b].strip()]


def _term_of(text: str, place: int) -> str:
    """`the second term`, where the answer has several; else nothing."""
    terms = _terms(text, _answer_start(text))
    inside = [index for index, (begin, end) in enumerate(terms) if begin <= place < end]
    if len(terms) < 2 or not inside or inside[0] >= len(_ORDINALS):
        return ""
    return f"the {_ORDINALS[inside[0]]} term"


def _replaced(text: str, start: int, end: int, new: str, kind: Change) -> Edit:
    return Edit(text[:start] + new + text[end:], start, text[start:end].strip(), new.strip(), kind)
