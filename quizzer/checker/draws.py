"""What a declared checker draws besides plain samples. No NumPy until one is drawn."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

Inputs = dict[str, Any]


class Draws(Struct, frozen=True):
    """Samples for what plain ones seldom show; each function but `allows` takes a generator."""

    pair: Callable[[Any], tuple[Inputs, Inputs]]
    """Two samples of the same sizes."""
    unusual: Callable[[Any], Inputs]
    """A sample whose letters stand for one length as far as they may, or whose real inputs are far
    from zero."""
    allows: Callable[[Inputs], bool]
    """Whether inputs may be a sample."""
