"""The store: everything the learner did, as an append-only log, and what follows from it.

The log is the truth. The table `memory` is its fold, written in the same transaction as each
event, and rebuilt whenever it was made by another fold or with other parameters.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
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
    log,
    memory_table,
    merge,
    meta,
    missing,
    opening,
    proof,
    schema,
)
from quizzer.store.codec import Row
from quizzer.store.connection import PATIENCE, Connection, identity
from quizzer.store.errors import StoreError, StoreUnusableError
from quizzer.store.examine import Found, Step
from quizzer.store.ids import Randomness
from quizzer.store.kept import Kept
from quizzer.store.reading import Reading
from quizzer.values import UNSEEN, Event, Fact, Fit, Progress, Review, Undo, study_day


class Store(Reading):
    """An open store, a context manager. Where a method raises StoreError, nothing changed."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        *,
        read_only: bool,
        randomness: Randomness,
        steps: Sequence[schema.Migration],
        cache: Path | None,
        newer: bool,
    ) -> None:
        self._connect = connect
        self._cache = cache
        self._newer = newer
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
        cache: Path | None = None,
        newer: bool = False,
    ) -> Self:
        """Open the store, or make it. With `read_only`, one that is not there is empty, not made.

        `on_wait` is called once if another process has to be waited for, `patience` seconds at
        most. The first opening for writing on a study day makes a backup. `damaged` lets a reader
        in where the newest event is not as it was written, `newer` one where a newer quizzer made
        the tables, if they hold all that is read. In the folder `cache` is kept what was read of a
        long log.
        """
        store = cls(
            lambda: opening.connect(path, read_only, on_wait, patience),
            read_only=read_only,
            randomness=randomness,
            steps=steps,
            cache=cache,
            newer=newer,
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
            added = self._add(rows, now)
            self._parameters = fitted.in_force(self._connection)
            if memory_table.is_stale(self._connection, self._parameters):
                memory_table.fold_all(self._connection, self._parameters)
                return frozenset(row.card for row in added if row.card)
            return memory_table.refold(self._connection, added, self._parameters)

    def take_each(self, batches: Iterable[Sequence[Row]], now: datetime) -> frozenset[str]:
        """Add many such events, each batch for good; return the cards of those that were added.

        Whatever ends it early, what was added stays, and memory follows from it.
        """
        cards, is_stale = set[str](), False
        try:
            for rows in batches:
                with self._writing(fold=False):
                    if added := self._add(rows, now):
                        memory_table.forget(self._connection)
                is_stale = is_stale or bool(added)
                cards.update(row.card for row in added if row.card)
        finally:
            if is_stale:
                with self._writing():
                    pass  # to write is to bring memory up to date first
        return frozenset(cards)

    def accept_losses(self) -> int:
        """Count the events anew, once the learner was told how many are missing; how many are."""
        with self._writing():
            return missing.accept(self._connection)

    def rebuild(self) -> None:
        """Rebuild the table `memory` from the log."""
        with self._writing():
            memory_table.fold_all(self._connection, self._parameters)

    @property
    def parameters(self) -> Parameters:
        """The memory parameters in force."""
        return self._parameters

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
            newer=self._newer,
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

    def _add(self, rows: Sequence[Row], now: datetime) -> list[Row]:
        """Add rows but for memory; return those that were not there yet. Inside `_writing`."""
        added = merge.add(self._connection, rows)
        if any(row.device == self._device for row in added):
            # A copy of this store writes under the same name: this one takes another.
            forks.remember(self._connection, self._device, added)
            self._device = opening.named(self._connection, now, self._randomness)
        return added

    @contextmanager
    def _writing(self, fold: bool = True) -> Iterator[None]:
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
            if fold and memory_table.is_stale(self._connection, self._parameters):
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
