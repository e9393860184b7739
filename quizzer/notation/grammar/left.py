"""Left sides as on paper: `dx[i,j]`, `∂L/∂x`, `\\frac{∂f_{kl}}{∂x_{ij}}`, `δ_{x,ij}`, `∇_x L`.

The same fractions on the right mean an upstream or a local derivative that has a name.
"""

import re

from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation.functions import WORDS
from quizzer.notation.grammar.decorated import DECORATED, is_another_value
from quizzer.notation.grammar.second import is_slope_of_gradient, second_derivative
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain, is_balanced
from quizzer.notation.lexer.signs import ACCENTS
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import Context, FaultError

_SUBSCRIPT = r"(?:\s*_\s*\{[^{}]*\}|(?:\s*\[[^\[\]]*\])+)?"
_PART = rf"{WORD}{_SUBSCRIPT}"
_THING = re.compile(rf"({WORD})({_SUBSCRIPT})")
_FRACTION = re.compile(
    rf"(?:\(\(\s*|\(\s*)?(?:∂|d)\s*({_PART})\s*\)?\s*/\s*\(?\s*(?:∂|d)\s*({_PART})\s*\)*"
)
_NABLA = re.compile(rf"∇\s*_\s*(?:\{{\s*({WORD})\s*\}}|({WORD}?))\s*({WORD})?")
_MESSAGE = re.compile(rf"(?:δ|delta)\s*_\s*\{{\s*({WORD})\s*(?:,([^{{}}]*))?\}}")
_LETTER = re.compile(r"\s*([^\W\d_]'*|[0-9])\s*,?")
_PARTIAL = re.compile(
    rf"\(\(\s*∂\s*({_PART})\s*\)\s*/\s*\(\s*∂\s*({_PART})\s*\)\)|∂\s*({_PART})\s*/\s*∂\s*({_PART})"
    r"(?![\w{])"
)
_TOTAL = re.compile(
    rf"\(?(?<![^\W\d])d\s*(?P<top>{WORD})\s*/\s*d\s*(?P<over>{_PART})(?![\w{{])\)?"
    rf"|∇\s*_\s*(?:\{{\s*(?P<over2>{_PART})\s*\}}|(?P<over3>{WORD}))\s*(?P<top2>[A-Zℓ](?!\w))"
    rf"|\(\(\s*d\s*(?P<top3>{WORD})\)/\(\s*d\s*(?P<over4>{_PART})\s*\)\)"
)
_SUMMED = re.compile(r"(?:\b(?:sum|prod|max|min|mean)|[ΣΠ])\s*_?\s*(\{[^{}]*\}|\([^()]*\)|\w)")
_ONE = re.compile(r"(?<![^\W\d])[^\W\d_](?![^\W\d])")
_ACCENTED = tuple(set(ACCENTS.values()) - {""})
LOSSES = frozenset({"L", "ℓ", "l", "J", "E", "C", "loss", "Loss", "cost"})


class Left(Struct, frozen=True):
    """A left side: the name it defines, the others it may stand for, and its index letters."""

    name: str
    also: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    at: int | None = None
    label: bool = False
    """Whether it names nothing and only says that what follows is the answer, `p(θ|D) = `."""


def parse_left(plain: Plain, names: Names, indexed: bool) -> Left:
    """The left side that the text writes; `indexed` when `s_k` is s with the index k.

    Raises FaultError when it is none.
    """
    plain = plain[plain.text.rfind(":") + 1 :].stripped()  # `Backward: dx = …`
    text, at = plain.text, plain.at(0)
    try:
        left = None if is_another_value(text, names) else _parse(text, names, indexed)
        left = left or labelled(text, names) or _bracketed(text, names, indexed)
    except FaultError as fault:
        left = labelled(text, names)
        if left is None:
            raise FaultError(fault.message, at, fault.code) from None
    if left is None:
        raise FaultError(
            f"{text[:40]} is no left side: write {names.context.asked} = …", at, "left-side"
        )
    left = _without_label(left, names)
    twice = [letter for letter in left.letters if left.letters.count(letter) > 1]
    if twice and not twice[0].isdigit():
        raise FaultError(
            f"Index {twice[0]} is twice on the left: use two letters and [i = j] on the right.",
            at,
            "letter-twice",
        )
    return replace(left, at=at)


