"""What a card says of its problem in math, as values: typed names, equations, what is asked.

A card's checker need not repeat any of it.
"""

from msgspec import Struct

NAMELESS = "?"
"""The left side of an objective that a question states without a name."""


class Typed(Struct, frozen=True):
    """One name to type; `axes` are its sizes as the card writes them, None if not readable."""

    name: str
    axes: tuple[str, ...] | None
    line: int
    symbol: str = ""
    """The LaTeX of its symbol, as far as it is a left side: `x_{ni}`, `\\delta_k`."""
    definition: str = ""
    """What the symbol's cell says it is, `[k = t_n]` of `T_{nk} = [k = t_n]`."""
    meaning: str = ""
    """The row's other cells, and what stands behind the shape."""

    @property
    def shape(self) -> str:
        """The shape as a reader would say it."""
        return " × ".join(self.axes) if self.axes else "number"


class Equation(Struct, frozen=True):
    """`left = links[0] = links[1] …` as LaTeX."""

    left: str
    links: tuple[str, ...]
    line: int
    is_displayed: bool
    condition: str = ""
    """What follows, and may be the condition under which it holds."""
    is_supposed: bool = False
    """Whether it may hold in some case only, or not at all, by what is said around it."""

    @property
    def definition(self) -> str:
        """The equation with its last link only."""
        return f"{self.left} = {self.links[-1]}"


class Displayed(Struct, frozen=True):
    """A displayed formula; `is_read` where all of it is equations."""

    latex: str
    line: int
    is_read: bool


class Requested(Struct, frozen=True):
    """A name that a part of the question asks for in brackets, as in (`dx`), with the words before
    it: "backward message"."""

    name: str
    label: str
    line: int


class Formulation(Struct, frozen=True):
    """A card's own formulation of its problem; every line is one of the card's file."""

    typed: tuple[Typed, ...] = ()
    question: tuple[Equation, ...] = ()
    """The question's equations, displayed or not."""
    displayed: tuple[Displayed, ...] = ()
    requested: tuple[Requested, ...] = ()
    answer: tuple[Equation, ...] = ()
    """The equations of the Short Answer."""
    answer_line: int | None = None
    first_index: int | None = None
