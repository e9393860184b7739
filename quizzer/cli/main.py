"""The edge of the program: whatever happens becomes a sentence and an exit code, no traceback."""

import contextlib
import gc
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quizzer.cli.terminal import signals, streams, tty
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
    streams.set_up()
    with signals.heeded(), tty.restored():
        code = main()
    gc.freeze()  # nor is there any at the end, where Python would look through everything
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    streams.lenient()
    sandbox = None
    try:
        arguments = sys.argv[1:] if argv is None else argv
        sandbox = _sandbox() if JUDGING.intersection(arguments) else None
        # Imported here: an interrupt while Python still reads the program is quiet as well.
        from quizzer.cli.command_line import run

        return run(arguments, sandbox)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except signals.Ended as ended:
        tty.leave_question()
        streams.warn(f"quizzer: ended by {ended.name}")
        return ended.code
    except BrokenPipeError:
        # The reader of our output has gone, as `quizzer list | head` does: that is no error.
        streams.lost()
        return 0
    except OSError as error:
        # A disk or a permission stood in the way of something that no room looks after itself.
        streams.lost()
        where = f"{clean(error.filename)}: " if isinstance(error.filename, str) else ""
        streams.warn(f"quizzer: {where}{error.strerror or error}")
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
