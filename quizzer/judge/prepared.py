"""What a judgement with one seed needs, made once: when it is needed, or before.

Before means in a thread, while the learner still reads. There is no NumPy here until then.
"""

import contextlib
import threading
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.checker.remote import INSTANCES, RemoteChecker
from quizzer.checker.requests import MANY

if TYPE_CHECKING:
    from quizzer.checker.explain import Material
    from quizzer.checker.posed import Further, Posed
    from quizzer.judge.case import Case, Many
    from quizzer.judge.evidence import Evidence


class Prepared:
    """What a checker gives for one seed. What failed is tried again when it is asked for.

    Every method that returns something raises CheckerBroken.
    """

    def __init__(
        self,
        checker: RemoteChecker,
        seed: int,
        count: int = INSTANCES,
        posed: "Posed | None" = None,
    ) -> None:
        """`count`: of the instances that the seed gives, where they are not `posed` already."""
        self.checker = checker
        self.seed = seed
        self._count = count
        self._lock = threading.Lock()
        self._posed = posed
        self._cases: dict[str, Case] = {}
        self._evidence: dict[str, Evidence] = {}
        self._many: dict[str, Many] = {}
        self._with_pieces: set[str] = set()
        self._confirming: tuple[Further, ...] = ()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin in the background, unless that has happened, and return at once."""
        if self._thread is None and self._posed is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Begin nothing more in the background."""
        self._stopped = True

    def join(self) -> None:
        """Wait for the background."""
        if self._thread is not None:
            self._thread.join()

    def posed(self, pieces: Collection[str] = ()) -> "Posed":
        """The instances; with the many problems for `pieces`, the names whose answers have some."""
        if self._posed is not None:  # not behind the lock, where something else is being made
            return self._posed
        with self._lock:
            if self._posed is None:
                self._posed = self.checker.pose(self.seed, self._count, pieces)
            return self._posed

    def case(self, asked: str) -> "Case":
        """One asked name on these instances."""
        from quizzer.judge.case import Case, scoped

        if asked not in self._cases:
            case = Case(self.posed(), asked)
            self._cases[asked] = replace(case, scoped=scoped(case))
        return self._cases[asked]

    def evidence(self, asked: str) -> "Evidence":
        """What wrong answers to `asked` are compared with."""
        from quizzer.judge.evidence import evidence_on

        case = self.case(asked)
        with self._lock:
            if asked not in self._evidence:
                self._evidence[asked] = evidence_on(self.checker, case)
            return self._evidence[asked]

    def give_evidence(self, materials: "Sequence[Material]") -> None:
        """Make the evidence of everything that is asked, whose material is known."""
        from quizzer.judge.evidence import evidence_of

        asked = list(self.posed().sheet.asked)
        cases = [self.case(name) for name in asked]
        with self._lock:
            found = evidence_of(self.checker, cases, materials)
            self._evidence |= dict(zip(asked, found, strict=True))

    def expect_pieces(self, names: Iterable[str]) -> None:
        """The next answers to these names are likely to have pieces of their own: the many problems
        of one are made with those of the others."""
        self._with_pieces |= {*names}

    def many(self, asked: str) -> "Many":
        """The many problems for answers to `asked` with pieces of their own."""
        from quizzer.judge.case import Many

        case = self.case(asked)
        with self._lock:
            if asked not in self._many:
                further = self._further(case.posed, asked)
                self._many[asked] = Many(further, case.scopes(further))
            return self._many[asked]

    def many_at_hand(self, asked: str) -> "Many | None":
        """The same if they were made already: only a right answer need wait for them."""
        return self.many(asked) if asked in self._many or self._made(asked) else None

    def _further(self, posed: "Posed", asked: str) -> "tuple[Further, ...]":
        if not self._made(asked):
            together = {asked} | (self._with_pieces & posed.sheet.asked.keys())
            self._with_pieces = set()
            if len(together) > 1:
                self._confirming = self.checker.confirm(posed, sorted(together), self.seed)
        return self._made(asked) or self.checker.confirm(posed, [asked], self.seed)

    def _made(self, asked: str) -> "tuple[Further, ...]":
        """The many problems that were made with those of other names; none if some are missing, as
        there was no time for all of them."""
        from quizzer.checker.posed import of_name

        every = (of_name(made, asked) for made in (self.posed().many, self._confirming))
        return next((further for further in every if len(further) == MANY), ())

    def _run(self) -> None:
        from quizzer.judge.case import expect

        with contextlib.suppress(Exception):  # whoever asks for it will see the error
            asked = self.posed().sheet.asked
            self.expect_pieces(asked)
            for prepare in (self.evidence, self.many):
                for name in asked:
                    if self._stopped:
                        return
                    prepare(name)
            if not self._stopped:
                cases = [replace(self.case(name), many=self.many(name)) for name in asked]
                expect(self.checker, cases)
