"""The figures of a deck's cards."""

import pytest

from quizzer.stats.figures import in_bands


@pytest.mark.parametrize(
    ("stabilities", "counts"),
    [([], [0, 0, 0]), ([6.9, 7, 29.9, 30, 400], [1, 2, 2]), ([400, 1], [1, 0, 1])],
)
def test_a_stability_counts_in_the_first_band_whose_bound_is_above_it(
    stabilities: list[float], counts: list[int]
) -> None:
    assert in_bands(stabilities, [7, 30]) == counts
