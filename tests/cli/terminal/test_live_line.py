"""The words of the line under the editor; how it stands on a screen is in `test_terminal.py`."""

import pytest

from quizzer.cli.terminal.live_line import said
from quizzer.judge.so_far import SoFar, Stopped, Understood


@pytest.mark.parametrize(
    ("so_far", "typed", "words"),
    [
        (None, "", ""),
        (Understood("numpy", "2 * x"), "2*(x)", "NumPy"),
        (
            Understood("index", "dx[i] = sum(k) (dy[k] W[k, i])"),
            "dx_i = sum_k dy_k W_ki",
            "index notation: dx[i] = sum(k) (dy[k] W[k, i])",
        ),
        (Stopped("q is no name.", 1, 7, True), "x y q", "reading stops at column 7: q is no name."),
        (
            Stopped("q is no name.", 2, 7, True),
            "s = x\nx * y * q",
            "reading stops at line 2, column 7: q is no name.",
        ),
        (Stopped("dx has 3 axes.", None, None, True), "x^T", "reading stops: dx has 3 axes."),
        (Stopped("A ( is open.", 1, 2, False), "x(", "incomplete, column 2: A ( is open."),
        (Stopped("Nothing is here.", None, None, False), "dx =", "incomplete: Nothing is here."),
    ],
)  # fmt: skip
def test_the_line_says_in_words_what_is_understood_or_where_reading_stops(
    so_far: SoFar | None, typed: str, words: str
) -> None:
    assert said(so_far, typed) == words
