"""Verdicts from the typed text to the sentence; where nothing else is said, through processes."""

import os
import struct
from pathlib import Path
from typing import ClassVar

import pytest
from processes import children

from quizzer.judge.judgement import Answered, Broken, Judgement, Question
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove
from quizzer.values import Verdict

SEED = 7


@pytest.fixture
def ask(judge: Judge, checkers: Path):  # type: ignore[no-untyped-def]
    """The verdict on one answer to one of the fixtures' checkers."""

    def ask(checker: str, name: str, text: str, seed: int = SEED) -> Answered:
        text = text.replace("OS.", "np.lib._npyio_impl.os.")
        judgement = judge.judge(checkers / f"{checker}.py", {name: text}, seed)
        assert isinstance(judgement, Judgement), judgement
        return judgement.answers[0]

    return ask


@pytest.fixture
def written(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A checker of this source, as a file."""

    def written(source: str) -> Path:
        path = tmp_path / "card.py"
        path.write_text(source, encoding="utf-8")
        return path

    return written


HEADER = b'{"texts": [{"verdict": "correct"}]}'
FORGED = b"+" + struct.pack("<II", len(HEADER), 0) + HEADER

SCALED = """
import numpy as np
answers = ["dx"]
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m))}
def forward(x):
    return {"y": 3.0 * x}
