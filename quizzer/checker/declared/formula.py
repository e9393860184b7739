"""One formula line: the name on its left, its index letters, how far these run."""

import re
from collections.abc import Collection, Iterable
from unicodedata import normalize

from msgspec import Struct

from quizzer.checker.declared.sizes import Size, SizeError, read_size
from quizzer.checker.declared.statements import Statement
from quizzer.checker.declared.values import Range
from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.signs import GREEK
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

_WORDS_OF = {sign: word for word, sign in GREEK.items()} | {"λ": "lam", "ε": "eps"}
_LONGEST_NAME = 40
_INDEX = frozenset("ijklmn")
LEFT = re.compile(
    r"(?P<word>[^\W\d]\w*?)\s*(?:_\s*(?:\{(?P<braces>[^{}]*)\}|(?P<bare>\w+))"
    r"|\[(?P<brackets>[^\[\]]*)\]|\(\s*[^()]*\))?"
)
ACCENTED = re.compile(r"([^\W\d_])_(hat|bar|tilde|dot)")
_PLACE = re.compile(r"-?[0-9]+")
_IS_RANGE = re.compile(r"<|=|≤|\\le|∈|\bin\b")
_RANGE = re.compile(
    r"(?:(?P<low>.+?)\s*(?P<first><=|<)\s*)?(?P<letter>[^\W\d_])\s*(?P<last><=|<)\s*(?P<high>.+)"
)
_DOTS = re.compile(
    r"(?P<letter>[^\W\d_])\s*(?:=|in\b|∈)\s*(?P<low>.+?)\s*(?:\.\.+|…)\s*(?P<high>.+)"
)
_EXPONENTIAL = re.compile(r"(?<![\w\\])e\s*\^")
_BELOW = re.compile(r"_\s*\{([^{}]*)\}|\[([^\[\]]*)\]|_([^\W_]+)")


class FormulaError(Exception):
    """A formula line that cannot be read; the message says what to write."""


class Left(Struct, frozen=True):
    """A left side: the name, how the card writes it where that is no name, and its indices."""

    name: str
    symbol: str | None = None
    letters: tuple[str, ...] = ()
    place: Size | None = None


def plain_name(text: str) -> tuple[str, str | None]:
    """The name that is typed for a symbol, and the symbol where it is another text: `μ`, `x̂`.

    Raises FormulaError where it is no name.
    """
    try:
        plain = " ".join(translate(text).text.split())
    except FaultError as fault:
        raise FormulaError(fault.message) from None
    if len(plain) > _LONGEST_NAME:
        raise FormulaError(f"{plain[:20]}… is longer than {_LONGEST_NAME} characters")
    name = "_".join(_WORDS_OF.get(part, part) for part in plain.split("_"))
    if re.fullmatch(r"[^\W\d_]_\{\w+\}", name):
        name = name.replace("{", "").replace("}", "")
    if not name.isidentifier() or name.startswith("_"):
        typed = re.sub(r"\W+", "_", name).strip("_") or "x"
        typed = typed if typed.isidentifier() else "x"
        raise FormulaError(f"{text.strip()} is no name: write one, `{typed} as {text.strip()}`")
    return name, text.strip() if text.strip() != name else None


def exponential_in(formulas: Iterable[Statement]) -> int | None:
    """The line of the first of these that has `e^…`, in which e is Euler's number."""
    return next((each.line for each in formulas if _EXPONENTIAL.search(each.joined)), None)


def split_formula(text: str) -> tuple[str, str] | None:
    """The two sides of `y = …`, at the first equals sign outside of brackets."""
    depth = 0
    for place, sign in enumerate(text):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        around = text[place - 1 : place] + text[place + 1 : place + 2]
        if sign == "=" and not depth and not any(each in "=<>!" for each in around):
            return text[:place].rstrip().removesuffix(":").rstrip(), text[place + 1 :].strip()
    return None


def left_of(
    text: str,
    right: str,
    known: Collection[str],
    sizes: Collection[str],
    stepped: Collection[str] | None = None,
    ranged: Collection[str] = (),
) -> Left:
    """What a left side names. `known` are names that are given; raises FormulaError.

    `h_0` is a place of h only if h is among the names that are `stepped` over an index; without
    these it is taken for one. Letters that are `ranged`, by a `for`, are indices.
    """
    try:
        plain = translate(text).text.strip()
    except FaultError as fault:
        raise FormulaError(fault.message) from None
    match = LEFT.fullmatch(plain)
    if match is None:
        name, has_symbol, symbol = text.partition(" as ")
        raise FormulaError(
            f"a formula has one name: `{name} = …`, and in a line of its own "
            f"`symbol {name}: {symbol}`"
            if has_symbol
            else f"{text} is no left side: write one name and its indices, such as `y = …` or "
            "`y[n,i] = …`"
        )
    word = match["word"].rstrip("_")
    inner = match["brackets"] if match["brackets"] is not None else match["braces"]
    if match["bare"] is not None:
        whole, _, tail = f"{word}_{match['bare']}".rpartition("_")
        if not _are_indices(tail, right, known, ranged):
            return Left(*named(f"{whole}_{tail}"))
        word, inner = whole, tail
    elif match["braces"] is not None and not _are_indices(inner, right, known, ranged):
        return Left(*named(f"{word}_{inner.strip()}"))
    is_number = match["brackets"] is None and inner is not None and inner.strip().isdigit()
    if is_number and stepped is not None and word not in stepped:
        return Left(*named(f"{word}_{(inner or '').strip()}"))
    letters, place = _indices(inner or "", text, sizes)
    return Left(*named(word), letters, place)


