"""Which order of due cards loses least after a holiday, when only so many fit into a day.

A simulated learner adds cards for 200 days, goes away, and then reviews the first so many of his
queue for 40 days; what he remembers is drawn from FSRS itself. The mean chance of recall over all
cards and those 40 days is what an order is worth; the error is that of the mean over the seeds.
Run: .venv/bin/python benchmarks/backlog.py
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev

from msgspec.structs import replace

from quizzer.fsrs.step import MemoryState, days_until, retrievability, step
from quizzer.values import Rating

SEEDS = 16
SETTLED, AFTER = 200, 40
CASES = ((300, 21, 20), (300, 21, 10), (600, 30, 20), (600, 14, 12))
"""Cards, days away, reviews a day."""


@dataclass(frozen=True, slots=True)
class Known:
    state: MemoryState
    day: int
    interval: int

    @property
    def due(self) -> int:
        return self.day + self.interval

    def recall(self, day: float) -> float:
        return retrievability(self.state, day - self.day)

    def rated(self, rating: Rating, day: int) -> "Known":
        state = step(self.state, rating, day - self.day)
        if rating is Rating.AGAIN:
            state = step(state, Rating.GOOD, 0)
        return Known(state, day, max(1, round(days_until(state.stability, 0.9))))


Order = Callable[[Known, int], float]


def gain(card: Known, day: int) -> float:
    """What a review today is expected to add to the chance of recall in a month."""
    known, month = card.recall(day), day + 30
    reviewed = known * card.rated(Rating.GOOD, day).recall(month)
    reviewed += (1 - known) * card.rated(Rating.AGAIN, day).recall(month)
    return reviewed - card.recall(month)


ORDERS: dict[str, Order] = {
    "earliest due day": lambda card, day: card.due,
    "overdue in proportion": lambda card, day: -(day - card.day) / card.interval,
    "largest gain in a month": lambda card, day: -gain(card, day),
    "least retrievable": lambda card, day: card.recall(day),
    "most retrievable": lambda card, day: -card.recall(day),
    "loses most by tomorrow": lambda card, day: card.recall(day + 1) - card.recall(day),
}


def main() -> None:
    for cards, away, cap in CASES:
        print(f"\n{cards} cards, {away} days away, {cap} reviews a day")
        print(f"{'':<26} {'recall':>7} {'error':>7} {'lapses':>7}")
        for name, order in ORDERS.items():
            found = [
                simulate(order, cards, away, cap, random.Random(seed)) for seed in range(SEEDS)
            ]
            recalls = [recall for recall, _ in found]
            error, lapses = stdev(recalls) / SEEDS**0.5, fmean(lapses for _, lapses in found)
            print(f"{name:<26} {fmean(recalls):7.4f} {error:7.4f} {lapses:7.1f}")


def simulate(
    order: Order, cards: int, away: int, cap: int, rng: random.Random
) -> tuple[float, int]:
    """Mean recall over the days after the holiday, and the lapses among their reviews."""
    deck: list[Known] = []
    for day in range(SETTLED):
        deck = [_reviewed(card, day, rng) if card.due <= day else card for card in deck]
        for _ in range(cards * (day + 1) // SETTLED - len(deck)):
            state = step(None, rng.choice((Rating.HARD, Rating.GOOD, Rating.GOOD)), 0)
            deck.append(Known(state, day, max(1, round(days_until(state.stability, 0.9)))))
    recall, lapses = 0.0, 0
    for day in range(SETTLED + away, SETTLED + away + AFTER):
        due = [place for place, card in enumerate(deck) if card.due <= day]
        for place in sorted(due, key=lambda place: order(deck[place], day))[:cap]:
            before = deck[place]
            deck[place] = _reviewed(before, day, rng)
            lapses += deck[place].state.stability < before.state.stability
        recall += fmean(card.recall(day) for card in deck)
    return recall / AFTER, lapses


def _reviewed(card: Known, day: int, rng: random.Random) -> Known:
    if rng.random() > card.recall(day):
        return card.rated(Rating.AGAIN, day)
    known = card.rated(rng.choices(list(Rating)[1:], (15, 75, 10))[0], day)
    # As fuzz would: cards of one day shall not stay together.
    return replace(known, interval=max(1, round(known.interval * rng.uniform(0.95, 1.05))))


if __name__ == "__main__":
    main()