"""


def test_time_that_others_take_is_not_counted(judge: Judge, written) -> None:  # type: ignore[no-untyped-def]
    """A stage may take so much processor time; on a busy machine it takes longer by the clock."""
    slow = SCALED.replace("def sample(rng):", "import time\nseconds = 0.5\ndef sample(rng):")
    path = written(slow.replace("def forward", "time.sleep(0.7)\ndef forward"))
    judgement = judge.judge(path, {"dx": "3 * dy"}, SEED)
    assert isinstance(judgement, Judgement), judgement
    assert judgement.verdict is Verdict.CORRECT


class Here:
    """For tests to which it does not matter where code runs."""

    @pytest.fixture
    def judge(self, judge_here: Judge) -> Judge:
        return judge_here


class TestCorrect:
    @pytest.mark.parametrize(
        ("checker", "name", "text"),
        [
            ("linear", "dW", "dy @ x.T"),
            ("linear", "dx", "dx = W.T @ delta"),
            ("linear", "dW", "def dW(x, dy):\n    return np.einsum('mn,dn->md', dy, x)"),
            ("linear", "dW", "s = x.T\ndW = dy @ s"),
            ("softmax", "dz", "p * (δ - sum(p * δ))"),
            ("softmax", "dp_dz", "diag(p) - np.outer(p, p)"),
            ("mse", "dL_dw", "2 * X.T @ (ŷ - y) / N + 2 * λ * w"),
            ("mse", "dL_dy", "-2 / N * (y_hat - y)"),
        ],
    )
    def test_a_right_answer_is_correct_without_remark(
        self, ask, checker: str, name: str, text: str
    ) -> None:
        answered = ask(checker, name, text)
        assert (answered.verdict, answered.diagnosis) == (Verdict.CORRECT, None)

    def test_a_right_answer_is_correct_on_every_seed(self, ask) -> None:
        verdicts = {ask("softmax", "dz", "p*(dp - p@dp)", seed).verdict for seed in range(12)}
        assert verdicts == {Verdict.CORRECT}

    def test_a_row_for_a_vector_is_correct_with_a_remark(self, ask) -> None:
        answered = ask("linear", "db", "dy.sum(axis=1, keepdims=True)")
        assert answered.verdict is Verdict.CORRECT
        assert answered.diagnosis.code == "orientation"

    def test_the_message_for_the_local_derivative_of_a_loss_is_a_convention(self, ask) -> None:
        answered = ask("mse", "dL_dy", "-2 / N * (y_hat - y) * dL")
        assert answered.verdict is Verdict.CORRECT
        assert answered.diagnosis.code == "convention"

    def test_another_convention_of_the_card_is_right_with_its_sentence(self, ask) -> None:
        answered = ask("mse", "dL_dw", "X.T @ (ŷ - y) / N + λ * w")
        assert answered.verdict is Verdict.CORRECT
        assert (answered.diagnosis.code, answered.message) == ("convention", "with half the square")

    def test_an_answer_that_changes_its_inputs_is_judged_by_its_value(self, ask) -> None:
        assert ask("linear", "dW", "x *= 1\ndy *= 2\ndW = dy @ x.T / 2").verdict == "correct"

    def test_integers_are_fine(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "x.sum()"))
        judgement = judge.judge(path, {"dx": "np.ones(x.shape, int)"}, SEED)
        assert judgement.verdict is Verdict.CORRECT


class TestAcceptance:
    """Each answer breaks one rule of acceptance only."""

    def test_a_number_that_would_broadcast_is_wrong(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "3.0 * x.sum()"))
        assert judge.judge(path, {"dx": "3.0"}, SEED).verdict is Verdict.WRONG

    def test_an_axis_that_would_broadcast_is_wrong(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "(x.sum(axis=0))"))
        answers = {"dx": "dy.reshape(1, -1)"}
        assert judge.judge(path, answers, SEED).verdict is Verdict.WRONG

    def test_nan_in_one_entry_is_invalid(self, ask) -> None:
        text = "a = dy @ x.T\na[0, 0] = np.nan\ndW = a"
        answered = ask("linear", "dW", text)
        assert answered.verdict is Verdict.INVALID
        assert answered.message.startswith("dW[0, 0] is NaN: ")

    def test_infinity_is_invalid(self, ask) -> None:
        assert ask("linear", "dW", "dy @ x.T / 0").verdict is Verdict.INVALID

    @pytest.mark.parametrize("factor", ["1.00001", "0.99999"])
    def test_an_answer_that_is_off_by_one_in_100_000_is_wrong(self, ask, factor: str) -> None:
        assert ask("linear", "dW", f"{factor} * dy @ x.T").verdict is Verdict.WRONG

    def test_one_entry_that_is_off_is_wrong(self, ask) -> None:
        text = "a = dy @ x.T\na[-1, -1] *= 1.0001\ndW = a"
        assert ask("linear", "dW", text).verdict is Verdict.WRONG

    def test_an_answer_that_is_right_for_one_size_only_is_wrong(self, ask) -> None:
        text = "dW = dy @ x.T if x.shape[1] == 3 else dy @ x.T * 2"
        assert ask("linear", "dW", text).verdict is Verdict.WRONG

    def test_an_answer_that_is_right_for_square_inputs_only_is_wrong(
        self, judge: Judge, written
    ) -> None:
        source = SCALED.replace("n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)", "n = 3")
        source = source.replace("(n, m)", "(n, rng.integers(3, 5))").replace(
            "3.0 * x", "x @ np.ones((x.shape[1], 2)) * x.shape[0]"
        )
        text = "dy @ np.ones((2, x.shape[1])) * x.shape[1]"
        for seed in range(5):
            assert judge.judge(written(source), {"dx": text}, seed).verdict is Verdict.WRONG

    @pytest.mark.parametrize(
        "text", ["1j * dy @ x.T", "'dW'", "None", "[dy, x]", "np.array([None])", "print"]
    )
    def test_what_is_no_array_of_real_numbers_is_invalid(self, ask, text: str) -> None:
        answered = ask("linear", "dW", text)
        assert answered.verdict is Verdict.INVALID
        assert answered.message


class TestDiagnosis(Here):
    @pytest.mark.parametrize(
        ("checker", "name", "text", "code"),
        [
            ("linear", "dW", "(dy * dy) @ x.T", "known-mistake"),
            ("linear", "dW", "(x @ dy.T).T + 1", "known-mistake"),
            ("linear", "dx", "2 * x * (W.T @ dy)", "variant"),
            ("mse", "dL_dw", "2 / N * X.T @ (ŷ - y)", "variant"),
            ("linear", "dW", "-dy @ x.T", "sign"),
            ("mse", "dL_dy", "2 / N * (y_hat - y) * dL", "sign"),
            ("mse", "dL_dw", "dL * 2 / N * X.T @ (ŷ - y)", "variant"),
            ("mse", "dL_dy", "-(ŷ - y)", "size-factor"),
            ("linear", "dW", "dy @ x.T / 2", "factor"),
            ("linear", "dW", "dy @ x.T / N", "size-factor"),
            ("linear", "dW", "dy @ x.T * np.sqrt(len(W))", "size-factor"),
            ("softmax", "dz", "np.diag(p) - np.outer(p, p)", "jacobian"),
            ("softmax", "dz", "p * (1 - p) * dp", "diagonal-only"),
            ("linear", "dW", "np.ones_like(dy) @ x.T", "upstream-ignored"),
            ("linear", "dW", "x @ dy.T", "transposed"),
            ("linear", "dW", "(dy @ x.T)[::-1]", "flipped"),
            ("linear", "db", "dy", "not-summed"),
            ("linear", "db", "dy.sum()", "over-summed"),
            ("linear", "dW", "W.T @ dy", "other-gradient"),
            ("softmax", "dz", "p * dp", "missing-term"),
            ("softmax", "dz", "p * dp - 2 * p * (p @ dp)", "term-factor"),
            ("softmax", "dz", "p * (dp - z @ dp)", "input-for-output"),
            ("softmax", "dz", "p * (dp + p @ dp)", "term-factor"),
            ("softmax", "dz", "dz[i] = p[i] (dp[i] - sum(k) p[i] dp[k])", "unexplained"),
            ("mse", "dL_dw", "2 / N * X.T @ (ŷ - y) + 3 * λ * w", "unexplained"),
            ("linear", "dW", "a = dy @ x.T\na[0] = 1\ndW = a", "partly"),
            ("linear", "dW", "W**2 + 0.1", "unexplained"),
            ("linear", "dW", "np.ones(7)", "unexplained"),
        ],
    )
    def test_a_wrong_answer_is_told_what_is_wrong(
        self, ask, checker: str, name: str, text: str, code: str
    ) -> None:
        answered = ask(checker, name, text)
        assert answered.verdict is Verdict.WRONG
        assert answered.diagnosis.code == code
        assert answered.diagnosis.message == answered.message

    def test_the_first_difference_counts_from_where_the_card_counts(self, ask) -> None:
        message = ask("softmax", "dz", "np.exp(z) + p").message
        assert message.startswith("dz[1] is ")

    def test_a_huge_entry_does_not_hide_the_difference_before_it(self, ask) -> None:
        text = "a = W + 1\na[-1, -1] = 1e9\ndW = a"
        assert ask("linear", "dW", text).message.startswith("dW[0, 0] is ")

    def test_a_factor_is_named_by_the_size_of_the_card(self, ask) -> None:
        assert "1/N" in ask("linear", "dx", "W.T @ dy / N").message

    @pytest.mark.parametrize("first", [0, 1])
    def test_an_axis_without_a_name_is_counted_as_the_card_counts(
        self, judge: Judge, written, first: int
    ) -> None:
        path = written(f"{SCALED}\nfirst_index = {first}\n")
        (answered,) = judge.judge(path, {"dx": "3 * dy / x.shape[1]"}, SEED).answers
        assert f"1/(length of axis {first + 1} of x)" in answered.message

    def test_the_shapes_are_told(self, ask) -> None:
        answered = ask("linear", "dW", "x @ dy.T")
        assert answered.shape == answered.expected_shape[::-1]

    def test_an_answer_that_is_right_on_some_instances_gets_no_specific_reason(self, ask) -> None:
        text = "dW = -dy @ x.T if x.shape[1] == 3 else dy @ x.T + W"
        assert ask("linear", "dW", text).diagnosis.code in ("unexplained", "partly")

    def test_one_contribution_where_several_must_be_added_is_told(
        self, judge: Judge, written
    ) -> None:
        path = written("""
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(4, 9))}
def forward(x):
    return {"y": x[:-1] + 3 * x[1:]}
