"""The daily session: which card comes, what an answer does, what a rating writes.

No printing and no input: a face shows `turn` and calls the methods. Everything that must last is in
the store when a method returns.
"""

from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.card import Problem
from quizzer.deck import Deck, Entry, Filter
from quizzer.plan.agenda import Agenda, Remaining
from quizzer.plan.backlog import Backlog
from quizzer.plan.leeches import newly
from quizzer.plan.pace import earlier_seconds
from quizzer.plan.queue import FLAGGED
from quizzer.plan.settings import Settings
from quizzer.session import sentences
from quizzer.session.asked import Asked, Rated, missed
from quizzer.session.beginning import begin, enter
from quizzer.session.coming import PATIENCE, Coming
from quizzer.session.day import Day, Reload
from quizzer.session.rating import RatedElsewhereError, commit, is_bare, previews
from quizzer.session.summary import Summary, summary_of
from quizzer.session.trying import Trying
from quizzer.session.turn import OutdatedTurnError, Turn
from quizzer.store import Store
from quizzer.values import (
    Bury,
    Clock,
    Flag,
    Form,
    Memory,
    Rating,
    Review,
    Suspend,
)

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


class Session(Trying):
    """One session. `turn` is the card being asked, None before `advance` and at the end.

    One thread at a time may use it. `judge` and `repair` change nothing and may run in any other;
    with a judge of several processes, an endless answer does not hold up the next card either.
    """

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
        reload: Reload | None = None,
        form: Form | None = None,
        after: int = 0,
        patience: float | None = PATIENCE,
    ) -> None:
        """`form`: the one in which every card comes that can have it, however long it takes to
        make; else a card waits for its form no longer than `patience` seconds."""
        super().__init__(judge, clock, rng, after, Day(deck, store, settings, clock, reload))
        self._store = store
        self._agenda = Agenda(deck, store, settings, clock, wanted, limit, minutes, ahead, form)
        waits = None if form else patience
        self._coming = Coming(self._day, store, self._agenda, judge, rng, waits)
        self._coming.begin(set(), None)
        self._rated: list[Rated] = []
        self._interrupted: Asked | None = None
        """The card that an undo interrupted; it comes next, with its tries."""
        self._last_shown = ""
        self.place = 0
        """Which card of this session the present one is, from 1; asked anew it keeps its place."""
        self.problems: list[Problem] = []
        """Files that turned out to be no cards any more; their cards are left out."""
        self.notices: list[str] = []
        """What the learner should hear, of a new day or of a history that was replaced."""

    def advance(self, early: bool = False) -> Turn | None:
        """The card being asked, else the next one as a fresh turn, or None when there is none now.

        With `early`, a card whose step is not over may come once nothing else is left.
        """
        self._catch_up()
        if self._asked:
            return self.turn
        if self._interrupted:
            self._ask(replace(self._interrupted, since=self._clock()))
            self._interrupted = None
        while self._asked is None and (entry := self._coming.next(self._seen(), early)):
            self._begin(entry)
        self._coming.begin(self._seen(), self.turn.entry if self.turn else None)
        return self.turn

    def waiting_until(self) -> datetime | None:
        """When the next card comes back from its step, if any waits."""
        return self._agenda.waiting_until()

    def at_hand(self) -> tuple[Entry, ...]:
        """The cards of this session and those reviewed since yesterday."""
        return self._agenda.at_hand()

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

    def suggestion(self) -> Rating | None:
        """The rating that the tries suggest, None where learners rate themselves."""
        asked = self._present()
        earlier = earlier_seconds(self._store, self._day.deck, asked.turn.entry)
        return asked.turn.suggestion(asked.seconds(self._clock()), earlier)

    def previews(self) -> dict[Rating, Memory]:
        """What each rating would lead to."""
        turn = self._present().turn
        settings, now = self._day.settings, self._clock()
        return previews(self._store, turn.entry, settings, now, turn.put_right, turn.form)

    def step_minutes(self) -> int:
        """Until the present card comes again where a rating leads to its step."""
        entry = self._present().turn.entry
        stage = self._store.progress_of(entry.id).stage
        return self._day.settings.step_minutes(entry.header.course, stage)

    def rate(self, number: int, rating: Rating) -> Rated:
        """Commit the rating; the card leaves the queue until it is due again.

        Raises RatedElsewhereError where another process rated it since it was asked: nothing is
        recorded then, and the card is left.
        """
        now = self._clock()
        asked = self._act(number).worked(now)
        card = asked.turn.entry.id
        before = self._store.progress_of(card)
        try:
            event = commit(
                self._store,
                asked.turn.entry,
                rating,
                self._day.settings,
                now,
                seconds=asked.counted,
                suggested=self.suggestion(),
                asked=asked.known,
                corrected=asked.turn.put_right,
                form=asked.turn.form,
                slip=asked.turn.short.slip if asked.turn.short else None,
                bare=is_bare(asked.turn),
            )
        except RatedElsewhereError:
            self._ask(None)
            raise
        assert isinstance(event.fact, Review)
        review = event.fact
        leech = newly(before, self._store.progress_of(card))
        rated = Rated(
            asked,
            rating,
            review.state,
            asked.counted,
            event.id,
            review.interval,
            self.step_minutes(),
            leech,
        )
        self._rated.append(rated)
        self._ask(None)
        return rated

    def undo(self, number: int) -> tuple[str, Rating] | None:
        """Take back the newest rating that stands; its card is asked for a rating again.

        Returns the card's id and the rating taken back; None when there is nothing to undo. The
        card that was being asked comes back afterwards as it was. A rating of an earlier session
        brings its card back from the beginning.
        """
        if number != self._number:
            raise OutdatedTurnError
        self._catch_up()
        now = self._clock()
        undone = self._store.undo(now, self._day.number())
        if undone is None or not isinstance(undone.fact, Review):
            return None
        if self._asked and not self._interrupted and self._asked.turn.entry.id != undone.fact.card:
            self._interrupted = self._asked.worked(now)
        mine = next((rated for rated in self._rated if rated.event == undone.id), None)
        self._ask(replace(mine.asked, since=now) if mine else None)
        if mine:
            self._rated.remove(mine)
        elif entry := self._day.deck.by_id.get(undone.fact.card):
            self._begin(entry)
        return undone.fact.card, undone.fact.rating

    def skip(self, number: int) -> None:
        """Leave the card for today's session; nothing is written."""
        self._agenda.skip(self._at(number).turn.entry)
        self._ask(None)

    def flag(self, number: int) -> bool:
        """Flag the card, or take its flag away; returns whether it is flagged now."""
        asked = self._act(number)
        card = asked.turn.entry.id
        self._day.record(Flag(card, on=not self._store.progress_of(card).flagged))
        self._ask(asked.worked(self._clock()))
        return self.is_flagged()

    def is_flagged(self) -> bool:
        """Whether the card is flagged, here or in its file."""
        header = self._present().turn.entry.header
        return header.status == FLAGGED or self._store.progress_of(header.id).flagged

    def suspend(self, number: int) -> None:
        self._day.record(Suspend(self._act(number).turn.entry.id))
        self._ask(None)

    def bury(self, number: int) -> None:
        """Hide the card until the next study day."""
        self._day.record(Bury(self._act(number).turn.entry.id))
        self._ask(None)

    def reread(self, number: int) -> None:
        """Ask the card anew from its file, after an edit, which showed its solution."""
        self._begin(self._at(number).turn.entry, peeked=True)

    def summary(self) -> Summary:
        now = self._clock()
        seconds = (now - self._began).total_seconds()
        day, store = self._day, self._store
        today = day.number()
        settings, deck = day.settings, day.deck
        return summary_of(
            self._rated, self.place, seconds, deck, store, today, self._agenda, settings
        )

    def _seen(self) -> set[str]:
        return {rated.asked.turn.entry.id for rated in self._rated}

    def _present(self) -> Asked:
        if self._asked is None:
            raise ValueError("no card is being asked")
        return self._asked

    def _ask(self, asked: Asked | None) -> None:
        super()._ask(asked)
        if asked and not asked.turn.revealed and asked.turn.entry.id != self._last_shown:
            self._last_shown = asked.turn.entry.id
            self.place += 1

    def _begin(self, entry: Entry, peeked: bool = False) -> None:
        """Ask a card afresh; its file may be none any more: see `problems`."""
        parsed = self._day.deck.read(entry)
        if parsed.card is None:
            self.problems += parsed.problems
            self._agenda.skip(entry)
            self._ask(None)
            return
        short = self._coming.short_form(entry, parsed.card)
        of_lines = short and short.form is not Form.WORKED
        asks = None if of_lines else self._examiner.asks(entry)
        card = parsed.card
        turn = enter(entry, card, short, asks) if short else begin(entry, card, asks)
        turn = replace(turn, peeked=peeked)
        known = self._store.progress_of(entry.id).memory
        if not short and known and not known.interval and known.day == self._day.number():
            turn = turn.only(missed(self._rated, entry.id))
        self._ask(
            Asked(
                turn,
                number=0,
                since=self._clock(),
                idle=timedelta(minutes=self._day.settings.idle_minutes),
                seed=self._examiner.seed(turn),
                known=known,
            )
        )

    def _catch_up(self) -> None:
        """Go on with the history and the day of this moment."""
        change = self._day.catch_up()
        if change is None:
            return
        if change.replaced:
            self._follow_history()
        self._agenda.renew(self._day.deck, self._day.settings, change.new_day)
        self.notices += change.notices

    def _follow_history(self) -> None:
        """Another history stands where the old one did: keep of this session what is in it too."""
        there = {event.id for event in self._store.events(kinds=[Review])}
        kept = [rated for rated in self._rated if rated.event in there]
        self.notices.append(sentences.replaced(len(self._rated) - len(kept)))
        self._rated = kept
        self._asked = self._asked and self._known_anew(self._asked)
        self._interrupted = self._interrupted and self._known_anew(self._interrupted)

    def _known_anew(self, asked: Asked) -> Asked:
        return replace(asked, known=self._store.progress_of(asked.turn.entry.id).memory)
