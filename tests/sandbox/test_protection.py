"""Each protection by itself, so that none only seems to work because another one does."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import is_gone_soon

from quizzer.sandbox import confine, landlock, protection, seccomp
from quizzer.sandbox.worker import Completed, ProcessWorker, ZygoteWorker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="this sandbox is that of Linux")
needs_landlock = pytest.mark.skipif(not landlock.version(), reason="needs Landlock")
needs_seccomp = pytest.mark.skipif(bool(seccomp.missing()), reason="needs seccomp")

ROOT = Path(__file__).parent.parent.parent
IMPORTS = """
import ctypes, os, signal, socket, sys, threading, time
from pathlib import Path
from quizzer.sandbox import confine, landlock, seccomp
def outcome(action):
    try:
        action()
    except OSError as error:
        return f"{type(error).__name__} {error.errno}"
    except (MemoryError, RuntimeError) as error:
        return type(error).__name__
    return "done"
"""
LANDLOCK = "confine.step_down(os.getppid()); landlock.restrict(landlock.version())\n"
SECCOMP = "confine.step_down(os.getppid()); seccomp.restrict()\n"
LIMITS = "confine.become_nobody(); confine.limit(2.0)\n"
REFUSED_BY_LANDLOCK, REFUSED_BY_SECCOMP = "PermissionError 13", "PermissionError 1"


def run(program: str) -> str:
    """What a program of its own prints, with these modules at hand."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS + program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.stdout.strip()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may use."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.fixture
def prey(public: Path) -> Iterator[Path]:
    """A file that anybody may read and write, were there no sandbox."""
    file = public / "file"
    file.write_text("as it was")
    file.chmod(0o666)
    yield file
    assert file.read_text() == "as it was"


@needs_landlock
@pytest.mark.parametrize(
    "action",
    [
        "Path(prey).read_text()",
        "Path(prey).write_text('x')",
        "os.unlink(prey)",
        "os.truncate(prey, 0)",
        "os.listdir(os.path.dirname(prey))",
        "os.mkdir(os.path.dirname(prey) + '/new')",
        "os.execv('/bin/true', ['true'])",
    ],
)
def test_landlock_alone_keeps_every_file_closed(prey: Path, action: str) -> None:
    program = f"prey = {str(prey)!r}\n{LANDLOCK}print(outcome(lambda: {action}))"
    assert run(program) == REFUSED_BY_LANDLOCK


@pytest.mark.skipif(landlock.version() < landlock.TCP_SINCE, reason="needs a newer Landlock")
def test_landlock_alone_keeps_tcp_closed() -> None:
    program = f"s = socket.socket()\n{LANDLOCK}print(outcome(lambda: s.connect(('127.0.0.1', 9))))"
    assert run(program) == REFUSED_BY_LANDLOCK


@pytest.mark.skipif(landlock.version() < landlock.SIGNALS_SINCE, reason="needs a newer Landlock")
def test_landlock_alone_keeps_signals_in() -> None:
    program = f"{LANDLOCK}print(outcome(lambda: os.kill(os.getppid(), 0)))"
    assert run(program) == REFUSED_BY_SECCOMP  # EPERM, as the kernel answers signals


@needs_seccomp
@pytest.mark.parametrize(
    "action",
    [
        "os.open(prey, os.O_RDONLY)",
        "os.open(prey, os.O_WRONLY)",
        "os.stat(prey)",
        "os.unlink(prey)",
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "os.kill(os.getppid(), 0)",
        "os.kill(-1, 0)",
        "os.pipe()",
    ],
)
def test_seccomp_alone_refuses_it(prey: Path, action: str) -> None:
    program = f"prey = {str(prey)!r}\n{SECCOMP}print(outcome(lambda: {action}))"
    assert run(program) == REFUSED_BY_SECCOMP


@needs_seccomp
def test_seccomp_alone_refuses_threads() -> None:
    program = f"{SECCOMP}print(outcome(threading.Thread(target=print).start))"
    assert run(program) == "RuntimeError"


