"""The repetition on the same day: what it earns for the minutes that it takes.

Learners of the memories in `_minds.py` study for some months by the real queue, as many minutes a
day under every rule.

- `none`: no repetition on the same day; what was not known comes tomorrow.
- `always`: after Again, and after Hard on a new card.
- `again`: after Again only.
- `default`: after Again on a new card, and after a lapse unless it was put right before the rating.
- `new`: after Again on a new card only.

A share of the lapses is put right before the rating, whatever the rule: a second derivation, which
takes time and is practice. It and a repetition on the same day take a share of the card's minutes:
all or half of them, or `part`: those of one part, where the cards have as many parts as those of
the starter deck, and one goes wrong.

A figure is the number of cards that would be recalled on the last morning, by the true memory, the
mean over several learners; beside it the mean differences from `none` with their standard errors.

Run: .venv/bin/python benchmarks/steps.py [--learners N] [--minutes N] [--days N] [--cost SHARE]...
         [--corrected SHARE] [--seed N] [MIND...]
"""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from _minds import MINDS, Mind
from msgspec.structs import replace

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.fsrs.scheduler import remember, schedule
from quizzer.plan.queue import plan
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import Memory, Progress, Rating, State, study_day

CARDS = 400
FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
RULES = ("none", "always", "again", "default", "new")
SETTINGS = Settings(new_per_day=4, reviews_per_day=9999)
SETTINGS_OF = {
    "none": replace(SETTINGS, learning_steps=0, relearning_steps=0),
    "always": SETTINGS,
    "again": SETTINGS,
    "default": SETTINGS,
    "new": replace(SETTINGS, relearning_steps=0),
}
CARD_MINUTES = 8.0
FIRST_TIME = (25, 15, 50, 10)
PARTS = (1,) * 87 + (2,) * 115 + (3,) * 37 + (4,) * 2
"""How many parts the cards of the starter deck have."""
PART = "part"
COSTS = ("1", "0.5", PART)
MOST_IN_A_DAY = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minds", nargs="*", default=["as believed", "ACT-R"], metavar="MIND")
    parser.add_argument("--learners", type=int, default=100)
    parser.add_argument("--minutes", type=int, default=100)
    parser.add_argument("--days", type=int, default=120)
    parser.add_argument("--cost", action="append", metavar="SHARE")
    parser.add_argument("--corrected", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.learners} learners, {options.days} days of {options.minutes} minutes")
    heads = "".join(f"{rule:>10}" for rule in RULES)
    heads += "".join(f"{f'{rule} - none':>18}" for rule in RULES[1:])
    print(f"{'memory':<14}{'step takes':>12}{heads}")
    for name in options.minds:
        for cost in options.cost or COSTS:
            rows = [
                [
                    recalled(
                        MINDS[name](Random(f"{options.seed} {number}")),
                        rule,
                        options.days,
                        options.minutes,
                        cost,
                        options.corrected,
                        f"{options.seed} {number}",
                    )
                    for rule in RULES
                ]
                for number in range(options.learners)
            ]
            means = "".join(f"{fmean(column):>10.1f}" for column in zip(*rows, strict=True))
            beside = "".join(
                f"{spread([row[place] - row[0] for row in rows]):>18}"
                for place in range(1, len(RULES))
            )
            print(f"{name:<14}{cost:>12}{means}{beside}", flush=True)


def spread(differences: Sequence[float]) -> str:
    """The mean, and its standard error."""
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 0.0
    return f"{fmean(differences):+.1f} ± {error:.1f}"


def recalled(
    mind: Mind, rule: str, days: int, minutes: float, cost: str, corrected: float, seed: str
) -> float:
    """The cards that would be recalled after so many days by this rule."""
    progress: dict[str, Progress] = {}
    shares = _shares(cost, seed)
    left = 0.0
    for number in range(days):
        now = FIRST + timedelta(number)
        queue = plan(DECK, progress, Done(), SETTINGS_OF[rule], now)
        left += minutes
        coming = [*queue.steps, *queue.fresh]
        times = dict.fromkeys((entry.id for entry in coming), 0)
        while coming and left > 0:
            entry = coming.pop(0)
            memory = progress.get(entry.id, Progress()).memory
            repeats = memory is not None and not memory.interval
            left -= CARD_MINUTES * (shares[entry.id] if repeats else 1.0)
            luck = Random(f"{seed} {number} {entry.id} {times[entry.id]}")
            rating = _rating(mind, entry.id, memory, study_day(now), luck)
            lapsed = memory is not None and not repeats and rating is Rating.AGAIN
            right = lapsed and luck.random() < corrected
            if right:
                left -= CARD_MINUTES * shares[entry.id]
            after = rated(mind, entry.id, memory, rule, now, rating, right)
            progress[entry.id] = Progress(after)
            times[entry.id] += 1
            if not after.interval and times[entry.id] < MOST_IN_A_DAY:
                coming.append(entry)
    last = study_day(FIRST) + days
    return sum(mind.recall(card, last) for card in progress)


def rated(
    mind: Mind,
    card: str,
    memory: Memory | None,
    rule: str,
    now: datetime,
    rating: Rating,
    corrected: bool,
) -> Memory:
    """The memory that the scheduler believes in after one repetition."""
    day = study_day(now)
    mind.learn(card, day, rating)
    if corrected:
        mind.learn(card, day, Rating.GOOD)
    policy = SETTINGS_OF[rule].policy("", day)
    first = memory is None or memory.state is State.LEARNING
    if rule == "always" and first and rating is Rating.HARD:
        return remember(memory, rating, 0, now, day)
    tomorrow = corrected and rule == "default"
    return schedule(card, memory, rating, now, day, policy, corrected=tomorrow)


def _shares(cost: str, seed: str) -> dict[str, float]:
    """By card, the share of its minutes that a repetition on the same day takes."""
    luck = Random(f"{seed} parts")
    return {
        entry.id: 1 / luck.choice(PARTS) if cost == PART else float(cost) for entry in DECK.entries
    }


def _rating(mind: Mind, card: str, memory: Memory | None, day: int, luck: Random) -> Rating:
    if memory is None:
        return Rating(luck.choices((1, 2, 3, 4), FIRST_TIME)[0])
    recall = mind.recall(card, day) if day > memory.day else 0.85
    if luck.random() >= recall:
        return Rating.AGAIN
    return Rating(luck.choices((2, 3, 4), (15, 75, 10))[0])


def _deck() -> Deck:
    root = Path("/deck")
    entries = tuple(
        Entry(root / f"{card}.md", root, Header(card, card), Asking.REVEAL)
        for card in (f"c{number:05}" for number in range(CARDS))
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


DECK = _deck()

if __name__ == "__main__":
    main()
