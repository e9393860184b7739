"""The requests on a checker that hold no arrays, so that one can be sent before NumPy is there."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pose:
    """The request for `count` certified instances of a checker."""

    source: str
    seed: int
    count: int = 4


@dataclass(frozen=True, slots=True)
class Describe:
    """The request for what a checker asks, without proof."""

    source: str


@dataclass(frozen=True, slots=True)
class Inspect:
    """The request to look at a checker's source, without running it."""

    source: str
