"""How true the forecast of 90 days is, and what it costs.

Learners study for some months by the real queue and scheduler, card by card. On one day the
forecast is made, from their log and the parameters believed in; then they go on for 90 days, and
what happened stands beside it. Some have an exam ahead, some study for so many minutes a day. Their
memory follows other parameters than those believed in: each is off by a share of how much learners
differ in it. "as it stands" is the plain forecast of `stats`: cards by their present due days. Of
errors the mean tells a bias, the mean size what one learner would see; part of it is the chance of
one life.

For the other memories (`--minds`), `--second` makes the cards two courses by turns with an exam
each, the second one so many days after the first. `--missed` leaves out that share of the days,
before the forecast and after it. Beside the error of the mean stands its standard error. Most of
the time goes into what is remembered a year later: `--no-year` leaves that out.

Run: .venv/bin/python benchmarks/ahead.py [--learners N] [--seed N] [--second DAYS]
         [--missed SHARE] [--no-year] [--accuracy] [--minds] [--time] [MIND...]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from unittest.mock import patch

from _minds import MINDS, Fsrs, Mind
from msgspec.structs import replace

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast import year
from quizzer.forecast.correction import UNCORRECTED, corrections_of
from quizzer.forecast.habits import Habits, habits_of
from quizzer.forecast.outcomes import outcomes_of
from quizzer.forecast.study_days import EVERY_DAY, study_days
from quizzer.forecast.year import DAYS, YEAR, Ahead, look_ahead
from quizzer.fsrs.limits import LOWER, SPREAD, UPPER
from quizzer.fsrs.scheduler import schedule
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.plan.pace import Pace
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.stats.tally import tally
from quizzer.store import BriefReview, Done, ReviewColumns, Store
from quizzer.values import Memory, Progress, Rating, Review, State, study_day

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
BEFORE = 120
CARDS = 400
SETTINGS = Settings(new_per_day=3, reviews_per_day=40)
EXAM_IN = 40
COURSES = ("ML", "Statistics")
EXAM_DAY = study_day(START) + BEFORE + EXAM_IN
EXAM = {"ml": Course(exam_day=EXAM_DAY)}
MINUTES = 30
JITTERS = (0.0, 0.25, 0.5, 1.0)
KINDS = (
    ("neither exam nor budget", SETTINGS, JITTERS),
    (f"an exam in {EXAM_IN} days", replace(SETTINGS, courses=EXAM), (0.0, 0.5)),
    (f"{MINUTES} minutes a day", replace(SETTINGS, minutes_per_day=MINUTES), (0.0, 0.5)),
    ("both", replace(SETTINGS, courses=EXAM, minutes_per_day=MINUTES), (0.0, 0.5)),
)
PACE = Pace({}, {})
STEP_MINUTES = 10
REVIEWS = (
    (0, 2, State.NEW),
    (3, 10, State.REVIEW),
    (20, 40, State.REVIEW),
    (80, 60, State.REVIEW),
)
"""Day, shortest interval given, state before."""
CARD = "---\nid: {}\ncourse: ML\ntags: []\n---\n\n# Question\nWhy?\n\n---\n# Solution\nSo.\n"


@dataclass
class Learner:
    """Rates by a memory and habits of their own; what the program believes stands beside it."""

    deck: Deck
    mind: Mind
    random: Random
    settings: Settings

    def __post_init__(self) -> None:
        self.progress: dict[str, Progress] = {}
        self.log: list[BriefReview] = []
        hard, easy = self.random.uniform(0.05, 0.3), self.random.uniform(0.0, 0.2)
        self.recalled = (hard, 1 - hard - easy, easy)
        self.first = (self.random.uniform(0.05, 0.3), 0.1, 0.5, 0.1)

    def remembered(self, day: int) -> float:
        """The cards that would be recalled on a day."""
        return sum(self.mind.recall(card, day) for card in self.progress)

    def study(self, at: datetime) -> tuple[int, int]:
        """A day by the queue; the reviews and the new cards of it."""
        queue = plan(self.deck, self.progress, Done(), self.settings, at)
        fresh, budget = list(queue.fresh), self.settings.minutes_per_day
        steps = [(0.0, entry) for entry in queue.steps]
        known = {entry.id for entry in (*queue.steps, *queue.today)}
        met: set[str] = set()
        clock = spent = 0.0
        while True:
            left = inf if budget is None else budget - spent // 1
            if steps and steps[0][0] <= clock:
                entry = steps.pop(0)[1]
            elif fresh and (not met or PACE.fitting(fresh[:1], left)):
                entry = fresh.pop(0)
            elif steps:
                clock, entry = steps.pop(0)
            else:
                return len(met & known), len(met - known)
            met.add(entry.id)
            clock, spent = clock + PACE.minutes(entry), spent + PACE.minutes(entry)
            if not self._rate(entry, at, queue.day):
                steps.append((clock + STEP_MINUTES, entry))

    def _rate(self, entry: Entry, at: datetime, day: int) -> int:
        """Rate the card; its interval."""
        card = entry.id
        memory = self.progress.get(card, Progress()).memory
        rating = self._rating(card, memory, day)
        policy = self.settings.policy(entry.header.course, day)
        after = schedule(card, memory, rating, at, day, policy)
        state = memory.state if memory else State.NEW
        self.log.append(BriefReview(int(card[1:]), card, day, rating, state, None))
        self.mind.learn(card, day, rating)
        self.progress[card] = Progress(after)
        return after.interval

    def _rating(self, card: str, memory: Memory | None, day: int) -> Rating:
        if memory is None:
            return Rating(self.random.choices((1, 2, 3, 4), self.first)[0])
        recall = self.mind.recall(card, day) if day > memory.day else 0.85
        if self.random.random() >= recall:
            return Rating.AGAIN
        return Rating(self.random.choices((2, 3, 4), self.recalled)[0])


@dataclass(frozen=True)
class Case:
    """What was foretold of one learner, and what happened; reviews by day."""

    foretold: list[float]
    happened: list[int]
    as_it_stands: int
    will_remember: float
    """A year later, as foretold."""
    remembers: float | None
    """A year later, where somebody lived through it."""

    @property
    def error(self) -> float:
        return sum(self.foretold) / sum(self.happened) - 1

    @property
    def plain_error(self) -> float:
        return self.as_it_stands / sum(self.happened) - 1


def main() -> None:
    parser = argparse.ArgumentParser(description="The forecast beside what happened; seconds.")
    parser.add_argument("names", nargs="*", default=list(MINDS), metavar="MIND")
    parser.add_argument("--learners", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--second", type=int, default=0)
    parser.add_argument("--missed", type=float, default=0.0)
    parser.add_argument("--no-year", action="store_true")
    parser.add_argument("--accuracy", action="store_true", help="only that")
    parser.add_argument("--minds", action="store_true", help="only that")
    parser.add_argument("--time", action="store_true", help="only that")
    options = parser.parse_args()
    every = not (options.accuracy or options.minds or options.time)
    if every or options.accuracy:
        _accuracy(options.learners)
    if every or options.minds:
        _minds(options)
    if every or options.time:
        _times()


def _accuracy(learners: int) -> None:
    print(f"{learners} learners, {CARDS} cards, {BEFORE} days of study before, {DAYS} foretold")
    print(f"{'':<24}{'reviews in ' + str(DAYS) + ' days':>24}{'error %':>16}{'as it stands':>16}")
    print(
        f"{'true memory off by':<24}{'foretold':>12}{'happened':>12}"
        + f"{'mean':>8}{'size':>8}" * 2
    )
    for name, settings, jitters in KINDS:
        print(name)
        for jitter in jitters:
            cases = [_jittered(settings, jitter, seed) for seed in range(learners)]
            errors, plain = [c.error for c in cases], [c.plain_error for c in cases]
            print(
                f"{f'{jitter:.2f} of the spread':<24}{mean(sum(c.foretold) for c in cases):>12.0f}"
                f"{mean(sum(c.happened) for c in cases):>12.0f}{mean(errors):>+8.1%}"
                f"{mean(map(abs, errors)):>8.1%}{mean(plain):>+8.1%}{mean(map(abs, plain)):>8.1%}",
                flush=True,
            )
    for name, settings, _ in KINDS:
        case = _jittered(settings, 0.5, 0)
        print(f"\none of them (0.50), {name}, reviews by week, {case.error:+.1%} in all")
        for row, days in (("foretold", case.foretold), ("happened", case.happened)):
            weeks = [sum(days[first : first + 7]) for first in range(0, DAYS - 6, 7)]
            print(f"{row:<10}" + "".join(f"{week:>6.0f}" for week in weeks))


def _minds(options: argparse.Namespace) -> None:
    print(f"\n{options.learners} learners, {CARDS} cards, {BEFORE} days of study before")
    heads = f"{'believed':>10}{'foretold':>10}{'happened':>10}"
    reviews, a_year = f"reviews in {DAYS} days", "remembered in a year"
    print(f"{'memory':<18}{reviews:>48}" + f"{a_year:>36}" * (not options.no_year))
    print(f"{'':<18}{heads}{'error':>18}" + f"{heads[10:]}{'error':>16}" * (not options.no_year))
    settings, courses = SETTINGS, 1
    if options.second:
        exams = {"statistics": Course(exam_day=EXAM_DAY + options.second)}
        settings, courses = replace(SETTINGS, courses=EXAM | exams), 2
    for name in options.names:
        found = []
        for number in range(options.learners):
            random = Random(f"{options.seed} {number} {name}")
            learner = Learner(_deck(CARDS, courses), MINDS[name](random), random, settings)
            lives = DAYS if options.no_year else YEAR
            found.append(_case(learner, lives, plainly=True, missed=options.missed))
        believed, corrected = zip(*found, strict=True)
        pairs = [(sum(case.foretold), sum(case.happened)) for case in corrected]
        shown = f"{name:<18}{mean(sum(c.foretold) for c in believed):>10.0f}{_beside(pairs):>38}"
        if not options.no_year:
            shown += _beside([(case.will_remember, case.remembers) for case in corrected])
        print(shown, flush=True)


def _beside(pairs: Sequence[tuple[float, float]]) -> str:
    """What was foretold and what happened on average, and the error with its standard error."""
    foretold, happened = map(mean, zip(*pairs, strict=True))
    errors = [one / other - 1 for one, other in pairs]
    noise = stdev(errors) / sqrt(len(errors)) if len(errors) > 1 else 0.0
    return f"{foretold:>10.0f}{happened:>10.0f}{foretold / happened - 1:>+9.1%} ± {noise:<5.1%}"


def _jittered(settings: Settings, jitter: float, seed: int) -> Case:
    random = Random(1000 * seed + round(100 * jitter))
    own = tuple(
        min(max(value + jitter * spread * random.gauss(0, 1), low), high)
        for value, spread, low, high in zip(DEFAULT_PARAMETERS, SPREAD, LOWER, UPPER, strict=True)
    )
    return _case(Learner(_deck(CARDS), Fsrs(own), random, settings))[1]


def _case(
    learner: Learner, lives: int = DAYS, plainly: bool = False, missed: float = 0.0
) -> tuple[Case, Case]:
    """What is foretold as FSRS believes, if `plainly`, and corrected, beside what happened."""

    def study(day: int) -> int:
        if missed and learner.random.random() < missed:
            return 0
        return learner.study(START + timedelta(days=day))[0]

    for day in range(BEFORE):
        study(day)
    at = START + timedelta(days=BEFORE)
    today = study_day(at)
    corrected = _habits(learner.log, today)
    habits = (
        replace(corrected, corrections=UNCORRECTED, study_days=EVERY_DAY) if plainly else corrected,
        corrected,
    )
    look = _look if lives == YEAR else _next_days
    found = [look(learner.deck, learner.progress, each, today, learner.settings) for each in habits]
    plain = tally(ReviewColumns(), [], [], learner.progress, today, horizon=DAYS - 1).forecast
    happened = [study(BEFORE + day) for day in range(lives)]
    remembers = learner.remembered(today + lives) if lives == YEAR else None
    first, second = (
        Case(
            [day.reviews for day in one.days],
            happened[:DAYS],
            sum(plain.values()),
            one.present.remembered,
            remembers,
        )
        for one in found
    )
    return first, second


def _habits(log: Sequence[BriefReview], today: int) -> Habits:
    """As the log tells them; there is always something to do."""
    rated = [Review(r.card, Rating(r.rating), 0, r.state) for r in log]
    outcomes = outcomes_of(ReviewColumns.of(log), DEFAULT_PARAMETERS, {})
    studied = study_days({each.day for each in log}, range(today), today)
    corrections = corrections_of(outcomes)
    return replace(habits_of(rated), corrections=corrections, study_days=studied)


def _look(
    deck: Deck,
    progress: dict[str, Progress],
    habits: Habits,
    today: int,
    settings: Settings = SETTINGS,
) -> Ahead:
    return look_ahead(deck, progress, Done(), habits, PACE, settings, today)


def _next_days(
    deck: Deck, progress: dict[str, Progress], habits: Habits, today: int, settings: Settings
) -> Ahead:
    """The same, but nothing after `DAYS` and no other desired retention: a twentieth of the time.

    The days are the same ones as those of `_look`.
    """
    with (
        patch.object(year, "YEAR", DAYS),
        patch.object(year, "RETENTIONS", (settings.desired_retention,)),
    ):
        return _look(deck, progress, habits, today, settings)


def _deck(cards: int, courses: int = 1) -> Deck:
    """The cards, in so many courses by turns."""
    root = Path("/deck")
    entries = tuple(
        Entry(root / f"{card}.md", root, Header(card, card, course=course), Asking.REVEAL)
        for card, course in (
            (f"c{number:05}", COURSES[number % courses]) for number in range(cards)
        )
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


def _times() -> None:
    print(
        f"\n{'seconds, best of 3':<24}{'simulation':>12}{'with an exam':>16}"
        f"{'stats --ahead':>16}{'stats':>8}"
    )
    for cards in (300, 10_000):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{f'{cards:,} cards':<24}{_row(Path(folder), cards)}")


def _row(folder: Path, cards: int) -> str:
    """Of cards that were learned in the months before, four reviews each, and some new ones."""
    deck, store = folder / "deck", folder / "history.db"
    deck.mkdir()
    for number in range(cards + cards // 5):
        (deck / f"c{number:05}.md").write_text(CARD.format(f"c{number:05}"))
    random = Random(1)
    with Store.open(store, START, backups=False) as opened:
        for day, interval, state in REVIEWS:
            at = START + timedelta(days=day)
            facts = [
                Review(f"c{number:05}", Rating.GOOD, random.randint(interval, 2 * interval), state)
                for number in range(cards)
            ]
            opened.record(*facts, at=at, day=study_day(at))
        progress, habits = opened.progress(), habits_of(opened.newest_reviews())
    now = START + timedelta(days=120)
    words = [sys.executable, "-m", "quizzer", "--deck", str(deck), "--store", str(store), "stats"]
    environment = {**os.environ, "QUIZZER_NOW": now.isoformat()}

    def command(*options: str) -> None:
        subprocess.run([*words, *options], capture_output=True, check=True, env=environment)

    known = _deck(cards + cards // 5)
    simulation, toward = (
        _best(partial(_look, known, progress, habits, study_day(now), settings))
        for settings in (SETTINGS, replace(SETTINGS, courses=EXAM))
    )
    return (
        f"{simulation:>12.2f}{toward:>16.2f}{_best(lambda: command('--ahead')):>16.2f}"
        f"{_best(command):>8.2f}"
    )


def _best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


if __name__ == "__main__":
    main()
