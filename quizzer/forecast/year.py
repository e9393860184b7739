"""What the coming year asks of the learner, and what another desired retention would change."""

from collections.abc import Callable, Mapping
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from quizzer.deck import Deck
from quizzer.forecast.correction import NO_PAST, Past
from quizzer.forecast.days import Day, Days, that_come
from quizzer.forecast.habits import Habits
from quizzer.forecast.study_days import EVERY_DAY, StudyDays
from quizzer.plan.pace import Pace
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import Progress

DAYS = 90
"""Of the forecast."""
YEAR = 365
"""Of the comparison: a new setting reaches a card with its next review, which may be far off."""
RETENTIONS = (0.8, 0.85, 0.9, 0.95)
CARDS = 1_200
"""Cards times runs, about: what is lived through in a second or two."""
MOST_RUNS = 4


class DayAhead(Struct, frozen=True):
    """A day to come, the mean of all runs."""

    day: int
    reviews: float
    """Cards that were known before, each once."""
    new: float
    minutes: float


class Workload(Struct, frozen=True):
    """A year under one desired retention, the mean of all runs."""

    retention: float
    reviews: float
    minutes: float
    met: float
    """Cards reviewed at least once by its end."""
    remembered: float
    """Those of them that would be recalled at its end."""
    waiting: float
    """Those of them that were due on the last day of study, but over a daily limit."""
    out_of_time: float
    """Those of these for which the day had room but for its minutes."""

    @property
    def minutes_a_day(self) -> float:
        return self.minutes / YEAR


class Ahead(Struct, frozen=True):
    """`days` are those of the present settings; `workloads` are by retention, ascending."""

    days: tuple[DayAhead, ...]
    present: Workload
    workloads: tuple[Workload, ...]
    """The present one among them."""
    runs: int
    past: Past = NO_PAST
    study_days: StudyDays = EVERY_DAY
    """Both are what all of it allows for."""


def look_ahead(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    habits: Habits,
    pace: Pace,
    settings: Settings,
    today: int,
    on_day: Callable[[int, int], None] = lambda done, total: None,
) -> Ahead:
    """Live through the year from today on under the present desired retention and some others.

    Some days are missed, as lately; on the others all that is due within the limits is done.
    Courses with a desired retention of their own keep it throughout. Several learners live through
    it, of whom chance forgets other cards first.
    """
    meant = that_come(deck, progress)
    wanted = sorted({*RETENTIONS, settings.desired_retention})
    runs = min(max(1, CARDS // max(1, len(meant.entries))), MOST_RUNS)
    learners = {
        retention: [
            Days(
                meant,
                progress,
                done,
                replace(settings, desired_retention=retention),
                pace,
                habits,
                today,
                start=(run + 0.5) / runs,
            )
            for run in range(runs)
        ]
        for retention in wanted
    }
    lived: dict[float, list[list[Day]]] = {retention: [] for retention in wanted}
    for number in range(YEAR):
        for retention, several in learners.items():
            lived[retention].append([one.live(today + number) for one in several])
        on_day(number + 1, YEAR)
    workloads = tuple(
        _workload(retention, learners[retention], lived[retention], today + YEAR)
        for retention in wanted
    )
    days = tuple(
        DayAhead(
            today + number,
            reviews=fmean(each.reviews for each in day),
            new=fmean(each.new for each in day),
            minutes=fmean(each.minutes for each in day),
        )
        for number, day in enumerate(lived[settings.desired_retention][:DAYS])
    )
    present = workloads[wanted.index(settings.desired_retention)]
    return Ahead(days, present, workloads, runs, habits.corrections.whole, habits.study_days)


def _workload(retention: float, learners: list[Days], lived: list[list[Day]], end: int) -> Workload:
    """What the days until the morning `end` add up to; `lived` has those of all learners by day."""
    runs = len(learners)
    return Workload(
        retention=retention,
        reviews=sum(each.reviews for day in lived for each in day) / runs,
        minutes=sum(each.minutes for day in lived for each in day) / runs,
        met=sum(one.met for one in learners) / runs,
        remembered=sum(one.remembered(end) for one in learners) / runs,
        waiting=sum(one.waiting for one in learners) / runs,
        out_of_time=sum(each.out_of_time for each in lived[-1]) / runs,
    )
