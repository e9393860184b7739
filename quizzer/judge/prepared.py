"""The instances of one seed and all that answers are compared with, worked out once.

Either when they are needed, or before, in a thread, while the learner still reads. No NumPy here
until then.
"""

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizzer.checker.confirming import Further
    from quizzer.checker.problem import Posed
    from quizzer.checker.trial import Trial
    from quizzer.judge.case import Case
    from quizzer.judge.comparison import Comparison


class Prepared:
    """What a judgement with one seed needs. What failed is tried again when it is asked for."""

    def __init__(self, trial: "Callable[[], Trial]", seed: int) -> None:
        self._trial = trial
        self._seed = seed
        self._lock = threading.Lock()
        self._posed: Posed | None = None
        self._comparisons: dict[str, Comparison] = {}
        self._confirming: tuple[Further, ...] | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin in the background, unless that has happened, and return at once."""
        if self._thread is None and self._posed is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Begin nothing more in the background."""
        self._stopped = True

    def join(self) -> None:
        """Wait for the background."""
        if self._thread is not None:
            self._thread.join()

    def posed(self) -> "Posed":
        """The instances. Raises CheckerBroken."""
        from quizzer.checker.trial import INSTANCES

        with self._lock:
            if self._posed is None:
                self._posed = self._trial().posed(self._seed, INSTANCES)
            return self._posed

    def case(self, asked: str) -> "Case":
        """One asked name on these instances. Raises CheckerBroken."""
        from quizzer.judge.case import Case

        return Case(
            self._trial(),
            self.posed(),
            asked,
            lambda: self.comparison(asked),
            self.confirming,
        )

    def confirming(self) -> "tuple[Further, ...]":
        """The problems for answers with pieces of their own. Raises CheckerBroken."""
        posed = self.posed()
        with self._lock:
            if self._confirming is None:
                self._confirming = self._trial().confirming(posed, self._seed)
            return self._confirming

    def comparison(self, asked: str) -> "Comparison":
        """What answers to `asked` are compared with. Raises CheckerBroken."""
        from quizzer.judge.comparison import compared

        posed = self.posed()
        with self._lock:
            if asked not in self._comparisons:
                self._comparisons[asked] = compared(self._trial(), posed, asked)
            return self._comparisons[asked]

    def _run(self) -> None:
        with contextlib.suppress(Exception):  # whoever asks for it gets to see it
            for asked in self.posed().sheet.asked:
                if self._stopped:
                    return
                self.comparison(asked)
            if not self._stopped:
                self.confirming()
