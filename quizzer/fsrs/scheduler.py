"""When a card comes again: states, steps, intervals and fuzz around the model of `fsrs`.

An interval is chosen once, when the card is rated, and recorded with the review. `remember` takes
it from there, so that recomputing memory under other settings keeps the days that were promised.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from math import floor, inf

from msgspec import Struct

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.balance import Load, Range, balanced
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, Parameters
from quizzer.values import Memory, Rating, State

MAXIMUM_INTERVAL = 36_500

TOMORROW = 1
_LEARNING = (State.NEW, State.LEARNING)
_FUZZ = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, inf, 0.05))


class Policy(Struct, frozen=True):
    """The learner's settings: the chance of recall wanted on the due day, and the limits.

    Raises ValueError if a value cannot be scheduled with.
    """

    retention: float = 0.9
    maximum_interval: int = MAXIMUM_INTERVAL
    fuzz: bool = True
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS
    learning_step: bool = True
    """Whether a new card that was not known comes again on the same day, or tomorrow."""
    relearning_step: bool = True
    """The same for a card that was forgotten."""
    share: float = 1.0
    """What a recall adds to stability, as a share of what one on a blank page adds."""

    def __post_init__(self) -> None:
        if not 0.5 <= self.retention <= 0.999:
            raise ValueError(f"desired retention is 0.5 to 0.999, not {self.retention}")
        if not 1 <= self.maximum_interval <= MAXIMUM_INTERVAL:
            raise ValueError(
                f"the maximum interval is 1 to {MAXIMUM_INTERVAL} days, not {self.maximum_interval}"
            )
        if len(self.parameters) != len(DEFAULT_PARAMETERS):
            raise ValueError(f"FSRS-6 has 21 parameters, not {len(self.parameters)}")


DEFAULT_POLICY = Policy()


def schedule(
    card_id: str,
    memory: Memory | None,
    rating: Rating,
    at: datetime,
    day: int,
    policy: Policy = DEFAULT_POLICY,
    load: Load | None = None,
    corrected: bool = False,
) -> Memory:
    """The memory after rating the card now; its `interval` is the one to record."""
    interval = intervals(card_id, memory, day, policy, load, corrected, most=rating)[rating]
    return remember(memory, rating, interval, at, day, policy.parameters, policy.share)


def preview(
    card_id: str,
    memory: Memory | None,
    at: datetime,
    day: int,
    policy: Policy = DEFAULT_POLICY,
    load: Load | None = None,
    corrected: bool = False,
) -> dict[Rating, Memory]:
    """What each rating would lead to; `schedule` with the same arguments gives the same."""
    chosen = intervals(card_id, memory, day, policy, load, corrected)
    return {
        rating: remember(memory, rating, interval, at, day, policy.parameters, policy.share)
        for rating, interval in chosen.items()
    }


def remember(
    memory: Memory | None,
    rating: Rating,
    interval: int,
    at: datetime,
    day: int,
    parameters: Parameters = DEFAULT_PARAMETERS,
    share: float = 1.0,
) -> Memory:
    """The memory after a review that was given this interval, in days; 0 is the step.

    If the clock went back, no time has passed and the later of the two days stands: counted from
    a day too early, the next review would seem long overdue and lift stability for nothing.
    """
    after = fsrs.step(_state(memory), rating, _elapsed(memory, day), parameters, share)
    if memory is None:
        state = state_after(State.NEW, interval)
        return Memory(
            state, after.stability, after.difficulty, at, day, interval, 1, 0, first_day=day
        )
    lapsed = memory.state is State.REVIEW and rating is Rating.AGAIN
    return Memory(
        state=state_after(memory.state, interval),
        stability=after.stability,
        difficulty=after.difficulty,
        at=at,
        day=max(memory.day, day),
        interval=interval,
        reviews=memory.reviews + 1,
        lapses=memory.lapses + lapsed,
        first_day=memory.first_day,
    )


def state_after(before: State, interval: int) -> State:
    """The state of a card after a review that was given this interval."""
    if interval:
        return State.REVIEW
    return State.LEARNING if before in _LEARNING else State.RELEARNING


def intervals(
    card_id: str,
    memory: Memory | None,
    day: int,
    policy: Policy = DEFAULT_POLICY,
    load: Load | None = None,
    corrected: bool = False,
    most: Rating = Rating.EASY,
) -> dict[Rating, int]:
    """Days until the card comes again after each rating; 0 is the step on the same day.

    Hard ≤ Good ≤ Easy, and Easy comes later than Good unless the maximum leaves no room.
    `corrected` tells that what was forgotten was put right before the rating. With `load`, fuzz
    takes the emptier days: the same ones whenever it is the same. Ratings better than `most` are
    not asked for, and may be left at 0.
    """
    fixed = _fixed(memory.state if memory else State.NEW, policy, corrected)
    graduating = tuple(
        rating for rating in Rating if rating not in fixed and (load or rating <= most)
    )
    chosen = dict.fromkeys(Rating, 0) | fixed
    if not graduating:
        return chosen
    chosen |= _plain_intervals(memory, day, graduating, policy)
    if policy.fuzz:
        draws = _draws(card_id, memory.reviews if memory else 0)
        ranges = {
            rating: fuzz_range(chosen[rating], policy.maximum_interval) for rating in graduating
        }
        if load and any(least < greatest for least, greatest in ranges.values()):
            chosen |= balanced(ranges, draws, day, load)
        else:
            chosen |= {rating: _fuzzed(within, draws[0]) for rating, within in ranges.items()}
    if Rating.EASY in graduating and chosen[Rating.EASY] == chosen[Rating.GOOD]:
        chosen[Rating.EASY] = min(chosen[Rating.GOOD] + 1, policy.maximum_interval)
    return chosen


@lru_cache(maxsize=4096)
def fuzz_range(interval: int, maximum: int = MAXIMUM_INTERVAL) -> tuple[int, int]:
    """The least and the greatest days that fuzz may make of an interval.

    A day to each side, and of the part from 2.5 to 7 days 15 %, from 7 to 20 days 10 %, beyond
    5 %: the ranges of Anki. Below 2.5 days nothing is spread.
    """
    if interval < _FUZZ[0][0]:
        return interval, interval
    spread = 1.0 + sum(share * max(0.0, min(interval, end) - start) for start, end, share in _FUZZ)
    greatest = min(_nearest(interval + spread), maximum)
    return min(_nearest(interval - spread), greatest), greatest


def _fixed(state: State, policy: Policy, corrected: bool) -> dict[Rating, int]:
    """The intervals that no model chooses.

    A repetition on the same day takes a whole derivation. It is worth that where nothing was there
    yet, or where the solution had to be shown; what came at the second try can wait.
    """
    if state in _LEARNING:
        again = 0 if policy.learning_step else TOMORROW
        return {Rating.AGAIN: again, Rating.HARD: TOMORROW}
    return {Rating.AGAIN: 0 if policy.relearning_step and not corrected else TOMORROW}


def _plain_intervals(
    memory: Memory | None, day: int, ratings: Iterable[Rating], policy: Policy
) -> dict[Rating, int]:
    """The model's intervals for these ratings, in whole days, in order and within the limits."""
    plain: dict[Rating, int] = {}
    least = 1
    for rating in ratings:
        after = fsrs.step(
            _state(memory), rating, _elapsed(memory, day), policy.parameters, policy.share
        )
        days = fsrs.days_until(after.stability, policy.retention, policy.parameters)
        plain[rating] = min(max(least, _nearest(days)), policy.maximum_interval)
        least = plain[rating] + (rating is Rating.GOOD)
    return plain


def _fuzzed(within: Range, draw: float) -> int:
    """A day of the fuzz range. One draw serves all ratings: a longer interval stays the longer."""
    least, greatest = within
    return least + floor(draw * (greatest - least + 1))


def _draws(card_id: str, repetition: int) -> tuple[float, float]:
    """Numbers in [0, 1), always the same for this repetition: preview, undo and redo agree."""
    seed = f"{card_id}\n{repetition}".encode("utf-8", "surrogatepass")
    digest = sha256(seed).digest()
    first, second = (int.from_bytes(part, "big") >> 3 for part in (digest[:7], digest[7:14]))
    return first / 2**53, second / 2**53


def _nearest(days: float) -> int:
    """The nearest whole day, halves upward: `round` takes 3.5 and 4.5 to one day, which ties."""
    return floor(days + 0.5)


def _state(memory: Memory | None) -> MemoryState | None:
    return MemoryState(memory.stability, memory.difficulty) if memory else None


def _elapsed(memory: Memory | None, day: int) -> int:
    return max(0, day - memory.day) if memory else 0
