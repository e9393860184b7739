"""What a declared checker takes from its card, by the lines of the card's file."""

from msgspec import Struct, field


class Taken(Struct, frozen=True):
    """The lines of what is taken; none for a checker in Python."""

    forward: tuple[int, ...] = ()
    """The lines of the question's formulas that make the forward."""
    right: dict[str, int] = field(default_factory=dict)
    """The asked names whose right answer is a formula of the Short Answer, with its line."""
