"""A derivation as it was sent, with what every face shows of its lines. Values only.

At the right edge of each line is a mark. Below the first wrong line is one message: at first only
which line it is, and what kind of slip once the learner asks for it or has tried again.
"""

from msgspec import Struct
from msgspec.structs import replace

WRONG = "wrong"
UNREAD = "unread"


class MarkedLine(Struct, frozen=True):
    """One line of the text as it was typed."""

    number: int
    text: str
    state: str = ""
    """`wrong`, `follows`, `unread`, `right-again`, `right`, `defines` or `words`; empty for a line
    that goes on from another."""
    edge: str = ""
    """The mark at its right edge, perhaps none."""
    below: str = ""
    """Why it was not read, or what is odd about it."""


class Marked(Struct, frozen=True):
    """All lines of a text. Those up to the first wrong one stay as they are."""

    lines: tuple[MarkedLine, ...]
    wrong: int | None = None
    """The number of the first wrong line."""
    step: str | None = None
    """What that line is about, `∂L/∂x`."""
    code: str | None = None
    """The kind of slip in it."""
    where: str = ""
    """Which line is wrong."""
    why: str = ""
    """The same, and what kind of slip it is."""
    told: bool = False
    """Whether the kind of slip is shown."""

    @property
    def message(self) -> str:
        """What is said below the first wrong line."""
        return self.why if self.told else self.where

    @property
    def may_be_told(self) -> bool:
        """Whether there is more to say than is shown."""
        return not self.told and self.wrong is not None and self.why != self.where

    @property
    def line_to_mend(self) -> int | None:
        """Where the cursor goes: the first wrong line, else the first that was not read."""
        unread = (each.number for each in self.lines if each.state == UNREAD)
        return self.wrong or next(unread, None)

    def under(self, line: MarkedLine) -> str:
        """What is said below a line; one message at most is about a wrong line."""
        return self.message if line.number == self.wrong else line.below

    def with_slip(self) -> "Marked":
        """The same with the kind of slip shown."""
        return replace(self, told=True)
