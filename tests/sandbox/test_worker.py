"""Processes: what they may take, how they end, and that none is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzer.check.problem import Describe, Described
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


def execute(worker: Worker, source: str, seconds: float = 2.0) -> Described | Failed:
    """The source run as a checker's, which may be any Python."""
    return stages.run(worker, stages.DESCRIBE, Describe(source), seconds)


def number(worker: Worker, source: str) -> float:
    """The number that the source calls `a`."""
    failed = execute(worker, f"import os\n{source}\nraise ValueError(a)")
    assert isinstance(failed, Failed)
    assert failed.kind == "checker"
    return float(failed.message.rpartition("ValueError: ")[2])


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
    for source in ("import os; os._exit(0)", "import os; os.kill(os.getpid(), 11)"):
        failed = execute(worker, source)
        assert isinstance(failed, Failed)
        assert failed.kind == "crash"


def test_the_last_printed_line_of_a_crash_is_told(worker: Worker) -> None:
    failed = execute(worker, "import os\nprint('so far', flush=True)\nos._exit(3)")
    assert isinstance(failed, Failed)
    assert failed.message == "the process ended with exit code 3 after printing: so far"


def test_time_is_limited(worker: Worker) -> None:
    failed = execute(worker, "while True: pass", 0.3)
    assert isinstance(failed, Failed)
    assert failed.kind == "timeout"


@linux_only
def test_ignored_signals_do_not_help(zygote: ZygoteWorker) -> None:
    source = "import signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True: print('x' * 999)"
    failed = execute(zygote, source, 0.3)
    assert isinstance(failed, Failed)
    assert failed.kind == "timeout"


@linux_only
def test_memory_is_limited(worker: Worker) -> None:
    source = """
try:
    a = len(bytearray(2**30))
except MemoryError:
    a = -1
"""
    assert number(worker, source) == -1


@linux_only
def test_files_cannot_grow(worker: Worker, tmp_path: Path) -> None:
    target = tmp_path / "file"
    execute(worker, f"with open({str(target)!r}, 'w') as f: f.write('x' * 10000)")
    assert not target.exists() or target.stat().st_size == 0


def test_the_environment_tells_nothing_of_the_learner(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZZER_STORE", "/somewhere")
    source = "a = len([n for n in os.environ if n == 'HOME' or n.startswith('QUIZ')])"
    assert number(worker, source) == 0


def test_nothing_can_be_read_from_stdin(worker: Worker) -> None:
    assert number(worker, "import sys\na = len(sys.stdin.read())") == 0


@linux_only
def test_no_privileges_can_be_gained(worker: Worker) -> None:
    source = "t = open('/proc/self/status').read(); a = int(t.split('NoNewPrivs:')[1].split()[0])"
    assert number(worker, source) == 1


@linux_only
def test_stages_share_nothing(zygote: ZygoteWorker) -> None:
    assert number(zygote, "os.left_behind = 1\na = 1") == 1
    assert number(zygote, "a = int(hasattr(os, 'left_behind'))") == 0


@linux_only
def test_a_grandchild_that_leaves_its_group_is_ended(zygote: ZygoteWorker) -> None:
    source = """
import time
r, w = os.pipe()
try:
    child = os.fork()
except OSError:
    child = a = -1
if child == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, str(os.getpid()).encode())
        os.closerange(3, 30)
        time.sleep(600)
    os._exit(0)
os.close(w)
if child > 0:
    a = int(os.read(r, 99))
"""
    grandchild = int(number(zygote, source))
    assert grandchild == -1 or not is_running(grandchild)


@linux_only
def test_a_killed_zygote_is_replaced(zygote: ZygoteWorker) -> None:
    first = number(zygote, "a = os.getppid()")
    os.kill(int(first), signal.SIGKILL)
    assert is_gone_soon(int(first))
    assert number(zygote, "a = os.getppid()") != first


@linux_only
def test_closing_leaves_no_process(zygote: ZygoteWorker) -> None:
    pid = int(number(zygote, "a = os.getppid()"))
    zygote.close()
    assert not is_running(pid)


@linux_only
def test_a_killed_program_leaves_no_process(tmp_path: Path) -> None:
    program = """
from quizzer.sandbox.worker import ZygoteWorker
from quizzer.sandbox import stages
from quizzer.check.problem import Describe
worker = ZygoteWorker()
source = "import os; raise ValueError(os.getppid())"
failed = stages.run(worker, stages.DESCRIBE, Describe(source), 2.0)
print(failed.message.rpartition(" ")[2], flush=True)
stages.run(worker, stages.DESCRIBE, Describe("while True: pass"), 30.0)
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


@linux_only
def test_an_interrupt_ends_the_stage_and_not_the_worker(zygote: ZygoteWorker) -> None:
    def interrupt() -> None:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    zygote.start()
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        execute(zygote, "while True: pass", 20.0)
    assert number(zygote, "a = 3") == 3


def test_a_judge_works_without_a_zygote(checkers: Path) -> None:
    with Judge(ProcessWorker()) as judge:
        judgement = judge.judge(checkers / "linear.py", {"dW": "dy @ x.T"}, 1)
    assert judgement.verdict is Verdict.CORRECT


def test_importing_the_face_imports_no_numpy() -> None:
    program = "import sys, quizzer.sandbox.judge; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@linux_only
def test_questions_from_several_threads_do_not_mix(zygote: ZygoteWorker) -> None:
    answers: dict[int, float] = {}

    def ask(wanted: int) -> None:
        answers[wanted] = number(zygote, f"a = {wanted}")

    threads = [threading.Thread(target=ask, args=(wanted,)) for wanted in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {wanted: wanted for wanted in range(8)}
