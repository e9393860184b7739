"""The daily session: which card comes, what an answer does, what a rating writes.

No printing and no input: a face shows `turn` and calls the methods. Everything that must last is in
the store when a method returns.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from quizzer.card import Problem
from quizzer.deck import Deck, Entry, Filter
from quizzer.judge.judgement import Answered
from quizzer.plan.agenda import Agenda, Remaining
from quizzer.plan.backlog import Backlog
from quizzer.plan.leeches import newly
from quizzer.plan.pace import ENOUGH_TIMES, type_of
from quizzer.plan.queue import FLAGGED
from quizzer.plan.settings import Settings
from quizzer.session.judging import Examiner
from quizzer.session.rating import RatedElsewhereError, commit, previews
from quizzer.session.turn import Turn, begin
from quizzer.store import Store
from quizzer.values import (
    UNSEEN,
    Attempt,
    Bury,
    Clock,
    Dispute,
    Fact,
    Flag,
    Memory,
    Rating,
    Review,
    State,
    Suspend,
    Verdict,
    study_day,
)

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


@dataclass(frozen=True, slots=True)
class Asked:
    """The card being asked, and what the session must remember of it."""

    turn: Turn
    shown: datetime
    answered: datetime | None = None
    """When the last answer was given or the solution revealed; reading it is not counted."""
    attempt: Attempt | None = None
    """The last attempt, until it is disputed."""
    known: Memory | None = None
    """The card's memory when it was asked."""
    repaired: bool = False
    """Whether one change that would mend that attempt was looked for."""

    def seconds(self, now: datetime) -> float:
        return max(0.0, ((self.answered or now) - self.shown).total_seconds())


@dataclass(frozen=True, slots=True)
class Rated:
    """One rating given in this session, with what it ended."""

    asked: Asked
    rating: Rating
    state: State
    """State of the card before the rating."""
    seconds: float
    event: str
    interval: int
    leech: int | None = None
    """Its lapses, where this rating made the card a leech or is the time to say so again."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session came to. `retention`: the share of reviews remembered, None without any."""

    rated: int
    cards: int
    seconds: float
    retention: float | None
    tomorrow: int
    waiting: int
    """Cards that still wait for their ten minutes."""
    left: int
    """Cards that today's limits in cards allow and that were not taken, skipped ones among them."""
    left_minutes: float
    """What those are expected to take."""
    beyond: int
    """Cards that are due, but beyond today's limits in cards."""


