"""`show`, tolerances and units: what is read, what is refused, which numbers are drawn."""

import numpy as np
import pytest

from quizzer.checker.declared.build import build
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.numbers import Tolerance
from quizzer.checker.source import Declared

LINES = "x: N × D\nb: number\ny_n = sum_i x_{ni} + b\n"


def test_a_value_may_be_chosen_and_choose_alone_is_a_name_like_any_other() -> None:
    mistakes = "wrong y_n = b -- No.\nwrong y_n = 2 b -- No!"
    (found,) = read_declaration(f"{LINES}show x, b\nask y in Hz choose: out\n{mistakes}").asks
    assert (found.name, found.unit, found.choose) == ("y", "Hz", True)
    (named,) = read_declaration("x: N\nchoose = sum_i x_i\nask choose").asks
    assert (named.name, named.choose) == ("choose", False)


def faults(text: str) -> dict[int, str]:
    return {fault.line: fault.message for fault in read_declaration(text).faults}


@pytest.mark.parametrize(
    ("ask", "within", "unit", "label"),
    [
        ("ask y", None, "", ""),
        ("ask y within 1 %", Tolerance(0.01, True), "", ""),
        ("ask y within 0.5%: the output", Tolerance(0.005, True), "", "the output"),
        ("ask y within 0.01, in Hz: in words", Tolerance(0.01, False), "Hz", "in words"),
        ("ask y in m/s within 2 percent", Tolerance(0.02, True), "m/s", ""),
        ("ask y in %", None, "%", ""),
    ],
)
def test_what_is_asked_may_have_a_tolerance_and_a_unit(
    ask: str, within: Tolerance | None, unit: str, label: str
) -> None:
    declared = read_declaration(f"{LINES}show x, b\n{ask}")
    assert declared.faults == ()
    (found,) = declared.asks
    assert (found.name, found.within, found.unit, found.label) == ("y", within, unit, label)
    assert declared.shown == ("x", "b")


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ("show x, b\nask y within 0", 5, "`within 0` is no tolerance: write a number above 0"),
        ("show x, b\nask y within -1 %", 5, "`within -1 %` is no tolerance"),
        ("show x, b\nask y within nan", 5, "is no tolerance"),
        ("show x, b\nask y within inf", 5, "is no tolerance"),
        ("show x, b\nask y within a bit", 5, "is no tolerance"),
        ("show x, b\nask y within", 5, "say how near a number must be"),
        ("show x, b\nask y within 21 %", 5, "would accept wrong answers: 20% is the most"),
        ("show x, b\nask y in 3", 5, "is no unit"),
        ("ask y within 1 %", 4, "add a line `show x`"),
        ("ask y in Hz", 4, "add a line `show x`"),
        ("ask y choose", 4, "`choose` is for a number"),
        ("show x, b\nask y choose\nwrong y_n = b -- No.", 5, "write at least two `wrong y = …"),
        ("show x, c\nask y", 4, "`show` names c, which is no input: there are x, b, dy"),
        ("show x\nask y", 5, "`y` depends on b, which `show` in line 4 leaves out"),
        ("show x, b\nask dx", 5, "write `show x, b, dy`"),
        ("show x,\nask y", 4, "say whose numbers"),
        ("show x, b", 4, "say what is asked"),
        ("show x, b\nshow x\nask y", 5, "`show` is in line 4 already"),
    ],
)
def test_what_cannot_be_asked_of_numbers_is_told_with_its_line(
    lines: str, line: int, said: str
) -> None:
    found = faults(LINES + lines)
    assert said in found[line]


def test_numbers_that_cannot_be_short_are_not_shown() -> None:
    found = faults("Q: D × D orthogonal\ny = tr(Q)\nshow Q\nask y")
    assert found == {3: "`Q` is orthogonal, whose numbers are long: let the card show others"}


def test_shown_numbers_are_few_short_and_of_their_domains() -> None:
    text = (
        "x: N × D\np: N positive\nq: N in (0.1, 0.35)\nt: N below D\nk: number 3..5\ns: D simplex\n"
        "A: D × D symmetric\nB: D × D spd\nC: D × D lower\no: N sorted\ny = x s\n"
        "show x, s\nask y"
    )
    numbers = build(Declared(text)).numbers
    assert numbers is not None
    for seed in range(10):
        drawn = numbers.draw(np.random.default_rng(seed))
        assert drawn["x"].size <= 12
        for name, value in drawn.items():
            assert np.all(np.abs(value * 1000 - np.round(value * 1000)) < 1e-9), name
        assert np.all(np.abs(drawn["x"]) >= 1)
        assert np.all(drawn["p"] > 0)
        assert np.all((drawn["q"] > 0.1) & (drawn["q"] < 0.35))
        assert drawn["k"] in (3, 4, 5)
        np.testing.assert_allclose(drawn["s"].sum(), 1)
        np.testing.assert_array_equal(drawn["A"], drawn["A"].T)
        assert np.linalg.eigvalsh(drawn["B"]).min() > 0
        assert np.all(np.diag(drawn["C"]) > 0)
        assert np.all(np.diff(drawn["o"]) > 0)
