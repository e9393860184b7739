"""The daily session: which card comes, what an answer does, what a rating writes.

No printing and no input: a face shows `turn` and calls the methods. Everything that must last is in
the store when a method returns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random

from quizzer.card import Problem
from quizzer.check.judgement import Answered
from quizzer.deck import Deck, Entry, Filter
from quizzer.review import (
    STEP,
    UNSEEN,
    Attempt,
    Bury,
    Clock,
    Dispute,
    Event,
    Flag,
    Memory,
    Progress,
    Rating,
    Review,
    State,
    Suspend,
    Verdict,
    study_day,
)
from quizzer.schedule.scheduler import preview, schedule
from quizzer.session.judging import Examiner, Judge
from quizzer.session.queue import Queue, plan, ready
from quizzer.session.settings import Settings
from quizzer.session.turn import ENOUGH_TIMES, Turn, begin
from quizzer.store import Store


@dataclass(frozen=True, slots=True)
class Remaining:
    """Cards still to come in this session, the present one not counted."""

    steps: int
    reviews: int
    new: int

    @property
    def total(self) -> int:
        return self.steps + self.reviews + self.new


@dataclass(frozen=True, slots=True)
class Rated:
    """One rating given in this session, with the turn it ended."""

    turn: Turn
    rating: Rating
    state: State
    seconds: float
    event: str
    memory: Memory


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


class Session:
    """One sitting. `turn` is the card being asked, None before `advance` and at the end."""

    def __init__(
        self,
        *,
        deck: Deck,
        store: Store,
        judge: Judge,
        settings: Settings,
        clock: Clock,
        rng: Random,
        wanted: Filter | None = None,
        limit: int | None = None,
        ahead: int = 0,
    ) -> None:
        self._deck = deck
        self._store = store
        self._examiner = Examiner(judge, rng)
        self._settings = settings
        self._clock = clock
        self._wanted = wanted
        self._limit = limit
        self._ahead = ahead
        self._skipped: set[str] = set()
        self._rated: list[Rated] = []
        self._began = clock()
        self._shown = self._began
        self._answered: datetime | None = None
        self._last_attempt: Attempt | None = None
        self._repaired = False
        self.turn: Turn | None = None
        self.problems: list[Problem] = []
        """Files that turned out to be no cards any more; their cards are left out."""

    def advance(self, early: bool = False) -> Turn | None:
        """The next card as a fresh turn, or None when there is none now.

        With `early`, a card whose ten minutes have not passed may come once nothing else is left.
        """
        self.turn = None
        while self.turn is None and (entry := self._next_entry(early)):
            self.turn = self._begin(entry)
        return self.turn

    def waiting_until(self) -> datetime | None:
        """When the next card comes back from its ten-minute step, if any waits."""
        progress = self._store.progress()
        queue = self._queue(progress)
        waits = [memory.at + STEP for entry in queue.steps if (memory := _memory(progress, entry))]
        return min(waits, default=None)

    def remaining(self) -> Remaining:
        """What is still to come after the present card."""
        queue = self._queue(self._store.progress())
        here = self.turn.entry.id if self.turn else None
        steps, reviews, new = (
            sum(entry.id != here for entry in cards)
            for cards in (queue.steps, queue.today, queue.new)
        )
        room = self._room()
        if room is not None:
            room -= self.turn is not None and here not in self._seen()
            reviews = max(0, min(reviews, room))
            new = max(0, min(new, room - reviews))
        return Remaining(steps, reviews, new)

    def answer(self, text: str, notation: str | None = None) -> Answered:
        """Judge the open part's answer and log the attempt; only a wrong one counts as a try."""
        turn = self._current()
        answered, fact = self._examiner.judged(turn, text, notation)
        self._answered = self._clock()
        fact = replace(fact, seconds=self._seconds())
        self._record(fact)
        self._last_attempt = fact
        self._repaired = False
        self.turn = turn.answered(fact.name, answered.verdict)
        if answered.verdict is Verdict.BROKEN:
            self.turn = replace(self.turn, broken=answered.message)
        return answered

    def hint(self) -> str | None:
        """One more hint, or None when all were given.

        After the author's own hints, and before the solution's steps, comes what one change would
        make the last wrong answer right.
        """
        before = self._current()
        if before.hints_shown >= before.own_hints and self._last_attempt and not self._repaired:
            self._repaired = True
            before = before.with_hints(self._examiner.repair(before.entry, self._last_attempt))
        self.turn = before.hint()
        if self.turn.hints_shown == before.hints_shown:
            return None
        return self.turn.hints[self.turn.hints_shown - 1]

    def reveal(self) -> Turn:
        """The solution may be shown, and the card waits for a rating."""
        turn = self._current()
        if self._answered is None or not turn.all_right:
            self._answered = self._clock()
        self.turn = turn.reveal()
        return self.turn

    def dispute(self) -> bool:
        """Log that the learner disagrees with the last verdict on this card.

        It no longer counts against him. False when there is no verdict to dispute.
        """
        last = self._last_attempt
        if last is None:
            return False
        self._record(Dispute(last.card, last.name, last.answer, last.verdict, last.seed))
        self.turn = self._current().disputed(last.name, last.verdict)
        self._last_attempt = None
        return True

    def suggestion(self) -> Rating | None:
        """The rating that the tries suggest, None where he rates himself."""
        turn = self._current()
        return turn.suggestion(self._seconds(), self._earlier_seconds(turn.entry))

    def previews(self) -> dict[Rating, Memory]:
        """What each rating would lead to."""
        entry = self._current().entry
        now = self._clock()
        memory = self._store.progress_of(entry.id).memory
        policy = self._settings.policy(entry.header.course)
        return preview(entry.id, memory, now, self._day(now), policy)

    def rate(self, rating: Rating) -> Rated:
        """Commit the rating; the card leaves the queue until it is due again."""
        turn = self._current()
        header = turn.entry.header
        now = self._clock()
        before = self._store.progress_of(header.id)
        memory = schedule(
            header.id,
            before.memory,
            rating,
            now,
            self._day(now),
            self._settings.policy(header.course),
        )
        review = Review(
            card=header.id,
            rating=rating,
            interval=memory.interval,
            state=before.stage,
            seconds=self._seconds(),
            suggested=self.suggestion(),
            path=str(turn.entry.path.resolve()),
        )
        event = self._record(review)
        rated = Rated(turn, rating, before.stage, review.seconds or 0.0, event.id, memory)
        self._rated.append(rated)
        self.turn = None
        return rated

    def undo(self) -> tuple[str, Rating] | None:
        """Take back the newest rating that stands; its card is asked for a rating again.

        Returns the card's id and the rating taken back. A rating of an earlier session brings its
        card back from the beginning; None when there is nothing to undo.
        """
        now = self._clock()
        undone = self._store.undo(now, self._day(now))
        if undone is None or not isinstance(undone.fact, Review):
            return None
        mine = next((rated for rated in self._rated if rated.event == undone.id), None)
        if mine:
            self._rated.remove(mine)
            self.turn = mine.turn
            self._shown = self._answered = now
        else:
            found = self._deck.find(undone.fact.card)
            self.turn = self._begin(found) if isinstance(found, Entry) else None
        return undone.fact.card, undone.fact.rating

    def skip(self) -> None:
        """Leave the card for this session; nothing is written."""
        self._skipped.add(self._current().entry.id)
        self.turn = None

    def flag(self) -> bool:
        """Flag the card, or take its flag away; returns whether it is flagged now."""
        card = self._current().entry.id
        flagged = not self._store.progress_of(card).flagged
        self._record(Flag(card, flagged))
        return flagged

    def is_flagged(self) -> bool:
        header = self._current().entry.header
        return header.status == "flagged" or self._store.progress_of(header.id).flagged

    def suspend(self) -> None:
        self._record(Suspend(self._current().entry.id))
        self.turn = None

    def bury(self) -> None:
        """Hide the card until the next study day."""
        self._record(Bury(self._current().entry.id))
        self.turn = None

    def reread(self) -> None:
        """Ask the card anew from its file, after an edit."""
        entry = self._current().entry
        self.turn = self._begin(entry)

    def summary(self) -> Summary:
        now = self._clock()
        progress = self._store.progress()
        tomorrow = study_day(now, self._settings.rollover_hour) + 1
        due = [
            memory
            for entry in self._deck.entries
            if not progress.get(entry.id, UNSEEN).suspended and (memory := _memory(progress, entry))
        ]
        reviews = [rated for rated in self._rated if rated.state is State.REVIEW]
        remembered = sum(rated.rating is not Rating.AGAIN for rated in reviews)
        return Summary(
            rated=len(self._rated),
            cards=len(self._seen()),
            seconds=(now - self._began).total_seconds(),
            retention=remembered / len(reviews) if reviews else None,
            tomorrow=sum(memory.due_day <= tomorrow for memory in due),
            waiting=sum(memory.interval == 0 for memory in due),
        )

    def _next_entry(self, early: bool) -> Entry | None:
        progress = self._store.progress()
        queue = self._queue(progress)
        fresh = [*queue.today, *queue.new] if self._room() != 0 else []
        candidates: Sequence[Entry] = [*ready(queue, progress, self._clock()), *fresh]
        if not candidates and early:
            candidates = queue.steps
        return candidates[0] if candidates else None

    def _queue(self, progress: dict[str, Progress]) -> Queue:
        now = self._clock()
        done = self._store.done(self._day(now))
        queue = plan(self._deck, progress, done, self._settings, now, self._wanted, self._ahead)

        def unskipped(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
            return tuple(entry for entry in entries if entry.id not in self._skipped)

        return replace(
            queue,
            steps=unskipped(queue.steps),
            reviews=unskipped(queue.reviews),
            today=unskipped(queue.today),
            new=unskipped(queue.new),
        )

    def _room(self) -> int | None:
        """How many more cards the session's own limit allows; None without one."""
        return None if self._limit is None else max(0, self._limit - len(self._seen()))

    def _seen(self) -> set[str]:
        return {rated.turn.entry.id for rated in self._rated}

    def _begin(self, entry: Entry) -> Turn | None:
        """The card's turn; None when its file is no card any more, which `problems` then tells."""
        parsed = self._deck.read(entry)
        if parsed.card is None:
            self.problems += parsed.problems
            self._skipped.add(entry.id)
            return None
        asks = self._examiner.asks(entry)
        self._shown = self._clock()
        self._answered = None
        self._last_attempt = None
        return begin(entry, parsed.card, asks)

    def _earlier_seconds(self, entry: Entry) -> list[float]:
        """Seconds of earlier successful reviews of this card, else of all cards of its type."""
        own = self._store.answer_seconds([entry.id])
        if len(own) >= ENOUGH_TIMES:
            return own
        kind = entry.header.type
        alike = [other.header.id for other in self._deck.entries if other.header.type == kind]
        return self._store.answer_seconds(alike)

    def _seconds(self) -> float:
        return max(0.0, ((self._answered or self._clock()) - self._shown).total_seconds())

    def _record(self, fact: Review | Attempt | Dispute | Flag | Suspend | Bury) -> Event:
        now = self._clock()
        (event,) = self._store.record(fact, at=now, day=self._day(now))
        return event

    def _current(self) -> Turn:
        if self.turn is None:
            raise ValueError("no card is being asked")
        return self.turn

    def _day(self, now: datetime) -> int:
        return study_day(now, self._settings.rollover_hour)


def _memory(progress: dict[str, Progress], entry: Entry) -> Memory | None:
    return progress.get(entry.id, UNSEEN).memory
