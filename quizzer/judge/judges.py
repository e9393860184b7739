"""The face of checking: what a card asks, whether answers are right, whether a checker is sound.

Only this is for the rest of the program. Importing it costs nothing: NumPy and the engine come with
the first question, while the sandbox warms up on its own.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from quizzer import files
from quizzer.checker.flaw import Flaw
from quizzer.checker.known_branches import KnownBranches
from quizzer.checker.load import DEFAULT_SECONDS, MAX_SECONDS
from quizzer.judge.judgement import Answered, Asks, Broken, Judgement
from quizzer.judge.prepared import Prepared
from quizzer.judge.repair import Repair
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.worker import Worker, best_worker
from quizzer.text import clean
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.checker.trial import Trial

__all__ = ["Flaw", "Judge"]

MAX_SOURCE = 1 << 20
"""Bytes of the largest checker that is read."""

UNTRUSTED = "Its code is not trusted yet, and no walls stand here. See: quizzer trust."

_JUDGES = "quizzer.judge.verdicts"
_SECONDS = re.compile(r"^seconds\s*=\s*(\d+\.?\d*|\.\d+)", re.MULTILINE)
_KEPT = 3  # preparations that are kept: of the last answer, for its repair, and of the next
_KEPT_FOR_MANY = 128  # of the cards of a course, whose answers come in any order
_VERDICTS_FOR_MANY = 128  # on the answers to one card that many people give alike

_Source = tuple[str, str, float]
_Answer = tuple[str, str, str | None]

Allows = Callable[[Path, bytes], bool]
"""Whether this content of a checker's file may run."""


class Judge:
    """Judges answers in processes of its own; leaves none behind when closed.

    Threads may share it.
    """

    def __init__(
        self,
        worker: Worker | None = None,
        allows: Allows = lambda file, source: True,
        branches: Path | None = None,
        kept: int = _KEPT,
        verdicts: int = 0,
    ) -> None:
        """`allows` is asked each time before a checker's code runs, with what will run.

        `branches` is the folder in which the draws that reach a checker's branches are kept.
        `kept`: for how many checkers and seeds the preparation stays. `verdicts`: how many verdicts
        stay with each, so that the same answer is not judged again.
        """
        self._worker = worker or best_worker()
        self._known = KnownBranches(branches)
        self._allows = allows
        self._kept = kept
        self._verdicts = verdicts
        self._lock = Lock()
        self._prepared: dict[tuple[_Source, int], Prepared] = {}
        self._said: WeakKeyDictionary[Prepared, dict[_Answer, Answered]] = WeakKeyDictionary()

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
        with suppress(SandboxError):  # whoever judges gets to know
            self._worker.start()

    def close(self) -> None:
        """End every process; a later question starts them again."""
        with self._lock:
            prepared, self._prepared = self._prepared, {}
        for each in prepared.values():
            each.stop()
        self._worker.close()
        for each in prepared.values():
            each.join()
        self._worker.close()  # one that was being prepared may have started it again

    def asks(self, checker: Path) -> Asks | Broken:
        """What the card beside this checker asks."""
        self.warm()
        try:
            return self._trial(self._read(checker)).asks()
        except Exception as error:
            return _broken(checker, error)

    def asked(self, checker: Path, seed: int) -> tuple[str, ...] | Broken:
        """The names that the card asks, from the instances that this seed gives.

        A judgement with the same seed comes the sooner for it.
        """
        self.warm()
        # What judges, NumPy above all, is imported while another process makes the instances.
        if _JUDGES not in sys.modules:
            Thread(target=import_module, args=(_JUDGES,), daemon=True).start()
        try:
            return tuple(self._of(self._read(checker), seed).posed().sheet.asked)
        except Exception as error:
            return _broken(checker, error)

    def prepare(self, checker: Path, seed: int) -> None:
        """Begin to make the instances of a seed in the background, and return at once.

        A judgement with this seed is the same without it, only later. A checker that has been
        edited in between is never judged on these instances.
        """
        try:
            self._worker.start()
            self._of(self._read(checker), seed).start()
        except (_Unreadable, SandboxError):
            return  # whoever judges gets to know

    def judge(
        self, checker: Path, answers: Mapping[str, str], seed: int, notation: str | None = None
    ) -> Judgement | Broken:
        """The verdict on each answer, all on the same instances.

        A seed repeats them; those of a branch that was met only since then come on top.
        """
        self.warm()
        try:
            prepared = self._of(self._read(checker), seed)
            return Judgement(
                seed,
                tuple(self._judged(prepared, (*each, notation)) for each in answers.items()),
            )
        except Exception as error:
            return _broken(checker, error)

    def repair(
        self, checker: Path, answers: Mapping[str, str], seed: int, notation: str | None = None
    ) -> tuple[Repair, ...]:
        """Of the wrong answers those that one change makes right: first where, then the edit."""
        self.warm()
        from quizzer.judge.mending import mended

        try:
            prepared = self._of(self._read(checker), seed)
            found = [mended(prepared, name, text, notation) for name, text in answers.items()]
        except Exception:
            return ()
        return tuple(each for each in found if each is not None)

    def prove(
        self, checker: Path, seed: int, instances: int = 20, mutants: bool = False
    ) -> list[Flaw]:
        """Everything that is wrong with a checker: its claims held against its instances.

        With `mutants`, answers that are made from the right ones by one change must be rejected.
        """
        self.warm()
        from quizzer.lint.proof import prove

        try:
            return prove(self._trial(self._read(checker)), seed, instances, mutants)
        except (_Unreadable, SandboxError) as error:
            return [Flaw("unreadable", clean(str(error)))]
        except Exception as error:
            return [Flaw("broken", _broken(checker, error).message)]

    def _read(self, checker: Path) -> _Source:
        """The checker's file, if it may run. Raises _Unreadable."""
        data = _bytes(checker)
        if not self._allows(checker, data):
            raise _Unreadable(f"{checker}: {UNTRUSTED}")
        return _source(checker, data)

    def _trial(self, source: _Source) -> "Trial":
        from quizzer.checker.trial import Trial

        return Trial(self._worker, *source, self._known)

    def _of(self, source: _Source, seed: int) -> Prepared:
        """What is prepared for this very source and seed; the oldest is forgotten."""
        key = source, seed
        with self._lock:
            prepared = self._prepared.pop(key, None) or Prepared(lambda: self._trial(source), seed)
            self._prepared[key] = prepared
            while len(self._prepared) > self._kept:
                self._prepared.pop(next(iter(self._prepared))).stop()
        return prepared

    def _judged(self, prepared: Prepared, answer: _Answer) -> Answered:
        """The verdict on an answer, worked out once where verdicts are kept.

        Only one that arrays decide is kept: another may be the fault of a process.
        """
        from quizzer.judge.verdicts import judged

        with self._lock:
            said = self._said.setdefault(prepared, {})
            known = said.pop(answer, None)
            if known:
                said[answer] = known
                return known
        answered = judged(prepared, *answer)
        if self._verdicts and answered.verdict in (Verdict.CORRECT, Verdict.WRONG):
            with self._lock:
                said[answer] = answered
                while len(said) > self._verdicts:
                    del said[next(iter(said))]
        return answered


