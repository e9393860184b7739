"""The program that stages run in: warm, forking one confined child a stage; or once, and ending.

As a zygote it imports NumPy once and never touches code of a deck or an answer itself. Requests and
results do not pass through it: it hands the child three descriptors, one to read the request from,
one for the result and one for whatever is printed. A child is forked ahead and has rehearsed, for
the first touch of every page after a fork costs more than most answers.

The first requests do not wait for the rehearsal. They get a child with what judging needs; should
it try to import anything more, it ends, and the stage is run again by one that has everything.
"""

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from quizzer.checker import rehearsal
from quizzer.checker.stages import STAGES, serve
from quizzer.sandbox import confine
from quizzer.sandbox.orders import KILL, LEFT, RUN, STATUS, UNREHEARSED

_GRACE = 0.5
_PAUSE = 0.005  # a stage that is not over by then leaves time to fork the next child
_REAPING = 5.0  # seconds for the end of descendants; each pass ends all that there are
_MOST_DESCRIPTORS = 64


def main(arguments: list[str]) -> None:
    """`zygote`: serve the socket that is stdin until it closes. `once`: one request on stdin."""
    parent = os.getppid()
    rehearsal.begin()
    os.environ.clear()  # not before OpenBLAS has read that it may start no threads
    gc.enable()
    rest = rehearsal.rest()
    if arguments[0] == "zygote":
        control = socket.socket(fileno=os.dup(0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # no child inherits the orders
        _Zygote(control, rest).serve()
        os._exit(0)  # taking NumPy down in good order would only keep the learner waiting
    else:
        _finish(rest)
        _serve_once(float(arguments[1]), parent)


@dataclass(frozen=True, slots=True)
class Child:
    """A process that waits on the other end of `channel` for a stage, or runs it."""

    pid: int
    channel: socket.socket


def end(child: Child, grace: float, spare: Child | None) -> int:
    """Wait for a child, kill what is left of it and of its descendants; its exit code."""
    keep = {spare.pid} if spare else set()
    _wait(child.pid, grace)
    for kill in (os.killpg, os.kill):  # a child that was only just forked leads no group yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child.pid, signal.SIGKILL)
    _, status = os.waitpid(child.pid, 0)
    deadline = time.monotonic() + _REAPING
    while (orphans := confine.children() - keep) and time.monotonic() < deadline:
        for orphan in orphans:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(orphan, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(orphan, 0)
    return os.waitstatus_to_exitcode(status)


class _Zygote:
    """Obeys orders: a stage is run by a child, and while it runs the next child is forked."""

    def __init__(self, control: socket.socket, rest: Iterator[float]) -> None:
        self._control = control
        self._rest = rest
        self._pause = next(rest, None)
        """How long to wait for an order before more is imported; None when all is."""
        self._rehearsed: bytes | None = None
        """A stage for children to rehearse, when all is imported."""
        self._running: Child | None = None
        self._spare: Child | None = None

    def serve(self) -> None:
        """Obey until there is nobody who gives orders."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        confine.hide_from_debuggers()
        confine.adopt_orphans()
        gc.freeze()
        try:
            while True:
                self._get_ready()
                order, descriptors, _, _ = socket.recv_fds(self._control, 64, 3)
                if not order:
                    return
                code = 0
                if order in (LEFT, KILL):
                    code = self._end(left=order == LEFT)
                else:
                    self._begin(order, descriptors)
                self._control.send(STATUS.pack(code))
        except OSError:
            return
        finally:
            for child in (self._running, self._spare):
                if child:
                    end(child, 0.0, None)

    def _get_ready(self) -> None:
        """Import, rehearse and fork ahead, as far as the next order leaves time for it."""
        while self._pause is not None and not _is_readable(self._control, self._pause):
            self._pause = next(self._rest, None)
        if self._pause is None and self._rehearsed is None:
            self._rehearsed = rehearsal.messages()[-1]
            gc.collect()
            gc.freeze()
        over_at_once = self._running and _is_readable(self._control, _PAUSE)
        if self._rehearsed and self._spare is None and not over_at_once:
            self._spare = self._forked()

    def _begin(self, order: bytes, descriptors: list[int]) -> None:
        if not self._rehearsed:
            _, stage = RUN.unpack(order)
            STAGES[stage.rstrip(b"\0").decode()].function()  # before its time begins
        self._running, self._spare = self._spare or self._forked(), None
        if not _given(self._running, order, descriptors):  # it died of waiting
            end(self._running, 0.0, None)
            self._running = self._forked()
            _given(self._running, order, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def _end(self, left: bool) -> int:
        """Take down the child that runs, at once unless it has `left` by itself; its exit code."""
        assert self._running
        if left and self._rehearsed:
            self._spare = self._spare or self._forked()  # while that one is taken down
        code = end(self._running, _GRACE if left else 0.0, self._spare)
        self._running = None
        if code == UNREHEARSED:
            _finish(self._rest)
            self._pause = None
        return code

    def _forked(self) -> Child:
        return _forked(self._control, self._rehearsed)


def _given(child: Child, order: bytes, descriptors: list[int]) -> bool:
    """Hand a stage over; whether there was somebody to take it."""
    try:
        with child.channel:
            socket.send_fds(child.channel, [order], descriptors)
    except OSError:
        return False
    return True


def _finish(rest: Iterator[float]) -> None:
    """Rehearse whatever is left, without a pause."""
    for _ in rest:
        pass


def _forked(control: socket.socket, rehearsed: bytes | None) -> Child:
    """A child that is ready for a stage."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    parent = os.getpid()
    pid = os.fork()
    if not pid:
        status = 1
        try:
            ours.close()
            control.close()
            _wait_for_stage(theirs, rehearsed, parent)
            status = 0
        finally:
            os._exit(status)
    theirs.close()
    return Child(pid, ours)


def _wait_for_stage(channel: socket.socket, rehearsed: bytes | None, parent: int) -> None:
    """In a child: everything from the fork to the end of the one stage that it runs.

    `rehearsed` is a stage to run before; without one not everything has been imported yet.
    """
    os.setsid()
    if rehearsed:
        confine.step_down(parent)
        if not _is_readable(channel, 0.0):
            serve(rehearsed)
    order, descriptors, _, _ = socket.recv_fds(channel, 64, 3)
    if not order:
        return
    request, result, printed = descriptors
    seconds, _ = RUN.unpack(order)
    message = _read(request)
    if not rehearsed:
        confine.step_down(parent)
        sys.meta_path.insert(0, _Unrehearsed())
    null = os.open(os.devnull, os.O_RDONLY)
    kept = os.dup(result)
    for source, target in ((null, 0), (printed, 1), (printed, 2), (kept, 3)):
        os.dup2(source, target)
    os.closerange(4, _MOST_DESCRIPTORS)
    confine.confine(seconds)
    reply = serve(message)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # it was closed
            stream.flush()
    _write(3, reply)
    os.closerange(1, 4)  # all is said; nobody need wait while this process is taken down


class _Unrehearsed:
    """Ends the process at the first import inside the walls: another one has it all by then."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> NoReturn:
        os._exit(UNREHEARSED)


def _serve_once(seconds: float, parent: int) -> None:
    """One stage from stdin to stdout, where nothing can fork. What is printed goes to stderr."""
    message = sys.stdin.buffer.read()
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(1, os.O_BINARY)
    result = os.dup(1)
    os.dup2(2, 1)
    confine.step_down(parent)
    confine.confine(seconds)
    _write(result, serve(message))
    sys.stdout.flush()
    os._exit(0)


def _wait(pid: int, seconds: float) -> None:
    """Wait until a child ends, but no longer; it stays there to be asked how it ended."""
    deadline = time.monotonic() + seconds
    how = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while os.waitid(os.P_PID, pid, how) is None and time.monotonic() < deadline:
        time.sleep(0.0002)


def _is_readable(channel: socket.socket, seconds: float) -> bool:
    return bool(select.select([channel], [], [], seconds)[0])


def _read(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
