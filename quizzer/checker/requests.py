"""The requests on a checker that hold no arrays, so that one can be sent before NumPy is there."""

from msgspec import Struct, field

from quizzer.checker.source import Source

DRAWS = 300
"""Cheap draws by which the branches of a checker are found."""
BRANCH_JOIN = " and "
"""Between the two branches of a pair."""
OF_CODE = " @"
"""In the names of branches of the checker's code, which mean nothing to a learner."""
MANY = 200
"""Problems that an answer with pieces of its own is confirmed on."""
MOST_DRAWS = 6
"""Draws that are kept for one branch."""


class Scout(Struct, frozen=True):
    """The request for the branches that occur in `draws` samples, or in as many as time allows."""

    source: Source
    seconds: float
    """Processor time: what was found is kept, and a busy machine must not make it less."""
    draws: int = DRAWS


class Reached(Struct, frozen=True):
    """How many draws reached a branch, and some of them by number."""

    count: int
    draws: tuple[int, ...]


class Scouted(Struct, frozen=True):
    """The branches of so many draws; `fault` is what a draw failed with, for the author."""

    drawn: int
    branches: dict[str, Reached]
    fault: str | None = None


class Pose(Struct, frozen=True):
    """The request for certified instances of a checker: `count` by the seed, then as many more as
    it takes to reach each of these branches twice by its draws, and `confirming` cheap ones."""

    source: Source
    seed: int
    count: int = 4
    branches: dict[str, tuple[int, ...]] = field(default_factory=dict)
    confirming: int = 16
    pieces: tuple[str, ...] = ()
    """Asked names for which the many problems of `Confirm` are wanted, too, if time allows."""
    of_every_seed: bool = True
    """Whether what is the same for every seed is wanted, too."""
    seconds: float = 30.0
    """Processor time after which no more ties are looked for, and branches only cheaply."""


class Confirm(Struct, frozen=True):
    """The request for so many cheap problems of each of these asked names, or for as many as time
    allows."""

    source: Source
    asked: tuple[str, ...]
    seed: int
    seconds: float
    count: int = MANY


class Study(Struct, frozen=True):
    """The request for all that `check` needs of a checker, as far as one process has time for it.

    With `few` instances too, as one judgement has them, and with other values, if it is not 0.
    """

    source: Source
    seed: int
    count: int
    few: int
    seconds: float
    """The time limit of the process."""
    scouting: float
    posing: float
    explaining: float
    """Processor time for each of these, the last one for each asked name."""


class Describe(Struct, frozen=True):
    """The request for what a checker asks, without proof."""

    source: Source


class Inspect(Struct, frozen=True):
    """The request to look at a checker's source, without running it."""

    source: Source


class Print(Struct, frozen=True):
    """The request for the NumPy module that a declared checker means."""

    source: Source
    title: str


class Printed(Struct, frozen=True):
    """The module's source; empty where there is none, which `reason` explains."""

    text: str
    reason: str = ""
