"""Starting a sandboxed process. This comes first in a session, so next to nothing is imported.

The warm process imports NumPy, which takes longer than everything we import meanwhile.
"""

import os
import socket
import subprocess
import sys

import quizzer

_BOOT = (
    "import gc, sys; gc.disable(); "  # importing makes no garbage worth a search
    "sys.path.insert(0, sys.argv[1]); from quizzer.sandbox.zygote import main; "
    "del sys.path[0]; main(sys.argv[2:])"
)


class SandboxError(Exception):
    """No process could be started; the message says why."""


Launched = tuple["subprocess.Popen[bytes]", socket.socket]
"""A warm process, and our end of the socket to it."""


def launch(service: str) -> Launched:
    """Start a warm process of a service, the name of a module as `service.Service` describes.

    It imports in the background. Raises SandboxError. Linux only.
    """
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    null = subprocess.DEVNULL
    with theirs:
        try:
            return popen(
                [service, "zygote"], stdin=theirs.fileno(), stdout=null, stderr=null
            ), control
        except SandboxError:
            control.close()
            raise


def popen(arguments: list[str], *, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    """Run the sandbox in an interpreter of its own, in a session and almost without environment."""
    environment = {
        name: os.environ[name]
        for name in ("SYSTEMROOT", "PATH", "LD_LIBRARY_PATH")
        if name in os.environ
    } | {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
    }
    root = os.path.realpath(f"{quizzer.__path__[0]}/..")
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, root, *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            cwd=os.path.splitdrive(sys.executable)[0] + os.sep,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(
            f"answers cannot be judged: {sys.executable} cannot be started ({error.strerror}). "
            "Install quizzer where you may run it."
        ) from None
