from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.fsrs.histories import Reviews, pack
from quizzer.fsrs.limits import LOWER, UPPER
from quizzer.fsrs.replay import replay, replay_ends, walk
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, Parameters, retrievability, step
from quizzer.values import Rating

PROPERTY = settings(derandomize=True, deadline=None, max_examples=80)

gaps = st.one_of(st.just(0), st.integers(-3, 5), st.integers(0, 900))
logs = st.lists(st.tuples(st.integers(0, 6), st.sampled_from(Rating), gaps), max_size=60)
parameter_sets = st.one_of(
    st.just(DEFAULT_PARAMETERS),
    st.tuples(*(st.floats(low, high) for low, high in zip(LOWER, UPPER, strict=True))),
)

Row = tuple[int, Rating, int]


def in_columns(rows: Sequence[Row]) -> Reviews:
    """Rows of history, rating and days since the row before."""
    table = np.array([(h, int(r), gap) for h, r, gap in rows], np.int64).reshape(-1, 3)
    return Reviews(table[:, 0].copy(), table[:, 1].copy(), 739_000 + np.cumsum(table[:, 2]))


def one_by_one(reviews: Reviews, parameters: Parameters) -> list[tuple[int, MemoryState, float]]:
    """History, memory state after each review and recall at it, by the plain step."""
    states: dict[int, MemoryState] = {}
    newest: dict[int, int] = {}
    found = []
    columns = (reviews.history.tolist(), reviews.rating.tolist(), reviews.day.tolist())
    for history, rating, day in zip(*columns, strict=True):
        before = states.get(history)
        elapsed = max(0, day - newest.get(history, day))
        recall = retrievability(before, elapsed, parameters) if before else 1.0
        states[history] = step(before, Rating(rating), elapsed, parameters)
        newest[history] = max(day, newest.get(history, day))
        found.append((history, states[history], recall))
    return found


@PROPERTY
@given(logs, parameter_sets)
def test_all_at_once_is_the_plain_step_one_by_one(
    rows: list[Row], parameters: tuple[float, ...]
) -> None:
    reviews = in_columns(rows)
    together = replay(pack(reviews), parameters)
    expected = one_by_one(reviews, parameters)
    for found, plain in (
        (together.stability, [state.stability for _, state, _ in expected]),
        (together.difficulty, [state.difficulty for _, state, _ in expected]),
        (together.recall, [recall for _, _, recall in expected]),
    ):
        assert found == pytest.approx(np.array(plain), rel=1e-12, abs=1e-12)


@PROPERTY
@given(logs, parameter_sets)
def test_the_end_of_each_history_is_its_last_review(
    rows: list[Row], parameters: tuple[float, ...]
) -> None:
    reviews = in_columns(rows)
    ends = replay_ends(pack(reviews), parameters)
    for history, state in {h: state for h, state, _ in one_by_one(reviews, parameters)}.items():
        assert ends.stability[history] == pytest.approx(state.stability, rel=1e-12, abs=1e-12)
        assert ends.difficulty[history] == pytest.approx(state.difficulty, rel=1e-12)


@PROPERTY
@given(logs, st.integers(1, 4))
def test_blocks_together_are_the_whole(rows: list[Row], size: int) -> None:
    histories = pack(in_columns(rows))
    whole = histories.in_log_order(walk(histories, DEFAULT_PARAMETERS).log_after)
    met = np.zeros(len(rows), int)
    for block in histories.blocks(size):
        assert block.count <= size
        np.testing.assert_array_equal(walk(block, DEFAULT_PARAMETERS).log_after, whole[block.place])
        met[block.place] += 1
    assert (met == 1).all()


def test_packing_leaves_no_place_empty_and_puts_long_histories_first() -> None:
    rows = [(0, 1), (2, 1), (1, 2), (2, 3), (1, 4), (2, 2)]
    histories = pack(in_columns([(history, Rating(rating), 1) for history, rating in rows]))
    assert histories.number.tolist() == [2, 1, 0]
    assert histories.starts.tolist() == [0, 3, 5, 6]
    assert histories.place.tolist() == [1, 2, 0, 3, 4, 5]
    assert histories.rating.tolist() == [1, 2, 1, 3, 4, 2]
    assert histories.elapsed.tolist() == [0, 0, 0, 2, 2, 2]


def test_a_log_without_reviews_has_no_memory_states() -> None:
    histories = pack(in_columns([]))
    assert len(replay(histories).stability) == len(replay_ends(histories).stability) == 0
