"""The corpus: right answers accepted, wrong ones rejected and told why, nonsense not explained."""

import inspect
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import autograd
import autograd.numpy
import numpy as np
import pytest
from corpus.nonsense import in_index_notation, in_numpy
from corpus.reading import CHECKERS, UNSPECIFIC, cases, module, outcome, seed_for
from workers import InThisProcess

from quizzer.checker.instance import Instance, is_variable
from quizzer.checker.posed import Posed
from quizzer.checker.problem import Pose, pose
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

CODES = {
    *("known-mistake", "variant", "sign", "factor", "size-factor", "jacobian", "diagonal-only"),
    *("upstream-ignored", "transposed", "flipped", "not-summed", "over-summed", "other-gradient"),
    *("missing-term", "term-factor", "input-for-output", "not-accumulated", "one-edit", "partly"),
    *("unexplained", "ties", "convention", "orientation"),
}
EXCEPTIONS: dict[tuple[str, str], str] = {}
"""Checker and answer -> the code that is given in place of the expected one."""
IN_NUMPY_ONLY = {("leading_eigenvector", "v"), ("moving_average", "dx")}
"""Checker and asked name -> other notations have no words for it."""

each_checker = pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)
with_forward = pytest.mark.parametrize(
    "path",
    [path for path in CHECKERS if "def forward" in path.read_text("utf-8")],
    ids=lambda path: path.stem,
)


@pytest.fixture(scope="module")
def judge() -> Judge:
    """Keeps for one test what it prepared for another."""
    return Judge(InThisProcess(), kept=len(CHECKERS))


def test_the_corpus_is_large_enough_and_has_every_code() -> None:
    found = [case for path in CHECKERS for case in cases(path)]
    wrong = [case for case in found if not case.right]
    assert len(CHECKERS) >= 40
    assert len(wrong) >= 150
    assert {case.code for case in found} == CODES | {None}
    assert len(EXCEPTIONS) <= len(wrong) / 10


@each_checker
def test_answers_get_the_verdict_and_the_code_they_deserve_in_each_notation(
    judge: Judge, path: Path
) -> None:
    found = {case: outcome(judge, case, seed_for(path)) for case in cases(path)}
    notations: dict[str, set[str | None]] = {}
    for case, got in found.items():
        assert got.verdict is (Verdict.CORRECT if case.right else Verdict.WRONG), f"{case}: {got}"
        if case.right:
            notations.setdefault(case.asked, set()).add(got.notation)
    for case, got in found.items():
        expected = EXCEPTIONS.get((path.stem, case.text), case.code)
        assert got.code == expected, f"{case}: {got}"
    for asked, said in notations.items():
        assert "numpy" in said, asked
        assert (said == {"numpy"}) == ((path.stem, asked) in IN_NUMPY_ONLY), asked


@with_forward
@pytest.mark.filterwarnings("ignore:Output seems independent")
def test_the_truth_is_the_derivative_that_autograd_gives(path: Path) -> None:
    loaded = module(path)
    posed = pose(Pose(path.read_text("utf-8"), 11))
    for instance in posed.instances:
        truths = {name: truth.value for name, truth in instance.truths.items()}
        for name, derivative in by_autograd(loaded, instance).items():
            if name in truths:
                if derivative.ndim > 1 and name[-1] in posed.sheet.symmetric:
                    derivative = (derivative + derivative.T) / 2
                difference = np.max(np.abs(derivative - truths.pop(name)))
                assert difference <= 1e-7 * np.max(np.abs(derivative)), name
        assert truths.keys() <= instance.outputs.keys()


@pytest.mark.slow
def test_nonsense_gets_no_specific_reason(judge: Judge) -> None:
    rng = np.random.default_rng(5)
    codes: Counter[str] = Counter()
    specific = []
    for path in CHECKERS:
        source = path.read_text("utf-8")
        posed = pose(Pose(source, seed_for(path), 1, confirming=0, seconds=0.0))
        for asked, text in nonsense(posed, rng):
            judgement = judge.judge(path, {asked: text}, seed_for(path))
            assert isinstance(judgement, Judgement)
            (answered,) = judgement.answers
            if answered.verdict is Verdict.WRONG:
                assert answered.diagnosis
                codes[answered.diagnosis.code] += 1
                if answered.diagnosis.code not in UNSPECIFIC:
                    specific.append((path.stem, asked, text, answered.diagnosis))
    assert codes.total() >= 80
    assert not specific


def nonsense(posed: Posed, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Asked names, each with a text in one of two notations; a benchmark has many more."""
    first = posed.instances[0]
    for asked in posed.sheet.asked:
        shape = first.truths[asked].value.shape
        names = posed.sheet.answer_names(first, asked)
        shapes = {name: np.shape(value) for name, value in names.items()}
        text = in_numpy(shapes, shape, rng) if rng.random() < 0.5 else None
        yield asked, text or in_index_notation(shapes, asked, shape, rng)


def by_autograd(checker: ModuleType, instance: Instance) -> dict[str, np.ndarray]:
    """`d<input>` and `d<output>_d<input>` of every variable."""
    vars(checker)["np"] = autograd.numpy
    names = inspect.signature(checker.forward).parameters
    inputs = {name: value for name, value in instance.inputs.items() if name in names}
    found: dict[str, np.ndarray] = {}
    for name, value in inputs.items():
        if not is_variable(value):
            continue
        message: np.ndarray | float = 0.0
        for output, upstream in instance.upstreams.items():
            local = autograd.jacobian(
                lambda x, name=name, output=output: checker.forward(**inputs | {name: x})[
                    output[1:]
                ]
            )(value)
            found[f"{output}_d{name}"] = local
            message = message + np.tensordot(upstream, local, axes=upstream.ndim)
        found[f"d{name}"] = np.asarray(message)
    return found
