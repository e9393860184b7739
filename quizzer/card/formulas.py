"""What counts as a formula between dollars: the one rule that tells `$x$` from `$5 and $6`."""

import re
from collections.abc import Iterator

from msgspec import Struct


class Formula(Struct, frozen=True):
    """What is written between dollars; `end` is the place behind the last of them."""

    latex: str
    end: int
    is_display: bool


def formula_at(text: str, start: int) -> Formula | None:
    """The formula that begins at a dollar sign; None for what reads like prices, `$5 and $6`.

    A formula has a blank at both of its ends or at neither, no digit behind it and no blank line
    in it. Nothing of that matters between double dollars.
    """
    if match := _DISPLAY.match(text, start):
        return Formula(match[1], match.end(), True) if match[1].strip() else None
    match = _INLINE.match(text, start)
    latex = match[1] if match else ""
    if match is None or not latex.strip() or _BLANK_LINE.search(latex):
        return None
    if latex[0].isspace() != latex[-1].isspace() or text[match.end() : match.end() + 1].isdigit():
        return None
    return Formula(latex, match.end(), False)


def formulas(text: str) -> Iterator[tuple[int, Formula]]:
    """The formulas of one line of text, each with the place of its first dollar sign."""
    end = 0
    for match in _DOLLAR.finditer(text):
        if match[0] == "$" and match.start() >= end and (found := formula_at(text, match.start())):
            yield match.start(), found
            end = found.end


_DOLLAR = re.compile(r"\\.|\$", re.DOTALL)
_DISPLAY = re.compile(r"\$\$((?:\\.|[^$\\]|\$(?!\$))+)\$\$", re.DOTALL)
_INLINE = re.compile(r"\$((?:\\.|[^$\\`])+)\$", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
