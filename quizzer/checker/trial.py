"""One checker on trial: the stages that run its code, and what comes back made sure of.

No NumPy here until a reply is there: it can be imported while the first stage runs.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from quizzer.checker import stages
from quizzer.checker.known_branches import KnownBranches
from quizzer.checker.requests import Confirm, Describe, Pose, Scout, Scouted
from quizzer.checker.stages import Failed, Stage
from quizzer.judge.judgement import Asks, Broken
from quizzer.judge.sentences import sentence
from quizzer.sandbox.worker import Worker
from quizzer.text import clean

if TYPE_CHECKING:
    from quizzer.checker.confirming import Further
    from quizzer.checker.problem import Posed

INSTANCES = 4
"""Instances that a seed gives, besides those that it takes to reach every branch."""
_SHARE_FOR_BRANCHES = 0.5
_SHARE_FOR_FURTHER = 0.5
_SHARE_FOR_RARE = 0.4

Q = TypeVar("Q")
R = TypeVar("R")


class CheckerBroken(Exception):
    """The checker cannot be used; the message is for its author."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A checker's source, and the worker that runs its stages within `seconds` each."""

    worker: Worker
    name: str
    source: str
    seconds: float
    known: KnownBranches = field(default_factory=KnownBranches)

    def asks(self) -> Asks | Broken:
        """What the card asks."""
        try:
            described = self.deck_stage(stages.DESCRIBE, Describe(self.source))
        except CheckerBroken as error:
            return Broken(str(error))
        from quizzer.checker.naming import asks_of
        from quizzer.checker.sheets import description_is_sound

        if not description_is_sound(described):
            return Broken(f"{clean(self.name)}: The process gave no sound description.")
        return asks_of(described)

    def posed(self, seed: int, count: int) -> "Posed":
        """Certified instances, and nothing in them that could not be compared."""
        known = {name: each.draws for name, each in self.branches().branches.items()}
        seconds = _SHARE_FOR_RARE * self.seconds
        request = Pose(self.source, seed, count, known, seconds=seconds)
        posed = self.deck_stage(stages.POSE, request)
        from quizzer.checker.soundness import instances_are_sound

        if not instances_are_sound(posed, count):
            raise CheckerBroken(f"{clean(self.name)}: The process gave no sound instances.")
        self.known.add(self.source, {each.draw: each.branches for each in posed.further})
        return posed

    def confirming(self, posed: "Posed", seed: int) -> "tuple[Further, ...]":
        """Many further problems of what is posed, for an answer with pieces of its own."""
        from quizzer.checker.soundness import are_sound

        request = Confirm(self.source, seed, _SHARE_FOR_FURTHER * self.seconds)
        further = self.deck_stage(stages.CONFIRM, request).further
        if not are_sound(further, posed.sheet):
            raise CheckerBroken(f"{clean(self.name)}: The process gave no sound problems.")
        return further

    def branches(self) -> Scouted:
        """The branches that occur in cheap draws, looked for if that was never done."""
        scouted = self.known.of(self.source)
        if scouted is None:
            seconds = _SHARE_FOR_BRANCHES * self.seconds
            scouted = self.deck_stage(stages.SCOUT, Scout(self.source, seconds))
            self.known.keep(self.source, scouted)
        return scouted

    def deck_stage(self, stage: Stage[Q, R], request: Q) -> R:
        """A stage that runs the card's code; raises CheckerBroken where it gives no result."""
        result = stages.run(self.worker, stage, request, self.seconds)
        if isinstance(result, Failed):
            message = result.message
            if result.kind == "timeout":
                message += "; sample smaller arrays, or set `seconds`"
            raise CheckerBroken(f"{clean(self.name)}: {sentence(message)}")
        return result
