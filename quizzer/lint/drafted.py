"""A first draft of a declared checker, tried out: what cannot be read is left to fill in."""

import re
from pathlib import Path

from msgspec import Struct

from quizzer.card import Card
from quizzer.card.formulating import formulation_of
from quizzer.card.formulation import Formulation
from quizzer.card.unfilled import PLACE, place
from quizzer.checker.declared.draft import draft_of
from quizzer.checker.flaw import Flaw
from quizzer.checker.load import DEFAULT_SECONDS
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.checker.source import Declared
from quizzer.sandbox.worker import Worker

_TRIES = 4


class Draft(Struct, frozen=True):
    """The text of a checker, and the places in it that its author has to fill in, by line."""

    text: str
    places: tuple[tuple[int, str], ...]


def drafted(worker: Worker, path: Path, card: Card) -> Draft:
    """The draft for the card at this path; the sandbox's process reads its formulas."""
    stated = formulation_of(card)
    head = [f"# From {path.name}, for you to read through. Mistakes that learners make go below:"]
    head.append("# wrong dx = … -- What is wrong with it.")
    draft = draft_of(stated, card.question, card.question_line, card.short_answer)
    others = {each.text: list(each.others) for each in draft}
    lines = [*head, *(each.text for each in draft)]
    for _ in range(_TRIES):
        flaws = _unread(worker, path, lines, stated)
        if not flaws:
            break
        lines = _left_open(lines, flaws, others)
    lines += _without_answer(worker, path, lines, stated)
    places = [
        (number, found[1])
        for number, line in enumerate(lines, 1)
        if (found := PLACE.search(line)) and not line.startswith("#")
    ]
    return Draft("\n".join(lines) + "\n", tuple(places))


def _remote(
    worker: Worker, path: Path, lines: list[str], card: Formulation, is_partial: bool = False
) -> RemoteChecker:
    source = Declared("\n".join(lines), 1, card, is_apart=True, is_partial=is_partial)
    return RemoteChecker(worker, path.with_suffix(".checker").name, source, DEFAULT_SECONDS)


def _unread(worker: Worker, path: Path, lines: list[str], card: Formulation) -> dict[int, Flaw]:
    """What cannot be read, by its line, the places to fill in left out."""
    try:
        found = _remote(worker, path, lines, card).inspect()
    except CheckerBroken:
        return {}
    here = {flaw.line: flaw for flaw in found if flaw.line and not flaw.in_card}
    return {
        line: flaw
        for line, flaw in here.items()
        if not lines[line - 1].startswith("#") and not PLACE.search(lines[line - 1])
    }


def _left_open(lines: list[str], flaws: dict[int, Flaw], others: dict[str, list[str]]) -> list[str]:
    """The lines with another way to write each that cannot be read, if there is one; else with a
    place to fill in, and the line as a comment."""
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        if number in flaws and (left := others.pop(line, [])):
            found.append(left[0])
            others[left[0]] = left[1:]
        elif flaw := flaws.get(number):
            why = re.sub(r"^in `.*?`: ", "", flaw.message)
            found += [f"# {line}", place(f"the line above: {why}")]
        else:
            found.append(line)
    return found


def _without_answer(worker: Worker, path: Path, lines: list[str], card: Formulation) -> list[str]:
    """A place to fill in for every asked name of which the Short Answer gives no formula."""
    if not any(line.startswith("ask ") for line in lines):
        return []
    try:
        sheet = _remote(worker, path, lines, card, is_partial=True).describe().sheet
    except CheckerBroken:
        return []
    where = f"line {card.answer_line}" if card.answer_line else "which the card does not have"
    return [
        place(f"right {name} = …; the Short Answer, {where}, has no formula that is read")
        for name in sheet.asked
        if not sheet.right.get(name)
    ]
