"""The days until the exams ahead, lived through as the queue would have it, without luck.

What chance decides is dealt out evenly instead: of cards with a chance of recall of 0.9 every tenth
is forgotten. One strength between that after recall and that after a lapse would do for a single
card, but not for a plan, in which it is the forgotten ones that come again soon.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import inf

from quizzer.deck import Entry
from quizzer.forecast import usual
from quizzer.fsrs import step as fsrs
from quizzer.fsrs.scheduler import Policy, fuzz_range
from quizzer.fsrs.step import Strength
from quizzer.plan import exam_gain as exam
from quizzer.plan.exams import by_gain, in_place, is_near, price
from quizzer.plan.settings import Settings
from quizzer.values import STEP, Progress

REPETITIONS = 1 / (1 - usual.STEP[0])
"""In the ten-minute step of a card rated Again, on average until it is rated otherwise.

A new card rated Hard stays in its step too; nothing is Hard here.
"""

STEP_MINUTES = STEP.total_seconds() / 60

GAINS_EVERY = 3
"""Days for which what a review would gain is taken to stay the same; the eve has its own."""


@dataclass(slots=True, eq=False)
class OnTheWay:
    """Where a card stands on its way to the exam of its course; the days change it."""

    id: str
    course: str
    """In lower case."""
    minutes: float
    repetition: float
    """Minutes of one in the ten-minute step."""
    strength: Strength | None = None
    day: int = 0
    """Of its last review."""
    due: int = 0
    is_new_today: bool = False
    """Whether it was met for the first time on the day from which one looks ahead."""
    took: float = 0.0
    """Minutes on the day of its last review, with the repetitions."""

    @classmethod
    def of(cls, entry: Entry, known: Progress, minutes: float, repetition: float) -> "OnTheWay":
        course, memory = entry.header.course.casefold(), known.memory
        if memory is None:
            return cls(entry.id, course, minutes, repetition)
        strength = Strength(memory.stability, memory.difficulty)
        due = max(memory.due_day, memory.day + 1)
        new = memory.first_day == memory.day
        # Of one known before nobody tells here whether it was repeated that day.
        repeated = (memory.reviews - 1 if new else 0) + (memory.interval == 0)
        took = minutes + repeated * repetition
        return cls(entry.id, course, minutes, repetition, strength, memory.day, due, new, took)

    @property
    def longest(self) -> float:
        """What a day takes on which it is rated Again."""
        return self.minutes + REPETITIONS * self.repetition

    def recall(self, exam_day: int, settings: Settings) -> float:
        """The chance of recall on the exam day if it is left alone."""
        return exam.recall_on(self.strength, self.day, exam_day, settings.parameters)


@dataclass(frozen=True, slots=True)
class Lived:
    """How the days until the last exam went."""

    cards: tuple[OnTheWay, ...]
    """Where they stand at the end, in the order given."""
    longest: float
    """Minutes of the longest day."""


def live_through(
    cards: Sequence[OnTheWay],
    exams: Mapping[str, int],
    settings: Settings,
    day: int,
    minutes: float = inf,
) -> Lived:
    """Take the cards of all courses with an exam ahead through the days until the last eve.

    `cards` stand in the order in which they are new, and are left as they are; `exams` are days by
    course in lower case. The courses share so many minutes a day and the common limit of reviews;
    one whose exam has come leaves all of it to the others.
    """
    moved = tuple(copy(card) for card in cards)
    days = Days(moved, exams, settings, day)
    longest = 0.0
    for today in range(day, max(exams.values())):
        met = days.met
        taken = days.live(today, minutes)
        longest = max(longest, sum(card.took for card in (*met, *taken)))
    return Lived(moved, longest)


class Days:
    """One day after the other: what is unseen, what waits, and what falls due when."""

    def __init__(
        self,
        cards: Sequence[OnTheWay],
        exams: Mapping[str, int],
        settings: Settings,
        day: int,
    ) -> None:
        self.met = [card for card in cards if card.strength and card.day == day]
        """Already today; they have used up their minutes."""
        self._exams, self._settings = exams, settings
        self._places = {card.id: place for place, card in enumerate(cards)}
        self._unseen = {course: list[OnTheWay]() for course in exams}
        self._seen = {course: list[OnTheWay]() for course in exams}
        self._waiting = dict[str, OnTheWay]()
        """Due, the earliest due day first, of equal ones the shortest interval."""
        self._coming = defaultdict[int, dict[str, OnTheWay]](dict)
        for card in cards:
            if card.strength is None:
                self._unseen[card.course].append(card)
            else:
                self._seen[card.course].append(card)
                self._coming[max(day, card.due)][card.id] = card
        self._purses = {course: settings.review_limit(course) for course in exams}
        self._luck = {course: _Luck() for course in exams}

    def live(self, today: int, minutes: float) -> list[OnTheWay]:
        """Study what the queue holds on this day, in its order, as far as the minutes reach."""
        spent = sum(card.took for card in self.met)
        begun = bool(self.met) or minutes <= 0
        taken = list[OnTheWay]()
        in_step = deque[tuple[float, float]]()
        policies = {course: self._settings.policy(course, today) for course in self._exams}
        for card in self._queue(today, minutes - spent):
            # What is back from its step comes first; what is not takes none of the day's minutes.
            while in_step and in_step[0][0] <= spent:
                spent += in_step.popleft()[1]
            # As in a day's queue, where the first card always fits.
            if spent + card.minutes > minutes and begun:
                break
            begun = True
            self._study(card, today, policies[card.course])
            spent += card.minutes
            if card.took > card.minutes:
                in_step.append((spent + STEP_MINUTES, card.took - card.minutes))
            taken.append(card)
        self.met = []
        return taken

    def _queue(self, today: int, minutes: float) -> list[OnTheWay]:
        """New cards, then reviews within the limits, in the order of the queue.

        Where all that is due fits into the day, even if all of it is repeated, its order does not
        matter and is not looked for.
        """
        coming = self._coming.pop(today, {}).values()
        for card in sorted(coming, key=lambda card: (card.due, card.due - card.day)):
            self._waiting[card.id] = card
        ahead = [course for course, exam_day in self._exams.items() if today < exam_day]
        new = [card for course in ahead for card in self._new(course, today)]
        new.sort(key=lambda card: self._places[card.id])
        due = [card for card in self._waiting.values() if today < self._exams[card.course]]
        allowed = list(self._allowed(due))
        longest = sum(card.longest for card in (*new, *due))
        all_fit = len(allowed) == len(due) and longest <= minutes
        ordered = {
            course: self._ordered(course, due, today)
            for course in ahead
            if is_near(course, self._settings, today)
            and (not all_fit or today == self._exams[course] - 1)
        }
        if ordered:
            allowed = list(self._allowed(in_place(due, lambda card: card.course, ordered)))
        return [*new, *allowed]

    def _new(self, course: str, today: int) -> list[OnTheWay]:
        unseen = self._unseen[course]
        met = sum(card.is_new_today for card in self.met if card.course == course)
        limit = self._settings.course(course).new_per_day
        if limit is None:
            limit = exam.new_per_day(len(unseen) + met, today, self._exams[course])
        return unseen[: max(0, limit - met)]

    def _ordered(self, course: str, due: Iterable[OnTheWay], today: int) -> list[OnTheWay]:
        """The course's due cards, and on the eve those not due, the greatest gain first.

        Of cards before their day hardly one is worth it earlier, and gains hardly change from one
        day to the next: to ask for all of them daily would take long and foretell nothing else.
        """
        exam_day, parameters = self._exams[course], self._settings.parameters
        days_to_eve = exam_day - 1 - today
        asked = today - days_to_eve % GAINS_EVERY
        seen = self._seen[course]
        standings = [exam.first_standing(today, exam_day, parameters)] * len(self._unseen[course])
        standings += [
            exam.standing(card.strength, card.day, today, exam_day, parameters)
            for card in seen
            if card.strength
        ]
        last_days = (card.day for card in seen)
        cost = price(standings, last_days, course, self._settings, today, exam_day)

        def gain(card: OnTheWay) -> float:
            assert card.strength is not None
            day = max(card.day + 1, asked)
            return exam.prospect(card.strength, card.day, day, exam_day, parameters).gain(cost)

        early = [] if days_to_eve else [card for card in seen if card.day < today < card.due]
        return by_gain((card for card in due if card.course == course), early, cost, gain)

    def _allowed(self, reviews: Iterable[OnTheWay]) -> Iterator[OnTheWay]:
        """Those within the daily limits; a course that sets its own has that for itself."""
        spent = Counter(self._purses[card.course][0] for card in self.met if not card.is_new_today)
        for card in reviews:
            purse, most = self._purses[card.course]
            if spent[purse] < most:
                spent[purse] += 1
                yield card

    def _study(self, card: OnTheWay, today: int, policy: Policy) -> None:
        """Let the card be reviewed, and fall due on one of the days that fuzz may give it."""
        luck = self._luck[card.course]
        if card.strength is None:
            self._unseen[card.course].remove(card)
            self._seen[card.course].append(card)
            again = luck.firsts.comes(usual.FIRST[0])
            card.strength = exam.first_strength(again, policy.parameters)
        else:
            self._waiting.pop(card.id, None)
            elapsed = today - card.day
            recall = fsrs.retrievability(card.strength, elapsed, policy.parameters)
            again = luck.lapses.comes(1 - recall)
            card.strength = exam.strength_after(card.strength, again, elapsed, policy.parameters)
        card.took = card.longest if again else card.minutes
        days = fsrs.days_until(card.strength.stability, policy.retention, policy.parameters)
        interval = min(max(1, round(days)), policy.maximum_interval)
        least, greatest = fuzz_range(interval, policy.maximum_interval)
        luck.turn += 1
        card.day = today
        card.due = today + least + luck.turn % (greatest - least + 1)
        self._coming[card.due][card.id] = card


class _Evenly:
    """Whether something comes, as often as its chances say and as evenly as can be."""

    def __init__(self) -> None:
        self._sum = 0.5

    def comes(self, chance: float) -> bool:
        self._sum += chance
        comes = self._sum >= 1
        self._sum -= comes
        return comes


@dataclass(slots=True)
class _Luck:
    """What is dealt out among the cards of one course: the others do not change it."""

    firsts: _Evenly = field(default_factory=_Evenly)
    lapses: _Evenly = field(default_factory=_Evenly)
    turn: int = 0
    """In which fuzz is dealt out."""
