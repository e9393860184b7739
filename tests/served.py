"""The server of the browser's pages: as a process of its own, or on a thread of this one."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread

import uvicorn

from quizzer.app.workspace import Workspace
from quizzer.judge.judges import Judge
from quizzer.web.app import create
from quizzer.web.desk import Desk, Threads
from quizzer.web.guards import Keys
from quizzer.web.server import address, bound

SERVE = ("-m", "quizzer", "serve", "--no-open")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=\S+")


@contextmanager
def serving(
    *argv: object, python: Sequence[str] = SERVE
) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """The server as a process, the address that it prints, and its port."""
    command = [sys.executable, *python, *map(str, argv)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            found = ADDRESS.fullmatch(address)
            assert found, (address, process.stderr and process.stderr.read())
            yield process, address, int(found[1])
        finally:
            process.kill()


@contextmanager
def serving_here(workspace: Workspace, judge: Judge, port: int) -> Iterator[str]:
    """The address of a server that begins afresh, but for a judge that is warm already."""
    listening, keys, threads = bound(port), Keys(), Threads()
    used = listening.getsockname()[1]
    desk = Desk(workspace, judge)
    app = create(desk, threads, used, keys)
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None, ws="none"))
    running = Thread(target=server.run, args=([listening],))
    running.start()
    try:
        yield address(used, keys.token)
    finally:
        server.should_exit = server.force_exit = True
        running.join()
        listening.close()
        threads.close(desk)
