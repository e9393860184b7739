"""Texts over index letters: brought together as NumPy broadcasts them, reduced, multiplied."""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_letters

from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.printed.body import Extent
from quizzer.checker.printed.values import (
    ATOM,
    BIT_AND,
    BIT_OR,
    COMPARISON,
    MINUS,
    POWER,
    PRODUCT,
    Text,
    number,
    ordered,
    power,
    spread,
)


class Axis(Struct, frozen=True):
    """A letter in scope: the axis that it is, from where on, and how long. One that is `stepped`
    is a number: the loop that it belongs to goes through it."""

    key: str
    start: str
    extent: Extent
    stepped: bool = False


Scope = Mapping[str, Axis]


def together(texts: Sequence[Text], scope: Scope) -> tuple[list[Text], tuple[str, ...]]:
    """The texts as NumPy broadcasts them, and the axes of what they give together."""
    axes = ordered(texts, keys(scope))
    return [spread(text, axes) for text in texts], axes


def operator(sign: str, binds: float, a: Text, b: Text, scope: Scope) -> Text:
    (left, right), axes = together([a, b], scope)
    least = binds if sign in ("+", "*", "&", "|") and right.binds != binds else binds + 0.1
    return Text(
        f"{left.within(binds)} {sign} {right.within(least)}",
        binds,
        axes,
        whole=a.whole and b.whole and sign in ("+", "-", "*", "//", "%"),
    )


def function(name: str, texts: Sequence[Text], scope: Scope) -> Text:
    spreads, axes = together(texts, scope)
    return Text(f"{name}({', '.join(each.source for each in spreads)})", axes=axes)


def joined(sign: str, truths: Sequence[Text], scope: Scope) -> Text:
    found = truths[0]
    binds = BIT_AND if sign == "&" else BIT_OR
    for other in truths[1:]:
        found = replace(operator(sign, binds, found, other, scope), truth=True)
    return found


def reduced(kind: str, text: Text, over: Sequence[Axis]) -> Text:
    """A text reduced over letters; those that it does not depend on are counted."""
    mine = [axis for axis in over if axis.key in text.axes]
    rest = [axis.extent.source for axis in over if axis.key not in text.axes]
    if mine:
        left = tuple(key for key in text.axes if key not in {axis.key for axis in mine})
        places = sorted(text.axes.index(axis.key) for axis in mine)
        along = str(places[0]) if len(places) == 1 else f"({', '.join(map(str, places))})"
        axis = f", axis={along}" if left else ""
        text = Text(f"np.{kind}({text.source}{axis})", axes=left)
    if rest and kind == "sum":
        count = " * ".join(tight(each) for each in rest)
        return Text(f"{count} * {text.within(MINUS)}", PRODUCT, text.axes)
    if rest and kind == "prod":
        count = " * ".join(tight(each) for each in rest)
        return Text(f"{text.within(ATOM)} ** ({count})", POWER, text.axes)
    return text


def contracted(factors: list[Text], over: Sequence[Axis], scope: Scope) -> Text:
    counts = Counter(factors)
    factors = [power(number(text), Text(str(count)), text.axes) if count > 1 else text
               for text, count in counts.items()]  # fmt: skip
    if len(factors) == 1:
        return reduced("sum", number(factors[0]), over)
    if all(text.truth for text in factors):
        return reduced("sum", joined("&", factors, scope), over)
    summed = {axis.key for axis in over}
    axes = tuple(key for key in ordered(factors, keys(scope)) if key not in summed)
    letters = _letters([key for text in factors for key in text.axes])
    below = ",".join("".join(letters[key] for key in text.axes) for text in factors)
    result = "".join(letters[key] for key in axes)
    operands = ", ".join(text.source for text in factors)
    return Text(f'np.einsum("{below}->{result}", {operands})', axes=axes)


def truth(text: Text) -> Text:
    return text if text.truth else Text(f"{text.within(BIT_OR)} != 0", COMPARISON, text.axes, True)


def keys(scope: Scope) -> tuple[str, ...]:
    return tuple(axis.key for axis in scope.values() if not axis.stepped)


def tight(source: str) -> str:
    return source if source.isidentifier() or source.isdigit() else f"({source})"


def _letters(keys: Sequence[str]) -> dict[str, str]:
    """A letter that `einsum` knows for each axis: its own where that is one."""
    found: dict[str, str] = {}
    for key in dict.fromkeys(keys):
        free = (each for each in ascii_letters if each not in found.values())
        own = key if key in ascii_letters and key not in found.values() else None
        found[key] = own or next(each for each in free if each not in keys)
    return found
