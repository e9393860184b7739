"""Who judges: reads checkers, keeps processes, and remembers what it prepared.

Faces use only this. Importing it costs nothing: NumPy and everything that judges come with the
first question, while the sandbox warms up by itself.
"""

import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from quizzer.checker import SERVICE
from quizzer.checker.known_branches import KnownBranches
from quizzer.checker.known_ties import KnownTies
from quizzer.checker.remote import CheckerBroken, RemoteChecker
from quizzer.checker.requests import Printed
from quizzer.judge.judgement import Answered, Broken, Judgement, Question
from quizzer.judge.known_cards import KnownCards
from quizzer.judge.outcome import Reached
from quizzer.judge.prepared import Prepared
from quizzer.judge.repair import Repair
from quizzer.judge.several_lines import with_left
from quizzer.judge.source import Allows, CheckerSource, UnreadableChecker, read_source
from quizzer.sandbox.launch import SandboxError
from quizzer.sandbox.worker import Worker, best_worker
from quizzer.text import clean
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine
    from quizzer.notation import Context

_JUDGE = "quizzer.judge.judge"
_KEPT = 3  # preparations that are kept: of the last answer, for its repair, and of the next
_KEPT_FOR_MANY = 128  # of the cards of a course, whose answers come in any order
_VERDICTS_FOR_MANY = 128  # on the answers to one card that many people give alike

_Answer = tuple[str, str, str | None, str | None]
"""A name, a text, the notation that is forced, and the reading that is meant."""


