from itertools import islice
from random import Random

from form.sheets import SIGMOID, problems_in, sheet_in

from quizzer.form.changes import Change
from quizzer.form.slips import Candidate, candidates_of, certified, slips
from quizzer.judge.derivation import Mark


def is_certified(right: str) -> bool:
    sheet = sheet_in(SIGMOID)
    candidate = Candidate(2, Change(right, "one-edit"))
    return certified(sheet, [candidate], problems_in(SIGMOID)) == [candidate]


def test_a_slips_line_is_the_only_false_one_on_seeds_that_it_was_not_made_with() -> None:
    sheet = sheet_in(SIGMOID)
    made = list(islice(slips(sheet, problems_in(SIGMOID), Random(1)), 4))
    assert len(made) == 4
    for slip in made:
        for judged in problems_in(SIGMOID, (7, 8, 9)).judged_on_each(
            sheet.with_right(slip.place, slip.right)
        ):
            assert judged.first_wrong == slip.place + 1
            assert [each.mark for each in judged.lines].count(Mark.WRONG) == 1


def test_a_slip_of_the_wanted_kind_comes_first() -> None:
    sheet = sheet_in(SIGMOID)
    for kind in ("sign", "one-edit"):
        first = candidates_of(sheet, Random(0), (kind,))[0]
        assert first.change.kind == kind


def test_what_is_right_in_another_notation_is_no_slip() -> None:
    assert not is_certified(r"\delta_j \, (y_j - y_j^2)")


def test_what_cannot_be_read_is_no_slip() -> None:
    assert not is_certified(r"\delta_j \, (")


def test_what_has_another_shape_is_no_slip() -> None:
    assert not is_certified(r"\sum_k \delta_k \, y_k")


def test_what_is_false_by_a_rounding_error_only_is_no_slip() -> None:
    assert not is_certified(r"1.0000001 \delta_j \, y_j (1 - y_j)")


def test_the_same_line_with_another_sign_is_a_slip() -> None:
    assert is_certified(r"\delta_j \, y_j (1 + y_j)")