answers = ["dx"]
""")
        text = "g = np.zeros_like(x)\ng[:-1] = dy\ng[1:] {} 3 * dy\ndx = g"
        (answered,) = judge.judge(path, {"dx": text.format("=")}, SEED).answers
        assert answered.diagnosis.code == "not-accumulated"
        assert judge.judge(path, {"dx": text.format("+=")}, SEED).verdict is Verdict.CORRECT

    def test_an_input_in_the_place_of_an_output_is_told(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "1 / (1 + np.exp(-x))"))
        (answered,) = judge.judge(path, {"dx": "dy * x * (1 - x)"}, SEED).answers
        assert answered.diagnosis.code == "input-for-output"
        assert answered.message == "You used x where y belongs."

    @pytest.mark.parametrize("extra", ["(x > y)", "(x != y)", "(y > x) * x"])
    def test_a_condition_that_an_exchange_leaves_empty_is_no_exchange(
        self, judge: Judge, written, extra: str
    ) -> None:
        path = written(SCALED.replace("3.0 * x", "1 / (1 + np.exp(-x))"))
        (answered,) = judge.judge(path, {"dx": f"dy * y * (1 - y) + {extra}"}, SEED).answers
        assert answered.diagnosis.code in ("unexplained", "partly")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "text",
        ["W * x.sum()", "W + 1", "W @ W.T @ W", "np.sin(W)", "W * dy.sum()", "abs(dy @ x.T)"],
    )
    def test_nonsense_gets_no_specific_reason(self, ask, text: str) -> None:
        assert ask("linear", "dW", text).diagnosis.code in ("unexplained", "partly")


class TestTies(Here):
    TWICE = "np.kron(df, np.ones((2, 2))) * (x == np.kron(f, np.ones((2, 2))))"
    FIRST = """def dx(x, df):
    d = np.zeros_like(x)
    for k, l in np.ndindex(df.shape):
        window = x[2*k:2*k+2, 2*l:2*l+2]
        i, j = np.unravel_index(window.argmax(), (2, 2))
        d[2*k+i, 2*l+j] = df[k, l]
    return d"""
    SHARED = """m = x == np.kron(f, np.ones((2, 2)))
c = m.reshape(f.shape[0], 2, f.shape[1], 2).sum(axis=(1, 3))
dx = m * np.kron(df / c, np.ones((2, 2)))"""

    def test_a_gradient_given_twice_at_a_tie_is_right_with_a_remark(self, ask) -> None:
        answered = ask("max_pooling", "dx", self.TWICE)
        assert answered.verdict is Verdict.CORRECT
        assert answered.diagnosis.code == "ties"

    @pytest.mark.parametrize("text", [FIRST, SHARED])
    def test_every_element_of_the_generalised_gradient_is_right(self, ask, text: str) -> None:
        answered = ask("max_pooling", "dx", text)
        assert (answered.verdict, answered.diagnosis) == (Verdict.CORRECT, None)

    @pytest.mark.parametrize(
        ("share", "told"),
        [
            ("df", "you give the whole gradient to every tied entry"),
            ("df * (c == 1)", "you give no entry the gradient"),
            ("df / c**2", "the shares of the tied entries must add up"),
            ("df * (3 - 2 * c)", "an entry of dx is "),
        ],
    )
    def test_a_remark_on_ties_says_what_the_answer_does_there(
        self, ask, share: str, told: str
    ) -> None:
        answered = ask("max_pooling", "dx", self.SHARED.replace("df / c", share))
        assert (answered.verdict, answered.diagnosis.code) == (Verdict.CORRECT, "ties")
        assert answered.message.startswith(f"Right away from ties; at a tie {told}")

    def test_a_local_derivative_is_looked_at_in_each_output(self, ask) -> None:
        text = """J = np.zeros(f.shape + x.shape)
for k, l in np.ndindex(f.shape):
    J[k, l, 2*k:2*k+2, 2*l:2*l+2] = x[2*k:2*k+2, 2*l:2*l+2] == f[k, l]
df_dx = J"""
        answered = ask("max_pooling", "df_dx", text)
        assert answered.verdict is Verdict.CORRECT
        assert answered.diagnosis.code == "ties"

    def test_on_a_card_about_ties_it_is_wrong(self, judge: Judge, checkers: Path, written) -> None:
        path = written((checkers / "max_pooling.py").read_text() + "\nties = True\n")
        (answered,) = judge.judge(path, {"dx": self.TWICE}, SEED).answers
        assert (answered.verdict, answered.diagnosis.code) == (Verdict.WRONG, "ties")
        assert judge.judge(path, {"dx": self.FIRST}, SEED).verdict is Verdict.CORRECT

    def test_on_a_card_about_ties_its_known_mistakes_are_told(
        self, judge: Judge, checkers: Path, written
    ) -> None:
        claim = f"ties = True\nwrong = {{'dx': {{'given twice': {self.TWICE!r}}}}}"
        path = written(f"{(checkers / 'max_pooling.py').read_text()}\n{claim}\n")
        (answered,) = judge.judge(path, {"dx": f"dx = {self.TWICE}"}, SEED).answers
        assert (answered.verdict, answered.message) == (Verdict.WRONG, "given twice")
        assert prove(judge, path, SEED) == []

    def test_a_card_that_leaves_ties_out_gives_no_remark(
        self, judge: Judge, checkers: Path, written
    ) -> None:
        path = written((checkers / "max_pooling.py").read_text() + "\nties = False\n")
        (answered,) = judge.judge(path, {"dx": self.TWICE}, SEED).answers
        assert (answered.verdict, answered.diagnosis) == (Verdict.CORRECT, None)

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("df_dx", "df_dx[k,l,i,j] = [x_ij = f_kl]"),
            ("dx", "dx[i,j] = sum(k,l) df[k,l] [x_ij = f_kl]"),
        ],
    )
    def test_equal_values_that_do_not_tie_must_not_matter(self, ask, name: str, text: str) -> None:
        for seed in range(5):
            answered = ask("max_pooling", name, text, seed)
            assert (answered.verdict, answered.diagnosis.code) == (Verdict.WRONG, "partly")

    def test_labels_and_symmetric_matrices_stay_what_they_are_at_ties(
        self, judge: Judge, written
    ) -> None:
        path = written("""
