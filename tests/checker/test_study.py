"""All that `check` needs of a checker, worked out at once: the same as stage by stage."""

import pytest
from msgspec.structs import replace

from quizzer.checker.branches import scout
from quizzer.checker.explain import Explain, explain
from quizzer.checker.flaw import UNREAD_LINE
from quizzer.checker.inspection import inspect
from quizzer.checker.known_branches import with_met
from quizzer.checker.load import CheckerError
from quizzer.checker.problem import pose
from quizzer.checker.requests import Inspect, Pose, Scout, Study
from quizzer.checker.source import Declared
from quizzer.checker.studied import Studied
from quizzer.checker.study import study
from quizzer.checker.vary import Vary, vary
from quizzer.sandbox.wire import pack

RARE = """
answer = ["dx"]
def sample(rng):
    n = int(rng.integers(2, 6))
    x, w = rng.standard_normal((2, n))
    return {"x": x, "w": w, "k": int(rng.integers(0, 9))}
def forward(x, w, k):
    return {"y": (x if x[0] > 1.8 else 2 * x) * w * (3 if k == 8 else 1)}
variants = {"no factor": lambda x, w: x * w}
"""


def studied(source: str | Declared, seconds: float = 30.0, few: int = 4) -> Studied:
    return study(Study(source, 3, 12, few, seconds, scouting=9.0, posing=9.0, explaining=9.0))


def test_it_is_what_each_stage_gives() -> None:
    found = studied(RARE)
    known = {name: each.draws for name, each in scout(Scout(RARE, 9.0)).branches.items()}
    asked = Pose(RARE, 3, 12, known)
    posed = pose(asked)
    met = with_met(known, {each.draw: each.branches for each in posed.further})
    few = pose(replace(asked, count=4, branches=met))
    materials = tuple(
        explain(Explain(RARE, name, posed.instances, posed.elsewhere)) for name in posed.sheet.asked
    )
    assert found.posed is not None
    assert len(few.instances) > 4
    assert len(materials) == 2
    assert found.flaws == inspect(Inspect(RARE)).flaws != ()
    assert pack(found.scouted) == pack(scout(Scout(RARE, 9.0)))
    assert pack(found.posed) == pack(posed)
    assert pack(found.on_few(4)) == pack(few)
    assert pack(found.materials) == pack(materials)
    assert pack(found.varied) == pack(vary(Vary(RARE, 0, posed.instances)).instances)


def test_what_there_is_no_time_for_is_left_to_a_stage_of_its_own() -> None:
    found = studied(RARE, seconds=1e-9)
    assert found.scouted is not None
    assert (found.posed, found.materials, found.varied) == (None, None, None)


def test_a_claim_that_fails_is_left_to_the_stage_that_says_why() -> None:
    found = studied(f"{RARE}\nalso = {{'dx': {{'raises': lambda dy: dy.nothing}}}}\n")
    assert found.posed is not None
    assert found.materials is None


def test_without_mutants_nothing_is_posed_for_them() -> None:
    found = studied(RARE, few=0)
    assert found.materials is not None
    assert (found.on_few(4), found.varied) == (None, None)


def test_of_lines_that_cannot_be_read_only_those_are_told() -> None:
    source = Declared("x: N\ny = x +\nask dx: message")
    found = studied(source)
    assert [flaw.code for flaw in found.flaws or ()] == [UNREAD_LINE]
    assert found.scouted is None


def test_what_cannot_be_posed_is_left_to_the_stage_that_says_why() -> None:
    with pytest.raises(CheckerError):
        studied(RARE.replace("2 * x", "[][1]"))
