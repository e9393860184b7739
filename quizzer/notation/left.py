"""Left sides as on paper: `dx[i,j]`, `∂L/∂x`, `\\frac{∂f_{kl}}{∂x_{ij}}`, `δ_{x,ij}`, `∇_x L`.

The same fractions on the right mean an upstream or a local derivative that has a name.
"""

import re
from dataclasses import dataclass, replace

from quizzer.notation.names import WORD, Names
from quizzer.notation.signs import ACCENTS
from quizzer.notation.translate import Plain, translate
from quizzer.notation.values import Context, FaultError

_SUBSCRIPT = r"(?:\s*_\s*\{[^{}]*\}|\s*\[[^\[\]]*\])?"
_PART = rf"{WORD}{_SUBSCRIPT}"
_THING = re.compile(rf"({WORD})({_SUBSCRIPT})")
_FRACTION = re.compile(
    rf"(?:\(\(\s*|\(\s*)?(?:∂|d)\s*({_PART})\s*\)?\s*/\s*\(?\s*(?:∂|d)\s*({_PART})\s*\)*"
)
_NABLA = re.compile(rf"∇\s*_\s*(?:\{{\s*({WORD})\s*\}}|({WORD}?))\s*({WORD})?")
_MESSAGE = re.compile(rf"(?:δ|delta)\s*_\s*\{{\s*({WORD})\s*(?:,([^{{}}]*))?\}}")
_LETTER = re.compile(r"\s*([^\W\d_]'*)\s*,?")
_PARTIAL = re.compile(
    rf"\(\(\s*∂\s*({_PART})\s*\)\s*/\s*\(\s*∂\s*({_PART})\s*\)\)|∂\s*({_PART})\s*/\s*∂\s*({_PART})"
    r"(?![\w{])"
)
_SUMMED = re.compile(r"(?:\b(?:sum|prod|max|min|mean)|[ΣΠ])\s*_?\s*(\{[^{}]*\}|\([^()]*\)|\w)")
_ONE = re.compile(r"(?<![^\W\d])[^\W\d_](?![^\W\d])")
_ACCENTED = tuple(set(ACCENTS.values()) - {""})
_LOSSES = frozenset({"L", "ℓ", "l", "J", "E", "C", "loss", "Loss", "cost"})


@dataclass(frozen=True, slots=True)
class Left:
    """A left side: the name it defines, the others it may stand for, and its index letters."""

    name: str
    also: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    at: int | None = None


def parse_left(plain: Plain, names: Names, indexed: bool) -> Left:
    """The left side that the text writes; `indexed` when `s_k` is s with the index k.

    Raises FaultError when it is none.
    """
    plain = plain[plain.text.rfind(":") + 1 :].stripped()  # `Backward: dx = …`
    text, at = plain.text, plain.at(0)
    try:
        left = _parse(text, names, indexed)
    except FaultError as fault:
        raise FaultError(fault.message, at, fault.code) from None
    if left is None:
        raise FaultError(
            f"{text[:40]} is no left side: write {names.context.asked} = …", at, "left-side"
        )
    twice = [letter for letter in left.letters if left.letters.count(letter) > 1]
    if twice:
        raise FaultError(
            f"Index {twice[0]} is twice on the left: use two letters and [i = j] on the right.",
            at,
            "letter-twice",
        )
    return Left(left.name, left.also, left.letters, at)


def index_letters(text: str, context: Context) -> frozenset[str]:
    """Letters that a text uses as an index where a symbol of the card ends with such a letter:
    on the left of the answer, or below a sum."""
    if not any("_" in symbol for symbol in context.symbols.values()):
        return frozenset()
    try:
        plain = translate(text)
    except FaultError:
        return frozenset()
    found = {letter for below in _SUMMED.findall(plain.text) for letter in _ONE.findall(below)}
    bare = Names(replace(context, symbols={}))
    for line in plain.text.split("\n"):
        head, equals, _ = line.partition("=")
        symbols = {"d" + symbol.replace(" ", "") for symbol in context.symbols.values()}
        if not equals or "".join(head.split()) in symbols:
            continue
        try:
            left = parse_left(Plain(head, (0,) * len(head)), bare, indexed=True)
        except FaultError:
            continue
        found |= set(left.letters) if is_asked(left, bare) else set()
    return frozenset(found)


def is_asked(left: Left, names: Names) -> bool:
    """Whether the left side names what is asked for."""
    return names.context.asked in (left.name, *left.also)


