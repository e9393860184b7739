"""Errors that end a command: a sentence for the person, an exit code for scripts."""

from collections.abc import Iterator
from contextlib import contextmanager


class Failure(Exception):
    """What went wrong, where, and how to mend it; nothing was lost."""

    exit_code = 2


class Usage(Failure):
    """The command line or the configuration asks for something that cannot be done."""


class NoHome(Usage):
    """The user's home folder is not known."""

    def __init__(self) -> None:
        super().__init__(
            "your home folder is not known: set HOME to it; or name the history with --store, "
            "the deck with --deck, and every path in full"
        )


class NoDeck(Failure):
    exit_code = 4


class BrokenChecker(Failure):
    """A card's checker cannot be used; its author can mend it."""

    exit_code = 4


class NoCard(Failure):
    exit_code = 5


class StoreUnusable(Failure):
    exit_code = 6


@contextmanager
def reading(file: object) -> Iterator[None]:
    """Raise Usage if reading this file, as a message names it, is not possible."""
    try:
        yield
    except OSError as error:
        raise Usage(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Usage(f"{file}: is not valid UTF-8; save it as UTF-8") from None
