"""Memories that simulated learners have, and that the scheduler does not believe in.

Each tells the chance of recall of a card on a day, and learns from a repetition. Where a model is
from a paper its source is named; the others are what teachers complain about.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from math import exp, log
from random import Random
from typing import Protocol, Self

from _later_minds import TimeScales, Windows
from msgspec.structs import replace

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, Parameters
from quizzer.values import Rating

FIRST_RECALLED = 0.75
"""The share of new cards that are derived at the first try."""


class Mind(Protocol):
    """What a learner knows of each card; days are study days."""

    def recall(self, card: str, day: int) -> float:
        """The chance of recall on a day after the card's first."""
        ...

    def learn(self, card: str, day: int, rating: Rating) -> None:
        """A repetition that was rated so; Again is followed by another on the same day."""
        ...

    def copy(self) -> Self: ...


class Copied:
    """A mind that is copied whole."""

    def copy(self) -> Self:
        return deepcopy(self)


@dataclass
class Fsrs(Copied):
    """FSRS with parameters of its own, and a factor on the first stability of each card."""

    parameters: Parameters = DEFAULT_PARAMETERS
    ease: Mapping[str, float] = field(default_factory=dict)
    at: dict[str, tuple[MemoryState, int]] = field(default_factory=dict)

    def recall(self, card: str, day: int) -> float:
        state, last = self.at[card]
        return fsrs.retrievability(state, day - last, self.parameters)

    def learn(self, card: str, day: int, rating: Rating) -> None:
        state, last = self.at.get(card, (None, day))
        after = fsrs.step(state, rating, day - last, self.parameters)
        if state is None:
            after = replace(after, stability=after.stability * self.ease.get(card, 1.0))
        self.at[card] = after, day


@dataclass
class Slips(Copied):
    """Knows as FSRS believes, but slips in so many derivations, whatever is known.

    A slip is no forgetting: memory gains from the correction as from a recall.
    """

    random: Random
    share: float = 0.12
    known: Fsrs = field(default_factory=Fsrs)

    def recall(self, card: str, day: int) -> float:
        return (1 - self.share) * self.known.recall(card, day)

    def learn(self, card: str, day: int, rating: Rating) -> None:
        if rating is Rating.AGAIN and card in self.known.at:
            recall = self.known.recall(card, day)
            failed = 1 - (1 - self.share) * recall
            if self.random.random() < self.share * recall / failed:
                rating = Rating.GOOD
        self.known.learn(card, day, rating)


@dataclass
class PowerLaw(Copied):
    """Forgets by a power of time whose exponent is the card's own; recall doubles its scale."""

    random: Random
    exponent: dict[str, float] = field(default_factory=dict)
    at: dict[str, tuple[float, int]] = field(default_factory=dict)

    def recall(self, card: str, day: int) -> float:
        scale, last = self.at[card]
        return (1 + (day - last) / scale) ** -self.exponent[card]

    def learn(self, card: str, day: int, rating: Rating) -> None:
        if card not in self.at:
            self.exponent[card] = 0.2 * exp(self.random.gauss(0, 0.5))
            self.at[card] = (0.5 if rating is Rating.AGAIN else 1.0), day
            return
        scale, last = self.at[card]
        if day == last:
            return
        if rating is Rating.AGAIN:
            scale = max(0.5, scale / 4)
        else:
            scale += 2.0 * min(scale, day - last) + 0.5
        self.at[card] = scale, day


