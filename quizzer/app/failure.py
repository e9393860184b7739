"""Errors that end a command: a sentence for the person, an exit code for scripts."""


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


class NoCard(Failure):
    exit_code = 5


class StoreUnusable(Failure):
    exit_code = 6
