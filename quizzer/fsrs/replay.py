"""FSRS-6 over all cards at once: the formulas of `fsrs.step`, a repetition of every card a time.

Stability is kept as its logarithm, in which a review adds instead of multiplying.
"""

from math import exp, log

import numpy as np
from msgspec import Struct

from quizzer.fsrs.histories import BLOCK, Floats, Histories, Ints, Reviews, packed_in_parts
from quizzer.fsrs.step import (
    DEFAULT_PARAMETERS,
    STABILITY_CEILING,
    STABILITY_FLOOR,
    Parameters,
)

LOG_FLOOR = log(STABILITY_FLOOR)
LOG_CEILING = log(STABILITY_CEILING)


class Replay(Struct, frozen=True):
    """Memory state after each review, and the chance of recall at it; (n,) in log order."""

    stability: Floats
    difficulty: Floats
    recall: Floats
    """1 at the first review of a history and on the day of the review before."""


class MemoryStates(Struct, frozen=True):
    """Memory state after the last review of each history, at the history's number."""

    stability: Floats
    difficulty: Floats


class Trace(Struct, frozen=True):
    """What `walk` met at each review; all (n,) as the histories are packed."""

    log_before: Floats
    """The logarithm of stability before the review; 0 at a first one."""
    difficulty_before: Floats
    log_after: Floats
    difficulty_after: Floats
    lateness: Floats
    """f·t/S, by which 1 + f·t/S grows beyond 1."""
    forgetting: Floats
    """1 - R, the chance of having forgotten."""
    lift: Floats
    """What a recall adds to stability, as a share, over `surprise`."""
    surprise: Floats
    """e^(w10·(1-R)) - 1."""


def replay(histories: Histories, parameters: Parameters = DEFAULT_PARAMETERS) -> Replay:
    """The memory state after every review and the chance of recall at it."""
    stability, difficulty, recall = (np.empty(len(histories)) for _ in range(3))
    for block in histories.blocks(BLOCK):
        trace = walk(block, parameters)
        stability[block.place] = np.exp(trace.log_after)
        difficulty[block.place] = trace.difficulty_after
        recall[block.place] = 1 - trace.forgetting
    return Replay(stability, difficulty, recall)


def recalls(reviews: Reviews, parameters: Parameters = DEFAULT_PARAMETERS) -> Floats:
    """The chance of recall at every review of a long log, (n,) in its order."""
    recall = np.empty(len(reviews))
    for part in packed_in_parts(reviews):
        recall[part.place] = 1 - walk(part, parameters).forgetting
    return recall


def replay_ends(histories: Histories, parameters: Parameters = DEFAULT_PARAMETERS) -> MemoryStates:
    """The memory state after the last review of every history."""
    size = int(histories.number.max()) + 1 if histories.count else 0
    stability, difficulty = np.full(size, np.nan), np.full(size, np.nan)
    for block in histories.blocks(BLOCK):
        trace = walk(block, parameters)
        stability[block.number] = np.exp(trace.log_after[block.last])
        difficulty[block.number] = trace.difficulty_after[block.last]
    return MemoryStates(stability, difficulty)


def walk(histories: Histories, parameters: Parameters) -> Trace:
    """Go through all repetitions, each for all histories that have one."""
    w = [float(value) for value in parameters]
    n = len(histories)
    trace = Trace(*(np.zeros(n) for _ in Trace.__struct_fields__))
    if not n:
        return trace
    weight = recall_weights(w)[histories.rating]
    slope, offset = (table[histories.rating] for table in difficulty_tables(w))
    log_first, difficulty_first = first_states(w)

    first = histories.repetitions[0]
    trace.log_after[first] = log_first[histories.rating[first]]
    trace.difficulty_after[first] = difficulty_first[histories.rating[first]]

    before = first
    for number, here in enumerate(histories.repetitions[1:], start=1):
        count = here.stop - here.start
        known = slice(before.start, before.start + count)
        log_before = trace.log_before[here] = trace.log_after[known]
        difficulty = trace.difficulty_before[here] = trace.difficulty_after[known]

        late = trace.lateness[here] = lateness(log_before, histories.elapsed[here], w)
        forgetting = trace.forgetting[here] = forgetting_when(late, w)
        lift = trace.lift[here] = recall_lift(log_before, difficulty, weight[here], w)
        surprise = trace.surprise[here] = recall_surprise(forgetting, w)
        log_after = after_recall(log_before, lift, surprise)

        again = histories.forgotten_by_repetition[number]
        if len(again):
            log_after[again] = after_forgetting(
                log_before[again], difficulty[again], forgetting[again], w
            )
        soon = histories.same_day_by_repetition[number]
        if len(soon):
            rating = histories.rating[here][soon]
            log_after[soon] = on_the_same_day(log_before[soon], rating, w)

        trace.log_after[here] = bounded(log_after, LOG_FLOOR, LOG_CEILING)
        trace.difficulty_after[here] = bounded(slope[here] * difficulty + offset[here], 1, 10)
        before = here
    return trace


