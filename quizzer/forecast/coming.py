"""Which cards come on a simulated day: the rules of the day's queue, for many worlds at once.

A world has every card; row = world · cards + card.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from quizzer.forecast.budget import ranks
from quizzer.forecast.many import NEW, REVIEW, KnownMemories, Memories
from quizzer.forecast.toward import Near, in_turn
from quizzer.fsrs.histories import Bools, Floats, Ints
from quizzer.fsrs.step import Parameters
from quizzer.plan import exam_gain as exam

LONGER_THAN_ANY_INTERVAL = 10**6
"""Days, beside any interval."""
BEFORE_ALL_OTHERS = 10**14
"""Taken from a turn, more than any."""
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Limit:
    """A daily limit on cards, which draw on one or several purses."""

    purse: Ints
    """(n,) which one a card draws on."""
    per_day: Ints
    """(purses,)"""
    today: Ints
    """(purses,) what is left on the first day."""


@dataclass(frozen=True)
class Exams:
    """The exams ahead, and whose they are."""

    of: Ints
    """(n,) which one a card's course has, -1 without any."""
    days: Ints
    """(exams,) their study days."""
    plans_new: Bools
    """(exams,) whether the exam says how many cards of its course are new, as long as it is ahead;
    they then have a purse of their own."""
    new_today: Ints
    """(exams,) how many of them are left on the first day."""
    worthwhile: float
    """A card comes before its day if that adds at least so much to the chance of recalling it."""
    lately: int
    """Days before a day that tell how many cards are reviewed a day."""

    def ahead(self, day: int) -> Bools:
        """(exams + 1,) whether each lies ahead; the last place is that of cards without one."""
        return np.array([*(exam.is_ahead(day, one) for one in self.days.tolist()), False])

    def longest(self, day: int, most: int) -> Ints:
        """(exams + 1,) the longest interval to give on a day."""
        capped = (
            min(most, exam.longest_interval(day, one)) if exam.is_ahead(day, one) else most
            for one in self.days.tolist()
        )
        return np.array([*capped, most], np.int64)


@dataclass(frozen=True, slots=True)
class DayMinutes:
    """Minutes of a day; as long as no card has come, one comes even if it takes more."""

    per_day: float
    today: float
    """What is left on the first day."""
    begun: bool
    """Whether a card has come on the first day already."""


@dataclass(frozen=True)
class Cards:
    """n cards on the first day; those never reviewed stand in the order in which they come."""

    known: KnownMemories
    earliest: Ints
    """(n,) the first study day on which the card may come, if it is due by then."""
    minutes: Floats
    """(n,) what it takes, from question to rating."""
    reviews: Limit
    """Of cards due for review; those in a ten-minute step come whatever the limit."""
    new: Limit
    exams: Exams
    budget: DayMinutes | None = None

    def __len__(self) -> int:
        return len(self.known)

    def where(self, chosen: Bools) -> "Cards":
        def limit(of: Limit) -> Limit:
            return replace(of, purse=of.purse[chosen])

        known = (getattr(self.known, column.name)[chosen] for column in fields(KnownMemories))
        return replace(
            self,
            known=KnownMemories(*known),
            earliest=self.earliest[chosen],
            minutes=self.minutes[chosen],
            reviews=limit(self.reviews),
            new=limit(self.new),
            exams=replace(self.exams, of=self.exams.of[chosen]),
        )


