"""How this system confines the code of cards and answers, and the test that it does."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from quizzer.sandbox import confine, landlock, probe, seccomp
from quizzer.sandbox.confine import enclosed as enclosed
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.orders import OUT_OF_TIME
from quizzer.sandbox.worker import Worker, best_worker


class Protection(Struct, frozen=True):
    """One kind of protection. `note`: what it keeps out, or why it is absent."""

    name: str
    active: bool
    note: str


class Attack(Struct, frozen=True):
    """One harmless attack on ourselves, and whether it was kept out. `note`: what happened."""

    name: str
    kept_out: bool
    note: str


def protections() -> tuple[Protection, ...]:
    """Every protection that quizzer knows, in order, found by asking the kernel."""
    return (
        Protection("process", True, "a crash, a time limit and patched modules stay in a process"),
        Protection("environment", True, "no variable of yours is passed on"),
        _limits(),
        _linux("privileges", "none can be gained, no debugger can attach, none outlives quizzer"),
        _user(),
        _landlock(),
        _seccomp(),
    )


def attack(make: Callable[[str], Worker] = best_worker) -> tuple[Attack, ...]:
    """Attack ourselves in every way in `ATTACKS`, with a file of our own as the target.

    `make` starts the worker of a service.
    """
    worker = make(probe.__name__)
    try:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, "target")
            target.write_text("untouched", "utf-8")
            Path(folder).chmod(0o777)
            target.chmod(0o666)  # so that nothing but the sandbox protects it
            return tuple(_attacked(worker, name, code, target) for name, code in ATTACKS.items())
    finally:
        worker.close()


_ENDLESS = "run without end"
ATTACKS = {
    "read a file": "open(target).read()",
    "write a file": "open(target, 'w').write('changed')",
    "remove a file": "os.unlink(target)",
    "list a folder": "os.listdir(os.path.dirname(target))",
    "open a socket": "import _socket; _socket.socket(1, 1)",
    "start a process": "os.fork() or os._exit(0)",
    "run a program": "os.execv(sys.executable, [sys.executable, '-c', 'print(\"done\")'])",
    "signal quizzer": "os.kill(os.getppid(), 0)",
    "see your environment": "assert len(os.environ)",
    "take 1 GB of memory": "bytes(1 << 30)",
    _ENDLESS: "while True: pass",
}
_SECONDS = 0.5
_UNTIL_ENDED = 0.01
"""Seconds of an endless attack, which takes all of them."""
_ATTACK = """
import os, sys
target = {target!r}
def end(text):
    os.write(1, text.encode())
    os._exit(0)
try:
    {code}
except BaseException as error:
    end("kept out: " + type(error).__name__)
end("done")
"""


def _attacked(worker: Worker, name: str, code: str, target: Path) -> Attack:
    source = _ATTACK.format(target=str(target), code=code)
    seconds = _UNTIL_ENDED if name == _ENDLESS else _SECONDS
    try:
        completed = worker.exchange(b"python\n" + source.encode(), seconds)
    except SandboxError as error:
        return Attack(name, False, str(error))
    if completed.code in OUT_OF_TIME:
        return Attack(name, True, "ended when its time was up")
    printed = completed.printed.decode("ascii", "replace")
    outcome, _, refusal = printed.partition(": ")
    if outcome == "kept out":
        return Attack(name, True, f"refused: {refusal}")
    return Attack(name, False, "it can" if printed == "done" else "it could not be tried")


def _limits() -> Protection:
    if sys.platform == "win32":
        return Protection("limits", False, "Windows has no such limits")
    if sys.platform != "linux":
        return Protection("limits", True, "processor time, written files, processes; not memory")
    megabytes = confine.MEMORY >> 20
    return Protection("limits", True, f"processor time, {megabytes} MB of memory, files, processes")


def _user() -> Protection:
    if sys.platform == "win32" or os.geteuid() != 0:
        return Protection("user", False, "the code runs as you: only root can become another user")
    if not confine.may_become_nobody():
        return Protection("user", False, "the code runs as root: this container has no other user")
    return Protection("user", True, "the code runs as a user who owns nothing")


def _landlock() -> Protection:
    version = landlock.version()
    if not version:
        return Protection("Landlock", False, _only_linux("the kernel does not offer it"))
    closed = ["files"]
    if version >= landlock.TCP_SINCE:
        closed.append("TCP")
    if version >= landlock.SIGNALS_SINCE:
        closed.append("signals")
    return Protection("Landlock", True, f"{', '.join(closed)} (version {version})")


def _seccomp() -> Protection:
    why_not = seccomp.missing()
    kept_out = "every system call but those that computing needs"
    return Protection("seccomp", why_not is None, why_not or kept_out)


def _linux(name: str, note: str) -> Protection:
    active = sys.platform == "linux"
    return Protection(name, active, note if active else _only_linux(""))


def _only_linux(otherwise: str) -> str:
    return otherwise if sys.platform == "linux" else "only Linux has it"