def bounded(values: Floats, low: float, high: float) -> Floats:
    """What `np.clip` does in place, in a third of its time for few values."""
    return np.minimum(np.maximum(values, low, out=values), high, out=values)


def first_states(w: Parameters) -> tuple[Floats, Floats]:
    """Log-stability and difficulty after a first review by its rating, at indices 1 to 4."""
    stability = np.clip([1.0, *w[:4]], STABILITY_FLOOR, STABILITY_CEILING)
    started = [w[4] - exp(w[5] * (rating - 1)) + 1 for rating in range(5)]
    return np.log(stability), np.clip(started, 1, 10)


def lateness(log_before: Floats, elapsed: Floats | Ints, w: Parameters) -> Floats:
    """f·t/S, by which 1 + f·t/S grows beyond 1."""
    late: Floats = (0.9 ** (-1 / w[20]) - 1) * elapsed * np.exp(-log_before)
    return late


def forgetting_when(late: Floats, w: Parameters) -> Floats:
    """1 - R, the chance of having forgotten, from the lateness."""
    return -np.expm1(-w[20] * np.log1p(late))


def recall_weights(w: Parameters) -> Floats:
    """What Hard and Easy make of the lift of a recall, by rating at indices 1 to 4."""
    return np.array([1.0, 1.0, w[15], 1.0, w[16]])


def recall_lift(log_before: Floats, difficulty: Floats, weight: Floats, w: Parameters) -> Floats:
    """e^w8·(11-D)·S^-w9 and the rating's weight: what a recall adds, over e^(w10·(1-R)) - 1."""
    lift: Floats = np.exp(w[8] - w[9] * log_before) * (11 - difficulty) * weight
    return lift


def recall_surprise(forgetting: Floats, w: Parameters) -> Floats:
    """e^(w10·(1-R)) - 1: by it the lift of a recall grows, the less it was to be expected."""
    return np.expm1(w[10] * forgetting)


def after_recall(log_before: Floats, lift: Floats, surprise: Floats) -> Floats:
    """log S' after Hard, Good or Easy on a later day, before its bounds."""
    return log_before + np.log1p(lift * surprise)


def after_forgetting(
    log_before: Floats, difficulty: Floats, forgetting: Floats, w: Parameters
) -> Floats:
    """log S' after Again, before its bounds."""
    return np.minimum(
        log_forgotten(log_before, difficulty, forgetting, w), log_before - w[17] * w[18]
    )


def log_forgotten(
    log_before: Floats, difficulty: Floats, forgetting: Floats, w: Parameters
) -> Floats:
    """log of w11·D^-w12·((S+1)^w13 - 1)·e^(w14·(1-R))."""
    power = np.log(np.expm1(w[13] * np.log1p(np.exp(log_before))))
    forgotten: Floats = log(w[11]) - w[12] * np.log(difficulty) + power + w[14] * forgetting
    return forgotten


def on_the_same_day(log_before: Floats, rating: Ints, w: Parameters) -> Floats:
    """log S' of another review on the same day, before its bounds; only Again may lower it."""
    growth = same_day_growth(log_before, rating, w)
    return log_before + np.where(rating == 1, growth, np.maximum(growth, 0))


def same_day_growth(log_before: Floats, rating: Ints, w: Parameters) -> Floats:
    growth: Floats = w[17] * (rating - 3 + w[18]) - w[19] * log_before
    return growth


def difficulty_tables(w: Parameters) -> tuple[Floats, Floats]:
    """Slope and offset by rating of D' = slope·D + offset, at indices 1 to 4."""
    damping = w[6] * (np.arange(5) - 3) / 9
    easiest = w[4] - exp(w[5] * 3) + 1
    return (1 - w[7]) * (1 + damping), w[7] * easiest - (1 - w[7]) * 10 * damping