class Session:
    """One sitting. `turn` is the card being asked, None before `advance` and at the end."""

    def __init__(
        self,
        *,
        deck: Deck,
        store: Store,
        judge: "Judge",
        settings: Settings,
        clock: Clock,
        rng: Random,
        wanted: Filter | None = None,
        limit: int | None = None,
        minutes: float | None = None,
        ahead: int = 0,
    ) -> None:
        self._deck = deck
        self._store = store
        self._examiner = Examiner(judge, rng)
        self._settings = settings
        self._clock = clock
        self._agenda = Agenda(deck, store, settings, clock, wanted, limit, minutes, ahead)
        self._rated: list[Rated] = []
        self._began = clock()
        self._asked: Asked | None = None
        self._interrupted: Asked | None = None
        """The card that an undo interrupted; it comes next, with its tries."""
        self.problems: list[Problem] = []
        """Files that turned out to be no cards any more; their cards are left out."""

    @property
    def turn(self) -> Turn | None:
        return self._asked.turn if self._asked else None

    def advance(self, early: bool = False) -> Turn | None:
        """The next card as a fresh turn, or None when there is none now.

        With `early`, a card whose ten minutes have not passed may come once nothing else is left.
        """
        self._asked, self._interrupted = self._interrupted, None
        if self._asked:
            return self.turn
        while self._asked is None and (entry := self._agenda.next(self._seen(), early)):
            self._asked = self._begin(entry)
        return self.turn

    def waiting_until(self) -> datetime | None:
        """When the next card comes back from its ten-minute step, if any waits."""
        return self._agenda.waiting_until()

    def remaining(self) -> Remaining:
        """What is still to come after the present card."""
        return self._agenda.remaining(self._seen(), self.turn.entry if self.turn else None)

    @property
    def budget(self) -> float | None:
        """Minutes of this session, else of a day; None where they are not counted."""
        return self._agenda.budget

    def backlog(self) -> Backlog | None:
        """What waits, where far more is due than fits."""
        return self._agenda.backlog()

    def answer(self, text: str, notation: str | None = None) -> Answered:
        """Judge the open part's answer and log the attempt; only a wrong one counts as a try."""
        asked = self._current()
        answered, fact = self._examiner.judged(asked.turn, text, notation)
        turn = asked.turn.answered(fact.name, answered.verdict)
        if answered.verdict is Verdict.BROKEN:
            turn = replace(turn, broken=answered.message)
        now = self._clock()
        asked = replace(asked, turn=turn, answered=now)
        fact = replace(fact, seconds=asked.seconds(now))
        self._record(fact)
        self._asked = replace(asked, attempt=fact, repaired=False)
        return answered

    def hint(self) -> str | None:
        """One more hint, or None when all were given.

        After the author's own hints, and before the solution's steps, comes what one change would
        make the last wrong answer right.
        """
        asked = self._current()
        before = asked.turn
        if before.hints_shown >= before.own_hints and asked.attempt and not asked.repaired:
            before = before.with_hints(self._examiner.repair(before.entry, asked.attempt))
            asked = replace(asked, repaired=True)
        turn = before.hint()
        self._asked = replace(asked, turn=turn)
        if turn.hints_shown == before.hints_shown:
            return None
        return turn.hints[turn.hints_shown - 1]

    def reveal(self) -> Turn:
        """The solution may be shown, and the card waits for a rating."""
        asked = self._current()
        if asked.answered is None or not asked.turn.all_right:
            asked = replace(asked, answered=self._clock())
        self._asked = replace(asked, turn=asked.turn.reveal())
        return self._asked.turn

    def dispute(self) -> bool:
        """Log that the learner disagrees with the last verdict on this card.

        It no longer counts against him. False when there is no verdict to dispute.
        """
        asked = self._current()
        last = asked.attempt
        if last is None:
            return False
        turn = asked.turn.disputed(last.name, last.verdict)
        self._record(Dispute(last.card, last.name, last.answer, last.verdict, last.seed))
        self._asked = replace(asked, turn=turn, attempt=None)
        return True

    def suggestion(self) -> Rating | None:
        """The rating that the tries suggest, None where he rates himself."""
        asked = self._current()
        earlier = self._earlier_seconds(asked.turn.entry)
        return asked.turn.suggestion(asked.seconds(self._clock()), earlier)

    def previews(self) -> dict[Rating, Memory]:
        """What each rating would lead to."""
        return previews(self._store, self._current().turn.entry, self._settings, self._clock())

    def rate(self, rating: Rating) -> Rated:
        """Commit the rating; the card leaves the queue until it is due again.

        Raises RatedElsewhereError where another process rated it since it was asked: nothing is
        recorded then, and the card is left.
        """
        asked = self._current()
        now = self._clock()
        seconds = asked.seconds(now)
        card = asked.turn.entry.id
        before = self._store.progress_of(card)
        suggested = self.suggestion()
        try:
            event = commit(
                self._store,
                asked.turn.entry,
                rating,
                self._settings,
                now,
                seconds=seconds,
                suggested=suggested,
                asked=asked.known,
            )
        except RatedElsewhereError:
            self._asked = None
            raise
        assert isinstance(event.fact, Review)
        review = event.fact
        leech = newly(before, self._store.progress_of(card))
        rated = Rated(asked, rating, review.state, seconds, event.id, review.interval, leech)
        self._rated.append(rated)
        self._asked = None
        return rated

    def undo(self) -> tuple[str, Rating] | None:
        """Take back the newest rating that stands; its card is asked for a rating again.

        Returns the card's id and the rating taken back; None when there is nothing to undo. The
        card that was being asked comes back afterwards as it was. A rating of an earlier session
        brings its card back from the beginning.
        """
        now = self._clock()
        undone = self._store.undo(now, self._day(now))
        if undone is None or not isinstance(undone.fact, Review):
            return None
        if self._asked and not self._interrupted and self._asked.turn.entry.id != undone.fact.card:
            self._interrupted = self._asked
        mine = next((rated for rated in self._rated if rated.event == undone.id), None)
        if mine:
            self._rated.remove(mine)
            shown = now - timedelta(seconds=mine.seconds)
            self._asked = replace(mine.asked, shown=shown, answered=now)
        else:
            entry = self._deck.by_id.get(undone.fact.card)
            self._asked = self._begin(entry) if entry else None
        return undone.fact.card, undone.fact.rating

    def skip(self) -> None:
        """Leave the card for this session; nothing is written."""
        self._agenda.skip(self._current().turn.entry)
        self._asked = None

    def flag(self) -> bool:
        """Flag the card, or take its flag away; returns whether it is flagged now."""
        card = self._current().turn.entry.id
        self._record(Flag(card, on=not self._store.progress_of(card).flagged))
        return self.is_flagged()

    def is_flagged(self) -> bool:
        """Whether the card is flagged, here or in its file."""
        header = self._current().turn.entry.header
        return header.status == FLAGGED or self._store.progress_of(header.id).flagged

    def suspend(self) -> None:
        self._record(Suspend(self._current().turn.entry.id))
        self._asked = None

    def bury(self) -> None:
        """Hide the card until the next study day."""
        self._record(Bury(self._current().turn.entry.id))
        self._asked = None

    def reread(self) -> None:
        """Ask the card anew from its file, after an edit, which showed its solution."""
        edited = self._begin(self._current().turn.entry)
        self._asked = replace(edited, turn=replace(edited.turn, peeked=True)) if edited else None

    def summary(self) -> Summary:
        now = self._clock()
        progress = self._store.progress()
        tomorrow = self._day(now) + 1
        due = [
            known.memory
            for entry in self._deck.entries
            if (known := progress.get(entry.id, UNSEEN)).memory and not known.suspended
        ]
        reviews = [rated for rated in self._rated if rated.state is State.REVIEW]
        remembered = sum(rated.rating is not Rating.AGAIN for rated in reviews)
        left, left_minutes = self._agenda.left()
        return Summary(
            rated=len(self._rated),
            cards=len(self._seen()),
            seconds=(now - self._began).total_seconds(),
            retention=remembered / len(reviews) if reviews else None,
            tomorrow=sum(memory.due_day <= tomorrow for memory in due),
            waiting=sum(memory.interval == 0 for memory in due),
            left=left,
            left_minutes=left_minutes,
            beyond=self._agenda.beyond(),
        )

    def _seen(self) -> set[str]:
        return {rated.asked.turn.entry.id for rated in self._rated}

    def _begin(self, entry: Entry) -> Asked | None:
        """The card, freshly asked; None when its file is none any more: see `problems`."""
        parsed = self._deck.read(entry)
        if parsed.card is None:
            self.problems += parsed.problems
            self._agenda.skip(entry)
            return None
        turn = begin(entry, parsed.card, self._examiner.asks(entry))
        known = self._store.progress_of(entry.id).memory
        return Asked(turn, shown=self._clock(), known=known)

    def _earlier_seconds(self, entry: Entry) -> list[float]:
        """Seconds of earlier successful reviews of this card, else of all cards of its type."""
        own = [seconds for _, seconds in self._store.answer_times(entry.id)]
        if len(own) >= ENOUGH_TIMES:
            return own
        met = ((self._deck.by_id.get(card), took) for card, took in self._store.answer_times())
        return [took for other, took in met if other and type_of(other) == type_of(entry)]

    def _record(self, fact: Fact) -> None:
        now = self._clock()
        self._store.record(fact, at=now, day=self._day(now))

    def _current(self) -> Asked:
        if self._asked is None:
            raise ValueError("no card is being asked")
        return self._asked

    def _day(self, now: datetime) -> int:
        return study_day(now, self._settings.rollover_hour)