def judge_for_many(
    first: Worker | None = None,
    allows: Allows = lambda file, source: True,
    branches: Path | None = None,
) -> Judge:
    """A judge for many answers in any order: a process for every processor, and much is kept.

    `first` is a worker that runs already.
    """
    from quizzer.sandbox.pool import Workers

    workers = Workers(first or best_worker())
    return Judge(workers, allows, branches, _KEPT_FOR_MANY, _VERDICTS_FOR_MANY)


def prove_all(
    checkers: Sequence[Path],
    seed: int,
    instances: int = 20,
    mutants: bool = False,
    progress: Callable[[int, int], None] | None = None,
    allows: Allows = lambda file, source: True,
) -> list[list[Flaw]]:
    """The flaws of many checkers, in their order, with a sandbox for every processor.

    `progress` is told, in the calling thread, how many are done of how many.
    """
    from quizzer.sandbox.pool import prove_with

    return prove_with(
        lambda: Judge(allows=allows),
        checkers,
        lambda judge, path: judge.prove(path, seed, instances, mutants),
        progress,
    )


class _Unreadable(Exception):
    """The checker's file cannot be read."""


def _broken(checker: Path, error: Exception) -> Broken:
    """Whatever was raised is this checker's fault, as far as its card goes: no session ends by it.

    What its process gave may have been made to fail here, in a way that nobody thought of.
    """
    from quizzer.checker.trial import CheckerBroken

    said = str(error)
    if not isinstance(error, _Unreadable | SandboxError | CheckerBroken):
        said = f"{checker.name}: What its process gave cannot be used: {type(error).__name__}."
    return Broken(clean(said))


def _bytes(checker: Path) -> bytes:
    try:
        return files.read(checker, MAX_SOURCE)
    except files.TooLargeError:
        raise _Unreadable(f"{checker}: It is larger than {MAX_SOURCE >> 20} MB.") from None
    except OSError as error:
        raise _Unreadable(f"{checker}: It cannot be read: {error.strerror}.") from None


def _source(checker: Path, data: bytes) -> _Source:
    """A checker's file name, its source and the time limit of its stages."""
    try:
        source = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _Unreadable(f"{checker}: It is no UTF-8 text; save it as UTF-8.") from None
    stated = _SECONDS.search(source)
    seconds = min(float(stated[1]), MAX_SECONDS) if stated else DEFAULT_SECONDS
    return checker.name, source, seconds or DEFAULT_SECONDS
