"""What learners may ask for instead of answering, in every face by the same key."""

from enum import StrEnum


class Command(StrEnum):
    """A command, by its key."""

    HINT = "h"
    REVEAL = "r"
    SKIP = "s"
    DISPUTE = "d"
    UNDO = "u"
    FLAG = "f"
    SUSPEND = "x"
    BURY = "b"
    EDIT = "e"
    IMAGE = "i"
    QUIT = "q"
    HELP = "?"