@needs_seccomp
def test_seccomp_ends_a_process_that_uses_the_numbers_of_another_architecture() -> None:
    """`int 0x80` takes 32-bit numbers, of which 20 is getpid and harmless."""
    program = """
import mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b814000000cd80c3"))
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
pid = os.fork()
if not pid:
    confine.step_down(os.getppid())
    seccomp.restrict()
    call()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert run(program) == "-31"  # SIGSYS


@needs_seccomp
def test_a_signal_to_oneself_is_allowed() -> None:
    program = f"{SECCOMP}print(outcome(lambda: os.kill(os.getpid(), 0)))"
    assert run(program) == "done"


@pytest.mark.skipif(
    os.geteuid() == 0 and not confine.may_become_nobody(), reason="root has no such limit"
)
def test_limits_alone_bound_a_fork_bomb() -> None:
    program = f"""
{LIMITS}
started = 0
for _ in range(300):
    try:
        if not os.fork():
            time.sleep(5)
            os._exit(0)
        started += 1
    except OSError:
        pass
print(started)
"""
    assert run(program) == "0"


def test_limits_alone_bound_memory() -> None:
    assert run(f"{LIMITS}print(outcome(lambda: bytearray(confine.MEMORY)))") == "MemoryError"
    assert run(f"{LIMITS}print(outcome(lambda: bytearray(confine.MEMORY // 2)))") == "done"


@pytest.mark.slow
def test_limits_alone_bound_processor_time() -> None:
    program = """
pid = os.fork()
if not pid:
    confine.limit(0.0)
    while True: pass
status = os.waitpid(pid, 0)[1]
print(os.waitstatus_to_exitcode(status) == -signal.SIGXCPU)
"""
    assert run(program) == "True"


def test_limits_alone_keep_files_from_growing(prey: Path) -> None:
    program = f"file = os.open({str(prey)!r}, os.O_WRONLY | os.O_APPEND)\n{LIMITS}"
    program += "print(outcome(lambda: os.write(file, b'more')))"
    assert run(program) == "OSError 27"  # EFBIG


@pytest.mark.skipif(not confine.may_become_nobody(), reason="only root becomes somebody else")
def test_root_becomes_nobody_for_good() -> None:
    program = """
confine.step_down(os.getppid())
print(os.getresuid(), os.getresgid(), os.getgroups(), outcome(lambda: os.setuid(0)))
"""
    nobody = (confine.NOBODY,) * 3
    assert run(program) == f"{nobody} {nobody} [] {REFUSED_BY_SECCOMP}"


def test_stepping_down_leaves_no_privileges_and_no_debugger() -> None:
    program = """
confine.step_down(os.getppid())
libc = ctypes.CDLL(None)
print(libc.prctl(39, 0, 0, 0, 0), libc.prctl(3, 0, 0, 0, 0))
"""
    assert run(program) == "1 0"  # no_new_privs, dumpable


def test_a_child_dies_with_its_parent() -> None:
    program = """
pid = os.fork()
if not pid:
    parent = os.getpid()
    ready, done = os.pipe()
    child = os.fork()
    if not child:
        confine.step_down(parent)
        os.write(done, b"x")
        time.sleep(60)
    os.read(ready, 1)
    print(child, flush=True)
    os.kill(parent, signal.SIGKILL)
os.waitpid(pid, 0)
"""
    assert is_gone_soon(int(run(program)))


def test_a_child_whose_parent_has_gone_ends_at_once() -> None:
    assert run("confine.step_down(1 << 30)\nprint('still here')") == ""


def test_a_grandchild_in_a_session_of_its_own_is_ended() -> None:
    program = """
from quizzer.sandbox.zygote import Child, end
confine.adopt_orphans()
ready, done = os.pipe()
pid = os.fork()
if not pid:
    os.setsid()
    if not os.fork():
        os.setsid()
        for _ in range(3):
            os.fork()
        os.write(done, b"x")
        time.sleep(60)
    os._exit(3)
os.read(ready, 8)
code = end(Child(pid, socket.socket()), 1.0, None)
print(code, confine.children(), flush=True)
os._exit(0)
"""
    assert run(program) == "3 set()"


def test_a_child_that_leads_no_group_yet_is_ended() -> None:
    program = """
