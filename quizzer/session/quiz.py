"""Practice or a mock exam: a clock, points, one answer a part. The schedule stays as it is."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from quizzer.card import Card
from quizzer.deck import Deck, Entry, Filter
from quizzer.judge.judgement import Answered
from quizzer.plan.settings import Settings
from quizzer.session.asked import Asked
from quizzer.session.asking import Asking
from quizzer.session.beginning import begin
from quizzer.session.judging import Judged
from quizzer.session.turn import Outcome, Turn
from quizzer.store import Store
from quizzer.values import Clock, Verdict, study_day

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge

POINTS_UNSAID = 1.0
"""What a card is worth that names no points."""
MOST_OF_WAY = 0.5
"""What a part is worth whose derivation is right but for its result."""

SHARES: Mapping[str, float] = {"0": 0.0, "1": 0.25, "2": 0.5, "3": 0.75, "4": 1.0}
"""The keys for self-assessment: quarters of the points."""


class Basis(StrEnum):
    """Who says what a card earned."""

    JUDGED = "judged"
    SELF = "self-assessed"
    UNANSWERED = "unanswered"
    BROKEN = "not counted: its checker is broken"


class Item(Struct, frozen=True):
    """One card of the quiz and what it earned; a broken card counts on neither side."""

    entry: Entry
    points: float
    earned: float
    basis: Basis
    seconds: float
    turn: Turn | None = None
    """How the card was answered; None where it was not reached."""


class Result(Struct, frozen=True):
    items: tuple[Item, ...]
    seconds: float

    @property
    def points(self) -> float:
        return sum(item.points for item in self.items if item.basis is not Basis.BROKEN)

    @property
    def earned(self) -> float:
        return sum(item.earned for item in self.items)

    def of(self, basis: Basis) -> tuple[float, float]:
        """Earned and possible points of the cards assessed in this way."""
        items = [item for item in self.items if item.basis is basis]
        return sum(item.earned for item in items), sum(item.points for item in items)


Paper = tuple[tuple[Entry, Card], ...]


def draw(deck: Deck, wanted: Filter, number: int | None, rng: Random) -> Paper:
    """`number` of the matching cards by lot, all without a number; unreadable ones left out."""
    entries = [entry for entry in deck.entries if wanted.matches(entry)]
    rng.shuffle(entries)
    read = ((entry, card) for entry in entries if (card := deck.read(entry).card))
    return tuple(islice(read, number))


class Quiz(Asking):
    """One quiz over the drawn cards. `turn` is the card being asked, None at the end."""

    way_counts = True

    def __init__(
        self,
        *,
        paper: Paper,
        store: Store,
        judge: "Judge",
        settings: Settings,
        clock: Clock,
        rng: Random,
        minutes: float | None = None,
        after: int = 0,
    ) -> None:
        super().__init__(judge, clock, rng, after)
        self._paper = paper
        self._store = store
        self._settings = settings
        self._ends = self._began + timedelta(minutes=minutes) if minutes else None
        self._items: list[Item] = []

    @property
    def place(self) -> tuple[int, int]:
        """Which card this is, and of how many."""
        return len(self._items) + 1, len(self._paper)

    def left(self) -> timedelta | None:
        """Time left on the clock, never negative; None without a clock."""
        if self._ends is None:
            return None
        return max(timedelta(0), self._ends - self._clock())

    def advance(self) -> Turn | None:
        """The card being asked, else the next one; None when all were asked or the time is up."""
        if self.is_over():
            return None
        if self._asked is None and len(self._items) < len(self._paper):
            entry, card = self._paper[len(self._items)]
            turn = begin(entry, card, self._examiner.asks(entry))
            idle = timedelta(minutes=self._settings.idle_minutes)
            seed = self._examiner.seed(turn)
            self._ask(Asked(turn, number=0, since=self._clock(), idle=idle, seed=seed))
        return self.turn

    def record(self, judged: Judged) -> Answered | None:
        """Right or wrong closes the open part, an invalid answer may be typed again.

        An answer with readings that differ is not judged: the turn asks which one is meant. None
        when the time was up before it was sent: nothing that is open counts any more.
        """
        asked = self._at(judged.number)
        if self._ends is not None and judged.at >= self._ends:
            self._ask(replace(asked, turn=asked.turn.reveal()))
            return None
        asked = asked.worked(judged.at)
        if judged.unclear:
            self._ask(replace(asked, turn=asked.turn.asking_back(judged.unclear)))
            return judged.answered
        now = self._clock()
        self._store.follow(now)
        for fact in judged.attempts:
            fact = replace(fact, seconds=asked.counted)
            self._store.record(fact, at=now, day=study_day(now, self._settings.rollover_hour))
        final = all(each.verdict is not Verdict.INVALID for each in judged.answers)
        told = judged.marked.with_slip() if judged.marked and final else None
        turn = asked.turn.tried(judged.typed, judged.answered, judged.answers[1:], told)
        for answered in judged.answers:
            if answered.verdict is Verdict.WRONG:
                share = judged.shares.get(answered.name, 0.0)
                turn = turn.closed(answered.name, share)
        self._ask(replace(asked, turn=turn, seed=self._examiner.seed(turn)))
        return judged.answered

    def answer(self, number: int, text: str, notation: str | None = None) -> Answered | None:
        """Judge an answer, wait for the verdict, and record it."""
        return self.record(self.judge(number, text, notation))

    def is_over(self) -> bool:
        """Whether the clock has run out."""
        return self.left() == timedelta(0)

    def leave(self, number: int) -> None:
        """Leave the open part unanswered."""
        asked = self._at(number)
        if asked.turn.part:
            self._ask(replace(asked, turn=asked.turn.closed(asked.turn.part.name)))

    def reveal(self, number: int) -> Turn:
        """The solution may be shown; what was open counts as unanswered."""
        asked = self._at(number).worked(self._clock())
        turn = asked.turn.reveal()
        self._ask(replace(asked, turn=turn))
        return turn

    def finish(self, number: int, self_assessed: float | None = None) -> Item:
        """Close the present card; a share from 0 to 1 where learners mark themselves in time."""
        item = self._item(self._at(number), None if self.is_over() else self_assessed)
        self._items.append(item)
        self._ask(None)
        return item

    def present(self) -> Item:
        """What the present card has earned so far."""
        if self._asked is None:
            raise ValueError("no card is being asked")
        return self._item(self._asked, None)

    def result(self) -> Result:
        """What was earned of all cards drawn; those not reached count as unanswered."""
        present = [self._item(self._asked, None)] if self._asked else []
        rest = [
            Item(entry, worth(entry), 0, Basis.UNANSWERED, 0)
            for entry, _ in self._paper[len(self._items) + len(present) :]
        ]
        return Result(
            (*self._items, *present, *rest), max(0.0, (self._clock() - self._began).total_seconds())
        )

    def _item(self, asked: Asked, self_assessed: float | None) -> Item:
        turn, points = asked.turn, worth(asked.turn.entry)
        seconds = asked.seconds(self._clock())
        if turn.broken:
            return Item(turn.entry, points, 0, Basis.BROKEN, seconds, turn)
        if turn.parts:
            basis = Basis.JUDGED if turn.typed else Basis.UNANSWERED
            return Item(turn.entry, points, points * share_right(turn), basis, seconds, turn)
        if self_assessed is None:
            return Item(turn.entry, points, 0, Basis.UNANSWERED, seconds, turn)
        return Item(turn.entry, points, points * self_assessed, Basis.SELF, seconds, turn)


def worth(entry: Entry) -> float:
    """The card's points, 1 where it names none."""
    return POINTS_UNSAID if entry.header.points is None else entry.header.points


def share_right(turn: Turn) -> float:
    """The share of a card's points that its right parts earn.

    Parts count by the card's own points where it gives as many as are asked, else alike. A wrong
    result earns up to half of its part by what was right of the way to it.
    """
    own = [part.points for part in turn.card.parts]
    fits = len(own) == len(turn.parts) and sum(own) > 0
    weights: list[float] = own if fits else [1.0] * len(turn.parts)
    earned = sum(
        weight * (1.0 if part.outcome is Outcome.RIGHT else MOST_OF_WAY * part.share)
        for weight, part in zip(weights, turn.parts, strict=True)
    )
    return float(earned / sum(weights))
