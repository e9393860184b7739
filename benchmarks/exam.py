"""An exam in three weeks: recall on its day, by the order of reviews, beside what was foretold.

Of 300 cards 180 were begun in the 30 days before. Learners recall by a memory of their own
(`_minds.py`) that the scheduler never sees: it plans with the published parameters. A card
brings 1 to 7 marks and takes about two minutes a mark, some twice that and some half. Every policy
is given the same minutes; what a day leaves the next one has. Where nothing is due any more, due
order goes on with what is due next. Repetitions on the same day take no time.

- `due order`: the exam's new cards, then due cards, the earliest due day first.
- `exam`: the queue of a course with an exam ahead.
- `by gain`: the same, by what a review adds to recall, whatever it takes and brings.

A figure is the share of all marks that would be had on the day, by the true memory, the mean over
several learners; a card never seen counts 0. Beside them stands what the outlook foretells at the
start, corrected by the learner's log (`foretold`) and as FSRS believes (`believed`), and the mean
differences with their standard errors. `--missed` leaves out that share of the days, which nobody
foresees.

Run: .venv/bin/python benchmarks/exam.py [--learners N] [--minutes N] [--days N] [--before N]
         [--missed SHARE] [--seed N] [MIND...]
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from _minds import MINDS, Mind
from msgspec.structs import replace

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.correction import corrections_of
from quizzer.forecast.exam import foretold
from quizzer.forecast.habits import Habits, habits_of
from quizzer.forecast.outcomes import outcomes_of
from quizzer.fsrs.scheduler import schedule
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.plan import exam_gain as exam
from quizzer.plan.pace import BY_RULE, Pace, marks
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import BriefReview, Done, ReviewColumns
from quizzer.values import Progress, Rating, Review, State, study_day

CARDS, BEGUN = 300, 180
COURSE = "course"
FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
EVER = 9999


@dataclass(slots=True)
class World:
    """Memory as the scheduler believes it, by card; the learner's own; and the log."""

    progress: dict[str, Progress]
    mind: Mind
    log: list[BriefReview]

    def copy(self) -> "World":
        return World(dict(self.progress), self.mind.copy(), list(self.log))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minds", nargs="*", default=list(MINDS), metavar="MIND")
    parser.add_argument("--learners", type=int, default=4)
    parser.add_argument("--minutes", type=int, default=120)
    parser.add_argument("--days", type=int, default=21)
    parser.add_argument("--before", type=int, default=30)
    parser.add_argument("--missed", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    policies = {"due order": due_order, "exam": toward_exam, "by gain": by_gain}
    heads = "".join(f"{name:>10}" for name in (*policies, "believed", "foretold"))
    print(f"{'memory':>18}{heads}{'exam - due order':>20}{'foretold - exam':>20}")
    for name in options.minds:
        rows = []
        for number in range(options.learners):
            seed = f"{options.seed} {number} {name}"
            world = begun(MINDS[name](Random(seed)), Random(f"{seed} begun"), options.before)
            days = range(options.before, options.before + options.days)
            row = [
                marks_on_the_day(world, seed, days, options.minutes, policy, options.missed)
                for policy in policies.values()
            ]
            rows.append([*row, *told(world, options.minutes, days)])
        means = [fmean(column) for column in zip(*rows, strict=True)]
        shown = "".join(f"{recall:>10.3f}" for recall in means)
        gain = spread([exam - due for due, exam, *_ in rows])
        error = spread([corrected - exam for _, exam, _, _, corrected in rows])
        print(f"{name:>18}{shown}{gain:>20}{error:>20}", flush=True)


def spread(differences: Sequence[float]) -> str:
    """The mean, and its standard error."""
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 0.0
    return f"{fmean(differences):+.3f} ± {error:.3f}"


def begun(mind: Mind, random: Random, before: int) -> World:
    """Where the learner stands after studying for a while without an exam."""
    world = World({}, mind, [])
    settings = Settings(new_per_day=BEGUN // before, reviews_per_day=EVER)
    for number in range(before):
        queue = plan(DECK, world.progress, Done(), settings, FIRST + timedelta(number))
        for entry in queue.fresh:
            study(world, entry, number, settings, random)
    return world


def marks_on_the_day(
    start: World, seed: str, days: range, minutes: int, policy: "Policy", missed: float
) -> float:
    """The share of all marks that the learner would have on the exam day."""
    exam_day = study_day(FIRST) + days.stop
    world, left = start.copy(), 0.0
    for number in days:
        if Random(f"{seed} {number}").random() < missed:
            continue
        left += minutes
        cards, settings = policy(world.progress, FIRST + timedelta(number), exam_day)
        for entry in cards:
            left -= PACE.minutes(entry)
            if left < 0:
                left += PACE.minutes(entry)
                break
            # Every card has its luck of the day, whichever policy takes it.
            study(world, entry, number, settings, Random(f"{seed} {number} {entry.id}"))
    had = sum(marks(DECK.by_id[c]) * world.mind.recall(c, exam_day) for c in world.progress)
    return had / sum(map(marks, DECK.entries))


def study(world: World, entry: Entry, number: int, settings: Settings, luck: Random) -> None:
    """Review a card; what is forgotten comes again ten minutes later and is rated Good."""
    now = FIRST + timedelta(number)
    day = study_day(now)
    memory = world.progress.get(entry.id, Progress()).memory
    draw, manner = luck.random(), luck.random()
    if memory is None:
        rating = Rating.AGAIN if draw < 0.25 else Rating.EASY if manner > 0.9 else Rating.GOOD
    elif draw > world.mind.recall(entry.id, day):
        rating = Rating.AGAIN
    else:
        rating = Rating.HARD if manner < 0.15 else Rating.EASY if manner > 0.9 else Rating.GOOD
    for told in (rating, Rating.GOOD) if rating is Rating.AGAIN else (rating,):
        state = memory.state if memory else State.NEW
        memory = schedule(entry.id, memory, told, now, day, settings.policy(COURSE, day))
        world.log.append(BriefReview(int(entry.id), entry.id, day, told, state, None))
        world.mind.learn(entry.id, day, told)
    world.progress[entry.id] = Progress(memory)


Policy = Callable[[dict[str, Progress], datetime, int], tuple[Sequence[Entry], Settings]]
"""From progress, now and the exam day: the cards in order, and how they are scheduled."""


def due_order(
    progress: dict[str, Progress], now: datetime, exam_day: int
) -> tuple[Sequence[Entry], Settings]:
    new = exam.new_per_day(CARDS - len(progress), study_day(now), exam_day)
    settings = Settings(new_per_day=new, reviews_per_day=EVER)
    queue = plan(DECK, progress, Done(), settings, now, ahead=EVER)
    return (*queue.new, *queue.today), settings


def toward_exam(
    progress: dict[str, Progress], now: datetime, exam_day: int, pace: Pace | None = None
) -> tuple[Sequence[Entry], Settings]:
    settings = Settings(reviews_per_day=EVER, courses={COURSE: Course(exam_day=exam_day)})
    queue = plan(DECK, progress, Done(), settings, now, ahead=EVER, pace=pace or PACE)
    return queue.fresh, settings


def by_gain(
    progress: dict[str, Progress], now: datetime, exam_day: int
) -> tuple[Sequence[Entry], Settings]:
    return toward_exam(progress, now, exam_day, BY_RULE)


def told(world: World, minutes: int, days: range) -> tuple[float, float]:
    """The marks that are foretold of the exam, as believed and corrected."""
    outcomes = outcomes_of(ReviewColumns.of(world.log), DEFAULT_PARAMETERS, {})
    rated = [Review(r.card, Rating(r.rating), 0, r.state) for r in world.log]
    habits = replace(habits_of(rated), step_share=0.0)
    corrected = replace(habits, corrections=corrections_of(outcomes))
    return _told(world, minutes, days, habits), _told(world, minutes, days, corrected)


def _told(world: World, minutes: int, days: range, habits: Habits) -> float:
    day = study_day(FIRST) + days.start
    course = Course(exam_day=study_day(FIRST) + days.stop)
    settings = Settings(reviews_per_day=EVER, courses={COURSE: course})
    (outlook,) = foretold(
        DECK, world.progress, Done(), settings, day, PACE, minutes, habits, search=False
    )
    assert outlook.whole.marks is not None
    return outlook.whole.marks


def _deck() -> Deck:
    root = Path("/deck")
    entries = tuple(
        Entry(
            root / f"{n}.md",
            root,
            Header(str(n), str(n), course=COURSE, points=1 + n * 5 % 7),
            Asking.REVEAL,
        )
        for n in range(CARDS)
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


DECK = _deck()
PACE = Pace(
    {entry.id: 2 * marks(entry) * exp(Random(entry.id).gauss(0, 0.5)) for entry in DECK.entries},
    {},
)

if __name__ == "__main__":
    main()
