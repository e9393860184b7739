"""The program of a sandboxed process: warm, it forks a confined child a message; or once.

As a zygote it imports NumPy once, and never runs code of a deck or an answer itself. Messages and
replies do not pass through it: it hands the child three descriptors, one to read the message from,
one for the reply and one for whatever is printed. A child is forked ahead and has warmed up, for
the first touch of every page after a fork costs more than most answers.

The first messages do not wait until everything is imported. They get a child with the least that
is needed; if it tries to import more, it ends, and a child that has everything answers the message.
While they are answered nothing more is imported: a single judgement would not gain by it. What
hardly a message needs is imported for the first that tries to.
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
from typing import NoReturn

from msgspec import Struct

from quizzer.sandbox import confine
from quizzer.sandbox.orders import EXPECT, KILL, LEFT, NOT_WARM, RUN, STATUS
from quizzer.sandbox.service import Service, service

_GRACE = 0.5
_FEW = 8  # messages that a single judgement takes: it ends sooner than a warm-up pays
_LULL = 0.5  # without an order, after which more than such a judgement needs is worth importing
_PATIENCE = 0.2  # while a child answers, it and whoever waits for it may need both processors
_PAUSE = 0.005  # a message that is not answered by then leaves time to fork the next child
_IDLE = 0.05  # without an order: one that comes soon need not wait for a longer warm-up
_REAPING = 5.0  # seconds for the end of descendants; each pass ends all that there are
_MOST_DESCRIPTORS = 64


def main(arguments: list[str]) -> None:
    """`SERVICE zygote`: serve the socket that is stdin until it closes.

    `SERVICE once SECONDS`: answer one message from stdin.
    """
    parent = os.getppid()
    served = service(arguments[0])
    served.begin()
    os.environ.clear()  # not before OpenBLAS has read that it may start no threads
    gc.enable()
    rest = served.rest()
    if arguments[1] == "zygote":
        control = socket.socket(fileno=os.dup(0))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # no child inherits the orders
        _Zygote(served, control, rest).serve()
        os._exit(0)  # an orderly exit of NumPy would only keep the learner waiting
    else:
        _finish(rest)
        served.everything()
        _serve_once(served, float(arguments[2]), parent)


class Child(Struct, frozen=True):
    """A process that waits on the other end of `channel` for a message, or answers it."""

    pid: int
    channel: socket.socket


def end(child: Child, grace: float, spare: Child | None) -> int:
    """Wait for a child, then kill what is left of it and its descendants; its exit code."""
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
    """Obeys orders: a child answers a message, and meanwhile the next child is forked."""

    def __init__(self, served: Service, control: socket.socket, rest: Iterator[float]) -> None:
        self._served = served
        self._control = control
        self._rest = rest
        self._pause = next(rest, None)
        """How long to wait for an order before more is imported; None when enough is."""
        self._warm_up: bytes | None = None
        """The message that children warm up with, once what they need is imported."""
        self._has_everything = False
        self._begun = 0
        """How many messages have come."""
        self._running: Child | None = None
        self._spare: Child | None = None
        self._expected: int | None = None
        """A message like the next one, which the spare child is to warm up with, too."""
        self._is_told = True
        """Whether the spare child has it."""

    def serve(self) -> None:
        """Obey until nobody gives orders any more."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        confine.hide_from_debuggers()
        confine.adopt_orphans()
        confine.may_become_nobody()  # which every child asks
        gc.freeze()
        try:
            while True:
                self._get_ready()
                order, descriptors, _, _ = socket.recv_fds(self._control, 64, 3)
                if not order:
                    return
                code = 0
                if order == EXPECT:
                    self._expect(*descriptors)
                elif order in (LEFT, KILL):
                    code = self._end(left=order == LEFT)
                else:
                    self._begin(order, descriptors)
                self._control.send(STATUS.pack(code))
        except OSError:
            return
        finally:
            if self._running:
                end(self._running, 0.0, self._spare)
            if self._spare:
                end(self._spare, 0.0, None)

    def _get_ready(self) -> None:
        """Import, warm up and fork ahead, as far as the next order leaves time."""
        is_early = 0 < self._begun <= _FEW and not self._warm_up
        if is_early and self._running:
            return
        patience = _PATIENCE if self._running else _LULL if is_early and self._pause else 0.0
        while self._pause is not None and not _is_readable(
            self._control, max(self._pause, patience)
        ):
            self._pause, patience = next(self._rest, None), 0.0
        if self._pause is None and self._warm_up is None:
            self._warm_up = self._served.warm_up()
            gc.collect()
            gc.freeze()
        over_at_once = self._running and _is_readable(self._control, _PAUSE)
        if self._warm_up and self._spare is None and not over_at_once:
            self._spare = self._forked()
        if self._spare and not self._is_told and not _is_readable(self._control, _IDLE):
            self._tell(self._spare)

    def _expect(self, message: int) -> None:
        if self._expected is not None:
            os.close(self._expected)
        self._expected, self._is_told = message, False

    def _tell(self, spare: Child) -> None:
        """Let the spare child know the message that is expected."""
        if self._expected is not None:
            with contextlib.suppress(OSError):  # it was killed while it waited
                socket.send_fds(spare.channel, [EXPECT], [self._expected])
        self._is_told = True

    def _begin(self, order: bytes, descriptors: list[int]) -> None:
        self._begun += 1
        if not self._warm_up:
            _, kind = RUN.unpack(order)
            self._served.get_ready(kind.rstrip(b"\0").decode())
        self._running, self._spare = self._spare or self._forked(), None
        self._is_told = False
        if not _given(self._running, order, descriptors):  # it was killed while it waited
            end(self._running, 0.0, None)
            self._running = self._forked()
            _given(self._running, order, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def _end(self, left: bool) -> int:
        """End the running child, at once unless it has `left` by itself; its exit code."""
        assert self._running
        if left and self._warm_up:
            self._spare = self._spare or self._forked()  # while that one ends
        code = end(self._running, _GRACE if left else 0.0, self._spare)
        self._running = None
        if code == NOT_WARM and not self._has_everything:
            self._import_everything()
        return code

    def _import_everything(self) -> None:
        """For the children from here on; one that waits lacks it."""
        _finish(self._rest)
        self._served.everything()
        self._pause, self._warm_up, self._has_everything = None, None, True
        if self._spare:
            end(self._spare, 0.0, None)
            self._spare = None

    def _forked(self) -> Child:
        lacks = not self._has_everything
        return _forked(self._served, self._control, self._warm_up, lacks)


def _given(child: Child, order: bytes, descriptors: list[int]) -> bool:
    """Hand a message over; whether the child took it."""
    try:
        with child.channel:
            socket.send_fds(child.channel, [order], descriptors)
    except OSError:
        return False
    return True


def _finish(rest: Iterator[float]) -> None:
    """Import whatever is left, without a pause."""
    for _ in rest:
        pass


def _forked(served: Service, control: socket.socket, warm_up: bytes | None, lacks: bool) -> Child:
    """A child that is ready for a message; whether it `lacks` something that one may import."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    parent = os.getpid()
    pid = os.fork()
    if not pid:
        status = 1
        try:
            ours.close()
            control.close()
            _answer_one(served, theirs, warm_up, lacks, parent)
            status = 0
        finally:
            os._exit(status)
    theirs.close()
    return Child(pid, ours)


def _answer_one(
    served: Service, channel: socket.socket, warm_up: bytes | None, lacks: bool, parent: int
) -> None:
    """In a child: everything from the fork to the end of the one message that it answers.

    `warm_up` is a message to answer before, once what most need has been imported.
    """
    os.setsid()
    if warm_up:
        confine.step_down(parent)
        if not _is_readable(channel, 0.0):
            served.serve(warm_up)
    order, descriptors, _, _ = socket.recv_fds(channel, 64, 3)
    while order == EXPECT:
        if not _is_readable(channel, 0.0):
            served.serve(_read(*descriptors))
        os.close(*descriptors)
        order, descriptors, _, _ = socket.recv_fds(channel, 64, 3)
    if not order:
        return
    request, result, printed = descriptors
    seconds, _ = RUN.unpack(order)
    message = _read(request)
    if not warm_up:
        confine.step_down(parent)
    if lacks:
        sys.meta_path.insert(0, _NotWarm())
    null = os.open(os.devnull, os.O_RDONLY)
    kept = os.dup(result)
    for source, target in ((null, 0), (printed, 1), (printed, 2), (kept, 3)):
        os.dup2(source, target)
    os.closerange(4, _MOST_DESCRIPTORS)
    confine.confine(seconds)
    reply = served.serve(message)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # the message closed it
            stream.flush()
    _write(3, reply)
    os.closerange(1, 4)  # nobody need wait until this process has ended


class _NotWarm:
    """Ends the process at the first import once it is confined: another one has everything."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> NoReturn:
        os._exit(NOT_WARM)


def _serve_once(served: Service, seconds: float, parent: int) -> None:
    """Answer one message from stdin on stdout, where nothing can fork. Output goes to stderr."""
    message = sys.stdin.buffer.read()
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(1, os.O_BINARY)
    result = os.dup(1)
    os.dup2(2, 1)
    confine.step_down(parent)
    confine.confine(seconds)
    _write(result, served.serve(message))
    sys.stdout.flush()
    os._exit(0)


def _wait(pid: int, seconds: float) -> None:
    """Wait until a child ends, at most so long; it can still be asked how it ended."""
    deadline = time.monotonic() + seconds
    how = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while os.waitid(os.P_PID, pid, how) is None and time.monotonic() < deadline:
        time.sleep(0.0002)


def _is_readable(channel: socket.socket, seconds: float) -> bool:
    return bool(select.select([channel], [], [], seconds)[0])


def _read(descriptor: int) -> bytes:
    """All of a file in memory, which others may read at the same time."""
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
