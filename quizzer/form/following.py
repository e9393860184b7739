"""The lines below a slip, as they are written by somebody who does not notice it.

Each has an edit of its own, after which it says on every problem what the slipped line says.
"""

from collections.abc import Sequence

from quizzer.checker.derivation.derived import Derived
from quizzer.form.candidates import Candidate
from quizzer.form.changes import changes
from quizzer.form.problems import Problems
from quizzer.form.sheet import Sheet, key_of, unbracketed
from quizzer.form.side import names_in
from quizzer.judge.derivation import says_the_same

MOST = 40
"""Edits of a line that are tried, those of the slip's kind first."""


def carried(sheet: Sheet, slip: Candidate, problems: Problems) -> tuple[Candidate, ...]:
    """The lines about the same below a slip, edited so that they follow from it: all of them or
    none. Raises what `derive` raises."""
    below = _below(sheet, slip.place)
    candidates = [each for place in below for each in _edits(sheet, place, slip)]
    if not candidates:
        return ()
    found = following(sheet, slip, candidates, problems)
    if found and problems.further:
        found = following(sheet, slip, found, problems.further())
    first = {each.place: each for each in reversed(found)}
    return tuple(first[place] for place in below) if len(first) == len(below) else ()


def following(
    sheet: Sheet, slip: Candidate, candidates: Sequence[Candidate], problems: Problems
) -> list[Candidate]:
    """Those of the candidates that say on every instance what the slip says."""
    said = [f"{sheet.lines[each.place].left} = {each.change.right}" for each in (slip, *candidates)]
    text = "\n".join((sheet.text, *said))
    good = set(range(len(candidates)))
    for derived in problems.derived(text):
        good &= _same(derived, len(sheet.lines), len(candidates))
    return [each for number, each in enumerate(candidates) if number in good]


def _below(sheet: Sheet, place: int) -> list[int]:
    """The lines further down with the same left side."""
    left = key_of(sheet.lines[place].left)
    return [
        other
        for other in range(place + 1, len(sheet.lines))
        if key_of(sheet.lines[other].left) == left
    ]


def _edits(sheet: Sheet, place: int, slip: Candidate) -> list[Candidate]:
    line = sheet.lines[place]
    names = [name for each in sheet.lines for name in names_in(each.right)]
    known = {unbracketed(each.right) for each in sheet.lines} | {unbracketed(slip.change.right)}
    made = [
        change
        for change in changes(line.right, line.left, names)
        if unbracketed(change.right) not in known
    ]
    made.sort(key=lambda change: change.kind != slip.change.kind)
    return [Candidate(place, change) for change in made[:MOST]]


def _same(derived: Derived, above: int, count: int) -> set[int]:
    """Which of so many candidates, below the slip that is below so many lines, say the same."""
    at: dict[int, list[int]] = {}
    for place, claim in enumerate(derived.claims):
        at.setdefault(claim.line - 1, []).append(place)
    slip = at.get(above, [])
    if len(slip) != 1:
        return set()
    found = set()
    for number in range(count):
        here = at.get(above + 1 + number, [])
        if len(here) == 1 and all(
            says_the_same(derived, by, slip[0], here[0]) for by in derived.by
        ):
            found.add(number)
    return found
