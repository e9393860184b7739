"""Mutants of right answers: which slips are made of one."""

import pytest

from quizzer.lint.mutants import mutants

AXES = {"x": 2, "dy": 2, "a": 1, "c": 0}


def texts(right: str, notation: str) -> set[str]:
    return {edit.text for edit in mutants(right, AXES, notation, {})}


@pytest.mark.parametrize(
    ("right", "notation", "made"),
    [
        ("c * dy", "numpy", ["np.abs(c) * dy", "(-np.abs(c)) * dy", "c * np.abs(dy)"]),
        ("c dy", "matrix", ["abs(c) dy", "(-abs(c)) dy"]),
        ("dx[n,i] = a[i] dy[n,i]", "index", ["dx[n,i] = abs(a[i]) dy[n,i]"]),
        ("dx_ni = a_i dy_ni", "index", ["dx_ni = abs(a_i) dy_ni", "dx_ni = (-abs(a_i)) dy_ni"]),
        ("dy * (x > 0)", "numpy", ["dy * (x <= 0)", "dy * (x < 0)"]),
        ("dx[i,j] = dy[i,j] [x[i,j]>=0]", "index", ["dx[i,j] = dy[i,j] [x[i,j]<0]"]),
        ("dy * (x == 0)", "numpy", ["dy * (x != 0)"]),
        ("np.where(x > 0, dy, c * dy)", "numpy", ["np.where(x > 0, c * dy, dy)"]),
        ("np.where((x > 0), f(dy, a), 0) * c", "numpy", ["np.where((x > 0), 0, f(dy, a)) * c"]),
    ],
)
def test_a_magnitude_and_a_condition_turned_around_are_made(
    right: str, notation: str, made: list[str]
) -> None:
    assert set(made) <= texts(right, notation)


def test_a_where_that_is_never_closed_is_left_alone() -> None:
    assert not any("where(x > 0, 0, dy" in text for text in texts("np.where(x > 0, dy, 0", "numpy"))


def test_a_left_side_is_not_changed() -> None:
    assert all(text.startswith("dx = ") for text in texts("dx = c * dy", "numpy"))
