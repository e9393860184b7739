"""What the left sides of a card's equations name: what is asked, values, or helpers of the card."""

import re
from collections.abc import Collection, Iterable, Mapping, Set

from quizzer.card.formulation import Equation
from quizzer.notation.functions import WORDS
from quizzer.notation.grammar.left import LOSSES, Left, is_asked, parse_left
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.signs import GREEK
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import Context, FaultError


class Symbols:
    """What the left sides of a card's equations mean to its checker."""

    def __init__(self, contexts: Mapping[str, Context], values: Collection[str]) -> None:
        """`contexts` are what reading an answer needs to know, by asked name; `values` are the
        outputs and intermediates."""
        self._names = {asked: Names(context) for asked, context in contexts.items()}
        self._values = values

    def asked(self, latex: str) -> list[str]:
        """The asked names that a left side stands for: `dx` for ∂L/∂x, `dy_dx` for ∂y/∂x."""
        return [name for name, names in self._names.items() if _stands_for(latex, name, names)]

    def value(self, latex: str) -> str | None:
        """The output or intermediate that a left side names: `L` and `L(w)` name L.

        An input is given: a formula of one is a model, and need not hold.
        """
        for names in self._names.values():
            left = _left(latex, names)
            if left and left.name in self._values and _base(latex):
                return left.name
        return None

    def has(self, name: str) -> bool:
        """Whether answers may use the name."""
        return any(names.find(name) for names in self._names.values())

    def is_new(self, latex: str) -> bool:
        """Whether a left side is a name that the checker does not have."""
        base = _base(latex)
        return (
            base is not None
            and base not in WORDS
            and base not in ("σ", "sigma", "Φ", "Phi")
            and not any(
                names.find(base) or names.spelled(base) in self._names
                for names in self._names.values()
            )
            and self.value(latex) is None
            and not self.asked(latex)
        )


class Helpers:
    """Definitions of names that the checker does not have, by their names."""

    def __init__(self, found: Iterable[Equation], symbols: Symbols) -> None:
        self._by_base: dict[str, list[Equation]] = {}
        self._has_e = symbols.has("e")
        for each in found:
            if symbols.is_new(each.left) and not _NUMBER.fullmatch(each.links[-1]):
                self._by_base.setdefault(_base(each.left) or "", []).append(each)
        for definitions in self._by_base.values():
            definitions.sort(key=lambda each: not each.is_displayed)

    def before(self, equation: Equation, link: str) -> tuple[str, bool]:
        """`left = link` as an answer behind the definitions that it needs, and whether it has one
        reading: each definition is the only one of its name, and e is no name of the checker."""
        needed: dict[str, bool] = {}
        indices = _indices(f"{equation.left} {link}")
        self._collect(link, indices | {_base(equation.left) or ""}, needed, 0)
        return "\n".join([*needed, f"{equation.left} = {link}"]), (
            all(needed.values()) and not (self._has_e and _EULER.search(link))
        )

    def _collect(self, latex: str, without: Set[str], needed: dict[str, bool], depth: int) -> None:
        text = _text(latex)
        for base, definitions in self._by_base.items():
            helper = definitions[0]
            if depth > _DEEPEST or helper.definition in needed or base in without:
                continue
            if re.search(rf"(?<![^\W_]){re.escape(base)}(?![^\W_])", text):
                self._collect(helper.links[-1], {*without, base}, needed, depth + 1)
                written = {"".join(_text(each.definition).split()) for each in definitions}
                needed[helper.definition] = len(written) == 1


