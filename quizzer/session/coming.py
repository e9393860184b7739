"""Which card a session takes next, and in which form: made while another one is on the screen."""

from functools import cached_property
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from quizzer.card import Card
from quizzer.deck import Entry
from quizzer.plan.agenda import Agenda
from quizzer.plan.forms import TESTS
from quizzer.session.day import Day
from quizzer.session.short_form import (
    ShortForm,
    ShortForms,
    Wanted,
    right_derivation,
    usual_mistakes,
)
from quizzer.store import Store
from quizzer.values import Form

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge

PATIENCE = 0.7
"""Seconds that a card waits for its short form, before it comes on a blank page."""
AT_FIRST = 4
"""The first card of a session waits so many times longer: nothing could be made before it."""
QUIET = 0.5
"""Seconds at the start of a session in which no predictions are made: a card is to be shown."""
AHEAD = 3
"""One of the next so many cards may come first, if its form is ready and the first one's is not."""


class Coming:
    """The next cards of a session, with the short forms that are made for them."""

    def __init__(
        self,
        day: Day,
        store: Store,
        agenda: Agenda,
        judge: "Judge",
        rng: Random,
        patience: float | None,
    ) -> None:
        """`patience`: seconds that a card waits for its form; None for as long as it takes."""
        self._day = day
        self._store = store
        self._agenda = agenda
        self._short_forms = ShortForms(judge, rng, quiet=QUIET if patience else 0.0)
        self._patience = patience
        self._is_first = True

    def next(self, rated: set[str], early: bool) -> Entry | None:
        """The next card: the first one whose form is ready, if that is one of the first few, else a
        worked solution, which always is."""
        coming = self._agenda.coming(rated, early)
        worked = (e for e in coming[AHEAD:] if self._agenda.form(e) is Form.WORKED)
        ready = (entry for entry in chain(coming[:AHEAD], worked) if self._is_ready(entry))
        return next(ready, coming[0] if coming else None)

    def begin(self, rated: set[str], here: Entry | None) -> None:
        """Begin to make the forms of the cards that come after the card `here`."""
        if not self._agenda.comes_short:
            return
        for entry in self._agenda.coming(rated, here=here)[:AHEAD]:
            if wanted := self._wanted(entry):
                self._short_forms.begin(entry.id, wanted)

    def short_form(self, entry: Entry, card: Card) -> ShortForm | None:
        """The short form in which the card comes now; None for its blank page."""
        wanted = self._wanted(entry, card)
        if wanted is None:
            return None
        patience = self._patience and self._patience * (AT_FIRST if self._is_first else 1)
        self._is_first = False
        return self._short_forms.take(entry.id, wanted, patience)

    def _is_ready(self, entry: Entry) -> bool:
        wanted = self._wanted(entry)
        return wanted is None or self._short_forms.is_ready(entry.id, wanted)

    def _wanted(self, entry: Entry, card: Card | None = None) -> Wanted | None:
        form = self._agenda.form(entry)
        if form is Form.BLANK or entry.checker is None:
            return None
        card = card or self._day.deck.read(entry).card
        if card is None:
            return None
        forms = tuple(dict.fromkeys((form, *TESTS)))
        own = right_derivation(self._store, entry.id)
        memory = self._store.progress_of(entry.id).memory
        reviews = memory.reviews if memory else 0
        return Wanted(entry.checker, card, forms, self._mistakes, own, reviews)

    @cached_property
    def _mistakes(self) -> tuple[str, ...]:
        return tuple(usual_mistakes(self._store))
