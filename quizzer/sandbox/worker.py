"""Our side of the processes: starts them, sends them messages, waits for as long as they may take.

Whatever happens in a process, its worker returns and says how it ended. There is no NumPy here, so
that the warm process can be started before anything else is imported.
"""

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from quizzer.sandbox import landlock, seccomp
from quizzer.sandbox.launch import Launched, SandboxError, launch, popen
from quizzer.sandbox.orders import EXPECT, KILL, LEFT, MAX_FRAME, NOT_WARM, RUN, STATUS

MAX_PRINTED = 64 << 10

_START_SECONDS = 30.0
_LAST_WORDS_SECONDS = 0.2
_IMPORT_SECONDS = 3.0  # what a fresh interpreter may take before the message's time begins


class Completed(Struct, frozen=True):
    """How a process ended: its reply, what it printed, its exit code (None: its time was up).

    With a reply the code is 0: code that forges a reply can exit with any code, too.
    """

    reply: bytes
    printed: bytes
    code: int | None


def on_a_busy_machine(seconds: float) -> float:
    """How long to wait for so much processor time, which others may need, too."""
    return 2 * seconds + 0.5


class Worker(Protocol):
    """Something that has messages answered in other processes."""

    def start(self) -> None: ...

    def exchange(self, message: bytes, seconds: float) -> Completed: ...

    def expect(self, message: bytes) -> None:
        """Get ready for messages like this one. It runs before anything is confined, so no code in
        it may be of others."""

    def close(self) -> None: ...


