"""What a sandboxed process does: it answers messages by a module that its starter names.

The first line of a message is its kind; the rest only concerns the module and the sender.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast


class Service(Protocol):
    """What such a module defines."""

    def begin(self) -> None:
        """Import the least that a first message needs."""

    def rest(self) -> Iterator[float]:
        """Import what messages need, piece by piece: each time after so many idle seconds.

        Once confined, a process can import nothing.
        """

    def everything(self) -> None:
        """Import what hardly a message needs, too."""

    def get_ready(self, kind: str) -> None:
        """Import what this kind of message needs, before its time begins."""

    def warm_up(self) -> bytes:
        """A short message that a child answers before its own."""

    def serve(self, message: bytes) -> bytes:
        """The reply to a message, whatever happens."""


def service(name: str) -> Service:
    """The module of this name."""
    return cast(Service, import_module(name))
