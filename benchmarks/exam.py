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
differences with their standard errors. `--missed` leaves out that share of the days, before the
forecast and after it. `--second` makes the cards two courses by turns, the second one with its exam
so many days later: each counts on its own day.

Run: .venv/bin/python benchmarks/exam.py [--learners N] [--minutes N] [--days N] [--before N]
         [--missed SHARE] [--second DAYS] [--seed N] [MIND...]
"""

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
from quizzer.forecast.study_days import study_days
from quizzer.fsrs.scheduler import schedule
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.plan import exam_gain as exam
from quizzer.plan.pace import BY_RULE, Pace, marks
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import BriefReview, Done, ReviewColumns
from quizzer.values import Progress, Rating, Review, State, study_day

CARDS, BEGUN = 300, 180
COURSES = ("course", "second course")
FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
EVER = 9999
ROOT = Path("/deck")


@dataclass(slots=True)
class World:
    """Memory as the scheduler believes it, by card; the learner's own; and the log."""

    deck: Deck
    exams: Mapping[str, int]
    """The day of the exam of each course."""
    progress: dict[str, Progress]
    mind: Mind
    log: list[BriefReview]

    def copy(self) -> "World":
        return World(self.deck, self.exams, dict(self.progress), self.mind.copy(), list(self.log))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("minds", nargs="*", default=list(MINDS), metavar="MIND")
    parser.add_argument("--learners", type=int, default=4)
    parser.add_argument("--minutes", type=int, default=120)
    parser.add_argument("--days", type=int, default=21)
    parser.add_argument("--before", type=int, default=30)
    parser.add_argument("--missed", type=float, default=0.0)
    parser.add_argument("--second", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    policies = {"due order": due_order, "exam": toward_exam, "by gain": by_gain}
    heads = "".join(f"{name:>10}" for name in (*policies, "believed", "foretold"))
    print(f"{'memory':>18}{heads}{'exam - due order':>20}{'foretold - exam':>20}")
    start, end = options.before, options.before + options.days
    exams = {COURSES[0]: study_day(FIRST) + end}
    if options.second:
        exams[COURSES[1]] = study_day(FIRST) + end + options.second
    for name in options.minds:
        rows = []
        for number in range(options.learners):
            seed = f"{options.seed} {number} {name}"
            mind = MINDS[name](Random(seed))
            world = begun(mind, Random(f"{seed} begun"), start, exams, options.missed)
            row = [
                marks_on_the_day(world, seed, start, options.minutes, policy, options.missed)
                for policy in policies.values()
            ]
            rows.append([*row, *told(world, options.minutes, start)])
        means = [fmean(column) for column in zip(*rows, strict=True)]
        shown = "".join(f"{recall:>10.3f}" for recall in means)
        gain = spread([exam - due for due, exam, *_ in rows])
        error = spread([corrected - exam for _, exam, _, _, corrected in rows])
        print(f"{name:>18}{shown}{gain:>20}{error:>20}", flush=True)


def spread(differences: Sequence[float]) -> str:
    """The mean, and its standard error."""
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 0.0
    return f"{fmean(differences):+.3f} ± {error:.3f}"


def begun(
    mind: Mind, random: Random, before: int, exams: Mapping[str, int], missed: float
) -> World:
    """Where the learner stands after studying for a while without an exam.

    The new cards of a missed day come on the next one.
    """
    world = World(_deck(len(exams)), exams, {}, mind, [])
    days = Random(random.random()) if missed else random
    for number in range(before):
        if missed and days.random() < missed:
            continue
        new = BEGUN * (number + 1) // before - len(world.progress)
        settings = Settings(new_per_day=new, reviews_per_day=EVER)
        queue = plan(world.deck, world.progress, Done(), settings, FIRST + timedelta(number))
        for entry in queue.fresh:
            study(world, entry, number, settings, random)
    return world


def marks_on_the_day(
    start: World, seed: str, first: int, minutes: int, policy: "Policy", missed: float
) -> float:
    """The share of all marks that the learner would have, each course on the day of its exam."""
    world, left, had = start.copy(), 0.0, 0.0
    for number in range(first, max(world.exams.values()) - study_day(FIRST) + 1):
        now = FIRST + timedelta(number)
        had += sum(marks_had(world, c) for c, day in world.exams.items() if day == study_day(now))
        if not ahead(world, now) or Random(f"{seed} {number}").random() < missed:
            continue
        left += minutes
        cards, settings = policy(world, now)
        for entry in cards:
            left -= PACE.minutes(entry)
            if left < 0:
                left += PACE.minutes(entry)
                break
            # Every card has its luck of the day, whichever policy takes it.
            study(world, entry, number, settings, Random(f"{seed} {number} {entry.id}"))
    return had / sum(map(marks, world.deck.entries))


def marks_had(world: World, course: str) -> float:
    """The marks that the learner would have on the exam day of a course."""
    day = world.exams[course]
    known = (world.deck.by_id[card] for card in world.progress)
    return sum(
        marks(entry) * world.mind.recall(entry.id, day)
        for entry in known
        if entry.header.course == course
    )


def ahead(world: World, now: datetime) -> dict[str, int]:
    """The exams that are ahead."""
    return {course: day for course, day in world.exams.items() if day > study_day(now)}


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
        memory = schedule(
            entry.id, memory, told, now, day, settings.policy(entry.header.course, day)
        )
        world.log.append(BriefReview(int(entry.id), entry.id, day, told, state, None))
        world.mind.learn(entry.id, day, told)
    world.progress[entry.id] = Progress(memory)


Policy = Callable[[World, datetime], tuple[Sequence[Entry], Settings]]
"""The cards in order, of the courses whose exams are ahead, and how they are scheduled."""


def due_order(world: World, now: datetime) -> tuple[Sequence[Entry], Settings]:
    meant = meant_by(world, now)
    unseen = Counter(e.header.course for e in meant.entries if e.id not in world.progress)
    new = sum(
        exam.new_per_day(unseen[course], study_day(now), day)
        for course, day in ahead(world, now).items()
    )
    settings = Settings(new_per_day=new, reviews_per_day=EVER)
    queue = plan(meant, world.progress, Done(), settings, now, ahead=EVER)
    return (*queue.new, *queue.today), settings


def toward_exam(
    world: World, now: datetime, pace: Pace | None = None
) -> tuple[Sequence[Entry], Settings]:
    settings = toward(ahead(world, now))
    meant = meant_by(world, now)
    queue = plan(meant, world.progress, Done(), settings, now, ahead=EVER, pace=pace or PACE)
    return queue.fresh, settings


def by_gain(world: World, now: datetime) -> tuple[Sequence[Entry], Settings]:
    return toward_exam(world, now, BY_RULE)


def meant_by(world: World, now: datetime) -> Deck:
    """The cards of the courses whose exams are ahead."""
    courses = ahead(world, now)
    return _of(tuple(e for e in world.deck.entries if e.header.course in courses))


def toward(exams: Mapping[str, int]) -> Settings:
    courses = {course: Course(exam_day=day) for course, day in exams.items()}
    return Settings(reviews_per_day=EVER, courses=courses)


def told(world: World, minutes: int, first: int) -> tuple[float, float]:
    """The marks that are foretold of the exams, as believed and corrected."""
    outcomes = outcomes_of(ReviewColumns.of(world.log), DEFAULT_PARAMETERS, {})
    rated = [Review(r.card, Rating(r.rating), 0, r.state) for r in world.log]
    habits = replace(habits_of(rated), step_share=0.0)
    today = study_day(FIRST) + first
    studied = study_days({each.day for each in world.log}, range(today), today)
    corrected = replace(habits, corrections=corrections_of(outcomes), study_days=studied)
    return _told(world, minutes, first, habits), _told(world, minutes, first, corrected)


def _told(world: World, minutes: int, first: int, habits: Habits) -> float:
    settings, day = toward(world.exams), study_day(FIRST) + first
    outlooks = foretold(
        world.deck, world.progress, Done(), settings, day, PACE, minutes, habits, search=False
    )
    of_course = {
        course: sum(marks(entry) for entry in world.deck.entries if entry.header.course == course)
        for course in world.exams
    }
    had = [of_course[each.course] * (each.whole.marks or 0.0) for each in outlooks]
    return sum(had) / sum(of_course.values())


def _deck(courses: int) -> Deck:
    """The cards, in so many courses by turns."""
    return _of(
        tuple(
            Entry(
                ROOT / f"{n}.md",
                ROOT,
                Header(str(n), str(n), course=COURSES[n % courses], points=1 + n * 5 % 7),
                Asking.REVEAL,
            )
            for n in range(CARDS)
        )
    )


def _of(entries: tuple[Entry, ...]) -> Deck:
    return Deck((ROOT,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


PACE = Pace(
    {
        entry.id: 2 * marks(entry) * exp(Random(entry.id).gauss(0, 0.5))
        for entry in _deck(1).entries
    },
    {},
)

if __name__ == "__main__":
    main()
