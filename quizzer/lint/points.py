"""Points of a question whose parts do not add up to its total."""

from collections.abc import Iterator

from quizzer.card import Card, lines, points
from quizzer.checker.flaw import Flaw
from quizzer.lint.warned import warned


def point_flaws(card: Card) -> Iterator[Flaw]:
    """A warning where the total of the question is not the sum of its parts."""
    text, _ = lines.read(card.question, card.question_line)
    differs = points.disagreement(lines.prose(text))
    if differs:
        total, parts = differs
        shares = " + ".join(f"({part.letter}) {part.points:g}" for part in card.parts)
        yield warned(
            card.question_line,
            "points",
            f"the question is worth {total:g} points, but its parts add up to {parts:g}: {shares}",
        )
