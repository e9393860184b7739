"""A learner with a memory of his own: which reviews he would do, and what he would remember."""

from random import Random

import numpy as np

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.histories import Reviews
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters
from quizzer.values import Rating

FORGETFUL = (0.05, 0.2, 0.5, 2.0, *DEFAULT_PARAMETERS[4:8], 1.1, *DEFAULT_PARAMETERS[9:])
"""Forgets first reviews four times as fast as the average, and gains half as much by a recall."""


def reviews_of_learner(own: Parameters, cards: int, days: int, seed: int = 1) -> Reviews:
    """What is remembered follows `own`; the days are planned with the default parameters."""
    random = Random(seed)
    rows: list[tuple[int, int, int]] = []
    for card in range(cards):
        day, elapsed, true, believed = random.randrange(days // 2), 0, None, None
        while day < days:
            rating = _rating(random, elapsed and true and fsrs.retrievability(true, elapsed, own))
            rows.append((day, card, rating))
            true = fsrs.step(true, rating, elapsed, own)
            believed = fsrs.step(believed, rating, elapsed)
            plain = fsrs.days_until(believed.stability, 0.9) * random.uniform(0.7, 1.4)
            elapsed = 0 if rating is Rating.AGAIN else max(1, round(plain))
            day += elapsed
    day_column, card_column, rating_column = np.array(sorted(rows, key=lambda row: row[0])).T.copy()
    return Reviews(card_column, rating_column, day_column)


def _rating(random: Random, recall: float | None) -> Rating:
    """Again when it is forgotten; `recall` is 0 or None when there was no time to forget."""
    if recall and random.random() > recall:
        return Rating.AGAIN
    return random.choices(list(Rating)[1:], (15, 75, 10))[0]