import numpy as np
def sample(rng):
    n = int(rng.integers(3, 6))
    y = np.eye(n)[rng.integers(n)] * 0.7 + 0.3 / n
    return {"z": rng.standard_normal(n), "y": y}
def forward(z, y):
    return {"f": np.maximum(z, 0) + y @ z - np.log(np.exp(z).sum())}
answers = ["dz"]
""")
        text = "df * (z > 0) + df.sum() * (y - exp(z) / sum(exp(z)))"
        for seed in range(4):
            (answered,) = judge.judge(path, {"dz": text}, seed).answers
            assert (answered.verdict, answered.diagnosis) == (Verdict.CORRECT, None)

    def test_a_parameter_without_axes_may_stand_beside_a_kink(self, judge: Judge, written) -> None:
        path = written("""
import numpy as np
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 7)), "a": np.array(rng.uniform(0.1, 0.5))}
def forward(x, a):
    return {"y": np.where(x > 0, x, a * x)}
answers = ["dx", "da"]
""")
        answers = {"dx": "dy * where(x > 0, 1, a)".replace("where", "np.where"),
                   "da": "sum(dy * x * (x < 0))"}  # fmt: skip
        assert judge.judge(path, answers, SEED).verdict is Verdict.CORRECT

    @pytest.mark.parametrize("text", ["dy * (x > 0)", "dy * (x >= 0)", "dy * (sign(x) + 1) / 2"])
    def test_any_slope_of_relu_at_zero_is_right(self, judge: Judge, written, text: str) -> None:
        path = written(SCALED.replace("3.0 * x", "np.maximum(x, 0)"))
        (answered,) = judge.judge(path, {"dx": text}, SEED).answers
        assert (answered.verdict, answered.diagnosis) == (Verdict.CORRECT, None)

    def test_nan_at_a_tie_only_is_a_remark(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "np.abs(x)"))
        (answered,) = judge.judge(path, {"dx": "dy * x / abs(x)"}, SEED).answers
        assert answered.verdict is Verdict.CORRECT
        assert answered.diagnosis.code == "ties"

    @pytest.mark.parametrize("ties", ["None", "True"])
    @pytest.mark.parametrize("text", ["x > 0", "dy * (x > 0)", "dy * (x >= 0)"])
    def test_both_conventions_of_a_loss_are_looked_at_in_their_own(
        self, judge: Judge, written, text: str, ties: str
    ) -> None:
        source = SCALED.replace("3.0 * x", "np.maximum(x, 0).sum()")
        path = written(f"{source}\nties = {ties}\nanswers = ['dy_dx']\n")
        (answered,) = judge.judge(path, {"dy_dx": text}, SEED).answers
        assert answered.verdict is Verdict.CORRECT
        assert (answered.diagnosis is None) == ("dy" not in text)

    @pytest.mark.parametrize("text", ["2 * (x >= 0) - (x > 0)", "dy * (2 * (x >= 0) - (x > 0))"])
    def test_a_loss_given_twice_at_a_kink_gets_the_remark(
        self, judge: Judge, written, text: str
    ) -> None:
        path = written(SCALED.replace("3.0 * x", "np.maximum(x, 0).sum()"))
        (answered,) = judge.judge(path, {"dx": text}, SEED).answers
        assert answered.verdict is Verdict.CORRECT
        assert answered.diagnosis.code == "ties"


class TestInvalid:
    def test_nothing_typed_is_invalid(self, ask) -> None:
        assert ask("linear", "dW", "  ").verdict is Verdict.INVALID

    def test_an_unknown_name_is_invalid_and_named(self, ask) -> None:
        answered = ask("linear", "dW", "dy @ foo.T")
        assert answered.verdict is Verdict.INVALID
        assert "foo" in answered.message
        assert (answered.line, answered.column) == (1, 6)

    def test_the_asked_name_cannot_be_used(self, ask) -> None:
        assert ask("linear", "dW", "dW * 1").verdict is Verdict.INVALID

    def test_a_name_that_is_not_asked_is_invalid_with_the_nearest(self, ask) -> None:
        answered = ask("linear", "dWW", "dy @ x.T")
        assert answered.verdict is Verdict.INVALID
        assert "dW" in answered.message.replace("dWW", "")

    def test_shapes_that_do_not_fit_are_invalid(self, ask) -> None:
        assert ask("linear", "dW", "dy @ x").verdict is Verdict.INVALID

    @pytest.mark.slow
    def test_an_endless_loop_is_invalid_in_time(self, ask) -> None:
        answered = ask("linear", "dW", "def dW(x):\n    while True: pass")
        assert answered.verdict is Verdict.INVALID
        assert "longer than 2 s" in answered.message

    @pytest.mark.parametrize(
        "text",
        [
            "dW = OS._exit(0)",
            "dW = OS.sys.exit(0)",
            "dW = OS.kill(OS.getpid(), 11)",
            "OS.write(3, b'+' + bytes(8))\nOS._exit(0)\ndW = 1",
            f"OS.write(3, {FORGED!r})\nOS._exit(0)\ndW = 1",
            "OS.close(3)\ndW = dy @ x.T",
            "dW = np.ones((100000, 100000))",
            "dW = np.ones((4000, 4000))",
        ],
    )
    def test_an_answer_that_ends_its_process_is_never_a_pass(self, ask, text: str) -> None:
        answered = ask("linear", "dW", text)
        assert answered.verdict is Verdict.INVALID
        assert answered.message

    def test_a_forged_result_in_front_of_the_real_one_is_never_a_pass(self, ask) -> None:
        text = "OS.write(3, b'+')\ndW = dy @ x.T"
        assert ask("linear", "dW", text).verdict is Verdict.INVALID

    def test_the_next_answer_is_judged_as_ever(self, ask) -> None:
        ask("linear", "dW", "OS.abort()\ndW = 1")
        assert ask("linear", "dW", "dy @ x.T").verdict is Verdict.CORRECT

    def test_eight_megabytes_of_printing_change_nothing(self, ask, monkeypatch) -> None:
        monkeypatch.setattr("quizzer.judge.source.DEFAULT_SECONDS", 30.0)  # on a busy machine
        text = "for _ in range(8):\n    print('x' * 2**20)\ndW = dy @ x.T"
        assert ask("linear", "dW", text).verdict is Verdict.CORRECT

    def test_patched_numpy_stays_in_its_process(self, ask) -> None:
        text = "np.max = np.abs = np.isfinite = lambda *a, **k: 0.0\ndW = W * 0"
        assert ask("linear", "dW", text).verdict is Verdict.WRONG
        assert ask("linear", "dW", "dy @ x.T").verdict is Verdict.CORRECT

    def test_terminal_escapes_do_not_come_through(self, ask) -> None:
        answered = ask("linear", "dW", "np.zeros(3).reshape(2, int('\\x1b[2J'))\ndW = 1")
        assert "\x1b" not in answered.message

    def test_files_cannot_be_written(self, ask, tmp_path: Path) -> None:
        target = tmp_path / "written"
        ask("linear", "dW", f"np.ones(9).tofile({str(target)!r})\ndW = dy @ x.T")
        assert not target.exists() or target.read_text() == ""


class TestSubmission:
    def test_every_answer_is_judged_by_itself(self, judge: Judge, checkers: Path) -> None:
        answers = {"dW": "1/0", "dx": "W.T @ dy", "db": "-dy.sum(axis=1)"}
        judgement = judge.judge(checkers / "linear.py", answers, SEED)
        assert [answered.verdict for answered in judgement.answers] == [
            Verdict.INVALID,
            Verdict.CORRECT,
            Verdict.WRONG,
        ]
        assert judgement.verdict is Verdict.INVALID

    def test_a_seed_repeats_a_judgement_exactly(self, checkers: Path) -> None:
        def judged(seed: int) -> object:
            with Judge() as judge:
                return judge.judge(checkers / "linear.py", {"dW": "W * x.sum()"}, seed)

        assert judged(3) == judged(3)
        assert judged(3) != judged(4)

    def test_an_answer_that_draws_random_numbers_is_repeated_exactly(self, checkers: Path) -> None:
        def judged() -> object:
            with Judge() as judge:
                text = "W * np.random.standard_normal(W.shape)"
                return judge.judge(checkers / "linear.py", {"dW": text}, 3)

        assert judged() == judged()

    @pytest.mark.parametrize(
        "name",
        [
            "∂L/∂W",
            "dL_dW",
            "\\frac{\\partial L}{\\partial W}",
            "\\frac{\\partial \\mathcal{L}}{\\partial W}",
            "δ_W",
        ],
    )
    def test_the_asked_name_may_be_written_as_on_paper(self, ask, name: str) -> None:
        answered = ask("linear", name, "dy @ x.T")
        assert (answered.name, answered.verdict) == ("dW", Verdict.CORRECT)


class TestPrepared:
    """A judgement whose instances were made before is the same, and never of another file."""

    ANSWERS: ClassVar = {"dW": "W * x.sum()", "dx": "W.T @ dy", "db": "dy"}

    def test_a_prepared_judgement_is_the_same(self, checkers: Path) -> None:
        path = checkers / "linear.py"
        with Judge() as prepared, Judge() as plain:
            prepared.prepare(path, 3)
            assert prepared.judge(path, self.ANSWERS, 3) == plain.judge(path, self.ANSWERS, 3)

    def test_another_seed_than_the_prepared_one_has_other_instances(self, checkers: Path) -> None:
        path = checkers / "linear.py"
        with Judge() as prepared, Judge() as plain:
            prepared.prepare(path, 3)
            assert prepared.judge(path, self.ANSWERS, 4) == plain.judge(path, self.ANSWERS, 4)

    def test_an_edited_checker_is_judged_as_it_is_now(self, judge: Judge, written) -> None:
        path = written(SCALED)
        judge.prepare(path, SEED)
        written(SCALED.replace("3.0 * x", "5.0 * x"))
        assert judge.judge(path, {"dx": "5 * dy"}, SEED).verdict is Verdict.CORRECT

    def test_a_broken_checker_is_told_when_it_is_judged(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "x / 0"))
        judge.prepare(path, SEED)
        assert isinstance(judge.judge(path, {"dx": "dy"}, SEED), Broken)

    def test_what_cannot_be_read_is_told_when_it_is_judged(
        self, judge: Judge, tmp_path: Path
    ) -> None:
        judge.prepare(tmp_path / "no.py", SEED)
        assert isinstance(judge.judge(tmp_path / "no.py", {"dx": "dy"}, SEED), Broken)

    def test_closing_in_the_middle_of_it_leaves_no_process(self, written) -> None:
        before = children(os.getpid())
        judge = Judge()
        judge.prepare(written(f"seconds = 5\n{SCALED}\nwhile True: pass"), SEED)
        judge.close()
        assert children(os.getpid()) == before


class TestRepair(Here):
    @pytest.mark.parametrize(
        ("checker", "name", "text", "where", "edit"),
        [
            (
                "softmax",
                "dz",
                "p * dp - p * (p @ p)",
                "Look at the second term: “p” in “- p * (p @ p)”.",
                "Write “dp” instead of “p” there.",
            ),
            (
                "softmax",
                "dz",
                "p * dp + p * (p @ dp)",
                "Look at the sign of the second term.",
                "Write “-” instead of “+” there.",
            ),
            (
                "mse",
                "dL_dw",
                "2 / N * X.T @ (ŷ - y) + 3 * λ * w",
                "Look at the second term: “3” in “- y) + 3 * λ * w”.",
                "Write “2” instead of “3” there.",
            ),
            (
                "linear",
                "dW",
                "dy @ x.T + W",
                "Do you need the second term?",
                "Leave out “+ W”.",
            ),
            ("linear", "dW", "s = W + dy\ndW = (s + W) @ x.T", None, None),
        ],
    )
    def test_it_says_where_to_look_and_then_what_to_write(
        self, judge: Judge, checkers: Path, checker, name, text, where, edit
    ) -> None:
        found = judge.repair(checkers / f"{checker}.py", {name: text}, SEED)
        assert [(each.where, each.edit) for each in found] == ([(where, edit)] if where else [])

    def test_its_text_is_a_right_answer(self, judge: Judge, checkers: Path) -> None:
        path = checkers / "softmax.py"
        text = "s = p + dp\ndz = p * (dp + p @ dp)"
        (found,) = judge.repair(path, {"dz": text}, SEED)
        assert judge.judge(path, {found.name: found.text}, SEED + 1).verdict is Verdict.CORRECT

    def test_a_helper_line_is_looked_at_too(self, judge: Judge, checkers: Path) -> None:
        (found,) = judge.repair(
            checkers / "softmax.py", {"dz": "s = p @ p\ndz = p * (dp - s)"}, SEED
        )
        assert found.text in ("s = p @ dp\ndz = p * (dp - s)", "s = dp @ p\ndz = p * (dp - s)")

    @pytest.mark.parametrize("text", ["dy @ x.T", "dy @ foo", "", "np.sin(W) + 1"])
    def test_nothing_is_said_of_what_is_right_unread_or_far_off(
        self, judge: Judge, checkers: Path, text: str
    ) -> None:
        assert judge.repair(checkers / "linear.py", {"dW": text}, SEED) == ()


class TestUnderstood:
    def test_what_was_read_is_shown_for_every_verdict_on_it(self, ask) -> None:
        for text in ("dW[m,d] = sum_n dy_mn x_dn", "dW[m,d] = sum_n dy_mn", "dW[m,d] = W_md / 0"):
            assert "dW[m, d] = " in ask("linear", "dW", text).understood.text

    def test_there_is_nothing_to_show_of_what_cannot_be_read(self, ask) -> None:
        assert ask("linear", "dW", "dy @ foo.T").understood is None


class TestBroken:
    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (("3.0 * x", "x / 0"), "NaN or infinity"),
            (("3.0 * x", "undefined"), "NameError"),
            (("3.0 * x", "[][1]"), "line 8"),
            (("3.0 * x", "x.astype(np.float32)"), "use float64"),
            (("3.0 * x", "x.astype(np.float32).astype(float)"), "No instance could be certified"),
            (("3.0 * x", "x + np.random.standard_normal()"), "draw random numbers in sample"),
            (('"x": rng', '"dy": 1.0, "x": rng'), "`dy` is both an input and the upstream"),
            (
                ('"x": rng', '"delta": 1.0, "x": rng'),
                "`delta` is both an upstream's other name and an input",
            ),
            (('["dx"]', '["dq"]'), "`dq`"),
            (('["dx"]', '["dx", "dx"]'), "twice"),
            (('["dx"]', "7"), "`answers`"),
            (("def sample", "def simple"), "sample(rng)"),
            (("def forward", "def backward"), "neither `forward` nor `reference`"),
            (("def forward(x)", "def forward(x, q)"), "asks for `q`"),
            (("import numpy", "import nothing_like_this"), "ModuleNotFoundError"),
            (("import numpy as np", "import numpy as np\nsymmetric = ['x']"), "symmetric"),
            (("import numpy as np", "import os\nos._exit(0)"), "without a result"),
            (("import numpy as np", "raise SystemExit"), "SystemExit"),
            (("import numpy as np", "def ("), "line 2"),
            (("import numpy as np", "seconds = 99"), "between 0 and 30"),
            (("import numpy as np", "seconds = .5\nwhile True: pass"), "longer than"),
            (("import numpy as np", "wrong = {'dx': {'no': 3}}"), "wrong['dx']['no']"),
            (("import numpy as np", "right = {'dz': 'x'}"), "`dz`, which is not asked"),
            (("import numpy as np", "symbols = {'q': 'q'}"), "`q`, which names nothing"),
            (("import numpy as np", "sizes = {'N': ('x', 5)}"), "axis 5"),
        ],
    )
    def test_a_broken_checker_says_what_to_change(
        self, judge: Judge, written, change: tuple[str, str], said: str
    ) -> None:
        broken = judge.judge(written(SCALED.replace(*change)), {"dx": "3 * dy"}, SEED)
        assert isinstance(broken, Broken), broken
        assert said in broken.message
        assert broken.message.startswith("card.py: ")

    def test_a_reference_that_disagrees_with_the_forward_is_broken(
        self, judge: Judge, written
    ) -> None:
        source = SCALED + "\ndef reference(dy):\n    return {'dx': 2 * dy}\n"
        broken = judge.judge(written(source), {"dx": "3 * dy"}, SEED)
        assert isinstance(broken, Broken)
        assert "disagrees" in broken.message

    def test_a_file_that_is_missing_is_broken(self, judge: Judge, tmp_path: Path) -> None:
        assert isinstance(judge.judge(tmp_path / "no.py", {}, SEED), Broken)

    def test_a_forged_problem_is_broken(self, judge: Judge, written) -> None:
        forged = """
