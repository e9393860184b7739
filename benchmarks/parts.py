"""A memory for each part of a card: what it would save, before anything of it is built.

A card asks several parts and has one memory today: it is due as a whole, and its worse part rates
it. With a memory for each part only those due would be asked, the others shown solved. Learners
have cards of two parts that they forget as FSRS says; what parts share is a memory of the card, by
which all of them come back or none: recall of a part is R_card^share · R_own^(1 - share). A part
that is shown teaches nothing.

Minutes, fixed before anything was measured: `READ` for the card, `SOLVE` for each part asked,
`SHOWN` for each part that is shown. Both plans are run at several desired retentions. A figure is
the hours that each takes for the whole cards recalled that a memory for each card reaches at 0.9,
between two retentions along a line: the mean of all weeks over a year, or of the day of an exam.

Run: .venv/bin/python benchmarks/parts.py [--learners N] [--cards N] [--parts N] [--seed N]
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, stdev

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.step import MemoryState
from quizzer.values import Rating

READ, SOLVE, SHOWN = 1.0, 3.0, 0.5
SHARES = (0.0, 0.5, 1.0)
RETENTIONS = (0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98)
WANTED = 0.9
KNOWN_AT_FIRST = 0.75
SPANS = {"a year": (365, 2), "an exam in 60 days": (60, 4)}
"""Days, and new cards a day."""


@dataclass
class Remembered:
    """A memory and the day of its last repetition."""

    state: MemoryState | None = None
    day: int = 0

    def recall(self, day: int) -> float:
        if self.state is None:
            return KNOWN_AT_FIRST
        return fsrs.retrievability(self.state, day - self.day)

    def learn(self, recalled: bool, day: int) -> None:
        rating = Rating.GOOD if recalled else Rating.AGAIN
        self.state, self.day = fsrs.step(self.state, rating, day - self.day), day

    def due(self, retention: float) -> int:
        if self.state is None:
            return self.day
        return self.day + max(1, round(fsrs.days_until(self.state.stability, retention)))


@dataclass
class Card:
    """What the learner knows, and what each plan believes of it."""

    parts: int
    common: Remembered = field(default_factory=Remembered)
    own: list[Remembered] = field(init=False)
    believed: list[Remembered] = field(init=False)
    """One for all parts, or one for each."""

    def __post_init__(self) -> None:
        self.own = [Remembered() for _ in range(self.parts)]
        self.believed = []

    def recall(self, share: float, day: int) -> float:
        """The chance that all parts are recalled."""
        found = self.common.recall(day) ** share
        for own in self.own:
            found *= own.recall(day) ** (1 - share)
        return found

    def review(self, asked: Sequence[int], share: float, day: int, random: Random) -> list[bool]:
        """Solve these parts; which were recalled."""
        whole = random.random() < self.common.recall(day) ** share
        self.common.learn(whole, day)
        found = []
        for part in asked:
            alone = random.random() < self.own[part].recall(day) ** (1 - share)
            self.own[part].learn(alone, day)
            found.append(whole and alone)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--learners", type=int, default=8)
    parser.add_argument("--cards", type=int, default=120)
    parser.add_argument("--parts", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.learners} learners, {options.cards} cards of {options.parts} parts")
    heads = f"{'whole cards':>12}{'h by card':>11}{'h by part':>11}{'saved':>16}"
    print(f"{'span':<20}{'shared':>8}{heads}")
    for name, (days, new) in SPANS.items():
        for share in SHARES:
            rows = [
                compared(options.cards, options.parts, share, days, new, f"{options.seed} {number}")
                for number in range(options.learners)
            ]
            recall, whole, parts = (fmean(column) for column in zip(*rows, strict=True))
            saved = [100 * (1 - by_part / by_card) for _, by_card, by_part in rows]
            error = stdev(saved) / sqrt(len(saved)) if len(saved) > 1 else 0.0
            print(
                f"{name:<20}{share:>8.1f}{recall:>12.1%}{whole:>11.1f}{parts:>11.1f}"
                f"{f'{fmean(saved):+.1f} ± {error:.1f} %':>16}",
                flush=True,
            )


def compared(
    cards: int, parts: int, share: float, days: int, new: int, seed: str
) -> tuple[float, float, float]:
    """Recall with a memory for each card at `WANTED`, its hours, and those by part."""
    by_card, by_part = (
        [lived(cards, parts, share, days, new, retention, each, seed) for retention in RETENTIONS]
        for each in (False, True)
    )
    recall, hours = by_card[RETENTIONS.index(WANTED)]
    return recall, hours, hours_for(recall, by_part)


def hours_for(recall: float, points: Sequence[tuple[float, float]]) -> float:
    """Along the line between the two points of recall and hours around this recall."""
    ordered = sorted(points)
    for (low, fewer), (high, more) in pairwise(ordered):
        if low <= recall <= high:
            return fewer + (more - fewer) * (recall - low) / max(high - low, 1e-9)
    raise ValueError(f"recall {recall:.3f} lies beyond {ordered[0][0]:.3f} to {ordered[-1][0]:.3f}")


def lived(
    count: int,
    parts: int,
    share: float,
    days: int,
    new: int,
    retention: float,
    each: bool,
    seed: str,
) -> tuple[float, float]:
    """The whole cards recalled, as a share, and the hours, with a memory for `each` part."""
    cards = [Card(parts) for _ in range(count)]
    lucks = [Random(f"{seed} {number}") for number in range(count)]
    minutes, recalls = 0.0, list[float]()
    for day in range(days):
        for number, (card, luck) in enumerate(zip(cards, lucks, strict=True)):
            if number < new * (day + 1):
                minutes += studied(card, share, day, retention, each, luck)
        if days > 100 and day % 7 == 6:
            recalls.append(recalled(cards, share, day + 1))
    return fmean(recalls or [recalled(cards, share, days)]), minutes / 60


def studied(
    card: Card, share: float, day: int, retention: float, each: bool, luck: Random
) -> float:
    """Review the card if it is due; the minutes that took."""
    if not card.believed:
        card.believed = [Remembered(day=day) for _ in range(card.parts if each else 1)]
    due = [part for part, memory in enumerate(card.believed) if memory.due(retention) <= day]
    if not due:
        return 0.0
    asked = due if each else list(range(card.parts))
    found = card.review(asked, share, day, luck)
    if each:
        for part, right in zip(asked, found, strict=True):
            card.believed[part].learn(right, day)
    else:
        card.believed[0].learn(all(found), day)
    return READ + SOLVE * len(asked) + SHOWN * (card.parts - len(asked))


def recalled(cards: Sequence[Card], share: float, day: int) -> float:
    met = [card for card in cards if card.believed]
    return fmean(card.recall(share, day) for card in met)


if __name__ == "__main__":
    main()
