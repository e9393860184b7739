"""What a checker's process poses: the values of the problem side, without what works them out."""

from msgspec import Struct

from quizzer.checker.bounds import TieInstance
from quizzer.checker.instance import Contraction, Instance
from quizzer.checker.sheet import Described, Sheet


class Further(Struct, frozen=True):
    """A problem and the contraction of the right answer to each asked name; with its branches,
    where they were looked at, and the number of the draw that reaches them.

    Of the truths it has the closed forms only.
    """

    instance: Instance
    contractions: dict[str, Contraction]
    draw: int = 0
    branches: tuple[str, ...] = ()


def of_name(further: tuple[Further, ...], asked: str) -> tuple[Further, ...]:
    """Those problems that have the contraction of the right answer to this name."""
    return tuple(each for each in further if asked in each.contractions)


class Confirming(Struct, frozen=True):
    """Many further problems; one has no contraction of a name that cannot be certified there."""

    further: tuple[Further, ...]


class Posed(Struct, frozen=True):
    """What is asked, the certified instances, instances at which the forward has ties, and
    problems on which an accepted answer is confirmed."""

    sheet: Sheet
    instances: tuple[Instance, ...]
    tied: tuple[TieInstance, ...]
    further: tuple[Further, ...]
    described: Described
    shown: bool = False
    """Whether the last of the instances is the one whose numbers the question shows."""
    many: tuple[Further, ...] = ()
    """The many problems for answers with pieces of their own, where wanted."""
    is_complete: bool = False
    """Whether what is the same for every seed is here, and there was time for all ties."""

    @property
    def elsewhere(self) -> tuple[Instance, ...]:
        """The ties and further problems, on which a claim may fail."""
        return (
            *(each.instance for each in self.tied),
            *(each.instance for each in self.further),
        )