def derivative_named(
    latex: str, tops: Collection[str], symbols: Mapping[str, str], of: str
) -> str | None:
    """The name of the derivative that a left side writes, `dJ_dw` of ∇_w J or J'(w): with one of
    the `tops` above, `of` where nothing is, else a message. None where it is none, or not of the
    first order."""
    text = _text(latex).strip()
    if _SECOND.search(text):
        return None
    top, over = of, ""
    if found := _OVER.search(text):
        top, over = found[1], found[2]
    elif found := _NABLA.search(text):
        top, over = found[3] or of, found[1] or found[2]
    elif found := _PRIMED.fullmatch(text):
        top, over = found[1], found[2]
    if not over:
        return None
    top, over = _typed(top, symbols), _typed(over, symbols)
    return f"d{top}_d{over}" if top in tops or (top != "L" and top) else f"d{over}"


def _typed(symbol: str, symbols: Mapping[str, str]) -> str:
    names = [name for name, written in symbols.items() if written == symbol]
    plain = symbol.replace("{", "").replace("}", "")
    words = [_WORDS_OF.get(part, part) for part in plain.split("_")]
    return names[0] if names else "_".join(words)


def _stands_for(latex: str, asked: str, names: Names) -> bool:
    left = _left(latex, names)
    if left is None or left.label or not is_asked(left, names):
        return False
    derivative = _DERIVATIVE.fullmatch(_text(latex).strip())
    if derivative is None:
        return left.name == asked and _base(latex) is not None
    top = names.spelled(derivative[1].rstrip("_"))
    if left.name == asked or asked.startswith(f"d{top}_d"):
        return True
    return top in LOSSES and top not in names.axes


def _base(latex: str) -> str | None:
    """The word that a left side defines: `h` of `h(r)`, `v` of `v_{n}` and `v_n`; None where it is
    none."""
    found = _DEFINES.fullmatch(_text(latex).strip())
    if not found:
        return None
    word = found[1].rstrip("_")
    head, _, tail = word.rpartition("_")
    return head if head and len(tail) == 1 else word


def _indices(latex: str) -> set[str]:
    """The letters below a name or a sum."""
    below = re.findall(r"_\s*(\{[^{}]*\}|[^\W\d_](?![^\W_]))", _text(latex))
    return {letter for part in below for letter in re.findall(r"[^\W\d_]", part)}


def _text(latex: str) -> str:
    try:
        return translate(latex).text
    except FaultError:
        return ""


def _left(latex: str, names: Names) -> Left | None:
    try:
        return parse_left(names.with_phrases(translate(latex)), names, indexed=True)
    except FaultError:
        return None


_DEEPEST = 6
_BELOW = r"(?:\s*_\s*\{[^{}]*\}|\s*\[[^\[\]]*\]|_\w)?"
_DEFINES = re.compile(rf"({WORD}){_BELOW}(?:\s*\([^()]*\))?")
_DERIVATIVE = re.compile(
    rf"\(*\s*(?:∂|d)\s*({WORD}){_BELOW}\s*\)?\s*/\s*\(?\s*(?:∂|d)\s*{WORD}{_BELOW}\s*\)*"
)
_OVER = re.compile(
    r"(?:∂|d)\s*([^\W\d_]+)'?(?:\s*_\s*(?:\{[^{}]*\}|\w))?\s*\)?\s*/\s*\(?\s*(?:∂|d)\s*"
    r"([^\W\d_]+(?:_(?:hat|bar|tilde)|_[A-Z0-9])?)(?:\s*_\s*(?:\{[^{}]*\}|\w))?"
)
_NABLA = re.compile(r"∇\s*_\s*(?:\{\s*([^{}]+?)\s*\}|(\w))\s*([^\W\d_]+)?")
_PRIMED = re.compile(r"([^\W\d_]+)'\s*\(\s*([^\W\d_]+)\s*\)")
_SECOND = re.compile(r"[∂d∇]\s*\^\s*\{?2")
_WORDS_OF = {sign: word for word, sign in GREEK.items()} | {"λ": "lam", "ε": "eps", "ϵ": "eps"}
_EULER = re.compile(r"(?<![A-Za-z\\])e\s*\^")
_NUMBER = re.compile(r"[-\d.\s]+")
