import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.forecast.prospects import Standings, Strengths, gains, prices, standings
from quizzer.fsrs.limits import LOWER, UPPER
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Strength
from quizzer.plan import exam_gain as exam

PROPERTY = settings(derandomize=True, deadline=None, max_examples=200)
DAY = 739_000

parameter_sets = st.one_of(
    st.just(DEFAULT_PARAMETERS),
    st.tuples(*(st.floats(low, high) for low, high in zip(LOWER, UPPER, strict=True))),
)
some_cards = st.lists(
    st.tuples(
        st.builds(Strength, st.floats(0.05, 400), st.floats(1, 10)),
        st.integers(1, 300),
        st.integers(1, 21),
        st.floats(0, 0.3),
    ),
    min_size=1,
    max_size=6,
)


@PROPERTY
@given(some_cards, parameter_sets)
def test_many_cards_gain_and_stand_as_each_alone(
    cards: list[tuple[Strength, int, int, float]], parameters: tuple[float, ...]
) -> None:
    """Cards with their days since the last review, days until the exam, and the price."""
    held = Strengths(
        np.log([strength.stability for strength, *_ in cards]),
        np.array([strength.difficulty for strength, *_ in cards]),
    )
    elapsed, left = (np.array([card[place] for card in cards]) for place in (1, 2))
    price = np.array([card[3] for card in cards])
    alone = [
        exam.prospect(strength, DAY - ago, DAY, DAY + days, parameters)
        for strength, ago, days, _ in cards
    ]
    found = standings(held, elapsed, left, parameters)
    assert found.alone == pytest.approx([one.skipped.alone for one in alone], abs=1e-9)
    assert found.on_eve == pytest.approx([one.skipped.on_eve for one in alone], abs=1e-9)
    gained = gains(held, elapsed, left, found, price, parameters)
    expected = [one.gain(each) for one, each in zip(alone, price, strict=True)]
    assert gained == pytest.approx(expected, abs=1e-9)


@PROPERTY
@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1), st.floats(0, 1)), max_size=12),
    st.lists(st.integers(0, 4), min_size=3, max_size=3),
    st.lists(st.floats(0, 4), min_size=3, max_size=3),
    st.integers(1, 5),
)
def test_the_price_is_that_of_each_group_alone(
    cards: list[tuple[int, float, float]], unseen: list[int], per_day: list[float], left: int
) -> None:
    first = exam.first_standing(DAY, DAY + left)
    columns = np.array(cards, np.float64).reshape(-1, 3).T
    known = [exam.Standing(alone, on_eve) for _, alone, on_eve in cards]
    found = prices(
        Standings(columns[1], columns[2]),
        columns[0].astype(np.int64),
        np.array(unseen),
        [first] * 3,
        np.array(per_day),
        np.full(3, left - 1),
    )
    expected = []
    for group in range(3):
        here = [one for one, (of, *_) in zip(known, cards, strict=True) if of == group]
        here += [first] * unseen[group]
        expected.append(exam.price(here, per_day[group], DAY, DAY + left))
    assert found == pytest.approx(expected)