class Coming:
    """Calls the cards of each day, as they stand in `memories` by then."""

    def __init__(
        self,
        cards: Cards,
        worlds: int,
        memories: Memories,
        first_day: int,
        parameters: Parameters,
    ) -> None:
        known = cards.known
        self._cards = cards
        self._worlds = worlds
        self._memories = memories
        self._first_day = first_day
        self._parameters = parameters
        self._world = np.repeat(np.arange(worlds), len(cards))
        self._earliest = np.tile(cards.earliest, worlds)
        self._exam = np.tile(cards.exams.of, worlds)
        purses = len(cards.reviews.per_day)
        self._purse = self._world * purses + np.tile(cards.reviews.purse, worlds)
        self._unseen = np.flatnonzero(memories.state == NEW)
        due = known.day + known.interval
        due = np.where(cards.earliest > first_day, np.maximum(due, cards.earliest), due)
        self._due = np.tile(np.where(known.state == NEW, NEVER, due), worlds)

    @property
    def due(self) -> Ints:
        """The day from which each row comes again; that of a card never reviewed says nothing."""
        return self._due

    def on(self, day: int) -> tuple[Ints, Ints]:
        """The rows that come on a day: those in a step, then the fresh ones within the limits.

        With a budget the fresh ones stand world by world, in the order of the queue.
        """
        self._unseen = self._unseen[self._memories.state[self._unseen] == NEW]
        rows = np.flatnonzero(self._due <= day)
        waits = self._memories.state[rows] == REVIEW
        reviews, turn = self._in_turn(rows[waits], day)
        kept = self._within_limit(reviews, turn, day)
        reviews, turn = reviews[kept], turn[kept]
        new = self._new(day)
        fresh = np.concatenate([reviews, new])
        if self._cards.budget:
            # Toward an exam its new cards come before all reviews.
            ahead = self._cards.exams.ahead(day)[self._exam[fresh]]
            part = np.where(np.arange(len(fresh)) < len(reviews), 1, 2 - 2 * ahead)
            fresh = fresh[np.lexsort((np.concatenate([turn, new]), part, self._world[fresh]))]
        return rows[~waits], fresh

    def again(self, rows: Ints, day: int) -> None:
        """Take note that these rows have been rated on this day."""
        self._due[rows] = day + np.maximum(self._memories.interval[rows], 1)

    def _in_turn(self, due: Ints, day: int) -> tuple[Ints, Ints]:
        """Reviews and their turns: the earliest due day first, then the shortest interval.

        Those of courses with an exam ahead come before all others; where it is near, by their gain,
        and some of them, after all that are due, before their day.
        """
        turn = self._due[due] * LONGER_THAN_ANY_INTERVAL + self._memories.interval[due]
        turn[self._cards.exams.ahead(day)[self._exam[due]]] -= BEFORE_ALL_OTHERS
        near = self._near(day)
        if near is None:
            return due, turn
        place = np.full(len(self._due), -1)
        place[near.rows] = np.arange(len(near.rows))
        ours = place[due] >= 0
        rows, memories = near.rows, self._memories
        may = (memories.state[rows] == REVIEW) & (self._due[rows] > day)
        may &= (memories.day[rows] < day) & (self._earliest[rows] <= day)
        rows, turns = in_turn(
            near,
            place[due[ours]],
            turn[ours],
            np.flatnonzero(may),
            memories,
            day,
            self._parameters,
        )
        return np.concatenate([due[~ours], rows]), np.concatenate([turn[~ours], turns])

    def _near(self, day: int) -> Near | None:
        exams, limit = self._cards.exams, self._cards.reviews
        left = exams.days - day
        near = np.flatnonzero(exams.ahead(day)[:-1] & (left <= exam.LAST_DAYS))
        if not len(near):
            return None
        number = np.full(len(left) + 1, -1)
        number[near] = np.arange(len(near))
        rows = np.flatnonzero((number >= 0)[self._exam] & (self._memories.state != NEW))
        if not len(rows):
            return None
        purse = [limit.purse[exams.of == one][0] for one in near]
        return Near(
            rows,
            self._world[rows] * len(near) + number[self._exam[rows]],
            np.tile(left[near], self._worlds),
            self._by_exam(self._unseen)[:, near].ravel(),
            np.tile(limit.per_day[purse], self._worlds),
            exams.worthwhile,
            exams.lately,
        )

    def _within_limit(self, reviews: Ints, turn: Ints, day: int) -> Bools:
        """Which of the reviews find room in their purses, those whose turn is first."""
        limit = self._cards.reviews
        room = np.tile(limit.today if day == self._first_day else limit.per_day, self._worlds)
        purse = self._purse[reviews]
        waiting = np.bincount(purse, minlength=len(room))
        over = np.flatnonzero(waiting > room)
        kept = np.ones(len(reviews), np.bool_)
        if len(over):
            by_purse = np.argsort(purse, kind="stable")
            ends = np.cumsum(waiting)
            for one in over:
                places = by_purse[ends[one] - waiting[one] : ends[one]]
                kept[_beyond(places, turn, max(0, room[one]))] = False
        return kept

    def _new(self, day: int) -> Ints:
        """The rows met for the first time: of each purse the first that find room."""
        rows = self._unseen
        if not len(rows):
            return rows
        exams, limit, first = self._cards.exams, self._cards.new, day == self._first_day
        planned = exams.ahead(day)
        planned[:-1] &= exams.plans_new
        general, count = len(limit.per_day), len(limit.per_day) + len(exams.days)
        purse = np.where(planned[exams.of], general + exams.of, limit.purse)
        room = np.zeros((self._worlds, count), np.int64)
        room[:, :general] = limit.today if first else limit.per_day
        if planned.any():
            unseen = self._by_exam(rows)
            for one in np.flatnonzero(planned):
                share = exam.days_of_new(day, int(exams.days[one]))
                today = exams.new_today[one] if first else np.ceil(unseen[:, one] / share)
                room[:, general + one] = today
        if first:
            rows = rows[self._earliest[rows] <= day]
        group = self._world[rows] * count + purse[rows % len(self._cards)]
        return rows[ranks(group) < room.ravel()[group]]

    def _by_exam(self, rows: Ints) -> Ints:
        """(worlds, exams) how many of these rows are of a course with this exam."""
        count = len(self._cards.exams.days) + 1
        place = self._world[rows] * count + self._exam[rows] % count
        return np.bincount(place, minlength=self._worlds * count).reshape(-1, count)[:, :-1]


def _beyond(places: Ints, turn: Ints, room: int) -> Ints:
    """The places that are left when the `room` ones whose turn is first have been taken."""
    in_turn: Ints = np.argpartition(turn[places], room)
    return places[in_turn[room:]]
