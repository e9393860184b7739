"""Cards that show an instance: which names, and how near a number must be. No NumPy until one
is compared.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

if TYPE_CHECKING:
    from quizzer.checker.derivative import Array


class Tolerance(Struct, frozen=True):
    """How far a number may be from the truth: a share of it, or so much."""

    size: float
    relative: bool

    def shown(self) -> str:
        return f"{self.size * 100:g} %" if self.relative else f"{self.size:g}"


STRICT = Tolerance(1e-6, relative=True)
"""How near a number must be where the card names no tolerance."""


class Numbers(Struct, frozen=True):
    """What a checker shows, and how it draws numbers that one can calculate with."""

    shown: tuple[str, ...]
    """Inputs and upstreams."""
    draw: Callable[[Any], dict[str, Any]]
    """Small readable inputs, by a generator."""
    mistakes: Callable[[str, Mapping[str, Any]], list[Any]]
    """What the known mistakes for an asked name are for these values of all names."""
    within: dict[str, Tolerance] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    """The asked names of which a value is chosen: the right one, or a known mistake's."""


def is_within(number: "Array", truth: "Array", tolerance: Tolerance) -> bool:
    """Whether every entry of a number or array is as near to the truth as it must be."""
    import numpy as np

    if number.shape != truth.shape or not np.isfinite(number).all():
        return False
    reach = tolerance.size * np.abs(truth) if tolerance.relative else tolerance.size
    rounding = 1e-12 * np.max(np.abs(truth), initial=1e-3)
    return bool((np.abs(number - truth) <= reach + rounding).all())
