"""An exam in three weeks: recall on its day, reviews ordered by gain beside due order.

Simulated learners have memory parameters of their own, and cards stabilities of their own, that the
scheduler never sees: it plans with the published parameters. Of 300 cards 180 were begun in the
60 days before. Every policy is given exactly the same number of cards a day, new ones among them;
where nothing is due any more, due order goes on with what is due next.

- `as ever`: no exam: due cards, the earliest due day first, then five new ones.
- `due order`: the exam's new cards, then due cards, the earliest due day first.
- `exam`: the queue of a course with an exam ahead.

A row is one learner: his true recall on the day, the mean over all 300 cards and over several runs
of luck, the same for each policy; a card never seen counts 0. One run's difference between two
policies has a standard deviation of about 0.007: the fewer the runs, the more of a row is luck.

Beside them stands what the outlook foretells at the start (`foretold`), and the recall that comes
true where only those cards are reviewed that the queue asks for within the budget (`asked`): `exam`
goes on with what is not due yet. At the end stand the cards a day that are said to be enough for a
recall of 0.9, and what comes true with them. The learner `believed` has the memory that the
scheduler believes in and counts for no mean: his error is the outlook's own, the rest of the
others' is due to memory.

Run: .venv/bin/python benchmarks/exam.py [--seeds N] [--luck N] [--days N]
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import exp
from pathlib import Path
from random import Random

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry
from quizzer.forecast.exam import foretold
from quizzer.forecast.habits import habits_of
from quizzer.forecast.outlook import Outlook
from quizzer.fsrs import step as fsrs
from quizzer.fsrs.limits import LOWER, UPPER
from quizzer.fsrs.scheduler import schedule
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, Parameters
from quizzer.plan import exam_gain as exam
from quizzer.plan.pace import Pace
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Progress, Rating, Review, State, study_day

BUDGETS = (10, 20, 40)
CARDS, BEGUN, BEFORE = 300, 180, 60
COURSE = "course"
BELIEVED = "believed"
FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
EVER = 9999


@dataclass(frozen=True, slots=True)
class Learner:
    """What is true of a learner: his parameters, and a factor on each card's first stability."""

    parameters: Parameters
    ease: Sequence[float]

    def rating(self, state: MemoryState | None, elapsed: int, luck: Random) -> Rating:
        draw, manner = luck.random(), luck.random()
        if state is None:
            return Rating.AGAIN if draw < 0.25 else Rating.EASY if manner > 0.9 else Rating.GOOD
        if draw > fsrs.retrievability(state, elapsed, self.parameters):
            return Rating.AGAIN
        return Rating.HARD if manner < 0.15 else Rating.EASY if manner > 0.9 else Rating.GOOD


@dataclass(slots=True)
class World:
    """Memory as the scheduler believes it, and memory state as it truly is, by card."""

    progress: dict[str, Progress]
    true: dict[str, MemoryState]
    log: list[Review]

    def copy(self) -> "World":
        return World(dict(self.progress), dict(self.true), list(self.log))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--luck", type=int, default=4)
    parser.add_argument("--days", type=int, default=21)
    options = parser.parse_args()
    policies = {"as ever": as_ever, "due order": due_order, "exam": toward_exam, "asked": as_asked}
    print(f"{'cards a day':>11} {'learner':>8}", end="")
    print("".join(f"{name:>11}" for name in (*policies, "foretold")), end="")
    print(f"{'exam - due order':>18}{'foretold - asked':>18}")
    learners = {
        str(seed): begun(luck := Random(seed), drawn(luck)) for seed in range(options.seeds)
    }
    learners[BELIEVED] = begun(Random(BELIEVED), Learner(DEFAULT_PARAMETERS, [1.0] * CARDS))
    for budget in BUDGETS:
        rows = []
        for seed, (name, (learner, world)) in enumerate(learners.items()):
            row = [
                recall_on_the_day(learner, world, seed, options.luck, budget, options.days, policy)
                for policy in policies.values()
            ]
            row.append(outlook(world, budget, options.days).whole.recall)
            if name != BELIEVED:
                rows.append(row)
            print(_line(budget, name, row), flush=True)
        print(
            _line(budget, "mean", [sum(column) / len(rows) for column in zip(*rows, strict=True)])
        )
    for seed, (name, (learner, world)) in enumerate(learners.items()):
        enough = outlook(world, 0, options.days).need.minutes or 0
        recall = recall_on_the_day(
            learner, world, seed, options.luck, enough, options.days, as_asked
        )
        print(f"{enough:>11} {name:>8}{recall:>11.4f} asked, said to be enough")


