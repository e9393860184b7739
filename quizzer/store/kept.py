"""What was read of a store, and need not be read again as long as nothing is written to it."""

from collections.abc import Callable
from typing import TypeVar, cast

from quizzer.store.connection import Connection

_T = TypeVar("_T")


class Kept:
    """Results by name, each with the state of the file that it was read from."""

    def __init__(self) -> None:
        self._found: dict[str | int, tuple[object, object]] = {}

    def read(self, connection: Connection, name: str | int, read: Callable[[], _T]) -> _T:
        """What `read` gives, now or since the store was last written to."""
        state = connection.state()
        known, found = self._found.get(name, (None, None))
        if state is None or known != state:
            found = read()
            self._found[name] = state, found
        return cast("_T", found)
