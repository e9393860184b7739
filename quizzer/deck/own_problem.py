"""Whatever goes wrong while one file is read is a problem of that file, and of no other."""

from pathlib import Path
from types import TracebackType

from msgspec import Struct

from quizzer.card import Problem, Severity
from quizzer.files import TooLargeError
from quizzer.text import one_line


class OwnProblem(Struct, frozen=True):
    """A `with` whose exceptions are added to the problems; what comes after it goes on."""

    path: Path
    problems: list[Problem]
    severity: Severity = Severity.ERROR

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        code, message = _told(error)
        self.problems.append(Problem(self.path, 1, self.severity, code, message))
        return True


def _told(error: Exception) -> tuple[str, str]:
    if isinstance(error, TooLargeError):
        return "too-large", f"this is too large ({error.strerror}); move it out of the deck"
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return "unreadable", f"cannot be read ({reason}); mend its permissions or restore it"
    # No card that we can think of does this, but a deck may come from anywhere.
    said = one_line(f"{type(error).__name__}: {error}")
    return "unread", (
        f"quizzer fails on this file ({said}), which is its own fault; move the file out of the "
        "deck, and report it with the file"
    )
