"""All that `check` needs of a checker, worked out in one process, which opens it once.

Runs only inside a sandboxed process. What there is no time for, or what fails, is left out: a stage
of its own says why.
"""

import time
from contextlib import suppress

from msgspec.structs import replace

from quizzer.checker.branches import scouted
from quizzer.checker.explain import Explain, Material, explained, slopes_of
from quizzer.checker.flaw import UNREAD_LINE
from quizzer.checker.inspection import inspect
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.opening import opened
from quizzer.checker.posed import Posed
from quizzer.checker.problem import on_few, posed_by
from quizzer.checker.requests import Inspect, Pose, Scout, Study
from quizzer.checker.source import Declared
from quizzer.checker.studied import Studied
from quizzer.checker.truth import Worked
from quizzer.checker.vary import Vary, varied

_SHARE_TO_POSE = 0.2
_SHARE_TO_GO_ON = 0.4
"""The shares of the time limit that may be spent before posing and before what follows it."""


def study(request: Study) -> Studied:
    """All that there is time for. Raises CheckerError where nothing can be posed."""
    begun = time.process_time()
    flaws = inspect(Inspect(request.source)).flaws
    partial = isinstance(request.source, Declared) and request.source.is_partial
    if not partial and any(flaw.code == UNREAD_LINE for flaw in flaws):
        return Studied(flaws)
    checker = opened(request.source)
    known = scouted(checker, Scout(request.source, request.scouting))
    if _spent(request, begun) > _SHARE_TO_POSE:
        return Studied(flaws, known)
    draws = {name: each.draws for name, each in known.branches.items()}
    pose = Pose(request.source, request.seed, request.count, draws, seconds=request.posing)
    worked = Worked()
    posed = posed_by(checker, pose, worked)
    found = Studied(flaws, known, posed)
    if request.few and _spent(request, begun) < _SHARE_TO_GO_ON:
        with suppress(CheckerError):
            few = replace(pose, count=request.few)
            found = replace(found, covering=on_few(checker, few, posed, worked))
        with suppress(CheckerError):
            vary = Vary(request.source, 0, posed.instances, posed.sheet.symmetric)
            found = replace(found, varied=varied(checker, vary).instances)
    with suppress(CheckerError):
        found = replace(found, materials=_materials(checker, request, posed, worked, begun))
    return found


def _materials(
    checker: Checker, request: Study, posed: Posed, worked: Worked, begun: float
) -> tuple[Material, ...] | None:
    """What wrong answers may be: the derivatives of every asked name are read from the same."""
    full = slopes_of(checker, posed.instances, worked)
    found = []
    for asked in posed.sheet.asked:
        if _spent(request, begun) > _SHARE_TO_GO_ON:
            return None
        explain = Explain(
            request.source, asked, posed.instances, posed.elsewhere, request.explaining
        )
        found.append(explained(checker, explain, full))
    return tuple(found)


def _spent(request: Study, begun: float) -> float:
    """The share of the time limit that is spent."""
    return (time.process_time() - begun) / request.seconds
