"""A connection to the store's file that waits for its turn and speaks in StoreErrors."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from quizzer.store.errors import StoreBusyError, code, explained, is_of_writing
from quizzer.store.files import make_private

APPLICATION_ID = 0x71756972
"""What SQLite calls a file's application: every store bears it."""

PATIENCE = 30.0
"""Seconds to wait for another process."""
NOTICE = 0.3
"""Seconds of waiting after which the learner is told."""

_TURN = 0.1
# fullfsync: on macOS a plain fsync stops before the platter.
_WRITER = (
    "recursive_triggers=ON",
    "synchronous=EXTRA",
    "fullfsync=ON",
)
_READER = ("query_only=ON",)
# No function of ours is called by what a file's own schema says. The index of cards of a long
# history fits into 8 MB, so that a look at all of it reads each page once.
_ALL = ("trusted_schema=OFF", "cache_size=-8000")

_LONGEST = 10_000_000
"""Bytes of one value or row in somebody else's file: ours stay far below."""
DEADLINE = 60.0
"""Seconds that one statement may take in somebody else's file."""
_STEPS = 100_000
"""Of SQLite's machine, between two looks at the clock."""
_T = TypeVar("_T")


class Connection:
    """SQLite in autocommit; each write is in a transaction that is on the disk when it ends."""

    def __init__(
        self,
        raw: sqlite3.Connection,
        path: Path,
        on_wait: Callable[[], None] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.path = path
        self._raw = raw
        self._on_wait = on_wait
        self._patience = patience
        self._turn = threading.RLock()
        """Several threads may use one store; a transaction is one thread's."""
        self._until = 0.0

    @classmethod
    def to_file(
        cls,
        path: Path,
        *,
        write: bool,
        on_wait: Callable[[], None] | None = None,
        patience: float = PATIENCE,
        stranger: bool = False,
    ) -> "Connection":
        """With `write` the file is made if there is none. Without, nothing is made or changed.

        One exception: SQLite takes back a transaction that a killed process left half done, which
        is why even a reader asks for a file that may be written. A `stranger`'s file gets limits,
        and its texts are read with signs in the place of bytes that are none.
        """
        uri = f"{path.absolute().as_uri()}?mode={'rwc' if write else 'rw'}"
        try:
            if write:
                make_private(path)
            raw = sqlite3.connect(
                uri, timeout=_TURN, isolation_level=None, uri=True, check_same_thread=False
            )
        except (sqlite3.Error, OSError) as error:
            raise explained(error, path) from error
        connection = cls(raw, path, on_wait, patience)
        try:
            if stranger:
                connection._limit()
            for pragma in (*_ALL, *(_WRITER if write else _READER)):
                connection._run(f"PRAGMA {pragma}")
            # One file, free to be copied. Another program's file keeps the mode it has.
            if write and connection._run("PRAGMA application_id") == [(APPLICATION_ID,)]:
                connection._run("PRAGMA journal_mode=DELETE")
        except BaseException:
            raw.close()
            raise
        return connection

    @classmethod
    def in_memory(cls, path: Path) -> "Connection":
        """An empty database that is nowhere; `path` is what messages speak of."""
        raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        return cls(raw, path)

    def copied_to_memory(self) -> "Connection":
        """A private copy in memory; this connection is closed."""
        copy = Connection.in_memory(self.path)
        try:
            self.copy_to(copy)
        finally:
            self.close()
        return copy

    def read(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        """All rows that a statement gives; waits while another process commits."""
        return self._run(sql, parameters)

    def write(self, sql: str, *rows: Sequence[object]) -> None:
        """Run a statement once for each row of parameters, without any once; in `transaction`."""
        assert self._raw.in_transaction
        if len(rows) > 1:
            self._explaining(lambda: self._raw.executemany(sql, rows))
        else:
            self._run(sql, *rows)

    def state(self) -> object | None:
        """Another one whenever the file was written to since; None within a transaction."""
        with self._turn:
            if self._raw.in_transaction:
                return None
            return self._run("PRAGMA data_version"), self._raw.total_changes

    def attach(self, file: Path, name: str) -> None:
        """Read another file beside this one, under this name; outside a transaction."""
        # As an address: SQLite makes no file then, and a name need not be text.
        self._run(f"ATTACH ? AS {name}", (f"{file.absolute().as_uri()}?mode=rw",))

    def hold(self) -> None:
        """Keep others from writing until this connection is closed."""
        self._run("BEGIN IMMEDIATE")

    def hold_alone(self) -> None:
        """Keep others from reading, too, in one transaction after another."""
        self.hold()  # nobody can write from here on, and only readers are waited for
        for statement in ("PRAGMA locking_mode=EXCLUSIVE", "COMMIT", "BEGIN EXCLUSIVE", "COMMIT"):
            self._run(statement)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing: committed and on the disk at its end, taken back if anything raises."""
        with self._turn:
            try:
                self._run("BEGIN IMMEDIATE")
                yield
                self._run("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Reads inside see one state of the store, whatever others write meanwhile."""
        with self._turn:
            if self._raw.in_transaction:
                yield
                return
            try:
                self._run("BEGIN")
                yield
            finally:
                self._roll_back()

    def copy_to(self, target: "Connection", named: Path | None = None) -> None:
        """Put everything in place of what the target holds; neither may be in a transaction.

        An error in writing it tells of `named`: the file that it is to become.
        """
        try:
            self._raw.backup(target._raw)
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            at = (named or target.path) if is_of_writing(error) else self.path
            raise explained(error, at) from error

    def close(self) -> None:
        self._raw.close()

    def _limit(self) -> None:
        """Bound what a file that somebody made may ask of this machine."""
        self._raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        self._raw.set_progress_handler(lambda: time.monotonic() > self._until, _STEPS)
        self._raw.text_factory = lambda found: found.decode("utf-8", "replace")

    def _run(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        return self._explaining(
            lambda: self._patiently(lambda: self._raw.execute(sql, parameters).fetchall())
        )

    def _explaining(self, action: Callable[[], _T]) -> _T:
        try:
            with self._turn:
                self._until = time.monotonic() + DEADLINE
                return action()
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise explained(error, self.path) from error

    def _patiently(self, attempt: Callable[[], _T]) -> _T:
        """Try until no other process stands in the way; SQLite itself waits a tenth of a second.

        It could wait longer, but then an interrupt by the learner would have to wait with it.
        """
        start, told = time.monotonic(), False
        while True:
            try:
                return attempt()
            except sqlite3.OperationalError as error:
                if code(error) != sqlite3.SQLITE_BUSY:
                    raise
                waited = time.monotonic() - start
                if waited >= self._patience:
                    raise StoreBusyError.at(self.path, self._patience) from error
                if waited >= NOTICE and not told and self._on_wait:
                    self._on_wait()
                    told = True
                time.sleep(_TURN / 10)

    def _roll_back(self) -> None:
        if self._raw.in_transaction:
            self._run("ROLLBACK")


def identity(path: Path) -> tuple[int, int] | None:
    """Which file a path leads to, `None` if to none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
