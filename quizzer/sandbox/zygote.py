"""The program that stages run in: warm, forking one confined child a stage; or once, and ending.

As a zygote it imports NumPy once and never touches code of a deck or an answer itself. Requests and
results do not pass through it: it hands the child three descriptors, one to read the request from,
one for the result and one for whatever is printed.
"""

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
import time
import warnings

from quizzer.sandbox import confine
from quizzer.sandbox.orders import KILL, LEFT, RUN, STATUS
from quizzer.sandbox.stages import serve

_GRACE = 0.5
_METHODS = ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "argmax")
_PRELOADED = (
    "cmath collections copy dataclasses decimal enum fractions functools heapq itertools math "
    "operator random re statistics string typing numpy.fft numpy.linalg numpy.ma "
    "numpy.polynomial numpy.random numpy.lib.stride_tricks"
)


def main(arguments: list[str]) -> None:
    """`zygote FD`: serve the socket FD until it closes. `once`: one request on stdin."""
    _warm()
    if arguments[0] == "zygote":
        _serve_socket(socket.socket(fileno=int(arguments[1])))
    else:
        _serve_once(float(arguments[1]))


def _warm() -> None:
    """Import what checkers may use and let OpenBLAS take its buffers, before memory is limited."""
    import numpy as np

    for name in _PRELOADED.split():
        importlib.import_module(name)
    array = np.ones((64, 64)) @ np.ones((64, 64))
    for work in (np.linalg.svd, np.linalg.inv, np.linalg.eigh, np.linalg.norm, np.array2string):
        work(np.eye(8))
    for method in _METHODS:  # NumPy imports what stands behind each when it is first used
        getattr(array, method)()
    array.clip(0.0, 1.0)
    np.random.default_rng(0).standard_normal(2)
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")


def _serve_socket(control: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    confine.adopt_orphans()
    gc.collect()
    gc.freeze()
    child = 0
    while True:
        order, descriptors, _, _ = socket.recv_fds(control, 64, 3)
        if not order:
            break
        if order in (LEFT, KILL):
            control.send(STATUS.pack(_end(child, _GRACE if order == LEFT else 0.0)))
            child = 0
            continue
        child = os.fork()
        if not child:
            request, result, printed = descriptors
            _child(request, result, printed, RUN.unpack(order)[0])
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(STATUS.pack(child))
    if child:
        _end(child, 0.0)


def _child(request: int, result: int, printed: int, seconds: float) -> None:
    """One stage, from the request to the end of the process."""
    status = 1
    try:
        os.setsid()
        message = _read(request)
        null = os.open(os.devnull, os.O_RDONLY)
        kept = os.dup(result)
        for source, target in ((null, 0), (printed, 1), (printed, 2)):
            os.dup2(source, target)
        os.dup2(kept, 3)
        os.closerange(4, 256)
        confine.confine(seconds)
        _write(3, serve(message))
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        status = 0
    finally:
        os._exit(status)


def _serve_once(seconds: float) -> None:
    """One stage from stdin to stdout, where nothing can fork. What is printed goes to stderr."""
    message = sys.stdin.buffer.read()
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(1, os.O_BINARY)
    result = os.dup(1)
    os.dup2(2, 1)
    confine.confine(seconds)
    _write(result, serve(message))
    sys.stdout.flush()
    os._exit(0)


def _end(pid: int, grace: float) -> int:
    """Wait for a child, kill what is left of it and of its descendants; its exit code."""
    deadline = time.monotonic() + grace
    ended, status = os.waitpid(pid, os.WNOHANG)
    while not ended and time.monotonic() < deadline:
        time.sleep(0.0002)
        ended, status = os.waitpid(pid, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if not ended:
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    while orphans := confine.children():
        for orphan in orphans:
            with contextlib.suppress(ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(orphan, 0)
    return os.waitstatus_to_exitcode(status)


def _read(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
