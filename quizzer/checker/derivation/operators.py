"""`∂/∂x_i ( … )` and `d( … )` in a line: what they act on is moved, and a name stands for them."""

import re
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.derivation.board import SIDE, Board, Made, used_in
from quizzer.checker.derivation.taken import free_letters
from quizzer.checker.derivation.values import Unjudged
from quizzer.notation import Reading
from quizzer.notation.functions import WORDS
from quizzer.notation.grammar.derivation import Part, Written
from quizzer.notation.grammar.partials import LOSS, Partial, thing, with_names
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain, closing, is_balanced
from quizzer.notation.lexer.spellings import WORD

_SUBSCRIPT = r"(?:\s*_\s*\{[^{}]*\}|\s*\[[^\[\]]*\])?"
_PARTIAL = re.compile(
    rf"\(\(\s*∂\s*\)/\(\s*∂\s*({WORD}{_SUBSCRIPT})\s*\)\)\s*|∂\s*/\s*∂\s*({WORD}{_SUBSCRIPT})(?![\w{{])\s*"
)
_RAISED = re.compile(r"\s*\^\s*(?:\{[^{}]*\}|\w+|\([^()]*\))")
_DELTA_POWER = re.compile(
    r"(?<![^\W_])((?:δ|delta)\s*_\s*(?:\{[^{}]*\}|\w))(\s*\^\s*(?:\{\s*[2-9]\s*\}|[2-9]))"
)
_D_POWER = re.compile(rf"(?<![^\W\d])d\s*({WORD}?)(\s*\^\s*(?:\{{\s*-\s*1\s*\}}|2))")
_TOTAL = re.compile(r"(?<![^\W\d])d\s*(?=\(|(?:log|det|tr|exp|sqrt)(?![^\W\d_]))")
_SPACED = re.compile(rf"(?<![^\W\d])d\s+({WORD})")
_OVER = rf"(?P<over>{WORD}{_SUBSCRIPT})"
_FRACTION_OF_D = re.compile(rf"\(\(\s*d\s*\)/\(\s*d\s*{_OVER}\s*\)\)")
_SLASH_OF_D = re.compile(rf"(?<![^\W\d])d\s*/\s*d\s*{_OVER}(?=[\s(])")
_ABOVE = re.compile(rf"\(\(\s*[∂d](?P<top>[^=]+?)\)/\(\s*[∂d]\s*{_OVER}\s*\)\)")
_BEFORE_SLASH = re.compile(rf"∂(?P<top>[^=/∂]+?)/\s*∂\s*{_OVER}(?![\w{{])")
_NAME_ALONE = re.compile(rf"\s*\(?\s*({WORD}){_SUBSCRIPT}\s*\)?(?:\s*\([\w\s,]*\))?\s*")
_AXES = re.compile(rf"{SIDE} has (\d+) axes: write one letter for each, {SIDE}\[…\], on the left")


class Operator(Struct, frozen=True):
    """An operator with what it acts on, as places in the text."""

    over: str | None
    start: int
    begins: int
    ends: int


def written_out(parts: Sequence[Part], board: Board) -> tuple[Part, ...]:
    """The parts of a text with `∂/∂x (log p)` for `∂ log p/∂x`, and `dX` for `d X`."""
    names = board.names()
    if names.find("d") is not None:
        return tuple(parts)
    return tuple(
        replace(
            part,
            left=None if part.left is None else _written_out(part.left, names, board),
            links=tuple(_written_out(link, names, board) for link in part.links),
        )
        if isinstance(part, Written)
        else part
        for part in parts
    )


def told(message: str, board: Board) -> str:
    """A message about a text in which names stand for derivatives, in the text's own."""
    for name in sorted(board.arrays, key=len, reverse=True):
        made = board.arrays[name]
        if isinstance(made, Partial):
            top = "L" if made.top.name == LOSS else made.top.name
            message = message.replace(name, f"∂{top}/∂{made.over.name}")
        else:
            message = message.replace(name, f"∂/∂{made.over}" if made.over else "d(…)")
    message = _AXES.sub(r"The left side has \1 axes: write one letter for each", message)
    return message.replace(SIDE, "the left side")


