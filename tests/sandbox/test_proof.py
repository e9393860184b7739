"""Proving a checker: every claim of its author is held against its instances."""

from pathlib import Path

import pytest

from quizzer.sandbox.judge import Judge

GOOD = """
import numpy as np
answers = ["dx"]
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m))}
def forward(x):
    return {"y": 3.0 * x}
"""


@pytest.fixture
def codes(judge: Judge, tmp_path: Path):  # type: ignore[no-untyped-def]
    """The codes of all flaws in a checker of this source."""

    def codes(source: str) -> list[str]:
        path = tmp_path / "card.py"
        path.write_text(source, encoding="utf-8")
        return [flaw.code for flaw in judge.prove(path, 5)]

    return codes


@pytest.mark.parametrize("name", ["linear", "softmax", "max_pooling", "mse"])
def test_a_good_checker_has_no_flaw(judge: Judge, checkers: Path, name: str) -> None:
    assert judge.prove(checkers / f"{name}.py", 5) == []


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("right = {'dx': ['3 * dy', '2 * dy']}", "right-rejected"),
        ("right = {'dx': ['3 * unknown']}", "right-rejected"),
        ("wrong = {'dx': {'no factor': '3 * dy'}}", "wrong-accepted"),
        ("wrong = {'dx': {'no factor': lambda dy: 3 * dy}}", "wrong-accepted"),
        ("wrong = {'dx': {'nothing': lambda dy: dy / 0}}", "wrong-invalid"),
        ("wrong = {'dx': {'nothing': '1 +'}}", "wrong-invalid"),
        ("wrong = {'dx': {'first': 'dy', 'second': 'dy * 1'}}", "wrong-sentence"),
        ("wrong = {'dx': {'raises': lambda dy: dy.nothing}}", "broken-claim"),
        ("also = {'dx': {'doubled': '6 *'}}", "also-invalid"),
        ("also = {'dx': {'the same': '3 * dy'}}", "also-same"),
        ("variants = {'the same': lambda x: 3 * x + 1}", "variant-same"),
        ("variants = {'raises': lambda x: x.nothing}", "broken-claim"),
        ("variants = {'other shape': lambda x: x[0]}", "broken-claim"),
    ],
)
def test_an_untrue_claim_is_found(codes, claim: str, code: str) -> None:
    assert codes(f"{GOOD}\n{claim}\n") == [code]


@pytest.mark.parametrize(
    "claim",
    [
        "right = {'dx': ['3 * dy', 'dx = dy + 2 * dy']}",
        "wrong = {'dx': {'no factor': 'dy'}}",
        "also = {'dx': {'doubled': '6 * dy'}}",
        "variants = {'squared': lambda x: x**2}",
    ],
)
def test_a_true_claim_is_no_flaw(codes, claim: str) -> None:
    assert codes(f"{GOOD}\n{claim}\n") == []


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ("n, m = 3, 4", ["same-sizes"]),
        ("n, m = 1, rng.integers(2, 6)", ["size-one"]),
        ("n = m = rng.integers(2, 6)", ["square"]),
    ],
)
def test_a_poor_sample_is_found(codes, sizes: str, found: list[str]) -> None:
    source = GOOD.replace("n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)", sizes)
    assert codes(source) == found


def test_a_broken_checker_is_an_error(codes) -> None:
    assert codes(GOOD.replace("3.0 * x", "x / 0")) == ["broken"]