_BRACKETED = re.compile(r"[\[(](.+)[\])]\s*(?:_\s*(?:\{([^{}]*)\}|(\w)))?")
LABELS = frozenset({"ML", "MLE", "MAP", "LS", "OLS", "LMS", "ridge", "post", "new", "next", "opt"})
"""What is written below a new value or an estimate, and is no indices."""


def _bracketed(text: str, names: Names, indexed: bool) -> Left | None:
    """A left side in brackets, with its indices behind: `(∇_x L)_{nct}`."""
    found = _BRACKETED.fullmatch(text)
    if not found or not is_balanced(found[1]):
        return None
    inner = _parse(found[1].strip(), names, indexed) or labelled(found[1].strip(), names)
    letters = _letters(found[2] or found[3] or "")
    if inner is None or (letters and inner.letters):
        return None
    return replace(inner, letters=inner.letters or letters)


def _without_label(left: Left, names: Names) -> Left:
    """Without the `ML` of `μ_{ML}` and the `N` of `m_N`, where the name is the asked one."""
    context, label = names.context, "".join(left.letters)
    renewed = names.is_renewed(left.name) and left.name not in context.others
    if not label or not (renewed or is_asked(left, names)):
        return left
    axes = len(context.asked_shape or ())
    size = label.isupper() and all(names.axes.get(names.find(each) or "") == 0 for each in label)
    if label in LABELS or size or (label.isupper() and len(label) > axes):
        return replace(left, letters=())
    return left


_GRADIENT = re.compile(
    rf"∇\s*(?P<twice>\^\s*\{{?\s*2\s*\}}?)?\s*"
    rf"(?:_\s*(?:\{{\s*(?P<over>{_PART})\s*\}}|(?P<over2>{WORD})))?\s*(?P<of>.*)"
)
_OF = re.compile(rf"[^()]*\(\s*({WORD})\s*\)\s*")
_QUOTIENT = re.compile(
    rf"\(\(\s*(?:∂|d)\s*(?P<top>.*)\)/\(\s*(?:∂|d)\s*(?P<over>{_PART})"
    r"(?P<lies>\s*\^\s*[⊤T])?\)\)(?P<of>.*)"
    rf"|(?:∂|d)(?P<top2>[^/]*)/\s*(?:∂|d)\s*(?P<over2>{_PART})"
    r"(?P<lies2>\s*\^\s*[⊤T](?!\w))?(?P<of2>.*)"
)
_EVALUATED = re.compile(r"\s*(?:\([^()]*\)|[|_].*)?")
"""What may stand behind a derivative on the left: `(w)`, `|_{w=0}`."""
_PARTIAL_BELOW = re.compile(rf"∂\s*_\s*(?:\{{\s*({_PART})\s*\}}|({WORD}))\s*{WORD}")
_BELOW = re.compile(r"(?:\)|\])\s*_\s*\{([^{}]*)\}\s*$")
_APPLIED = re.compile(rf"({WORD})(?:\s*_\s*\{{\w+\}})?\s*[(\[](.*)[)\]]")
_SLOPE = re.compile(rf"({WORD})'\s*\(\s*({WORD})\s*\)")


