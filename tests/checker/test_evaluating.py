"""Texts evaluated on instances: when a text has readings that differ, and which one is meant."""

import numpy as np
import pytest

from quizzer.checker.answer import Evaluate, Evaluated, Scope
from quizzer.checker.evaluating import evaluate

TEXT = "dx_i = a_i / b_i c_i"
FIRST, SECOND = "dx[i] = (a[i] / b[i]) c[i]", "dx[i] = a[i] / (b[i] c[i])"


def scope(c: float) -> Scope:
    rng = np.random.default_rng(3)
    a, b = rng.uniform(1, 2, (2, 3))
    return Scope({"a": a, "b": b, "c": np.full(3, c)}, (3,))


def evaluated(text: str = TEXT, meant: str | None = None, **places: float) -> Evaluated:
    """The text where c is 1, so that its readings agree, but for one more instance."""
    more = {place: (scope(c),) for place, c in places.items()}
    request = Evaluate("dx", (text,), **{"instances": (scope(1),), "meant": meant, **more})
    (found,) = evaluate(request).texts
    return found


def test_readings_that_agree_on_all_instances_leave_no_doubt() -> None:
    found = evaluated(tied=1, further=1)
    assert (found.invalid, found.readings) == (None, ())


@pytest.mark.parametrize("place", ["instances", "tied", "further"])
def test_readings_that_differ_on_any_instance_are_all_told(place: str) -> None:
    found = evaluated(**{place: 2})
    assert found.code == "ambiguous"
    assert [each.text for each in found.readings] == [FIRST, SECOND]


@pytest.mark.parametrize(("meant", "factor"), [(FIRST, 2.0), (SECOND, 0.5)])
def test_the_reading_that_is_meant_is_evaluated(meant: str, factor: float) -> None:
    found = evaluated(meant=meant, instances=2)
    a, b = (scope(2).names[name] for name in "ab")
    np.testing.assert_allclose(found.values[0], factor * a / b)
    assert found.understood is not None
    assert found.understood.text == meant


def test_a_reading_that_the_text_does_not_have_is_asked_about_again() -> None:
    assert evaluated(meant="dx[i] = a[i]", instances=2).code == "ambiguous"


def test_readings_of_one_value_are_told_once() -> None:
    found = evaluated("dx_i = a_i / b_i c_i / b_i c_i", instances=2)
    values = [each.text for each in found.readings]
    assert 2 <= len(set(values)) == len(values) <= 3


@pytest.mark.parametrize(("text", "values"), [("a + b", 9), ("a + b[:2]", 0)])
def test_the_many_problems_have_values_on_all_of_them_or_none(
    text: str, values: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quizzer.checker.evaluating._LONG", 10.0)
    long, short = scope(1), Scope({name: np.ones(2) for name in "abc"}, (2,))
    (found,) = evaluate(Evaluate("dx", (text,), (short,), many=(long,) * 8 + (short,))).texts
    assert len(found.many) == values
    assert found.invalid is None


def test_many_problems_that_take_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quizzer.checker.evaluating._LONG", 0.0)
    (found,) = evaluate(Evaluate("dx", ("a + b",), (scope(1),), many=(scope(1),) * 9)).texts
    assert (found.many, found.invalid) == ((), None)
