"""What it takes to be ready for an exam, found by living through the days before it again."""

from collections.abc import Iterable
from itertools import chain, combinations
from math import ceil, floor, inf, sqrt
from statistics import fmean

from msgspec.structs import replace

from quizzer.forecast.exam_days import Arrived, Preparation, live_until_exams
from quizzer.forecast.outlook import Limit, Need
from quizzer.plan.settings import Settings

CLOSE = 0.01
"""Of recall: what is foretold is no surer than that."""
ROUND = 5
"""Minutes are told in steps of so many, as one says them."""
WITHIN = 1 / 8
"""Many minutes are found to this part of them."""
UNLIMITED = 10**6
"""Cards, beside those of any day."""


class Needs:
    """What the courses with an exam ahead need: all that are given, under these settings.

    A course is ready if all its cards will have been seen, and are recalled on the day as often as
    is desired, or about as often as could be reached with all the time there is.
    """

    def __init__(self, start: Preparation, settings: Settings) -> None:
        self._start, self._settings = start, settings
        self._exams = start.exams
        self._known = dict[tuple[float, tuple[Limit, ...]], Arrived]()

    def arrived(self, minutes: float, without: tuple[Limit, ...] = ()) -> Arrived:
        """What so many minutes a day for all courses lead to, as if these limits were not set."""
        if minutes < inf:
            # What is enough for the longest day is as good as all the time there is.
            all_time = self.arrived(inf, without)
            if all_time.longest <= minutes:
                return all_time
        if (minutes, without) not in self._known:
            settings = _without(without, self._settings)
            self._known[minutes, without] = live_until_exams(self._start, settings, minutes)
        return self._known[minutes, without]

    def by_course(self, minutes: float) -> dict[str, Need]:
        """What each course needs, at so many minutes a day for all."""
        behind = [course for course in self._exams if not self._is_ready(course, minutes)]
        too_low = {course: self._too_low(course) for course in behind}
        without = _each_once(too_low.values())
        late = {course for course in self._exams if not self._is_ready(course, minutes, without)}
        enough = self._enough(minutes, without) if late else None
        # A course that may have more cards must not take its minutes off another that is ready.
        raised = not late <= set(behind)
        needs = dict.fromkeys(self._exams, Need())
        for course in behind:
            in_time = course not in late and not (raised and too_low[course])
            needs[course] = Need(None if in_time else enough, too_low[course])
        return needs

    def _too_low(self, course: str) -> tuple[Limit, ...]:
        """The fewest limits that, without them, leave only minutes to be needed, by others too."""
        limits = self._limits(course)
        all_of = [course, *(other for other in self._exams if self._is_ready(other, inf))]
        fewest_first = chain.from_iterable(
            combinations(limits, number) for number in range(len(limits) + 1)
        )
        for some in fewest_first:
            if all(self._is_ready(each, inf, some) for each in all_of):
                return some
        return limits

    def _enough(self, minutes: float, without: tuple[Limit, ...]) -> int:
        """More minutes with which every course will be ready.

        They are the fewest, or hardly more, where more minutes never make a course less ready;
        lapses dealt out evenly can do that, though seldom.
        """
        few, enough = floor(minutes / ROUND), ceil(self.arrived(inf, without).longest / ROUND)
        while enough - few > max(1, WITHIN * enough):
            middle = min(max(few + 1, round(sqrt(max(few, 1) * enough))), enough - 1)
            if all(self._is_ready(course, ROUND * middle, without) for course in self._exams):
                enough = middle
            else:
                few = middle
        return ROUND * enough

    def _is_ready(self, course: str, minutes: float, without: tuple[Limit, ...] = ()) -> bool:
        arrived = self.arrived(minutes, without)
        if not all(entry.id in arrived.seen for entry in self._start.cards(course)):
            return False
        recall = self._recall(course, arrived)
        desired = self._settings.policy(course, self._start.day).retention
        return recall >= desired or recall >= self._best(course) - CLOSE

    def _best(self, course: str) -> float:
        """Recall with all the time there is."""
        return self._recall(course, self.arrived(inf, _each_once(map(self._limits, self._exams))))

    def _recall(self, course: str, arrived: Arrived) -> float:
        return fmean(arrived.recall[entry.id] for entry in self._start.cards(course))

    def _limits(self, course: str) -> tuple[Limit, ...]:
        whose, reviews = self._settings.review_limit(course)
        new = self._settings.course(course).new_per_day
        found = Limit("reviews_per_day", reviews, whose)
        return (found,) if new is None else (found, Limit("new_per_day", new, course))


def _each_once(limits: Iterable[tuple[Limit, ...]]) -> tuple[Limit, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(limits)))


def _without(limits: tuple[Limit, ...], settings: Settings) -> Settings:
    """The settings as if these limits were not set."""
    for limit in limits:
        if limit.course is None:
            settings = replace(settings, reviews_per_day=UNLIMITED)
            continue
        own = settings.course(limit.course)
        if limit.name == "new_per_day":
            own = replace(own, new_per_day=None)
        else:
            own = replace(own, reviews_per_day=UNLIMITED)
        settings = replace(settings, courses={**settings.courses, limit.course: own})
    return settings
