"""Processes: what they may take, how they end, and that none is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from processes import children, is_computing, is_gone_soon, is_running

from quizzer import sandbox
from quizzer.checker import SERVICE, stages
from quizzer.checker.requests import Describe
from quizzer.checker.sheet import Described
from quizzer.checker.stages import Failed
from quizzer.judge.judges import Judge
from quizzer.sandbox.launch import Launched, SandboxError
from quizzer.sandbox.orders import NOT_WARM
from quizzer.sandbox.wire import pack
from quizzer.sandbox.worker import ProcessWorker, Worker, ZygoteWorker
from quizzer.values import Verdict

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="a zygote needs Linux")


KINDS = [pytest.param(ZygoteWorker, marks=linux_only), ProcessWorker]


@pytest.fixture(scope="module", params=KINDS)
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    worker = request.param(SERVICE)
    yield worker
    worker.close()


@pytest.fixture
def zygote() -> Iterator[ZygoteWorker]:
    """A worker that a test may end."""
    worker = ZygoteWorker(SERVICE)
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


@pytest.mark.parametrize("kind", KINDS)
def test_the_environment_tells_nothing_of_the_learner(
    kind: Callable[[str], Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZZER_STORE", "/somewhere")
    source = "a = len([n for n in os.environ if n == 'HOME' or n.startswith('QUIZ')])"
    with closing(kind(SERVICE)) as worker:
        assert number(worker, source) == 0


def test_nothing_can_be_read_from_stdin(worker: Worker) -> None:
    assert number(worker, "import sys\na = len(sys.stdin.read())") == 0


@linux_only
def test_stages_share_nothing(zygote: ZygoteWorker) -> None:
    assert number(zygote, "os.left_behind = 1\na = 1") == 1
    assert number(zygote, "a = int(hasattr(os, 'left_behind'))") == 0


def expected(source: str) -> bytes:
    return b"describe\n" + pack(Describe(source))


@linux_only
def test_processes_that_wait_answer_what_is_expected_before(zygote: ZygoteWorker) -> None:
    zygote.expect(expected("import math; math.is_ready = 1"))
    deadline = time.monotonic() + 30
    for _ in range(2):  # one after the other
        while number(zygote, "import math; a = getattr(math, 'is_ready', 0)") != 1:
            assert time.monotonic() < deadline
            time.sleep(0.2)


@linux_only
def test_a_message_need_not_be_what_was_expected(zygote: ZygoteWorker) -> None:
    for source in ("import os; os._exit(0)", "raise ValueError", "a = 1"):
        zygote.expect(expected(source))
        for wait in (0.0, 0.3):
            time.sleep(wait)
            assert number(zygote, "a = 6 * 7") == 42


@linux_only
def test_a_killed_zygote_need_expect_nothing(zygote: ZygoteWorker) -> None:
    os.kill(int(number(zygote, "a = os.getppid()")), signal.SIGKILL)
    zygote.expect(expected("a = 1"))
    assert number(zygote, "a = 6 * 7") == 42


@linux_only
def test_a_child_that_dies_of_waiting_is_replaced(zygote: ZygoteWorker) -> None:
    warm = int(number(zygote, "a = os.getppid()"))
    for waiting in children(warm):
        os.kill(waiting, signal.SIGKILL)
        assert is_gone_soon(waiting)
    assert number(zygote, "a = 5") == 5


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
def test_a_closed_worker_starts_no_process_again(zygote: ZygoteWorker) -> None:
    before = children(os.getpid())
    zygote.start()
    zygote.close()
    for begin in (zygote.start, lambda: number(zygote, "a = 3")):
        with pytest.raises(SandboxError, match="closed"):
            begin()
    assert children(os.getpid()) == before


@linux_only
def test_a_killed_program_leaves_no_process(tmp_path: Path) -> None:
    program = """
