"""The part of a wrong array that is shown beside the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.checker.instance import Truth
from quizzer.judge.judgement import View
from quizzer.judge.view import view_of


def view(
    answer: np.ndarray, truth: np.ndarray, *, symmetric: bool = False, first_index: int = 0
) -> View | None:
    return view_of("dx", [answer], [Truth(truth, 0.0)], symmetric, first_index)


def changed(truth: np.ndarray, *places: tuple[int, ...]) -> np.ndarray:
    answer = truth.copy()
    for place in places:
        answer[place] += 10
    return answer


def test_a_vector_stands_as_a_column_with_its_differing_entries_marked() -> None:
    truth = np.array([1.0, 2.0, 3.0])
    found = view(changed(truth, (1,)), truth)
    assert found == View(
        "dx",
        (0,),
        ((1.0,), (12.0,), (3.0,)),
        ((1.0,), (2.0,), (3.0,)),
        ((False,), (True,), (False,)),
    )
    assert found.place == "dx[0 to 2]"
    assert found.entry(1, 0) == "dx[1]"


def test_of_a_large_matrix_the_part_around_the_first_difference_is_shown() -> None:
    truth = np.arange(80.0).reshape(8, 10)
    found = view(changed(truth, (6, 5), (7, 9)), truth)
    assert found and found.place == "dx[4 to 7, 4 to 7]"
    assert found.got[2] == (64.0, 75.0, 66.0, 67.0)
    assert found.expected[2] == (64.0, 65.0, 66.0, 67.0)
    assert sum(map(sum, found.differs)) == 1


def test_of_more_axes_the_slice_of_the_first_difference_is_shown_and_named() -> None:
    truth = np.arange(24.0).reshape(2, 3, 4)
    found = view(changed(truth, (1, 2, 0)), truth)
    assert found and found.place == "dx[1, 0 to 2, 0 to 3]"
    assert found.entry(2, 0) == "dx[1, 2, 0]"
    assert found.differs[2][0]


def test_indices_count_as_the_card_counts() -> None:
    truth = np.arange(6.0).reshape(2, 3)
    found = view(changed(truth, (1, 2)), truth, first_index=1)
    assert found and found.place == "dx[1 to 2, 1 to 3]"
    assert found.entry(1, 2) == "dx[2, 3]"


def test_rounding_noise_is_shown_as_zero() -> None:
    truth = np.array([0.0, 2.0])
    found = view(np.array([1e-17, 3.0]), truth)
    assert found and found.got == ((0.0,), (3.0,))


def test_a_symmetric_gradient_differs_where_its_symmetric_part_does() -> None:
    truth = np.eye(2)
    skew = np.array([[0.0, 5.0], [-5.0, 0.0]])
    assert view(truth + skew, truth, symmetric=True) is None
    found = view(truth + skew, truth)
    assert found and found.differs == ((False, True), (True, False))


def test_a_row_for_a_column_is_shown_in_the_asked_orientation() -> None:
    found = view(np.array([[1.0], [5.0]]), np.array([1.0, 2.0]))
    assert found and found.place == "dx[0 to 1]"


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        (np.ones((2, 3)), np.ones((3, 2))),
        (np.ones(3), np.ones((3, 3))),
        (np.ones(()), np.zeros(())),
    ],
)
def test_numbers_and_arrays_of_another_shape_have_no_view(
    answer: np.ndarray, truth: np.ndarray
) -> None:
    assert view(answer, truth) is None


def test_the_first_instance_with_a_difference_is_shown() -> None:
    truths = [Truth(np.zeros(3), 0.0), Truth(np.ones(4), 0.0)]
    found = view_of("dx", [np.zeros(3), np.array([1.0, 1.0, 7.0, 1.0])], truths, False, 0)
    assert found and found.got == ((1.0,), (1.0,), (7.0,), (1.0,))


@given(st.data())
@settings(derandomize=True, deadline=None, max_examples=200)
def test_every_view_is_small_and_holds_the_first_difference(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4)))
    truth = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    count = data.draw(st.integers(1, 5))
    places = [tuple(data.draw(st.integers(0, n - 1)) for n in shape) for _ in range(count)]
    answer = changed(truth, *places)
    found = view(answer, truth)
    assert found
    assert len(found.got) <= 5
    assert max(map(len, found.got)) <= 4
    shown = {
        found.entry(row, column): (found.got[row][column], found.expected[row][column], differs)
        for row, marks in enumerate(found.differs)
        for column, differs in enumerate(marks)
    }
    first = f"dx[{', '.join(map(str, min(places)))}]"
    assert shown[first][2]
    for entry, (got, expected, differs) in shown.items():
        index = tuple(int(i) for i in entry[3:-1].split(","))
        assert (got, expected) == (answer[index], truth[index])
        assert differs == (got != expected)