class Listening:
    """A worker that keeps the first text that a process printed."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.printed = b""

    def start(self) -> None:
        self._worker.start()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        completed = self._worker.exchange(message, seconds)
        self.printed = self.printed or completed.printed
        return completed

    def expect(self, message: bytes) -> None:
        self._worker.expect(message)

    def close(self) -> None:
        self._worker.close()


def best_worker(service: str, launched: Launched | None = None) -> Worker:
    """A warm process where the kernel can confine its children; else a fresh one a message.

    `launched` is a warm process of this service that runs already.
    """
    if landlock.version() > 0 or seccomp.missing() is None:
        return ZygoteWorker(service, launched)
    if launched:
        _Talk(launched).end()
    return ProcessWorker(service)


class ZygoteWorker:
    """Forks a child a message from a warm process. Linux only. Threads may share it."""

    def __init__(self, service: str, launched: Launched | None = None) -> None:
        self._service = service
        self._talk = threading.Lock()
        self._state = threading.RLock()
        self._current = _Talk(launched) if launched else None
        self._closed = False

    def start(self) -> None:
        """Start the warm process unless it runs; it imports in the background."""
        self._started()

    def exchange(self, message: bytes, seconds: float) -> Completed:
        with self._talk:
            for _ in range(2):
                talk = self._started()
                try:
                    return talk.exchange(message, seconds)
                except (OSError, struct.error):  # the warm process has ended: try another one
                    if self._current is not talk:
                        raise _closed() from None
                    self._end()
                except BaseException:  # interrupted halfway: start afresh next time
                    self._end()
                    raise
            raise SandboxError("the sandbox process ends as soon as it starts")

    def expect(self, message: bytes) -> None:
        """Let the processes that wait warm up with this message; a new warm one knows none."""
        with self._talk:
            talk = self._started()
            try:
                talk.expect(message)
            except (OSError, struct.error):
                self._end()
            except BaseException:
                self._end()
                raise

    def close(self) -> None:
        """End the warm process and everything that it runs, for good."""
        self._closed = True
        self._end()

    def _started(self) -> "_Talk":
        with self._state:
            if self._closed:
                raise _closed()
            if self._current is None or self._current.process.poll() is not None:
                self._end()
                self._current = _Talk(launch(self._service))
            return self._current

    def _end(self) -> None:
        with self._state:
            talk, self._current = self._current, None
        if talk is not None:
            talk.end()


def _closed() -> SandboxError:
    return SandboxError("the sandbox was closed")


class _Talk:
    """A warm process, and the orders that we send it over `control`."""

    def __init__(self, launched: Launched) -> None:
        self.process, self.control = launched
        self.control.settimeout(_START_SECONDS)
        self._owed = False

    def exchange(self, message: bytes, seconds: float) -> Completed:
        """Have a message answered; again if the process had not imported what it needs."""
        completed = self._exchange(message, seconds)
        if completed.code == NOT_WARM:
            completed = self._exchange(message, seconds)
        return completed

    def _exchange(self, message: bytes, seconds: float) -> Completed:
        """Have a message answered once. After a reply nobody waits until the child has ended."""
        if self._owed:
            self._status()
        with _Pipe(MAX_FRAME + 1) as reply, _Pipe(MAX_PRINTED) as printed:
            self._hand_over(message, seconds, reply, printed)
            order = KILL
            try:
                if _at_end(reply, (reply, printed), on_a_busy_machine(seconds)):
                    order = LEFT
            finally:
                self.control.send(order)
                self._owed = True
            code = None if order == KILL else 0
            if order == KILL or not reply.kept:
                status = self._status()
                code = None if order == KILL else status
            _at_end(printed, (printed,), _LAST_WORDS_SECONDS)
            return Completed(bytes(reply.kept), bytes(printed.kept), code)

    def expect(self, message: bytes) -> None:
        """Say what message is likely to come next."""
        if self._owed:
            self._status()
        with _in_memory(message) as expected:
            socket.send_fds(self.control, [EXPECT], [expected])
        self._status()

    def end(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_RDWR)  # wakes whoever waits for it, on both sides
        self.control.close()
        try:
            self.process.wait(2.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _hand_over(self, message: bytes, seconds: float, reply: "_Pipe", printed: "_Pipe") -> None:
        """Give a child its message and its pipes; its time begins when it has them."""
        with _in_memory(message) as request:
            given = [request, reply.start, printed.start]
            socket.send_fds(self.control, [RUN.pack(seconds, message.partition(b"\n")[0])], given)
        reply.leave_to_others()
        printed.leave_to_others()
        self._status()

    def _status(self) -> int:
        (status,) = STATUS.unpack(self.control.recv(64))
        self._owed = False
        return int(status)


@contextlib.contextmanager
def _in_memory(message: bytes) -> Iterator[int]:
    """A file without a name that holds a message."""
    descriptor = os.memfd_create("request")
    try:
        with open(descriptor, "wb", closefd=False) as file:
            file.write(message)
        yield descriptor
    finally:
        os.close(descriptor)


class _Pipe:
    """A pipe that others write to; the first `limit` bytes are kept."""

    def __init__(self, limit: int) -> None:
        self.end, self.start = os.pipe()
        self.kept = bytearray()
        self.open = True
        self._limit = limit
        self._ours = True

    def __enter__(self) -> "_Pipe":
        return self

    def __exit__(self, *error: object) -> None:
        self.leave_to_others()
        os.close(self.end)

    def leave_to_others(self) -> None:
        """Close our end for writing, so that the pipe ends when its writers do."""
        if self._ours:
            self._ours = False
            os.close(self.start)

    def read(self) -> None:
        """Take what is there; `open` is false after the end."""
        part = os.read(self.end, 1 << 16)
        self.open = bool(part)
        self.kept += part[: self._limit - len(self.kept)]


def _at_end(awaited: _Pipe, pipes: tuple[_Pipe, ...], seconds: float) -> bool:
    """Read the pipes until one of them ends; whether it did in time."""
    by_end = {pipe.end: pipe for pipe in pipes if pipe.open}
    poll = select.poll()
    for end in by_end:
        poll.register(end, select.POLLIN)
    deadline = time.monotonic() + seconds
    while awaited.open:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        for end, _ in poll.poll(left * 1e3 + 1):
            by_end[end].read()
            if not by_end[end].open:
                poll.unregister(end)
    return True


class ProcessWorker:
    """A fresh process a message: slower, but it works everywhere."""

    def __init__(self, service: str) -> None:
        self._service = service

    def start(self) -> None:
        """Nothing is kept warm."""

    def expect(self, message: bytes) -> None:
        """Nothing can get ready."""

    def exchange(self, message: bytes, seconds: float) -> Completed:
        process = popen(
            [self._service, "once", str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdin and process.stdout and process.stderr
        reply = _Drain(os.dup(process.stdout.fileno()), MAX_FRAME + 1)
        printed = _Drain(os.dup(process.stderr.fileno()), MAX_PRINTED)
        with process:
            feeding = threading.Thread(target=_feed, args=(process, message), daemon=True)
            feeding.start()
            try:
                in_time = reply.wait(on_a_busy_machine(seconds) + _IMPORT_SECONDS)
                if in_time:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.5)
                code = process.poll() if in_time else None
            finally:  # when interrupted, it must not go on alone
                _kill(process)
            feeding.join(1.0)
        printed.wait(1.0)
        if in_time:
            code = 0 if reply.kept else -9 if code is None else code
        return Completed(reply.kept, printed.kept, code)

    def close(self) -> None:
        """Nothing is left running."""


def _feed(process: subprocess.Popen[bytes], message: bytes) -> None:
    assert process.stdin
    with contextlib.suppress(OSError):
        process.stdin.write(message)
        process.stdin.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group, where there are groups."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class _Drain:
    """Reads a pipe to its end, keeping the first `limit` bytes; closes it then."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self._kept = bytearray()
        self._descriptor = descriptor
        self._limit = limit
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether the end was reached in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def kept(self) -> bytes:
        return bytes(self._kept)

    def _read(self) -> None:
        try:
            while part := os.read(self._descriptor, 1 << 16):
                self._kept += part[: self._limit - len(self._kept)]
        finally:
            os.close(self._descriptor)
