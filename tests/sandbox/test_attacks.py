"""Attacks on the program, the files and the verdict: by an answer, and by a deck's checker.

Each runs through the real judge. Whatever it tries, it is no right answer; the next honest check is
right, no file has changed and no process is left.
"""

import ctypes
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from quizzer.judge.judgement import Broken, Judgement
from quizzer.judge.judges import Judge
from quizzer.sandbox import protection
from quizzer.text import clean
from quizzer.values import Verdict

pytestmark = pytest.mark.skipif(not protection.enclosed(), reason="needs a sandbox")

CHECKER = (Path(__file__).parent.parent / "checkers" / "linear.py").read_text("utf-8")
RIGHT = "dy @ x.T"
PATIENCE = 30.0
"""The time limit of a stage for attacks that end by themselves, however busy the machine is."""
SECONDS = 0.5
"""The time limit of a stage for attacks that never end."""

REFUSED = "PermissionError"
NO_RESULT = "without a result"
TIME = "longer than"

PRELUDE = """
import ctypes, os, signal, socket, sys, time
import numpy as np
home, deck = {home!r}, {deck!r}
libc = ctypes.CDLL(None, use_errno=True)
def refused(value):
    if value == -1:
        raise PermissionError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    raise AssertionError("it was allowed")
def bomb(start):
    started = 0
    for _ in range(200):
        try:
            start()
            started += 1
        except (OSError, RuntimeError) as error:
            last = error
    raise last if not started else AssertionError(f"{{started}} were started")
"""