def _line(budget: int, name: str, row: Sequence[float]) -> str:
    shown = "".join(f"{recall:>11.4f}" for recall in row)
    _, due_order, exam, asked, foretold = row
    return f"{budget:>11} {name:>8}{shown}{exam - due_order:>+18.4f}{foretold - asked:>+18.4f}"


def drawn(random: Random) -> Learner:
    """A learner whose memory is not the one believed in."""
    own = (
        min(max(value * exp(random.gauss(0, 0.3)), low), high)
        for value, low, high in zip(DEFAULT_PARAMETERS, LOWER, UPPER, strict=True)
    )
    return Learner(tuple(own), [exp(random.gauss(0, 0.5)) for _ in range(CARDS)])


def begun(random: Random, learner: Learner) -> tuple[Learner, World]:
    """The learner, and where he stands after reviewing for a while without an exam."""
    world = World({}, {}, [])
    settings = Settings(new_per_day=BEGUN // BEFORE, reviews_per_day=12)
    for number in range(BEFORE):
        queue = plan(DECK, world.progress, Done(), settings, FIRST + timedelta(number))
        study(learner, world, queue.fresh, number, settings, random)
    return learner, world


def recall_on_the_day(
    learner: Learner, start: World, seed: int, runs: int, budget: int, days: int, policy: "Policy"
) -> float:
    """The learner's mean true recall of all cards on the exam day."""
    exam_day = study_day(FIRST) + BEFORE + days
    total = 0.0
    for run in range(runs):
        world = start.copy()
        for number in range(BEFORE, BEFORE + days):
            now = FIRST + timedelta(number)
            cards, settings = policy(world.progress, now, exam_day, budget)
            assert len({card.id for card in cards}) == budget or policy is as_asked
            # Every card has its luck of the day, whichever policy takes it.
            study(learner, world, cards, number, settings, seed * 1000 + run)
        for card, state in world.true.items():
            memory = world.progress[card].memory
            assert memory is not None
            total += fsrs.retrievability(state, exam_day - memory.day, learner.parameters)
    return total / runs / CARDS


def study(
    learner: Learner,
    world: World,
    cards: Sequence[Entry],
    number: int,
    settings: Settings,
    luck: Random | int,
) -> None:
    """Review these cards; what is forgotten comes again ten minutes later and is rated Good."""
    now = FIRST + timedelta(number)
    day = study_day(now)
    policy = settings.policy(COURSE, day)
    for entry in cards:
        memory = world.progress.get(entry.id, Progress()).memory
        true = world.true.get(entry.id)
        elapsed = day - memory.day if memory else 0
        own = luck if isinstance(luck, Random) else Random(f"{luck} {number} {entry.id}")
        first = learner.rating(true, elapsed, own)
        for rating in (first, Rating.GOOD) if first is Rating.AGAIN else (first,):
            after = fsrs.step(true, rating, elapsed, learner.parameters)
            if true is None:
                after = replace(after, stability=after.stability * learner.ease[int(entry.id)])
            true, elapsed = after, 0
            state = memory.state if memory else State.NEW
            memory = schedule(entry.id, memory, rating, now, day, policy)
            world.log.append(Review(entry.id, rating, memory.interval, state))
        world.true[entry.id] = after
        world.progress[entry.id] = Progress(memory)


Policy = Callable[[dict[str, Progress], datetime, int, int], tuple[Sequence[Entry], Settings]]
"""From progress, now, the exam day and the day's budget: the cards, and how they are scheduled."""


def as_ever(
    progress: dict[str, Progress], now: datetime, exam_day: int, budget: int
) -> tuple[Sequence[Entry], Settings]:
    settings = Settings(reviews_per_day=EVER)
    cards = plan(DECK, progress, Done(), settings, now).fresh
    later = plan(DECK, progress, Done(), settings, now, ahead=EVER).today
    return _first((*cards, *later), budget), settings


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


def outlook(world: World, budget: int, days: int) -> Outlook:
    """What is foretold of the exam: a card takes a minute.

    Its repetitions take none, as it is cards a day that are counted here.
    """
    day = study_day(FIRST) + BEFORE
    exam_day = day + days
    settings = Settings(reviews_per_day=EVER, courses={COURSE: Course(exam_day=exam_day)})
    a_minute = Pace({card.id: 1.0 for card in DECK.entries}, {})
    habits = replace(habits_of(world.log), step_share=0.0)
    (told,) = foretold(DECK, world.progress, Done(), settings, day, a_minute, budget, habits)
    return told


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
