"""The figures of a deck's cards."""

from datetime import timedelta
from pathlib import Path

import pytest
from samples import MORNING

from quizzer.deck import load
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.stats.figures import figures, in_bands
from quizzer.store import Store
from quizzer.values import Fit, Rating, Review, State, study_day

TODAY = study_day(MORNING)


@pytest.mark.parametrize(
    ("stabilities", "counts"),
    [([], [0, 0, 0]), ([6.9, 7, 29.9, 30, 400], [1, 2, 2]), ([400, 1], [1, 0, 1])],
)
def test_a_stability_counts_in_the_first_band_whose_bound_is_above_it(
    stabilities: list[float], counts: list[int]
) -> None:
    assert in_bands(stabilities, [7, 30]) == counts


def test_a_fit_is_suggested_once_the_log_has_grown_or_recall_is_not_as_expected(
    tmp_path: Path,
) -> None:
    deck = load((tmp_path,), cache=None)
    with Store.open(tmp_path / "history.db", MORNING) as store:

        def suggested() -> int | None:
            found = figures(store, deck, TODAY, store.parameters, all_events=True)
            return found.reviews_for_fit

        def study(days: range, rating: Rating) -> None:
            for day in days:
                facts = [Review(f"c{n}", rating, 1, State.REVIEW) for n in range(30)]
                store.record(*facts, at=MORNING + timedelta(days=day), day=TODAY + day)

        study(range(9), Rating.GOOD)
        assert suggested() is None
        study(range(9, 10), Rating.GOOD)
        assert suggested() == 300
        store.record(Fit("FSRS-6", DEFAULT_PARAMETERS, 300), at=MORNING, day=TODAY)
        assert suggested() is None
        store.record(Fit("FSRS-6", DEFAULT_PARAMETERS, 900), at=MORNING, day=TODAY)
        study(range(10, 40), Rating.GOOD)
        assert suggested() is None
        study(range(40, 44), Rating.AGAIN)
        assert suggested() == 420