FILES = {
    "read the password file": "open('/etc/passwd').read()",
    "read a file in the home folder": "open(home + '/notes.txt').read()",
    "read the deck": "os.open(deck + '/card.md', os.O_RDONLY)",
    "read its own program": "open(sys.executable, 'rb')",
    "list the home folder": "os.listdir(home)",
    "look whether a file is there": "os.stat(home + '/notes.txt')",
    "write to a file": "open(home + '/notes.txt', 'w').write('gone')",
    "append to a file": "open(home + '/notes.txt', 'a').write('more')",
    "create a file": "os.open(home + '/new', os.O_CREAT | os.O_WRONLY)",
    "write through NumPy": "np.ones(9).tofile(deck + '/card.md')",
    "save an array": "np.save(deck + '/array', np.ones(9))",
    "load a file through NumPy": "np.fromfile(home + '/notes.txt')",
    "remove a file": "os.unlink(deck + '/card.md')",
    "remove a folder": "os.rmdir(home + '/empty')",
    "rename a file": "os.rename(deck + '/card.md', home + '/card.md')",
    "truncate a file": "os.truncate(deck + '/card.md', 0)",
    "change permissions": "os.chmod(home + '/notes.txt', 0o777)",
    "change the time of a file": "os.utime(home + '/notes.txt', (0, 0))",
    "link to a file": "os.symlink('/etc', home + '/link')",
    "make a folder": "os.mkdir(home + '/folder')",
    "make a pipe": "os.mkfifo(home + '/pipe')",
    "go to the home folder": "os.chdir(home)",
    "hold bytes in a nameless file": "os.memfd_create('x')",
}
PROCESSES = {
    "fork": "os.fork() or time.sleep(60)",
    "fork bomb": "bomb(os.fork)",
    "fork by a raw call": "refused(libc.syscall(57))",
    "clone by a raw call": "refused(libc.syscall(435, 0, 0))",
    "a grandchild in a session of its own": "os.fork() or (os.setsid(), os.fork(), time.sleep(60))",
    "run a program": "os.execv('/bin/sh', ['sh', '-c', 'touch ' + home + '/new'])",
    "spawn a program": "import subprocess; subprocess.run(['/bin/true'])",
    "signal its parent": "os.kill(os.getppid(), signal.SIGKILL)",
    "signal the group of its parent": "os.killpg(os.getppid(), signal.SIGTERM)",
    "trace its parent": "refused(libc.ptrace(16, os.getppid(), 0, 0))",
    "read its parent's memory": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "read its parent's memory by a raw call": (
        "refused(libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0))"
    ),
    "raise its limits": "refused(libc.setrlimit(0, ctypes.create_string_buffer(b'\\xff' * 16)))",
    "let others trace it": "refused(libc.prctl(4, 1, 0, 0, 0))",
    "a user namespace of its own": "refused(libc.unshare(0x10000000))",
    "become root": "os.setuid(0)",
    "a ring of calls": "refused(libc.syscall(425, 8, ctypes.create_string_buffer(120)))",
}
NETWORK = {
    "a socket to the world": "socket.socket(socket.AF_INET).connect(('127.0.0.1', 9))",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "a socket to a service": "socket.socket(socket.AF_UNIX).connect('/run/dbus/system_bus_socket')",
    "a socket by a raw call": "refused(libc.syscall(41, 2, 2, 0))",
}
OTHERS = {
    "thread": ("import threading; threading.Thread(target=print).start()", "start new thread"),
    "thread bomb": (
        "import threading; bomb(lambda: threading.Thread(target=time.sleep, args=(60,)).start())",
        "start new thread",
    ),
    "100 GB at once": ("bytearray(100 << 30)", "MemoryError"),
    "an array of 8 TB": ("np.ones(10**12)", "allocate"),
    "append bomb": ("a = []\nwhile True: a.append(bytearray(1 << 20))", f"MemoryError|{TIME}"),
    "a string that doubles": ("a = 'x'\nwhile True: a += a", f"MemoryError|{TIME}"),
    "endless recursion": ("def f(): f()\nf()", "[Rr]ecursion"),
    "segmentation fault": ("ctypes.string_at(0)", "SIGSEGV"),
    "abort": ("os.abort()", "SIGABRT"),
    "stack overflow in C": ("a = ()\nfor _ in range(10**6): a = (a,)\nhash(a)", "SIGSEGV"),
    "kill itself": ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    "exit with 0": ("os._exit(0)", NO_RESULT),
    "exit with 3": ("os._exit(3)", "exit code 3"),
    "close every descriptor": ("os.closerange(0, 99)", ""),
    "a frame that says nothing": ("os.write(3, b'+' + bytes(8))\nos._exit(0)", NO_RESULT),
    "a frame in front of the real one": ("os.write(3, b'+' + bytes(8))", NO_RESULT),
    "half a frame": ("os.write(3, b'+' + b'\\x10' * 5)\nos._exit(0)", NO_RESULT),
    "a frame of 4 GB": ("os.write(3, b'+' + b'\\xff' * 8)\nos._exit(0)", NO_RESULT),
    "a reply of 80 MB": (
        "for _ in range(80): os.write(3, b'+' * (1 << 20))\nos._exit(0)",
        NO_RESULT,
    ),
    "a pickle": (
        "import pickle\nos.write(3, b'+' + pickle.dumps(print))\nos._exit(0)",
        NO_RESULT,
    ),
    "deep JSON": (
        "a = b'[' * 99999\nimport struct\n"
        "os.write(3, b'+' + struct.pack('<II', len(a), 0) + a)\nos._exit(0)",
        NO_RESULT,
    ),
    "a number with 400 digits": (
        "import struct\na = b'[1' + b'0' * 400 + b']'\n"
        "os.write(3, b'+' + struct.pack('<II', len(a), 0) + a)\nos._exit(0)",
        NO_RESULT,
    ),
    "an empty array of astronomic shape": (
        'import struct\na = b\'{"":["<f8",[0,67108864,67108864,67108864]]}\'\n'
        "os.write(3, b'+' + struct.pack('<II', len(a), 0) + a)\nos._exit(0)",
        NO_RESULT,
    ),
    "escape sequences in an exception": (
        "raise ValueError('\\x1b[2J\\x9b31m\\u202e')",
        "ValueError",
    ),
    "escape sequences in the last words": (
        "print('\\x1b]0;title\\x07', flush=True)\nos._exit(5)",
        "exit code 5",
    ),
    "an exception that cannot be shown": (
        "class E(Exception):\n    def __str__(self): raise E\nraise E",
        "",
    ),
    "other code than ours at the end": (
        "import quizzer.checker.stages as s\ns.pack = s.serve = lambda *_: b'+forged'\n"
        "raise KeyError",
        "",
    ),
}
ENDLESS = {
    "loop": "while True: pass",
    "loop in C": "9 ** 9 ** 9 ** 9",
    "loop in a regular expression": "import re; re.match('(a|a)*$', 'a' * 64 + 'b')",
    "sleep": "time.sleep(600)",
    "stop": "os.kill(os.getpid(), signal.SIGSTOP)",
    "ignored signals": (
        "for s in range(1, 65):\n"
        "    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "while True: pass"
    ),
    "printing": "while True: print('x' * 1000)",
    "swallowed exceptions": "while True:\n    try: os.fork()\n    except BaseException: pass",
}
ATTACKS = {
    **{name: (code, REFUSED) for name, code in (FILES | PROCESSES | NETWORK).items()},
    **OTHERS,
}


