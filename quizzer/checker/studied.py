"""What is found out about a checker at once: the values, without what works them out."""

from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.explain import Material
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance
from quizzer.checker.posed import Posed
from quizzer.checker.requests import Scouted


class Studied(Struct, frozen=True):
    """What is known of a checker; None is not known."""

    flaws: tuple[Flaw, ...] | None = None
    """What its source shows without running."""
    scouted: Scouted | None = None
    posed: Posed | None = None
    covering: tuple[Instance, ...] | None = None
    """The instances by which the first few reach all branches."""
    materials: tuple[Material, ...] | None = None
    """One for each asked name."""
    varied: tuple[Instance, ...] | None = None

    def on_few(self, count: int) -> Posed | None:
        """The problem on the first instances, so many, and those that reach all branches."""
        if self.posed is None or self.covering is None:
            return None
        instances = self.posed.instances
        shown = instances[-1:] if self.posed.shown else ()
        return replace(self.posed, instances=(*instances[:count], *self.covering, *shown))
