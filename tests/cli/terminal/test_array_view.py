"""Got beside expected, in wide and narrow windows and read aloud."""

import re

import pytest

from quizzer.cli.terminal.array_view import DIFFERING, drawn, listed
from quizzer.judge.judgement import View

VECTOR = View(
    "dx",
    (0,),
    ((-1.25,), (10.0,), (0.5,)),
    ((-1.25,), (0.125,), (0.5,)),
    ((False,), (True,), (False,)),
)
MATRIX = View(
    "dW",
    (1, 0),
    ((1.5, -0.0983, 3e-5), (0.0, 2.0, 0.0)),
    ((1.5, -0.0983, 2e-5), (0.0, 2.0, 1.0)),
    ((False, False, True), (False, False, True)),
)


def test_tables_stand_beside_each_other_where_the_width_allows() -> None:
    assert drawn(VECTOR, 78) == [
        "dx[0 to 2]",
        "got       expected",
        " -1.25     -1.25",
        "≠10       ≠ 0.125",
        "  0.5       0.5",
    ]


def test_tables_stand_below_each_other_in_a_narrow_window() -> None:
    assert drawn(MATRIX, 38) == [
        "dW[1 to 2, 0 to 2]",
        "got",
        " 1.5  -0.0983 ≠3e-05",
        " 0     2      ≠0",
        "expected",
        " 1.5  -0.0983 ≠2e-05",
        " 0     2      ≠1",
    ]


def test_where_not_even_one_table_fits_the_entries_are_listed() -> None:
    assert drawn(MATRIX, 12) == listed(MATRIX)


@pytest.mark.parametrize("width", [28, 78])
def test_decimal_points_stand_below_each_other(width: int) -> None:
    numbers = ((123.0, -0.5), (0.001, 12.25), (-4.5, 1.0), (1e-7, 7.0))
    same = tuple((False, False) for _ in numbers)
    view = View("dW", (0, 0), numbers, numbers, same)
    lines = drawn(view, width)[1:]
    rows = [line for line in lines if not line.startswith(("got", "expected"))]
    points = {place for row in rows for place in (m.start() for m in re.finditer(r"\.", row))}
    assert len(points) == (4 if width == 78 else 2)


def test_entries_that_differ_never_look_the_same() -> None:
    view = View("dx", (0,), ((1.00001,),), ((1.0,),), ((True,),))
    assert drawn(view, 78)[2:] == ["≠1.00001   ≠1"]
    assert listed(view) == ["dx[0] is 1.00001, expected 1"]


def test_each_differing_entry_is_marked_without_colour_and_without_unicode() -> None:
    for ascii, mark in ((False, "≠"), (True, "#")):
        lines = "\n".join(drawn(MATRIX, 78, ascii=ascii))
        assert lines.count(mark) == 4
        assert lines.isascii() == ascii
        assert len(re.findall(DIFFERING, lines)) == 4


def test_read_aloud_each_differing_entry_is_a_sentence() -> None:
    assert listed(VECTOR) == ["dx[1] is 10, expected 0.125"]
    column = tuple((float(n),) for n in range(5))
    other = tuple((float(n) + 1,) for n in range(5))
    lines = listed(View("dx", (0,), column, other, ((True,),) * 5))
    assert len(lines) == 5
    assert lines[-1] == "and 1 more in dx[0 to 4]"


def test_there_is_no_minus_zero() -> None:
    view = View("dx", (0,), ((-0.0,),), ((1.0,),), ((True,),))
    assert listed(view) == ["dx[0] is 0, expected 1"]