def with_derivatives(plain: Plain, board: Board) -> Plain:
    """The text with a name for every derivative in it. Raises FaultError or Unjudged."""
    names = board.names()
    for match in reversed(list(_DELTA_POWER.finditer(plain.text))):
        plain = plain.replaced(match.start(), match.end(), f"({match[1]}){match[2]}")
    for match in reversed(list(_D_POWER.finditer(plain.text))):
        if names.find(match[1]) in board.moving:
            plain = plain.replaced(match.start(), match.end(), f"d({match[1]}{match[2]})")
    for _ in range(8):
        found = _last(plain, has_d=names.find("d") is not None)
        if found is None:
            break
        plain = _replaced(plain, found, board)
        names = board.names()

    def name_of(partial: Partial) -> str:
        top, over = partial.top.name, partial.over.name
        board.connect(top, over)
        if not partial.total:
            board.note_pair((top, over))
        return board.name_for(partial)

    return with_names(plain, names, name_of)


def has_operator(text: str) -> bool:
    """Whether there is an operator before an expression in the text."""
    return _PARTIAL.search(text) is not None or _TOTAL.search(text) is not None


def _written_out(plain: Plain, names: Names, board: Board) -> Plain:
    for pattern in (_FRACTION_OF_D, _SLASH_OF_D):
        for match in reversed(list(pattern.finditer(plain.text))):
            plain = plain.replaced(match.start(), match.end(), f"((∂)/(∂ {match['over']}))")
    for pattern in (_ABOVE, _BEFORE_SLASH):
        for match in reversed(list(pattern.finditer(plain.text))):
            top = match["top"].strip()
            if top and is_balanced(top) and not _is_name(top):
                spelled = f"((∂)/(∂ {match['over']})) ({top})"
                plain = plain.replaced(match.start(), match.end(), spelled)
    for match in reversed(list(_SPACED.finditer(plain.text))):
        inner = thing(match[1].rstrip("_"), names)
        if inner is not None and inner.name in board.moving:
            plain = plain.replaced(match.start(), match.end(), f"d{match[1]}")
    return plain


def _is_name(text: str) -> bool:
    """Whether this is a name, with its indices and arguments, and no function's value."""
    match = _NAME_ALONE.fullmatch(text)
    return match is not None and match[1] not in WORDS


def _last(plain: Plain, has_d: bool) -> Operator | None:
    """The last operator of the text, in which there is no other."""
    found = [
        Operator(match[1] or match[2], match.start(), match.end(), _end(plain.text, match.end()))
        for match in _PARTIAL.finditer(plain.text)
    ]
    if not has_d:
        found += [
            Operator(None, match.start(), match.end(), _end(plain.text, match.end()))
            for match in _TOTAL.finditer(plain.text)
        ]
    return max(found, key=lambda each: each.start, default=None)


def _end(text: str, place: int) -> int:
    """Where what an operator acts on ends: with its brackets, or with its term."""
    if text[place : place + 1] == "(":
        close = closing(text, place)
        if close is None:
            raise Unjudged("This bracket is not closed.", "unfinished")
        raised = _RAISED.match(text, close + 1)
        return raised.end() if raised else close + 1
    depth = 0
    for end in range(place, len(text)):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if (
            depth < 0
            or (depth == 0 and end > place and text[end] in "+=")
            or (depth == 0 and text[end] == "-" and end > place)
        ):
            return end
    return len(text)


def _replaced(plain: Plain, operator: Operator, board: Board) -> Plain:
    """The text with a name in the operator's place."""
    names = board.names()
    inner = plain[operator.begins : operator.ends].stripped()
    over = None
    if operator.over is not None:
        over = thing(operator.over, names)
        if over is None or over.name not in board.moving:
            raise Unjudged(f"{operator.over} is not a known name.", "unknown-name")
        if over.name in board.sheet.asked:  # its own value is wanted, and where else it is in
            raise Unjudged(f"How this depends on {operator.over} is not known on this card.")
    inner = with_names(inner, names, _refused)
    letters = free_letters(inner.text, names)
    reading = board.read(inner.text, letters, None)
    if over is not None and not _connected(reading, over.name, board):
        raise Unjudged(f"How this depends on {operator.over} is not known on this card.")
    name = board.name_for(Made(reading, over.name if over else None))
    indices = (*letters, *(over.indices if over else ()))
    below = f"_{{{','.join(indices)}}}" if indices else ""
    return plain.replaced(operator.start, operator.ends, f" {name}{below} ")


def _connected(reading: Reading, over: str, board: Board) -> bool:
    """Whether what is moved is in the expression, or in what its names are made of."""
    for name in used_in(reading):
        with suppress(Unjudged):
            board.connect(name, over)
            return True
    return False


def _refused(partial: Partial) -> str:
    raise Unjudged("A derivative of a derivative is not judged.")