import os, json, struct
h = json.dumps({"sheet": {}, "instances": [], "tied": []}).encode()
os.write(3, b'+' + struct.pack('<II', len(h), 0) + h)
os._exit(0)
"""
        assert isinstance(judge.judge(written(forged), {"dx": "1"}, SEED), Broken)


class TestWithoutForward:
    SOURCE = """
import numpy as np
answers = {"p": "posterior"}
def sample(rng):
    k = int(rng.integers(2, 6))
    return {"prior": rng.dirichlet(np.ones(k)), "like": rng.uniform(size=k)}
def reference(prior, like):
    return {"p": prior * like / (prior @ like)}
"""

    def test_answers_are_held_against_the_reference(self, judge: Judge, written) -> None:
        path = written(self.SOURCE)
        right = {"p": "prior * like / sum(prior * like)"}
        assert judge.judge(path, right, SEED).verdict is Verdict.CORRECT
        (answered,) = judge.judge(path, {"p": "prior * like"}, SEED).answers
        assert answered.verdict is Verdict.WRONG

    def test_without_answers_it_is_broken(self, judge: Judge, written) -> None:
        path = written(self.SOURCE.replace('answers = {"p": "posterior"}', ""))
        assert isinstance(judge.question(path), Broken)


def test_a_closed_form_may_use_those_that_were_asked_before_it(judge: Judge, written) -> None:
    path = written("""
