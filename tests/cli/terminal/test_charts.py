from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.cli.terminal.charts import bars, curve, heat_map, sparkline

FRIDAY = date(2026, 11, 20).toordinal()


def test_a_heat_map_has_a_row_a_weekday_and_ends_today() -> None:
    lines = heat_map({FRIDAY: 4, FRIDAY - 1: 1, FRIDAY - 7: 2}, FRIDAY, weeks=3)
    assert lines == [
        "",
        "Mon ···",
        "    ···",
        "Wed ···",
        "    ··░",
        "Fri ·▒█",
        "    ··",
        "    ··",
    ]


def test_a_heat_map_names_the_months() -> None:
    assert heat_map({}, FRIDAY, weeks=12)[0].split() == ["Sep", "Oct", "Nov"]


def test_bars_are_to_scale_and_what_is_not_nothing_is_seen() -> None:
    assert bars([("a", 4.0), ("bb", 2.0), ("c", 0.001), ("d", 0.0)], 7) == [
        "a  ████",
        "bb ██",
        "c  ▏",
        "d",
    ]


def test_a_curve_marks_its_reviews_below() -> None:
    assert curve([1.0, 0.5, 0.0], {0: "3"}, height=3) == [
        "100% •",
        " 50%  •",
        "  0%   •",
        "     3",
    ]


@settings(derandomize=True, deadline=None)
@given(
    st.dictionaries(st.integers(FRIDAY - 500, FRIDAY + 50), st.integers(0, 10**6)),
    st.integers(1, 60),
    st.lists(st.floats(0, 1e9)),
)
def test_pictures_never_fail_and_keep_their_size(
    counts: dict[int, int], weeks: int, values: list[float]
) -> None:
    lines = heat_map(counts, FRIDAY, weeks, ascii=True)
    assert len(lines) == 8
    assert all(len(line) <= weeks + 4 and line.isascii() for line in lines)
    assert len(sparkline(values)) == len(values)
    assert all(len(line) <= 30 for line in bars([("x", value) for value in values], 30))