def _parse(text: str, names: Names, indexed: bool) -> Left | None:
    fraction = _FRACTION.fullmatch(text)
    if fraction:
        return _derivative(fraction[1], fraction[2], names)
    nabla = _NABLA.fullmatch(text)
    if nabla:
        return Left("d" + names.spelled(nabla[1] or nabla[2]))
    message = _MESSAGE.fullmatch(text)
    if message and "d" + names.spelled(message[1]) in _possible(names):
        return Left("d" + names.spelled(message[1]), (), _letters(message[2] or ""))
    simple = re.fullmatch(r"(?:δ|delta)_(\w+)", text)
    if simple and "d" + names.spelled(simple[1]) in _possible(names):
        return Left("d" + names.spelled(simple[1]))
    return _subscripted(text, names, indexed)


def _possible(names: Names) -> set[str]:
    return {names.context.asked, *names.context.others, *names.context.upstreams, *names.axes}


def _derivative(top: str, bottom: str, names: Names) -> Left | None:
    """`∂f_k/∂x_i`: df_dx with the letters k, i; a loss over x also means dx."""
    upper = _subscripted(top, names, indexed=True)
    lower = _subscripted(bottom, names, indexed=True)
    if upper is None or lower is None:
        return None
    name = f"d{upper.name}_d{lower.name}"
    also = () if upper.letters else (f"d{lower.name}",)
    return Left(name, also, upper.letters + lower.letters)


def _subscripted(text: str, names: Names, indexed: bool) -> Left | None:
    match = _THING.fullmatch(text.strip())
    if not match:
        return None
    word, subscript = match[1], match[2].strip()
    if subscript:
        inner = subscript.lstrip("_ \t")[1:-1]
        return _named(word.rstrip("_"), names, _letters(inner))
    known = names.spelled(word)
    base, _, tail = word.rpartition("_")
    if known not in names.axes and tail.isdigit() and names.spelled(base) == names.context.asked:
        raise FaultError(f"Give the whole array at once: {base} = (…, …).", None, "left-side")
    if known in _possible(names) or not indexed:
        return _named(word, names, ())
    base, _, tail = word.rpartition("_")
    while base and names.spelled(base) not in _possible(names) and "_" in base:
        if base.endswith(_ACCENTED):
            break
        shorter, _, part = base.rpartition("_")
        base, tail = shorter, f"{part}_{tail}"
    if base and tail.isalpha() and len(tail) <= 6:
        return _named(base, names, tuple(tail))
    return _named(word, names, ())


def _named(word: str, names: Names, letters: tuple[str, ...]) -> Left:
    name = names.spelled(word)
    whole = re.fullmatch(r"d(\w+)_d(\w+)", name)
    also: tuple[str, ...] = ()
    if whole and names.axes.get(whole[1], 0) == 0:
        also = (f"d{whole[2]}",)
    asked = re.fullmatch(r"d(\w+)_d(\w+)", names.context.asked)
    if asked and names.axes.get(asked[1], 0) == 0 and name == f"d{asked[2]}":
        also = (names.context.asked,)
    return Left(name, also, letters)


def _letters(text: str) -> tuple[str, ...]:
    found, place = [], 0
    while place < len(text.rstrip()):
        match = _LETTER.match(text, place)
        if not match:
            raise FaultError(
                "The left side takes index letters only, as in dx[i,j].", None, "left-side"
            )
        found.append(match[1])
        place = match.end()
    return tuple(found)


def with_derivatives(plain: Plain, names: Names) -> Plain:
    """`∂L/∂y` and `∂f_k/∂x_i` on the right, replaced by the names they have here."""
    for match in reversed(list(_PARTIAL.finditer(plain.text))):
        top, bottom = match[1] or match[3], match[2] or match[4]
        plain = plain.replaced(
            match.start(),
            match.end(),
            _derivative_name(top, bottom, names, plain.at(match.start())),
        )
    return plain


def _derivative_name(top: str, bottom: str, names: Names, at: int | None) -> str:
    left = _derivative(top, bottom, names)
    if left is not None:
        upper = left.name[1:].split("_d")[0]
        loss = upper in _LOSSES or not names.axes.get(upper)
        usable = [left.name] + [name for name in left.also if loss]
        for name in usable:
            if names.find(name):
                subscript = f"_{{{','.join(left.letters)}}}" if left.letters else ""
                return f" {name}{subscript} "
    raise FaultError(
        f"∂{top}/∂{bottom} has no name here. {names.nearest('d' + bottom)}", at, "unknown-name"
    )