def labelled(text: str, names: Names) -> Left | None:
    """A left side that only says what is asked for: `∇f(x)`, `J'(w)`, `p(θ|D)`, `w^*`.

    Of derivatives it must be the asked one. None where it may be anything else.
    """
    gradient = _GRADIENT.fullmatch(text)
    if gradient:
        if gradient["twice"] and len(names.context.asked_shape or ()) < 2:
            return None
        over = gradient["over"] or gradient["over2"]
        of = _OF.fullmatch(gradient["of"])
        if not over and of and names.find(of[1]):
            over = of[1]
        return _over(over, (), names) if over else Left(names.context.asked)
    partial = _PARTIAL_BELOW.fullmatch(text)
    if partial:
        return _over(partial[1] or partial[2], (), names)
    if variables := second_derivative(text):
        first, second = (_subscripted(each, names, indexed=True) for each in variables)
        if first and second and is_slope_of_gradient(first.name, second.name, names):
            return _over(variables[1], first.letters, names)
        return None
    quotient = _QUOTIENT.fullmatch(text)
    if quotient:
        return _of_quotient(quotient, names)
    slope = _SLOPE.fullmatch(text)
    if slope and names.find(slope[1]) and names.find(slope[2]):
        return _derivative(slope[1], slope[2], names)
    decorated = DECORATED.fullmatch(text)
    if decorated:
        index = decorated["below"] or decorated["after"] or ""
        own = _letters(index.lstrip("_ ").strip("{} ")) if index else ()
        if is_another_value(text, names):
            return None
        return _of_base(decorated[1].rstrip("_"), own, names)
    applied = _APPLIED.fullmatch(text)
    if applied and not names.find(applied[1]) and applied[1] not in WORDS:
        inner = [part.strip() for part in applied[2].split(",")]
        plain = all(len(part) == 1 and part.isalpha() and not names.find(part) for part in inner)
        name = names.spelled(applied[1])
        known = name in (names.context.asked, *names.context.others)
        if not known and (message := _MESSAGE_WORD.fullmatch(applied[1])):
            name = "d" + names.spelled(message[1])
        letters = tuple(inner) if plain else ()
        also = () if name in names.context.others else (names.context.asked,)
        return Left(name, also, letters, label=name != names.context.asked)
    return None


def _of_quotient(quotient: re.Match[str], names: Names) -> Left | None:
    """The derivative that a fraction is, of whatever stands above or behind it."""
    top = (quotient["top"] or quotient["top2"] or "").strip()
    behind = quotient["of"] or quotient["of2"] or ""
    if top.startswith("^") or (top and not _EVALUATED.fullmatch(behind)):
        return None
    below = _BELOW.search(top)
    letters = _letters(below[1]) if below else ()
    of = _THING.fullmatch(behind.strip())
    if of and not top and (acted := _subscripted(of[0], names, indexed=True)):
        letters = acted.letters
    lies = quotient["lies"] or quotient["lies2"]
    return _over(quotient["over"] or quotient["over2"], letters, names, lies=lies is not None)


_MESSAGE_WORD = re.compile(r"(?:δ|delta)_(\w+)")


def _over(over: str, upper: tuple[str, ...], names: Names, lies: bool = False) -> Left | None:
    """The derivative over a variable, of whatever stands above it; None over a matrix that `lies`,
    that is, has a ⊤ behind it."""
    lower = _subscripted(over, names, indexed=True)
    if lower is None or (lies and (names.axes.get(lower.name) or 0) - len(lower.letters) > 1):
        return None
    asked = names.context.asked
    twin = names.rows_of(lower.name)
    if twin:
        lower = replace(lower, name=twin)
    found = asked if asked.endswith(f"_d{lower.name}") or asked == f"d{lower.name}" else ""
    letters = upper + lower.letters
    return Left(found or f"d{lower.name}", (asked,) if found else (), letters)


def _of_base(base: str, letters: tuple[str, ...], names: Names) -> Left | None:
    """`w^*` and `w^{new}` where what is asked is a new w."""
    asked, name = names.context.asked, names.spelled(base)
    if asked == name or asked.startswith(f"{name}_"):
        return Left(asked, (), letters)
    return None


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


def asked_too(left: Left, names: Names) -> str | None:
    """The other asked name that the left side names."""
    return next((each for each in (left.name, *left.also) if each in names.context.others), None)


