"""What reading needs to know and what it says when it cannot read."""

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct, field

MAX_LENGTH = 4_000
MAX_DEPTH = 50
MAX_BRACKETS = 60
MAX_CELLS = 5_000_000

NOTATIONS = ("numpy", "index", "matrix")
LATEX_BREAK = " \\\\\n"
"""Between the lines of a formula in LaTeX."""


class Context(Struct, frozen=True, dict=True):
    """The names an answer may use, and the one that is asked for."""

    shapes: Mapping[str, tuple[int, ...]]
    """Every usable name with its shape in one instance. Only the number of axes matters here."""
    asked: str
    asked_shape: tuple[int, ...] | None = None
    symbols: Mapping[str, str] = field(default_factory=dict)
    """Name → how the card writes it, `{"y_hat": "ŷ"}`."""
    upstreams: tuple[str, ...] = ()
    """The upstreams among the names; a single one is also called `delta` and `δ`."""
    numbers: frozenset[str] = frozenset()
    """Sizes and constant numbers among the names: `1/N X` is read as (1/N) X for these only."""
    others: tuple[str, ...] = ()
    """What the card asks for besides: a left side that names one of them is a mix-up."""
    first_index: int = 0
    samples: tuple[Mapping[str, tuple[int, ...]], ...] = ()
    """The shapes in some instances, that of the asked name too: two axes count as equally long
    only where they are so in all of these, so that no reading depends on one instance."""
    values: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Sizes and other whole numbers among the names, one value for each of the samples."""
    sets: tuple[str, ...] = ()
    """Definitions that the card has, `Ω(k,l) = {2k, 2k+1} * {2l, 2l+1}` and `h(r) = max(r, 0)`."""
    shadows: bool = False
    """Whether a sum may take a letter that is in use around it, as in a derivation's wrong line."""

    @cached_property
    def lengths(self) -> Mapping[str, tuple[tuple[int, ...], ...]]:
        """Of every name that has axes, how long they are; the asked name is among them."""
        samples = self.samples
        if not samples:
            asked = {} if self.asked_shape is None else {self.asked: self.asked_shape}
            samples = ({**self.shapes, **asked},)
        return {
            name: tuple(zip(*(sample[name] for sample in samples), strict=True))
            for name in samples[0]
            if len({len(sample[name]) for sample in samples if name in sample}) == 1
            and all(name in sample for sample in samples)
        }


class ReadAs(Struct, frozen=True):
    """How a text was read, with all brackets; read again it means the same."""

    text: str
    latex: str | None = None
    """None for Python."""


class Invalid(Struct, frozen=True):
    """Why a text cannot be read or computed. Column and line count from 1 in the typed text."""

    message: str
    column: int | None = None
    line: int | None = None
    code: str = "syntax"
    readings: tuple[str, ...] = ()
    """The two readings of a text that has more than one, where they differ in value."""


class FaultError(Exception):
    """A fault at a position of the typed text; turned into `Invalid` before it leaves the room."""

    def __init__(self, message: str, at: int | None = None, code: str = "syntax") -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.code = code

    def placed(self, at: int | None) -> "FaultError":
        """The fault at this place, unless it has one already."""
        return self if self.at is not None else FaultError(self.message, at, self.code)

    def invalid(self, text: str) -> Invalid:
        if self.at is None:
            return Invalid(self.message, code=self.code)
        before = text[: self.at]
        line = before.count("\n") + 1
        return Invalid(self.message, self.at - (before.rfind("\n") + 1) + 1, line, self.code)
