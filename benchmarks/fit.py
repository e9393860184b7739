"""Fitting memory parameters: held-out log-loss and time, beside py-fsrs and fsrs-rs.

Every contender fits the older part of a log, and one evaluator scores what its parameters foretell
of the newer part; log-loss is the mean over all parts. Seconds are those of all fits to one log, as
processor time of all threads, which depends least on what else the machine does.

Logs are simulated: learners whose memory is not the average one study under the default parameters.
`--log` adds a real one in FSRS's usual CSV (card_id, review_rating, and review_time in ms or as a
date). py-fsrs has one among the tests of its repository, not in what it releases:
tests/review_logs_josh_1711744352250_to_1728234780857.csv.

py-fsrs takes hours for a million reviews. A contender that has used up `--patience` on logs of one
size begins no other part: its row tells the parts it got through, compares with quizzer on these
alone, and extrapolates the seconds by the number of reviews. Where by its pace on the logs before
even the first part would take longer, it is not run at all. Logs should come in order of size.

Run: .venv/bin/uv run --with 'fsrs[optimizer]' --with fsrs-rs-python python benchmarks/fit.py
     [--sizes 10000 100000 1000000] [--log FILE.csv] [--folds N] [--patience SECONDS]
"""

import argparse
import csv
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from itertools import pairwise
from math import exp, inf
from pathlib import Path
from random import Random

import numpy as np

from quizzer.fsrs import step as fsrs
from quizzer.fsrs.fit import fitted_parameters, log_losses, scored
from quizzer.fsrs.histories import Reviews, pack
from quizzer.fsrs.limits import SPREAD
from quizzer.fsrs.model import FSRS_6
from quizzer.values import Rating, study_day

Parameters = Sequence[float]
Contender = Callable[[Reviews], tuple[Parameters, float]]
"""Fits a log; the parameters, and the seconds that the fit alone took."""

LEARNERS = {1_000: 20, 10_000: 10, 100_000: 2}
"""How many logs of a size are averaged; one of a larger size."""


@dataclass(frozen=True)
class Part:
    """A fit to the older part of a log, judged by the part that follows."""

    loss: float
    seconds: float
    fitted: int
    """Reviews that the fit was given."""


def main() -> None:
    options = _options()
    groups = {}
    if options.log:
        groups[options.log.stem[:24]] = [usual_csv(options.log)]
    for size in options.sizes:
        learners = LEARNERS.get(size, 1)
        name = f"{learners} × {size:,} simulated"
        groups[name] = [simulated(size, seed) for seed in range(learners)]
    contenders = _contenders()
    pace: dict[str, float] = {}
    print(f"{'log':<24} {'fitted by':<26} {'held-out log-loss':>17} {'seconds':>9} {'ratio':>7}")
    for name, logs in groups.items():
        best: list[list[Part]] = []
        for contender, fit in contenders.items():
            patience = inf if fit is ours else options.patience
            expected = pace.get(contender, 0) * len(logs[0])
            if expected / (options.folds + 1) > patience:
                whole = expected * options.folds / 2
                print(f"{name:<24} {contender:<26} not run: about {whole:,.0f} s (extrapolated)")
                continue
            tried: list[list[Part]] = []
            for log in logs:
                spent = sum(part.seconds for parts in tried for part in parts)
                tried.append(held_out(log, options.folds, fit, patience - spent))
            best = best or tried
            pace[contender] = _seconds_per_review(tried)
            print(f"{name:<24} {contender:<26} {_row(tried, best, options.folds)}", flush=True)


def held_out(log: Reviews, folds: int, fit: Contender, patience: float) -> list[Part]:
    """So many parts, each foretold by a fit to all before it, until patience runs out."""
    places = np.flatnonzero(scored(pack(log)))
    cuts = np.linspace(0, len(places), folds + 2).astype(int).tolist()[1:]
    parts: list[Part] = []
    for low, high in pairwise(cuts):
        if sum(part.seconds for part in parts) >= patience:
            break
        known = log.until(int(places[low]))
        parameters, seconds = fit(known)
        told = log.until(int(places[high - 1]) + 1)
        loss = log_losses(told, parameters)[places[low:high]].mean()
        parts.append(Part(float(loss), seconds, len(known)))
    return parts


