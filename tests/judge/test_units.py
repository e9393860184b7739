"""Units behind numbers."""

import pytest

from quizzer.judge.units import without_unit


@pytest.mark.parametrize(
    ("text", "stated", "number", "factor"),
    [
        ("100 Hz", "Hz", "100", 1),
        ("100Hz", "Hz", "100", 1),
        ("f = 100 \\mathrm{Hz}", "Hz", "f = 100", 1),
        ("0.1 kHz", "Hz", "0.1", 1e3),
        ("3 ms", "s", "3", 1e-3),
        ("3 \\,\\text{µs}", "ms", "3", 1e-3),
        ("25 %", "%", "25", 1),
        ("25\\%", "%", "25", 1),
        ("(1, 2) m", "m", "(1, 2)", 1),
        ("9.8 m/s", "m/s", "9.8", 1),
        ("3 m", "Hz", "3", None),
        ("3 min", "in", "3", None),
        ("3 min", "m", "3", None),
    ],
)
def test_a_unit_is_cut_off_and_converted(
    text: str, stated: str, number: str, factor: float | None
) -> None:
    left, unit = without_unit(text, stated, ("x",))
    assert unit is not None
    assert left == number
    assert unit.factor == (factor if factor is None else pytest.approx(factor))


@pytest.mark.parametrize("text", ["2 x", "100", "x w", "2 pi", "100 Hz + 1", "3 banana"])
def test_what_is_no_unit_is_left_alone(text: str) -> None:
    assert without_unit(text, "Hz", ("x", "w")) == (text, None)
