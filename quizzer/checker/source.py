"""A checker's source, as it travels to the sandbox."""

from msgspec import Struct

from quizzer.card.formulation import Formulation


class Declared(Struct, frozen=True):
    """The text of a declared checker, and the number of its first line in its file."""

    text: str
    line: int = 1
    card: Formulation | None = None
    """What its card says, which it need not repeat."""
    is_apart: bool = False
    """Whether its file is not the card's, so that lines of the card are others than its own."""
    is_partial: bool = False
    """Whether lines that cannot be read are left out as far as the others can do without them."""


Source = str | Declared
"""The source of a Python module, or the text of a declared checker."""
