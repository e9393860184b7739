"""A formula in LaTeX → its tree, the commands nobody knows, and what is wrong with it."""

from msgspec import Struct

from quizzer.tex.commands import builders
from quizzer.tex.macros import stream
from quizzer.tex.parser import Parser
from quizzer.tex.tokens import source
from quizzer.tex.tree import Leaf, Node

MAX_LENGTH = 10_000
"""Characters beyond which a text is no formula and is shown as it is written."""


class Formula(Struct, frozen=True):
    tree: Node
    unknown: tuple[str, ...]
    faults: tuple[str, ...]


def parse(latex: str, macros: str = "") -> Formula:
    """The formula as well as it can be understood: a fault never keeps the rest from showing."""
    if len(latex) > MAX_LENGTH:
        text = Leaf(" ".join(source(stream(latex).rest[::-1]).split()), prose=True)
        sentence = f"The formula has more than {MAX_LENGTH} characters; it is shown as written."
        return Formula(text, (), (sentence,))
    parser = Parser(stream(latex, macros), latex, builders())
    tree = parser.lines()
    return Formula(tree, tuple(parser.unknown), tuple(parser.faults))
