"""The server: a port of this machine alone, until Ctrl-C."""

import os
import socket
from collections.abc import Callable

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.web.guards import Keys

HOST = "127.0.0.1"
_TRIED = 20
"""Ports after the one that was asked for."""
_PATIENCE = 0.5
"""Seconds for what still happens on the history's thread when the server is interrupted."""
_INTERRUPTED = 130
"""The exit code."""


def bound(port: int) -> socket.socket:
    """A socket on this port, or on the next that is free. Raises Usage."""
    for candidate in range(port, min(port + _TRIED, 65536)):
        listening = socket.socket()
        if os.name != "nt":  # there it would take a port that another program serves
            # Connections of an earlier server that are closing do not hold its port.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, candidate))
            listening.listen()
        except OSError:
            listening.close()
        else:
            return listening
    raise Usage(f"no free port from {port} on; name another with --port")


def serve(workspace: Workspace, listening: socket.socket, say: Callable[[str], None]) -> None:
    """Serve until interrupted; `say` gets each address that opens it.

    The first one comes before the pages are imported: the browser opens meanwhile, and what it
    asks for waits at the port.
    """
    port = listening.getsockname()[1]
    keys = Keys(lambda token: say(address(port, token)))
    say(address(port, keys.token))
    from quizzer.web.app import create
    from quizzer.web.desk import Desk, Threads
    from quizzer.web.hosting import host

    judge, threads = workspace.judge_for_many(), Threads()
    desk = Desk(workspace, judge)
    try:
        judge.warm()
        host(create(desk, threads, port, keys), listening)
    finally:
        judge.close()  # first, so that the thread of the history does not wait for a verdict
        if not threads.close(desk, _PATIENCE):
            # What was said to be saved is on the disk; the rest would hold up the end.
            os._exit(_INTERRUPTED)


def address(port: int, token: str) -> str:
    return f"http://{HOST}:{port}/?token={token}"
