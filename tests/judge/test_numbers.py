"""Cards that show numbers: what counts as right for them, and what never does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quizzer.judge.judgement import RIGHT, Answered, Judgement, Question
from quizzer.judge.judges import Judge
from quizzer.judge.so_far import Stopped, Understood, read_so_far
from quizzer.lint.proof import prove
from quizzer.session.sentences import shape
from quizzer.values import Verdict

SEED = 3
LINEAR = """x: N × D
w: D
b: number in (0.1, 0.9)
y = x w + b
show x, w, b, dy
ask y in Hz within 1 %: output
ask dw: message
right y = x w + b
right dw = x^T dy
wrong y = x w -- The bias is missing.
wrong dw = 2 x^T dy -- Twice.
"""

Written = Callable[[str], Path]
Says = Callable[[str, str], Answered]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def written(text: str) -> Path:
        path = tmp_path / "card.checker"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def says(judge: Judge, written: Written) -> Says:
    """For x = (2 1 -3; -3 2 -1), w = (3, 1, 3), b = 0.5 and dy = (-1, -2)."""
    checker = written(LINEAR)

    def says(name: str, text: str) -> Answered:
        judged = judge.judge(checker, {name: text}, SEED)
        assert isinstance(judged, Judgement), judged
        return judged.answers[0]

    return says


def test_the_question_shows_the_numbers_of_a_seed(judge: Judge, written: Written) -> None:
    checker = written(LINEAR)
    asks = judge.question(checker)
    assert isinstance(asks, Question)
    assert asks.shows
    assert asks.given == ()
    shown = judge.numbered(checker, asks, SEED)
    assert isinstance(shown, Question)
    assert {each.name: each.lines for each in shown.given} == {
        "x": ("(  2  1  -3 )", "( -3  2  -1 )"),
        "w": ("(3, 1, 3)",),
        "b": ("0.5",),
        "dy": ("(-1, -2)",),
    }
    assert [each.lines for each in shown.values] == [("(-1.5, -9.5) Hz",), ("(4, -5, 5)",)]
    assert judge.numbered(checker, asks, SEED) == shown
    assert judge.numbered(checker, asks, SEED + 1) != shown


def test_the_question_tells_the_unit_and_the_tolerance(judge: Judge, written: Written) -> None:
    asks = judge.question(written(LINEAR))
    assert isinstance(asks, Question)
    first, second = map(shape, asks.asked)
    assert (first, second) == ("shape (N,) in Hz, within 1 %", "shape (D,)")


def test_a_unit_is_no_fault_while_it_is_typed(judge: Judge, written: Written) -> None:
    asks = judge.question(written(LINEAR))
    assert isinstance(asks, Question)
    (y, _) = asks.asked
    assert y.context is not None
    assert isinstance(read_so_far(y.context, "(1, 2) Hz", y.unit), Understood)
    assert isinstance(read_so_far(y.context, "(1, 2) Hz"), Stopped)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("y", "(-1.5, -9.5) Hz"),
        ("y", "y = [-1.5, -9.5] \\text{Hz}"),
        ("y", "(-1.51, -9.55) Hz"),
        ("y", "(-0.0015, -0.0095) kHz"),
        ("y", "(3 - 4.5, -9 - 0.5) Hz"),
        ("dw", "(4, -5, 5)"),
        ("dw", "np.array([4, -5, 5])"),
        ("y", "x w + b"),
        ("dw", "x^T dy"),
    ],
)
def test_the_right_numbers_and_the_right_formula_are_right(
    says: Says, name: str, text: str
) -> None:
    assert says(name, text).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("y", "(-2, -10) Hz", "The bias is missing."),
        ("y", "(1.5, 9.5) Hz", "The sign is the other way round."),
        ("y", "(-3, -19) Hz", "It is off by a factor 2."),
        ("y", "(-1.6, -9.5) Hz", "Nearly: it must be within 1 %"),
        ("y", "(-1.5, -9.5) m", "The unit is Hz, not m."),
        ("y", "(-1.5, -9.5) MHz", "This is another value"),
        ("y", "(0, 0) Hz", "This is another value"),
        ("y", "-1.5 Hz", "An array of shape (2,) is asked for, this is a number."),
        ("y", "(-9.5, -1.5) Hz", "This is another value"),
        ("dw", "(4, -5, 5.0001)", "This is another value"),
        ("dw", "(8, -10, 10)", "Twice."),
        ("dw", "4", "An array of shape (3,) is asked for"),
        ("y", "x w", "The bias is missing."),
    ],
)
def test_other_numbers_are_wrong_and_the_right_ones_are_not_told(
    says: Says, name: str, text: str, said: str
) -> None:
    answered = says(name, text)
    assert answered.verdict is Verdict.WRONG
    assert answered.message.startswith(said)
    if "x" not in text:
        assert answered.view is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("y", "(-1.5, -9.5)"),
        ("y", "(-1.5, -9.5) Hz^2"),
        ("y", "x w + b Hz"),
        ("y", "nan Hz"),
        ("y", "inf Hz"),
        ("y", "(1e400, 2) Hz"),
        ("dw", "(4, -5, 5) Hz"),
    ],
)
def test_what_is_no_number_in_the_unit_costs_no_try(says: Says, name: str, text: str) -> None:
    assert says(name, text).verdict is Verdict.INVALID


def test_a_formula_that_is_right_for_the_shown_numbers_only_is_wrong(
    judge: Judge, written: Written
) -> None:
    checker = written("x: number\ny = x^2\nshow x\nask y")
    asks = judge.numbered(checker, judge.question(checker), 0)  # type: ignore[arg-type]
    assert isinstance(asks, Question)
    value = float(asks.given[0].lines[0])
    for text, verdict in ((f"{value:g} x", Verdict.WRONG), (f"{value**2:g}", Verdict.CORRECT)):
        judged = judge.judge(checker, {"y": text}, 0)
        assert isinstance(judged, Judgement)
        assert judged.answers[0].verdict is verdict


def test_numbers_at_which_a_known_mistake_is_right_are_not_shown(
    judge: Judge, written: Written
) -> None:
    checker = written("x: number\ny = x^2\nshow x\nask y\nwrong y = 2 x -- Doubled, not squared.")
    for seed in range(12):
        asks = judge.numbered(checker, judge.question(checker), seed)  # type: ignore[arg-type]
        assert isinstance(asks, Question)
        assert asks.given[0].lines != ("2",)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("x: number in (0.001, 0.002)\ny = x^2\nshow x\nask y within 0.1", "tolerance"),
        ("x: N\ny_n = exp(x_n)\nshow x\nask y", "unrounded"),
        (
            "x: number in (1, 2)\ny = x\nshow x\nask y within 20 %\n"
            "wrong y = 1.1 x -- A tenth too much.",
            "tolerance",
        ),
    ],
)
def test_check_names_numbers_that_cannot_be_judged(
    judge: Judge, written: Written, lines: str, code: str
) -> None:
    assert code in [flaw.code for flaw in prove(judge, written(lines + "\n"), 0)]


def test_a_card_that_shows_numbers_may_have_no_flaw(judge: Judge, written: Written) -> None:
    assert prove(judge, written(LINEAR), 0, mutants=True) == []


BAYES = """r, s, f: number in (0, 1)
p = r s / (r s + (1 - r) f)
show r, s, f
ask p choose: share of sick people
right p = r s / (r s + (1 - r) f)
wrong p = s -- That is the chance of a positive test.
wrong p = r s -- Divide.
wrong p = s r -- Divide by all.
"""


def test_the_values_to_choose_from_are_the_right_one_and_those_of_known_mistakes(
    judge: Judge, written: Written
) -> None:
    checker = written(BAYES)
    asks = judge.question(checker)
    assert isinstance(asks, Question)
    shown = judge.numbered(checker, asks, 1)
    assert isinstance(shown, Question)
    # r = 0.4, s = 0.4, f = 0.3: two mistakes of one value are one of those to choose from.
    assert shown.given[-1].lines == ("A) 0.16", "B) 0.4", "C) 0.470588")
    assert [each.lines for each in shown.values] == [("0.470588",)]


@pytest.mark.parametrize(
    ("text", "seed", "verdict", "said"),
    [
        ("C", 1, Verdict.CORRECT, RIGHT),
        ("(c)", 1, Verdict.CORRECT, RIGHT),
        ("A", 1, Verdict.WRONG, "Divide."),
        ("B", 1, Verdict.WRONG, "That is the chance of a positive test."),
        ("D", 1, Verdict.INVALID, "Choose a letter from A to C."),
        ("B", 2, Verdict.CORRECT, RIGHT),  # r = 0.2, s = 0.8, f = 0.1
        ("C", 2, Verdict.WRONG, "That is the chance of a positive test."),
        ("r s / (r s + (1 - r) f)", 1, Verdict.CORRECT, RIGHT),
    ],
)
def test_a_letter_is_judged_by_the_value_that_it_stands_for(
    judge: Judge, written: Written, text: str, seed: int, verdict: Verdict, said: str
) -> None:
    judged = judge.judge(written(BAYES), {"p": text}, seed)
    assert isinstance(judged, Judgement)
    assert (judged.answers[0].verdict, judged.answers[0].message) == (verdict, said)


def test_check_finds_nothing_wrong_with_values_to_choose_from(
    judge: Judge, written: Written
) -> None:
    alike = "wrong p = s r -- Divide by all.\n"
    other = "wrong p = r -- That is the share before the test.\n"
    assert list(prove(judge, written(BAYES.replace(alike, other)), SEED, 4)) == []
