"""What the correction of forecasts is worth on real logs: held-out log-loss of next-day reviews.

Through a log in its usual CSV (see `fit.py`), every so often the correction is learned from what
was before and foretells what comes next. `corrected` is the correction as a forecast uses it;
`without place` does not look at how much was done before on the day. Differences are from FSRS
with the published parameters, with their standard errors; negative is better.

Run: .venv/bin/python benchmarks/correction.py FILE.csv...
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev

from fit import usual_csv

from quizzer.forecast.correction import NEWEST, Correction, best
from quizzer.forecast.outcomes import Outcome, outcomes_of
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import BriefReview, ReviewColumns
from quizzer.values import State

PARTS = 40
"""Of a log; the first is not foretold."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", type=Path, metavar="FILE.csv")
    options = parser.parse_args()
    print(f"{'log':<26}{'foretold':>9}{'FSRS':>8}{'corrected':>20}{'without place':>20}")
    for path in options.logs:
        outcomes = real(path)
        ends = [len(outcomes) * part // PARTS for part in range(1, PARTS + 1)]
        believed, corrected, placeless = list[float](), list[float](), list[float]()
        for cut, end in pairwise(ends):
            past, coming = outcomes[max(0, cut - NEWEST) : cut], outcomes[cut:end]
            believed += losses(Correction(), coming)
            corrected += losses(best(past), coming)
            nowhere = [each._replace(place=0) for each in coming]
            placeless += losses(best([each._replace(place=0) for each in past]), nowhere)
        row = f"{path.stem[:24]:<26}{len(believed):>9,}{fmean(believed):>8.4f}"
        print(row + "".join(f"{beside(own, believed):>20}" for own in (corrected, placeless)))


def real(path: Path) -> list[Outcome]:
    """The next-day reviews of a log, oldest first."""
    reviews, seen = usual_csv(path), set[int]()
    columns = (each.tolist() for each in (reviews.history, reviews.day, reviews.rating))
    log = []
    for history, day, rating in zip(*columns, strict=True):
        state = State.REVIEW if history in seen else State.NEW
        seen.add(history)
        log.append(BriefReview(history, str(history), day, rating, state, None))
    outcomes = outcomes_of(ReviewColumns.of(log), DEFAULT_PARAMETERS, {})
    return [each for each in outcomes if each.elapsed]


def losses(correction: Correction, outcomes: Sequence[Outcome]) -> list[float]:
    found = []
    for each in outcomes:
        chance = correction.of(each.recall, each.elapsed, each.reviews, each.place)
        chance = min(max(chance, 0.01), 0.995)
        found.append(-log(chance if each.recalled else 1 - chance))
    return found


def beside(own: Sequence[float], others: Sequence[float]) -> str:
    differences = [one - other for one, other in zip(own, others, strict=True)]
    error = stdev(differences) / sqrt(len(differences))
    return f"{fmean(differences):+.4f} ± {error:.4f}"


if __name__ == "__main__":
    main()
