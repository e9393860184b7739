"""The edge of the program: any error becomes a sentence and an exit code, never a traceback."""

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


JUDGING = frozenset({"review", "serve", "quiz", "verify"})
"""Commands whose sandbox starts first: it imports NumPy while the rest is imported here."""

QUICK = frozenset({"due", "list", "rate", "stats"})
"""Commands that end before there is garbage worth a search."""
_GARBAGE = 50_000
"""New objects before a search for garbage: importing makes many, and next to none is garbage."""
_MUCH = 500_000
"""The same for quick commands: of 10,000 cards they make as many, and none is garbage."""


def program() -> int:
    """`main` in a process of its own."""
    gc.set_threshold(_MUCH if QUICK.intersection(sys.argv) else _GARBAGE)
    streams.set_up()
    with signals.heeded(), tty.restored():
        code = main()
    gc.freeze()  # nor is there much at the end, where Python would search everything
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
        # Nobody reads our output any longer, as in `quizzer list | head`: that is not an error.
        streams.lost()
        return 0
    except OSError as error:
        # A disk or a permission failed where nothing handles such an error itself.
        streams.lost()
        where = f"{clean(error.filename)}: " if isinstance(error.filename, str) else ""
        streams.warn(f"quizzer: {where}{error.strerror or error}")
        return 2
    finally:
        if sandbox:
            sandbox.close()


def _sandbox() -> "Worker":
    from quizzer.checker import SERVICE
    from quizzer.sandbox.launch import SandboxError, launch

    launched = None
    # Judging will report it; a misspelled command must not fail because of it.
    with contextlib.suppress(SandboxError):
        launched = launch(SERVICE) if sys.platform == "linux" else None
    from quizzer.sandbox.worker import best_worker

    return best_worker(SERVICE, launched)