def _row(tried: list[list[Part]], ours: list[list[Part]], folds: int) -> str:
    """Means over the logs; the ratio is that of seconds to ours on the same parts."""
    same = [mine[: len(parts)] for mine, parts in zip(ours, tried, strict=True)]
    loss, seconds = _means(tried)
    our_loss, our_seconds = _means(same)
    row = f"{loss:17.5f} {seconds:9.2f} {seconds / our_seconds:7.2f}"
    done = sum(map(len, tried))
    if done == folds * len(tried):
        return row
    whole = sum(part.fitted for parts in ours for part in parts) / len(ours)
    return (
        f"{row}  {done} of {folds * len(tried)} fits, on which quizzer has {our_loss:.5f} in "
        f"{our_seconds:.2f} s; a log would take about {_seconds_per_review(tried) * whole:,.0f} s "
        "(extrapolated)"
    )


def _seconds_per_review(tried: list[list[Part]]) -> float:
    parts = [part for parts in tried for part in parts]
    return sum(part.seconds for part in parts) / sum(part.fitted for part in parts)


def _means(tried: list[list[Part]]) -> tuple[float, float]:
    begun = [parts for parts in tried if parts]
    losses = [float(np.mean([part.loss for part in parts])) for parts in begun]
    seconds = [sum(part.seconds for part in parts) for parts in begun]
    return float(np.mean(losses)), float(np.mean(seconds))


def _contenders() -> dict[str, Contender]:
    """Those that are installed; the others are named, with the way to have them."""
    found: dict[str, Contender] = {"quizzer": ours, "default parameters": defaults}
    if find_spec("fsrs_rs_python"):
        found["fsrs-rs"] = rust()
        found["fsrs-rs, card ids"] = rust(by_card=True)
        found["fsrs-rs, 30 epochs"] = rust(epochs=30)
        found["fsrs-rs, 30 epochs, ids"] = rust(by_card=True, epochs=30)
    else:
        print("fsrs-rs is not installed: run with `uv run --with fsrs-rs-python`.")
    if all(map(find_spec, ("fsrs", "torch", "pandas", "tqdm"))):
        found["py-fsrs"] = py_fsrs
    else:
        print("py-fsrs's optimizer is not installed: run with `uv run --with 'fsrs[optimizer]'`.")
    return found


def defaults(log: Reviews) -> tuple[Parameters, float]:
    return FSRS_6.defaults, 0.0


def ours(log: Reviews) -> tuple[Parameters, float]:
    began = time.process_time()
    return fitted_parameters(log), time.process_time() - began


def py_fsrs(log: Reviews) -> tuple[Parameters, float]:
    """A card's n-th review is n seconds past noon, so that 24-hour blocks are study days."""
    from fsrs import Optimizer, ReviewLog
    from fsrs import Rating as Theirs

    nth: Counter[int] = Counter()
    lines = []
    for card, rating, day in zip(*map(np.ndarray.tolist, _columns(log)[:3]), strict=True):
        nth[card] += 1
        at = datetime(2020, 1, 1, 12, tzinfo=UTC) + timedelta(days=day - 1, seconds=nth[card])
        lines.append(ReviewLog(card, Theirs(rating), at, None))
    began = time.process_time()
    found = Optimizer(lines).compute_optimal_parameters()
    return found, time.process_time() - began


