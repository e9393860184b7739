"""The lines of an answer in index or matrix notation: helper lines and the answer line.

A chain `a = b = c` says one thing more than once: what is read is its last part. Words behind a
formula and what they introduce are set aside; `where g = …` is a line of its own.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec import Struct

from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.signs import QUAD
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.values import FaultError

_COMMENT = re.compile(r"#[^\n]*")
_DEFINED = re.compile(r"([^\W\d_](?:[^\W_]|_(?!\s*\{))*)[^=]*=(?!=)")
_BOUND = re.compile(r"\s*([^\W\d]\w*(?:\s*_?\s*\{[^{}]*\}|\[[^\[\]]*\])?)\s*(?:[<>]=|≈|←)")
"""A left side with a sign that is written in place of =, such as `m ≥ …`."""
_WHERE = re.compile(
    r"(?<![^\W_])(?:where|with|mit|for which)\b(?=[^=]*=)|(?<![^\W_])where\b", re.IGNORECASE
)
_REMARK = re.compile(
    r"(?<![^\W_])(?:since|because|hence|thus|recall|weil)(?![^\W_])"
    r"|(?<=,)\s*(?:using|by|via|as|note|here|so|which|for|from)(?![^\W_])",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"(?<![^\W\d_])(?:the|by|of|is|are|as|with|outside|inside|counts?|terms?|since|because|its|no|"
    r"chain|rule|here|note|using|from|for|all|each|only|when|where|respect|derivative|gradient|to|"
    r"symmetric|elementwise|entrywise|shape|range|zero)(?![^\W\d_(])",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?:\([a-z0-9ivx]{1,3}\)|[a-z0-9]\)|[a-z]\.)\s+(?=\S[^=]*=)")
_NAMED = re.compile(rf"[\s,]*({WORD}'*)\s*(?:_\s*(?:\{{[^{{}}]*\}}|\w)|\[[^\[\]]*\])?'*\s*=(?!=)")
"""A name with a definition behind it."""
_NAMES_IT = "≜≡"
"""Signs behind which a formula only gets another name."""
_CHOICE = re.compile(r"\s*\S.*\sif\s")
_ELSE = re.compile(r"\b(?:else|otherwise)\b")
"""The two sides of a choice whose condition has an equals sign: `a if i = j else b`."""
_CALLED = re.compile(rf"\s*(?:the|a|an|our)\s+[^\W\d_]{{3,}}\s+(?={WORD}\s*=)")
"""`the Hessian` of `the Hessian H = …`."""
_ENDS = f" {QUAD},.;:"
_KEPT = 8  # the notation is chosen by the lines of a text, which are read then
_CONTINUES = ("+", "*", "/", "=", "·", "⊙", ")", "]", "}")
_UNFINISHED = ("+", "-", "*", "/", "=", "·", "⊙", "(", "[", "{")


class Line(Struct, frozen=True):
    """One line, cut at its equals sign; `left` is None without one."""

    left: Plain | None
    right: Plain
    before: tuple[Plain, ...] = ()
    """The other right sides of a chain `left = before = … = right`."""
    leads: bool = False
    """Whether a ⇒ follows: what it leads to is said by the next line."""

    def whole(self) -> Plain:
        """Both sides, without the sign between them."""
        left = self.left or self.right[:0]
        return Plain(left.text + self.right.text, left.origin + self.right.origin)


def lines_of(plain: Plain) -> list[Line]:
    """The lines of the text. Breaks in brackets and beside an operator do not end a line.

    A comma between two equations ends a line. Raises FaultError where a line begins with a minus
    sign and does not use what the line before defines: it could go on or be its own.
    """
    return list(_lines_of(plain))


@lru_cache(_KEPT)
def _lines_of(plain: Plain) -> tuple[Line, ...]:
    for match in reversed(list(_COMMENT.finditer(plain.text))):
        plain = plain.replaced(match.start(), match.end(), "")
    found: list[Plain] = []
    leading: list[bool] = []
    for part, leads in _parts(plain):
        stripped = _without_label(part.stripped())
        # A formula in a sentence ends with its comma or full stop.
        stripped = _without_remark(stripped[: len(stripped.text.rstrip(_ENDS[:4]))])
        if not stripped.text:
            continue
        if found and stripped.text.startswith("-") and not _uses(stripped.text, found[-1].text):
            raise FaultError(
                "Does this line go on from the one before? Join them, or give it a left side.",
                stripped.at(0),
                "ambiguous",
            )
        found.append(stripped)
        leading.append(leads)
    if not found:
        raise FaultError("Nothing is written.", None, "empty")
    for part in found:
        _check_decimals(part)
    return tuple(_cut(part, leads) for part, leads in zip(found, leading, strict=True))


def kept(plain: Plain) -> Plain:
    """What is read of the text: without remarks, and of a chain the two ends only."""
    text, origin = "", list[int]()
    for line in lines_of(plain):
        for piece, end in ((line.left, " = "), (line.right, "\n")):
            if piece is not None:
                text += piece.text + end
                origin += [*piece.origin, *[piece.at(len(piece.text)) or 0] * len(end)]
    return Plain(text, tuple(origin))


def pieces_of(plain: Plain) -> Iterator[Plain]:
    """The lines of a text that was read, and every remark behind one, in order."""
    for part, _ in _parts(plain):
        part = part.stripped()
        line = _without_remark(_without_label(part))
        yield line
        yield part[part.text.find(line.text) + len(line.text) :]


def _without_label(part: Plain) -> Plain:
    """The line without the `(a)` of an exercise in front."""
    label = _LABEL.match(part.text) or _CALLED.match(part.text)
    return part[label.end() :] if label else part


def _without_remark(part: Plain) -> Plain:
    """The line without words behind its formula, in brackets or not, and what they introduce."""
    for match in _REMARK.finditer(part.text):
        if _depth_at(part.text, match.start()) == 0:
            part = part[: match.start()]
            break
    part = part[: len(part.text.rstrip(_ENDS))]
    while part.text.endswith((")", "]")):
        opened = _opening(part.text)
        before = part.text[:opened]
        inner = part.text[opened + 1 : -1]
        apart = (
            before[-1:].isspace() and before.strip() and not before.rstrip().endswith(_UNFINISHED)
        )
        aside = part.text.endswith(")") and (_is_prose(inner) or _is_statement(inner))
        if not apart or not aside:
            if _MARK.fullmatch(inner):
                _check_no_remark(before, inner, part.at(opened))
            break
        part = part[: len(before.rstrip(_ENDS))]
    return part


def check_no_shape(line: Line, is_number: Callable[[str], bool]) -> None:
    """Refuses `(K * D)` behind a formula, where both are numbers: it need not be a factor."""
    text = line.right.text
    opened = _opening(text) if text.endswith((")", "]")) else 0
    inner = text[opened + 1 : -1]
    shape = _SHAPE.fullmatch(inner)
    if opened and shape and all(map(is_number, shape.groups())):
        _check_no_remark(text[:opened], inner, line.right.at(opened))


def _check_no_remark(before: str, inner: str, at: int | None) -> None:
    if before[-1:].isspace() and not _ACTS.search(before) and not _is_function(before):
        raise FaultError(
            f"Is ({inner}) a factor or a remark? Write a factor in front, and leave a remark out.",
            at,
            "ambiguous",
        )


def _is_prose(inner: str) -> bool:
    """Whether a sentence stands there, or a part of one."""
    if re.match(r"\s*(?:since|because|using|by the|as|note)\b", inner) or _OUTSIDE.match(inner):
        return True
    return len(_ENGLISH.findall(inner)) > 1 and not re.search(r"[-+*/=<>\[\]^]", inner)


def _is_function(before: str) -> bool:
    """Whether a function stands there, or a sum over a letter: it acts on the bracket."""
    word = _LAST_WORD.search(before)
    return word is not None and word[1] in WORDS


_OUTSIDE = re.compile(rf"\s*{WORD}\s*(?:_?\s*\{{[^{{}}]*\}}|\[[^\[\]]*\])?\s*=\s*0\s+outside\b")
"""`w_u = 0 outside 0 ≤ u < K`: so it is read anyway."""
_MARK = re.compile(r"\s*(?!1\s*$)[0-9]+(?:\.[0-9]+)?\s*")
"""The number of an equation."""
_SHAPE = re.compile(r"\s*([^\W\d_]) ?[*x] ?([^\W\d_])\s*")
_ACTS = re.compile(r"[-+*/=·⊙⊘⊗^_,(\[{<>\n]\s*$")
"""A sign that goes on with the bracket."""
_LAST_WORD = re.compile(r"([^\W\d_]{2,})(?:\s*_\s*(?:\{[^{}]*\}|\w))?\s*$")
_STATED = re.compile(r"\s*(?:sum|prod|Σ|Π)\s*[_(]")


def _is_statement(inner: str) -> bool:
    """Whether an equation stands there that holds of the card, `Σ_k y_k = 1`, and is no mask."""
    equal = next(_equals(inner), None) is not None or "==" in _outside_brackets(inner)
    return equal and _STATED.match(inner) is not None


def _opening(text: str) -> int:
    """Where the round bracket begins that closes at the end of the text."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] in ")]}") - (text[place] in "([{")
        if depth == 0:
            return place
    return 0


def _depth_at(text: str, place: int) -> int:
    depth = 0
    for sign in text[:place]:
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
    return depth


def _uses(text: str, before: str) -> bool:
    """Whether the text names what the line before defines: then it does not go on from there."""
    defined = _DEFINED.match(before)
    if not defined:
        return False
    return re.search(rf"(?<![^\W\d_]){re.escape(defined[1])}(?![^\W_])", text) is not None


def mentions(plain: Plain, name: str) -> bool:
    """Whether the name stands in the text, with or without what is below it."""
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", plain.text) is not None


def _check_decimals(plain: Plain) -> None:
    """Refuses `0,5 x`: outside of brackets, a comma between digits is a decimal comma."""
    depth = 0
    for place, sign in enumerate(plain.text):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        digits = plain.text[place - 1 : place] + plain.text[place + 1 : place + 2]
        if sign == "," and not depth and re.fullmatch("[0-9]{2}", digits):
            raise FaultError("Decimals are written with a point: 0.5.", plain.at(place))


def _parts(plain: Plain) -> Iterator[tuple[Plain, bool]]:
    """The lines, and of each whether a ⇒ ends it."""
    start, depth, text = 0, 0, plain.text
    words = {match.start(): match.end() for match in _WHERE.finditer(text)}
    for place, sign in enumerate(text):
        if place < start:
            continue
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        if place in words and not depth:
            yield plain[start:place], False
            start = words[place]
            continue
        ends = sign in ";⇒"
        if sign in (",", ":", QUAD) and not depth:
            ends = _defines(text, start, place) or (
                sign != QUAD and _between_equations(text, start, place)
            )
        if ends or (sign == "\n" and not depth and not _joined(text, place)):
            yield plain[start:place], sign == "⇒"
            start = place + 1
    yield plain[start:], False


def _between_equations(text: str, start: int, comma: int) -> bool:
    """Whether an equation stands before this comma, and another one after it."""
    before, after = text[start:comma], text[comma + 1 :].split("\n")[0]
    equals = next(_equals(after), None)
    if equals is None or (next(_equals(before), None) is None and "∝" not in before):
        return False
    conditional = " if " in before or " if " in after[:equals]
    return not conditional and "," not in _outside_brackets(after[:equals])


def _defines(text: str, start: int, place: int) -> bool:
    """Whether a name is defined behind this place that the formula before it uses."""
    after = _NAMED.match(text, place + 1)
    if not after:
        return False
    before = text[start:place]
    if text[place] == QUAD and next(_equals(before), None) is not None:
        return True
    base = after[1].rpartition("_")[0] or after[1]
    spelled = rf"(?<![^\W_]){re.escape(base)}(?![^\W_])"
    return next(_equals(before), None) is None and re.search(spelled, before) is not None


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


def _cut(plain: Plain, leads: bool = False) -> Line:
    for place, sign in enumerate(plain.text):
        if sign in _NAMES_IT and _depth_at(plain.text, place) == 0:
            if next(_equals(plain.text), place) < place:
                plain = plain[:place].stripped()
            else:
                plain = plain.replaced(place, place + 1, "=")
            break
    places = list(_equals(plain.text))
    if places and _CHOICE.match(plain.text[: places[0]]) and _ELSE.search(plain.text, places[0]):
        return Line(None, plain, (), leads)
    if not places and "∝" in plain.text:
        return Line(None, plain, (), leads=True)
    if not places:
        bound = _BOUND.match(plain.text)
        if not bound:
            return Line(None, plain, (), leads)
        return Line(plain[: bound.end(1)].stripped(), plain[bound.end() :].stripped(), (), leads)
    if " if " in plain.text[places[0] :]:
        places = places[:1]
    ends = [*places[1:], len(plain.text)]
    links = [plain[a + 1 : b].stripped() for a, b in zip(places, ends, strict=True)]
    left = plain[: places[0]].stripped()
    if not left.text and len(places) > 1:
        return Line(None, links[-1], tuple(links[:-1]), leads)
    return Line(left, links[-1], tuple(links[:-1]), leads)


def _equals(text: str) -> Iterator[int]:
    """Places of the single equals signs outside of brackets."""
    depth = 0
    for place, sign in enumerate(text):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        if sign == "=" and not depth:
            around = text[place - 1 : place] + text[place + 1 : place + 2]
            if not any(neighbour in "=<>!" for neighbour in around):
                yield place
