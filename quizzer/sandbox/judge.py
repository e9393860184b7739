"""The face of checking: what a card asks, whether answers are right, whether a checker is sound.

Only this is for the rest of the program. Importing it costs nothing: NumPy and the engine come with
the first question, while the sandbox warms up on its own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from quizzer.check.checker import DEFAULT_SECONDS, MAX_SECONDS
from quizzer.check.judgement import Asks, Broken, Judgement
from quizzer.sandbox.worker import SandboxError, Worker, best_worker
from quizzer.text import clean

MAX_SOURCE = 1 << 20
"""Bytes of the largest checker that is read."""

_SECONDS = re.compile(r"^seconds\s*=\s*(\d+\.?\d*|\.\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that a checker's author should mend, found by proving the checker."""

    code: str
    message: str
    error: bool = True


class Judge:
    """Judges answers in processes of its own; leaves none behind when closed."""

    def __init__(self, worker: Worker | None = None) -> None:
        self._worker = worker or best_worker()

    def __enter__(self) -> "Judge":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def warm(self) -> None:
        """Start the sandbox now and return at once; without it, the first question waits."""
        self._worker.start()

    def close(self) -> None:
        """End every process; a later question starts them again."""
        self._worker.close()

    def asks(self, checker: Path) -> Asks | Broken:
        """What the card beside this checker asks."""
        self._worker.start()
        from quizzer.sandbox.trial import Trial

        try:
            return Trial(self._worker, *_read(checker)).asks()
        except (_Unreadable, SandboxError) as error:
            return Broken(clean(str(error)))

    def judge(
        self, checker: Path, answers: Mapping[str, str], seed: int, notation: str | None = None
    ) -> Judgement | Broken:
        """The verdict on each answer, all on the same instances; a seed repeats them exactly."""
        self._worker.start()
        from quizzer.sandbox.trial import Trial

        try:
            return Trial(self._worker, *_read(checker)).judge(answers, seed, notation)
        except (_Unreadable, SandboxError) as error:
            return Broken(clean(str(error)))

    def prove(self, checker: Path, seed: int, instances: int = 20) -> list[Flaw]:
        """Everything that is wrong with a checker: its claims held against its instances."""
        self._worker.start()
        from quizzer.sandbox.proof import prove
        from quizzer.sandbox.trial import Trial

        try:
            return prove(Trial(self._worker, *_read(checker)), seed, instances)
        except (_Unreadable, SandboxError) as error:
            return [Flaw("unreadable", clean(str(error)))]


class _Unreadable(Exception):
    """The checker's file cannot be read."""


def _read(checker: Path) -> tuple[str, str, float]:
    """A checker's file name, its source and the time limit of its stages."""
    try:
        with checker.open("rb") as file:
            data = file.read(MAX_SOURCE + 1)
        source = data.decode("utf-8-sig")
    except OSError as error:
        raise _Unreadable(f"{checker}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _Unreadable(f"{checker}: is no UTF-8 text; save it as UTF-8") from None
    if len(data) > MAX_SOURCE:
        raise _Unreadable(f"{checker}: is larger than {MAX_SOURCE >> 20} MB")
    stated = _SECONDS.search(source)
    seconds = min(float(stated[1]), MAX_SECONDS) if stated else DEFAULT_SECONDS
    return checker.name, source, seconds or DEFAULT_SECONDS
