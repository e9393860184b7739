"""How far a derivation follows the card's own solution, by the derivatives that both reach."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizzer.card.solved import Solved
    from quizzer.judge.derivation import JudgedLine


def share_of_way(
    solution: "Sequence[JudgedLine]",
    lines: "Sequence[JudgedLine]",
    name: str,
    known: Collection[str],
) -> float:
    """The share of the solution's derivatives on the way to a name that a text's lines reach before
    the first wrong one; 0 where the solution has none. `known` are the upstreams.

    Names that are asked for have their own points and do not count.
    """
    ends = max((k for k, each in enumerate(solution) if each.asked == name), default=0)
    asked = {each.left for each in solution if each.asked}
    way = _derivatives(solution[:ends], known) - asked
    found = _derivatives(_before_wrong(lines), known)
    return len(way & found) / len(way) if way else 0.0


def last_reached(lines: "Sequence[JudgedLine]", solution: "Sequence[JudgedLine]") -> int:
    """How many lines of the solution there are up to the last one that a derivation has too."""
    right = {each.left for each in _before_wrong(lines) if each.mark == "right"}
    places = (place for place, each in enumerate(solution, 1) if each.left in right)
    return max(places, default=0)


def steps_up_to(steps: Sequence[str], own: "Solved", line: int) -> tuple[str, ...]:
    """The steps of a solution up to the one that has this line of its derivation."""
    link = own.text.split("\n")[line - 1].rpartition("=")[2].strip()
    last = max((k for k, step in enumerate(steps, 1) if link in step), default=0)
    return tuple(steps[:last])


def _before_wrong(lines: "Sequence[JudgedLine]") -> "Sequence[JudgedLine]":
    """The lines above the first wrong one."""
    wrong = next((k for k, each in enumerate(lines) if each.mark == "wrong"), len(lines))
    return lines[:wrong]


def _derivatives(lines: "Sequence[JudgedLine]", known: Collection[str]) -> set[str]:
    from quizzer.judge.closed import worked_out
    from quizzer.notation.grammar.derivation import IN_PART

    found = (each.removesuffix(IN_PART) for each in worked_out(lines, known))
    return {each for each in found if each.startswith("∂")}