answers = ["K", "P_new"]
def sample(rng):
    return {"P": rng.uniform(1, 2, size=rng.integers(2, 6)), "r": rng.uniform(0.1, 0.5)}
def reference(P, r):
    K = P / (P + r)
    return {"K": K, "P_new": (1 - K) * P}
""")
    assert judge.judge(path, {"P_new": "(1 - K) * P"}, SEED).verdict is Verdict.CORRECT
    assert judge.judge(path, {"K": "1 - P_new / P"}, SEED).verdict is Verdict.INVALID
    first, second = judge.question(path).asked
    assert [any(name.startswith("K ") for name in ask.names) for ask in (first, second)] == [
        False,
        True,
    ]


def test_upstreams_are_not_offered_where_nothing_is_differentiated(judge: Judge, written) -> None:
    path = written(SCALED.replace('["dx"]', '["y"]'))
    (ask,) = judge.question(path).asked
    assert [name.split()[0] for name in ask.names] == ["x"]


class TestAccept(Here):
    SOURCE = """
import numpy as np
answers = ["v"]
def sample(rng):
    a = rng.standard_normal((rng.integers(2, 5),) * 2)
    return {"A": a + a.T}
def reference(A):
    return {"v": np.linalg.eigh(A)[1][:, 0]}
def accept(name, answer, v):
    if np.allclose(answer, 0):
        return "an eigenvector is not zero"
    return bool(np.allclose(answer, v) or np.allclose(answer, -v))