def named(plain: str) -> tuple[str, str | None]:
    """A name, and how the card writes it where that is another text: `ŷ` of `y_hat`."""
    name, symbol = plain_name(plain)
    accented = ACCENTED.fullmatch(plain)
    return name, normalize("NFC", accented[1] + _ACCENTS[accented[2]]) if accented else symbol


_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307"}


def _indices(inner: str, text: str, sizes: Collection[str]) -> tuple[tuple[str, ...], Size | None]:
    """The letters in `n,i` or `ni`; a number or a size in the first place is a place of its own."""
    parts = [part.strip() for part in inner.split(",")] if "," in inner else _apart(inner)
    place = None
    if parts and (re.search("[0-9]", parts[0]) or parts[0] in sizes):
        try:
            place = read_size(parts.pop(0))
        except SizeError as error:
            raise FormulaError(f"{text}: {error}") from None
    for part in parts:
        if not re.fullmatch(r"[^\W\d_]'*", part):
            raise FormulaError(
                f"{text} has {part or 'nothing'} as an index: each is a letter; only the first "
                "may be a number, the start of a recurrence"
            )
    if len(set(parts)) < len(parts):
        raise FormulaError(f"{text} has an index twice: use two letters and [i = j] on the right")
    return tuple(parts), place


def _apart(inner: str) -> list[str]:
    return re.findall(r"-?[0-9]+|[^\W\d_]'*|[^\s\w]", inner)


def _are_indices(tail: str, right: str, known: Collection[str], ranged: Collection[str]) -> bool:
    """Whether what is below a name on the left is indices: they index something on the right, have
    a range, or are the letters of habit; else it is a part of the name, as in `a_f`."""
    if "," in tail:
        return True
    parts = _apart(tail)
    letters = [part for part in parts if not _PLACE.fullmatch(part)]
    if not all(len(part.rstrip("'")) == 1 and part[0].isalpha() for part in letters):
        return False
    if len(parts) > 4 or len(set(letters)) < len(letters):
        return False
    if not letters:
        return True  # h_0
    below = letters_below(right, known).union(ranged)
    return all(letter in _INDEX or letter in below for letter in letters)


def letters_below(right: str, known: Collection[str]) -> set[str]:
    """The letters that index something in a formula."""
    try:
        plain = translate(right).text
    except FaultError:
        return set()
    found: set[str] = set()
    for match in _BELOW.finditer(plain):
        inner = match[1] or match[2] or match[3] or ""
        start = re.search(r"[^\W\d]\w*$", plain[: match.start()])
        if match[3] and start and f"{start[0]}_{inner}" in known:
            continue
        found |= set(re.findall(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])", inner))
        if re.fullmatch(r"[^\W\d_]{2,4}", inner) and inner not in WORDS:
            found |= set(inner)
    return found


def without_ranges(text: str) -> tuple[str, tuple[Range, ...]]:
    """The formula without its `for k < H/2, l < W/2`, and these ranges. Raises FormulaError."""
    text = " ".join(text.split())
    formula, word, behind = text.rpartition(" for ")
    if not word or not _IS_RANGE.search(behind):
        return text, ()
    ranges = [_range(part.strip()) for part in re.split(r",|\band\b", behind)]
    twice = [r.letter for r in ranges if sum(r.letter == other.letter for other in ranges) > 1]
    if twice:
        raise FormulaError(f"`for` says twice how far {twice[0]} runs: write 0 <= {twice[0]} < N")
    return formula.rstrip(" ,"), tuple(ranges)


def _range(text: str) -> Range:
    plain = text.replace("≤", "<=")
    plain = re.sub(r"\\leq?\b|\\leqslant\b", "<=", plain).replace("\\in", "∈")
    try:
        if dots := _DOTS.fullmatch(plain):
            low, high = read_size(dots["low"]), read_size(f"{dots['high']} + 1")
            return Range(dots["letter"], high, low)
        if match := _RANGE.fullmatch(plain):
            stop = match["high"] if match["last"] == "<" else f"{match['high']} + 1"
            low_text = match["low"]
            if low_text is not None and match["first"] == "<":
                low_text += " + 1"
            return Range(
                match["letter"], read_size(stop), read_size(low_text) if low_text else None
            )
    except SizeError as error:
        raise FormulaError(f"`for {text}`: {error}") from None
    raise FormulaError(f"`for {text}` is no range: write `for k < H/2` or `for 1 <= t <= T`")