@dataclass(frozen=True)
class Ground:
    """Where attacks happen: a home folder and a deck that anybody may write to."""

    judge: Judge
    home: Path
    deck: Path
    files: dict[Path, tuple[int, int, bytes]]
    others: set[int]
    """Processes that tests before these have left running, on purpose."""

    def by_answer(self, code: str, seconds: float = PATIENCE, answer: str = RIGHT) -> Judgement:
        """What the judge says to an answer, the right one if it is not said, behind this code."""
        hidden = self._whole(code).encode().hex()
        typed = (
            "B = np.lib._npyio_impl.os.sys.modules['builtins']\n"
            "space = {'__builtins__': B, 'x': x, 'dy': dy}\n"
            f"_ = B.exec(B.bytes.fromhex('{hidden}').decode(), space)\n"
            f"dW = {answer}"
        )
        judgement = self.judged(f"seconds = {seconds}\n{CHECKER}", typed)
        assert isinstance(judgement, Judgement), judgement
        return judgement

    def by_deck(self, code: str, seconds: float = PATIENCE) -> Judgement | Broken:
        """What the judge says to the right answer to a checker in front of which this runs."""
        return self.judged(f"seconds = {seconds}\n{self._whole(code)}\n{CHECKER}", RIGHT)

    def judged(self, source: str, answer: str) -> Judgement | Broken:
        checker = self.deck / "attack.py"
        checker.write_text(source, "utf-8")
        try:
            return self.judge.judge(checker, {"dW": answer}, 1)
        finally:
            checker.unlink()

    def is_as_before(self) -> None:
        """The next honest check is right, nothing has changed and nothing is left."""
        honest = self.judged(CHECKER, RIGHT)
        assert isinstance(honest, Judgement), honest
        assert honest.verdict is Verdict.CORRECT
        assert contents(self.home, self.deck) == self.files
        only_the_sandbox_runs(self.others)

    def _whole(self, code: str) -> str:
        return PRELUDE.format(home=str(self.home), deck=str(self.deck)) + code


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    root = Path(tempfile.mkdtemp())
    home, deck = root / "home", root / "deck"
    for folder in (root, home, home / "empty", deck):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
    for file in (home / "notes.txt", deck / "card.md"):
        file.write_text("as it was", "utf-8")
        file.chmod(0o666)
    others = set(descendants(os.getpid(), set()))
    keep_descendants(True)
    try:
        with Judge() as judge:
            yield Ground(judge, home, deck, contents(home, deck), others)
        assert not descendants(os.getpid(), others)
    finally:
        keep_descendants(False)
        shutil.rmtree(root)


def contents(*folders: Path) -> dict[Path, tuple[int, int, bytes]]:
    """Mode, time of the last change and bytes of everything in the folders."""
    found = {}
    for path in (path for folder in folders for path in folder.rglob("*")):
        status = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        time_of_change = 0 if path.is_dir() else status.st_mtime_ns
        found[path] = status.st_mode, time_of_change, data
    return found


