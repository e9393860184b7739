"""The landscape of an objective around a point: its slopes, what is lower, where it is flat."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quizzer.checker.declared.domains import draw
from quizzer.checker.declared.feasible import is_feasible, moved
from quizzer.checker.declared.values import Input
from quizzer.checker.derivative import Array, jacobian
from quizzer.checker.load import CheckerError

ROUNDING = 1e-11
"""What rounding may leave of a value, beside how much the objective differs around the point."""
Values = dict[str, Array]

_RADII = (1e-3, 1e-2, 0.1, 0.5, 1.0, 3.0, 10.0)
_DIRECTIONS = 12
_STARTS = 6
_STEPS = 40
_SECONDS = 0.25
"""Processor time for going downhill from far away."""
_MOST_FOR_CURVATURE = 12
_NONE = 1e-5
"""Of the largest curvature: less than it is no curvature."""
_STEP = 0.3


@dataclass
class Problem:
    """The objective around a point, as a function of a step in all directions at once."""

    objective: Callable[[Mapping[str, Array]], float]
    """To be minimised; NaN where it has no value."""
    asked: tuple[Input, ...]
    values: Values
    value: float = field(init=False)
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.value = self.objective(self.values)

    @cached_property
    def size(self) -> float:
        """How large the objective is, and how much it differs around the point."""
        around = [self.moved(_STEP * self.direction()) for _ in range(_DIRECTIONS)]
        differences = [abs(each - self.value) for each in around if np.isfinite(each)]
        return max([abs(self.value), *differences, 1e-300])

    def count(self) -> int:
        return sum(self.values[each.name].size for each in self.asked)

    def direction(self) -> Array:
        """A step of about the size of the point in a random direction."""
        return self.lengths * self.rng.standard_normal(self.count())

    @cached_property
    def lengths(self) -> Array:
        """For each entry how large those of its array are."""
        values = [self.values[each.name] for each in self.asked]
        sizes = [max(float(np.sqrt(np.mean(value**2))), 0.1) for value in values]
        return np.repeat(sizes, [value.size for value in values])

    def stepped(self, step: Array) -> Values | None:
        """The point after a step, brought back into the domains; None where that cannot be."""
        found, place = {}, 0
        for each in self.asked:
            value = self.values[each.name]
            mine = step[place : place + value.size].reshape(value.shape)
            place += value.size
            after = moved(each.domain, value, mine)
            if after is None:
                return None
            found[each.name] = after
        return found

    def there(self, values: Values) -> "Problem":
        """The same landscape around another point."""
        return Problem(self.objective, self.asked, values)

    def moved(self, step: Array) -> float:
        after = self.stepped(step)
        return np.nan if after is None else self.objective(after)

    def gradient(self) -> Array:
        return self.slopes_at(np.zeros(self.count()))

    def slope(self) -> float:
        """The largest slope in any feasible direction; infinite where there is none."""
        found = self.gradient()
        return float(np.max(np.abs(found))) if np.isfinite(found).all() else np.inf

    def steepness(self) -> float:
        """How steep the objective is around the point."""
        found = []
        for _ in range(3):
            after = self.stepped(_STEP * self.direction())
            if after is not None:
                slope = self.there(after).slope()
                found += [slope] if np.isfinite(slope) else []
        return max(found, default=0.0)

    def lower(self) -> float | None:
        """A value that is less, looked for near the point and far from it."""
        slack = 1e3 * ROUNDING * self.size
        for radius in _RADII:
            for _ in range(_DIRECTIONS):
                value = self.moved(radius * self.direction())
                if value < self.value - slack:
                    return value
        end = time.process_time() + _SECONDS
        for number in range(_STARTS):
            if time.process_time() > end:
                break
            start = self.stepped(0.05 * self.direction()) if number < 2 else self.drawn(number)
            if start is None:
                continue
            value = descended(self.there(start), _STEPS).value
            if value < self.value - slack:
                return value
        return None

    def drawn(self, number: int) -> Values:
        """A point that is drawn from the domains, some of them further out."""
        found = {}
        for each in self.asked:
            shape = self.values[each.name].shape
            value = draw(each.domain, self.rng, shape, {}, 0)
            wide = each.domain.kind in ("normal", "fixed", "symmetric")
            found[each.name] = value * (3.0 if wide and number % 2 else 1.0)
        return found

    def has_alike(self) -> bool:
        """Whether the value is the same with another sign, another factor, or turned around."""
        for turned in self.alike():
            if self.distance(turned) > 1e-3 and all(
                is_feasible(each.domain, turned[each.name]) for each in self.asked
            ):
                value = self.objective(turned)
                if np.isfinite(value) and abs(value - self.value) <= 10 * ROUNDING * self.size:
                    return True
        return False

    def alike(self) -> list[Values]:
        changes: tuple[Callable[[Array], Array], ...] = (
            lambda a: -a,
            lambda a: 2 * a,
            lambda a: a + 1,
            lambda a: a[::-1] if a.ndim else a,
            lambda a: a[..., ::-1] if a.ndim else a,
        )
        return [{n: change(value) for n, value in self.values.items()} for change in changes]

    def distance(self, values: Mapping[str, Array]) -> float:
        return max(float(np.max(np.abs(values[n] - self.values[n]))) for n in self.values)

    def flatness(self) -> tuple[bool, bool]:
        """Whether it is as low in other places near by, and whether that cannot be told: a value
        that grows as the fourth power of a step says too little of where its least is."""
        if self.count() > _MOST_FOR_CURVATURE:
            return False, False
        found = self.curvature()
        if not np.isfinite(found).all():
            return False, False
        curvatures, directions = np.linalg.eigh(found)
        length = float(np.linalg.norm(self.direction())) / np.sqrt(self.count())
        bent = np.abs(curvatures) * length**2
        least = _NONE * max(float(bent.max()), 1e-2 * self.size)
        flat = uncertain = False
        for direction in directions.T[bent < least]:
            start = self.stepped(_STEP * length * direction)
            if start is None or self.distance(start) < 0.1 * _STEP * length / len(direction):
                continue  # the domain brings it back
            end = descended(self.there(start), 3 * _STEPS)
            low = end.value <= self.value + 1e-6 * self.size
            far = self.distance(end.values) > 0.2 * self.distance(start)
            flat, uncertain = flat or (low and far), uncertain or not (low and far)
        return flat, uncertain

    def curvature(self) -> Array:
        """The matrix of second derivatives, by differences of the first."""
        step, count = 1e-4, self.count()
        rows = []
        for place in range(count):
            moves = []
            for sign in (1, -1):
                at = np.zeros(count)
                at[place] = sign * step
                moves.append(self.slopes_at(at))
            rows.append((moves[0] - moves[1]) / (2 * step))
        found = np.asarray(rows)
        return (found + found.T) / 2

    def slopes_at(self, at: Array) -> Array:
        """The slopes in all directions after a step; NaN where there are none."""

        # Counted from 1 in lengths of the point: differences around 0 would be tiny, and rounded.
        def flat(place: NDArray[Any]) -> NDArray[Any]:
            if np.iscomplexobj(place):
                raise CheckerError("formulas are worked out in real numbers")
            return np.asarray([self.moved((place - 1.0) * self.lengths)])

        with np.errstate(all="ignore"):
            slopes: Array = jacobian(flat, at / self.lengths + 1.0)[0] / self.lengths
            return slopes


def descended(problem: Problem, steps: int) -> Problem:
    """Where going downhill leads from a point, as far as so many steps do."""
    rate = 0.1
    for _ in range(steps):
        gradient = problem.gradient()
        if not (np.isfinite(problem.value) and np.isfinite(gradient).all() and gradient.any()):
            break
        for _ in range(20):
            after = problem.stepped(-rate * gradient)
            if after is not None and problem.objective(after) < problem.value:
                break
            rate /= 3
        else:
            break
        problem, rate = problem.there(after), 2 * rate
    return problem
