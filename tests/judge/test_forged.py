"""What a checker's process may say: it is broken, whatever it says, and nobody's session ends."""

import json
import signal
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from quizzer.checker import SERVICE, stages
from quizzer.checker.requests import Describe
from quizzer.checker.sheet import Described
from quizzer.checker.soundness import description_is_sound
from quizzer.judge.judgement import Broken, Judgement
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove
from quizzer.sandbox.deadline import within
from quizzer.sandbox.wire import pack
from quizzer.sandbox.worker import Completed, Worker, best_worker
from quizzer.values import Verdict

SQUARE = """
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 6))}
def forward(x):
    return {"y": x**2}
"""


@pytest.fixture(autouse=True)
def nothing_hangs() -> Iterator[None]:
    signal.alarm(300)
    yield
    signal.alarm(0)


class Saying:
    """A worker whose processes reply what they are told to."""

    def __init__(self, reply: bytes, printed: bytes = b"") -> None:
        self._ended = Completed(reply, printed, 0)

    def start(self) -> None:
        """Nothing to start."""

    def expect(self, message: bytes) -> None:
        """Nothing need get ready."""

    def exchange(self, message: bytes, seconds: float) -> Completed:
        return self._ended

    def close(self) -> None:
        """Nothing runs."""


def reply(tree: object, mark: bytes = b"+") -> bytes:
    header = json.dumps(tree).encode()
    return mark + struct.pack("<II", len(header), 0) + header


@pytest.fixture
def checker(tmp_path: Path) -> Path:
    path = tmp_path / "square.py"
    path.write_text(SQUARE)
    return path


@pytest.fixture(scope="module")
def described() -> Described:
    worker: Worker = best_worker(SERVICE)
    found = stages.run(worker, stages.DESCRIBE, Describe(SQUARE), 20.0)
    worker.close()
    assert isinstance(found, Described)
    return found


@pytest.mark.parametrize(
    "source",
    [
        'def sample(rng):\n    return {f"x{rng.integers(9)}": rng.standard_normal(3)}\n'
        "def forward(**names): return sum(names.values())",
        'def sample(rng):\n    return {"x": rng.standard_normal((2,) * rng.integers(1, 4))}\n'
        "def forward(x): return x**2",
        'def sample(rng):\n    return {"x": rng.standard_normal(3), "k": int(rng.integers(9))}\n'
        'def forward(x, k): return {f"y{k}": x**2}',
        'def sample(rng):\n    return {"x": rng.standard_normal(3), "k": int(rng.integers(1, 4))}\n'
        'def forward(x, k): return {"y": x.reshape((1,) * k + (3,))}',
        "def sample(rng):\n    x = rng.standard_normal(3)\n"
        '    return {"x": x if rng.random() < 0.5 else x > 0, "w": rng.standard_normal(3)}\n'
        "def forward(x, w): return w * x",
        'answers = ["c"]\n'
        'def sample(rng):\n    return {"x": rng.standard_normal(3), "k": int(rng.integers(1, 4))}\n'
        'def reference(x, k): return {"c": x.reshape((1,) * k + (3,))}',
    ],
)
def test_names_or_axes_that_change_from_call_to_call_are_the_checkers_fault(
    judge: Judge, checker: Path, source: str
) -> None:
    checker.write_text(source)
    asked = judge.question(checker)
    assert isinstance(asked, Broken)
    assert "every call" in asked.message


def test_what_a_checker_says_is_sound(described: Described) -> None:
    assert description_is_sound(described)


@pytest.mark.parametrize(
    "change",
    [
        {"shapes": ()},
        {"asked": ()},
        {"numbers": ("nobody",)},
        {"shapes": ({}, {}, {}, {}, {}, {})},
        {"asked": ({"dx": (3,)}, *({"dx": (3, 3)},) * 5)},
        {"asked": ({"dx": (-3,)},) * 6},
        {"asked": ({"dx": (1 << 60,)},) * 6},
        {"asked": ({"dy": (3,)},) * 6},
    ],
)
def test_a_description_that_does_not_fit_together_is_not(
    described: Described, change: dict[str, object]
) -> None:
    assert not description_is_sound(replace(described, **change))


@pytest.mark.parametrize(
    "change",
    [
        {"asked": {}},
        {"asked": {"d x": ""}},
        {"asked": {"x" * 5_000: ""}},
        {"asked": {f"d{n}": "" for n in range(5_000)}},
        {"variables": ("x", "x")},
        {"variables": ("q",)},
        {"sizes": {"N": ("x", 7)}},
        {"sizes": {"N": ("q", 0)}},
        {"sizes": {"N": ("x", -1)}},
        {"symbols": {"x": "  "}},
        {"first_index": 10**30},
        {"hints": ("one",) * 5_000},
        {"right": {"dq": ("1",)}},
    ],
)
def test_a_sheet_that_nobody_could_answer_is_not(
    described: Described, change: dict[str, object]
) -> None:
    sheet = replace(described.sheet, **change)
    assert not description_is_sound(replace(described, sheet=sheet))


