"""What the names in a card's formulas are, guessed from how they are used: for a first draft of a
checker that its author will read. Nothing is judged by a guess.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from quizzer.card.unfilled import place
from quizzer.checker.declared.formula import FormulaError, named
from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

_NAME = re.compile(
    r"(?<![\\\w])([^\W\d_]+(?:_(?:hat|bar|tilde|dot)(?![^\W_]))?)"
    r"(?:\s*_\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|([^\W_]|\*)))?(\s*\^\s*⊤)?"
)
_SUMMED = re.compile(
    r"\b(?:sum|prod|max|min|mean|logsumexp)\s*_\s*(?:\{([^{}]*)\}|(\w))"
    r"(?:\s*\^\s*(?:\{\s*(\w+)[^{}]*\}|(\w)))?"
)
_TRANSPOSED = re.compile(r"\(([^()]*)\)\s*\^\s*⊤|‖([^‖]*)‖")
_BESIDE_ROW = re.compile(r"\^\s*⊤\s*([a-z])\s*_\s*\{?([a-z])\}?")
_ROW = re.compile(r"([a-z])_\{?\w\}?\s*\^\s*⊤")
_AFTER = re.compile(r"\^\s*⊤\s*([^\W\d_])(?!\s*_)")
_BOLD = re.compile(r"\\(?:mathbf|boldsymbol|bm)\s*\{\s*(\\?\w+)\s*\}(\s*_)?")
_IN_SPACE = re.compile(
    r"([\w\s,\\^{}⊤]+?)\s*∈\s*(?:R|ℝ)\s*(?:\^\s*(?:\{([^{}]*)\}|(\w))|([A-Za-z])\b)"
)
_TIMES = r"([A-Za-z])\s*(?:×|\*|x)\s*([A-Za-z])"
_IS_MATRIX = re.compile(rf"(\w+) (?:is|the|is the|is an?)\s+(?:an? )?{_TIMES}(?![A-Za-z])")
_MATRIX_IS = re.compile(rf"{_TIMES}\s+[a-z ]*matrix\s+(\w+)")
_POSITIVE = re.compile(r"(\w+)(?:_\{?\w+\}?)?\s*>\s*[01](?!\d)")
_UNIT = re.compile(r"0\s*<\s*(\w+)\s*<\s*1")
_BINARY = re.compile(r"(\w+?)(?:_\{?\w+\}?)?\s*∈\s*\\?\{\s*0\s*,\s*1\s*\\?\}")
_ROWS = 2


class Sides(Struct, frozen=True):
    """A formula; `parameters` are those of a function, `h(r) = …`."""

    left: str
    right: str
    parameters: tuple[str, ...] = ()


class Guess(Struct, frozen=True):
    """A name that no formula gives, with its shape and domain as far as they can be guessed."""

    name: str
    symbol: str | None = None
    shape: tuple[str, ...] | None = None
    domain: str = ""

    @property
    def text(self) -> str:
        """Its line in a declared checker."""
        written = f"{self.name} as {self.symbol}" if self.symbol else self.name
        if self.shape is None:
            return f"{written}: {place('its shape, such as N × D')}"
        return f"{written}: {' × '.join(self.shape) or 'number'} {self.domain}".rstrip()


@dataclass(slots=True)
class _Use:
    """How a name is used."""

    letters: tuple[str, ...] = ()
    is_vector: bool = False
    is_row: bool = False
    below: str | None = None
    """The array whose places it gives, `s` of `s_{a_n}`."""


@dataclass(slots=True)
class _Uses:
    names: dict[str, _Use] = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)
    """How far an index letter runs."""


def guessed(
    formulas: Iterable[Sides], given: Collection[str], words: str, latex: str
) -> list[Guess]:
    """The names that formulas use and nothing gives; `words` is the question, `latex` all text
    with formulas."""
    uses = _Uses()
    bold = {_plain(each) for each, below in _BOLD.findall(latex) if not below}
    rows = {_plain(each) for each, below in _BOLD.findall(latex) if below}
    for each in formulas:
        _look(uses, _plain(each.left), _plain(each.right), {*given, *each.parameters})
    said = _said_shapes(_plain(words))
    for name, use in uses.names.items():
        use.is_vector |= name in bold and not use.letters
        use.is_row |= name in rows and len(use.letters) == 1
    letters = {letter for use in uses.names.values() for letter in use.letters}
    taken = {*uses.names, *given}
    for letter in sorted(letters - uses.sizes.keys()):
        free = [each for each in (letter.upper(), *"NKMDTPQ") if each not in taken]
        free = [each for each in free if each not in uses.sizes.values()] or free
        uses.sizes[letter] = free[0]
    every = {*uses.sizes.values(), *(axis for shape in said.values() for axis in shape)}
    axes = [shape[-1] for shape in said.values()]
    wide = axes[0] if axes else _free("D", taken | every)
    found = []
    for name, use in uses.names.items():
        if name in every and not use.letters:
            continue
        found.append(_guess(name, use, uses, said, wide, taken))
    plain = _plain(words)
    return [_with_domain(each, plain, uses) for each in dict.fromkeys(found)]


def _guess(
    name: str,
    use: _Use,
    uses: _Uses,
    said: Mapping[str, tuple[str, ...]],
    wide: str,
    taken: Collection[str],
) -> Guess:
    sizes = tuple(uses.sizes[letter] for letter in use.letters)
    if name in said:
        shape: tuple[str, ...] | None = said[name]
    elif use.letters and use.is_row and len(name) == 1 and name.islower():
        return Guess(name.upper(), None, (*sizes, wide))
    elif use.letters:
        shape = sizes
    elif name[0].isupper():
        shape = (wide, wide) if use.is_vector or "_" in name or wide == "D" else None
    else:
        shape = (wide,) if use.is_vector else ()
    try:
        typed, symbol = named(name)
    except FormulaError:
        return Guess(name, None, None)
    return Guess(typed, symbol, shape)


def _with_domain(guess: Guess, words: str, uses: _Uses) -> Guess:
    """With the domain that the words say for it."""
    symbol = guess.symbol or guess.name
    use = uses.names.get(symbol) or uses.names.get(guess.name)
    if use and use.below:
        of = uses.names.get(use.below)
        if of and of.letters:
            return replace(guess, domain=f"below {uses.sizes[of.letters[0]]}")
    for pattern, domain in ((_UNIT, "in (0.1, 0.9)"), (_BINARY, "mask"), (_POSITIVE, "positive")):
        if symbol in pattern.findall(words):
            return replace(guess, domain=domain)
    if symbol in ("ε", "ϵ"):
        return replace(guess, domain="positive")
    is_square = guess.shape is not None and len(guess.shape) == _ROWS and len(set(guess.shape)) == 1
    if is_square and re.search(r"positive[ -]definite|covariance|invertible, symmetric", words):
        return replace(guess, domain="spd")
    if is_square and "symmetric" in words:
        return replace(guess, domain="symmetric")
    return guess


def _look(uses: _Uses, left: str, right: str, given: Collection[str]) -> None:
    """Add the uses in one formula."""
    bound = {letter for _, below, one, _ in _NAME.findall(left) for letter in below or one}
    for inner, one, long, short in _SUMMED.findall(right):
        here = re.findall(r"(?<![^\W_])([^\W\d_])(?![^\W_])", (inner or one).partition("=")[0])
        bound |= set(here)
        end = long or short
        for letter in here if len(here) == 1 and end.isalpha() and len(end) == 1 else ():
            uses.sizes[letter] = end
    bound = {each for each in bound if each.isalpha()}
    vectors = " ".join(first or second for first, second in _TRANSPOSED.findall(right))
    rows = {name for name, _ in _BESIDE_ROW.findall(right)} | set(_ROW.findall(right))
    beside = set(_AFTER.findall(right))
    for name, letters, is_vector in _names(_SUMMED.sub(" ", right), bound, given, uses):
        use = uses.names.setdefault(name, _Use())
        if len(letters) > len(use.letters):
            use.letters = letters
        within = re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", vectors) is not None
        use.is_vector |= is_vector or (not use.letters and (within or name in beside))
        use.is_row |= name in rows and bool(letters)


def _names(
    text: str, bound: set[str], given: Collection[str], uses: _Uses
) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """The names in a right side with their indices, and whether they are transposed."""
    for word, long, short, transposed in _NAME.findall(text):
        below = (long or short).strip()
        if word in WORDS or word in ("e", "I", "π") or word in bound:
            continue
        glued = [word] if word in given or "_" in word else list(word)
        for letter in glued[:-1]:
            if letter not in bound and letter not in given:
                yield letter, (), False
        word = glued[-1]
        label = re.fullmatch(r"([^\W\d_])_\{?(\w)\}?", below)
        if label:
            yield label[1], (label[2],), False
            uses.names.setdefault(label[1], _Use()).below = word
            below = f"{label[2]}" if word in given else word.lower()[:1]
            if word not in given:
                yield word, ("i",), False
            continue
        letters = [each for each in re.split(r"[,\s]*", below) if each]
        if below and not all(each in bound for each in letters):
            word, letters = f"{word}_{below}", []
        if word not in given and word not in bound:
            yield word, tuple(letters), bool(transposed)


def _said_shapes(words: str) -> dict[str, tuple[str, ...]]:
    """The shapes that the words of a question give: `Q, K ∈ ℝ^{T × d}`, “A is m × n”."""
    found: dict[str, tuple[str, ...]] = {}
    for names, long, short, glued in _IN_SPACE.findall(words):
        shape = tuple(re.split(r"\s*(?:×|\*)\s*", (long or short or glued).strip()))
        if all(re.fullmatch(r"[A-Za-z]", axis) for axis in shape):
            for name in re.split(r"\s*(?:,|\band\b)\s*", names):
                if name.split():
                    found[name.split()[-1]] = shape
    for name, rows, columns in _IS_MATRIX.findall(words):
        found.setdefault(name, (rows, columns))
    for rows, columns, name in _MATRIX_IS.findall(words):
        found.setdefault(name, (rows, columns))
    return found


def _free(letter: str, taken: Collection[str]) -> str:
    return next((each for each in (letter, *"MPQN") if each not in taken), letter)


def _plain(text: str) -> str:
    try:
        return translate(text.replace("$", " ")).text
    except FaultError:
        return text