"""

    @pytest.mark.parametrize(
        ("text", "verdict"),
        [
            ("np.linalg.eigh(A)[1][:, 0]", "correct"),
            ("-np.linalg.eigh(A)[1][:, 0]", "correct"),
            ("A[0]", "wrong"),
            ("np.linalg.eigh(A)[1][:, 0] * np.nan", "invalid"),
            ("np.ones(1)", "wrong"),
        ],
    )
    def test_the_checker_decides(self, judge: Judge, written, text: str, verdict: str) -> None:
        assert judge.judge(written(self.SOURCE), {"v": text}, SEED).verdict == verdict

    SIGNS = """
import numpy as np
answers = ["v"]
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 6))}
def reference(x):
    return {"v": x / np.linalg.norm(x)}
def accept(name, answer, v):
    return True if np.allclose(answer, -v) else None
"""

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize(
        ("text", "verdict"),
        [
            ("x / norm(x)", "correct"),
            ("np.sign(x[-1]) * x / norm(x)", "correct"),
            ("-x / norm(x)", "correct"),
            ("np.abs(x) / norm(x)", "wrong"),
            ("2 * x / norm(x)", "wrong"),
        ],
    )
    def test_it_decides_on_each_problem_by_itself(
        self, judge: Judge, written, text: str, verdict: str, seed: int
    ) -> None:
        assert judge.judge(written(self.SIGNS), {"v": text}, seed).verdict == verdict

    def test_a_refusal_counts_where_it_has_no_opinion_elsewhere(
        self, judge: Judge, written
    ) -> None:
        path = written(self.SIGNS.replace("True if np.allclose(answer, -v)", "'no' if v[0] > 0"))
        (answered,) = judge.judge(path, {"v": "x / norm(x)"}, SEED).answers
        assert (answered.verdict, answered.message) == (Verdict.WRONG, "no")

    def test_its_sentence_is_told(self, judge: Judge, written) -> None:
        (answered,) = judge.judge(written(self.SOURCE), {"v": "A[0] * 0"}, SEED).answers
        assert answered.message == "an eigenvector is not zero"


OF_A_SYMMETRIC_MATRIX = """
import numpy as np
symmetric = ["A"]
def sample(rng):
    n = int(rng.integers(2, 5))
    a = rng.standard_normal((n, n))
    return {"A": a @ a.T + n * np.eye(n), "u": rng.standard_normal(n)}
def forward(A, u):
    return {"q": u @ A @ u + A[0, 1]}
answers = ["dA"]
wrong = {"dA": {"There is a term for the entry alone.": "dq * np.outer(u, u)"}}
"""


def test_only_the_symmetric_part_is_compared_for_a_symmetric_input(judge: Judge, written) -> None:
    path = written(OF_A_SYMMETRIC_MATRIX)
    text = "g = np.outer(u, u)\ng[{}, {}] += 1\ndA = dq * g"
    for at in ((0, 1), (1, 0)):
        assert judge.judge(path, {"dA": text.format(*at)}, SEED).verdict is Verdict.CORRECT
    assert judge.judge(path, {"dA": text.format(0, 0)}, SEED).verdict is Verdict.WRONG


def test_a_known_mistake_is_known_by_its_symmetric_part(judge: Judge, written) -> None:
    text = "g = np.outer(u, u)\ng[0, 1] += 1\ng[1, 0] -= 1\ndA = dq * g"
    (answered,) = judge.judge(written(OF_A_SYMMETRIC_MATRIX), {"dA": text}, SEED).answers
    assert answered.message == "There is a term for the entry alone."


@pytest.mark.parametrize("seed", [4, 6])
def test_a_forward_may_read_one_triangle_of_a_symmetric_input(
    judge: Judge, written, seed: int
) -> None:
    path = written("""
