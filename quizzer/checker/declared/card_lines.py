"""What a card says of its problem, as lines of a declared checker: inputs, formulas, what is asked.

Its text is only set anew here: the names that are typed in the place of the symbols on the left.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.card.formulation import Equation, Formulation, Typed
from quizzer.checker.declared.formula import (
    ACCENTED,
    LEFT,
    FormulaError,
    left_of,
    named,
    plain_name,
)
from quizzer.checker.declared.order import used
from quizzer.checker.declared.words import domain_in
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

_APPLIED = re.compile(r"(?<=\S)\s*\([^()]*\)$")
_OF_INDEXED = re.compile(r"(_\{[a-z,\s]{2,}\})\s*\([^()]*\)\s*$")
"""`f_{kl}(x)` is f with its indices."""
_IGNORED = re.compile(r"\s*(?:\\left\s*)?(?:\\?\||\\[lr]?Vert)")
"""What a norm is, is known."""
_SQUARED = re.compile(r"(\\sigma(?:_\w|_\{\w+\})?)\s*\^\s*(?:2|\{2\})")
_SET = re.compile(r"\s*(?:\\left\s*)?\\?\{")
_BOLD = re.compile(r"\\(?:mathbf|boldsymbol|bm|vec)\b")
_OF_LOSS = re.compile(r"\(*\s*∂\s*[Lℓ]\s*\)?\s*/\s*\(?\s*∂\s*(\w+?)(?:_\{?\w+\}?)?\s*\)*")
_UPSTREAM = re.compile(r"\\partial|∂|\\nabla|∇")
_DERIVATIVE = re.compile(r"\\partial|∂|\\nabla|∇|\\d?frac\s*\{\s*d|^d\w+\s*/\s*d|'\s*\(")


class Offered(Struct, frozen=True):
    """A line that a card offers: the name that it gives, its text and its line in the card."""

    name: str
    text: str
    line: int
    others: tuple[str, ...] = ()
    """Further right sides, of a formula that the card writes in several ways."""


class CardLines(Struct, frozen=True):
    """What a card offers to its declared checker."""

    inputs: Mapping[str, Offered] = field(default_factory=dict)
    """Rows of the table that no formula gives."""
    formulas: Mapping[str, Offered] = field(default_factory=dict)
    """The displayed formulas of the question, and definitions in its table."""
    asks: tuple[Offered, ...] = ()
    outputs: tuple[str, ...] = ()
    """Of the formulas: those with an upstream in the table, else those that no other needs."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The shape of every name in the table, as the card writes it."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of every name in the table."""
    displayed: tuple[str, ...] = ()
    """The LaTeX of the displayed formulas, for the sets that they define."""
    unread: tuple[tuple[int, str], ...] = ()
    """Displayed formulas of which a part is no equation."""
    first_index: int | None = None
    answer: tuple[Equation, ...] = ()
    answer_line: int | None = None


def card_lines(card: Formulation, place: Callable[[int], int] = int) -> CardLines:
    """The lines that a card offers; `place` makes a line number of the checker's messages from one
    of the card's file."""
    rows = {row.name: row for row in card.typed}
    symbols = {name: symbol for name, row in rows.items() if (symbol := symbol_of(row))}
    typed = {symbol: name for name, symbol in symbols.items()}
    shown = [each for each in card.question if each.is_displayed]
    varied = {name for name in rows for each in card.requested if each.name.endswith(f"d{name}")}
    fixed = [row for row in card.typed if row.name not in varied]
    formulas, strange = _formulas([*shown, *_in_table(fixed)], typed, rows, place)
    in_prose, doubtful = _in_prose(card, {*formulas, *varied}, typed, rows, place)
    formulas |= in_prose
    upstreams = {name for name, row in rows.items() if _is_upstream(row, rows, formulas)}
    inputs = {
        row.name: Offered(row.name, _input(row, symbols.get(row.name)), place(row.line))
        for row in card.typed
        if row.name not in {*formulas, *upstreams, *doubtful} and row.axes is not None
    }
    symbols |= {name: sign for name, sign in _upstreams(card, formulas) if name not in symbols}
    asks = tuple(
        Offered(each.name, f"{each.name}: {each.label}", place(each.line))
        for each in card.requested
        if each.name not in inputs
    )
    unread = [(place(each.line), each.latex) for each in card.displayed if not each.is_read]
    return CardLines(
        inputs=inputs,
        formulas=formulas,
        asks=asks,
        outputs=_outputs(formulas, upstreams, [ask.name for ask in asks], symbols),
        symbols=symbols,
        axes={row.name: row.axes for row in card.typed if row.axes is not None},
        lines={row.name: place(row.line) for row in card.typed},
        displayed=tuple(each.latex for each in card.displayed),
        unread=(*unread, *((place(each.line), each.left) for each in strange)),
        first_index=card.first_index,
        answer=card.answer,
        answer_line=card.answer_line,
    )


