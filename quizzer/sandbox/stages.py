"""The stages that run outside our process: their names on the wire, requests and results."""

import contextlib
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from quizzer.check.answer import Work, WorkedTexts, work
from quizzer.check.checker import CheckerError
from quizzer.check.explain import Accept, Accepted, Explain, Material, accept, explain
from quizzer.check.problem import Describe, Described, Pose, Posed, describe, pose
from quizzer.check.vary import Varied, Vary, vary
from quizzer.sandbox.wire import WireError, pack, unpack, unpack_foreign
from quizzer.sandbox.worker import Ended, Worker
from quizzer.text import clean, one_line

Q = TypeVar("Q")
R = TypeVar("R")

_SIGXCPU = 24  # all processor time used up; the name is not there on every platform
_DONE, _FAILED = b"+", b"-"


@dataclass(frozen=True, slots=True)
class Stage(Generic[Q, R]):
    """One thing that a sandboxed process can be asked to do."""

    name: str
    run: Callable[[Q], R]
    request: type[Q]
    result: type[R]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a stage gave no result: `checker`, `timeout`, `crash` or `fault`, and a sentence."""

    kind: str
    message: str


DESCRIBE = Stage("describe", describe, Describe, Described)
POSE = Stage("pose", pose, Pose, Posed)
EXPLAIN = Stage("explain", explain, Explain, Material)
ACCEPT = Stage("accept", accept, Accept, Accepted)
VARY = Stage("vary", vary, Vary, Varied)
WORK = Stage("work", work, Work, WorkedTexts)

_STAGES: dict[str, Stage[Any, Any]] = {
    stage.name: stage for stage in (DESCRIBE, POSE, EXPLAIN, ACCEPT, VARY, WORK)
}


def run(worker: Worker, stage: Stage[Q, R], request: Q, seconds: float) -> R | Failed:
    """The stage's result, or why there is none. Raises SandboxError where nothing can start."""
    try:
        message = stage.name.encode() + b"\n" + pack(request)
    except WireError as error:
        return Failed("fault", f"it is too large: {error}")
    ended = worker.exchange(message, seconds)
    if ended.code is None or ended.code == -_SIGXCPU:
        return Failed("timeout", f"it took longer than {seconds:g} s")
    if ended.code != 0:
        return Failed("crash", _crash(ended))
    try:
        result = _reply_to(stage, ended.reply)
    except WireError:
        return Failed("crash", "the process ended without a result" + _last_words(ended))
    return Failed(result.kind, clean(result.message)) if isinstance(result, Failed) else result


def serve(message: bytes) -> bytes:
    """In the process: run the stage that the message asks for, and say what came of it."""
    name, _, frame = message.partition(b"\n")
    stage = _STAGES[name.decode()]
    try:
        return _DONE + pack(stage.run(unpack(stage.request, frame)))
    except CheckerError as error:
        failed = Failed("checker", str(error))
    except MemoryError:
        failed = Failed("fault", "it needs more memory than it may take")
    except WireError as error:
        failed = Failed("fault", f"its result cannot be sent: {error}")
    except BaseException as error:
        failed = Failed("fault", f"{type(error).__name__}: {str(error)[:500]}")
    return _FAILED + pack(failed)


def _reply_to(stage: Stage[Q, R], reply: bytes) -> R | Failed:
    """The result in a reply; raises WireError for anything that is not one."""
    if reply[:1] == _DONE:
        return unpack_foreign(stage.result, reply[1:])
    if reply[:1] == _FAILED:
        return unpack_foreign(Failed, reply[1:])
    raise WireError("no reply")


def _crash(ended: Ended) -> str:
    assert ended.code is not None
    if ended.code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-ended.code).name
            return f"the process was ended by {name}{_last_words(ended)}"
    return f"the process ended with exit code {ended.code}{_last_words(ended)}"


def _last_words(ended: Ended) -> str:
    lines = ended.printed.decode("utf-8", "replace").strip().splitlines()
    return f" after printing: {one_line(lines[-1], 120)}" if lines else ""
