"""An exam in three weeks: recall on its day, by the order of reviews, beside what was foretold.

Of 300 cards 180 were begun in the 30 days before. Learners recall by a memory of their own
(`_minds.py`) that the scheduler never sees: it plans with the published parameters. Every policy is
given exactly the same number of cards a day, new ones among them; where nothing is due any more,
due order goes on with what is due next.

- `due order`: the exam's new cards, then due cards, the earliest due day first.
- `exam`: the queue of a course with an exam ahead.
- `asked`: only what that queue asks for within the budget; `exam` goes on with what is not due yet.

A figure is the true recall on the day, the mean over all 300 cards and over several learners; a
card never seen counts 0. Beside them stands what the outlook foretells at the start, corrected by
the learner's log (`foretold`) and as FSRS believes (`believed`), with the mean and the standard
error of their differences to what comes true. `--missed` leaves out that share of the days, which
nobody foresees.

Run: .venv/bin/python benchmarks/exam.py [--learners N] [--budget N] [--days N] [--before N]
         [--missed SHARE] [--seed N] [MIND...]
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from _minds import MINDS, Mind

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.correction import UNCORRECTED, corrections_of
from quizzer.forecast.exam import foretold
from quizzer.forecast.habits import Habits, habits_of
from quizzer.forecast.outcomes import outcomes_of
from quizzer.fsrs.scheduler import schedule
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.plan import exam_gain as exam
from quizzer.plan.pace import Pace
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import BriefReview, Done
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
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--days", type=int, default=21)
    parser.add_argument("--before", type=int, default=30)
    parser.add_argument("--missed", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    policies = {"due order": due_order, "exam": toward_exam, "asked": as_asked}
    heads = "".join(f"{name:>10}" for name in (*policies, "believed", "foretold"))
    print(f"{'memory':>16}{heads}{'exam - due order':>20}{'foretold - exam':>20}")
    for name in options.minds:
        rows = []
        for number in range(options.learners):
            seed = f"{options.seed} {number} {name}"
            world = begun(MINDS[name](Random(seed)), Random(f"{seed} begun"), options.before)
            days = range(options.before, options.before + options.days)
            row = [
                recall_on_the_day(world, seed, days, options.budget, policy, options.missed)
                for policy in policies.values()
            ]
            rows.append([*row, *told(world, options.budget, days)])
        means = [fmean(column) for column in zip(*rows, strict=True)]
        shown = "".join(f"{recall:>10.3f}" for recall in means)
        gain = spread([exam - due for due, exam, *_ in rows])
        error = spread([corrected - exam for _, exam, _, _, corrected in rows])
        print(f"{name:>16}{shown}{gain:>20}{error:>20}", flush=True)


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


def recall_on_the_day(
    start: World, seed: str, days: range, budget: int, policy: "Policy", missed: float
) -> float:
    """The learner's mean true recall of all cards on the exam day."""
    exam_day = study_day(FIRST) + days.stop
    world = start.copy()
    for number in days:
        if Random(f"{seed} {number}").random() < missed:
            continue
        cards, settings = policy(world.progress, FIRST + timedelta(number), exam_day, budget)
        assert len({card.id for card in cards}) == budget or policy is as_asked
        for entry in cards:
            # Every card has its luck of the day, whichever policy takes it.
            study(world, entry, number, settings, Random(f"{seed} {number} {entry.id}"))
    return sum(world.mind.recall(card, exam_day) for card in world.progress) / CARDS


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


Policy = Callable[[dict[str, Progress], datetime, int, int], tuple[Sequence[Entry], Settings]]
"""From progress, now, the exam day and the day's budget: the cards, and how they are scheduled."""


def due_order(
    progress: dict[str, Progress], now: datetime, exam_day: int, budget: int
) -> tuple[Sequence[Entry], Settings]:
    new = exam.new_per_day(CARDS - len(progress), study_day(now), exam_day)
    settings = Settings(new_per_day=new, reviews_per_day=EVER)
    queue = plan(DECK, progress, Done(), settings, now, ahead=EVER)
    return _first((*queue.new, *queue.today), budget), settings


def toward_exam(
    progress: dict[str, Progress], now: datetime, exam_day: int, budget: int
) -> tuple[Sequence[Entry], Settings]:
    settings = Settings(reviews_per_day=EVER, courses={COURSE: Course(exam_day=exam_day)})
    return plan(DECK, progress, Done(), settings, now, ahead=EVER).fresh[:budget], settings


def as_asked(
    progress: dict[str, Progress], now: datetime, exam_day: int, budget: int
) -> tuple[Sequence[Entry], Settings]:
    settings = Settings(reviews_per_day=EVER, courses={COURSE: Course(exam_day=exam_day)})
    return plan(DECK, progress, Done(), settings, now).fresh[:budget], settings


def told(world: World, budget: int, days: range) -> tuple[float, float]:
    """What is foretold of the exam, as believed and corrected: a card takes a minute.

    Its repetitions take none, as it is cards a day that are counted here.
    """
    outcomes = outcomes_of(world.log, DEFAULT_PARAMETERS, {})
    rated = [Review(r.card, Rating(r.rating), 0, r.state) for r in world.log]
    habits = replace(habits_of(rated), step_share=0.0)
    corrected = replace(habits, corrections=corrections_of(outcomes))
    return (
        _told(world, budget, days, replace(habits, corrections=UNCORRECTED)),
        _told(world, budget, days, corrected),
    )


def _told(world: World, budget: int, days: range, habits: Habits) -> float:
    day = study_day(FIRST) + days.start
    course = Course(exam_day=study_day(FIRST) + days.stop)
    settings = Settings(reviews_per_day=EVER, courses={COURSE: course})
    pace = Pace({card.id: 1.0 for card in DECK.entries}, {})
    (outlook,) = foretold(
        DECK, world.progress, Done(), settings, day, pace, budget, habits, search=False
    )
    assert outlook.whole.recall is not None
    return outlook.whole.recall


def _first(entries: Sequence[Entry], number: int) -> Sequence[Entry]:
    return list({entry.id: entry for entry in entries}.values())[:number]


def _deck() -> Deck:
    root = Path("/deck")
    entries = tuple(
        Entry(root / f"{n}.md", root, Header(str(n), str(n), course=COURSE), Asking.REVEAL)
        for n in range(CARDS)
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


DECK = _deck()

if __name__ == "__main__":
    main()
