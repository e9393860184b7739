"""The study day of a session, which may end while it runs: deck, settings and history of now."""

from collections.abc import Callable

from msgspec import Struct

from quizzer.deck import Deck
from quizzer.plan.settings import Settings
from quizzer.session import sentences
from quizzer.store import Store
from quizzer.values import Clock, Fact, study_day

Reload = Callable[[], tuple[Deck, Settings]]
"""Reads deck and settings again. Raises ReloadError."""


class ReloadError(Exception):
    """Deck or settings cannot be read again; the message says why."""


class Change(Struct, frozen=True):
    """What is another than it was: the history, the day. `notices` are for the learner."""

    replaced: bool
    new_day: bool
    notices: tuple[str, ...]


class Day:
    """Deck and settings as they were read for this study day, and the history that goes on."""

    def __init__(
        self, deck: Deck, store: Store, settings: Settings, clock: Clock, reload: Reload | None
    ) -> None:
        self.deck = deck
        self.settings = settings
        self._store = store
        self._clock = clock
        self._reload = reload
        self._known = self.number()

    def number(self) -> int:
        """The study day of this moment."""
        return study_day(self._clock(), self.settings.rollover_hour)

    def record(self, fact: Fact) -> None:
        self._store.record(fact, at=self._clock(), day=self.number())

    def catch_up(self) -> Change | None:
        """Follow the history and begin a new day, where there is one; None where all is as before.

        Raises StoreError where the history was replaced by something that cannot be used.
        """
        replaced = self._store.follow(self._clock())
        new_day = self.number() != self._known
        if not replaced and not new_day:
            return None
        notices = [sentences.NEW_DAY] if new_day else []
        if self._reload:
            try:
                self.deck, self.settings = self._reload()
            except ReloadError as error:
                notices.append(sentences.not_read_again(str(error)))
        if new_day:
            self._known = self.number()
            self._store.back_up_daily(self._known)
        return Change(replaced, new_day, tuple(notices))
