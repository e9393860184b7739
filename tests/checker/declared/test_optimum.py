"""`optimum w: L`: what is certified, what is accepted, and attacks on both."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quizzer.card import parse
from quizzer.card.formulating import formulation_of
from quizzer.checker.declared.build import build
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.source import Declared
from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

RIDGE = (
    "X: N × D\ny: N\nlam: number in (0.2, 1.5)\nw: D\nsize N: 5..8; D: 2..4\nr = X w - y\n"
    "L = r^T r + lam w^T w\noptimum w: L unique\nright w = (X^T X + lam I)^{-1} X^T y"
)
LINE = "a, b: D\nw: D\nL = (a^T w - 1)^2\noptimum w: L\nright w = a / (a^T a)"


def drawn(text: str, seed: int = 0) -> tuple[Checker, dict[str, Any]]:
    checker = build(Declared(text))
    return checker, checker.sample(np.random.default_rng(seed))


def certify(text: str, seeds: int = 2) -> None:
    for seed in range(seeds):
        checker, inputs = drawn(text, seed)
        assert checker.reference is not None
        checker.reference(**inputs)


def test_what_is_asked_is_no_input_and_nothing_that_depends_on_it_is_given() -> None:
    checker, inputs = drawn(RIDGE)
    assert list(inputs) == ["X", "y", "lam"]
    assert checker.forward is None
    assert checker.let is None
    assert checker.answers == {"w": "what minimises L"}
    assert checker.accept is None, "one value is right, so it is compared as any other"
    found = checker.reference(**inputs)["w"]  # type: ignore[misc]
    X, y = inputs["X"], inputs["y"]
    expected = np.linalg.solve(X.T @ X + inputs["lam"] * np.eye(X.shape[1]), X.T @ y)
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(
    "text",
    [
        RIDGE,
        LINE,
        # a mean and a variance, of which the likelihood has its maximum
        "x: N\nm: number\nv: number positive\nsize N: 4..8\n"
        "L = -N/2 log(v) - sum_n (x_n - m)^2 / (2 v)\noptimum m, v: L maximum unique\n"
        "right m = mean_n x_n\nright v = mean_n (x_n - mean_m x_m)^2",
        # shares that add up to 1
        "c: K positive\np: K simplex\nsize K: 3..5\nL = sum_k c_k log(p_k)\n"
        "optimum p: L maximum unique\nright p_k = c_k / (sum_j c_j)",
        # a direction; its opposite is as good
        "a: D\nu: D unit\nL = (a^T u)^2\noptimum u: L maximum\nright u = a / \\|a\\|",
        "a: D\nu: D unit\nL = a^T u\noptimum u: L maximum unique\nright u = a / \\|a\\|",
        # a factor of it is as good
        "a: D\nw: D\nL = (a^T w)^2 / (w^T w)\noptimum w: L maximum\nright w = a",
        # a kink: the soft threshold
        "a: number\nw: number\nL = (w - a)^2 + 0.0 a\noptimum w: L unique\nright w = a",
        "S: D × D spd\nC: D × D spd\nsize D: 2..3\nL = log(det(C)) + tr(C^{-1} S)\n"
        "optimum C: L unique\nright C = S",
    ],
)
def test_a_right_answer_is_certified(text: str) -> None:
    certify(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # another point, a little beside it
        (RIDGE.replace("lam I", "1.001 lam I"), "line 9: `right` is not the minimum of L: its slo"),
        # a maximum
        (LINE.replace("L = (", "L = -("), "is not the minimum of L"),
        (LINE.replace(": L", ": L maximum"), "is not the maximum of L"),
        # a saddle point
        ("a: D\nw: D\nL = (sum_i w_i^2) - 3 (sum_i w_i)^2 + 0 a^T a\noptimum w: L\n"
         "right w = 0 a", "is not the minimum of L"),
        ("a: number\nx, y: number\nL = x^2 - y^4 + 0 a\noptimum x, y: L\nright x = 0 a\n"
         "right y = 0 a", "is not the minimum of L"),
        # the lower of two minima is the other one
        ("a, b: number\nw: number\nL = min((w - a)^2, (w - b)^2 - 0.5)\noptimum w: L unique\n"
         "right w = a", "is not the minimum of L"),
        # a bend that only looks like a minimum
        ("a: number\nw: number\nL = (w - a)^3\noptimum w: L\nright w = a", "is not the minimum"),
        # no bound
        ("a: D\nw: D\nL = a^T w\noptimum w: L\nright w = a", "its slope is not 0"),
        # on the edge, and outside
        ("a: number\nw: number positive\nL = w + 0 a\noptimum w: L\nright w = 0 a", "not positive"),
        ("a: number in (2, 3)\nw: number in (0, 1)\nL = (w - a)^2\noptimum w: L unique\n"
         "right w = a", "`right` for w is not between"),
        ("a: D\nu: D unit\nL = a^T u\noptimum u: L maximum\nright u = a", "is not unit"),
        ("c: K positive\np: K simplex\nL = sum_k c_k log(p_k)\noptimum p: L maximum\n"
         "right p = c", "is not simplex"),
        # no number
        ("a: number\nw: number\nL = log(w - a)\noptimum w: L\nright w = a", "no finite number"),
        ("a: number positive\nw: number\nL = 1/w + a\noptimum w: L\nright w = 0 a", "no finite"),
        # unique, which it is not
        (LINE.replace(": L", ": L unique"), "line 4: `unique`, but L has the same value in other"),
        ("a: D\nw: D\nL = (a^T w)^2 / (w^T w)\noptimum w: L maximum unique\nright w = a",
         "`unique`, but"),
        ("a: D\nu: D unit\nL = (a^T u)^2\noptimum u: L maximum unique\nright u = a / \\|a\\|",
         "`unique`, but"),
        # so flat that nobody could tell another answer from it
        ("a: D\nw: D\nL = sum_i (w_i - a_i)^4\noptimum w: L\nright w = a", "so flat around"),
    ],
)  # fmt: skip
def test_an_answer_of_the_author_that_is_no_optimum_is_refused(text: str, said: str) -> None:
    with pytest.raises(CheckerError) as raised:
        certify(text, 6)
    assert said in str(raised.value)


def accepted(text: str, name: str, answer: Any, seed: int = 0) -> bool | None:
    checker, inputs = drawn(text, seed)
    assert checker.accept is not None
    value = np.asarray(answer(**inputs), float)
    said: bool | None = checker.accept(name=name, answer=value, **inputs)
    return said


def test_any_answer_that_is_as_good_is_right() -> None:
    assert accepted(LINE, "w", lambda a, b: a / (a @ a)) is True
    assert accepted(LINE, "w", lambda a, b: b / (a @ b)) is True
    assert accepted(LINE, "w", lambda a, b: (a + b) / (a @ (a + b))) is True


@pytest.mark.parametrize(
    "answer",
    [
        lambda a, b: a,
        lambda a, b: 1.00001 * a / (a @ a),
        lambda a, b: a / (a @ a) + 1e-5 * a,
        lambda a, b: 0 * a,
        lambda a, b: np.full_like(a, np.nan),
        lambda a, b: np.full_like(a, np.inf),
        lambda a, b: 1e200 * a,
        lambda a, b: (a / (a @ a))[:-1],
        lambda a, b: 1 / (a @ a),
        lambda a, b: np.outer(a, b),
    ],
)
def test_what_is_worse_is_never_accepted(answer: Any) -> None:
    assert accepted(LINE, "w", answer) is None


def test_a_saddle_point_and_a_maximum_are_not_accepted() -> None:
    wells = "a: D positive\nw: D\nL = sum_i (w_i^2 - a_i)^2\noptimum w: L\nright w_i = sqrt(a_i)"
    assert accepted(wells, "w", lambda a: np.sqrt(a)) is True
    assert accepted(wells, "w", lambda a: -np.sqrt(a)) is True
    assert accepted(wells, "w", lambda a: 0 * a) is None
    assert accepted(wells, "w", lambda a: np.sqrt(a) * (np.arange(len(a)) > 0)) is None


def test_of_a_rayleigh_quotient_every_factor_but_zero_is_right() -> None:
    text = "a: D\nw: D\nL = (a^T w)^2 / (w^T w)\noptimum w: L maximum\nright w = a"
    assert accepted(text, "w", lambda a: -3 * a) is True
    assert accepted(text, "w", lambda a: 0 * a) is None
    assert accepted(text, "w", lambda a: a + 1e-3) is None


def test_outside_of_the_domain_nothing_is_accepted() -> None:
    text = "a: D\nu: D unit\nL = (a^T u)^2\noptimum u: L maximum\nright u = a / \\|a\\|"
    assert accepted(text, "u", lambda a: -a / np.linalg.norm(a)) is True
    assert accepted(text, "u", lambda a: a) is None
    assert accepted(text, "u", lambda a: 2 * a / np.linalg.norm(a)) is None


def test_an_answer_better_than_the_authors_breaks_the_checker() -> None:
    text = "a: number\nw: number\nL = (w - a)^2\noptimum w: L\nright w = a"
    checker, inputs = drawn(text)
    checker.reference(**inputs)  # type: ignore[misc]
    deep = text.replace("(w - a)^2", "(w - a)^2 - 99999999 [w > 1000]")
    checker, inputs = drawn(deep)
    with pytest.raises(CheckerError, match="it is not the minimum"):
        checker.accept(name="w", answer=np.asarray(1000.5), **inputs)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ("optimum w", 5, "say what minimises what: `optimum w: L`"),
        ("optimum w: L\nright w = a", 5, ""),
        ("optimum w: M\nright w = a", 5, "M is no formula here"),
        ("optimum v: L\nright v = a", 5, "v is no input"),
        ("optimum w: L", 5, "write what is right too, it is certified: `right w = …`"),
        ("optimum w, a: L\nright w = a\nright a = w", 5, "nothing else is given"),
        ("optimum w: L\nask dL_dw\nright w = a", 6, "`dL_dw` depends on w, which is asked for"),
        ("out L, c\noptimum w: L\nask dL_da\nright w = a", 7, "`dL_da` depends on w"),
        ("optimum w: L\nshow a\nright w = a", 5, "add `unique` where it is"),
        ("optimum w: c\nright w = a", 5, "c does not depend on w"),
        ("optimum w: L\noptimum w: L\nright w = a", 6, "in line 5 already"),
    ],
)
def test_what_cannot_be_looked_for_is_told_with_its_line(lines: str, line: int, said: str) -> None:
    text = f"a: D\nw: D\nc = 2 a\nL = sum_i (w_i - a_i)^2\n{lines}"
    found = {fault.line: fault.message for fault in read_declaration(text).faults}
    assert said in found[line] if said else found == {}


BESIDE = (
    "K: N × N spd\ny, alpha, best: N\nf(v) = v^T K v - 2 y^T v\nJ = f(alpha)\nM = f(best)\n"
    "ask dJ_dalpha\noptimum best: M\nright best = K^{-1} y"
)
"""A gradient, and beside it what minimises the same function."""


def test_the_gradient_of_another_input_is_asked_beside_an_optimum() -> None:
    checker, inputs = drawn(BESIDE)
    assert list(checker.answers) == ["dJ_dalpha", "best"]
    assert list(inputs) == ["K", "y", "alpha"]
    assert checker.forward is not None
    assert list(checker.forward(**inputs)) == ["J"]


def test_a_gradient_beside_an_optimum_is_judged_by_itself(
    judge_here: Judge, tmp_path: Path
) -> None:
    path = tmp_path / "kernel.checker"
    path.write_text(BESIDE, "utf-8")
    answers = {"dJ_dalpha": "2 (K α - y)", "best": "K^{-1} y"}
    found = judge_here.judge(path, answers, 1)
    assert isinstance(found, Judgement), found
    assert [each.verdict for each in found.answers] == [Verdict.CORRECT] * 2
    found = judge_here.judge(path, {"dJ_dalpha": "K α - y", "best": "y"}, 1)
    assert isinstance(found, Judgement), found
    assert [each.verdict for each in found.answers] == [Verdict.WRONG] * 2


def test_an_optimum_may_be_used_in_the_next_one() -> None:
    certify(
        "x: N\nm: number\nv: number positive\nsize N: 4..8\n"
        "L = -N/2 log(v) - sum_n (x_n - m)^2 / (2 v)\noptimum m, v: L maximum unique\n"
        "right m = mean_n x_n\nright v = mean_n (x_n - m)^2"
    )


def test_among_whole_numbers_no_optimum_is_looked_for() -> None:
    text = "a: D\nw: D 1..3\nL = a^T w\noptimum w: L\nright w = a"
    (fault,) = read_declaration(text).faults
    assert (fault.line, fault.message[:16]) == (2, "`w` is integers;")


def test_an_optimum_may_be_what_the_short_answer_states() -> None:
    path = Path("kernel.md")
    text = (
        "---\nid: kernel\n---\n\n# Question\nFind the best `w`.\n\n---\n# Solution\n"
        "**Short Answer:** $$ w = (X^T X + \\lambda I)^{-1} X^T y $$\n"
    )
    card = parse(text.encode(), path).card
    assert card is not None
    checker = build(Declared(RIDGE, 1, formulation_of(card), is_apart=True))
    assert list(checker.answers) == ["w"]


def test_an_optimum_near_zero_of_a_large_objective_is_certified() -> None:
    """Rounding of L, seen over a tiny step, once passed for a slope."""
    text = (
        "c: number in (4, 9)\na: number in (0.01, 0.2)\nw: number\n"
        "L = c + 0.05 w^2 - 0.1 a w\noptimum w: L unique\nright w = a"
    )
    certify(text, seeds=40)
