"""What may slip in the right side of a line: one edit each, in LaTeX or plain text. Pure.

Whether an edited line can be read, has the right shape and is false, is not known here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from quizzer.form.side import CALLED, Side, bare, brackets, depth_at, parted
from quizzer.notation.changes import TAKEN_FOR

_PARTIAL = re.compile(
    r"\\frac\s*\{\s*(?:\\partial|d)(?:[^{}]|\{[^{}]*\})*\}\s*\{\s*(?:\\partial|d)(?:[^{}]|\{[^{}]*\})*\}"
)
_IVERSON = re.compile(r"\[[^\[\]]*(?:=|<|>|\\in|\\le|\\ge)[^\[\]]*\]")
_TRANSPOSE = re.compile(r"\s*\^\s*(?:\{\s*(?:\\top|T|⊤)\s*\}|\\top(?![A-Za-z])|T(?!\w)|⊤)")
_POWER = re.compile(r"\s*\^\s*(?:\{\s*(-?\d+)\s*\}|(\d))")
_PAIR = re.compile(r"(?:_\{|\[)\s*([a-z])(\s*,?\s*)([a-z])\s*[\]}]")
_BELOWS = re.compile(r"_\s*(?:\{([^{}]*)\}|([a-z]))|\[([a-z, ]+)\]")
_INVERTED = re.compile(r"\\frac\s*\{\s*1\s*\}\s*\{([^{}]*)\}|(?<![\w/])1\s*/\s*(\w+)(?=\s)")
_OVER = re.compile(r"\s*/\s*(\w)(?![\w(\[])")
_DOUBLED = re.compile(r"(?<![\w.^{\\/])[2-9](?=\s*(?:[A-Za-z\\(]))|(?<=\{)[2-9](?=\s*[A-Za-z\\(])")
_FUNCTION = re.compile(r"\\(sin|cos|max|min)(?![A-Za-z])|(?<![\w\\])(max|min|sin|cos)(?=\()|([<>])")
_LEFT_OVER = re.compile(r"^(?:\\[,;!: ]|\\cdot(?![A-Za-z])|\\odot(?![A-Za-z])|⊙|\*|\s)+")
_AT_END = re.compile(r"(?:\\[,;!: ]|\\cdot(?![A-Za-z])|\\odot(?![A-Za-z])|⊙|\*|\s)+$")
_TIMES = re.compile(r"(?:\\(?:odot|cdot|times)(?![A-Za-z])|⊙|\*)\s*$")
_SPACES = re.compile(r"\\[,;!: ]|\\left(?![A-Za-z])|\s")
_FIXED = {"I", "1", "e"}


class Change(Struct, frozen=True):
    """The right side after one edit, and the code of its diagnosis."""

    right: str
    kind: str


def changes(right: str, left: str = "", names: Sequence[str] = ()) -> list[Change]:
    """Every edit of a right side; `names` may come for another with as many indices."""
    text = Side(right)
    found: dict[str, Change] = {}
    for kind, edited in _all(text, left, names):
        edited = _tidy(edited)
        is_odd = Side(edited).cancels and not text.cancels
        if edited and not is_odd and edited not in (_tidy(right), _tidy(left)):
            found.setdefault(edited, Change(edited, kind))
    return [*found.values()]


def signs(text: Side) -> Iterator[tuple[int, str]]:
    """Where each sign is, and the text with the other one in its place."""
    for match in re.finditer(r"[+-]", text.text):
        place = match.start()
        if text.roles[place] not in "bp":
            continue
        before = text.before(place)
        if text.roles[place] == "p" and re.match(r"-\s*\d", text.text[place:]):
            continue
        if not before or before in "([{,=<>|&^" or text.text[:place].rstrip().endswith(r"\left"):
            yield place, text.without(place, place + 1)
        else:
            yield place, text.without(place, place + 1, "-" if match[0] == "+" else "+")


def _tidy(text: str) -> str:
    """Without spaces and signs of multiplication that are left over at an end."""
    text = _LEFT_OVER.sub("", re.sub(r"\s{2,}", " ", text).strip())
    return _AT_END.sub("", re.sub(r"\s+([)\]])", r"\1", text))


_Edits = Iterator[tuple[str, str]]


def _all(text: Side, left: str, names: Sequence[str]) -> _Edits:
    makers: tuple[Callable[[Side], _Edits], ...] = (
        _signs,
        _terms,
        _numbers,
        _sizes,
        _transposes,
        _powers,
        _factors,
        _functions,
    )
    for make in makers:
        yield from make(text)
    yield from _indices(text, left)
    yield from _exchanged(text, left, names)


def _signs(text: Side) -> _Edits:
    found = [edited for _, edited in signs(text)]
    first = text.text.lstrip()
    if not found and not first.startswith(r"\begin"):
        found.append(f"-{first}")
    for edited in found:
        yield "sign", edited


def _terms(text: Side) -> _Edits:
    """Without one of the summands, of the whole or within brackets."""
    for start, end in ((0, len(text.text)), *brackets(text.text)):
        inner = text.text[start:end]
        cuts = [
            start + match.start()
            for match in re.finditer(r"[+-]", inner)
            if text.is_base(start + match.start())
            and depth_at(inner, match.start()) == 0
            and inner[: match.start()].strip()
            and text.before(start + match.start()) not in tuple("([{,=<>|&")
        ]
        for cut, stop in pairwise((*cuts, end)):
            if len(cuts) > 1 or not start:
                yield "missing-term", text.without(cut, stop, " ")
            elif inner[: cut - start].strip() != "1":
                yield "missing-term", _unbracketed(text, start, end, inner[: cut - start])
        if cuts and text.text[cuts[0]] == "+":
            rest = text.text[cuts[0] + 1 : end]
            if len(cuts) > 1 or not start:
                yield "missing-term", text.without(start, cuts[0] + 1)
            else:
                yield "missing-term", _unbracketed(text, start, end, rest)


def _unbracketed(text: Side, start: int, end: int, rest: str) -> str:
    """The text with what is left between brackets, without them where one summand is left."""
    opened = re.search(r"(?:\\left\s*)?\($", text.text[:start])
    closed = re.match(r"(?:\\right\s*)?\)(?!\s*\^)", text.text[end:])
    called = CALLED.search(text.text[: opened.start() if opened else 0])
    if opened is None or closed is None or called is not None:
        return text.without(start, end, rest.strip())
    return text.without(opened.start(), end + closed.end(), f" {rest.strip()} ")


def _numbers(text: Side) -> _Edits:
    for match in _DOUBLED.finditer(text.text):
        if text.is_base(match.start()):
            yield "factor", text.without(match.start(), match.end())
    for match in re.finditer(r"\\frac\s*\{\s*([2-9])\s*\}", text.text):
        yield "factor", text.without(match.start(1), match.end(1), "1")


def _sizes(text: Side) -> _Edits:
    for match in _INVERTED.finditer(text.text):
        if text.is_base(match.start()):
            below = (match[1] or match[2]).strip()
            kind = "factor" if below.isdigit() else "size-factor"
            if len(below) <= 3:
                yield kind, text.without(match.start(), match.end())
            if match[1] and len(below) > 1 and below[0].isdigit() and below[1:].strip().isalpha():
                yield "factor", text.without(match.start(1), match.end(1), below[1:].strip())
    for match in _OVER.finditer(text.text):
        if text.is_base(match.start(1)):
            kind = "factor" if match[1].isdigit() else "size-factor"
            yield kind, text.without(match.start(), match.end())


def _transposes(text: Side) -> _Edits:
    for match in _TRANSPOSE.finditer(text.text):
        yield "transposed", text.without(match.start(), match.end())
    for match in _PAIR.finditer(text.text):
        if match[1] != match[3]:
            swapped = f"{match[3]}{match[2]}{match[1]}"
            yield "transposed", text.without(match.start(1), match.end(3), swapped)


def _powers(text: Side) -> _Edits:
    for match in _POWER.finditer(text.text):
        power = match[1] or match[2]
        yield "one-edit", text.without(match.start(), match.end())
        if power.isdigit() and int(power) > 2:
            yield "one-edit", text.without(match.start(), match.end(), f"^{int(power) - 1}")
    for match in re.finditer(r"\\sqrt\s*\{([^{}]*)\}", text.text):
        yield "one-edit", text.without(match.start(), match.end(), match[1])


def _factors(text: Side) -> _Edits:
    """Without a factor: a name, a derivative, a bracket."""
    spans = [match.span() for match in _PARTIAL.finditer(text.text)]
    spans += [match.span() for match in _IVERSON.finditer(text.text)]
    spans += [
        match.span()
        for match in text.names
        if text.is_base(match.start()) and not any(a <= match.start() < b for a, b in spans)
    ]
    for start, end in spans:
        yield from _dropped(text, start, end)
    for start, end in brackets(text.text):
        opened = re.search(r"(?:\\left\s*)?\($", text.text[:start])
        closed = re.match(r"(?:\\right\s*)?\)", text.text[end:])
        called = opened and CALLED.search(text.text[: opened.start()])
        if opened and closed and not called:
            yield from _dropped(text, opened.start(), end + closed.end())


def _dropped(text: Side, start: int, end: int) -> _Edits:
    """The text without a factor and the sign of multiplication before it, if others stay."""
    times = _TIMES.search(text.text[:start])
    start = times.start() if times else start
    before = _SPACES.sub("", text.text[:start])[-1:]
    after = _SPACES.sub("", text.text[end:])
    alone = after[:1] in tuple("+-)]},&") or after.startswith((r"\right", r"\end", "/"))
    if not ((not before or before in "([{+-,=&/") and (alone or not after)):
        yield "one-edit", text.without(start, end)


def _functions(text: Side) -> _Edits:
    chained = [
        each.span() for each in re.finditer(r"\[[^\[\]]*[<>][^\[\]]*[<>][^\[\]]*\]", text.text)
    ]
    for match in _FUNCTION.finditer(text.text):
        if match[0] in "<>" and (
            text.text[match.end() : match.end() + 1] == "="
            or any(a <= match.start() < b for a, b in chained)
        ):
            continue
        group = match.lastindex or 0
        now = TAKEN_FOR[match[group]]
        yield "one-edit", text.without(match.start(group), match.end(group), now)


def _indices(text: Side, left: str) -> _Edits:
    """One letter of an index for another that is about."""
    letters = sorted(set(_letters(left)) | set(_letters(text.text)))
    for match in _BELOWS.finditer(text.text):
        if text.text[: match.start()].rstrip().endswith(("\\sum", "\\max", "\\prod", "sum", "log")):
            continue
        group = next(number for number in (1, 2, 3) if match[number] is not None)
        for place in range(match.start(group), match.end(group)):
            letter, inner = text.text[place], match[group]
            if letter in letters:
                for other in letters:
                    if other not in inner:
                        yield "one-edit", text.without(place, place + 1, other)


def _letters(side: str) -> Iterator[str]:
    for match in _BELOWS.finditer(side):
        inner = next(each for each in match.groups() if each is not None)
        if re.fullmatch(r"[a-z, ]+", inner) and len(inner.replace(",", "").replace(" ", "")) <= 4:
            yield from inner.replace(",", "").replace(" ", "")


def _exchanged(text: Side, left: str, names: Sequence[str]) -> _Edits:
    """One name for another with the same indices."""
    fixed = {*_FIXED, *_letters(left), *_letters(text.text)}
    for match in text.names:
        base, below = parted(match[0].strip())
        if not text.is_base(match.start()) or "-1" in below:
            continue
        for other in dict.fromkeys(names) if bare(base) not in fixed else ():
            other_base, other_below = parted(other)
            if other_base == base or bare(other_base) in fixed:
                continue
            if _count(below) == _count(other_below) and _style(base) == _style(other_base):
                yield "one-edit", text.without(match.start(), match.end(), f"{other_base}{below}")


def _style(base: str) -> tuple[bool, bool]:
    """Whether a name is bold, and whether it is a capital: vectors are not taken for matrices."""
    return base.startswith((r"\mathbf", r"\boldsymbol")), bare(base)[:1].isupper()


def _count(below: str) -> int:
    return len(list(_letters(below)))
