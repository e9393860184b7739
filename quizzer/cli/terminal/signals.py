"""Signals that end or stop the program: it leaves the terminal as it was, and no process behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

from quizzer.cli.terminal import tty

_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")
"""Asked to end, the terminal's window closed, Ctrl-\\, and Ctrl-Break on Windows."""


class Ended(SystemExit):
    """A signal wants the program to end. A SystemExit, which asyncio and others let pass."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.code: int = 128 + number
        self.name = signal.Signals(number).name


@contextmanager
def heeded() -> Iterator[None]:
    """Signals raise Ended, in the main thread; a stopped program has the terminal as it was.

    One that is ignored when the program starts, as `nohup` has it, is ignored further.
    """
    before = tty.state()

    def end(number: int, frame: FrameType | None) -> None:
        if not _in_front.end_by(number):
            return
        for each in ending:
            signal.signal(each, end_at_once)
        raise Ended(number)

    def end_at_once(number: int, frame: FrameType | None) -> NoReturn:
        tty.leave_question()
        tty.restore(before)
        os._exit(128 + number)

    def stop(number: int, frame: FrameType | None) -> None:
        if app := _prompting():
            app.loop.call_soon_threadsafe(_stop_asking, app, before)
        else:
            _stop(before)

    def go_on(number: int, frame: FrameType | None) -> None:
        if app := _prompting():
            app.loop.call_soon_threadsafe(_ask_again, app)

    handlers = {
        number: handler
        for names, handler in ((_ENDING, end), (("SIGTSTP",), stop), (("SIGCONT",), go_on))
        for name in names
        if (number := getattr(signal, name, None))
        and signal.getsignal(number) is not signal.SIG_IGN
    }
    ending = [number for number, handler in handlers.items() if handler is end]
    former = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


class _InFront:
    """The programs that have the terminal while we wait for them, as an editor."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[Any]] = set()
        self._starting = False
        self._awaited: int | None = None

    @contextmanager
    def started(self, command: Sequence[str], **options: Any) -> "Iterator[subprocess.Popen[Any]]":
        """Start a program; at the end wait for it. Raises OSError where it cannot be started.

        A signal that comes while it starts is heeded when we know whom to end with us.
        """
        self._starting = True
        try:
            process = subprocess.Popen(command, **options)
            self._running.add(process)
        finally:
            self._starting = False
            if self._awaited:
                _come_again(self._awaited)
        with process:
            try:
                yield process
                process.wait()
            finally:
                self._running.discard(process)

    def end_by(self, number: int) -> bool:
        """End them with us; False where one is only starting, and the signal will come again."""
        self._awaited = number if self._starting else None
        for process in list(self._running):
            process.terminate()
        return not self._starting


_in_front = _InFront()
in_front = _in_front.started


def _come_again(number: int) -> None:
    """The signal once more, for the main thread."""
    if hasattr(signal, "pthread_kill"):
        os.kill(os.getpid(), number)
    else:  # on Windows that would end us without a word
        signal.raise_signal(number)


def _prompting() -> Any:
    """The application of prompt_toolkit that has the terminal now, if one has."""
    current = sys.modules.get("prompt_toolkit.application.current")
    app = current and current.get_app_or_none()
    return app if app and app.is_running and not app._running_in_terminal else None


def _stop_asking(app: Any, before: tty.State | None) -> None:
    """Stop in the middle of a question, which is asked again from where the cursor is then."""
    app.renderer.erase()
    _stop(before)
    app.invalidate()


def _stop(before: tty.State | None) -> None:
    """Stop as SIGTSTP does by itself; who continues us has given the terminal back."""
    ours = tty.state()
    tty.restore(before)
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)
    tty.restore(ours)


def _ask_again(app: Any) -> None:
    """After a stop that none could see coming, or in the background: take the keys again."""
    if tty.edits_lines():
        app.input.raw_mode().__enter__()
        app.renderer.reset()
        app.invalidate()