from quizzer.sandbox.worker import ZygoteWorker
from quizzer import sandbox
from quizzer.checker import SERVICE, stages
from quizzer.checker.requests import Describe
worker = ZygoteWorker(SERVICE)
source = "import os; raise ValueError(os.getppid())"
failed = stages.run(worker, stages.DESCRIBE, Describe(source), 2.0)
print(failed.message.rpartition(" ")[2], flush=True)
stages.run(worker, stages.DESCRIBE, Describe("while True: pass"), 30.0)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as running:
        assert running.stdout
        zygote = int(running.stdout.readline())
        while not any(is_computing(child) for child in children(zygote)):
            time.sleep(0.01)
        computing = children(zygote)
        running.kill()
    for pid in (zygote, *computing):
        assert is_gone_soon(pid)


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


@linux_only
def test_closing_ends_a_stage_of_another_thread_and_starts_nothing(zygote: ZygoteWorker) -> None:
    before = children(os.getpid())
    warm = int(number(zygote, "a = os.getppid()"))
    ended: list[str] = []

    def ask() -> None:
        try:
            execute(zygote, "while True: pass", 20.0)
        except SandboxError as error:
            ended.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    while not any(is_computing(child) for child in children(warm)):
        time.sleep(0.01)
    zygote.close()
    thread.join(10.0)
    assert ended == ["the sandbox was closed"]
    assert children(os.getpid()) == before


@linux_only
def test_a_warm_process_ends_in_order_while_one_child_answers_and_another_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    launched = []

    def launch(service: str) -> Launched:
        launched.append(sandbox.launch.launch(service))
        return launched[-1]

    monkeypatch.setattr(sandbox.worker, "launch", launch)
    with closing(ZygoteWorker(SERVICE)) as zygote:
        for _ in range(10):  # during the first few messages none waits
            warm = int(number(zygote, "a = os.getppid()"))
        source = "while True: pass"
        asking = threading.Thread(target=lambda: _suppressed(zygote, source))
        asking.start()
        while len(children(warm)) < 2 or not any(map(is_computing, children(warm))):
            time.sleep(0.01)
    asking.join(10.0)
    assert launched[-1][0].returncode == 0


def _suppressed(worker: Worker, source: str) -> None:
    with suppress(SandboxError):
        execute(worker, source, 20.0)


@linux_only
def test_the_thread_that_started_it_may_end(zygote: ZygoteWorker) -> None:
    thread = threading.Thread(target=zygote.start)
    thread.start()
    thread.join()
    first = number(zygote, "a = os.getppid()")
    assert number(zygote, "a = os.getppid()") == first


@linux_only
def test_the_warm_process_takes_less_than_60_mb(zygote: ZygoteWorker) -> None:
    warm = int(number(zygote, "a = os.getppid()"))
    status = Path(f"/proc/{warm}/status").read_text()
    assert int(status.partition("VmRSS:")[2].split()[0]) < 60_000


@linux_only
def test_what_numpy_imports_on_first_use_is_there(worker: Worker) -> None:
    source = """
import datetime, decimal, fractions, hashlib, itertools, json, statistics, textwrap
import numpy as np
x = np.linspace(0.1, 1.0, 9).reshape(3, 3)
np.linalg.det(x), np.linalg.pinv(x), np.linalg.qr(x), np.linalg.cond(x), np.linalg.matrix_rank(x)
np.fft.fft2(x), np.polynomial.Polynomial([1, 2])(x), np.polyfit(x[0], x[1], 1), np.roots([1, 2])
np.ma.masked_less(x, 0.5).mean(), np.random.default_rng().choice(3), np.random.rand(2)
np.einsum("ij,jk->ik", x, x, optimize=True), np.percentile(x, 30), np.median(x), np.ptp(x)
np.histogram(x), np.cov(x), np.corrcoef(x), np.gradient(x), np.convolve(x[0], x[1]), np.trapezoid(x)
np.unique(x), np.pad(x, 1), np.kron(x, x), np.apply_along_axis(sum, 0, x), np.vectorize(abs)(x)
np.lib.stride_tricks.sliding_window_view(x, (2, 2)), np.char.upper(["a"]), np.rec.array([(1, 2)])
np.array2string(x, precision=2), np.format_float_positional(0.1), repr(x), f"{x}", x.clip(0, 1)
np.testing.assert_allclose(x, x), np.emath.sqrt(-1), np.strings.upper("a")
with np.errstate(all="warn"), np.printoptions(precision=3):
    x / 0
try:
    np.zeros(2) @ np.zeros(3)
except ValueError as error:
    import traceback
    traceback.format_exception(error)
a = 1
"""
    assert number(worker, source) == 1