import numpy as np
symmetric = ["A"]
answers = ["df_dA"]
def sample(rng):
    n = int(rng.integers(2, 5))
    a = rng.standard_normal((n, n))
    return {"A": a @ a.T + 0.1 * np.eye(n)}
def forward(A):
    return {"f": 2 * np.log(np.diag(np.linalg.cholesky(A))).sum()}
""")
    assert judge.judge(path, {"df_dA": "inv(A)"}, seed).verdict is Verdict.CORRECT
    wrong = "2 * inv(A) - np.diag(np.diag(inv(A)))"
    assert judge.judge(path, {"df_dA": wrong}, seed).verdict is Verdict.WRONG


def test_several_outputs_add_up_in_a_message(judge: Judge, written) -> None:
    path = written("""
import numpy as np
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(2, 6))}
def forward(x):
    return {"a": np.sin(x), "b": x @ x}
answers = ["dx", "da_dx", "db_dx"]
""")
    answers = {
        "dx": "da * np.cos(x) + db * 2 * x",
        "da_dx": "diag(np.cos(x))",
        "db_dx": "2 * x",
    }
    judgement = judge.judge(path, answers, SEED)
    assert [answered.verdict for answered in judgement.answers] == ["correct"] * 3
    half = judge.judge(path, {"dx": "da * np.cos(x)"}, SEED)
    assert half.verdict is Verdict.WRONG


class TestAsks:
    def test_it_tells_shapes_by_the_sizes_of_the_card(self, judge: Judge, checkers: Path) -> None:
        asks = judge.question(checkers / "linear.py")
        assert isinstance(asks, Question)
        assert [ask.name for ask in asks.asked] == ["dW", "dx", "db"]
        assert asks.asked[1].label == "backward message"
        assert asks.asked[1].shape[1] == "N"

    def test_the_asked_answer_is_not_among_the_names(self, judge: Judge, written) -> None:
        path = written(SCALED.replace('["dx"]', '["y", "dx"]'))
        forward, message = judge.question(path).asked
        assert not any(name.startswith("y ") for name in forward.names)
        assert any(name.startswith("y ") for name in message.names)

    def test_names_are_shown_as_the_card_writes_them(self, judge: Judge, checkers: Path) -> None:
        names = judge.question(checkers / "mse.py").asked[0].names
        assert "λ" in names
        assert any(name.startswith("ŷ (") for name in names)

    def test_what_goes_with_the_question_comes_along(self, judge: Judge, checkers: Path) -> None:
        asks = judge.question(checkers / "softmax.py")
        assert asks.assume == "z has at least two entries"
        assert asks.first_index == 1
        assert len(asks.hints) == 2

    def test_a_loss_asks_for_its_local_derivatives(self, judge: Judge, written) -> None:
        path = written(SCALED.replace("3.0 * x", "x.sum()").replace('answers = ["dx"]', ""))
        assert [ask.name for ask in judge.question(path).asked] == ["dy_dx"]

    def test_anything_else_asks_for_its_messages(self, judge: Judge, written) -> None:
        path = written(SCALED.replace('answers = ["dx"]', ""))
        assert [ask.name for ask in judge.question(path).asked] == ["dx"]


class TestNotations:
    @pytest.mark.parametrize(
        ("checker", "name", "text", "notation"),
        [
            ("linear", "dW", "dy x^T", "matrix"),
            ("linear", "dx", "W^\\top \\delta", "matrix"),
            ("linear", "dW", "dW[i,j] = sum(n) dy[i,n] x[j,n]", "index"),
            ("linear", "dW[i,j]", "Σ_n dy_{in} x_{jn}", "index"),
            ("linear", "db", "db_m = Σ_n dy_{mn}", "index"),
            ("softmax", "dz", "(diag(p) - p p^T) dp", "matrix"),
            ("softmax", "dp_dz", "diag(p) - p p^T", "matrix"),
            ("mse", "dL_dw", "\\frac{2}{N} X^\\top (\\hat{y} - y) + 2 λ w", "matrix"),
        ],
    )
    def test_each_notation_is_read_and_named(
        self, ask, checker: str, name: str, text: str, notation: str
    ) -> None:
        answered = ask(checker, name, text)
        assert answered.verdict is Verdict.CORRECT, answered
        assert answered.notation == notation

    def test_a_notation_can_be_forced(self, judge: Judge, checkers: Path) -> None:
        answers = {"dW": "dy * x"}
        (answered,) = judge.judge(checkers / "linear.py", answers, SEED, "matrix").answers
        assert (answered.verdict, answered.notation) == (Verdict.INVALID, "matrix")

    def test_the_place_of_a_fault_counts_from_the_typed_text(self, ask) -> None:
        whole = ask("linear", "dW", "dW[i,j] = sum(n) dy[i,n] foo[j,n]")
        right = ask("linear", "dW[i,j]", "sum(n) dy[i,n] foo[j,n]")
        assert whole.verdict is right.verdict is Verdict.INVALID
        assert whole.column - right.column == len("dW[i,j] = ")


def test_the_names_that_are_asked_come_with_the_instances(judge: Judge, checkers: Path) -> None:
    asks = judge.question(checkers / "linear.py")
    assert isinstance(asks, Question)
    assert judge.names(checkers / "linear.py", SEED) == tuple(ask.name for ask in asks.asked)


def test_a_broken_checker_is_told_when_its_names_are_asked(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "card.py").write_text("def sample(rng): ...", "utf-8")
    broken = judge.names(tmp_path / "card.py", SEED)
    assert isinstance(broken, Broken)
    assert broken == judge.judge(tmp_path / "card.py", {"dx": "1"}, SEED)
