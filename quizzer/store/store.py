"""The store: everything the learner did, as an append-only log, and what follows from it.

The log is the truth. The table `memory` is its fold, written in the same transaction as each
event, and rebuilt whenever it was made by another fold or with other parameters.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Self

from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters
from quizzer.store import (
    backup,
    clock,
    examine,
    files,
    fitted,
    forks,
    json_lines,
    log,
    memory_table,
    merge,
    meta,
    missing,
    opening,
    proof,
    reviews,
    schema,
)
from quizzer.store.codec import Row
from quizzer.store.connection import PATIENCE, Connection, identity
from quizzer.store.errors import StoreError, StoreUnusableError
from quizzer.store.examine import Found, Step
from quizzer.store.fitted import Fitted
from quizzer.store.ids import Randomness
from quizzer.store.kept import Kept
from quizzer.store.review_columns import ReviewColumns
from quizzer.store.reviews import Done, Entered
from quizzer.values import UNSEEN, Event, Fact, Fit, Form, Progress, Review, Undo, study_day


class Store:
    """An open store, a context manager. Where a method raises StoreError, nothing changed."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        *,
        read_only: bool,
        randomness: Randomness,
        steps: Sequence[schema.Migration],
    ) -> None:
        self._connect = connect
        self._connection = connect()
        self.path = self._connection.path
        self.read_only = read_only
        self.warnings: list[str] = []
        """What the learner should know though the store can be used, such as a missing backup."""
        self._parameters: Parameters = DEFAULT_PARAMETERS
        self._randomness = randomness
        self._steps = steps
        self._device = ""
        self._file: tuple[int, int] | None = None
        self._kept = Kept()
        self._newest: str | None = None
        """The newest event that was there when this store last looked or wrote."""

    @classmethod
    def open(
        cls,
        path: Path,
        now: datetime,
        *,
        read_only: bool = False,
        on_wait: Callable[[], None] | None = None,
        backups: bool = True,
        patience: float = PATIENCE,
        randomness: Randomness = os.urandom,
        steps: Sequence[schema.Migration] = schema.STEPS,
        damaged: bool = False,
    ) -> Self:
        """Open the store, or make it. With `read_only`, one that is not there is empty, not made.

        `on_wait` is called once if another process has to be waited for, `patience` seconds at
        most. The first opening for writing on a study day makes a backup. `damaged` lets a reader
        in where the newest event is not as it was written.
        """
        store = cls(
            lambda: opening.connect(path, read_only, on_wait, patience),
            read_only=read_only,
            randomness=randomness,
            steps=steps,
        )
        try:
            store._get_ready(now, look=not damaged)
            if backups and not read_only:
                store.back_up_daily(study_day(now))
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def follow(self, now: datetime) -> bool:
        """Go on with the history that is at the path now; whether it is another than before.

        A restore by another process puts one there, in the same file or in a new one. Raises
        StoreError where there is none, or one that cannot be used.
        """
        if identity(self.path) != self._file:
            self._reopen(now)
            return True
        device = meta.get(self._connection, "device") or self._device
        if device == self._device:
            return False
        # The device alone proves nothing: a sync renames the one of a history that was copied.
        self._device, newest = device, self._newest
        self._newest = log.newest_id(self._connection)
        return newest is not None and not log.hashes(self._connection, [newest])

    def record(self, *facts: Fact, at: datetime, day: int) -> tuple[Event, ...]:
        """Add facts to the log, all or none; they are on the disk when this returns.

        Raises ValueError for a fact that could not be read back.
        """
        if not facts:
            return ()
        with self._writing():
            return self._append(facts, at, day)

    def record_after(
        self, card: str, make: Callable[[Progress], Fact], at: datetime, day: int
    ) -> Event:
        """Add the fact that `make` finds from the card's progress, read in the same transaction."""
        with self._writing():
            fact = make(memory_table.load(self._connection, card).get(card, UNSEEN))
            (event,) = self._append([fact], at, day)
            return event

    def undo(
        self, at: datetime, day: int, kinds: Collection[type[Fact]] = (Review,)
    ) -> Event | None:
        """Take back the newest review of this device that was not undone, and return it, if any.

        With `Fit` among the kinds, the newest fit if that is newer.
        """
        with self._writing():
            newest = log.newest_not_undone(self._connection, self._device, kinds)
            if newest:
                self._append([Undo(newest.fact.card, newest.id)], at, day)
            return newest

    def take(self, rows: Sequence[Row], now: datetime) -> frozenset[str]:
        """Add events recorded elsewhere, checked before; return the cards whose memory changed."""
        if not rows:
            return frozenset()
        with self._writing():
            added = merge.add(self._connection, rows)
            if any(row.device == self._device for row in added):
                # A copy of this store writes under the same name: this one takes another.
                forks.remember(self._connection, self._device, added)
                self._device = opening.named(self._connection, now, self._randomness)
            self._parameters = fitted.in_force(self._connection)
            if memory_table.is_stale(self._connection, self._parameters):
                memory_table.fold_all(self._connection, self._parameters)
                return frozenset(row.card for row in added if row.card)
            return memory_table.refold(self._connection, added, self._parameters)

    def accept_losses(self) -> int:
        """Count the events anew, once the learner was told how many are missing; how many are."""
        with self._writing():
            return missing.accept(self._connection)

    def rebuild(self) -> None:
        """Rebuild the table `memory` from the log."""
        with self._writing():
            memory_table.fold_all(self._connection, self._parameters)

    def progress(self) -> Mapping[str, Progress]:
        """The progress of every card that differs from an unseen one's."""
        return self._kept.read(
            self._connection, "all", partial(memory_table.load, self._connection)
        )

    def progress_until(self, day: int) -> tuple[Mapping[str, Progress], frozenset[str]]:
        """The progress of the cards that may come by a study day, and the ids of all others met."""
        found = partial(memory_table.load_until, self._connection, day)
        return self._kept.read(self._connection, day, found)

    def met_since(self, day: int) -> frozenset[str]:
        """The cards whose newest review was on this study day or after."""
        return memory_table.met_since(self._connection, day)

    def progress_of(self, card: str) -> Progress:
        return memory_table.load(self._connection, card).get(card, UNSEEN)

    def due_by_day(self, first: int, last: int, but: str) -> dict[int, int]:
        """How many cards fall due on each study day from the first to the last.

        Suspended ones, those in a step and the card `but` are not counted.
        """
        return memory_table.due_by_day(self._connection, first, last, but)

    def events(
        self,
        card: str | None = None,
        since_day: int | None = None,
        kinds: Collection[type[Fact]] | None = None,
    ) -> list[Event]:
        """The log, oldest first, undone events and undos among it; kinds not known are left out."""
        return log.events(self._connection, card, since_day, kinds)

    def each_event(self, kinds: Collection[type[Fact]]) -> Iterator[Event]:
        """The same of these kinds, read as it is gone through: a long log needs little memory."""
        return log.each(self._connection, kinds)

    def brief_reviews(self) -> ReviewColumns:
        """All reviews that were not undone, oldest first: quick in a long log."""
        return reviews.brief(self._connection)

    def entered(self, card: str) -> list[Entered]:
        """The reviews of a card since it was new, oldest first; none if it never came in a short
        form or was right by bare results."""
        return reviews.entered(self._connection, card)

    def short_times(self) -> list[tuple[Form, float]]:
        """Form and seconds of those in a short form, of one thousand newest reviews not undone."""
        return reviews.short_times(self._connection, most=1000)

    def wrong_attempts(self) -> list[Event]:
        """The attempts that were wrong, oldest first, undone ones among them."""
        return log.wrong_attempts(self._connection)

    def undone_ids(self) -> frozenset[str]:
        """The ids of the events that were taken back and no longer count."""
        return log.undone(self._connection)

    def done(self, day: int) -> Done:
        """The cards reviewed on a study day, each once: new that day, or else known before."""
        return reviews.done(self._connection, day)

    def review_days(self) -> frozenset[int]:
        """The study days with reviews that were not undone."""
        return reviews.days(self._connection)

    def answer_times(self, card: str | None = None) -> list[tuple[str, float]]:
        """Card and seconds of the newest reviews not undone that were timed and rated Good or Easy.

        Of one card or of all, newest first, and of one thousand at most.
        """
        return reviews.answer_times(self._connection, most=1000, card=card)

    def times(self) -> list[tuple[str, float]]:
        """Card and seconds of one thousand newest reviews not undone, without learning steps."""
        return reviews.times(self._connection, most=1000)

    def newest_reviews(self) -> list[Review]:
        """The newest reviews that were not undone, newest first: at most three thousand."""
        return reviews.newest_reviews(self._connection, most=3000)

    def last_paths(self, cards: Collection[str]) -> dict[str, str]:
        """Where the file of each of these cards was at its newest review, if that is known."""
        found = log.last_reviews(self._connection, cards)
        return {review.card: review.path for _, review in found if review.path is not None}

    def lines(self) -> Iterator[str]:
        """The whole log as JSON, an event a line, unknown kinds among it; read as it is used."""
        return (json_lines.line(Row._make(row)) for row in log.raw(self._connection))

    @property
    def size(self) -> int:
        return log.size(self._connection)

    @property
    def parameters(self) -> Parameters:
        """The memory parameters in force."""
        return self._parameters

    @property
    def newest(self) -> str | None:
        """The id of the newest event; None while there is none."""
        return log.newest_id(self._connection)

    def fitted(self) -> Fitted | None:
        """The newest fit that was not undone."""
        return fitted.newest(self._connection)

    @property
    def log(self) -> merge.Log:
        """The events, to be compared with those of another log."""
        return merge.Log(self._connection.read)

    @property
    def device(self) -> str:
        """The name under which this store adds to the log."""
        return self._device

    def check(self) -> list[str]:
        """All that is wrong with the store, a sentence each: a full look at every event."""
        found = self.examined()
        return [*found.faults, *found.memory]

    def examined(self, memory: bool = True, step: Step = lambda done, total: None) -> Found:
        """What is wrong with the store, by what mends it; `memory` is looked at if wished."""
        return examine.look(self._connection, self._parameters if memory else None, step)

    def is_to_be_proven(self, day: int) -> bool:
        """Whether it is time to prove the whole log again."""
        return proof.is_due(self._connection, day)

    def prove(self, day: int) -> None:
        """Prove every event of a long log, with no lock held. Raises StoreDamagedError."""
        proof.of_all(self._connection, day)

    def fault(self) -> StoreError | None:
        """What is wrong with the log, None if every event is as it was written."""
        return examine.fault(self._connection)

    def backup_to(self, file: Path) -> None:
        """Copy the store to a file that must not be there yet."""
        backup.copy(self.path, file)

    def backups(self) -> list[Path]:
        """The daily copies beside the store, oldest first."""
        return files.listed(self.path)

    def _get_ready(self, now: datetime, look: bool) -> None:
        self._connection, self._parameters = opening.up_to_date(
            self._connection,
            self._steps,
            now,
            self._randomness,
            self.warnings,
            read_only=self.read_only,
            look=look,
        )
        if self.read_only:
            self._device = meta.get(self._connection, "device") or ""
            return
        self._device = opening.own_device(self._connection, now, self._randomness)
        self._file = identity(self.path)
        self._newest = log.newest_id(self._connection)
        if warning := clock.warning(self._newest, now):
            self.warnings.append(warning)

    def _reopen(self, now: datetime) -> None:
        if identity(self.path) is None:
            raise self._gone()
        before, self._connection = self._connection, self._connect()
        self._kept = Kept()
        try:
            self._get_ready(now, look=True)
        except BaseException:
            self._connection.close()
            self._connection = before
            raise
        before.close()

    def _gone(self) -> StoreUnusableError:
        what = "is no longer the file that was opened: it was moved, replaced or deleted"
        remedy = "What you did last was not saved: start quizzer again."
        return StoreUnusableError.at(self.path, what, remedy)

    def back_up_daily(self, day: int) -> None:
        """Copy the store if this study day has no copy yet; what prevents it is a warning."""
        try:
            backup.daily(self._connection, day)
        except StoreError as error:
            self.warnings.append(f"No backup was made today. {error}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self.read_only:
            raise StoreUnusableError.at(
                self.path, "was opened to be read only", "Open it to write."
            )
        known = schema.FORMAT + len(self._steps)
        with self._connection.transaction():
            same_file = identity(self.path) == self._file
            if not same_file or schema.version(self._connection, self._steps) != known:
                raise self._gone()
            # A restore gives the store a new device name, for what follows is another history.
            self._device = meta.get(self._connection, "device") or self._device
            if memory_table.is_stale(self._connection, self._parameters):
                # Another process fitted, or put a backup back.
                self._parameters = fitted.in_force(self._connection)
                if memory_table.is_stale(self._connection, self._parameters):
                    memory_table.fold_all(self._connection, self._parameters)
            yield
        self._newest = log.newest_id(self._connection)

    def _append(self, facts: Sequence[Fact], at: datetime, day: int) -> tuple[Event, ...]:
        added = log.append(self._connection, self._device, facts, at, day, self._randomness)
        if any(isinstance(fact, Fit | Undo) for fact in facts):
            self._parameters = fitted.in_force(self._connection)
        if memory_table.is_stale(self._connection, self._parameters):
            memory_table.fold_all(self._connection, self._parameters)
        else:
            memory_table.follow(self._connection, added, self._parameters)
        return added
