"""The coming days, lived through by the very rules of `plan` and `fsrs`.

Event by event: a card costs work only on the days on which it comes, so that a year of thousands
of cards takes a blink. Chance is dealt out by `habits.Luck`.
"""

from bisect import insort
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from quizzer.deck import Deck, Entry
from quizzer.forecast.habits import Habits, Luck
from quizzer.forecast.study_days import MissedDays
from quizzer.fsrs.scheduler import Policy, schedule
from quizzer.fsrs.step import recall_after
from quizzer.plan.exams import exams_near, is_unseen
from quizzer.plan.forms import (
    ALL,
    FormHistory,
    comes_short,
    form_for,
    form_history,
    may_have_forms,
    policy_for,
)
from quizzer.plan.meeting import to_meet
from quizzer.plan.pace import Pace, minutes_left
from quizzer.plan.queue import Candidates, Queue, arranged, courses_of, step_of
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Form, Memory, Progress, Rating, State

MOST_IN_A_DAY = 20
"""Ratings of one card on one day; what is in its step even then comes again the next day."""
_AT_SOME_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""The hour of a review foretold: nobody asks for it."""

Waiting = tuple[int, int, int, Entry]
"""Due day, interval, place in the deck: in this order cards come."""


class Day(Struct, frozen=True):
    """What came on a day foretold."""

    reviews: int
    """Cards that were known before, each once."""
    new: int
    minutes: float
    """Repetitions among them; what was done before the forecast began is not counted."""
    out_of_time: int
    """Cards due that the limits of cards allow, but for which there was no time; on a missed day
    those of the one before."""


def that_come(deck: Deck, progress: Mapping[str, Progress]) -> Deck:
    """The deck with only the cards that come some day; ids of the others are still known."""
    return replace(
        deck,
        entries=[
            entry
            for entry in deck.entries
            if is_unseen(entry, known := progress.get(entry.id, UNSEEN))
            or (known.memory and not known.suspended)
        ],
    )


class Days:
    """A deck whose cards all come some day, and one learner, who lives through day after day."""

    def __init__(
        self,
        deck: Deck,
        progress: Mapping[str, Progress],
        done: Done,
        settings: Settings,
        pace: Pace,
        habits: Habits,
        today: int,
        start: float = 0.5,
    ) -> None:
        """`done` is what was done today; `start` tells several learners apart, as in `Luck`."""
        self._deck, self._settings, self._today, self._done = deck, settings, today, done
        self._progress = {entry.id: progress.get(entry.id, UNSEEN) for entry in deck.entries}
        self._now = today
        self._histories = dict[str, FormHistory]()
        """By which forms each card came, as far as that was foretold: before, on blank pages."""
        self._pace = replace(pace, form_of=self._form) if comes_short(settings) else pace
        self._step_share = habits.step_share
        self._corrections = habits.corrections
        self._missed = MissedDays(habits.study_days.missed, start)
        self._out_of_time = 0
        self._luck = {
            course: Luck(habits, start, habits.corrections.of_course(course).correction)
            for course in {entry.header.course.casefold() for entry in deck.entries}
        }
        """By course: what is dealt out to one is not changed by another."""
        self._places = {entry.id: place for place, entry in enumerate(deck.entries)}
        self._by_course = defaultdict[str, list[Entry]](list)
        self._new = dict[str, Entry]()
        self._steps = list[Entry]()
        """In their step when the day begins."""
        self._waiting = defaultdict[str, list[Waiting]](list)
        """Cards due by course, each in order."""
        self._calendar = defaultdict[int, list[Waiting]](list)
        """Cards by the day on which they fall due; one that came before its day stays there."""
        for entry in deck.entries:
            self._by_course[entry.header.course.casefold()].append(entry)
            if self._progress[entry.id].memory:
                self._put_off(entry, today + self._is_buried(entry))
        fresh = {entry.id for entry in deck.entries if not self._progress[entry.id].memory}
        met = [card for card, known in progress.items() if known.memory]
        self._new = {entry.id: entry for entry in to_meet(deck, fresh, met)}
        self._unseen = Counter(entry.header.course.casefold() for entry in self._new.values())

    def memory(self, entry: Entry) -> Memory | None:
        return self._progress[entry.id].memory

    def recall(self, entry: Entry, day: int) -> float:
        """The chance of recall on a day if nothing more is done; 0 for a card never met."""
        memory = self.memory(entry)
        if memory is None:
            return 0.0
        elapsed = day - memory.day
        recall = recall_after(memory.stability, elapsed, self._settings.parameters)
        return self._corrections.of_course(entry.header.course).correction.of(
            recall, elapsed, memory.reviews
        )

    @property
    def met(self) -> int:
        """Cards reviewed at least once."""
        return len(self._places) - len(self._new)

    @property
    def waiting(self) -> int:
        """Cards that were due when the last day of study ended."""
        return sum(map(len, self._waiting.values()))

    def remembered(self, day: int) -> float:
        """The cards that would be recalled on a day if nothing more is done."""
        return sum(self.recall(entry, day) for entry in self._deck.entries)

    def live(self, day: int) -> Day:
        """Study what the queue of this day holds, as far as its minutes reach.

        Any day but today may be one that the learner misses: what falls due on it waits.
        """
        if day > self._today and self._missed.next():
            self._calendar[day + 1] += self._calendar.pop(day, ())
            return Day(0, 0, 0.0, self._out_of_time)
        self._now = day
        queue = self._queue(day)
        fresh, steps = deque(queue.fresh), deque((0.0, entry) for entry in queue.steps)
        policies: dict[str, Policy] = {}
        times = Counter[str]()
        met = list[Entry]()
        reviews, clock, spent = 0, 0.0, 0.0
        before = len(self._done.new) + len(self._done.reviews)
        begun = before > 0
        while True:
            if steps and steps[0][0] <= clock:
                entry = steps.popleft()[1]
            elif fresh and self._fits(fresh[0], spent, begun):
                entry = fresh.popleft()
            elif steps:
                clock, entry = steps.popleft()
            else:
                break
            begun = True
            if not times[entry.id]:
                met.append(entry)
                reviews += self.memory(entry) is not None
            times[entry.id] += 1
            took = self._study(entry, day, policies, before + times.total() - 1)
            clock, spent = clock + took, spent + took
            again = self.memory(entry)
            if again and not again.interval and times[entry.id] < MOST_IN_A_DAY:
                # Courses may differ in it.
                insort(steps, (clock + step_of(again, entry, self._settings), entry), key=_moment)
        self._end(met, day)
        left = (self.memory(entry) for entry in fresh)
        self._out_of_time = sum(memory is not None and memory.due_day <= day for memory in left)
        return Day(reviews, len(met) - reviews, spent, self._out_of_time)

    def _queue(self, day: int) -> Queue:
        steps = self._steps
        for each in self._calendar.pop(day, ()):
            *_, interval, _, entry = each
            if not self._stands(each):
                continue
            if interval:
                insort(self._waiting[entry.header.course.casefold()], each)
            else:
                steps.append(entry)
        near = {name: self._by_course[name] for name in exams_near(self._settings, day)}
        early = [
            entry
            for entries in near.values()
            for entry in entries
            if (memory := self.memory(entry)) and self._may_come_early(entry, memory, day)
        ]
        new: Iterable[Entry] = self._new.values()
        unseen = self._unseen
        if day == self._today:
            new = [entry for entry in new if not self._is_buried(entry)]
            met = (course.casefold() for course in courses_of(self._deck, self._done.new))
            unseen = unseen + Counter(met)
        found = Candidates(
            steps=steps,
            due=self._due(near),
            new=new,
            early=early,
            near=near,
            unseen=unseen,
        )
        self._steps = []
        return arranged(
            self._deck,
            found,
            self._progress,
            self._done,
            self._settings,
            day,
            self._pace,
        )

    def _due(self, near: Collection[str]) -> list[Entry]:
        """The cards due, in order, of each course as many as may come."""
        first = list[Waiting]()
        for course, cards in self._waiting.items():
            first += cards[: self._most(course, near)]
        first.sort()
        return [entry for *_, entry in first]

    def _most(self, course: str, near: Collection[str]) -> int | None:
        """How many cards due the queue could take of a course at the most, None for any number.

        Where nothing but due days orders them, its limit would end before those that follow.
        """
        if course in near or self._settings.bury_related:
            return None
        return self._settings.review_limit(course)[1]

    def _may_come_early(self, entry: Entry, memory: Memory, day: int) -> bool:
        if not memory.interval or not memory.day < day < memory.due_day:
            return False
        return day > self._today or not self._is_buried(entry)

    def _fits(self, entry: Entry, spent: float, begun: bool) -> bool:
        """As in a day's queue, the first card always fits."""
        left = minutes_left(self._settings, self._done.seconds + 60 * spent)
        return left is None or not begun or self._pace.fitting((entry,), left) > 0

    def _study(self, entry: Entry, day: int, policies: dict[str, Policy], place: int) -> float:
        """Let the card be rated after so many others; the minutes that it took."""
        memory, course = self.memory(entry), entry.header.course.casefold()
        if course not in policies:
            policies[course] = self._settings.policy(course, day)
        form, history = self._pace.form_of(entry), self._history_of(entry)
        minutes = self._pace.minutes(entry)
        policy = policy_for(policies[course], form, history)
        luck = self._luck[course]
        rating = luck.rating(memory, day, policy.parameters, place)
        if form is Form.WORKED:
            rating = Rating.GOOD
        lapsed = rating is Rating.AGAIN and memory and memory.state is State.REVIEW
        corrected = bool(lapsed) and luck.corrects()
        after = schedule(entry.id, memory, rating, _AT_SOME_TIME, day, policy, corrected=corrected)
        self._progress[entry.id] = Progress(after)
        if comes_short(self._settings):
            self._histories[entry.id] = history.after(form, after.interval, rating is Rating.AGAIN)
        if form is not Form.BLANK:
            return minutes
        return minutes if memory is None or memory.interval else minutes * self._step_share

    def _form(self, entry: Entry) -> Form:
        """In which form the card comes next, by the rule of the queue."""
        if not may_have_forms(entry):
            return Form.BLANK
        course, history = entry.header.course, self._history_of(entry)
        memory = self.memory(entry)
        return form_for(entry.id, history, ALL, self._settings, course, self._now, memory)

    def _history_of(self, entry: Entry) -> FormHistory:
        return self._histories.get(entry.id) or form_history((), self.memory(entry))

    def _end(self, met: list[Entry], day: int) -> None:
        """Put the cards that came off to the days on which they come again."""
        self._done = Done()
        for entry in met:
            if self._new.pop(entry.id, None):
                self._unseen[entry.header.course.casefold()] -= 1
            self._put_off(entry)
        near = exams_near(self._settings, day)
        for course in {entry.header.course.casefold() for entry in met}:
            cards, most = self._waiting[course], self._most(course, near)
            cards[:most] = [each for each in cards[:most] if self._stands(each)]

    def _put_off(self, entry: Entry, earliest: int = 0) -> None:
        memory = self.memory(entry)
        assert memory is not None
        if not memory.interval and not earliest > self._today:
            self._steps.append(entry)
            return
        due = memory.due_day
        self._calendar[max(due, earliest)].append(
            (due, memory.interval, self._places[entry.id], entry)
        )

    def _stands(self, waiting: Waiting) -> bool:
        """Whether the card was not reviewed since it was put off."""
        due, interval, _, entry = waiting
        memory = self.memory(entry)
        return memory is not None and (memory.due_day, memory.interval) == (due, interval)

    def _is_buried(self, entry: Entry) -> bool:
        return self._progress[entry.id].buried_on == self._today


def _moment(step: tuple[float, Entry]) -> float:
    """When a card comes back from its step."""
    return step[0]
