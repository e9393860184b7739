"""Which walls stand round the code of cards and answers here, and the proof that they hold."""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from quizzer.sandbox import confine, landlock, seccomp
from quizzer.sandbox.confine import enclosed as enclosed
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.orders import OUT_OF_TIME
from quizzer.sandbox.worker import Worker, best_worker


@dataclass(frozen=True, slots=True)
class Wall:
    """One wall. `says`: what it keeps out, or why it does not stand."""

    name: str
    stands: bool
    says: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One harmless attack on ourselves, and whether it was kept out; `says`: what became of it."""

    name: str
    kept_out: bool
    says: str


def standing() -> tuple[Wall, ...]:
    """Every wall that there may be, in order, found by asking the kernel."""
    return (
        Wall("process", True, "a crash, a time limit and patched modules stay in a process"),
        Wall("environment", True, "no variable of yours is passed on"),
        _limits(),
        _linux("privileges", "none can be gained, no debugger can attach, none outlives quizzer"),
        _user(),
        _landlock(),
        _seccomp(),
    )


def prove(worker: Worker | None = None) -> tuple[Attempt, ...]:
    """Attack ourselves in every way in `ATTACKS`, with a file of our own as the prey."""
    used = worker or best_worker()
    try:
        with tempfile.TemporaryDirectory() as folder:
            prey = Path(folder, "prey")
            prey.write_text("untouched", "utf-8")
            Path(folder).chmod(0o777)
            prey.chmod(0o666)  # so that nothing but the walls protects it
            return tuple(_attempt(used, name, code, prey) for name, code in ATTACKS.items())
    finally:
        used.close()


ATTACKS = {
    "read a file": "open(prey).read()",
    "write a file": "open(prey, 'w').write('changed')",
    "remove a file": "os.unlink(prey)",
    "list a folder": "os.listdir(os.path.dirname(prey))",
    "open a socket": "import _socket; _socket.socket(1, 1)",
    "start a process": "os.fork() or os._exit(0)",
    "run a program": "os.execv(sys.executable, [sys.executable, '-c', 'print(\"done\")'])",
    "signal quizzer": "os.kill(os.getppid(), 0)",
    "see your environment": "assert len(os.environ)",
    "take 1 GB of memory": "bytes(1 << 30)",
    "run without end": "while True: pass",
}
_SECONDS = 0.5
_ATTACK = """
import os, sys
prey = {prey!r}
def say(text):
    os.write(1, text.encode())
    os._exit(0)
try:
    {code}
except BaseException as error:
    say("kept out: " + type(error).__name__)
say("done")
"""


def _attempt(worker: Worker, name: str, code: str, prey: Path) -> Attempt:
    from quizzer.checker.requests import Describe
    from quizzer.sandbox.wire import pack

    source = _ATTACK.format(prey=str(prey), code=code)
    try:
        ended = worker.exchange(b"describe\n" + pack(Describe(source)), _SECONDS)
    except SandboxError as error:
        return Attempt(name, False, str(error))
    if ended.code in OUT_OF_TIME:
        return Attempt(name, True, "ended when its time was up")
    said = ended.printed.decode("ascii", "replace")
    what, _, refusal = said.partition(": ")
    if what == "kept out":
        return Attempt(name, True, f"refused: {refusal}")
    return Attempt(name, False, "it can" if said == "done" else "it could not be tried")


def _limits() -> Wall:
    if sys.platform == "win32":
        return Wall("limits", False, "Windows has no such limits")
    if sys.platform != "linux":
        return Wall("limits", True, "processor time, written files, processes; not memory")
    megabytes = confine.MEMORY >> 20
    return Wall("limits", True, f"processor time, {megabytes} MB of memory, files, processes")


def _user() -> Wall:
    if sys.platform == "win32" or os.geteuid() != 0:
        return Wall("user", False, "the code runs as you: only root can become another user")
    if not confine.may_become_nobody():
        return Wall("user", False, "the code runs as root: this container knows no other user")
    return Wall("user", True, "the code runs as a user who owns nothing")


def _landlock() -> Wall:
    version = landlock.version()
    if not version:
        return Wall("Landlock", False, _only_linux("the kernel does not offer it"))
    closed = ["files"]
    if version >= landlock.TCP_SINCE:
        closed.append("TCP")
    if version >= landlock.SIGNALS_SINCE:
        closed.append("signals")
    return Wall("Landlock", True, f"{', '.join(closed)} (version {version})")


def _seccomp() -> Wall:
    why_not = seccomp.missing()
    kept_out = "every call to the kernel but those that computing needs"
    return Wall("seccomp", why_not is None, why_not or kept_out)


def _linux(name: str, says: str) -> Wall:
    stands = sys.platform == "linux"
    return Wall(name, stands, says if stands else _only_linux(""))


def _only_linux(otherwise: str) -> str:
    return otherwise if sys.platform == "linux" else "only Linux has it"
