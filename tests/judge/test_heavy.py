"""A forward that takes its time has verdicts, too: what is left out is never the verdict."""

from pathlib import Path

import pytest

from quizzer.checker.branches import scout
from quizzer.checker.explain import Explain, explain
from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose, Scout
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

SLOW = """
import time
import numpy as np
def sample(rng):
    n, m = (int(v) for v in rng.choice([6, 7, 8], 2, replace=False))
    return {"x": rng.standard_normal((n, m)), "w": rng.standard_normal(m)}
def forward(x, w):
    end = time.process_time() + 0.0004
    while time.process_time() < end:
        pass
    return {"y": np.maximum(x @ w, 0)}
"""

LARGE = """
import numpy as np
answers = ["s"]
def sample(rng):
    n = int(rng.integers(120, 124))
    return {"A": rng.standard_normal((n, n))}
def reference(A):
    return {"s": A @ A}
"""


@pytest.mark.slow
def test_no_diagnosis_takes_the_time_of_a_verdict() -> None:
    posed = pose(Pose(SLOW, 0, 2, confirming=0, seconds=0.0))
    material = explain(Explain(SLOW, "dx", posed.instances, seconds=0.01))
    assert material.jacobians == ()
    assert not material.others
    assert explain(Explain(SLOW, "dx", posed.instances)).jacobians


def test_ties_and_rare_branches_wait_until_there_are_instances() -> None:
    known = {name: each.draws for name, each in scout(Scout(SLOW, 0.5)).branches.items()}
    posed = pose(Pose(SLOW, 0, 4, known | {"no such branch": (5, 6, 7)}, seconds=0.01))
    assert len(posed.instances) == 4
    assert posed.tied == ()
    assert {5, 6} <= {each.draw for each in posed.further}


def test_a_product_of_large_matrices_waits_for_no_thread(judge: Judge, tmp_path: Path) -> None:
    path = tmp_path / "card.py"
    path.write_text(LARGE, encoding="utf-8")
    judgement = judge.judge(path, {"s": "A @ A"}, 0)
    assert isinstance(judgement, Judgement), judgement
    assert judgement.verdict is Verdict.CORRECT
