"""Which cards fit into a simulated day, for many worlds at once."""

import numpy as np

from quizzer.fsrs.histories import Bools, Floats, Ints
from quizzer.values import STEP

LONGER_THAN_ANY_DAY = 10**6
"""Minutes, beside those of any day."""
STEP_MINUTES = STEP.total_seconds() / 60
TINY = 1e-9
"""Minutes: sums of the same numbers in another order differ by less."""


def in_time(
    world: Ints, minutes: Floats, repeating: Floats, spent: Floats, budget: float, begun: Bools
) -> Bools:
    """Which cards fit into the day of their world, (n,): the first ones, in the order given.

    They stand world by world. `minutes` (n,) is what a card is expected to take, and `repeating`
    (n,) what its repetitions take when their step has passed; `spent` (worlds,) are the day's
    minutes used before. Where it has not `begun` (worlds,) the first card fits.
    """
    place = ranks(world)
    start = np.arange(len(world)) - place
    total, repeated = (np.concatenate([[0.0], np.cumsum(each)]) for each in (minutes, repeating))
    alone = begins = spent[world] + total[:-1] - total[start]
    day = world * LONGER_THAN_ANY_DAY
    while True:
        # Whose step has passed by then takes more time before, by which more have passed.
        back = np.searchsorted(day + begins + minutes + STEP_MINUTES, day + begins, side="right")
        later = alone + repeated[back] - repeated[start]
        if np.array_equal(np.minimum(later, budget), np.minimum(begins, budget)):
            break
        begins = later
    # Of the time spent whole minutes count.
    fits = np.floor(later + TINY) + minutes <= budget + TINY
    fits |= (place == 0) & ~begun[world]
    ends = np.full(len(spent), len(world))
    misfits = np.flatnonzero(~fits)[::-1]
    ends[world[misfits]] = misfits
    return np.arange(len(world)) < ends[world]


def ranks(group: Ints) -> Ints:
    """(n,) how many of the same group stand before each."""
    order = np.argsort(group, kind="stable")
    counts = np.bincount(group)
    found = np.empty(len(group), np.int64)
    found[order] = np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)
    return found