class Judge:
    """Judges answers in processes of its own; leaves none behind when closed.

    Threads may share it.
    """

    def __init__(
        self,
        worker: Worker | None = None,
        allows: Allows = lambda file, source: True,
        cache: Path | None = None,
        kept: int = _KEPT,
        verdicts: int = 0,
    ) -> None:
        """`allows` is asked each time before a checker's code runs, with what will run.

        `cache` is the folder in which the draws that reach a checker's branches are kept, and what
        cards say. `kept`: for how many checkers and seeds the preparation stays. `verdicts`: how
        many verdicts stay with each, so that the same answer is not judged again.
        """
        self._worker = worker or best_worker(SERVICE)
        self._known = KnownBranches(cache and cache / "branches")
        self._ties = KnownTies(cache and cache / "ties")
        self._cards = KnownCards(cache and cache / "cards")
        self._allows = allows
        self._kept = kept
        self._most_verdicts = verdicts
        self._lock = Lock()
        self._prepared: dict[tuple[CheckerSource, int], Prepared] = {}
        self._verdicts: WeakKeyDictionary[Prepared, dict[_Answer, Answered]] = WeakKeyDictionary()

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm(self) -> None:
        """Start the sandbox now and return at once; without it, the first question waits."""
        with suppress(SandboxError):  # judging will report it
            self._worker.start()

    def close(self) -> None:
        """End every process for good: whoever still waits for one, in any thread, gets an error."""
        with self._lock:
            prepared, self._prepared = self._prepared, {}
        for each in prepared.values():
            each.stop()
        self._worker.close()
        for each in prepared.values():
            each.join()

    def question(self, checker: Path) -> Question | Broken:
        """What the card beside this checker asks."""
        self.warm()
        try:
            remote = self.checker(checker)
            described = remote.describe()
            from quizzer.judge.naming import question_of

            return question_of(described, remote.sets())
        except Exception as error:
            return broken(checker, error)

    def numbered(self, checker: Path, question: Question, seed: int) -> Question | Broken:
        """The question with the numbers of this seed, where it shows some."""
        if not question.shows:
            return question
        self.warm()
        try:
            prepared = self._preparation(checker, seed)
            from quizzer.judge.numbers import given_by

            given, values = given_by(prepared)
            return replace(question, seed=seed, given=given, values=values)
        except Exception as error:
            return broken(checker, error)

    def printed(self, checker: Path, title: str) -> Printed | Broken:
        """The NumPy module that a declared checker means."""
        self.warm()
        try:
            return self.checker(checker).printed(title)
        except Exception as error:
            return broken(checker, error)

    def names(
        self, checker: Path, seed: int, pieces: Collection[str] = (), at_once: bool = False
    ) -> tuple[str, ...] | Broken:
        """The names that the card asks, from the instances that this seed gives.

        A judgement with the same seed comes the sooner for it; more so if `pieces` has the names
        of the answers that `shows_pieces`. The many problems for these are made `at_once`, or else
        together when a right one needs them.
        """
        self.warm()
        try:
            preparation = self._preparation(checker, seed)
            # What judges, NumPy above all, is imported while another process makes the instances.
            # Not as a daemon: Python crashes when it ends in the middle of NumPy's import.
            if _JUDGE not in sys.modules:
                Thread(target=import_module, args=(_JUDGE,)).start()
            preparation.expect_pieces(pieces)
            return tuple(preparation.posed(pieces if at_once else ()).sheet.asked)
        except Exception as error:
            return broken(checker, error)

    def prepare(self, checker: Path, seed: int) -> None:
        """Begin to make the instances of a seed in the background, and return at once.

        A judgement with this seed is the same without it, only later. A checker that has been
        edited in between is never judged on these instances.
        """
        with suppress(UnreadableChecker, SandboxError):  # judging will report it
            self._worker.start()
            self._preparation(checker, seed).start()

    def judge(
        self,
        checker: Path,
        answers: Mapping[str, str],
        seed: int,
        notation: str | None = None,
        reading: str | None = None,
    ) -> Judgement | Broken:
        """The verdict on each answer, all on the same instances.

        A seed repeats them, with those of branches that were found since. `reading` is the one
        that is meant of a text that has several.
        """
        self.warm()
        try:
            prepared = self._preparation(checker, seed)
            return Judgement(
                seed,
                tuple(
                    self._judged(prepared, (*each, notation, reading)) for each in answers.items()
                ),
            )
        except Exception as error:
            return broken(checker, error)

    def judge_together(
        self, checker: Path, name: str, texts: Collection[str], seed: int, notation: str | None
    ) -> None:
        """Judge answers to one name in as few messages as can be, where verdicts are kept.

        `judge` then has their verdicts, but for those that need a process of their own.
        """
        from quizzer.judge.together import judged_together

        with suppress(Exception):  # `judge` will report it
            prepared = self._preparation(checker, seed)
            known = self._verdicts_on(prepared)
            new = [text for text in texts if (name, text, notation, None) not in known]
            for text, answered in judged_together(prepared, name, new, notation):
                self._keep(prepared, (name, text, notation, None), answered)

    def repair(
        self, checker: Path, answers: Mapping[str, str], seed: int, notation: str | None = None
    ) -> tuple[Repair, ...]:
        """The wrong answers that one change makes right: first where, then the edit."""
        self.warm()
        from quizzer.judge.repairing import repaired

        try:
            prepared = self._preparation(checker, seed)
            found = [repaired(prepared, name, text, notation) for name, text in answers.items()]
        except Exception:
            return ()
        return tuple(each for each in found if each is not None)

    def lines(self, checker: Path, text: str, seed: int) -> "tuple[JudgedLine, ...]":
        """The lines of a derivation, each judged by itself; none where it cannot be worked out."""
        self.warm()
        from quizzer.judge.derivation import JudgedDerivation, judged_derivation
        from quizzer.judge.source import stated_of

        try:
            stated = stated_of(checker.with_suffix(".md"), self._cards)
            found = judged_derivation(self._preparation(checker, seed), text, stated)
        except Exception:  # the verdict on the result stands without it
            return ()
        return found.lines if isinstance(found, JudgedDerivation) else ()

    def reached(
        self,
        checker: Path,
        text: str,
        seed: int,
        name: str,
        among: "Mapping[str, Context]",
        notation: str | None = None,
        reading: str | None = None,
    ) -> Reached | Broken:
        """The verdict on every one of these names that a derivation gives, `name` first, and its
        lines.

        `among` are the names with what it takes to read answers to them. A text that gives none of
        them is an answer to `name`.
        """
        self.warm()
        from quizzer.judge.reached import reached

        try:
            prepared = self._preparation(checker, seed)

            def verdict(name: str, text: str) -> Answered:
                return self._judged(prepared, (name, text, notation, reading))

            lines = self.lines(checker, with_left(name, text), seed)
            return reached(text, name, among, lines, verdict)
        except Exception as error:
            return broken(checker, error)

    def checker(self, path: Path) -> RemoteChecker:
        """The checker in this file, to run its stages. Raises UnreadableChecker."""
        return self._remote(read_source(path, self._allows, self._cards))

    def _remote(self, source: CheckerSource) -> RemoteChecker:
        return RemoteChecker(
            self._worker,
            source.name,
            source.source,
            source.seconds,
            self._known,
            self._ties,
            source.python,
            source.sets,
        )

    def _preparation(self, checker: Path, seed: int) -> Prepared:
        """What is prepared for this very source and seed; the oldest is forgotten."""
        source = read_source(checker, self._allows, self._cards)
        key = source, seed
        with self._lock:
            prepared = self._prepared.pop(key, None) or Prepared(self._remote(source), seed)
            self._prepared[key] = prepared
            while len(self._prepared) > self._kept:
                self._prepared.pop(next(iter(self._prepared))).stop()
        return prepared

    def _judged(self, prepared: Prepared, answer: _Answer) -> Answered:
        """The verdict on an answer, worked out once where verdicts are kept.

        Only one that arrays decide is kept: another may be the fault of a process.
        """
        from quizzer.judge.judge import judged

        with self._lock:
            verdicts = self._verdicts_on(prepared)
            known = verdicts.pop(answer, None)
            if known:
                verdicts[answer] = known
                return known
        answered = judged(prepared, *answer)
        self._keep(prepared, answer, answered)
        return answered

    def _keep(self, prepared: Prepared, answer: _Answer, answered: Answered) -> None:
        if answered.verdict not in (Verdict.CORRECT, Verdict.WRONG):
            return
        with self._lock:
            verdicts = self._verdicts_on(prepared)
            verdicts[answer] = answered
            while len(verdicts) > self._most_verdicts:
                del verdicts[next(iter(verdicts))]

    def _verdicts_on(self, prepared: Prepared) -> dict[_Answer, Answered]:
        return self._verdicts.setdefault(prepared, {})


def judge_for_many(
    first: Worker | None = None,
    allows: Allows = lambda file, source: True,
    cache: Path | None = None,
) -> Judge:
    """A judge for many answers in any order: a process for every processor, and much is kept.

    `first` is a worker that runs already.
    """
    from quizzer.sandbox.pool import Workers

    workers = Workers(first or best_worker(SERVICE), lambda: best_worker(SERVICE))
    return Judge(workers, allows, cache, _KEPT_FOR_MANY, _VERDICTS_FOR_MANY)


def broken(checker: Path, error: Exception) -> Broken:
    """Whatever was raised is this checker's fault, as far as its card goes: no session ends by it.

    A checker's process may have returned something that fails here in a way nobody thought of.
    """
    if isinstance(error, UnreadableChecker | SandboxError | CheckerBroken):
        return Broken(clean(str(error)))
    name = type(error).__name__
    return Broken(clean(f"{checker.name}: What its process gave cannot be used: {name}."))
