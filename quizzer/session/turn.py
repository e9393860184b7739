"""One card being asked: its parts, what was done on it, and the rating that suggests. Values only.

A turn's transcript holds all that a face has shown of it so far: a page that was reloaded, or a
second device, draws the present state from the turn alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from quizzer.card import Card, Choice, Number
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, AskedName, Broken, Question
from quizzer.notation.values import ReadAs
from quizzer.session.given import CHOICE, NUMBER
from quizzer.values import Rating, Verdict

UNSAID = "the checker could not judge"
"""Of a checker that broke without saying why."""


class Outcome(StrEnum):
    """How one asked name ended."""

    OPEN = "open"
    RIGHT = "right"
    GIVEN_UP = "given up"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Part:
    """One asked name. `wrong` counts wrong answers; invalid ones are no tries."""

    name: str
    ask: AskedName | None = None
    wrong: int = 0
    outcome: Outcome = Outcome.OPEN


class OutdatedTurnError(Exception):
    """An action that names another turn than the present one; nothing was done."""

    def __init__(self) -> None:
        super().__init__(
            "The session has gone on meanwhile, perhaps in another window. "
            "Nothing was saved; this is where it is now."
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """One answer as it was typed, and what was said of it."""

    typed: str
    answered: Answered


@dataclass(frozen=True, slots=True)
class Hinted:
    """One hint that was shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Disputed:
    """The last verdict on this name was disputed."""

    name: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The solution was shown."""


Move = Tried | Hinted | Disputed | Revealed


@dataclass(frozen=True, slots=True)
class Unclear:
    """An answer with readings that differ. Which one is meant is asked before it is judged."""

    name: str
    typed: str
    notation: str | None
    readings: tuple[ReadAs, ...]
    at: datetime
    """When it was sent."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One card from question to rating. Without parts it is revealed and rated."""

    entry: Entry
    card: Card
    parts: tuple[Part, ...] = ()
    asks: Question | None = None
    broken: str | None = None
    hints: tuple[str, ...] = ()
    own_hints: int = 0
    """How many of the hints are the author's own; the solution's steps follow them."""
    peeked: bool = False
    """Whether the file, and with it the solution, was open before the answer."""
    transcript: tuple[Move, ...] = ()
    """What was done and shown, the oldest first."""
    unclear: Unclear | None = None
    """The answer that waits until the learner says which of its readings they mean."""

    @property
    def hints_shown(self) -> int:
        return sum(isinstance(move, Hinted) for move in self.transcript)

    @property
    def revealed(self) -> bool:
        """Whether the solution is shown and the card waits for its rating."""
        return Revealed() in self.transcript

    @property
    def complete(self) -> bool:
        """Whether nothing is left to ask: a face reveals the solution by itself then."""
        return bool(self.parts) and self.part is None

    @property
    def brief(self) -> bool:
        """Whether the short answer is shown first, and the whole solution on demand."""
        return not self.parts and bool(self.card.short_answer)

    @property
    def part(self) -> Part | None:
        """The part that is asked now."""
        if self.revealed:
            return None
        return next((part for part in self.parts if part.outcome is Outcome.OPEN), None)

    @property
    def typed(self) -> bool:
        """Whether a readable answer was given at all."""
        return any(part.wrong or part.outcome is Outcome.RIGHT for part in self.parts)

    @property
    def all_right(self) -> bool:
        return bool(self.parts) and all(part.outcome is Outcome.RIGHT for part in self.parts)

    @property
    def put_right(self) -> bool:
        """Whether the learner put right what was wrong, without having seen the solution."""
        return self.all_right and not self.peeked

    def tried(self, typed: str, answered: Answered) -> "Turn":
        """The turn after an answer: right closes the part, wrong counts, invalid does not."""
        turn, name = self._then(Tried(typed, answered)), answered.name
        match answered.verdict:
            case Verdict.CORRECT:
                return turn._with(name, outcome=Outcome.RIGHT)
            case Verdict.WRONG:
                return turn._with(name, wrong=self._named(name).wrong + 1)
            case Verdict.INVALID:
                return turn
            case Verdict.BROKEN:
                return replace(turn, parts=(), broken=answered.message or UNSAID)

    def asking_back(self, unclear: Unclear | None) -> "Turn":
        """The turn that asks which reading is meant, or no longer does."""
        return replace(self, unclear=unclear)

    def disputed(self, name: str, verdict: Verdict) -> "Turn":
        """The part whose verdict is disputed is closed; if it was wrong, it does not count."""
        turn = self._then(Disputed(name))
        if verdict in (Verdict.CORRECT, Verdict.BROKEN):
            return turn
        wrong = self._named(name).wrong - (verdict is Verdict.WRONG)
        return turn._with(name, wrong=wrong, outcome=Outcome.DISPUTED)

    def closed(self, name: str) -> "Turn":
        """The part is given up."""
        return replace(self._with(name, outcome=Outcome.GIVEN_UP), unclear=None)

    def hint(self) -> "Turn":
        """The turn with one more hint shown; the same when all were."""
        if self.hints_shown == len(self.hints):
            return self
        return self._then(Hinted(self.hints[self.hints_shown]))

    def with_hints(self, hints: tuple[str, ...]) -> "Turn":
        """The turn with these as its next hints."""
        given, coming = self.hints[: self.hints_shown], self.hints[self.hints_shown :]
        return replace(self, hints=given + hints + coming)

    def reveal(self) -> "Turn":
        """The solution is shown; what was open is given up."""
        if self.revealed:
            return self
        parts = tuple(
            replace(part, outcome=Outcome.GIVEN_UP) if part.outcome is Outcome.OPEN else part
            for part in self.parts
        )
        return replace(self._then(Revealed()), parts=parts)

    def suggestion(self, seconds: float, earlier: Sequence[float]) -> Rating | None:
        """The rating that the tries suggest.

        All right at once is Good, or Easy when faster than half the median of `earlier` (seconds
        that this learner needed for this card or type); a second try is Hard; a hint, a third try
        or giving up is Again. None where nothing was typed: learners rate themselves.
        """
        if self.broken or not self.parts:
            return None
        if self.hints_shown or self.peeked:
            return Rating.AGAIN
        judged = [part for part in self.parts if part.outcome is not Outcome.DISPUTED]
        if not judged or not self.typed:
            return None
        if any(part.outcome is not Outcome.RIGHT or part.wrong > 1 for part in judged):
            return Rating.AGAIN
        if any(part.wrong for part in judged):
            return Rating.HARD
        from statistics import median

        from quizzer.plan.pace import ENOUGH_TIMES

        fast = len(earlier) >= ENOUGH_TIMES and seconds < median(earlier) / 2
        return Rating.EASY if fast else Rating.GOOD

    def _then(self, move: Move) -> "Turn":
        return replace(self, transcript=(*self.transcript, move), unclear=None)

    def _named(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def _with(self, name: str, wrong: int | None = None, outcome: Outcome | None = None) -> "Turn":
        parts = tuple(
            replace(
                part,
                wrong=part.wrong if wrong is None else wrong,
                outcome=outcome or part.outcome,
            )
            if part.name == name
            else part
            for part in self.parts
        )
        return replace(self, parts=parts)


def begin(entry: Entry, card: Card, asks: Question | Broken | None) -> Turn:
    """The turn of a card: by its checker, else by its key, else revealed and rated."""
    own = card.hints + (asks.hints if isinstance(asks, Question) else ())
    turn = Turn(entry, card, hints=own + card.steps, own_hints=len(own))
    if isinstance(asks, Broken):
        return replace(turn, broken=asks.message)
    if asks is not None:
        return replace(turn, asks=asks, parts=tuple(Part(ask.name, ask) for ask in asks.asked))
    match card.asks:
        case Choice():
            return replace(turn, parts=(Part(CHOICE),))
        case Number():
            return replace(turn, parts=(Part(NUMBER),))
        case _:
            return turn
