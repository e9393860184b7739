"""Processes: what they may take, how they end, and that none is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzer.check.answer import Work, WorkedTexts
from quizzer.review import Verdict
from quizzer.sandbox import stages
from quizzer.sandbox.judge import Judge
from quizzer.sandbox.stages import Failed
from quizzer.sandbox.worker import ProcessWorker, Worker, ZygoteWorker

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="a zygote needs Linux")


@pytest.fixture(params=[pytest.param(ZygoteWorker, marks=linux_only), ProcessWorker])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    worker = request.param()
    yield worker
    worker.close()


@pytest.fixture
def zygote() -> Iterator[ZygoteWorker]:
    worker = ZygoteWorker()
    yield worker
    worker.close()


def work(worker: Worker, text: str, seconds: float = 2.0) -> WorkedTexts | Failed:
    return stages.run(worker, stages.WORK, Work("a", (text,), ({},)), seconds)


def number(worker: Worker, text: str) -> float:
    """The number that the text gives."""
    worked = work(worker, text)
    assert isinstance(worked, WorkedTexts), worked
    assert worked.texts[0].invalid is None, worked
    return float(worked.texts[0].values[0])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_gone_soon(pid: int) -> bool:
    for _ in range(500):
        if not is_running(pid):
            return True
        time.sleep(0.02)
    return False


def test_a_stage_gives_its_result(worker: Worker) -> None:
    assert number(worker, "a = 6 * 7") == 42


def test_a_process_that_ends_early_is_a_crash(worker: Worker) -> None:
    for text in ("import os\nos._exit(0)\na = 1", "import os\nos.kill(os.getpid(), 11)\na = 1"):
        failed = work(worker, text)
        assert isinstance(failed, Failed)
        assert failed.kind == "crash"


def test_the_last_printed_line_of_a_crash_is_told(worker: Worker) -> None:
    failed = work(worker, "import os\nprint('so far', flush=True)\nos._exit(3)\na = 1")
    assert isinstance(failed, Failed)
    assert failed.message == "the process ended with exit code 3 after printing: so far"


def test_time_is_limited(worker: Worker) -> None:
    failed = work(worker, "while True: pass\na = 1", 0.3)
    assert isinstance(failed, Failed)
    assert failed.kind == "timeout"


def test_ignored_signals_do_not_help(worker: Worker) -> None:
    text = "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True: print('x' * 999)\na = 1"
    failed = work(worker, text, 0.3)
    assert isinstance(failed, Failed)
    assert failed.kind == "timeout"


@linux_only
def test_memory_is_limited(worker: Worker) -> None:
    worked = work(worker, "a = np.ones(2**28)")
    assert isinstance(worked, WorkedTexts)
    assert "memory" in str(worked.texts[0].invalid)


@linux_only
def test_files_cannot_grow(worker: Worker, tmp_path: Path) -> None:
    target = tmp_path / "file"
    text = f"with open({str(target)!r}, 'w') as f: f.write('x' * 10000)\na = 1"
    work(worker, text)
    assert not target.exists() or target.stat().st_size == 0


def test_the_environment_tells_nothing_of_the_learner(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZZER_STORE", "/somewhere")
    text = "import os\na = len([n for n in os.environ if n == 'HOME' or n.startswith('QUIZ')])"
    assert number(worker, text) == 0


def test_nothing_can_be_read_from_stdin(worker: Worker) -> None:
    assert number(worker, "import sys\na = len(sys.stdin.read())") == 0


@linux_only
def test_no_privileges_can_be_gained(worker: Worker) -> None:
    text = "t = open('/proc/self/status').read()\na = int(t.split('NoNewPrivs:')[1].split()[0])"
    assert number(worker, text) == 1


@linux_only
def test_stages_share_nothing(zygote: ZygoteWorker) -> None:
    assert number(zygote, "np.left_behind = 1\na = 1") == 1
    assert number(zygote, "a = float(hasattr(np, 'left_behind'))") == 0


@linux_only
def test_a_grandchild_that_leaves_its_group_is_ended(zygote: ZygoteWorker) -> None:
    text = """import os, time
def a():
    r, w = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(w, str(os.getpid()).encode())
            os.close(w)
            for fd in range(3, 30):
                try:
                    os.close(fd)
                except OSError:
                    pass
            time.sleep(600)
        os._exit(0)
    os.close(w)
    return int(os.read(r, 99))
"""
    worked = work(zygote, text)
    if isinstance(worked, WorkedTexts) and worked.texts[0].invalid:
        assert "unavailable" in worked.texts[0].invalid
        return  # an ordinary user's processes cannot fork at all
    assert isinstance(worked, WorkedTexts), worked
    assert not is_running(int(worked.texts[0].values[0]))


@linux_only
def test_a_killed_zygote_is_replaced(zygote: ZygoteWorker) -> None:
    first = number(zygote, "import os\na = os.getppid()")
    os.kill(int(first), signal.SIGKILL)
    assert is_gone_soon(int(first))
    assert number(zygote, "import os\na = os.getppid()") != first


@linux_only
def test_closing_leaves_no_process(zygote: ZygoteWorker) -> None:
    pid = int(number(zygote, "import os\na = os.getppid()"))
    zygote.close()
    assert not is_running(pid)


@linux_only
def test_a_killed_program_leaves_no_process(tmp_path: Path) -> None:
    program = """
from quizzer.sandbox.worker import ZygoteWorker
from quizzer.sandbox import stages
from quizzer.check.answer import Work
worker = ZygoteWorker()
text = "import os\\na = os.getppid()"
worked = stages.run(worker, stages.WORK, Work("a", (text,), ({},)), 2.0)
print(int(worked.texts[0].values[0]), flush=True)
stages.run(worker, stages.WORK, Work("a", ("while True: pass\\na = 1",), ({},)), 30.0)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as running:
        assert running.stdout
        zygote = int(running.stdout.readline())
        children: list[str] = []
        while not children:
            children = Path(f"/proc/{zygote}/task/{zygote}/children").read_text().split()
        running.kill()
    assert is_gone_soon(zygote)
    assert is_gone_soon(int(children[0]))


def test_a_judge_works_without_a_zygote(checkers: Path) -> None:
    with Judge(ProcessWorker()) as judge:
        judgement = judge.judge(checkers / "linear.py", {"dW": "dy @ x.T"}, 1)
    assert judgement.verdict is Verdict.CORRECT


def test_importing_the_face_imports_no_numpy() -> None:
    program = "import sys, quizzer.sandbox.judge; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