from quizzer.sandbox.zygote import Child, end
pid = os.fork()
if not pid:
    time.sleep(60)
print(end(Child(pid, socket.socket()), 0.0, None))
"""
    assert run(program) == "-9"


def test_every_protection_says_whether_it_is_active() -> None:
    found = {each.name: each.active for each in protection.protections()}
    assert found["Landlock"] == (landlock.version() > 0)
    assert found["seccomp"] == (seccomp.missing() is None) == protection.enclosed()
    assert found["user"] == confine.may_become_nobody()
    assert found["process"] and found["environment"] and found["limits"]
    assert all(each.note for each in protection.protections())


@pytest.mark.slow
@needs_seccomp
@pytest.mark.parametrize("kind", [ZygoteWorker, ProcessWorker])
def test_in_the_sandbox_every_attack_is_kept_out(
    kind: type[ZygoteWorker] | type[ProcessWorker],
) -> None:
    attacks = protection.attack(kind)
    assert [attack.name for attack in attacks] == list(protection.ATTACKS)
    assert [attack for attack in attacks if not attack.kept_out] == []


class OpenWorker:
    """A process without a sandbox."""

    def __init__(self, service: str) -> None: ...

    def start(self) -> None: ...

    def expect(self, message: bytes) -> None: ...

    def close(self) -> None: ...

    def exchange(self, message: bytes, seconds: float) -> Completed:
        try:
            done = subprocess.run(
                [sys.executable, "-c", message.partition(b"\n")[2]],
                capture_output=True,
                timeout=seconds + 2,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Completed(b"", b"", None)
        return Completed(b"", done.stdout, done.returncode)


@pytest.mark.slow
def test_without_a_sandbox_nothing_is_claimed() -> None:
    attacks = {attack.name: attack.kept_out for attack in protection.attack(OpenWorker)}
    assert attacks.pop("run without end")
    assert not any(attacks.values()), attacks


AS_SOMEBODY = """
import os, sys
from pathlib import Path
from quizzer.sandbox import protection
from quizzer.judge.judges import Judge
with Judge() as judge:
    checker = Path("tests/checkers/linear.py")
    for answer in ("dy @ x.T", "2 * dy @ x.T", "np.lib._npyio_impl.os.fork() * dy @ x.T"):
        judgement = judge.judge(checker, {"dW": answer}, 1)
        print(judgement.verdict)
print(os.geteuid() != 0, {attack.kept_out for attack in protection.attack()})
"""


@pytest.mark.slow
@needs_seccomp
def test_the_sandbox_works_for_an_ordinary_user(public: Path) -> None:
    python, drop = sys.executable, {}
    if os.geteuid() == 0:
        python, drop = (
            interpreter_for_nobody(public),
            {"user": confine.NOBODY, "group": confine.NOBODY},
        )
    done = subprocess.run(
        [python, "-c", AS_SOMEBODY],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **drop,  # type: ignore[arg-type]
    )
    assert done.stdout.split() == ["correct", "wrong", "invalid", "True", "{True}"], done.stderr


def interpreter_for_nobody(folder: Path) -> str:
    """An interpreter with NumPy and quizzer that a user without rights may run, or skip."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    (folder / "bin").mkdir()
    (folder / "lib" / version).mkdir(parents=True)
    (folder / "lib" / version / "site-packages").symlink_to(packages)
    python = folder / "bin" / "python"
    for candidate in (Path(sys.executable).resolve(), Path("/usr/bin", version)):
        (folder / "pyvenv.cfg").write_text(f"home = {candidate.parent}\n")
        python.unlink(missing_ok=True)
        python.symlink_to(candidate)
        try:
            subprocess.run(
                [python, "-c", "import numpy, quizzer"],
                cwd=ROOT,
                user=confine.NOBODY,
                group=confine.NOBODY,
                capture_output=True,
                check=True,
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return str(python)
    pytest.skip("no interpreter here that an ordinary user may run")
