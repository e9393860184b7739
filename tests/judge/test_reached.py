"""What a derivation settles: the verdict on a result is that on the result alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from quizzer.judge.judges import Judge
from quizzer.values import Verdict
from tests.derived import settled

CORPUS = Path(__file__).parents[1] / "corpus/derivations/right.jsonl"
SAMPLE = ("linear-layer-1", "batch-norm-1", "sigmoid-1")
"""Derivations whose results need no other line."""


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    return judge_here


def entry_of(wanted: str) -> dict[str, Any]:
    lines = map(json.loads, CORPUS.read_text("utf-8").splitlines())
    return next(each for each in lines if each["id"] == wanted)


@pytest.mark.parametrize("wanted", SAMPLE)
def test_the_verdict_on_a_result_is_that_on_it_alone_whatever_is_above(
    judge: Judge, wanted: str
) -> None:
    entry = entry_of(wanted)
    stem, name = wanted.rpartition("-")[0].replace("-", "_"), entry["name"]
    slips = [each for each in entry["slips"] if "definition" not in each]
    seen = set()
    for slip in slips[::7]:
        changed = entry["text"].split("\n")
        changed[slip["line"] - 1] = slip["text"]
        last = [each for each in changed if each.strip(" \\") and "{align}" not in each][-1]
        begins = [each for each in changed if each.partition("=")[0].strip(" &")][-1]
        left = begins.partition("=")[0].strip(" &")
        alone = settled(judge, stem, name, f"{left} = {last.rpartition('=')[2]}").answers[0]
        if alone.verdict is Verdict.INVALID:  # it uses what other lines give
            continue
        whole = settled(judge, stem, name, "\n".join(changed))
        assert {each.name: each.verdict for each in whole.answers}[name] is alone.verdict, slip
        seen.add(alone.verdict)
    assert seen


@pytest.mark.parametrize(
    "wanted", ["attention-1", "masked-attention-1", "mixture-m-step-6", "softmax-cross-entropy-3"]
)
def test_a_right_result_may_use_what_right_lines_above_work_out(judge: Judge, wanted: str) -> None:
    entry = entry_of(wanted)
    stem, name = wanted.rpartition("-")[0].replace("-", "_"), entry["name"]
    found = settled(judge, stem, name, entry["text"])
    assert {each.name: each.verdict for each in found.answers}[name] is Verdict.CORRECT
    _, _, rest = entry["text"].partition("\n")
    if wanted == "masked-attention-1":  # without A = δ Vᵀ, ∂L/∂P is not worked out
        assert settled(judge, stem, name, rest).answers[0].verdict is Verdict.INVALID


def test_the_nodes_of_a_card_whose_question_has_the_formulas_are_known(judge: Judge) -> None:
    text = "∂y_k/∂x_i = Σ_j W_{kij} z_j\n∂L/∂x_i = Σ_k δ_k Σ_j W_{kij} z_j"
    found = settled(judge, "bilinear", "dx", text)
    assert [each.mark for each in found.lines] == ["right", "right"]
    assert found.answers[0].verdict is Verdict.CORRECT


def test_a_line_that_cannot_be_read_is_not_passed_over_for_the_one_above(judge: Judge) -> None:
    text = "∂L/∂z_j = Σ_k δ_k p_k ([k=j] - p_j)\n= p_j (blah_j - Σ_k δ_k p_k)"
    found = settled(judge, "softmax_jacobian", "dz", text)
    assert found.answers[0].verdict is Verdict.INVALID
    assert found.answers[0].line == 2


def test_a_definition_of_ones_own_comes_with_the_result(judge: Judge) -> None:
    text = "g = Σ_k δ_k p_k\n∂L/∂z_j = p_j (δ_j - g)"
    assert settled(judge, "softmax_jacobian", "dz", text).answers[0].verdict is Verdict.CORRECT
    wrong = text.replace("p_k\n", "p_k^2\n")
    assert settled(judge, "softmax_jacobian", "dz", wrong).answers[0].verdict is Verdict.WRONG


@pytest.mark.parametrize(
    "text",
    [
        "∂L/∂z = ∂L/∂z\n= dz",
        "g = dz\ndz = g",
        "g_j = ∂L/∂z_j\nh_j = g_j\n∂L/∂z_j = h_j",
        "J = ∂p/∂z\n∂L/∂z = J^T δ",
        "p_k = p_k\ndz = ∇_z L",
        "p_k = p_k\n∂L/∂z_j = Σ_k δ_k ∂/∂z_j (p_k)",
        "p_k = p_k\n∂L/∂z_j = Σ_k δ_k ∂p_k/∂z_j   (since p_k = p_k)",
        "p_k = p_k\n∂L/∂z_j = Σ_k δ_k ∂p_k/∂z_j   # so p_k = p_k",
    ],
)
def test_a_result_that_is_made_of_itself_is_not_finished(judge: Judge, text: str) -> None:
    found = settled(judge, "softmax_jacobian", "dz", text).answers[0]
    assert (found.verdict, found.diagnosis and found.diagnosis.code) == (
        Verdict.INVALID,
        "unfinished",
    )


def test_a_name_for_a_derivative_is_known_from_where_that_is(judge: Judge) -> None:
    text = "J_{kj} = ∂p_k/∂z_j\n∂p_k/∂z_j = [k=j] p_k - p_k p_j\n∂L/∂z_j = Σ_k δ_k J_{kj}"
    assert settled(judge, "softmax_jacobian", "dz", text).answers[0].verdict is Verdict.CORRECT


def test_lines_about_numbers_are_judged_and_explained(judge: Judge) -> None:
    text = "∂L/∂v = u\n∂L/∂u = u + v\n∂L/∂x = y ∂L/∂u - ∂L/∂v"
    found = settled(judge, "scalar_graph", "dL_dx", text)
    assert [each.mark for each in found.lines] == ["right", "right", "wrong"]
    assert "Lines 1 and 2 are right. At x = " in found.lines[2].message
    assert found.answers[0].verdict is Verdict.WRONG


def test_a_diagonal_is_no_jacobian(judge: Judge) -> None:
    diagonal = "∂p_k/∂z_k = p_k (1 - p_k)\n"
    text = diagonal + "∂L/∂z_j = Σ_k δ_k ∂p_k/∂z_j"
    found = {each.name: each for each in settled(judge, "softmax_jacobian", "dz", text).answers}
    assert [found[name].verdict for name in found] == [Verdict.INVALID]
    alone = settled(judge, "softmax_jacobian", "dp_dz", diagonal + "∂p_k/∂z_k = p_k - p_k p_k")
    assert alone.answers[0].verdict is Verdict.INVALID


def test_a_diagonal_is_enough_where_only_that_is_used(judge: Judge) -> None:
    text = "∂y_i/∂x_i = y_i (1 - y_i)\n∂L/∂x_i = δ_i ∂y_i/∂x_i"
    assert settled(judge, "sigmoid", "dx", text).answers[0].verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("stem", "name", "text"),
    [
        ("linear_attention", "dK", "∂L/∂S = 2 Q^T δ\ndK = (1/2) V (∂L/∂S)^T"),
        ("weight_norm", "dv", "m = X^T δ\ndg = v^T m\ndv = (g/r) (m - (dg/r^2) v)"),
    ],
)
def test_two_slips_that_cancel_are_no_right_result(
    judge: Judge, stem: str, name: str, text: str
) -> None:
    found = settled(judge, stem, name, text).answers[0]
    assert found.verdict is Verdict.INVALID
    assert "a wrong line above" in found.message


def test_a_definition_and_a_factor_that_cancel_are_right(judge: Judge) -> None:
    text = "G = 2 Q^T δ\ndK = (1/2) V G^T"
    assert settled(judge, "linear_attention", "dK", text).answers[0].verdict is Verdict.CORRECT


def test_a_name_that_is_given_a_new_value_has_that_in_the_result(judge: Judge) -> None:
    text = "G = Y - U V^T\nG = o ⊙ G\ndL_dU = -2 G V + 2 λ U"
    right = settled(judge, "matrix_factorization", "dL_dU", text).answers[0]
    assert right.verdict is Verdict.CORRECT
    wrong = settled(judge, "matrix_factorization", "dL_dU", text.replace("o ⊙ G", "2 o ⊙ G"))
    assert wrong.answers[0].verdict is Verdict.WRONG
    unused = settled(judge, "matrix_factorization", "dL_dU", text.replace("G = o", "H = o"))
    assert unused.answers[0].verdict is Verdict.WRONG


@pytest.mark.parametrize("second", ["G = o ⊙ G", "G_{nj} = o_{nj} G_{nj}", "G = G ⊙ o\nG = -G"])
def test_the_line_that_gives_a_name_a_new_value_and_those_below_are_not_wrong(
    judge: Judge, second: str
) -> None:
    sign = "" if "-G" in second else "-"
    text = f"G = Y - U V^T\n{second}\ndL_dU = {sign}2 G V + 2 λ U"
    found = settled(judge, "matrix_factorization", "dL_dU", text)
    assert found.answers[0].diagnosis is None
    assert [line.mark for line in found.lines] == ["defines"] * text.count("\n") + ["right"]


def test_derivatives_through_a_name_with_a_new_value_go_through_its_last_one(judge: Judge) -> None:
    text = "s = x W^T\ns = s ⊙ s\n∂s_{nk}/∂x_{mj} = 2 [n=m] W_{kj} sum_i W_{ki} x_{ni}"
    found = settled(judge, "linear_layer", "dx", text)
    assert [line.mark for line in found.lines] == ["defines", "defines", "right"]


@pytest.mark.parametrize("name", ["q", "a", "h"])
def test_a_name_is_not_used_where_its_letter_is_in_that_of_a_function(
    judge: Judge, name: str
) -> None:
    text = f"{name} = x W^T\n{name} = tanh(x W^T)\ndx = dy W"
    assert settled(judge, "linear_layer", "dx", text).lines[1].mark == "wrong"


@pytest.mark.parametrize("left", ["r", "r_n", "r_{ni}", "r[n,i]"])
def test_a_line_that_was_not_read_is_named_where_the_result_needs_it(
    judge: Judge, left: str
) -> None:
    found = settled(judge, "linear_layer", "dx", f"{left} = x_m dy_k\ndx_{{ni}} = {left} W_i")
    assert found.answers[0].verdict is Verdict.INVALID
    assert (found.answers[0].line, found.answers[0].message) == (1, found.lines[0].message)


def test_a_recurrence_is_no_new_value(judge: Judge) -> None:
    text = "r_n = sum_j X_{nj}\nr_n = 2 r_{n-1}\n∂L/∂U = -2 E V + 2 λ U"
    found = settled(judge, "matrix_factorization", "dL_dU", text.replace("X_{nj}", "Y_{nj}"))
    assert found.lines[1].mark != "defines"


def test_a_result_in_numpy_may_come_below_lines_of_math(judge: Judge) -> None:
    text = "∂p_k/∂z_j = [k=j] p_k - p_k p_j\ndz = p*(dp-np.sum(dp*p))"
    assert settled(judge, "softmax_jacobian", "dz", text).answers[0].verdict is Verdict.CORRECT


def test_a_line_that_is_in_doubt_settles_no_other_name(judge: Judge) -> None:
    text = "∂y/∂x = y ⊙ (1 - y)\n∂L/∂x = δ ⊙ y ⊙ (1 - y)"
    found = settled(judge, "sigmoid", "dx", text)
    assert {each.name: each.verdict for each in found.answers} == {"dx": Verdict.CORRECT}


def test_one_entry_settles_nothing_and_is_not_enough_for_the_others(judge: Judge) -> None:
    text = "∂y_1/∂x_1 = y_1 (1 - y_1)\n∂L/∂x_i = δ_i ∂y_i/∂x_i"
    found = settled(judge, "sigmoid", "dx", text)
    assert [(each.name, each.verdict) for each in found.answers] == [("dx", Verdict.INVALID)]
    one = "y = y\n∂y_1/∂x_1 = y_1 (1 - y_1)"
    asked = settled(judge, "sigmoid", "dy_dx", one).answers[0]
    assert (asked.verdict, asked.message) == (
        Verdict.INVALID,
        "Right so far. Now write all of dy_dx.",
    )