def keep_descendants(yes: bool) -> None:
    """Be the parent of whatever tries to slip away, so that it is found."""
    ctypes.CDLL(None).prctl(36, int(yes), 0, 0, 0)


def descendants(pid: int, without: set[int]) -> dict[int, int]:
    """All processes below this one, with their parents; none of `without` and below those."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry.name)] = int(fields[1])
    found: dict[int, int] = {}
    grown = True
    while grown:
        new = {
            child: parent
            for child, parent in parents.items()
            if (parent == pid or parent in found) and child not in found and child not in without
        }
        found |= new
        grown = bool(new)
    return found


def only_the_sandbox_runs(others: set[int]) -> None:
    """The warm process and its one child that waits for the next stage; nothing else, soon."""
    for _ in range(3000):
        found = descendants(os.getpid(), others)
        warm = [pid for pid, parent in found.items() if parent == os.getpid()]
        if len(warm) == 1 and len(found) == 2:
            return
        time.sleep(0.01)
    raise AssertionError(f"left over: {found}")


TOLD_OF_ANSWERS = {
    REFUSED: "may not do this",
    "start new thread": "cannot be computed",
    "MemoryError": "too much memory",
    "MemoryError|longer than": "too much memory|longer than",
    "allocate": "too much memory",
    "[Rr]ecursion": "nested too deeply",
    "ValueError": "do not fit",
}
"""What a learner reads where a deck's author reads Python's own words."""


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_by_an_answer_is_invalid(ground: Ground, name: str) -> None:
    code, says = ATTACKS[name]
    judgement = ground.by_answer(code)
    assert judgement.verdict is Verdict.INVALID
    message = judgement.answers[0].message
    assert re.search(TOLD_OF_ANSWERS.get(says, says), message)
    assert clean(message) == message
    ground.is_as_before()


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_by_a_deck_is_a_broken_checker(ground: Ground, name: str) -> None:
    code, says = ATTACKS[name]
    broken = ground.by_deck(code)
    assert isinstance(broken, Broken), broken
    assert re.search(says, broken.message)
    assert clean(broken.message) == broken.message
    ground.is_as_before()


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_an_answer_without_end_is_invalid(ground: Ground, name: str) -> None:
    judgement = ground.by_answer(ENDLESS[name], SECONDS)
    assert judgement.verdict is Verdict.INVALID
    assert TIME in judgement.answers[0].message
    ground.is_as_before()


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_a_deck_without_end_is_a_broken_checker(ground: Ground, name: str) -> None:
    broken = ground.by_deck(ENDLESS[name], SECONDS)
    assert isinstance(broken, Broken), broken
    assert TIME in broken.message
    ground.is_as_before()


def test_there_are_forty_attacks_and_more() -> None:
    assert len(ATTACKS) + len(ENDLESS) >= 40


LIES = {
    "patched NumPy": "np.allclose = np.array_equal = np.isfinite = np.max = lambda *a, **k: True",
    "patched builtins": "import builtins\nbuiltins.abs = builtins.max = lambda *a, **k: 0.0",
    "patched asarray": "np.asarray = lambda *a, **k: np.zeros(3)",
    "patched comparison of ours": """
import quizzer.judge.acceptance as acceptance
for name, value in list(vars(acceptance).items()):
    if callable(value):
        setattr(acceptance, name, lambda *a, **k: True)
""",
    "changed inputs": "x[...] = 0\ndy[...] = 0",
    "changed inputs of the callers": """
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        for array in value.values() if isinstance(value, dict) else ():
            if isinstance(array, np.ndarray):
                array[...] = 0
    frame = frame.f_back
""",
}
LIAR = """
class Liar(np.ndarray):
    __eq__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0.0
    shape = property(lambda self: (dy @ x.T).shape)
    __array_function__ = __array_ufunc__ = lambda self, *a, **k: 0.0
    __array__ = lambda self, *a, **k: np.ones(1)
"""
SPY = """
import gc
from quizzer.checker.instance import Truth
def things():
    yield from gc.get_objects()
    frame = sys._getframe()
    while frame:
        yield from frame.f_locals.values()
        frame = frame.f_back
