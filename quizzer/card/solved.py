"""A card's own solution as a derivation: its formulas line by line, with where they are."""

from dataclasses import dataclass

from quizzer.card.formulating import answer_lines, equations_in
from quizzer.card.formulation import Equation
from quizzer.card.values import Card

_LONGEST = 1_000
_MOST = 150


@dataclass(frozen=True, slots=True)
class Solved:
    """The text of a derivation, and for each of its lines the line of the card's file."""

    text: str
    lines: tuple[int, ...]


def solved(card: Card) -> Solved:
    """The displayed formulas of a solution and those of its answer, one link a line."""
    short = answer_lines(card)
    texts: list[str] = []
    lines: list[int] = []
    for each in equations_in(card.solution, card.solution_line):
        if (each.is_displayed or each.line in short) and _fits(each):
            texts += [f"{each.left} = {each.links[0]}", *(f"= {link}" for link in each.links[1:])]
            lines += [each.line] * len(each.links)
    return Solved("\n".join(texts[:_MOST]), tuple(lines[:_MOST]))


def _fits(equation: Equation) -> bool:
    return len(equation.left) + sum(map(len, equation.links)) <= _LONGEST
