"""Reviews in the last weeks before an exam: by what they add to recall on its day.

What `session.exams` does for one learner, for many worlds at once.
"""

from dataclasses import dataclass

import numpy as np

from quizzer.forecast.many import Memories
from quizzer.forecast.prospects import gains, prices, standings
from quizzer.fsrs.histories import Floats, Ints
from quizzer.fsrs.step import Parameters
from quizzer.plan import exam_gain as exam

AFTER_ALL_DUE = 10**15
"""A turn later than that of any card that is due."""


@dataclass(frozen=True, slots=True)
class Near:
    """Exams near, and the cards concerned. A group is a world's cards of one of these exams."""

    rows: Ints
    """(n,) all their cards that were ever reviewed."""
    group: Ints
    """(n,)"""
    days: Ints
    """(groups,) until the exam."""
    unseen: Ints
    """(groups,) cards still to be met."""
    limit: Ints
    """(groups,) reviews a day."""
    worthwhile: float
    lately: int


def in_turn(
    near: Near, due: Ints, turn: Ints, early: Ints, memories: Memories, day: int, w: Parameters
) -> tuple[Ints, Ints]:
    """Rows and their turns; at each turn at which a card is due stands the best of its group.

    `due` and `early` are places in `near.rows`: cards due, by their `turn`, and others that may
    be worth taking before their day. Those come when all that are due have come.
    """
    left = near.days[near.group]
    elapsed = memories.elapsed(near.rows, day)
    held = memories.strengths(near.rows)
    skipped = standings(held, elapsed, left, w)
    price = prices(
        skipped,
        near.group,
        near.unseen,
        [exam.first_standing(day, day + days, tuple(w)) for days in near.days.tolist()],
        _reviews_a_day(near, elapsed),
        near.days - 1,
    )[near.group]
    places = np.concatenate([due, early])
    added = gains(
        held.at(places), elapsed[places], left[places], skipped.at(places), price[places], w
    )
    worth = np.maximum(price[early], near.worthwhile) < added[len(due) :]
    chosen = np.concatenate([np.ones(len(due), np.bool_), worth])
    places, added = places[chosen], added[chosen]
    group = near.group[places]
    best = np.lexsort((np.concatenate([turn, places[len(due) :]]), -added, group))
    turns = np.empty(len(places), np.int64)
    in_order = np.lexsort((turn, group[: len(due)]))
    turns[best] = _dealt(turn[in_order], group[: len(due)], group[best], len(near.days))
    return near.rows[places], turns


def _dealt(turn: Ints, of: Ints, group: Ints, groups: int) -> Ints:
    """The turns (m,), group by group, dealt to cards (n,) group by group; then those after all."""
    cards, count = (np.bincount(one, minlength=groups) for one in (group, of))
    place = np.arange(len(group)) - np.repeat(np.cumsum(cards) - cards, cards)
    start = np.cumsum(count) - count
    late = place >= count[group]
    padded = np.append(turn, AFTER_ALL_DUE)
    at = np.where(late, len(turn), start[group] + place)
    return padded[at] + np.where(late, place, 0)


def _reviews_a_day(near: Near, elapsed: Ints) -> Floats:
    """(groups,) cards last reviewed on a day of late on which there was any; else the limit."""
    groups, days = len(near.days), near.lately + 1
    recent = (elapsed >= 1) & (elapsed < days)
    cells = near.group[recent] * days + elapsed[recent]
    counts = np.bincount(cells, minlength=groups * days).reshape(groups, days)
    studied = (counts > 0).sum(axis=1)
    return np.where(studied > 0, counts.sum(axis=1) / np.maximum(studied, 1), near.limit)