def symbol_of(row: Typed) -> str | None:
    """How the card writes a name, without its indices; None where it is the name itself."""
    try:
        plain = translate(row.symbol).text.strip()
        word, below = _split(plain)
        if _spelled(plain) == row.name or (below and not _are_indices(below, row)):
            word = plain
    except (FaultError, FormulaError):
        return None
    try:
        name, symbol = named(word)
    except FormulaError:  # c_{t-1}
        name, symbol = "", word
    symbol = symbol or (word if name != row.name else None)
    is_name = symbol is not None and re.sub(r"[{}]", "", symbol) == row.name
    return None if is_name else symbol


def _are_indices(below: str, row: Typed) -> bool:
    """Whether what is below a symbol are indices: a letter for each axis; below a bold letter, one
    less, as what is left is a vector."""
    axes = len(row.axes or ()) - bool(_BOLD.search(row.symbol))
    return _letters(below) == axes


def _spelled(plain: str) -> str | None:
    try:
        return plain_name(plain)[0]
    except FormulaError:
        return None


def _split(plain: str) -> tuple[str, str]:
    """A left side's word and what is below it. Raises FormulaError where it is none."""
    match = LEFT.fullmatch(_APPLIED.sub("", plain))
    if match is None:
        raise FormulaError(f"{plain} is no left side")
    word, below = match["word"].rstrip("_"), match["braces"] or match["brackets"] or ""
    if match["bare"]:
        word, _, below = f"{word}_{match['bare']}".rpartition("_")
        if ACCENTED.fullmatch(f"{word}_{below}"):
            return f"{word}_{below}", ""
    return word, below


def _letters(below: str) -> int:
    """How many indices these are; -1 where they are none."""
    parts = [each.strip() for each in below.split(",")] if "," in below else list(below.strip())
    return len(parts) if all(len(each) == 1 and each.isalpha() for each in parts) else -1


def _input(row: Typed, symbol: str | None) -> str:
    shape = " × ".join(row.axes) if row.axes else "number"
    written = f"{row.name} as {symbol}" if symbol else row.name
    domain = domain_in(row.meaning, row.axes or ())
    return f"{written}: {shape} {domain}".rstrip()


def _formulas(
    found: Iterable[Equation],
    typed: Mapping[str, str],
    rows: Mapping[str, Typed],
    place: Callable[[int], int],
) -> tuple[dict[str, Offered], list[Equation]]:
    """The formulas by the names that they give, and those with a left side that is no name."""
    formulas: dict[str, Offered] = {}
    strange: list[Equation] = []
    letters = {letter for row in rows.values() for axis in row.axes or () for letter in axis}
    for each in found:
        if _DERIVATIVE.search(each.left) or _UPSTREAM.search("".join(each.links)):
            continue
        if _IGNORED.match(each.left) or _SET.match(each.links[0]):
            continue
        if squared := _SQUARED.fullmatch(each.left):  # a variance, σ_n^2 = …
            roots = tuple(rf"\sqrt{{{link}}}" for link in each.links)
            each = replace(each, left=squared[1], links=roots)
        try:
            left = _left(each.left, typed, rows)
            given = left_of(left, each.links[0], rows, letters, ())
        except (FormulaError, FaultError):
            strange.append(each)
            continue
        name = given.name
        if name in formulas:
            before = formulas[name]
            others = (*before.others, *(f"{left} = {link}" for link in each.links))
            formulas[name] = Offered(name, before.text, before.line, others)
        else:
            texts = [f"{left} = {link}" for link in each.links]
            formulas[name] = Offered(name, texts[0], place(each.line), tuple(texts[1:]))
    return formulas, strange


