"""The edge of the program: whatever happens becomes a sentence and an exit code, no traceback."""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quizzer.text import clean

if TYPE_CHECKING:
    from quizzer.sandbox.worker import Worker


JUDGING = frozenset({"review", "quiz", "verify"})
"""Commands whose sandbox starts first: it imports NumPy while the rest is imported here."""

_GARBAGE = 50_000
"""New objects before a search for garbage: importing makes many, and next to none is garbage."""


def program() -> int:
    """`main` in a process of its own."""
    gc.set_threshold(_GARBAGE)
    code = main()
    gc.freeze()  # nor is there any at the end, where Python would look through everything
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding shows `?` for a sign it lacks instead of failing.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    sandbox = None
    try:
        arguments = sys.argv[1:] if argv is None else argv
        sandbox = _sandbox() if JUDGING.intersection(arguments) else None
        # Imported here: an interrupt while Python still reads the program is quiet as well.
        from quizzer.cli.app import run

        code = run(arguments, sandbox)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader of our output has gone, as `quizzer list | head` does: that is no error.
        _leave_output()
        return 0
    except OSError as error:
        # A disk or a permission stood in the way of something that no room looks after itself.
        _leave_output()
        where = f"{clean(error.filename)}: " if isinstance(error.filename, str) else ""
        print(f"quizzer: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    finally:
        if sandbox:
            sandbox.close()


def _sandbox() -> "Worker":
    from quizzer.sandbox.launch import SandboxError, launch

    launched = None
    # Who wants to judge gets to know; a misspelled command must not fail for it.
    with contextlib.suppress(SandboxError):
        launched = launch() if sys.platform == "linux" else None
    from quizzer.sandbox.worker import best_worker

    return best_worker(launched)


def _leave_output() -> None:
    """Write what is still to be written; where that fails, Python must not try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
