"""A checker seen from our side: its code runs in the sandbox, and each stage is a method here.

What comes back may be forged, so nothing is passed on that does not fit together. There is no NumPy
here before a reply: it can be imported while the first stage runs.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.checker import stages
from quizzer.checker.known_branches import KnownBranches
from quizzer.checker.requests import (
    Confirm,
    Describe,
    Inspect,
    Pose,
    PoseTwice,
    Print,
    Printed,
    Scout,
    Scouted,
)
from quizzer.checker.soundness import (
    derivation_is_sound,
    description_is_sound,
    further_are_sound,
    instances_are_sound,
    material_is_sound,
)
from quizzer.checker.source import Source
from quizzer.checker.stages import Failed, Stage
from quizzer.sandbox.worker import Worker
from quizzer.text import clean, sentence

if TYPE_CHECKING:
    from quizzer.checker.derivation.derive import Derive, Derived
    from quizzer.checker.derivative import Array
    from quizzer.checker.explain import Material
    from quizzer.checker.flaw import Flaw
    from quizzer.checker.instance import Instance
    from quizzer.checker.posed import Further, Posed
    from quizzer.checker.sheet import Described

INSTANCES = 4
"""Instances that a seed gives, besides those that it takes to reach every branch."""

# Shares of a checker's time limit.
_SHARE_FOR_BRANCHES = 0.5
_SHARE_FOR_RARE = 0.4
_SHARE_FOR_DERIVATIVES = 0.4
_SHARE_FOR_FURTHER = 0.5

Q = TypeVar("Q")
R = TypeVar("R")


class CheckerBroken(Exception):
    """The checker cannot be used; the message is for its author."""


class RemoteChecker(Struct, frozen=True):
    """A checker's source, and the worker that runs its stages within `seconds` each.

    Every method that returns something raises CheckerBroken where a stage gives no sound result.
    """

    worker: Worker
    name: str
    source: Source
    seconds: float
    known: KnownBranches = field(default_factory=KnownBranches)
    python: bool = True
    """Whether answers in NumPy notation may run here."""
    sets: Callable[[], tuple[str, ...]] = tuple
    """Gives the definitions of sets and functions of its card, for reading answers."""

    def describe(self) -> "Described":
        """What the card asks, without proof."""
        described = self._run(stages.DESCRIBE, Describe(self.source))
        if not description_is_sound(described):
            raise self._unsound("description")
        return described

    def pose(self, seed: int, count: int, pieces: Collection[str] = ()) -> "Posed":
        """Certified instances: `count` by the seed, and those it takes to reach all branches.

        With the many problems of `confirm` for the asked names among `pieces`, if time allows.
        """
        posed = self._run(stages.POSE, self._pose(seed, count, pieces))
        return self._learned(posed, count)

    def pose_twice(self, seed: int, count: int, few: int) -> "tuple[Posed, Posed | None]":
        """The same by `count` instances, and by `few`, as far as one process has time for both."""
        request = PoseTwice(self._pose(seed, count), few)
        posed = self._run(stages.POSE_TWICE, request)
        many, on_few = self._learned(posed.many, count), posed.on_few(few)
        return many, on_few if on_few and instances_are_sound(on_few, few) else None

    def _pose(self, seed: int, count: int, pieces: Collection[str] = ()) -> Pose:
        known = {name: each.draws for name, each in self.branches().branches.items()}
        seconds = _SHARE_FOR_RARE * self.seconds
        return Pose(self.source, seed, count, known, pieces=tuple(sorted(pieces)), seconds=seconds)

    def _learned(self, posed: "Posed", count: int) -> "Posed":
        """What is posed, if it is sound; the branches that it reaches are kept."""
        if not instances_are_sound(posed, count):
            raise self._unsound("instances")
        self.known.add(self.source, {each.draw: each.branches for each in posed.further})
        return posed

    def confirm(self, posed: "Posed", asked: str, seed: int) -> "tuple[Further, ...]":
        """Many further problems of what is posed, for answers with pieces of their own."""
        request = Confirm(self.source, asked, seed, _SHARE_FOR_FURTHER * self.seconds)
        further = self._run(stages.CONFIRM, request).further
        if not further_are_sound(further, posed.sheet, {asked}):
            raise self._unsound("problems")
        return further

    def branches(self) -> Scouted:
        """The branches that occur in cheap draws; looked for once for each source."""
        scouted = self.known.of(self.source)
        if scouted is None:
            seconds = _SHARE_FOR_BRANCHES * self.seconds
            scouted = self._run(stages.SCOUT, Scout(self.source, seconds))
            self.known.keep(self.source, scouted)
        return scouted

    def explain(self, posed: "Posed", asked: str) -> "Material":
        """What wrong answers to `asked` may be: the author's claims, and other derivatives."""
        from quizzer.checker.explain import Explain

        seconds = _SHARE_FOR_DERIVATIVES * self.seconds
        request = Explain(self.source, asked, posed.instances, _others(posed), seconds)
        material = self._run(stages.EXPLAIN, request)
        if not material_is_sound(material, posed, asked):
            raise self._unsound("values")
        return material

    def explain_all(self, posed: "Posed") -> "tuple[Material, ...]":
        """The same for everything that is asked, in one process."""
        from quizzer.checker.explain import ExplainAll

        asked = tuple(posed.sheet.asked)
        seconds = _SHARE_FOR_DERIVATIVES * self.seconds
        request = ExplainAll(self.source, asked, posed.instances, _others(posed), seconds)
        found = self._run(stages.EXPLAIN_ALL, request).found
        if len(found) != len(asked) or not all(
            material_is_sound(material, posed, name)
            for material, name in zip(found, asked, strict=True)
        ):
            raise self._unsound("values")
        return found

    def accept(
        self, posed: "Posed", asked: str, values: "tuple[Array, ...]"
    ) -> tuple[bool | str | None, ...]:
        """What the checker's own `accept` says of an answer on each instance."""
        from quizzer.checker.explain import Accept

        request = Accept(self.source, asked, posed.instances, values)
        return self._run(stages.ACCEPT, request).opinions

    def inspect(self) -> "tuple[Flaw, ...]":
        """What the source shows without running."""
        return self._run(stages.INSPECT, Inspect(self.source)).flaws

    def printed(self, title: str) -> Printed:
        """The NumPy module that it means, where it is declared."""
        return self._run(stages.PRINT, Print(self.source, title))

    def vary(self, posed: "Posed") -> "tuple[Instance, ...]":
        """The instances with other values, as far as those can be worked out."""
        from quizzer.checker.vary import Vary

        request = Vary(self.source, 0, posed.instances, posed.sheet.symmetric)
        varied = self._run(stages.VARY, request).instances
        if not instances_are_sound(replace(posed, instances=varied, tied=()), len(varied)):
            raise self._unsound("instances")
        return varied

    def derive(self, request: "Derive") -> "Derived | Failed":
        """What the lines of a derivation claim and give; what failed is no fault of the checker."""
        derived = stages.run(self.worker, stages.DERIVE, request, self.seconds)
        if isinstance(derived, Failed):
            return derived
        if not derivation_is_sound(derived, len(request.instances)):
            raise self._unsound("derivation")
        return derived

    def _run(self, stage: Stage[Q, R], request: Q) -> R:
        result = stages.run(self.worker, stage, request, self.seconds)
        if isinstance(result, Failed):
            message = result.message
            if result.kind == "timeout":
                message += "; sample smaller arrays, or set `seconds`"
            raise CheckerBroken(f"{clean(self.name)}: {sentence(message)}")
        return result

    def _unsound(self, what: str) -> CheckerBroken:
        return CheckerBroken(f"{clean(self.name)}: The process gave no sound {what}.")


def _others(posed: "Posed") -> "tuple[Instance, ...]":
    """The ties and further problems, on which a claim may fail."""
    return (
        *(each.instance for each in posed.tied),
        *(each.instance for each in posed.further),
    )
