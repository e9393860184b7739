"""What is told while an answer is typed agrees with the verdict that it will get."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from corpus.reading import CHECKERS, cases, seed_for
from workers import InThisProcess

from quizzer.checker.answer import Evaluated
from quizzer.judge.case import Case, evaluate
from quizzer.judge.judges import Judge
from quizzer.judge.naming import question_of
from quizzer.judge.prepared import Prepared
from quizzer.judge.so_far import MAX_LENGTH, SoFar, Stopped, Understood, read_so_far
from quizzer.notation import Context

CONTEXT = Context({"W": (3, 4), "x": (4,), "dy": (3,), "tau": ()}, "dx", (4,), upstreams=("dy",))
CUBE = Context({"x": (2, 3, 4), "dy": (2, 3, 4)}, "dx", (2, 3, 4), upstreams=("dy",))
SLIPS = "()[]{}_^+=,q k"


def said(path: Path, texts: dict[str, list[str]]) -> list[tuple[str, SoFar | None, Evaluated]]:
    """Each text with what is told of it so far, and what evaluating it gives."""
    checker = Judge(InThisProcess()).checker(path)
    question, posed = question_of(checker.describe()), Prepared(checker, seed_for(path)).posed()
    contexts = {ask.name: ask.context for ask in question.asked}
    found = []
    for asked, several in texts.items():
        results = evaluate(checker, Case(posed, asked), several)
        for text, evaluated in zip(several, results, strict=True):
            found.append((text, read_so_far(contexts[asked], text), evaluated))
    return found


def slipped(text: str, rng: Random) -> str:
    """The text cut off, with a sign left out, or with one too many; as it is sent."""
    place = rng.randrange(1, len(text) + 1)
    cut, left_out = text[:place], text[: place - 1] + text[place:]
    added = text[:place] + rng.choice(SLIPS) + text[place:]
    return rng.choice([cut, left_out, added]).strip() or text


@pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)
def test_the_line_tells_the_notation_and_the_fault_of_the_verdict(path: Path) -> None:
    rng = Random(path.stem)
    texts: dict[str, list[str]] = {}
    for case in cases(path):
        typed = texts.setdefault(case.asked, [])
        typed += [case.text, slipped(case.text, rng)]
    for text, so_far, worked in said(path, texts):
        # A fault that only computing finds comes with what was understood before.
        if worked.invalid is None or worked.understood is not None:
            assert isinstance(so_far, Understood), (text, so_far, worked)
            assert so_far.notation == worked.notation, text
            assert worked.understood is not None
            assert worked.understood.text.strip().endswith(so_far.shown), text
        else:
            assert isinstance(so_far, Stopped), (text, so_far, worked)
            told = (so_far.message, so_far.line, so_far.column)
            assert told == (worked.invalid, worked.line, worked.column), text


@pytest.mark.parametrize(
    ("text", "notation", "shown"),
    [
        ("W.T @ dy", "numpy", "W.T @ dy"),
        ("dx_i = sum_k dy_k W_ki", "index", "dx[i] = sum(k) (dy[k] W[k, i])"),
        ("W^T dy", "matrix", "dx = W^T dy"),
        ("s = W x\ndx = W^T (dy ⊙ s)", "matrix", "dx = W^T (dy ⊙ s)"),
    ],
)
def test_of_a_text_that_can_be_read_the_answer_line_is_told(
    text: str, notation: str, shown: str
) -> None:
    so_far = read_so_far(CONTEXT, text)
    assert isinstance(so_far, Understood)
    assert (so_far.notation, so_far.shown) == (notation, shown)


@pytest.mark.parametrize(
    "text",
    [
        *("W.T @ (dy", "np.sum(W", "W.T @", "dx =", "dx_i =", "dx_i = sum_k", "\\frac{1}{2", "W[0"),
        *("dx_i = sum_k dy_k W_{ki", "dx_i = sum_k dy_k ta", "W^T (dy", "dx_i = sum_k dy_k W_k"),
        *("def dx(W, dy):", "dx_i = x_i if tau > 0", "dx_i = exp", "dx_i = x_i +"),
        *("\\", "W^\\", "W^\\to", "\\fra", "dx[i]", "dx_i", "∂L/∂x_i"),
    ],
)
def test_what_more_letters_may_mend_is_incomplete(text: str) -> None:
    so_far = read_so_far(CONTEXT, text)
    assert isinstance(so_far, Stopped)
    assert not so_far.complete


@pytest.mark.parametrize(
    "text",
    [
        *("dx_i = sum_k dy_k W_ki (", "dx_i = x_i ⊙", "dx = W^T dy \\odot", "dx_i = \\sum_{k=1}"),
        *(
            "dx_i = \\sum_k",
            "\\begin{align}",
            "\\begin{cases} x_i",
            "$dx_i",
            "∂L/∂x",
            "\\frac{\\partial L}",
        ),
        *(
            "\\nabla_x",
            "\\delta_x",
            "dx = np.exp",
            "dx = W^\\top \\mathrm{diag}",
            "S^{-1}",
            "dx = W",
        ),
        *("dx = W^T dy, \\quad s", "∂L/∂x_i = Σ_", "dx_i = Σ_k", "def dx(W, dy):\n    for k i"),
        *("dx = W^T dy W", "dx = x + W", "dx_i = 2x_i \\Rightarrow", "dx_i = x_i,", "dx_i = x_i ≤"),
    ],
)
def test_whatever_still_goes_on_is_no_fault(text: str) -> None:
    so_far = read_so_far(CONTEXT, text)
    assert isinstance(so_far, Understood) or (isinstance(so_far, Stopped) and not so_far.complete)


@pytest.mark.slow
def test_right_answers_look_calm_while_they_are_typed() -> None:
    """Of all beginnings of right answers, hardly one is called a fault."""
    beginnings: list[str] = []
    alarms: list[str] = []
    for path in CHECKERS:
        checker = Judge(InThisProcess()).checker(path)
        contexts = {ask.name: ask.context for ask in question_of(checker.describe()).asked}
        for number, case in enumerate(case for case in cases(path) if case.right):
            for end in range(1 + number % 3, len(case.text), 3):
                so_far = read_so_far(contexts[case.asked], case.text[:end])
                beginnings.append(case.text[:end])
                if isinstance(so_far, Stopped) and so_far.complete:
                    alarms.append(case.text[:end])
    assert len(beginnings) > 3000
    assert len(alarms) < len(beginnings) / 100, alarms


@pytest.mark.parametrize(
    "text", ["3*", "x.", "x.sum(", "dx = np.", "s = x[", "d", "x *\n", "s = x.sum(axis=0)\ndx ="]
)
def test_python_for_many_axes_is_no_matrix_notation_while_it_is_typed(text: str) -> None:
    so_far = read_so_far(CUBE, text)
    assert isinstance(so_far, Stopped)
    assert not so_far.complete


@pytest.mark.parametrize("left", ["db", "∂L/∂b_i", "dL/db"])
def test_a_text_for_another_asked_name_is_read_as_such(left: str) -> None:
    shapes = {"x": (2,), "dy": (2,), "b": (2,)}
    first, second = (
        Context(shapes, asked, (2,), upstreams=("dy",), others=("dx", "db"))
        for asked in ("dx", "db")
    )
    text = f"{left} = {'dy_i' if '_' in left else 'dy'}"
    assert isinstance(read_so_far(first, text), Stopped)
    found = read_so_far(first, text, others=[second])
    assert isinstance(found, Understood) and found.shown.startswith("db")
    assert isinstance(read_so_far(first, "db = dy +", others=[second]), Stopped)


@pytest.mark.parametrize("text", ["x dy", "3 x dy", "dx = dy / 3 x"])
def test_matrix_notation_for_many_axes_stops_the_reading(text: str) -> None:
    so_far = read_so_far(CUBE, text)
    assert isinstance(so_far, Stopped)
    assert so_far.complete


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("q * x", 1, 1),
        ("   q * x", 1, 4),
        ("x * q * x", 1, 5),
        ("\n\n  x * q * x", 3, 7),
        ("s = W x\ndx = W^T q_k s", 2, 10),
        ("(x * 2))", 1, 8),
    ],
)
def test_a_fault_is_told_where_it_stands_in_what_was_typed(
    text: str, line: int, column: int
) -> None:
    so_far = read_so_far(CONTEXT, text)
    assert isinstance(so_far, Stopped)
    assert (so_far.line, so_far.column, so_far.complete) == (line, column, True)


def test_of_nothing_and_of_far_too_much_there_is_nothing_to_say() -> None:
    assert read_so_far(CONTEXT, " \n ") is None
    assert read_so_far(CONTEXT, "x" + " + x" * (MAX_LENGTH // 4)) is None


def test_nothing_is_run_while_it_is_typed(tmp_path: Path) -> None:
    made = tmp_path / "made"
    read_so_far(CONTEXT, f"open({str(made)!r}, 'w')\nx")
    read_so_far(CONTEXT, f"dx = [open(p, 'w') for p in [{str(made)!r}]]")
    assert not made.exists()


def test_the_editor_is_there_before_numpy() -> None:
    code = "import quizzer.cli.terminal.ask, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
