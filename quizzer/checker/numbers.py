"""Cards that show an instance: which names, and how near a number must be. No NumPy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the truth: a share of it, or so much."""

    size: float
    relative: bool

    def shown(self) -> str:
        return f"{self.size * 100:g} %" if self.relative else f"{self.size:g}"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a checker shows, and how it draws numbers that one can calculate with."""

    shown: tuple[str, ...]
    """Inputs and upstreams."""
    draw: Callable[[Any], dict[str, Any]]
    """Small readable inputs, by a generator."""
    mistakes: Callable[[str, Mapping[str, Any]], list[Any]]
    """What the known mistakes for an asked name are for these values of all names."""
    within: dict[str, Tolerance] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
