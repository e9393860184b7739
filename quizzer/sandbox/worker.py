"""Our side of the processes: starts them, hands bytes over, waits as long as it may take.

Whatever happens in a process, its worker comes back and says how it ended. No NumPy here, so that
the warm process can be started before anything else is imported.
"""

import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import quizzer
from quizzer.sandbox.orders import KILL, LEFT, MAX_FRAME, RUN, STATUS

MAX_PRINTED = 64 << 10

_START_SECONDS = 30.0
_IMPORT_SECONDS = 3.0  # what a fresh interpreter may take before the stage begins
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); from quizzer.sandbox.zygote import main; "
    "del sys.path[0]; main(sys.argv[2:])"
)


class SandboxError(Exception):
    """No process could be started; the message says why."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its reply, what it printed, its exit code (None: its time was up)."""

    reply: bytes
    printed: bytes
    code: int | None


class Worker(Protocol):
    """Something that runs stages in other processes."""

    def start(self) -> None: ...

    def exchange(self, message: bytes, seconds: float) -> Ended: ...

    def close(self) -> None: ...


def best_worker() -> Worker:
    """The fastest worker that this platform has."""
    return ZygoteWorker() if sys.platform == "linux" else ProcessWorker()


class ZygoteWorker:
    """Forks a child a stage from a warm process. Linux only."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Start the warm process unless it runs; it imports on its own time."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(_START_SECONDS)
        with theirs:
            self._process = _popen(
                ["zygote", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )
        self._control = ours

    def exchange(self, message: bytes, seconds: float) -> Ended:
        with self._lock:
            for _ in range(2):
                self.start()
                try:
                    return self._exchange(message, seconds)
                except (OSError, struct.error):  # the warm process is gone: once more with another
                    self.close()
                except BaseException:  # interrupted in the middle of a talk: begin anew next time
                    self.close()
                    raise
            raise SandboxError("the sandbox process ends as soon as it starts")

    def _exchange(self, message: bytes, seconds: float) -> Ended:
        assert self._control is not None
        reply, printed = self._hand_over(message, seconds)
        order = KILL
        try:
            if reply.wait(seconds):
                order = LEFT
        finally:
            self._control.send(order)
            (code,) = STATUS.unpack(self._control.recv(64))
        printed.wait(1.0)
        return Ended(reply.kept, printed.kept, code if order == LEFT else None)

    def _hand_over(self, message: bytes, seconds: float) -> tuple["_Drain", "_Drain"]:
        """Give a new child its request; the two pipes that it writes to."""
        assert self._control is not None
        request = os.memfd_create("request")
        reply_end, reply_start = os.pipe()
        printed_end, printed_start = os.pipe()
        given = [request, reply_start, printed_start]
        try:
            with open(request, "wb", closefd=False) as file:
                file.write(message)
            os.lseek(request, 0, os.SEEK_SET)
            socket.send_fds(self._control, [RUN.pack(seconds)], given)
        except BaseException:
            os.close(reply_end)
            os.close(printed_end)
            raise
        finally:
            for descriptor in given:
                os.close(descriptor)
        drains = _Drain(reply_end, MAX_FRAME + 1), _Drain(printed_end, MAX_PRINTED)
        STATUS.unpack(self._control.recv(64))
        return drains

    def close(self) -> None:
        """End the warm process and with it whatever it runs."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(2.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


class ProcessWorker:
    """A fresh process a stage: slower, and everywhere."""

    def start(self) -> None:
        """Nothing is kept warm."""

    def exchange(self, message: bytes, seconds: float) -> Ended:
        process = _popen(
            ["once", str(seconds)],
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
            in_time = reply.wait(seconds + _IMPORT_SECONDS)
            if in_time:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.5)
            code = process.poll() if in_time else None
            _kill(process)
            feeding.join(1.0)
        printed.wait(1.0)
        return Ended(reply.kept, printed.kept, -9 if in_time and code is None else code)

    def close(self) -> None:
        """Nothing is left running."""


def _popen(
    arguments: list[str], *, stdin: int, stdout: int, stderr: int, pass_fds: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    """Our program in an interpreter of its own: an almost empty environment, its own session."""
    environment = {
        name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ
    } | {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
    }
    root = str(Path(quizzer.__file__).resolve().parent.parent)
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, root, *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=pass_fds,
            env=environment,
            cwd=Path(sys.executable).anchor,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"no sandbox process can be started: {error}") from None


def _feed(process: subprocess.Popen[bytes], message: bytes) -> None:
    assert process.stdin
    with contextlib.suppress(OSError):
        process.stdin.write(message)
        process.stdin.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group, where there are groups."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


class _Drain:
    """Reads a pipe to its end, keeping the first `limit` bytes; closes it then."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self.kept = b""
        self._descriptor = descriptor
        self._limit = limit
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Whether the end was reached in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _read(self) -> None:
        parts: list[bytes] = []
        left = self._limit
        try:
            while part := os.read(self._descriptor, 1 << 16):
                parts.append(part[:left])
                left -= len(parts[-1])
        finally:
            self.kept = b"".join(parts)
            os.close(self._descriptor)
