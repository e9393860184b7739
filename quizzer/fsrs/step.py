"""FSRS-6: how stability and difficulty of a card change with a review.

Formulas are those of the article "The Algorithm" in the wiki of open-spaced-repetition, section
FSRS-6; `w` are the 21 parameters in its order. Rating Again is 1, Easy is 4. Days are study days.
"""

from collections.abc import Sequence
from math import exp

from msgspec import Struct

from quizzer.values import Rating

Parameters = Sequence[float]

DEFAULT_PARAMETERS: tuple[float, ...] = (
    *(0.212, 1.2931, 2.3065, 8.2956),
    *(6.4133, 0.8334, 3.0194, 0.001),
    *(1.8722, 0.1666, 0.796),
    *(1.4835, 0.0614, 0.2629, 1.6483),
    *(0.6014, 1.8729),
    *(0.5425, 0.0912, 0.0658),
    0.1542,
)
"""As published with FSRS-6: first stabilities, difficulty, recall, forgetting, Hard and Easy,
same day, decay."""

SHORT_SHARE = 0.5
"""What a right answer in a short form adds to stability, as a share of what a blank page adds."""

STABILITY_FLOOR = 0.001
STABILITY_CEILING = 36_500.0


class MemoryState(Struct, frozen=True):
    """Stability: days until the chance of recall falls to 0.9. Difficulty: 1 to 10."""

    stability: float
    difficulty: float


def step(
    state: MemoryState | None,
    rating: Rating,
    elapsed_days: int,
    parameters: Parameters = DEFAULT_PARAMETERS,
    share: float = 1.0,
) -> MemoryState:
    """The memory state after a review; `None` is a card never reviewed, negative days are 0.

    Of what a recall adds to stability, only `share` is added.
    """
    if state is None:
        return MemoryState(
            _bounded_stability(parameters[rating - 1]),
            _bounded_difficulty(_first_difficulty(rating, parameters)),
        )
    if elapsed_days < 1:
        stability = _stability_on_the_same_day(state.stability, rating, parameters)
    else:
        recall = retrievability(state, elapsed_days, parameters)
        if rating is Rating.AGAIN:
            stability = _stability_after_forgetting(state, recall, parameters)
        else:
            full = _stability_after_recall(state, recall, rating, parameters)
            stability = full if share == 1 else state.stability + share * (full - state.stability)
    difficulty = _next_difficulty(state.difficulty, rating, parameters)
    return MemoryState(_bounded_stability(stability), _bounded_difficulty(difficulty))


def retrievability(
    state: MemoryState, elapsed_days: float, parameters: Parameters = DEFAULT_PARAMETERS
) -> float:
    """The chance of recall after so many days: (1 + f·t/S)^-w20, where f makes it 0.9 at t = S."""
    return recall_after(state.stability, elapsed_days, parameters)


def recall_after(
    stability: float, elapsed_days: float, parameters: Parameters = DEFAULT_PARAMETERS
) -> float:
    """The chance of recall by stability alone; difficulty has no part in it."""
    growth = 1 + _factor(parameters) * max(0.0, elapsed_days) / stability
    return float(growth ** -parameters[20])


def either_way(
    state: MemoryState, elapsed_days: int, parameters: Parameters = DEFAULT_PARAMETERS
) -> tuple[float, MemoryState, MemoryState]:
    """The chance of recall a day or more after the last review, and the state after either end.

    Recalled it is rated Good, forgotten Again, then Good on the same day. It is what `step` gives,
    in less time: plans ask for it by the thousand.
    """
    w, difficulty = parameters, state.difficulty
    recall, good, lapsed = stability_either_way(state, elapsed_days, w)
    easy, forgotten = (
        _first_difficulty(Rating.EASY, w),
        _next_difficulty(difficulty, Rating.AGAIN, w),
    )
    target, kept = w[7] * easy, 1 - w[7]
    return (
        recall,
        MemoryState(good, _bounded_difficulty(target + kept * difficulty)),
        MemoryState(lapsed, _bounded_difficulty(target + kept * _bounded_difficulty(forgotten))),
    )


def stability_either_way(
    state: MemoryState, elapsed_days: int, parameters: Parameters = DEFAULT_PARAMETERS
) -> tuple[float, float, float]:
    """The same without the difficulties."""
    recall = recall_after(state.stability, elapsed_days, parameters)
    good = _stability_after_recall(state, recall, Rating.GOOD, parameters)
    again = _bounded_stability(_stability_after_forgetting(state, recall, parameters))
    lapsed = _stability_on_the_same_day(again, Rating.GOOD, parameters)
    return recall, _bounded_stability(good), _bounded_stability(lapsed)


def days_until(
    stability: float, retention: float, parameters: Parameters = DEFAULT_PARAMETERS
) -> float:
    """The days after which recall has fallen to `retention`: `retrievability` solved for t."""
    growth = retention ** (-1 / parameters[20])
    return float(stability / _factor(parameters) * (growth - 1))


def _factor(w: Parameters) -> float:
    return float(0.9 ** (-1 / w[20]) - 1)


def _stability_after_recall(
    state: MemoryState, recall: float, rating: Rating, w: Parameters
) -> float:
    """S' = S·(1 + e^w8·(11-D)·S^-w9·(e^(w10·(1-R)) - 1)·[w15 if Hard]·[w16 if Easy])."""
    weight = w[15] if rating is Rating.HARD else w[16] if rating is Rating.EASY else 1.0
    surprise = exp(w[10] * (1 - recall)) - 1
    stability = state.stability
    growth = exp(w[8]) * (11 - state.difficulty) * stability ** -w[9] * surprise * weight
    return float(stability * (1 + growth))


def _stability_after_forgetting(state: MemoryState, recall: float, w: Parameters) -> float:
    """S' = w11·D^-w12·((S+1)^w13 - 1)·e^(w14·(1-R)), but at most S / e^(w17·w18)."""
    stability = state.stability
    forgotten = w[11] * state.difficulty ** -w[12] * ((stability + 1) ** w[13] - 1)
    return float(min(forgotten * exp(w[14] * (1 - recall)), stability / exp(w[17] * w[18])))


def _stability_on_the_same_day(stability: float, rating: Rating, w: Parameters) -> float:
    """S' = S·e^(w17·(G - 3 + w18))·S^-w19; only Again may lower it."""
    growth = exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19]
    return float(stability * (growth if rating is Rating.AGAIN else max(growth, 1.0)))


def _first_difficulty(rating: Rating, w: Parameters) -> float:
    """D = w4 - e^(w5·(G - 1)) + 1."""
    return w[4] - exp(w[5] * (rating - 1)) + 1


def _next_difficulty(difficulty: float, rating: Rating, w: Parameters) -> float:
    """D' = w7·D(Easy) + (1 - w7)·(D - w6·(G - 3)·(10 - D)/9), D(Easy) before its bounds."""
    damped = difficulty - w[6] * (rating - 3) * (10 - difficulty) / 9
    return w[7] * _first_difficulty(Rating.EASY, w) + (1 - w[7]) * damped


def _bounded_stability(stability: float) -> float:
    return min(max(stability, STABILITY_FLOOR), STABILITY_CEILING)


def _bounded_difficulty(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)
