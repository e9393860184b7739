"""Answers that lack a branch are wrong on every seed, and right ones right, however rare it is."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from quizzer.checker.branches import scout
from quizzer.checker.known_branches import KnownBranches
from quizzer.checker.requests import OF_CODE, Reached, Scout, Scouted
from quizzer.judge.judgement import Answered, Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

SEEDS = range(3)


@dataclass(frozen=True, slots=True)
class Card:
    sample: str
    forward: str
    name: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]

    def source(self) -> str:
        return (
            "import numpy as np\n"
            f"def sample(rng):\n    {self.sample}\n"
            f"def forward({'**v' if self.forward.startswith('v:') else 'x, **v'}):\n"
            f"    {self.forward}\n"
            f"answers = [{self.name!r}]\n"
        )


PAIR = (
    "n = int(rng.integers(2, 6)); return {'x': rng.standard_normal(n), "
    "'z': rng.standard_normal(n), 'y': int(rng.integers(0, 2))}"
)
CARDS = {
    "hinge of one example": Card(
        "n = int(rng.integers(2, 6)); return {'x': rng.standard_normal(n), "
        "'w': rng.standard_normal(n), 'y': float(rng.choice([-1, 1]))}",
        "return {'L': np.maximum(0, 1 - v['y'] * (v['w'] @ x))}",
        "dL_dx",
        ("-dL * y * w * (1 - y * (w @ x) > 0)", "-y * w * (y * (w @ x) < 1)"),
        ("-dL * y * w", "-y * w", "0 * x", "-y * w * (w @ x < 1)", "-w * (y * (w @ x) < 1)"),
    ),
    "relu of one number": Card(
        "return {'x': np.asarray(rng.standard_normal())}",
        "return {'y': np.maximum(x, 0)}",
        "dx",
        ("dy * (x > 0)",),
        ("dy", "0 * x"),
    ),
    "contrastive pair": Card(
        PAIR,
        "d = ((x - v['z']) ** 2).sum(); m = max(0.0, 2 - d)\n    return {'L': d if v['y'] else m}",
        "dx",
        ("2 * dL * (x - z) * (y - (1 - y) * (((x - z) ** 2).sum() < 2))",),
        (
            "2 * dL * (x - z) * (2 * y - 1)",
            "2 * dL * (x - z) * y",
            "-2 * dL * (x - z) * (((x - z) ** 2).sum() < 2)",
            "2 * dL * (x - z)",
        ),
    ),
    "labels of 0 and 1": Card(
        "return {'x': np.asarray(rng.standard_normal()), 'y': int(rng.integers(0, 2))}",
        "return {'L': np.where(v['y'] == 1, x**2, x**3)}",
        "dL_dx",
        ("dL * (2 * x * y + 3 * x**2 * (1 - y))",),
        ("dL * 2 * x", "dL * 3 * x**2", "dL * (2 * x * y)"),
    ),
    "a rare kink": Card(
        "n = int(rng.integers(2, 4)); return {'x': rng.standard_normal(n)}",
        "return {'y': np.where(x > 2.6, 5 * x, x)}",
        "dx",
        ("dy * (1 + 4 * (x > 2.6))",),
        ("dy", "5 * dy"),
    ),
    "sign of a cosine": Card(
        "return {'x': np.asarray(rng.uniform(-2, 2))}",
        "return {'y': np.abs(np.cos(x))}",
        "dx",
        ("-dy * np.sign(np.cos(x)) * np.sin(x)",),
        ("-dy * np.sin(x)", "dy * np.sin(x)", "-dy * np.abs(np.sin(x))"),
    ),
    "a pair of rare pieces": Card(
        "return {'x': np.asarray(rng.standard_normal()), 's': np.asarray(rng.standard_normal())}",
        "return {'y': np.maximum(x, 0) * np.maximum(v['s'], 0.0)}",
        "dx",
        ("dy * (x > 0) * np.maximum(s, 0)",),
        ("dy * np.maximum(s, 0)", "dy * (x > 0) * s", "dy * s"),
    ),
    "largest of three numbers": Card(
        "return {'x': rng.standard_normal(3), 'c': rng.uniform(1, 2, 3)}",
        "return {'L': np.max(v['c'] * x)}",
        "dL_dx",
        ("dL * c * (c * x == np.max(c * x))",),
        ("dL * c * (np.arange(3) == 0)", "dL * c"),
    ),
    "a huge entry beside a small one": Card(
        "return {'x': np.concatenate([rng.uniform(6, 8, 2), rng.uniform(-8, 2, 5)])}",
        "return {'y': np.exp(x)}",
        "dx",
        ("dy * np.exp(x)",),
        ("dy * np.where(x < -4, 0, np.exp(x))", "dy * np.where(x < -5, 1.01, 1) * np.exp(x)"),
    ),
    "clipped": Card(
        "return {'x': np.asarray(rng.standard_normal())}",
        "return {'y': np.clip(x, -2.2, 2.2)}",
        "dx",
        ("dy * (np.abs(x) < 2.2)",),
        ("dy", "dy * (x < 2.2)", "dy * (x > -2.2)"),
    ),
    "a helper used twice": Card(
        "return {'x': np.asarray(rng.standard_normal()), 'z': np.asarray(rng.standard_normal())}",
        "relu = lambda t: np.maximum(t, 0)\n    return {'y': relu(x + v['z']) - relu(x - 1.5)}",
        "dx",
        ("dy * (1.0 * (x + z > 0) - (x > 1.5))",),
        ("dy * (x + z > 0)", "-dy * (x > 1.5)"),
    ),
    "a stage without slope": Card(
        "return {'x': rng.standard_normal(int(rng.integers(2, 5)))}",
        "return {'y': np.exp(x - x).sum() + 0 * x}",
        "dx",
        ("0 * dy",),
        ("dy", "1e-6 * x"),
    ),
}


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    """What is judged here does not depend on where code runs."""
    return judge_here


def answered(judge: Judge, path: Path, name: str, text: str, seed: int) -> Answered:
    judgement = judge.judge(path, {name: text}, seed)
    assert isinstance(judgement, Judgement), judgement
    return judgement.answers[0]


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_the_verdicts_are_the_same_on_every_seed(judge: Judge, tmp_path: Path, card: Card) -> None:
    path = tmp_path / "card.py"
    path.write_text(card.source(), "utf-8")
    wanted = dict.fromkeys(card.right, Verdict.CORRECT) | dict.fromkeys(card.wrong, Verdict.WRONG)
    for seed in SEEDS:
        found = {text: answered(judge, path, card.name, text, seed).verdict for text in wanted}
        assert found == wanted, seed


def test_an_answer_that_is_right_where_it_was_judged_is_confirmed_elsewhere(
    judge: Judge, tmp_path: Path
) -> None:
    """What tracing cannot see, an index of whole numbers, is met by the further problems."""
    path = tmp_path / "card.py"
    path.write_text(
        "import numpy as np\n"
        "def sample(rng):\n"
        "    k = rng.integers(0, 12)\n"
        "    return {'x': rng.standard_normal(3), 'k': np.asarray([k])}\n"
        "def forward(x, k):\n"
        "    return {'y': x * np.where(np.arange(12) == 7, 3.0, 1.0)[k[0]]}\n"
        "answers = ['dx']\n",
        "utf-8",
    )
    right = "dy * (1 + 2 * (k[0] == 7))"
    told = [answered(judge, path, "dx", "dy", seed) for seed in range(20)]
    assert sum(each.verdict is Verdict.WRONG for each in told) >= 14
    assert any("in most problems" in each.message for each in told)
    for seed in range(5):
        assert answered(judge, path, "dx", right, seed).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    "text",
    [
        "dy * (1 / (k[0] != 7) if x.size else 0)",
        "dy * [1][int(k[0] == 7)] if x.size else 0",
    ],
    ids=["no number", "an exception"],
)
def test_an_answer_that_gives_no_number_in_a_rare_case_is_never_right(
    judge: Judge, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "card.py"
    path.write_text(
        "import numpy as np\n"
        "def sample(rng):\n"
        "    k = rng.integers(0, 30)\n"
        "    return {'x': rng.standard_normal(3), 'k': np.asarray([k])}\n"
        "def forward(x, k):\n"
        "    return {'y': 1.0 * x}\n"
        "answers = ['dx']\n",
        "utf-8",
    )
    told = {answered(judge, path, "dx", text, seed).verdict for seed in range(8)}
    assert told == {Verdict.INVALID}


def test_a_machine_that_others_keep_busy_does_not_make_the_look_for_branches_shorter() -> None:
    """What is found is kept: here the checker waits as it would for a processor."""
    source = (
        "import time\n"
        "import numpy as np\n"
        "def sample(rng):\n"
        "    time.sleep(0.05)\n"
        "    return {'x': rng.standard_normal(3)}\n"
        "def forward(x):\n"
        "    return {'y': 2 * x}\n"
    )
    assert scout(Scout(source, seconds=0.3, draws=10)).drawn == 10


def test_a_rare_branch_that_was_met_once_is_never_lost(tmp_path: Path) -> None:
    folder = tmp_path / "branches"
    first = KnownBranches(folder)
    first.keep("source", Scouted(300, {"x is positive": Reached(290, (0, 1))}))
    first.add("source", {1234: ("x is positive", "rare"), 5678: ("x is positive",)})
    again = KnownBranches(folder).of("source")
    assert again is not None
    assert again.branches["rare"] == Reached(0, (1234,))
    assert again.branches["x is positive"].draws == (0, 1, 1234, 5678)
    assert KnownBranches(folder).of("another source") is None


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"branches": {"a": 3}}', '{"branches": {"a": ["x"]}, "drawn": 1}']
)
def test_what_is_kept_of_branches_may_be_damaged(tmp_path: Path, damage: str) -> None:
    known = KnownBranches(tmp_path)
    known.keep("source", Scouted(300, {"a": Reached(3, (5,))}))
    (file,) = tmp_path.iterdir()
    file.write_text(damage, "utf-8")
    assert KnownBranches(tmp_path).of("source") is None


def test_what_is_kept_of_branches_is_the_owner_s_alone(tmp_path: Path) -> None:
    KnownBranches(tmp_path / "new").keep("source", Scouted(300, {}))
    (file,) = (tmp_path / "new").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("forward", "text", "said"),
    [
        ("np.tanh(x)", "1 - y**2", "right slopes"),
        ("np.tanh(x)", "dy_dx_i = 1 - y_i^2", ""),
        ("np.exp(x) / np.exp(x).sum()", "y * (1 - y)", "only the diagonal"),
    ],
)
def test_the_diagonal_in_place_of_a_jacobian_is_told_as_such(
    judge: Judge, tmp_path: Path, forward: str, text: str, said: str
) -> None:
    path = tmp_path / "card.py"
    sample = "return {'x': rng.standard_normal(int(rng.integers(3, 6)))}"
    path.write_text(Card(sample, f"return {{'y': {forward}}}", "dy_dx", (), ()).source(), "utf-8")
    for seed in range(3):
        found = answered(judge, path, "dy_dx", text, seed)
        if said:
            assert found.verdict is Verdict.WRONG
            assert found.diagnosis is not None
            assert found.diagnosis.code == "diagonal-only"
            assert said in found.message
        else:
            assert found.verdict is Verdict.INVALID


def test_an_operation_is_the_same_one_however_often_it_runs() -> None:
    """Python replaces instructions that run often; the branch that they reach keeps its name."""
    source = (
        "import numpy as np\n"
        "def sample(rng):\n    return {'x': rng.standard_normal(3)}\n"
        "def forward(x):\n    return {'y': abs(x) + abs(x).max() + np.abs(x)}\n"
    )
    found = scout(Scout(source, 30.0)).branches
    inside = {name: each.count for name, each in found.items() if OF_CODE in name}
    assert len([name for name in inside if "absolute" in name]) == 6
    assert min(inside.values()) > 60
