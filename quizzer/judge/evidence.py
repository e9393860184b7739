"""A wrong answer beside everything that it may be compared with."""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance
from quizzer.checker.meaning import Target, resolve
from quizzer.checker.sheet import Sheet
from quizzer.judge.acceptance import Arrays, is_near


@dataclass(frozen=True, slots=True)
class Claimed:
    """A sentence about an answer, and the answer it speaks of on every instance, at ties and on
    further problems too."""

    sentence: str
    values: tuple[Array, ...]
    tied: tuple[Array | None, ...] = ()
    further: tuple[Array | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A wrong answer, the truth, and everything the answer may be compared with."""

    asked: str
    sheet: Sheet
    instances: tuple[Instance, ...]
    answers: tuple[Array, ...]
    wrong: tuple[Claimed, ...] = ()
    variants: tuple[Claimed, ...] = ()
    terms: tuple[Claimed, ...] = ()
    jacobians: tuple[Array, ...] = ()
    others: tuple[Claimed, ...] = ()
    exchanged: tuple[Claimed, ...] = ()
    """The answer worked out again with an output in an input's place, or the other way round."""
    doubled: tuple[Array, ...] = ()
    """The answer worked out again with all upstreams doubled."""

    @property
    def truths(self) -> tuple[Array, ...]:
        return tuple(instance.truths[self.asked].value for instance in self.instances)

    @property
    def target(self) -> Target:
        first = self.instances[0]
        return resolve(self.asked, first.variables, first.outputs)

    @property
    def same_shape(self) -> bool:
        return all(a.shape == t.shape for a, t in zip(self.answers, self.truths, strict=True))

    def are(self, values: Sequence[Array], wanted: Arrays | None = None) -> bool:
        """Whether `values` are the wanted arrays (the truths) on every instance."""
        wanted = self.truths if wanted is None else wanted
        return len(values) == len(wanted) and all(map(is_near, values, wanted))

    def are_but_for_ones(self, values: Sequence[Array], wanted: Arrays | None = None) -> bool:
        """The same, with axes of length 1 more or fewer."""
        wanted = self.truths if wanted is None else wanted
        pairs = list(zip(values, wanted, strict=False))
        if len(values) != len(wanted) or any(_sizes(a) != _sizes(b) for a, b in pairs):
            return False
        return self.are([a.reshape(b.shape) for a, b in pairs], wanted)


def _sizes(array: Array) -> list[int]:
    return [length for length in array.shape if length != 1]