def _in_prose(
    card: Formulation,
    given: Collection[str],
    typed: Mapping[str, str],
    rows: Mapping[str, Typed],
    place: Callable[[int], int],
) -> tuple[dict[str, Offered], set[str]]:
    """What the words of the question say of names in the table, `with $c = a b$`, as far as they
    say it by other names; and the names of which they say it in some case only."""
    inline = [each for each in card.question if not each.is_displayed and not each.condition]
    found, _ = _formulas(inline, typed, rows, place)
    doubtful = {place(each.line) for each in inline if each.is_supposed}
    symbols = {name: symbol for symbol, name in typed.items()}
    new = {
        name: each
        for name, each in found.items()
        if name in rows.keys() - given
        and set(used(each.text.partition("=")[2], rows, symbols)) - {name}
    }
    sure = {name: each for name, each in new.items() if each.line not in doubtful}
    return sure, new.keys() - sure.keys()


def _left(latex: str, typed: Mapping[str, str], rows: Mapping[str, Typed]) -> str:
    """A left side with the name that is typed for its symbol. Raises FormulaError."""
    latex = _OF_INDEXED.sub(r"\1", latex)
    plain = translate(latex).text.strip()
    applied = _APPLIED.sub("", plain)
    if applied in typed:
        return typed[applied]
    if "∣" in plain or "|" in plain or "=" in plain:
        raise FormulaError(f"{plain} is no left side")
    word, below = _split(plain)
    name = typed.get(word) or _spelled(word) or ""
    if name not in rows or not below or rows[name].name == _spelled(plain):
        return latex if name == _spelled(word) else name
    if _letters(below) != len(rows[name].axes or ()):
        if len(below) > 1 and below.isalnum() and not below.isalpha():
            raise FormulaError(f"{plain} is only a part of {name}")
        return latex if name == _spelled(word) else f"{name}_{{{below}}}"
    letters = below if "," in below else ",".join(below.replace(" ", ""))
    habit = set(below) <= set("ijklmn, ")
    return latex if habit and name == _spelled(word) else f"{name}[{letters}]"


def _in_table(rows: Iterable[Typed]) -> Iterable[Equation]:
    """What rows say that a symbol is."""
    for row in rows:
        if row.definition:
            yield Equation(row.symbol, (row.definition,), row.line, is_displayed=True)
        for latex in re.findall(r"\$([^$]+)\$", row.meaning):
            left, _, right = latex.partition("=")
            if right and _word(left) == (_word(row.symbol) or ""):
                yield Equation(left.strip(), (right.strip(),), row.line, is_displayed=True)


def _word(latex: str) -> str | None:
    try:
        return _split(translate(latex).text.strip())[0]
    except (FaultError, FormulaError):
        return None


def _is_upstream(row: Typed, rows: Mapping[str, Typed], formulas: Mapping[str, Offered]) -> bool:
    of = row.name[1:]
    return row.name.startswith("d") and (
        of in formulas or of in rows or bool(_UPSTREAM.search(row.definition + row.symbol))
    )


def _upstreams(card: Formulation, formulas: Mapping[str, Offered]) -> Iterator[tuple[str, str]]:
    """What the question calls an upstream: `G = ∂L/∂O`, but for δ, which it always may be."""
    for each in card.question:
        found = _OF_LOSS.fullmatch(_translated(each.links[0]))
        sign = _word(each.left)
        if found and sign and sign != "δ" and found[1] in formulas and sign not in formulas:
            yield f"d{found[1]}", sign


def _translated(latex: str) -> str:
    try:
        return translate(latex).text.strip()
    except FaultError:
        return latex


def _outputs(
    formulas: Mapping[str, Offered],
    upstreams: Iterable[str],
    asked: Iterable[str],
    symbols: Mapping[str, str],
) -> tuple[str, ...]:
    given = {name[1:] for name in upstreams}
    given |= {name for name in formulas for ask in asked if ask.startswith(f"d{name}_d")}
    given |= formulas.keys() & {*asked}
    if found := tuple(name for name in formulas if name in given):
        return found
    needed = {
        name
        for each in formulas.values()
        for name in used(each.text.partition("=")[2], formulas, symbols)
        if name != each.name
    }
    return tuple(name for name in formulas if name not in needed)[-1:]
