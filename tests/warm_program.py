"""A process that has imported what a session needs, and becomes one on a terminal.

Of the second that a session takes, half is imports. `python warm_program.py` takes orders from the
socket that is its standard input: for each it forks a child, which leads a session of its own on
the terminal that came with the order, and runs the program there as a shell would have started it.
"""

import atexit
import contextlib
import fcntl
import gc
import io
import json
import os
import socket
import sys
import termios
import threading
import time
import traceback
from importlib import import_module
from typing import NoReturn

from warm_sandbox import WarmSandboxes

from quizzer.plan import settings
from quizzer.values import Form

_LONGEST = 65_536
_MODULES = (
    "asyncio prompt_toolkit.shortcuts prompt_toolkit.lexers pygments.lexers.python "
    "rich.markdown rich.table quizzer.cli.command_line quizzer.cli.commands.review "
    "quizzer.cli.commands.quiz quizzer.cli.commands.show quizzer.cli.terminal.daily "
    "quizzer.judge.judges quizzer.session.daily quizzer.store.backup "
    "quizzer.tex.linear quizzer.forecast.outlook quizzer.deck.load quizzer.sandbox.worker"
)
"""None of them starts a thread or reads the environment when it is imported."""


def main() -> None:
    for name in _MODULES.split():
        import_module(name)
    settings.FORMS = (Form.BLANK,)  # as the fixture `blank_pages` has it here
    assert threading.active_count() == 1, "a fork would take one thread only"
    gc.freeze()
    sandboxes = WarmSandboxes()
    orders = socket.socket(fileno=os.dup(0))
    while True:
        data, descriptors, _, _ = socket.recv_fds(orders, _LONGEST, 1)
        if not data:
            sandboxes.end()
            return
        order = json.loads(data)
        if "ended" in order:
            _, status = os.waitpid(order["ended"], 0)
            orders.send(str(status).encode())
            continue
        (terminal,) = descriptors
        pid = os.fork()
        if pid == 0:
            if "OWN_SANDBOX" not in order["env"]:
                sandboxes.are_used()
            _become(order["argv"], order["env"], order["cwd"], terminal)
        os.close(terminal)
        orders.send(str(pid).encode())


def _become(argv: list[str], env: dict[str, str], cwd: str, terminal: int) -> NoReturn:
    code = 1
    try:
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        for stream in (0, 1, 2):
            os.dup2(terminal, stream)
        os.closerange(3, 256)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        time.tzset()
        sys.argv = argv
        sys.stdin = sys.__stdin__ = _stream(0, "r", "surrogateescape")  # type: ignore[misc]
        sys.stdout = sys.__stdout__ = _stream(1, "w", "surrogateescape")  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = _stream(2, "w", "backslashreplace")  # type: ignore[misc]
        code = _ran()
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _stream(descriptor: int, mode: str, errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        open(descriptor, mode + "b", closefd=False),
        "utf-8",
        errors,
        line_buffering=True,
    )


def _ran() -> int:
    """The program's exit code, after what Python does at its end."""
    from quizzer.cli.main import program

    try:
        code = program()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    return code or 0


if __name__ == "__main__":
    main()
