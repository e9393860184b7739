"""A unit behind a number, `100 Hz`: cut off, and what it makes of the number."""

import re
from collections.abc import Collection

from msgspec import Struct

_PREFIXES = {"T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12}
_WITH_PREFIX = frozenset({"Hz", "s", "m", "g", "W", "J", "V", "A", "N", "Pa", "B", "bit", "bits"})
"""Units that take a prefix; of others `min` would be read as a prefix of inches."""
_OTHERS = frozenset({"min", "h", "d", "%", "°", "°C", "rad", "nats", "bytes", "FLOP", "FLOPs"})
_SPELLINGS = {"µ": "u", "μ": "u", "\\%": "%", "\\degree": "°", "^\\circ": "°", "\\mu": "u"}
_TAIL = re.compile(
    r"(?P<number>.*[\d.)\]}])\s*(?:\\[,;! ]|~|\s)*"
    r"(?P<unit>\\(?:text|mathrm|operatorname|,?unit)\s*\{[^{}]*\}|[^\W\d_][^\s\d(){}\[\]=]*|\\?%|°\w?)"
    r"\s*[.$]*\s*",
    re.DOTALL,
)


class Unit(Struct, frozen=True):
    """What was written behind a number: `factor` makes it one of the stated unit; None where it
    is another unit."""

    text: str
    stated: str
    factor: float | None


def without_unit(text: str, stated: str, names: Collection[str]) -> tuple[str, Unit | None]:
    """An answer without the unit behind it, and that unit; a name of the card is none."""
    match = _TAIL.fullmatch(text)
    if match is None:
        return text, None
    unit = _plain(match["unit"])
    wanted = _plain(stated)
    if unit in names and unit != wanted:
        return text, None
    factor = _factor(unit, wanted)
    known = unit in _OTHERS or any(_factor(unit, base) is not None for base in _WITH_PREFIX)
    if factor is None and not known:
        return text, None
    return match["number"], Unit(unit, stated, factor)


def _plain(unit: str) -> str:
    inner = re.sub(r"\\(?:text|mathrm|operatorname|,?unit)\s*\{([^{}]*)\}", r"\1", unit)
    for spelling, plain in _SPELLINGS.items():
        inner = inner.replace(spelling, plain)
    return inner.strip().rstrip(".$").strip()


def _factor(unit: str, wanted: str) -> float | None:
    """What makes a number in one unit a number in the other; None where they measure two things."""
    if unit == wanted:
        return 1.0
    for base in _WITH_PREFIX:
        mine, other = _prefix(unit, base), _prefix(wanted, base)
        if mine is not None and other is not None:
            return mine / other
    return None


def _prefix(unit: str, base: str) -> float | None:
    if unit == base:
        return 1.0
    return _PREFIXES.get(unit.removesuffix(base)) if unit.endswith(base) else None
