"""How a face learns of work that takes time, and of what the user should know meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Step = Callable[[int, int], None]
"""To be called after each step of many, with the steps done and all of them."""


class Report(Protocol):
    """What a face does with messages beside its results."""

    def note(self, message: str) -> None:
        """Something that the user should know."""

    def busy(self, what: str) -> AbstractContextManager[object]:
        """`what` is being done while the body runs."""
        ...

    def progress(self, what: str) -> AbstractContextManager[Step]:
        """The same for work of many steps, of which the body reports each."""
        ...


class Silent:
    """Reports to nobody."""

    def note(self, message: str) -> None:
        pass

    @contextmanager
    def busy(self, what: str) -> Iterator[None]:
        yield

    @contextmanager
    def progress(self, what: str) -> Iterator[Step]:
        yield lambda done, total: None
