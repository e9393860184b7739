"""Sandboxes that need not import anything: each is forked from a process that has warmed up.

A session on a `WarmTerminal` has one of its own, as it has elsewhere; what is left out is half a
second of imports. It is no child of the session's: a test that looks at those sets `OWN_SANDBOX` in
the environment. `python warm_sandbox.py` takes orders from the socket that is its standard input:
each brings the socket that the new sandbox is to serve, and a pipe for its process id.
"""

import fcntl
import gc
import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

from quizzer.checker import SERVICE
from quizzer.sandbox import launch, worker
from quizzer.sandbox.launch import Launched

_HIGH = 300
"""Descriptors from here on are left open where a session begins."""


class WarmSandboxes:
    """The process that they are forked from; it ends with this one."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        settings = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        with ours, theirs:
            self._process = subprocess.Popen(
                [sys.executable, Path(__file__)], stdin=theirs, env=settings, cwd="/"
            )
            self._orders = fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, _HIGH)

    def are_used(self) -> None:
        """From here on the program gets its sandboxes here."""
        launch.launch = worker.launch = self._launch

    def end(self) -> None:
        os.close(self._orders)
        self._process.wait()

    def _launch(self, _: str) -> Launched:
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        told, telling = os.pipe()
        orders = socket.socket(fileno=os.dup(self._orders))
        with orders, theirs, os.fdopen(told, "rb") as pid:
            socket.send_fds(orders, [b"one"], [theirs.fileno(), telling])
            os.close(telling)
            return _Forked(int(pid.read())), control  # type: ignore[return-value]


class _Forked:
    """A process that another one has forked, with what is asked of a `Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def poll(self) -> int | None:
        return 0 if select.select([self._descriptor], [], [], 0.0)[0] else None

    def wait(self, timeout: float | None = None) -> int:
        if not select.select([self._descriptor], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("sandbox", timeout or 0.0)
        return 0

    def kill(self) -> None:
        signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)


def main() -> None:
    from quizzer.sandbox.service import service
    from quizzer.sandbox.zygote import _Zygote

    served = service(SERVICE)
    served.begin()
    os.environ.clear()
    for _ in served.rest():
        pass
    gc.collect()
    gc.freeze()
    orders = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    while True:
        data, descriptors, _, _ = socket.recv_fds(orders, 16, 2)
        if not data:
            return
        control, telling = descriptors
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            orders.close()
            os.close(telling)
            _Zygote(served, socket.socket(fileno=control), iter(())).serve()
            os._exit(0)
        os.close(control)
        os.write(telling, str(pid).encode())
        os.close(telling)


if __name__ == "__main__":
    main()
