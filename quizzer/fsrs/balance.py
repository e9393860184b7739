"""Load balancing: of the days that fuzz may choose from, an emptier one is taken."""

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from quizzer.values import Rating

EVEN = (1.0,) * 7
Range = tuple[int, int]
"""The least and the greatest interval, in days."""


class Load(Struct, frozen=True):
    """How full the coming study days are.

    `due(first, last)` counts the cards already due by day, from the first to the last. `shares`
    tell, from Monday on, how much of a usual day's work each weekday shall get: 1 as usual, 0 none
    where that can be avoided.
    """

    due: Callable[[int, int], Mapping[int, int]]
    shares: tuple[float, ...] = EVEN

    def share(self, day: int) -> float:
        return self.shares[(day - 1) % 7]


def balanced(
    ranges: Mapping[Rating, Range], draws: Sequence[float], day: int, load: Load
) -> dict[Rating, int]:
    """For each rating the emptiest of the days drawn from its range, Hard ≤ Good < Easy.

    Two draws make days nearly as even as a look at all of them, and keep recall nearer to what is
    desired: days far ahead have fewer cards due as yet, so that the emptiest is too often a late
    one (see `benchmarks/balance.py`).
    """
    first = min(least for least, _ in ranges.values())
    due = load.due(day + first, day + max(greatest for _, greatest in ranges.values()))

    def cost(interval: int) -> float:
        return (1 + due.get(day + interval, 0)) / (load.share(day + interval) or 1)

    chosen: dict[Rating, int] = {}
    for rating, (least, greatest) in ranges.items():
        within = range(min(max(least, first), greatest), greatest + 1)
        chosen[rating] = min((_drawn(within, draw, day, load) for draw in draws), key=cost)
        first = chosen[rating] + (rating is Rating.GOOD)
    return chosen


def _drawn(within: range, draw: float, day: int, load: Load) -> int:
    """One of these intervals, the more often the larger the share of its day."""
    some = [interval for interval in within if load.share(day + interval)] or [*within]
    sums = [*accumulate(load.share(day + interval) or 1 for interval in some)]
    return some[min(bisect(sums, draw * sums[-1]), len(some) - 1)]
