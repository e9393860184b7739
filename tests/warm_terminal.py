"""Sessions on a pseudo-terminal whose program is forked from a process that has imported it.

The terminal, the keys and what the program does with them are those of `pseudo_terminal`; what is
left out is half a second of imports. Tests of how the program starts or ends use that one.
"""

import atexit
import codecs
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import pexpect
from pseudo_terminal import PROGRAM, Terminal, environment

_LONGEST = 65_536


class WarmTerminal(Terminal):
    """One run of quizzer on a terminal, in a process that need not import it first."""

    def _start(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: Path | None,
        dimensions: tuple[int, int],
    ) -> "_Session":
        assert command[0] == str(PROGRAM)
        return _Session(command, env, cwd or Path.cwd(), dimensions)


class _Session:
    """The child and its terminal, with the methods of `pexpect.spawn` that are needed."""

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], cwd: Path, dimensions: tuple[int, int]
    ) -> None:
        self.child_fd, terminal = pty.openpty()
        self.setwinsize(*dimensions)
        order = {"argv": list(argv), "env": dict(env), "cwd": str(cwd)}
        try:
            self.pid = int(_answer(order, terminal))
        finally:
            os.close(terminal)
        self.exitstatus: int | None = None
        self.signalstatus: int | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waited = False

    def send(self, keys: str) -> None:
        data = keys.encode()
        while data:
            data = data[os.write(self.child_fd, data) :]

    def read_nonblocking(self, size: int, timeout: float) -> str:
        """What came; raises pexpect.TIMEOUT if nothing did, and pexpect.EOF at the end."""
        if not select.select([self.child_fd], [], [], timeout)[0]:
            raise pexpect.TIMEOUT("nothing came")
        try:
            data = os.read(self.child_fd, size)
        except OSError:
            data = b""
        if not data:
            raise pexpect.EOF("nobody holds the terminal any more")
        return self._decoder.decode(data)

    def setwinsize(self, rows: int, columns: int) -> None:
        termios.tcsetwinsize(self.child_fd, (rows, columns))

    def wait(self) -> None:
        if self._waited:
            return
        self._waited = True
        code = os.waitstatus_to_exitcode(int(_answer({"ended": self.pid})))
        self.exitstatus, self.signalstatus = (code, None) if code >= 0 else (None, -code)

    def close(self, force: bool) -> None:
        with suppress(OSError):
            os.close(self.child_fd)
        if force and not self._waited:
            os.kill(self.pid, signal.SIGKILL)
        self.wait()


def _answer(order: Mapping[str, object], terminal: int | None = None) -> bytes:
    orders = _warm()
    data = json.dumps(order).encode()
    assert len(data) < _LONGEST
    socket.send_fds(orders, [data], [] if terminal is None else [terminal])
    return orders.recv(64)


@cache
def _warm() -> socket.socket:
    """Where orders go to a process that has imported the program; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("warm_program.py")],
        stdin=theirs,
        env=environment(Path("/")),
        start_new_session=True,
    )
    theirs.close()

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours
