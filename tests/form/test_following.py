from itertools import islice
from random import Random

from form.sheets import SIGMOID, problems_in, sheet_in

from quizzer.form.candidates import Candidate
from quizzer.form.changes import Change
from quizzer.form.following import carried, following
from quizzer.form.slips import slips
from quizzer.judge.derivation import Mark


def below(right: str) -> list[tuple[int, str]]:
    """What follows in the last line from this slip in the second."""
    slip = Candidate(1, Change(right, "sign"))
    found = carried(sheet_in(SIGMOID), slip, problems_in(SIGMOID))
    return [(each.place, each.change.right) for each in found]


def test_the_lines_below_a_slip_say_what_it_says() -> None:
    slipped = r"\sum_i \delta_i \, [i = j] \, y_i (1 + y_i)"
    assert below(slipped) == [(2, r"\delta_j \, y_j (1 + y_j)")]


def test_nothing_follows_where_no_edit_of_the_line_below_says_the_same() -> None:
    assert below(r"\sum_i \delta_i \, y_i (1 - y_i)") == []


def test_nothing_is_below_the_last_line_or_in_another_statement() -> None:
    sheet, problems = sheet_in(SIGMOID), problems_in(SIGMOID)
    for place, right in ((0, r"[i = j] \, y_i (1 + y_i)"), (2, r"\delta_j \, y_j (1 + y_j)")):
        assert carried(sheet, Candidate(place, Change(right, "sign")), problems) == ()


def test_what_says_the_same_in_some_entries_only_does_not_follow() -> None:
    sheet = sheet_in(SIGMOID)
    slip = Candidate(1, Change(r"\sum_i \delta_i \, [i = j] \, y_i (1 + y_i)", "sign"))
    same = Candidate(2, Change(r"\delta_j \, y_j (1 + y_j)", "sign"))
    near = Candidate(2, Change(r"\delta_j \, y_j (1 + y_j) + [y_j > 0.6] y_j", "one-edit"))
    assert following(sheet, slip, [same, near], problems_in(SIGMOID, (0,))) == [same]


def test_the_judge_calls_the_slip_wrong_and_says_that_the_others_follow() -> None:
    sheet, problems = sheet_in(SIGMOID), problems_in(SIGMOID)
    found = [slip for slip in islice(slips(sheet, problems, Random(1)), 12) if slip.after]
    assert found
    for slip in found:
        judged = problems.judged(sheet.with_rights(slip.rights))
        marks = {each.line - 1: each.mark for each in judged.lines}
        assert marks[slip.place] is Mark.WRONG
        assert {marks[place] for place, _ in slip.after} == {Mark.FOLLOWS}