@dataclass
class ActR(Copied):
    """Activation from the decaying traces of all repetitions: Pavlik and Anderson, *Practice and
    forgetting effects on vocabulary memory* (2005), with their parameters."""

    ease: dict[str, float] = field(default_factory=dict)
    random: Random = field(default_factory=lambda: Random(0))
    traces: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """By card: the moment of each repetition in seconds of psychological time, and its decay."""

    INTERCEPT, SCALE, THRESHOLD, NOISE = 0.177, 0.217, -0.704, 0.255
    BETWEEN = 0.025
    """Time outside of study counts this much."""
    DAY = 86_400.0 * BETWEEN
    TIMES, SOON, STEP = 3, 10.0, 40.0
    """Repetitions in a derivation; seconds between them, and between derivations of one day."""

    def activation(self, card: str, now: float) -> float:
        return log(sum((now - at) ** -decay for at, decay in self.traces[card]))

    def recall(self, card: str, day: int) -> float:
        value = self.activation(card, day * self.DAY) + self.ease[card]
        return 1 / (1 + exp((self.THRESHOLD - value) / self.NOISE))

    def learn(self, card: str, day: int, rating: Rating) -> None:
        traces = self.traces.setdefault(card, [])
        self.ease.setdefault(card, self.random.gauss(0.45, 0.3))
        began = day * self.DAY
        began += self.STEP * (sum(at >= began for at, _ in traces) // self.TIMES)
        # A derivation is minutes of practice: several repetitions, one soon after the other.
        for number in range(1, self.TIMES + 1):
            now = began + number * self.SOON
            decay = self.INTERCEPT
            if traces:
                decay += self.SCALE * exp(self.activation(card, now))
            traces.append((now, decay))


@dataclass
class Interference(Copied):
    """FSRS, but each first day of a card weakens the others of its group of five."""

    known: Fsrs = field(default_factory=Fsrs)
    loss: float = 0.8

    def recall(self, card: str, day: int) -> float:
        return self.known.recall(card, day)

    def learn(self, card: str, day: int, rating: Rating) -> None:
        if card not in self.known.at:
            for other, (state, last) in list(self.known.at.items()):
                if _group(other) == _group(card):
                    weaker = replace(state, stability=max(0.1, state.stability * self.loss))
                    self.known.at[other] = weaker, last
        self.known.learn(card, day, rating)


def _group(card: str) -> tuple[str, bool]:
    """Five numbers in a row."""
    return card[:-1], card[-1] < "5"


@dataclass
class HalfLife(Copied):
    """A half-life that a recall doubles however soon it comes, and a lapse halves."""

    at: dict[str, tuple[float, int]] = field(default_factory=dict)

    def recall(self, card: str, day: int) -> float:
        half_life, last = self.at[card]
        return float(2 ** (-(day - last) / half_life))

    def learn(self, card: str, day: int, rating: Rating) -> None:
        if card not in self.at:
            self.at[card] = 4.0, day
            return
        half_life, last = self.at[card]
        if day > last:
            factor = 0.5 if rating is Rating.AGAIN else 2.0
            self.at[card] = max(0.5, half_life * factor), day


@dataclass
class MethodAndDetails(Copied):
    """A derivation comes back if its method and its own details do.

    Five cards share a method: each derivation of one practises it for all, and it is forgotten
    slowly. The details are the card's own and go fast. Each store forgets hyperbolically, and gains
    more from a repetition the more of it was forgotten; of a failure, the store that was likelier
    to fail is the cause more often, and only that one shrinks.
    """

    random: Random
    method: dict[tuple[str, bool], tuple[float, int]] = field(default_factory=dict)
    details: dict[str, tuple[float, int]] = field(default_factory=dict)
    """The days in which half of a store is forgotten, and the day of its last practice."""

    def recall(self, card: str, day: int) -> float:
        return _half_left(self.method[_group(card)], day) * _half_left(self.details[card], day)

    def learn(self, card: str, day: int, rating: Rating) -> None:
        group = _group(card)
        method = self.method.get(group)
        if card not in self.details:
            self.details[card] = (6.0 if rating is Rating.AGAIN else 18.0), day
            self.method[group] = (30.0, day) if method is None else _practised(method, day, 2.0)
            return
        assert method is not None
        details = self.details[card]
        lost, gone = 1 - _half_left(method, day), 1 - _half_left(details, day)
        blame = self.random.random() * (lost + gone)
        failed = rating is Rating.AGAIN and lost + gone > 0
        self.method[group] = _practised(method, day, -0.5 if failed and blame < lost else 4.0)
        self.details[card] = _practised(details, day, -0.6 if failed and blame >= lost else 8.0)


def _half_left(store: tuple[float, int], day: int) -> float:
    half, last = store
    return 1 / (1 + (day - last) / half)


def _practised(store: tuple[float, int], day: int, gain: float) -> tuple[float, int]:
    """A gain is multiplied by what had been forgotten, a loss is not."""
    factor = 1 + (gain * (1 - _half_left(store, day)) if gain > 0 else gain)
    return max(1.0, store[0] * factor), day


@dataclass
class TiredLearner(Copied):
    """Strength less the logarithm of the days since; but days differ, and so do hours of one.

    After a bad night, one in five, everything is harder; from the tenth derivation of a day on,
    each one is harder than the one before. A card left for four times as long as it was ever
    recalled over is confused with others: a failure then begins it anew.
    """

    random: Random
    strength: dict[str, float] = field(default_factory=dict)
    bridged: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The longest gap that a card was recalled over, and the day of its last repetition."""
    today: tuple[int, int] = (0, 0)
    """A day, and how many derivations were made on it."""
    nights: float = 0.0

    def recall(self, card: str, day: int) -> float:
        longest, last = self.bridged[card]
        gap = day - last
        value = self.strength[card] - 0.9 * log(1 + gap)
        if gap > 4 * max(longest, 2):
            value -= 0.7
        if self.nights and Random(f"{self.nights} {day}").random() < 0.2:
            value -= 0.8
        made = self.today[1] if self.today[0] == day else 0
        return 1 / (1 + exp(0.05 * max(0, made - 10) - value))

    def learn(self, card: str, day: int, rating: Rating) -> None:
        self.nights = self.nights or self.random.random()
        self.today = (day, self.today[1] + 1 if self.today[0] == day else 1)
        if card not in self.strength:
            first = 1.8 if rating is Rating.AGAIN else 2.6
            self.strength[card], self.bridged[card] = first + self.random.gauss(0, 0.4), (0, day)
            return
        longest, last = self.bridged[card]
        gap = day - last
        if gap == 0:
            return
        if rating is not Rating.AGAIN:
            self.strength[card] += 0.5 + 0.35 * log(1 + gap)
            longest = max(longest, gap)
        elif gap > 4 * max(longest, 2):
            self.strength[card], longest = 1.8, 0
        else:
            self.strength[card] = max(1.5, 0.6 * self.strength[card])
        self.bridged[card] = longest, day


def weak_first_day(random: Random) -> Mind:
    """FSRS whose first stabilities are a quarter of those believed in."""
    first = tuple(value / 4 for value in DEFAULT_PARAMETERS[:4])
    return Fsrs((*first, *DEFAULT_PARAMETERS[4:]))


MINDS: Mapping[str, Callable[[Random], Mind]] = {
    "as believed": lambda random: Fsrs(),
    "slips": Slips,
    "power law": PowerLaw,
    "ACT-R": lambda random: ActR(random=random),
    "weak first day": weak_first_day,
    "interference": lambda random: Interference(),
    "half-life": lambda random: HalfLife(),
    "method and details": MethodAndDetails,
    "tired learner": TiredLearner,
    "time scales": TimeScales,
    "windows": Windows,
}
