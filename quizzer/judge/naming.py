"""Names between a card and its learner: what is asked, with shapes, and which name is meant."""

import re
import unicodedata
from typing import TYPE_CHECKING

from quizzer.checker.meaning import UPSTREAM_ALIASES, Kind
from quizzer.checker.sheet import Described, Sheet
from quizzer.judge.judgement import AskedName, Question

if TYPE_CHECKING:
    from quizzer.notation import Context

_FRACTION = r"(?:\\[dt]?frac)?\{?(?:\\partial|∂|d)(\w+)\}?/?\{?(?:\\partial|∂|d)(\w+)\}?"
_INDICES = re.compile(r"\[[^\[\]]*\]$|_\{[^{}]*\}$|_[a-z]+$")
_GREEK = {"\\delta": "δ", "\\partial": "∂"}


def question_of(described: Described, sets: tuple[str, ...] = ()) -> Question:
    """What a card asks, as learners must see it before they derive."""
    sheet = described.sheet
    asked = []
    for name, label in sheet.asked.items():
        left_out = {
            name,
            *(("δ",) if sheet.outputs else ()),
            *sheet.sizes,
            *(_upstreams(sheet) if not _has_derivatives(sheet) else ()),
        }
        names = tuple(
            f"{sheet.symbols.get(other, other)} {_shown(axes)}".strip()
            for other, axes in _usable(described, name).items()
            if other not in left_out
        ) + tuple(sheet.symbols.get(size, size) for size in sheet.sizes)
        shapes = [shapes[name] for shapes in described.asked]
        axes = _named_axes(described, shapes)
        context = None if name in sheet.choices else _context(described, name, sets)
        unit, within = sheet.units.get(name, ""), sheet.within.get(name)
        near = within.shown() if within else ""
        asked.append(AskedName(name, label, axes, names, context, unit, near))
    return Question(
        tuple(asked), sheet.assume, sheet.first_index, sheet.hints, shows=bool(sheet.shown)
    )


def _context(described: Described, asked: str, sets: tuple[str, ...]) -> "Context":
    """What reading an answer needs to know; a judgement knows the same, but for the sizes.

    The sizes are made small: reading may compute a helper line, and must not take longer than a
    keystroke.
    """
    sheet = described.sheet
    hidden = (asked, *UPSTREAM_ALIASES)
    shapes = {name: axes for name, axes in described.shapes[0].items() if name not in hidden}
    shapes |= {name: described.asked[0][name] for name in sheet.given_before(asked)}
    from quizzer.notation import Context

    return Context(
        shapes={name: _small(axes) for name, axes in shapes.items()},
        asked=asked,
        asked_shape=described.asked[0][asked],
        symbols=sheet.symbols,
        upstreams=tuple(f"d{output}" for output in sheet.outputs),
        numbers=frozenset(described.numbers),
        others=tuple(other for other in sheet.asked if other != asked),
        first_index=sheet.first_index,
        sets=sets,
        samples=described.samples(),
        values=described.sizes(),
    )


def _small(axes: tuple[int, ...]) -> tuple[int, ...]:
    """As many axes with few entries; lengths that are equal or 1 remain so."""
    longest = 4 if len(axes) <= 6 else 1
    return tuple(max(1, min(length, longest)) for length in axes)


def _has_derivatives(sheet: Sheet) -> bool:
    kinds = {sheet.meaning(name).kind for name in sheet.asked}
    return bool(kinds & {Kind.MESSAGE, Kind.LOCAL})


def _upstreams(sheet: Sheet) -> set[str]:
    return {"delta", *(f"d{output}" for output in sheet.outputs)} if sheet.outputs else set()


def _usable(described: Described, asked: str) -> dict[str, tuple[str, ...]]:
    """The names that an answer may use, with their axes."""
    names = {name: _axes(described, name) for name in described.shapes[0]}
    for name in described.sheet.given_before(asked):
        names[name] = _named_axes(described, [shapes[name] for shapes in described.asked])
    return names


def canonical(written: str, sheet: Sheet) -> tuple[str, bool] | None:
    """The asked name that is meant, which may be written with the card's symbols or as a fraction.

    The second value is whether it has indices, and so is the left side of the answer.
    """
    spellings = {name: name for name in sheet.asked}
    for name in sheet.asked:
        for spelling in _spellings(name, sheet):
            spellings.setdefault(spelling, name)
    plain = _plain(written)
    for candidate in (plain, _INDICES.sub("", plain)):
        indexed = candidate != plain
        if candidate in spellings:
            return spellings[candidate], indexed
        fraction = re.fullmatch(_FRACTION, candidate)
        if fraction:
            top, bottom = fraction.groups()
            for name in (f"d{top}_d{bottom}", f"d{bottom}"):
                if name in spellings:
                    return spellings[name], indexed
    return _as_left_side(written, sheet)


def _as_left_side(written: str, sheet: Sheet) -> tuple[str, bool] | None:
    """The same for what an answer may have on its left: LaTeX, primes, subscripts of any kind."""
    from quizzer.notation.grammar.left import is_asked, parse_left
    from quizzer.notation.lexer.names import Names
    from quizzer.notation.lexer.translate import translate
    from quizzer.notation.values import Context, FaultError

    shapes = dict.fromkeys([*sheet.variables, *sheet.outputs], ())
    for name in sheet.asked:
        others = tuple(other for other in sheet.asked if other != name)
        names = Names(Context(shapes, name, symbols=sheet.symbols, others=others))
        try:
            left = parse_left(names.with_phrases(translate(written)), names, indexed=True)
        except FaultError:
            continue
        if is_asked(left, names):
            return name, bool(left.letters)
    return None


def _spellings(name: str, sheet: Sheet) -> set[str]:
    """Every way to write a name: `dsigma_dx`, with its symbols, `δ_x` for a message."""
    spellings = {name}
    for variable in sheet.variables:
        symbol = _plain(sheet.symbols.get(variable, variable))
        if name == f"d{variable}":
            spellings |= {f"d{symbol}", f"δ_{symbol}", f"delta_{symbol}", f"δ_{variable}"}
            spellings |= {f"dL_d{variable}", f"dL_d{symbol}"}
        for output in sheet.outputs:
            if name == f"d{output}_d{variable}":
                top = _plain(sheet.symbols.get(output, output))
                spellings.add(f"d{top}_d{symbol}")
                if len(sheet.outputs) == 1:
                    spellings |= {f"d{variable}", f"d{symbol}"}
    if name in sheet.symbols:
        spellings.add(_plain(sheet.symbols[name]))
    return spellings


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    for sign, letter in _GREEK.items():
        plain = plain.replace(sign, letter)
    return "".join(plain.split())


def _axes(described: Described, name: str) -> tuple[str, ...]:
    return _named_axes(described, [shapes[name] for shapes in described.shapes])


def _named_axes(described: Described, shapes: list[tuple[int, ...]]) -> tuple[str, ...]:
    """One entry an axis: the size that it equals in every example, else the first length."""
    sizes = {
        size: [shapes[array][axis] for shapes in described.shapes]
        for size, (array, axis) in described.sheet.sizes.items()
    }
    axes = []
    for lengths in zip(*shapes, strict=True):
        matching = [size for size, values in sizes.items() if values == list(lengths)]
        axes.append(matching[0] if matching else str(lengths[0]))
    return tuple(axes)


def _shown(axes: tuple[str, ...]) -> str:
    if not axes:
        return ""
    return f"({axes[0]},)" if len(axes) == 1 else f"({', '.join(axes)})"
