"""One card being asked: its parts, what was done on it, and the rating that suggests. Values only.

A turn's transcript holds all that a face has shown of it so far: a page that was reloaded, or a
second device, draws the present state from the turn alone.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from quizzer.card import Card
from quizzer.card.checklist import Item
from quizzer.deck import Entry
from quizzer.judge.judgement import Answered, AskedName, Question
from quizzer.notation.values import Context, ReadAs
from quizzer.session.marks import Marked
from quizzer.session.moves import Disputed, Hinted, Move, Predicted, Revealed, Tried
from quizzer.session.short_form import WRONG_LINE, ShortForm
from quizzer.session.ticks import Earned, earned
from quizzer.values import Form, Rating, Verdict

if TYPE_CHECKING:
    from quizzer.form.predictions import Prediction

UNSAID = "the checker could not judge"
"""Of a checker that broke without saying why."""


class Outcome(StrEnum):
    """How one asked name ended."""

    OPEN = "open"
    RIGHT = "right"
    GIVEN_UP = "given up"
    DISPUTED = "disputed"


class Part(Struct, frozen=True):
    """One asked name. `wrong` counts wrong answers; invalid ones are no tries."""

    name: str
    ask: AskedName | None = None
    wrong: int = 0
    outcome: Outcome = Outcome.OPEN
    share: float = 0.0
    """How much of the way to a wrong result was right, from 0 to 1."""


class OutdatedTurnError(Exception):
    """An action that names another turn than the present one; nothing was done."""

    def __init__(self) -> None:
        super().__init__(
            "The session has gone on meanwhile, perhaps in another window. "
            "Nothing was saved; this is where it is now."
        )


class Unclear(Struct, frozen=True):
    """An answer with readings that differ. Which one is meant is asked before it is judged."""

    name: str
    typed: str
    notation: str | None
    readings: tuple[ReadAs, ...]
    at: datetime
    """When it was sent."""


class Turn(Struct, frozen=True):
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
    checklist: tuple[Item, ...] = ()
    """What a solution must have, where learners rate themselves."""
    ticks: tuple[bool, ...] = ()
    """Which items of the checklist learners had, as far as they said."""
    repeats: bool = False
    """Whether only what failed earlier today is asked."""
    short: ShortForm | None = None
    """The short form in which the card is asked; None for a blank page."""

    @property
    def form(self) -> Form:
        return self.short.form if self.short else Form.BLANK

    @property
    def step_waits(self) -> bool:
        """Whether the next step of a worked solution is still to be shown."""
        return self.form is Form.WORKED and self.hints_shown < len(self.hints)

    @property
    def prediction(self) -> "Prediction | None":
        """What may be predicted of the next step of a worked solution."""
        waits = self.short and self.step_waits and not self.revealed
        return self.short.prediction(self.hints_shown) if self.short and waits else None

    @property
    def predicted(self) -> tuple[Predicted, ...]:
        return tuple(move for move in self.transcript if isinstance(move, Predicted))

    @property
    def hints_shown(self) -> int:
        return sum(isinstance(move, Hinted) for move in self.transcript)

    @property
    def last_tried(self) -> Tried | None:
        """The newest answer."""
        tried = (move for move in reversed(self.transcript) if isinstance(move, Tried))
        return next(tried, None)

    @property
    def derivations(self) -> tuple[Marked, ...]:
        """The derivations that were sent, with the marks of their lines."""
        tried = (move for move in self.transcript if isinstance(move, Tried))
        return tuple(move.marked for move in tried if move.marked)

    @property
    def to_mend(self) -> Tried | None:
        """The derivation that stays in the field: the newest answer, if it has lines to mend."""
        last = self.last_tried
        if last is None or last.marked is None or self.revealed:
            return None
        names = {each.name for each in last.answers}
        still = any(part.outcome is Outcome.OPEN for part in self.parts if part.name in names)
        return last if still else None

    @property
    def revealed(self) -> bool:
        """Whether the solution is shown and the card waits for its rating."""
        return Revealed() in self.transcript

    @property
    def line_shown(self) -> str:
        """The line of a short form that was not found or not typed, told with the solution."""
        return self.short.solved if self.short and self.revealed and not self.all_right else ""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to ask: a face reveals the solution by itself then."""
        return bool(self.parts) and self.part is None

    @property
    def brief(self) -> bool:
        """Whether the short answer is shown first, and the whole solution on demand."""
        alone = not self.parts or self.short is not None
        return bool(self.card.short_answer) and alone and not self.step_waits

    @property
    def part(self) -> Part | None:
        """The part that is asked now."""
        if self.revealed:
            return None
        return next((part for part in self.parts if part.outcome is Outcome.OPEN), None)

    @property
    def contexts(self) -> tuple[Context, ...]:
        """What it takes to read a formula for the open part; then for the others, as a text may
        give one of them instead."""
        if self.part is None or self.part.ask is None:
            return ()
        asked = (self.part.ask, *(each.ask for each in self.parts if each is not self.part))
        found = [each.context for each in asked if each]
        return tuple(filter(None, found)) if found[0] else ()

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

    @property
    def missed(self) -> frozenset[str]:
        """What to repeat today: the names that went wrong and the items that were not there, or all
        after a look or a hint."""
        helped = self.peeked or self.hints_shown
        if self.earned:
            items = zip(self.checklist, self.ticks, strict=True)
            return frozenset(item.text for item, had in items if helped or not had)
        return frozenset(
            part.name
            for part in self.parts
            if helped or part.wrong or part.outcome is Outcome.GIVEN_UP
        )

    def only(self, names: Collection[str]) -> "Turn":
        """The turn that asks for these names or items alone; the same where it has none of them."""
        items = tuple(item for item in self.checklist if item.text in names)
        if items:
            return replace(self, checklist=items, repeats=len(items) < len(self.checklist))
        parts = tuple(part for part in self.parts if part.name in names)
        if not parts or self.asks is None:
            return self
        asked = tuple(ask for ask in self.asks.asked if ask.name in names)
        return replace(self, parts=parts, asks=replace(self.asks, asked=asked))

    def tried(
        self,
        typed: str,
        answered: Answered,
        others: tuple[Answered, ...] = (),
        marked: Marked | None = None,
    ) -> "Turn":
        """The turn after an answer: right closes the part, wrong counts, invalid does not.

        A text may settle several parts. What is wrong with a line is told from the second time on
        that one is wrong, and where the result is right.
        """
        tried = Tried(typed, answered, others, marked)
        if marked and marked.wrong is not None:
            right = all(each.verdict is Verdict.CORRECT for each in tried.answers)
            if right or any(each.wrong is not None for each in self.derivations):
                tried = replace(tried, marked=marked.with_slip())
        turn = self._then(tried)
        for each in tried.answers:
            turn = turn._judged(each)
        return turn

    def _judged(self, answered: Answered) -> "Turn":
        name = answered.name
        match answered.verdict:
            case Verdict.CORRECT:
                return self._with(name, outcome=Outcome.RIGHT)
            case Verdict.WRONG:
                return self._with(name, wrong=self._named(name).wrong + 1)
            case Verdict.INVALID:
                return self
            case Verdict.BROKEN:
                return replace(self, parts=(), broken=answered.message or UNSAID)

    def explained(self) -> "Turn":
        """The turn with the kind of slip shown in the last derivation."""
        last = self.last_tried
        if last is None or last.marked is None:
            return self
        told = replace(last, marked=last.marked.with_slip())
        moves = tuple(told if move is last else move for move in self.transcript)
        return replace(self, transcript=moves)

    @property
    def open_item(self) -> Item | None:
        """The item of the checklist that is to be ticked next, once the solution is shown."""
        done = len(self.ticks)
        return self.checklist[done] if self.revealed and done < len(self.checklist) else None

    @property
    def earned(self) -> Earned | None:
        """The points that learners had of a checklist, once all of it is ticked."""
        return earned(self.checklist, self.ticks)

    def ticked(self, had: bool) -> "Turn":
        """The turn after it was said of the open item whether it was there."""
        return replace(self, ticks=(*self.ticks, had))

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

    def closed(self, name: str, share: float = 0.0) -> "Turn":
        """The part is given up; `share` of the way to it was right."""
        parts = tuple(
            replace(part, outcome=Outcome.GIVEN_UP, share=share) if part.name == name else part
            for part in self.parts
        )
        return replace(self, parts=parts, unclear=None)

    def past_steps(self, done: Collection[str]) -> "Turn":
        """The turn whose next hint is none of these steps of the solution."""
        given, coming = self.hints[: self.hints_shown], self.hints[self.hints_shown :]
        left = tuple(each for each in coming if each not in done)
        return replace(self, hints=given + left)

    def hint(self) -> "Turn":
        """The turn with one more hint shown; the same when all were."""
        if self.hints_shown == len(self.hints):
            return self
        return self._then(Hinted(self.hints[self.hints_shown]))

    def predict(self, choice: str) -> "Turn":
        """The turn after a prediction, right or wrong: the step is shown."""
        assert self.prediction
        return self._then(Predicted(self.prediction, choice)).hint()

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
        or giving up is Again; so is a line that was taken for the one with the slip, and a short
        form is never Easy. A checklist that was ticked suggests by its points: all is Good, three
        quarters Hard. None where nothing was typed or ticked on a blank page: learners rate
        themselves.
        """
        if self.form is Form.WORKED:
            return Rating.GOOD
        if found := self.earned:
            return Rating.AGAIN if self.hints_shown or self.peeked else found.suggested
        if self.broken or not self.parts:
            return None
        if self.hints_shown or self.peeked:
            return Rating.AGAIN
        judged = [part for part in self.parts if part.outcome is not Outcome.DISPUTED]
        if not judged or not (self.typed or self.short):
            return None
        if any(part.outcome is not Outcome.RIGHT or part.wrong > 1 for part in judged):
            return Rating.AGAIN
        if any(part.wrong for part in judged):
            chosen = any(part.wrong and part.name == WRONG_LINE for part in judged)
            return Rating.AGAIN if chosen else Rating.HARD
        if self.short:
            return Rating.GOOD
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
