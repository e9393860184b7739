"""Two memories of the literature, written from their descriptions before the corrections of the
forecast that they judge; like those of `_minds.py`, nothing in the program knows them."""

from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from math import exp, log
from random import Random
from typing import Self

from quizzer.values import Rating


@dataclass
class TimeScales:
    """Traces that leak at scales from two days to years: the multiscale context model of Mozer,
    Pashler, Cepeda, Lindsey and Vul, *Predicting the optimal spacing of study* (2009).

    A repetition fills each trace as far as the faster ones leave something to be filled, and much
    more so after a recall than after a failure: soon repeated, the slow traces gain little.
    """

    random: Random
    traces: dict[str, tuple[list[float], int]] = field(default_factory=dict)
    """By card: the traces, and the day on which they were such."""
    rate: dict[str, float] = field(default_factory=dict)

    SCALES = tuple(2.0 * 3.0**number for number in range(8))
    WEIGHTS = tuple(0.9**number for number in range(8))
    RECALLED, FORGOTTEN = 0.9, 0.45

    def recall(self, card: str, day: int) -> float:
        return min(1.0, self._strengths(self._leaked(card, day))[-1])

    def learn(self, card: str, day: int, rating: Rating) -> None:
        if card not in self.traces:
            self.rate[card] = exp(self.random.gauss(0, 0.25))
            self.traces[card] = [0.0] * len(self.SCALES), day
        traces = self._leaked(card, day)
        filling = self.FORGOTTEN if rating is Rating.AGAIN else self.RECALLED
        filling = min(1.0, filling * self.rate[card])
        gains = [filling * max(0.0, 1 - strength) for strength in self._strengths(traces)]
        filled = [min(1.0, each + gain) for each, gain in zip(traces, gains, strict=True)]
        self.traces[card] = filled, day

    def copy(self) -> Self:
        return deepcopy(self)

    def _leaked(self, card: str, day: int) -> list[float]:
        traces, since = self.traces[card]
        return [
            each * exp(-(day - since) / scale)
            for each, scale in zip(traces, self.SCALES, strict=True)
        ]

    def _strengths(self, traces: list[float]) -> list[float]:
        """For each trace the weighted mean of it and all faster ones."""
        total = weights = 0.0
        found = []
        for each, weight in zip(traces, self.WEIGHTS, strict=True):
            total, weights = total + weight * each, weights + weight
            found.append(total / weights)
        return found


@dataclass
class Windows:
    """Successes and attempts counted in windows of time, of the card and of the skill that it
    shares with four others: Choffin, Popineau, Bourda and Vie, *DAS3H* (2019).

    Nothing decays: recall falls when a repetition leaves a window.
    """

    random: Random
    ease: dict[str, float] = field(default_factory=dict)
    tried: dict[str, list[tuple[int, bool]]] = field(default_factory=lambda: defaultdict(list))
    """By card or skill: the days of attempts, and whether they succeeded."""

    WINDOWS = (1, 7, 30, 120, 100_000)
    WINS = (0.2, 0.8, 0.8, 0.8, 0.8)
    ATTEMPTS = (0.0, -0.15, -0.15, -0.15, -0.15)
    SKILL = 0.2

    def recall(self, card: str, day: int) -> float:
        value = self.ease[card] + self._gained(card, day)
        return 1 / (1 + exp(-value - self.SKILL * self._gained(_skill(card), day)))

    def learn(self, card: str, day: int, rating: Rating) -> None:
        if card not in self.ease:
            self.ease[card] = self.random.gauss(-0.9, 0.6)
        for each in (card, _skill(card)):
            self.tried[each].append((day, rating is not Rating.AGAIN))

    def copy(self) -> Self:
        return deepcopy(self)

    def _gained(self, what: str, day: int) -> float:
        total = 0.0
        for window, win, attempt in zip(self.WINDOWS, self.WINS, self.ATTEMPTS, strict=True):
            recent = [won for at, won in self.tried[what] if day - at < window]
            total += win * log(1 + sum(recent)) + attempt * log(1 + len(recent))
        return total


def _skill(card: str) -> str:
    """That of five numbers in a row."""
    return f"skill {card[:-1]} {card[-1] < '5'}"
