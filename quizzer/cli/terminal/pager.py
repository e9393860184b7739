"""Long texts on a terminal, through the user's pager."""

import shutil
import subprocess
import sys
from collections.abc import Mapping

from quizzer.app.editor import words
from quizzer.cli.terminal.signals import in_front


def page(text: str, environ: Mapping[str, str]) -> None:
    """Print the text, on a terminal that is too low for it through `$PAGER`, else `less`.

    If no pager can be started, or `PAGER` is empty, the text is printed as it is; a dumb terminal
    has a pager only if `PAGER` names one.
    """
    command = _command(environ)
    if command and sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        # As git has it: colours pass, and what fits one screen is not held back.
        options = {"LESS": "FRX", **environ}
        sys.stdout.flush()
        try:
            with in_front(
                command, stdin=subprocess.PIPE, env=options, encoding="utf-8", errors="replace"
            ) as pager:
                _feed(pager, text)
            return
        except OSError:  # it cannot be started
            pass
    sys.stdout.write(text)


def _command(environ: Mapping[str, str]) -> list[str]:
    # On a terminal without cursor control less would only complain.
    usual = "" if environ.get("TERM", "dumb") == "dumb" else "less"
    try:
        return words(environ.get("PAGER", usual))
    except ValueError:
        return []


def _feed(pager: "subprocess.Popen[str]", text: str) -> None:
    """Hand over the text and wait; leaving the pager early, or interrupting it, is fine."""
    assert pager.stdin
    try:
        pager.stdin.write(text)
        pager.stdin.close()
    except BrokenPipeError:
        pass
    while True:
        try:
            pager.wait()
            return
        except KeyboardInterrupt:
            # Ctrl-C is for the pager, which decides for itself when to end.
            continue
