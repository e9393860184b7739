"""A checker seen from our side: its code runs in the sandbox, and each stage is a method here.

What comes back may be forged, so nothing is passed on that does not fit together. There is no NumPy
here before a reply: it can be imported while the first stage runs.
"""

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.checker import stages
from quizzer.checker.known_branches import KnownBranches
from quizzer.checker.known_ties import KnownTies
from quizzer.checker.requests import (
    Confirm,
    Describe,
    Inspect,
    Pose,
    Print,
    Printed,
    Scout,
    Scouted,
    Study,
)
from quizzer.checker.soundness import (
    derivation_is_sound,
    description_is_sound,
    instances_are_sound,
    many_are_sound,
    material_is_sound,
    studied_is_sound,
    varied_are_sound,
)
from quizzer.checker.source import Source
from quizzer.checker.stages import Failed, Stage
from quizzer.sandbox.worker import Worker
from quizzer.text import clean, sentence

if TYPE_CHECKING:
    from quizzer.checker.derivation.derived import Derive, Derived
    from quizzer.checker.derivative import Array
    from quizzer.checker.explain import Material
    from quizzer.checker.flaw import Flaw
    from quizzer.checker.instance import Instance
    from quizzer.checker.posed import Further, Posed
    from quizzer.checker.sheet import Described
    from quizzer.checker.studied import Studied

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
    ties: KnownTies = field(default_factory=KnownTies)
    python: bool = True
    """Whether answers in NumPy notation may run here."""
    sets: Callable[[], tuple[str, ...]] = tuple
    """Gives the definitions of sets and functions of its card, for reading answers."""

    def describe(self) -> "Described":
        """What the card asks, without proof."""
        kept = self.ties.of(self.source)
        known = kept.description() if kept else None
        if known and description_is_sound(known):
            return known
        described = self._run(stages.DESCRIBE, Describe(self.source))
        if not description_is_sound(described):
            raise self._unsound("description")
        return described

    def pose(self, seed: int, count: int, pieces: Collection[str] = ()) -> "Posed":
        """Certified instances: `count` by the seed, and those it takes to reach all branches.

        With the many problems of `confirm` for the asked names among `pieces`, if time allows.
        """
        known = {name: each.draws for name, each in self.branches().branches.items()}
        request = Pose(
            *(self.source, seed, count, known),
            pieces=tuple(sorted(pieces)),
            seconds=_SHARE_FOR_RARE * self.seconds,
        )
        posed = self._posed(request)
        if not instances_are_sound(posed, count):
            raise self._unsound("instances")
        self._learn(posed)
        return posed

    def _posed(self, request: Pose) -> "Posed":
        """What is posed; what is the same for every seed is made once for each source."""
        if kept := self.ties.of(self.source):
            posed = self._run(stages.POSE, replace(request, of_every_seed=False))
            described, tied = kept.description(), kept.ties()
            if described is not None and tied is not None:
                return replace(posed, described=described, tied=tied)
        posed = self._run(stages.POSE, request)
        self.ties.keep(self.source, posed)
        return posed

    def _learn(self, posed: "Posed") -> None:
        self.known.add(self.source, {each.draw: each.branches for each in posed.further})

    def confirm(self, posed: "Posed", asked: Iterable[str], seed: int) -> "tuple[Further, ...]":
        """Many further problems of what is posed, for answers with pieces of their own."""
        request = Confirm(self.source, tuple(asked), seed, _SHARE_FOR_FURTHER * self.seconds)
        further = self._run(stages.CONFIRM, request).further
        if not many_are_sound(further, posed.sheet):
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
        request = Explain(self.source, asked, posed.instances, posed.elsewhere, seconds)
        material = self._run(stages.EXPLAIN, request)
        if not material_is_sound(material, posed, asked):
            raise self._unsound("values")
        return material

    def accept(
        self, posed: "Posed", asked: str, values: "tuple[Array, ...]"
    ) -> tuple[bool | str | None, ...]:
        """What the checker's own `accept` says of an answer on each instance."""
        from quizzer.checker.explain import Accept

        request = Accept(self.source, asked, posed.instances, values)
        return self._run(stages.ACCEPT, request).opinions

    def study(self, seed: int, count: int, few: int) -> "Studied":
        """All of these that `check` needs and there is time for, at once; nothing where that does
        not succeed. Raises nothing: what is not known yet can be asked for."""
        from quizzer.checker.studied import Studied

        request = Study(
            *(self.source, seed, count, few, self.seconds),
            scouting=_SHARE_FOR_BRANCHES * self.seconds,
            posing=_SHARE_FOR_RARE * self.seconds,
            explaining=_SHARE_FOR_DERIVATIVES * self.seconds,
        )
        found = stages.run(self.worker, stages.STUDY, request, self.seconds)
        if isinstance(found, Failed) or not studied_is_sound(found, count, few):
            return Studied()
        if found.scouted and self.known.of(self.source) is None:
            self.known.keep(self.source, found.scouted)
        if found.posed:
            self._learn(found.posed)
        return found

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
        if not varied_are_sound(varied, posed):
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
