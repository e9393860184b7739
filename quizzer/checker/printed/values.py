"""What printed source is put together from: a text of Python, and what its axes are."""

import math
import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

OR, AND, COMPARISON, ADDITION, PRODUCT, MINUS, POWER, ATOM = range(8)
"""How tightly the outermost operator of a text binds."""

BIT_OR, BIT_AND = COMPARISON + 0.4, COMPARISON + 0.5
"""Between comparisons and sums: `&` of arrays binds more tightly than `<`."""


class CannotPrint(Exception):
    """A formula that has no NumPy source here; the message says why."""


class Text(Struct, frozen=True):
    """An expression of Python whose axes are letters, each once; a number has none."""

    source: str
    binds: float = ATOM
    axes: tuple[str, ...] = ()
    truth: bool = False
    """Whether it is an array of truth values."""
    whole: bool = False
    """Whether it holds whole numbers for sure."""

    def within(self, least: float) -> str:
        """Its source as an operand of an operator that binds this tightly."""
        return self.source if self.binds >= least else f"({self.source})"


def number(text: Text) -> Text:
    """Truth values as 1 and 0: NumPy adds them as `or`."""
    if not text.truth:
        return text
    return replace(text, source=f"1.0 * {text.within(MINUS)}", binds=PRODUCT, truth=False)


def ordered(texts: Iterable[Text], scope: tuple[str, ...]) -> tuple[str, ...]:
    """The letters of several texts: as they are in the one that has all, else as in scope."""
    texts = list(texts)
    found = {axis for text in texts for axis in text.axes}
    widest = max(texts, key=lambda text: len(text.axes)).axes
    if len(widest) == len(found):
        return widest
    return tuple(letter for letter in scope if letter in found)


def power(base: Text, exponent: Text, axes: tuple[str, ...] = ()) -> Text:
    """A power; of whole numbers NumPy has none with a negative exponent."""
    if base.source.isdigit():
        base = replace(base, source=f"{base.source}.0")
    if exponent.binds == MINUS and exponent.source[1:].isdigit():
        exponent = replace(exponent, source=f"{exponent.source}.0")
    left, right = base.within(ATOM), exponent.within(ATOM)
    simple = all(re.fullmatch(r"[\w.]+", side) for side in (left, right))
    return Text(f"{left}**{right}" if simple else f"{left} ** {right}", POWER, axes)


def spread(text: Text, axes: tuple[str, ...]) -> Text:
    """The text with its axes where NumPy broadcasts them to these."""
    own = tuple(axis for axis in axes if axis in text.axes)
    if own != text.axes:
        order = ", ".join(str(text.axes.index(axis)) for axis in own)
        turned = f"np.transpose({text.source}, ({order}))"
        turned = f"{text.within(ATOM)}.T" if len(own) == 2 else turned
        text = replace(text, source=turned, binds=ATOM, axes=own)
    if not own or own == axes[-len(own) :]:
        return text
    places = [":" if axis in own else "None" for axis in axes[axes.index(own[0]) :]]
    return replace(text, source=f"{text.within(ATOM)}[{', '.join(places)}]", binds=ATOM)


def literal(value: float) -> str:
    """A number as Python writes it."""
    if value == math.pi:
        return "np.pi"
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))