found = []
for thing in things():
    for one in thing.values() if type(thing) is dict else [thing]:
        one = one.value if type(one) is Truth else one
        if type(one) is np.ndarray and one.shape == (len(dy), len(x)):
            found.append(one * 1.0)
"""


@pytest.mark.parametrize("name", LIES)
def test_lies_make_no_wrong_answer_right(ground: Ground, name: str) -> None:
    judgement = ground.by_answer(LIES[name], answer="3 * dy @ x.T + 1")
    assert judgement.verdict in (Verdict.WRONG, Verdict.INVALID)
    ground.is_as_before()


@pytest.mark.parametrize("shape", ["(dy @ x.T).shape", "(1,)"])
def test_an_array_that_lies_about_itself_is_not_right(ground: Ground, shape: str) -> None:
    judgement = ground.by_answer(LIAR, answer=f"np.ones({shape}).view(space['Liar'])")
    assert judgement.verdict in (Verdict.WRONG, Verdict.INVALID)
    ground.is_as_before()


def test_a_forward_that_gives_arrays_that_lie_harms_nobody(ground: Ground) -> None:
    source = CHECKER.replace(
        "W @ x + b[:, np.newaxis]", "(W @ x + b[:, np.newaxis]).view(liar(W, x))"
    )
    maker = "def liar(dy, x):\n" + LIAR.replace("\n", "\n    ") + "\n    return Liar\n"
    assert ground.judged(f"{maker}{source}", RIGHT) is not None
    ground.is_as_before()


@pytest.mark.parametrize("which", range(3))
def test_the_expected_answer_is_not_in_the_answer_s_process(ground: Ground, which: int) -> None:
    """Arrays of the right shape that frames and objects lead to are tried as the answer."""
    answer = f"(space['found'] + [np.zeros((len(dy), len(x)))] * 3)[{which}]"
    assert ground.by_answer(SPY, answer=answer).verdict is Verdict.WRONG
    ground.is_as_before()


def test_a_deck_leaves_nothing_for_the_answer_to_find(ground: Ground) -> None:
    source = f"import builtins\nbuiltins.truth = 1.0\n{CHECKER}"
    judgement = ground.judged(source, "np.lib._npyio_impl.os.sys.modules['builtins'].truth")
    assert isinstance(judgement, Judgement), judgement
    assert judgement.verdict is Verdict.INVALID
    assert "There is nothing called truth here." in judgement.answers[0].message
    ground.is_as_before()


@pytest.mark.slow
def test_eight_megabytes_of_printing_harm_nobody(ground: Ground) -> None:
    code = "print('x' * (8 << 20))"
    for judgement in (ground.by_answer(code), ground.by_deck(code)):
        assert isinstance(judgement, Judgement), judgement
        assert judgement.verdict is Verdict.CORRECT
    ground.is_as_before()


def test_children_see_no_environment(ground: Ground) -> None:
    code = "raise AssertionError(list(os.environ))"
    assert "Your assertion fails: []" in ground.by_answer(code).answers[0].message
    broken = ground.by_deck(code)
    assert isinstance(broken, Broken)
    assert "AssertionError: []" in broken.message


def test_escape_sequences_in_a_forged_reply_are_not_shown(ground: Ground) -> None:
    code = """
import json, struct
from quizzer.checker.answer import Evaluated
worked = dict.fromkeys(Evaluated.__struct_fields__)
arrays = [{"": "<f8 0"}]
worked |= {"values": arrays * 4, "further": arrays * 16, "tied": [], "readings": []}
worked |= {"many": [], "set_aside": [], "late": False}
header = json.dumps({"texts": [worked | {"notation": "\\x1b[2J"}]}).encode()
os.write(3, b"+" + struct.pack("<II", len(header), 0) + header)
os._exit(0)
"""
    judgement = ground.by_answer(code)
    assert judgement.verdict is Verdict.WRONG
    assert "\\x1b" not in repr(judgement)
    ground.is_as_before()
