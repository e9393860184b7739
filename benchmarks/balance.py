"""What load balancing does to the days of a year: how even they are, and whether recall suffers.

A simulated learner adds four cards a day, 800 or 100 in all, and reviews all that is due for 400
days. The unevenness is the standard deviation of a day's reviews around the mean of its fortnight,
divided by the mean of all days. Run: .venv/bin/python benchmarks/balance.py
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from statistics import fmean, pstdev

from quizzer.fsrs.balance import EVEN, Load
from quizzer.fsrs.scheduler import Policy, fuzz_range, intervals, remember
from quizzer.fsrs.step import MemoryState, retrievability
from quizzer.values import Memory, Rating, State

SEEDS, CARDS, DAYS, SETTLED = 4, (800, 100), 400, 60
START = datetime(2026, 1, 5, 12, tzinfo=UTC)
WEEKEND = (1.0,) * 5 + (0.5, 0.5)
PLAIN = Policy(fuzz=False)
Choice = Callable[[str, Memory | None, int, Mapping[int, int]], dict[Rating, int]]


def drawn(card: str, memory: Memory | None, day: int, due: Mapping[int, int]) -> dict[Rating, int]:
    return intervals(card, memory, day)


def emptiest(tie: Callable[[str, int], int]) -> Choice:
    """A look at every day of the fuzz range, which quizzer does not do."""

    def choose(
        card: str, memory: Memory | None, day: int, due: Mapping[int, int]
    ) -> dict[Rating, int]:
        chosen = {}
        for rating, plain in intervals(card, memory, day, PLAIN).items():
            least, greatest = fuzz_range(plain)
            cards = [due.get(day + on, 0) for on in range(least, greatest + 1)]
            days = [on for on, there in enumerate(cards, least) if there == min(cards)]
            chosen[rating] = days[tie(f"{card} {day}", len(days))]
        return chosen

    return choose


def balanced(shares: tuple[float, ...]) -> Choice:
    return lambda card, memory, day, due: intervals(
        card, memory, day, load=Load(lambda first, last: due, shares)
    )


CHOICES: dict[str, Choice] = {
    "drawn at random": drawn,
    "the emptier of two drawn": balanced(EVEN),
    "the same, half on weekends": balanced(WEEKEND),
    "the emptiest, ties drawn": emptiest(lambda seed, days: random.Random(seed).randrange(days)),
    "the emptiest, ties early": emptiest(lambda seed, days: 0),
}


def main() -> None:
    for cards in CARDS:
        print(f"\n{f'{cards} cards':<28} {'uneven':>7} {'recall':>7} {'a day':>6} {'weekend':>8}")
        for name, choose in CHOICES.items():
            found = [simulate(choose, cards, random.Random(seed)) for seed in range(SEEDS)]
            uneven, recall, daily, weekend = (fmean(column) for column in zip(*found, strict=True))
            print(f"{name:<28} {uneven:7.3f} {recall:7.4f} {daily:6.2f} {weekend:8.2f}")


def simulate(choose: Choice, cards: int, rng: random.Random) -> tuple[float, float, float, float]:
    """Unevenness, mean recall at review, reviews a day, a weekend day's part of a weekday's."""
    deck: dict[str, Memory] = {}
    due, recalls, counts = Counter[int](), list[float](), list[int]()
    first = START.toordinal()
    for day in range(first, first + DAYS):
        today = [card for card, memory in deck.items() if memory.due_day <= day]
        for card in today:
            memory = deck[card]
            recall = retrievability(
                MemoryState(memory.stability, memory.difficulty), day - memory.day
            )
            recalls.append(recall)
            passed = rng.choices(list(Rating)[1:], (15, 75, 10))[0]
            rating = passed if rng.random() < recall else Rating.AGAIN
            due[memory.due_day] -= 1
            deck[card] = _rated(choose, card, memory, rating, day, due)
        for _ in range(min(4, cards - len(deck))):
            card = f"card-{len(deck)}"
            deck[card] = _rated(choose, card, None, Rating.GOOD, day, due)
        counts.append(len(today))
    counts = counts[SETTLED:]
    off = [counts[n] - fmean(counts[n - 7 : n + 8]) for n in range(7, len(counts) - 7)]
    by_day = [[n for at, n in enumerate(counts, SETTLED) if at % 7 == day] for day in range(7)]
    week = [fmean(of_day) for of_day in by_day]
    return (
        pstdev(off) / fmean(counts),
        fmean(recalls),
        fmean(counts),
        fmean(week[5:]) / fmean(week[:5]),
    )


def _rated(
    choose: Choice, card: str, memory: Memory | None, rating: Rating, day: int, due: Counter[int]
) -> Memory:
    """After the rating, and after the step where it was forgotten."""
    after = remember(memory, rating, choose(card, memory, day, due)[rating], START, day)
    if after.interval == 0:
        after = remember(after, Rating.GOOD, choose(card, after, day, due)[Rating.GOOD], START, day)
    assert after.state is State.REVIEW
    due[after.due_day] += 1
    return after


if __name__ == "__main__":
    main()