def rust(*, by_card: bool = False, epochs: int = 5) -> Contender:
    """Its items are made before the clock starts, one for each review on a later day."""
    import fsrs_rs_python as rs

    def fit(log: Reviews) -> tuple[Parameters, float]:
        items, cards = [], []
        histories: dict[int, list[object]] = {}
        number, ratings, _, days = map(np.ndarray.tolist, _columns(log))
        for card, rating, elapsed in zip(number, ratings, days, strict=True):
            history = histories.setdefault(card, [])
            history.append(rs.FSRSReview(rating, elapsed))
            if elapsed:
                items.append(rs.FSRSItem(history))
                cards.append(card)
        model = rs.FSRS(list(rs.DEFAULT_PARAMETERS))
        config = rs.TrainingConfig(num_epochs=epochs)
        began = time.process_time()
        found = model.compute_parameters(
            items, card_ids=cards if by_card else None, training_config=config
        )
        return found, time.process_time() - began

    return fit


def simulated(size: int, seed: int) -> Reviews:
    """So many reviews: cards begun over the years, rated as a memory of his own decides."""
    random = Random(seed)
    own = _own_parameters(random)
    rows: list[tuple[int, int, int]] = []
    days = 1500
    card = 0
    while len(rows) < size:
        rows += ((day, card, rating) for day, rating in _life(random, own, days))
        card += 1
    day, card_number, rating = np.array(sorted(rows, key=lambda row: row[0])[:size]).T
    return Reviews(card_number, rating, day)


def _own_parameters(random: Random) -> Parameters:
    """Half as far off the average as learners are, the first stabilities by factors."""
    drawn = [
        mean * exp(random.gauss(0, 0.7)) if number < 4 else mean + random.gauss(0, spread / 2)
        for number, (mean, spread) in enumerate(zip(FSRS_6.defaults, SPREAD, strict=True))
    ]
    drawn[:4] = sorted(drawn[:4])
    bounds = zip(drawn, FSRS_6.lower, FSRS_6.upper, strict=True)
    return tuple(min(max(value, low), high) for value, low, high in bounds)


def _life(random: Random, own: Parameters, days: int) -> list[tuple[int, int]]:
    """The days and ratings of one card."""
    day, elapsed = random.randrange(days), 0
    believed = true = None
    reviews = []
    while day < days:
        if true is None:
            rating = random.choices(list(Rating), (25, 15, 50, 10))[0]
        elif elapsed and random.random() > fsrs.retrievability(true, elapsed, own):
            rating = Rating.AGAIN
        else:
            rating = random.choices(list(Rating)[1:], (12, 78, 10))[0]
        reviews.append((day, int(rating)))
        true = fsrs.step(true, rating, elapsed, own)
        believed = fsrs.step(believed, rating, elapsed)
        interval = fsrs.days_until(believed.stability, 0.9) * random.uniform(0.7, 1.5)
        elapsed = 0 if rating is Rating.AGAIN else max(1, round(interval))
        day += elapsed
    return reviews


def usual_csv(path: Path) -> Reviews:
    with path.open(newline="", encoding="utf-8") as file:
        rows = sorted(
            (_moment(row["review_time"]), row["card_id"], int(row["review_rating"]))
            for row in csv.DictReader(file)
        )
    numbers: dict[str, int] = {}
    history = [numbers.setdefault(card, len(numbers)) for _, card, _ in rows]
    day = [study_day(at) for at, *_ in rows]
    day = [number - min(day) for number in day]
    return Reviews(np.array(history), np.array([rating for *_, rating in rows]), np.array(day))


def _moment(text: str) -> datetime:
    if text.isdecimal():
        return datetime.fromtimestamp(int(text) / 1000, UTC)
    return datetime.fromisoformat(text)


def _columns(log: Reviews) -> tuple[np.ndarray, ...]:
    histories = pack(log)
    elapsed = histories.in_log_order(histories.elapsed).astype(int)
    return log.history, log.rating, log.day, elapsed


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Held-out log-loss and time of fits.")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(LEARNERS), metavar="REVIEWS")
    parser.add_argument("--log", type=Path, help="a real log, FSRS's usual CSV")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--patience", type=float, default=600, help="seconds after which no further part is begun"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
