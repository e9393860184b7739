"""A warning about a card, with the way to silence it."""

from quizzer.checker.flaw import Flaw
from quizzer.text import sentence


def warned(line: int, code: str, message: str) -> Flaw:
    """The warning; who means what it is about lists its code in the card's front matter."""
    told = f"{sentence(message)} If this is meant, write `ignore: {code}` into the front matter."
    return Flaw(code, told, error=False, line=line, in_card=True)
