"""One asked name on the instances of a seed, and answers to it evaluated there."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker import stages
from quizzer.checker.answer import Evaluate, EvaluateCases, Evaluated, EvaluatedTexts, Scope
from quizzer.checker.bounds import TieInstance
from quizzer.checker.instance import Instance, Truth
from quizzer.checker.jacobians import derivative_shape
from quizzer.checker.meaning import Meaning
from quizzer.checker.posed import Further, Posed
from quizzer.checker.remote import RemoteChecker
from quizzer.checker.sheet import Sheet
from quizzer.checker.source import Declared
from quizzer.checker.stages import Failed
from quizzer.judge.units import Unit
from quizzer.sandbox.wire import Repeated
from quizzer.text import clean, sentence

_SHARE_FOR_FURTHER = 0.5
NO_PYTHON = (
    "NumPy notation runs as Python, and this system has no sandbox. Write it in index or matrix "
    "notation, or see: quizzer trust."
)


class Case(Struct, frozen=True):
    """One asked name on what was posed."""

    posed: Posed
    asked: str
    meant: str | None = None
    """The reading that the writer picked of a text that has several."""
    unit: Unit | None = None
    """What was written behind a number, where the card states a unit."""
    many: "Many | None" = None
    """The problems that an answer with pieces of its own is confirmed on, too."""
    scoped: "Scoped | None" = None
    """What was worked out once for many answers."""

    @property
    def sheet(self) -> Sheet:
        return self.posed.sheet

    @property
    def meaning(self) -> Meaning:
        return self.sheet.meaning(self.asked)

    @property
    def is_symmetric(self) -> bool:
        """Whether only the symmetric part is compared."""
        return self.sheet.is_symmetric(self.asked)

    @property
    def truths(self) -> list[Truth]:
        """The right answer on each instance."""
        return [instance.truths[self.asked] for instance in self.posed.instances]

    def shape_at(self, tied: TieInstance) -> tuple[int, ...] | None:
        """The shape of a derivative at a tie."""
        meaning = self.meaning
        return None if meaning.variable is None else derivative_shape(meaning, tied.instance)

    def scope(self, instance: Instance, shape: tuple[int, ...] | None) -> Scope:
        return Scope(self.sheet.answer_names(instance, self.asked), shape)

    def scopes(self, further: Sequence[Further]) -> Repeated[Scope]:
        return Repeated(
            self.scope(each.instance, each.contractions[self.asked].direction.shape)
            for each in further
        )


class Scoped(Struct, frozen=True):
    """What answers to a name may use on everything that is posed."""

    posed: Posed
    asked: str
    instances: Repeated[Scope]
    tied: Repeated[Scope]
    further: Repeated[Scope]
    samples: Repeated[dict[str, tuple[int, ...]]]

    def is_of(self, case: Case) -> bool:
        return self.posed is case.posed and self.asked == case.asked


def scoped(case: Case) -> Scoped:
    """What answers may use, as it was worked out before if it was for this very case."""
    if case.scoped is not None and case.scoped.is_of(case):
        return case.scoped
    posed, asked = case.posed, case.asked
    return Scoped(
        posed,
        asked,
        Repeated(case.scope(each, each.truths[asked].value.shape) for each in posed.instances),
        Repeated(case.scope(each.instance, case.shape_at(each)) for each in posed.tied),
        case.scopes(posed.further),
        Repeated(posed.described.samples()),
    )


class Many(Struct, frozen=True):
    """The many problems for answers with pieces of their own, and what they may use there."""

    further: tuple[Further, ...]
    scopes: Repeated[Scope]


def evaluate(
    checker: RemoteChecker,
    case: Case,
    texts: Sequence[str],
    notation: str | None = None,
    instances: Sequence[Instance] | None = None,
    own: bool = False,
    together: bool = False,
) -> tuple[Evaluated, ...]:
    """The texts on all instances, in a process that never saw the card's code.

    With `instances`, on these instead of the posed ones, and on no others. `own`: the texts are
    the checker's; no Python among those of a declared one is run. `together`: they are those of
    several writers; what is no formula is left, for a process of its own.
    """
    request = _request(checker, Job(case, texts, instances), notation, own)
    request = replace(request, together=together)
    result = stages.run(checker.worker, stages.EVALUATE, request, checker.seconds)
    if isinstance(result, Failed):
        late = result.kind == "timeout"
        advice = " Is there a loop without an end?" if late else ""
        return (Evaluated(invalid=sentence(result.message) + advice, late=late),) * len(texts)
    return _checked(request, result)


class Job(Struct, frozen=True):
    """Texts to evaluate on a case; with `instances`, on these instead of the posed ones, and on no
    others."""

    case: Case
    texts: Sequence[str]
    instances: Sequence[Instance] | None = None


def evaluate_own(checker: RemoteChecker, jobs: Sequence[Job]) -> list[tuple[Evaluated, ...]]:
    """The checker's own texts, all in one process, or those of each job in its own where that does
    not succeed."""
    wanted = [job for job in jobs if job.texts]
    found: list[tuple[Evaluated, ...]] = []
    if len(wanted) > 1:
        requests = tuple(_request(checker, job, None, own=True) for job in wanted)
        every = EvaluateCases(requests)
        result = stages.run(checker.worker, stages.EVALUATE_CASES, every, checker.seconds)
        if not isinstance(result, Failed) and len(result.cases) == len(wanted):
            found = list(map(_checked, requests, result.cases))
    if not found:
        found = [
            evaluate(checker, job.case, job.texts, None, job.instances, own=True) for job in wanted
        ]
    results = iter(found)
    return [next(results) if job.texts else () for job in jobs]


def expect(checker: RemoteChecker, cases: Sequence[Case]) -> None:
    """Let processes get ready for answers to these cases. Raises SandboxError."""
    requests = (_request(checker, Job(each, _nothing(each)), None, False) for each in cases)
    # Reading is what counts; a card's own definitions are read where something is confined.
    hasty = tuple(replace(request, patience=0.0, sets=()) for request in requests)
    stages.expect(checker.worker, stages.EVALUATE_CASES, EvaluateCases(hasty))


def _nothing(case: Case) -> tuple[str, ...]:
    """Answers of ours in every notation: what evaluated them is ready for others. As they run
    where nothing is confined, Python has no name of the card in it."""
    letters = ",".join("abcdefgh"[: case.truths[0].value.ndim])
    left = f"{case.asked}[{letters}]" if letters else case.asked
    return (
        "0 * np.maximum(0.0, np.sum(np.ones(2)))",
        f"{left} = 0 \\sum_{{m=1}}^{{2}} \\frac{{m}}{{2}} [m > 1]",
        "0 \\cdot \\frac{1}{2}",
    )


def _checked(request: Evaluate, result: EvaluatedTexts) -> tuple[Evaluated, ...]:
    """What a process gave, if it is as much as was asked for."""
    texts = request.texts
    wanted = [len(scopes) for scopes in (request.instances, request.tied, request.further)]
    if len(result.texts) != len(texts) or any(
        each.invalid is None
        and (
            [len(each.values), len(each.tied), len(each.further)] != wanted
            or len(each.many) not in (0, len(request.many))
        )
        for each in result.texts
    ):
        return (Evaluated(invalid="The process ended without a result."),) * len(texts)
    return tuple(map(_cleaned, result.texts))


def _why_no_python(checker: RemoteChecker, own: bool) -> str | None:
    if own and isinstance(checker.source, Declared):
        return "This is Python: answers of a checker in math are in index or matrix notation."
    return None if checker.python else NO_PYTHON


def _request(checker: RemoteChecker, job: Job, notation: str | None, own: bool) -> Evaluate:
    case = job.case
    if job.instances is not None:
        posed = replace(case.posed, instances=tuple(job.instances), tied=(), further=())
        case = replace(case, posed=posed, many=None)
    posed, sheet, asked = case.posed, case.sheet, case.asked
    sent = scoped(case)
    return Evaluate(
        asked=asked,
        texts=tuple(job.texts),
        instances=sent.instances,
        tied=sent.tied,
        further=sent.further,
        many=case.many.scopes if case.many else (),
        patience=_SHARE_FOR_FURTHER * checker.seconds,
        upstreams=tuple(posed.instances[0].upstreams),
        others=tuple(name for name in sheet.asked if name != asked),
        symbols=sheet.symbols,
        first_index=sheet.first_index,
        notation=notation,
        meant=case.meant,
        samples=sent.samples,
        sizes=posed.described.sizes(),
        sets=checker.sets(),
        no_python=_why_no_python(checker, own),
        bare=own,
    )


def _cleaned(evaluated: Evaluated) -> Evaluated:
    if evaluated.invalid is not None:
        return replace(evaluated, invalid=clean(evaluated.invalid))
    return replace(
        evaluated,
        values=tuple(np.asarray(values, float) for values in evaluated.values),
        tied=tuple(None if v is None else np.asarray(v, float) for v in evaluated.tied),
        further=tuple(None if v is None else np.asarray(v, float) for v in evaluated.further),
        many=tuple(np.asarray(v, float) for v in evaluated.many),
    )