def _parse(text: str, names: Names, indexed: bool) -> Left | None:
    fraction = _FRACTION.fullmatch(text)
    if fraction:
        return _derivative(fraction[1], fraction[2], names)
    nabla = _NABLA.fullmatch(text)
    if nabla and "d" + names.spelled(nabla[1] or nabla[2]) in _possible(names):
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
    loss = upper.name in LOSSES or not names.axes.get(upper.name)
    also = (f"d{lower.name}",) if loss and not upper.letters else ()
    return Left(name, also, upper.letters + lower.letters)


def _subscripted(text: str, names: Names, indexed: bool) -> Left | None:
    match = _THING.fullmatch(text.strip())
    if not match:
        return None
    word, subscript = match[1], match[2].strip()
    if subscript:
        inner = subscript.lstrip("_ \t")[1:-1].replace("][", ",")
        return named(word.rstrip("_"), names, _letters(inner))
    known = names.spelled(word)
    base, _, tail = word.rpartition("_")
    if known not in names.axes and tail.isdigit() and names.spelled(base) == names.context.asked:
        raise FaultError(f"Give the whole array at once: {base} = (…, …).", None, "left-side")
    if known in _possible(names) or not indexed:
        return named(word, names, ())
    if word.endswith(_ACCENTED):
        return named(word, names, ())
    base, _, tail = word.rpartition("_")
    while base and names.spelled(base) not in _possible(names) and "_" in base:
        if base.endswith(_ACCENTED):
            break
        shorter, _, part = base.rpartition("_")
        base, tail = shorter, f"{part}_{tail}"
    if base and tail.isalpha() and len(tail) <= 6:
        return named(base, names, tuple(tail))
    if tail.isalnum() and not tail.isdigit() and len(tail) == _axes_of(base, names):
        return named(base, names, tuple(tail))
    return named(word, names, ())


def _axes_of(base: str, names: Names) -> int | None:
    name = names.spelled(base)
    return (
        len(names.context.asked_shape or ())
        if name == names.context.asked
        else names.axes.get(name)
    )


def named(word: str, names: Names, letters: tuple[str, ...] = ()) -> Left:
    """The left side that one word is, `dx` or `dL_dx`."""
    name = names.spelled(word)
    if letters and name not in _possible(names):
        name = names.rows_of(word) or name
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
    for match in reversed(list(_TOTAL.finditer(plain.text))):
        top = match["top"] or match["top2"] or match["top3"]
        over = match["over"] or match["over2"] or match["over3"] or match["over4"]
        found = _usable(top, over, names)
        if found and not names.find(match[0].split("/")[0].strip("( ")):
            plain = plain.replaced(match.start(), match.end(), found)
    for match in reversed(list(_PARTIAL.finditer(plain.text))):
        top, bottom = match[1] or match[3], match[2] or match[4]
        plain = plain.replaced(
            match.start(),
            match.end(),
            _derivative_name(top, bottom, names, plain.at(match.start())),
        )
    return plain


def _derivative_name(top: str, bottom: str, names: Names, at: int | None) -> str:
    found = _usable(top, bottom, names)
    if found is not None:
        return found
    raise FaultError(
        f"∂{top}/∂{bottom} has no name here. {names.nearest('d' + bottom)}", at, "unknown-name"
    )


def _usable(top: str, bottom: str, names: Names) -> str | None:
    """The name, with its indices, that a derivative has here."""
    left = _derivative(top, bottom, names)
    if left is not None:
        upper = left.name[1:].split("_d")[0]
        loss = upper in LOSSES or not names.axes.get(upper)
        usable = [left.name] + [name for name in left.also if loss]
        for name in usable:
            if not names.find(name):
                twin = names.twin_of(name[1:])  # `∂L/∂Y` where the card has a y
                name = f"d{twin}" if twin else name
            if names.find(name):
                subscript = f"_{{{','.join(left.letters)}}}" if left.letters else ""
                return f" {name}{subscript} "
    return None
