"""A card's own solution as a derivation: its formulas line by line, with where they are."""

import re

from msgspec import Struct

from quizzer.card.formulating import answer_lines, equations_in, formulation_of
from quizzer.card.formulation import Equation
from quizzer.card.values import Card

_LONGEST = 1_000
_MOST = 150
_NAME = re.compile(
    r"\\(?:mathbf|boldsymbol|mathrm|bm)\s*\{([^{}]*)\}(?:_.+)?"
    r"|(\\(?:hat|bar|tilde|dot)\s*\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z])(?:_.+)?"
)
"""A name with its indices: `g_i`, `\\mathbf{m}`."""


class Solved(Struct, frozen=True):
    """The text of a derivation; for each of its lines its right side, and the line of the card's
    file."""

    text: str
    rights: tuple[str, ...]
    lines: tuple[int, ...]


def solved(card: Card) -> Solved:
    """The displayed formulas of a solution and those of its answer, one link a line; with the names
    that its words define, `With $g_i = …$`."""
    short = answer_lines(card)
    known = _names_of(card)
    texts: list[str] = []
    rights: list[str] = []
    lines: list[int] = []
    for each in equations_in(card.solution, card.solution_line):
        name = _name(each.left)
        defines = name is not None and name not in known
        if (each.is_displayed or each.line in short or defines) and _fits(each):
            known.add(name)
            texts += [f"{each.left} = {each.links[0]}", *(f"= {link}" for link in each.links[1:])]
            rights += each.links
            lines += [each.line] * len(each.links)
    return Solved("\n".join(texts[:_MOST]), tuple(rights[:_MOST]), tuple(lines[:_MOST]))


def _names_of(card: Card) -> set[str | None]:
    """The names that the question gives, without indices."""
    said = formulation_of(card)
    return {
        *(_name(each.symbol) for each in said.typed),
        *(_name(each.left) for each in said.question),
    }


def _name(left: str) -> str | None:
    match = _NAME.fullmatch(left.strip())
    return None if match is None else (match[1] or match[2]).strip()


def _fits(equation: Equation) -> bool:
    return len(equation.left) + sum(map(len, equation.links)) <= _LONGEST
