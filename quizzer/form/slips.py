"""A slip in a sheet: one line that is false on every problem, and shows in no other way.

A slip is certified: the line is read as a claim about the same thing, fits it in shape, and is
clearly false on every instance by each meaning that its ∂ may have, so that no convention makes it
right. What is false in one entry of an array only may be right by chance with other numbers, so two
must be false; and an instance on which line and slip are zero throughout, as behind units that are
all off, tells nothing of either. It is the first wrong line that the judge names; the lines below
follow from it or are right again.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from random import Random

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.derivation.derived import Derived, Known, Said
from quizzer.checker.instance import Instance
from quizzer.form.candidates import Candidate, candidates_of
from quizzer.form.following import carried
from quizzer.form.problems import Problems
from quizzer.form.sheet import Sheet
from quizzer.form.side import names_in
from quizzer.judge.derivation import Mark, fitted

CLEARLY = 1e-3
"""How far a slip is off at least where it is made, relative to the largest entry."""
FEWEST = 2
"""So many entries of an array must be off; a change in a rare one may make no difference."""
AT_FIRST, AT_ONCE = 5, 16
"""Candidates that are worked out together: few at first, as one good one is enough."""
_CLOSE = 0.25
"""Ranges so near each other, as a part of the wider one, may overlap where more is drawn."""
_CLAIMS = ("derivative", "value", "equation", "differential")
_INDEXED = re.compile(r"([^\W\d]\w*)\[([^\[\]]*)\]")
_LETTER = re.compile(r"(?<!\w)[^\W\d_]'*(?!\w)")
_OTHERS = (Mark.RIGHT, Mark.AGAIN, Mark.DEFINES, Mark.FOLLOWS)
_VAGUE = ("unexplained", "partly", "known-mistake")


class Slip(Struct, frozen=True):
    """A line of a sheet, and its right side with one edit."""

    place: int
    right: str
    kind: str
    """The code of the diagnosis that it deserves."""
    after: tuple[tuple[int, str], ...] = ()
    """The lines below that follow from it, and their right sides."""

    @property
    def rights(self) -> dict[int, str]:
        """The right sides of all lines that are not as they were."""
        return {self.place: self.right, **dict(self.after)}


def slips(
    sheet: Sheet, problems: Problems, rng: Random, prefer: Collection[str] = ()
) -> Iterator[Slip]:
    """Certified slips, those of the kinds in `prefer` first, otherwise in random order.

    Raises what `problems.derive` raises.
    """
    candidates = candidates_of(sheet, rng, prefer)
    start, number = 0, AT_FIRST
    while start < len(candidates):
        some = candidates[start : start + number]
        start, number = start + number, AT_ONCE
        good = certified(sheet, some, problems)
        if good and problems.further:
            good = certified(sheet, good, problems.further())
        for each in good:
            slip = _named(sheet, each, problems)
            if slip is not None:
                yield slip


def certified(
    sheet: Sheet,
    candidates: Sequence[Candidate],
    problems: Problems,
    margin: float = CLEARLY,
    fewest: int = FEWEST,
) -> list[Candidate]:
    """Those of the candidates that are off by this margin in the `fewest` entries, or in all that
    are not zero, on every instance of every seed.

    Each is judged as a statement of its own below the whole sheet.
    """
    said = [f"{sheet.lines[each.place].left} = {each.change.right}" for each in candidates]
    text = "\n".join((sheet.text, *said))
    good = set(range(len(candidates)))
    for derived, request in zip(problems.derived(text), problems.requests, strict=True):
        off = partial(_is_false, margin=margin, fewest=fewest)
        good &= _false(derived, len(sheet.lines), candidates, request.instances, off)
        if problems.rounded:
            good = {number for number in good if _keeps_off(derived, len(sheet.lines) + number)}
    if problems.rounded:
        good -= {
            number
            for number, each in enumerate(candidates)
            if _may_be_equal(
                *_exchanged(sheet.lines[each.place].right, each.change.right), problems
            )
        }
    return [each for number, each in enumerate(candidates) if number in good]


def _false(
    derived: Derived,
    above: int,
    candidates: Sequence[Candidate],
    instances: Sequence[Instance],
    is_false: Callable[[Known | None, int], bool],
) -> set[int]:
    """The candidates, which are below so many lines, that are false by every choice."""
    at: dict[int, list[int]] = {}
    for place, claim in enumerate(derived.claims):
        at.setdefault(claim.line - 1, []).append(place)
    shapes = _shapes(instances)
    found = set()
    for number, candidate in enumerate(candidates):
        here, right = at.get(above + number, []), at.get(candidate.place, [])
        if len(here) != 1 or not right or derived.claims[here[0]].kind not in _CLAIMS:
            continue
        claim, meant = derived.claims[here[0]], derived.claims[right[-1]]
        if _fits(claim, meant, derived.by[0].known[right[-1]], shapes) and all(
            is_false(by.known[here[0]], len(instances)) for by in derived.by
        ):
            found.add(number)
    return found


def _shapes(instances: Sequence[Instance]) -> dict[str, list[tuple[int, ...]]]:
    """The shape of each name on every instance."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for each in instances:
        values = {**each.names, **each.upstreams}
        if len(each.upstreams) == 1:
            (values["delta"],) = each.upstreams.values()
        for name, value in values.items():
            found.setdefault(name, []).append(np.shape(value) if not isinstance(value, str) else ())
    return found


