"""The stages that run in other processes: their names in messages, requests and results.

There is no NumPy here: a stage's function is imported where it runs, and the type of its result
where it is read, so that a first request is on its way before either.
"""

import contextlib
import signal
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

from msgspec import Struct

from quizzer.checker.load import CheckerError
from quizzer.checker.source import Declared
from quizzer.sandbox.orders import OUT_OF_TIME
from quizzer.sandbox.wire import WireError, pack, unpack, unpack_foreign
from quizzer.text import cut, one_line

if TYPE_CHECKING:
    from quizzer.checker.answer import Evaluate, EvaluateCases, EvaluatedCases, EvaluatedTexts
    from quizzer.checker.derivation.derived import Derive, Derived
    from quizzer.checker.explain import Accept, Accepted, Explain, Material
    from quizzer.checker.flaw import Flaws
    from quizzer.checker.posed import Confirming, Posed
    from quizzer.checker.requests import (
        Confirm,
        Describe,
        Inspect,
        Pose,
        Print,
        Printed,
        Scout,
        Scouted,
        Study,
    )
    from quizzer.checker.sheet import Described
    from quizzer.checker.studied import Studied
    from quizzer.checker.vary import Varied, Vary
    from quizzer.sandbox.worker import Completed, Worker

Q = TypeVar("Q")
R = TypeVar("R")

OF_DECLARED = "+"
"""Behind a stage's name where the request is for a declared checker."""

_LONGEST_MESSAGE = 1_000
_DONE, _FAILED = b"+", b"-"


class Stage(Struct, Generic[Q, R], frozen=True):
    """One thing that a sandboxed process can be asked to do.

    Both are names with their modules: `does` a function of one request, `gives` its result.
    """

    does: str
    gives: str

    @property
    def name(self) -> str:
        return self.does.rpartition(".")[2]

    def function(self) -> Callable[[Q], R]:
        """What runs; to be imported before the process is confined."""
        found: Callable[[Q], R] = _found(self.does)
        return found

    def result(self) -> type[R]:
        """What it returns."""
        found: type[R] = _found(self.gives)
        return found


class Failed(Struct, frozen=True):
    """Why a stage gave no result: `checker`, `timeout`, `crash` or `fault`, and a sentence."""

    kind: str
    message: str


CONFIRM: "Stage[Confirm, Confirming]" = Stage("confirming.confirm", "posed.Confirming")
SCOUT: "Stage[Scout, Scouted]" = Stage("branches.scout", "requests.Scouted")
POSE: "Stage[Pose, Posed]" = Stage("problem.pose", "posed.Posed")
EVALUATE: "Stage[Evaluate, EvaluatedTexts]" = Stage("evaluating.evaluate", "answer.EvaluatedTexts")
DESCRIBE: "Stage[Describe, Described]" = Stage("problem.describe", "sheet.Described")
EXPLAIN: "Stage[Explain, Material]" = Stage("explain.explain", "explain.Material")
STUDY: "Stage[Study, Studied]" = Stage("study.study", "studied.Studied")
EVALUATE_CASES: "Stage[EvaluateCases, EvaluatedCases]" = Stage(
    "evaluating.evaluate_cases", "answer.EvaluatedCases"
)
ACCEPT: "Stage[Accept, Accepted]" = Stage("explain.accept", "explain.Accepted")
VARY: "Stage[Vary, Varied]" = Stage("vary.vary", "vary.Varied")
DERIVE: "Stage[Derive, Derived]" = Stage("derivation.derive.derive", "derivation.derived.Derived")
INSPECT: "Stage[Inspect, Flaws]" = Stage("inspection.inspect", "flaw.Flaws")
PRINT: "Stage[Print, Printed]" = Stage("printed.module.print_module", "requests.Printed")

STAGES: dict[str, Stage[Any, Any]] = {
    stage.name: stage
    for stage in (
        SCOUT,
        POSE,
        EVALUATE,
        CONFIRM,
        DESCRIBE,
        EXPLAIN,
        ACCEPT,
        VARY,
        DERIVE,
        INSPECT,
        PRINT,
        STUDY,
        EVALUATE_CASES,
    )
}
"""By name, those first that the first judgement needs."""


def run(worker: "Worker", stage: Stage[Q, R], request: Q, seconds: float) -> R | Failed:
    """The stage's result, or why there is none. Raises SandboxError if no process can start."""
    try:
        message = _message(stage, request)
    except WireError as error:
        return Failed("fault", f"it is too large: {error}")
    completed = worker.exchange(message, seconds)
    if completed.code in OUT_OF_TIME:
        return Failed("timeout", f"it took longer than {seconds:g} s")
    if completed.code != 0:
        return Failed("crash", _crash(completed))
    try:
        result = _reply_to(stage, completed.reply)
    except WireError:
        return Failed("crash", "the process ended without a result" + _last_words(completed))
    if isinstance(result, Failed):
        return Failed(result.kind, cut(result.message, _LONGEST_MESSAGE))
    return result


def expect(worker: "Worker", stage: Stage[Q, R], request: Q) -> None:
    """Have processes warm up with a request like the next one, in which no code is of others.

    Raises SandboxError if no process can start.
    """
    with contextlib.suppress(WireError):  # the next one will say so
        worker.expect(_message(stage, request))


def serve(message: bytes) -> bytes:
    """In the process: run the stage that a message asks for; the reply says what happened."""
    name, _, frame = message.partition(b"\n")
    function = STAGES[name.decode().removesuffix(OF_DECLARED)].function()
    try:
        return _DONE + pack(function(unpack(get_type_hints(function)["request"], frame)))
    except CheckerError as error:
        failed = Failed("checker", str(error))
    except MemoryError:
        failed = Failed("fault", "it needs more memory than it may take")
    except WireError as error:
        failed = Failed("fault", f"its result cannot be sent: {error}")
    except BaseException as error:
        failed = Failed("fault", f"{type(error).__name__}: {str(error)[:500]}")
    return _FAILED + pack(failed)


def _message(stage: Stage[Any, Any], request: object) -> bytes:
    return _kind(stage, request).encode() + b"\n" + pack(request)


def _kind(stage: Stage[Any, Any], request: object) -> str:
    """The kind of a message: the stage, and whether it needs what opens a declared checker."""
    declared = isinstance(getattr(request, "source", None), Declared)
    return stage.name + (OF_DECLARED if declared else "")


def _found(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"quizzer.checker.{module}"), name)


def _reply_to(stage: Stage[Q, R], reply: bytes) -> R | Failed:
    """The result in a reply; raises WireError for anything that is not one."""
    if reply[:1] == _DONE:
        return unpack_foreign(stage.result(), reply[1:])
    if reply[:1] == _FAILED:
        return unpack_foreign(Failed, reply[1:])
    raise WireError("no reply")


def _crash(completed: "Completed") -> str:
    assert completed.code is not None
    if completed.code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-completed.code).name
            return f"the process was ended by {name}{_last_words(completed)}"
    return f"the process ended with exit code {completed.code}{_last_words(completed)}"


def _last_words(completed: "Completed") -> str:
    lines = completed.printed.decode("utf-8", "replace").strip().splitlines()
    return f" after printing: {one_line(lines[-1], 120)}" if lines else ""
