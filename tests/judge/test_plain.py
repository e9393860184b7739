import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.card import Number
from quizzer.judge.plain import judge_choice, judge_number, parse_number
from quizzer.values import Verdict

OFFERED = ("A", "B", "C", "D")


@pytest.mark.parametrize("text", ["A, C", "c a", "AC", "a and c", "(A) (C)", "A;C."])
def test_letters_are_right_in_any_order_and_spelling(text: str) -> None:
    assert judge_choice(frozenset("AC"), OFFERED, text).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("A", Verdict.WRONG),
        ("ABC", Verdict.WRONG),
        ("B", Verdict.WRONG),
        ("", Verdict.INVALID),
        ("E", Verdict.INVALID),
        ("the first", Verdict.INVALID),
    ],
)
def test_only_the_whole_key_is_right(text: str, verdict: Verdict) -> None:
    assert judge_choice(frozenset("AC"), OFFERED, text).verdict is verdict


@pytest.mark.parametrize(
    ("key", "text", "verdict"),
    [
        (Number(0.25), "0.25", Verdict.CORRECT),
        (Number(0.25), "1/4", Verdict.CORRECT),
        (Number(0.25), "25 %", Verdict.CORRECT),
        (Number(0.25), "0,25", Verdict.CORRECT),
        (Number(0.25), "2.5e-1", Verdict.CORRECT),
        (Number(0.693, 0.0005), "0.69315", Verdict.CORRECT),
        (Number(0.693, 0.0005), "0.69", Verdict.INVALID),
        (Number(0.693, 0.0005), "0.694", Verdict.WRONG),
        (Number(3.0), "3", Verdict.CORRECT),
        (Number(3.0), "3.4", Verdict.WRONG),
        (Number(3.0), "−3", Verdict.WRONG),
        (Number(3.0), "three", Verdict.INVALID),
        (Number(6020.0), "6,020", Verdict.INVALID),
        (Number(0.693, 0.0005), "0,693", Verdict.CORRECT),
        (Number(3.0), "1/0", Verdict.INVALID),
        (Number(3.0), "nan", Verdict.INVALID),
        (Number(3.0), "inf", Verdict.INVALID),
        (Number(0.0), "0", Verdict.CORRECT),
        (Number(0.0), "1e-300", Verdict.WRONG),
        (Number(0.25, 0.005), "1e999", Verdict.WRONG),
        (Number(0.25, 0.005), "1.5e999", Verdict.WRONG),
        (Number(0.25, 0.005), "1/1e-999", Verdict.WRONG),
        (Number(0.0), "1e-999", Verdict.WRONG),
        (Number(0.25, 0.005), "1e999 %", Verdict.WRONG),
        (Number(0.25, 0.005), "1" * 200, Verdict.WRONG),
        (Number(0.25, 0.005), "1" * 400, Verdict.INVALID),
        (Number(0.25, 0.005), "1" * 1_000_000, Verdict.INVALID),
        (Number(1e308), "1e999", Verdict.WRONG),
    ],
)
def test_a_number_is_right_when_it_rounds_to_what_the_card_shows(
    key: Number, text: str, verdict: Verdict
) -> None:
    assert judge_number(key, text).verdict is verdict


def test_a_number_that_only_rounds_to_the_key_is_right_and_told_the_key() -> None:
    assert judge_number(Number(0.25, 0.005), "0.25").message == "right"
    assert "0.25" in judge_number(Number(0.25, 0.005), "0.252").message


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("qwertzuiop" * 1000, "qwertzuiopqwertzuio…"),
        ("asdf", "asdf"),
        ("no idea", "no idea"),
        ("BE", "E"),
        ("E", "E"),
        ("A, E, F", "E, F"),
    ],
)
def test_garbage_at_a_letter_prompt_is_not_listed_letter_by_letter(typed: str, named: str) -> None:
    said = judge_choice(frozenset("A"), OFFERED, typed).message
    assert said.startswith(f"There is no option {named}. Choose from A, B, C")


def test_a_lost_minus_is_named() -> None:
    diagnosis = judge_number(Number(3.0), "-3").diagnosis
    assert diagnosis
    assert diagnosis.code == "sign"


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_verdict(text: str) -> None:
    assert judge_number(Number(1.5, 0.05), text).verdict in Verdict
    assert judge_choice(frozenset("A"), OFFERED, text).verdict in Verdict


@settings(derandomize=True, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e99, max_value=1e99))
def test_every_number_that_python_writes_is_read_exactly(number: float) -> None:
    parsed = parse_number(repr(number))
    assert parsed is not None
    assert float(parsed) == number
