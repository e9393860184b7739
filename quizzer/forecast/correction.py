"""What a forecast must allow for, as the learner's own log tells it.

FSRS foretells the chance of recall at every review. Who slips in derivations that they know, or
forgets in another way than FSRS believes, recalls less than was foretold; then so it will be in the
days ahead. The log's own past corrects every forecast: by whichever way tells reviews best that it
has not seen, and by nothing while there is little evidence.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from quizzer.forecast.outcomes import Outcome

FEWEST = 50
"""Reviews below which nothing is corrected."""
FEWEST_OF_COURSE = 200
"""Reviews from which a course has a correction of its own."""
NEWEST = 3_000
"""Reviews that are looked at: what was long ago says little of today."""
PARTS = 5
"""Of the log: each but the first is foretold by a correction fitted to all before it."""
_SPREAD = 0.5
"""Of the shift among learners, in logits."""
_SLIPS, _FADES = 10.0, 50.0
"""Reviews that all came true, the second ones after e days: as if they had been seen before any."""
_LEAST, _MOST = 0.001, 0.999


@dataclass(frozen=True, slots=True)
class Correction:
    """How the chance of recall differs from the one foretold."""

    shift: float = 0.0
    """Added to its logit."""
    ceiling: float = 0.0
    """The logarithm of the factor by which slips lower it."""
    fade: float = 0.0
    """The power of the days since the last review by which it falls further."""

    def of(self, recall: float, elapsed: int) -> float:
        """The corrected chance of recall, so many days after the last review."""
        if self == NONE or elapsed < 1:
            return recall
        if self.shift:
            likely = min(max(recall, _LEAST), _MOST)
            recall = 1 / (1 + (1 / likely - 1) * exp(-self.shift))
        return recall * exp(self.ceiling) * float(elapsed**-self.fade)


NONE = Correction()


@dataclass(frozen=True, slots=True)
class Past:
    """What came of past forecasts, and how the next ones are corrected by it."""

    correction: Correction = NONE
    foretold: float = 1.0
    """The mean chance of recall at past reviews."""
    came_true: float = 1.0
    """The share of them that were recalled."""


NO_PAST = Past()


@dataclass(frozen=True, slots=True)
class Corrections:
    """What the log says of forecasts, by course."""

    whole: Past = NO_PAST
    by_course: Mapping[str, Past] = field(default_factory=dict)
    """Of courses with reviews enough of their own, in lower case."""

    def of_course(self, course: str) -> Past:
        return self.by_course.get(course.casefold(), self.whole)


UNCORRECTED = Corrections()


def corrections_of(outcomes: Sequence[Outcome]) -> Corrections:
    """What these reviews, oldest first, say about forecasts."""
    newest = [each for each in outcomes if each.elapsed][-NEWEST:]
    if len(newest) < FEWEST:
        return UNCORRECTED
    by_course = defaultdict[str, list[Outcome]](list)
    for each in newest:
        by_course[each.course].append(each)
    several = len(by_course) > 1
    own = {name: of for name, of in by_course.items() if several and len(of) >= FEWEST_OF_COURSE}
    return Corrections(_past(newest), {name: _past(of) for name, of in own.items()})


def _past(outcomes: Sequence[Outcome]) -> Past:
    count = len(outcomes)
    foretold = sum(each.recall for each in outcomes) / count
    return Past(best(outcomes), foretold, sum(each.recalled for each in outcomes) / count)


def best(outcomes: Sequence[Outcome]) -> Correction:
    """The correction of the kind that foretells held-out reviews best; none, if that does."""
    kinds: tuple[_Fitter, ...] = (lambda _: NONE, _shifted, _lowered)
    count = len(outcomes)
    cuts = [count * part // PARTS for part in range(1, PARTS + 1)]
    losses = [
        sum(
            _loss(fitted(_counted(outcomes[:cut])), _counted(outcomes[cut:end]))
            for cut, end in pairwise(cuts)
        )
        for fitted in kinds
    ]
    return kinds[losses.index(min(losses))](_counted(outcomes))


class _Alike(NamedTuple):
    """Reviews of which nearly the same was foretold."""

    recall: float
    elapsed: int
    recalled: int
    lapsed: int


_Fitter = Callable[[Sequence[_Alike]], Correction]


def _counted(outcomes: Iterable[Outcome]) -> list[_Alike]:
    found = defaultdict[tuple[float, int], list[int]](lambda: [0, 0])
    for each in outcomes:
        found[round(each.recall, 2), each.elapsed][not each.recalled] += 1
    return [_Alike(*alike, *counts) for alike, counts in found.items()]


def _loss(correction: Correction, counted: Iterable[_Alike]) -> float:
    """The log-loss, summed."""
    total = 0.0
    for recall, elapsed, recalled, lapsed in counted:
        chance = min(max(correction.of(recall, elapsed), _LEAST), _MOST)
        total -= recalled * log(chance) + lapsed * log(1 - chance)
    return total


def _shifted(counted: Sequence[_Alike]) -> Correction:
    def cost(shift: float) -> float:
        return _loss(Correction(shift=shift), counted) + (shift / _SPREAD) ** 2 / 2

    return Correction(*_descended(cost, (0.0,)))


def _lowered(counted: Sequence[_Alike]) -> Correction:
    def cost(ceiling: float, fade: float) -> float:
        if ceiling > 0 or fade < 0:
            return float("inf")
        return (
            _loss(Correction(ceiling=ceiling, fade=fade), counted)
            - _SLIPS * ceiling
            + _FADES * fade
        )

    return Correction(0.0, *_descended(cost, (0.0, 0.0)))


def _descended(cost: Callable[..., float], start: tuple[float, ...]) -> tuple[float, ...]:
    """Where a convex cost is least, to a thousandth: steps in each direction, ever smaller."""
    here, least, step = start, cost(*start), 0.256
    while step > 0.001:
        nearby = [
            tuple(value + way * move for value, move in zip(here, moves, strict=True))
            for moves in _directions(len(start), step)
            for way in (1, -1)
        ]
        lowest, there = min((cost(*each), each) for each in nearby)
        if lowest < least:
            here, least = there, lowest
        else:
            step /= 2
    return here


def _directions(count: int, step: float) -> list[tuple[float, ...]]:
    single = [tuple(step * (k == place) for k in range(count)) for place in range(count)]
    return single if count == 1 else [*single, (step, step), (step, -step)]