def _fits(
    claim: Said, meant: Said, known: Known | None, shapes: Mapping[str, Sequence[tuple[int, ...]]]
) -> bool:
    """Whether a claim has the index letters of the left side that the line it is made from has,
    and each letter runs as far as there.

    Without a letter a claim is the same for all of its values, and where an index runs less far
    than its axis it has values too; but a reader sees that neither can be meant.
    """
    far = _far(meant.shown, shapes)
    if known is not None and len(known.truths[0].shape) >= len(meant.letters):
        for axis, letter in enumerate(meant.letters):
            far.setdefault(letter, set()).add(tuple(truth.shape[axis] for truth in known.truths))
    mine = _far(claim.shown, shapes)
    of_left = {*meant.letters} & {*_LETTER.findall(meant.shown)}
    mine_all = {*_LETTER.findall(claim.shown)}
    if not of_left <= mine_all or (_LETTER.findall(meant.shown) and not mine_all):
        return False
    return all(
        sizes <= far[letter] if letter in far else len(sizes) == 1 for letter, sizes in mine.items()
    )


def _far(
    shown: str, shapes: Mapping[str, Sequence[tuple[int, ...]]]
) -> dict[str, set[tuple[int, ...]]]:
    """How far each index letter runs on every instance, by the axes at which it is."""
    found: dict[str, set[tuple[int, ...]]] = {}
    for match in _INDEXED.finditer(shown):
        letters = [letter.strip() for letter in match[2].split(",")]
        for axis, letter in enumerate(letters):
            known = shapes.get(match[1], ())
            if letter.isalpha() and known and all(len(shape) == len(letters) for shape in known):
                found.setdefault(letter, set()).add(tuple(shape[axis] for shape in known))
    return found


@np.errstate(all="ignore")
def _is_false(known: Known | None, count: int, margin: float, fewest: int) -> bool:
    """Whether a claim was worked out on all instances, fits in shape, and is off by so much, on
    half of them at least and wherever it is not zero throughout."""
    if known is None or len(known.values) != count:
        return False
    values = fitted(known.values, known.truths)
    if values is None or not all(np.isfinite(value).all() for value in values):
        return False
    telling = [
        (value, truth)
        for value, truth in zip(values, known.truths, strict=True)
        if np.any(value) or np.any(truth)
    ]
    return 2 * len(telling) >= count and all(
        int(np.count_nonzero(np.abs(value - truth) > margin * _size(value, truth)))
        >= min(fewest, int(np.count_nonzero((value != 0) | (truth != 0))))
        for value, truth in telling
    )


def _keeps_off(derived: Derived, line: int) -> bool:
    """Whether the number that a line claims is always too large, or always too small.

    One that is now this, now that would be right where two rounded numbers happen to be equal.
    """
    place = next(n for n, claim in enumerate(derived.claims) if claim.line - 1 == line)
    known = derived.by[0].known[place]
    if known is None:
        return False
    pairs = zip(known.values, known.truths, strict=True)
    sides = {bool(np.all((value - truth) * truth > 0)) for value, truth in pairs if truth.size == 1}
    return len(sides) < 2


def _exchanged(before: str, after: str) -> tuple[str, str]:
    """The name that an edit took out, and the one that came for it; empty if it did not."""
    out = Counter(names_in(before)) - Counter(names_in(after))
    into = Counter(names_in(after)) - Counter(names_in(before))
    return (out.popitem()[0], into.popitem()[0]) if out.total() == into.total() == 1 else ("", "")


def _may_be_equal(one: str, other: str, problems: Problems) -> bool:
    """Whether two given numbers can be equal when others are drawn: their ranges come close."""
    drawn = [instance.names for each in problems.requests for instance in each.instances]
    if not all(name in drawn[0] and np.ndim(drawn[0][name]) == 0 for name in (one, other)):
        return False
    ones, others = ([float(names[name]) for names in drawn] for name in (one, other))
    gap = max(min(others) - max(ones), min(ones) - max(others))
    return gap <= _CLOSE * max(max(ones) - min(ones), max(others) - min(others))


def _size(value: np.ndarray, truth: np.ndarray) -> float:
    return float(max(np.max(np.abs(value), initial=0.0), np.max(np.abs(truth), initial=0.0)))


def _named(sheet: Sheet, candidate: Candidate, problems: Problems) -> Slip | None:
    """The slip, where the judge names its line first and calls no other wrong.

    Where the lines below can follow from it, they do; otherwise they are right again.
    """
    after = tuple((each.place, each.change.right) for each in carried(sheet, candidate, problems))
    place, right = candidate.place, candidate.change.right
    for slip in dict.fromkeys((Slip(place, right, "", after), Slip(place, right, ""))):
        judged = problems.judged(sheet.with_rights(slip.rights), explain=True)
        others = [each.mark for each in judged.lines if each.line != place + 1]
        if judged.first_wrong == place + 1 and all(mark in _OTHERS for mark in others):
            said = next(each.diagnosis for each in judged.lines if each.mark is Mark.WRONG)
            is_told = said is not None and said.code not in _VAGUE
            return replace(slip, kind=said.code if said and is_told else candidate.change.kind)
    return None