@pytest.mark.parametrize("method", ["sum", "mean", "var", "std", "max", "prod", "argmax", "clip"])
def test_methods_of_arrays_work_in_answers(judge: Judge, checkers: Path, method: str) -> None:
    """NumPy imports what is behind them on first use, and answers may import nothing of it."""
    arguments = "0, 1" if method == "clip" else ""
    answer = f"_ = dy.{method}({arguments})\ndW = dy @ x.T"
    judgement = judge.judge(checkers / "linear.py", {"dW": answer}, 1)
    assert judgement.verdict is Verdict.CORRECT


def test_a_judge_works_without_a_zygote(checkers: Path) -> None:
    with Judge(ProcessWorker(SERVICE)) as judge:
        judgement = judge.judge(checkers / "linear.py", {"dW": "dy @ x.T"}, 1)
    assert judgement.verdict is Verdict.CORRECT


@pytest.mark.parametrize("module", ["judge.judges", "checker.remote"])
def test_a_first_question_is_asked_before_numpy_is_imported(module: str) -> None:
    program = f"import sys, quizzer.{module}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_what_a_card_asks_is_known_before_numpy_is_imported(checkers: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from quizzer.judge.judges import Judge\n"
        f"with Judge() as judge: asks = judge.question(Path({str(checkers / 'linear.py')!r}))\n"
        "sys.exit('numpy' in sys.modules or not asks.asked)"
    )
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


@linux_only
@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("import numpy as np\na = np.polynomial.Polynomial([1, 2])(3.0)", 7),
        ("import numpy as np\na = np.fft.fft(np.ones(4))[0].real", 4),
        ("import numpy as np\na = np.ma.array([1.0, 2.0], mask=[False, True]).sum()", 1),
        ("from decimal import Decimal\na = Decimal('0.5') * 2", 1),
    ],
)
def test_a_first_stage_that_imports_is_run_by_a_process_that_has_everything(
    zygote: ZygoteWorker, source: str, value: float
) -> None:
    assert number(zygote, source) == value


@linux_only
def test_what_hardly_a_message_needs_is_imported_for_the_first_that_names_it(
    zygote: ZygoteWorker,
) -> None:
    known = "import sys\na = float('numpy.matlib' in sys.modules)"
    for _ in range(10):
        assert number(zygote, known) == 0.0
    warm = number(zygote, "a = os.getppid()")
    assert number(zygote, "import numpy.matlib\na = numpy.matlib.rand(2, 3).shape[1]") == 3
    assert number(zygote, known) == 1.0
    assert number(zygote, "a = os.getppid()") == warm


IMPORTED = "import sys\na = float('quizzer.checker.derivation.derive' in sys.modules)"
LONG = "import time\ntime.sleep(1.5)\na = 0"


@linux_only
def test_nothing_that_is_not_needed_is_imported_while_the_first_messages_are_answered(
    zygote: ZygoteWorker,
) -> None:
    number(zygote, LONG)
    assert number(zygote, IMPORTED) == 0.0


@linux_only
def test_a_process_with_many_messages_warms_up_while_it_answers_one(zygote: ZygoteWorker) -> None:
    for _ in range(10):
        number(zygote, "a = 0")
    deadline = time.monotonic() + 20
    while not number(zygote, IMPORTED) and time.monotonic() < deadline:
        number(zygote, LONG)
    assert number(zygote, IMPORTED) == 1.0


@linux_only
def test_what_is_not_installed_is_missing_in_the_first_stage_as_in_later_ones(
    zygote: ZygoteWorker,
) -> None:
    first = execute(zygote, "import no_such_module")
    assert isinstance(first, Failed)
    assert "no_such_module" in first.message
    assert execute(zygote, "import no_such_module") == first


@linux_only
def test_a_stage_that_always_claims_to_lack_something_ends(zygote: ZygoteWorker) -> None:
    failed = execute(zygote, f"import os\nos._exit({NOT_WARM})")
    assert isinstance(failed, Failed)
    assert failed.kind == "crash"