def test_a_forged_description_is_a_broken_checker(checker: Path, described: Described) -> None:
    sheet = replace(described.sheet, variables=(), outputs=(), symbols={}, sizes={})
    forged = Described(sheet, shapes=(), asked=(), numbers=())
    asked = Judge(Saying(b"+" + pack(forged))).question(checker)
    assert isinstance(asked, Broken)
    assert "no sound description" in asked.message


@pytest.mark.parametrize("kind", ["checker", "timeout", "crash", "anything"])
def test_a_message_of_three_megabytes_is_cut(checker: Path, kind: str) -> None:
    saying = Saying(reply({"kind": kind, "message": "\x1b[2J" + "x" * 3_000_000}, b"-"))
    with Judge(saying) as judge:
        for said in (judge.question(checker), judge.judge(checker, {"dx": "1"}, 1)):
            assert isinstance(said, Broken)
            assert len(said.message) < 1_200
            assert "\x1b" not in said.message
        assert all(len(flaw.message) < 1_200 for flaw in prove(judge, checker, 1))


def test_what_a_checker_prints_is_cut(checker: Path) -> None:
    with Judge(Saying(reply({"kind": "checker", "message": "no"}, b"-"), b"x" * 65_536)) as judge:
        flaws = prove(judge, checker, 1)
    assert {flaw.code for flaw in flaws} == {"broken", "prints"}
    assert all(len(flaw.message) < 1_200 for flaw in flaws)


def test_what_nobody_foresaw_in_a_reply_is_a_broken_checker(
    checker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quizzer.judge import naming

    def failing(*described: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(naming, "question_of", failing)
    with Judge() as judge:
        asked = judge.question(checker)
    assert isinstance(asked, Broken)
    assert asked.message == "square.py: What its process gave cannot be used: KeyError."


@pytest.mark.parametrize(
    "answer",
    [
        "np.zeros((1,)*20 + x.shape)",
        "np.zeros((1,)*29 + x.shape)",
        "np.zeros((2,)*14)",
        "np.full((2,)*14, np.nan)",
        "np.zeros((1,)*60 + x.shape)",
        "np.zeros((300, 300))",
    ],
)
def test_an_answer_with_many_axes_is_judged(judge: Judge, checker: Path, answer: str) -> None:
    judged = judge.judge(checker, {"dx": answer}, 3)
    assert isinstance(judged, Judgement)
    assert judged.verdict in (Verdict.WRONG, Verdict.INVALID)


def test_a_sum_that_is_missing_is_still_told_with_axes_of_length_one_about_it(
    judge: Judge, checker: Path
) -> None:
    answer = "(2*x*dy)[None, :, None, None] * np.array([0.25, 0.75])[:, None, None, None]"
    judged = judge.judge(checker, {"dx": answer}, 3)
    assert isinstance(judged, Judgement)
    assert judged.answers[0].diagnosis
    assert judged.answers[0].diagnosis.message == "A sum is missing: sum your answer over axis 0."


def test_what_takes_too_long_gives_nothing_and_nobody_waits_for_it() -> None:
    import threading

    let_go = threading.Event()
    assert within(0.01, let_go.wait) is None
    let_go.set()


def test_what_fails_gives_nothing() -> None:
    assert within(60.0, lambda: 1 / 0) is None
    assert within(60.0, lambda: 1 / 4) == 0.25


def test_a_diagnosis_that_takes_too_long_leaves_the_verdict(
    judge: Judge, checker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from quizzer.judge import reasons

    let_go = threading.Event()
    monkeypatch.setattr(reasons, "SECONDS", 0.01)
    monkeypatch.setattr(reasons, "diagnose", lambda answers, evidence: let_go.wait())
    judged = judge.judge(checker, {"dx": "3*x*dy"}, 3)
    let_go.set()
    assert isinstance(judged, Judgement)
    assert judged.verdict is Verdict.WRONG
    assert judged.answers[0].diagnosis
    assert judged.answers[0].diagnosis.code == "unexplained"


@pytest.mark.parametrize("answer", ["1e308*np.sign(x)*np.tanh(dy)", "x*dy*1e300"])
def test_an_answer_of_huge_numbers_prints_no_warning(
    judge: Judge, checker: Path, answer: str
) -> None:
    """Here every warning is an error, and an error while judging a broken checker."""
    judged = judge.judge(checker, {"dx": answer}, 3)
    assert isinstance(judged, Judgement)
    assert judged.answers[0].diagnosis
    assert "too long" not in judged.answers[0].diagnosis.message
    judge.repair(checker, {"dx": answer}, 3)
