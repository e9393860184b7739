"""Derivatives in a line: `∂a/∂b`, `dL/dz`, `∇_z L`, with what is differentiated and the indices."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from quizzer.notation.grammar.left import LOSSES
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain, between_commas
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.values import FaultError

_SUBSCRIPT = r"(?:\s*_\s*\{[^{}]*\}|\s*_\s*\w(?!\w)|(?:\s*\[[^\[\]]*\])+)?"
_PART = rf"{WORD}{_SUBSCRIPT}"
_QUOTIENT = re.compile(
    rf"\(\(\s*(?P<sign>[∂d])\s*\(?\s*(?P<top>{_PART})\s*\)?\s*\)\s*/\s*\(\s*[∂d]\s*(?P<over>{_PART})"
    rf"(?:\s*\^\s*⊤)?\s*\)\)"
    rf"|(?<![^\W\d])(?P<sign2>[∂d])\s*(?P<top2>{_PART})\s*/\s*[∂d]\s*(?P<over2>{_PART})(?![\w{{])"
    rf"|\(\s*(?P<sign4>[∂d])\s*(?P<top4>{_PART})\s*\)\s*/\s*\(\s*[∂d]\s*(?P<over4>{_PART})\s*\)"
    rf"|∇\s*_\s*(?:\{{\s*(?P<over3>{_PART})\s*\}}|(?P<over5>{WORD}))\s*(?P<top3>{WORD})"
)
_NAMED = re.compile(
    rf"(?<![^\W\d])d({WORD}?)_d({WORD}?)(\s*_\s*\{{[^{{}}]*\}}|\s*\[[^\[\]]*\])?(?![\w{{\[])"
)
"""`df_dx[k,l,i,j]`, with all indices behind."""
_OF = re.compile(r"\s*\(\s*\w+(?:\s*,\s*\w+)*\s*\)")
LOSS = "ℒ"
"""The name of what all upstreams are the derivatives of, where the card has none."""


class Thing(Struct, frozen=True):
    """A name with its indices as they are written; none where it is meant as a whole."""

    name: str
    indices: tuple[str, ...] = ()


class Partial(Struct, frozen=True):
    """The derivative of one name with respect to another."""

    top: Thing
    over: Thing
    total: bool
    """Whether it is written with d or ∇, which leave no doubt."""
    start: int
    end: int


def partials(plain: Plain, names: Names) -> Iterator[Partial]:
    """The derivatives in the text, in order. Raises FaultError for names that are not known."""
    for match in _QUOTIENT.finditer(plain.text):
        top = match["top"] or match["top2"] or match["top3"] or match["top4"]
        over = match["over"] or match["over2"] or match["over3"] or match["over4"] or match["over5"]
        sign = match["sign"] or match["sign2"] or match["sign4"] or "∇"
        at = plain.at(match.start())
        above, below = _loss(top, names) or thing(top, names), thing(over, names)
        for part, word in ((above, top), (below, over)):
            if part is None:
                raise FaultError(f"{word} in ∂{top}/∂{over} is not a known name.", at, "no-node")
        assert above is not None and below is not None
        yield Partial(above, below, sign != "∂", match.start(), match.end())
    yield from _named(plain, names)


def _named(plain: Plain, names: Names) -> Iterator[Partial]:
    for match in _NAMED.finditer(plain.text):
        above, below = _loss(match[1], names) or thing(match[1], names), thing(match[2], names)
        if above is None or below is None or above.indices or below.indices:
            continue
        axes = 0 if above.name == LOSS else names.axes.get(above.name) or 0
        inner = (match[3] or "").lstrip("_ \t")[1:-1]
        indices = _indices(inner, None) if inner else ()
        if indices and len(indices) != axes + (names.axes.get(below.name) or 0):
            continue
        top, over = Thing(above.name, indices[:axes]), Thing(below.name, indices[axes:])
        yield Partial(top, over, True, match.start(), match.end())


def whole_partial(plain: Plain, names: Names) -> Partial | None:
    """The derivative that the whole text is, `∇_w L(w)` too; None where it is none."""
    text = plain.text.strip()
    for match in _QUOTIENT.finditer(text):
        rest = text[match.end() :]
        if match.start() == 0 and (not rest or _OF.fullmatch(rest)):
            return next(partials(plain, names))
    found = list(_named(plain, names))
    whole = [each for each in found if (each.start, each.end) == (0, len(plain.text.rstrip()))]
    return whole[0] if whole else None


def with_names(plain: Plain, names: Names, name_of: Callable[[Partial], str]) -> Plain:
    """The text with a name in the place of each derivative, and its indices behind."""
    found = sorted(partials(plain, names), key=lambda each: each.start)
    for each in reversed(found):
        indices = (*each.top.indices, *each.over.indices)
        below = f"_{{{','.join(indices)}}}" if indices else ""
        plain = plain.replaced(each.start, each.end, f" {name_of(each)}{below} ")
    return plain


def thing(text: str, names: Names) -> Thing | None:
    """A known name with its indices, `x_{ni}`, `h_{t,i}`, `w_k`; None where it is not known."""
    match = re.fullmatch(rf"({WORD})({_SUBSCRIPT})", text.strip())
    if match is None:
        return None
    word, below = match[1], match[2].strip()
    if below:
        inner = below.lstrip("_ \t")
        if inner[:1] in "{[":
            inner = inner[1:-1].replace("][", ",")
        label = names.find(f"{word.rstrip('_')}_{''.join(inner.split())}")
        if label is not None:
            return Thing(label)
        name = names.find(word.rstrip("_"))
        name = name or names.rows_of(word.rstrip("_"))
        return None if name is None else Thing(name, _indices(inner, names.axes.get(name)))
    name = names.spellings.get(word)  # no twin: the Q of an objective is no small q
    if name in names.axes:
        assert name is not None
        return Thing(name)
    if names.find(word) is not None:
        return None
    for cut in (place for place in range(len(word) - 1, 0, -1) if word[place] == "_"):
        base, tail = word[:cut], word[cut + 1 :]
        name = names.find(base) or names.rows_of(base)
        if name is not None and tail.isalnum():
            return Thing(name, _indices(tail, names.axes.get(name)))
    return None


def _loss(text: str, names: Names) -> Thing | None:
    """`L` where the card has no name for what is differentiated."""
    word = text.strip()
    return Thing(LOSS) if word in LOSSES and names.find(word) is None else None


def _indices(inner: str, axes: int | None) -> tuple[str, ...]:
    """The indices that stand below a name of so many axes: `kl` is k and l."""
    inner = inner.strip()
    if "," in inner:
        return tuple(part.strip() for part in between_commas(inner))
    signs = "".join(inner.split())
    if signs.isalnum() and len(signs) > 1 and (axes != 1 or not signs.isdigit()):
        return tuple(signs)
    return (inner,)
