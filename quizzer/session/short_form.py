"""The short form in which a card is asked: what it shows, and what is said of an answer."""

import re
from collections import Counter
from contextlib import suppress
from random import Random
from time import monotonic, sleep
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from quizzer.card import Card
from quizzer.judge.judgement import Answered, AskedName, Diagnosis, Question
from quizzer.judge.several_lines import may_be_derivation, with_left
from quizzer.store import Store
from quizzer.values import Attempt, Form, Verdict

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor
    from pathlib import Path

    from quizzer.form.forms import Short
    from quizzer.form.predictions import Prediction
    from quizzer.form.problems import Problems
    from quizzer.form.sheet import Sheet
    from quizzer.judge.judges import Judge

WRONG_LINE = "wrong line"
MENDED = "mended line"
MISSING = "missing line"
PROMPTS = {
    WRONG_LINE: "which line is wrong?",
    MENDED: "the line, corrected:",
    MISSING: "the missing line:",
}
"""What is asked, by the name of the part."""
OWN = "The lines are from a derivation of your own."
OWN_SHARE = 0.5
"""Of the forms of a card that the learner has derived, so many are made of what they wrote."""
USUAL = 3
"""How many kinds of mistakes count as a learner's usual ones."""
_A_LINE = re.compile(r"\s*\d{1,6}\s*")
"""Python reads no number of thousands of digits."""


class ShortForm(Struct, frozen=True):
    """One card in a short form."""

    form: Form
    made: "Short | None" = None
    """What there is to do; None for a worked solution."""
    problems: "Problems | None" = None
    usable: tuple[AskedName, ...] = ()
    """What the card's checker asks on a blank page, with the names that a line may use."""
    drawn: "tuple[Prediction, ...]" = ()
    """What a worked solution asks to predict, where that is known from the start."""
    later: "Future[ShortForm | None] | None" = None
    """The same worked solution with its predictions: they are made while it is on the screen."""

    def prediction(self, step: int) -> "Prediction | None":
        """What is asked before this step of a worked solution, from 0, as far as that is known."""
        known = self.later.result() if self.later and self.later.done() else self
        return next((each for each in known.drawn if each.step == step), None) if known else None

    @property
    def slip(self) -> str | None:
        """The kind of the slip that is to be found."""
        from quizzer.form.forms import FindSlip

        return self.made.slip.kind if isinstance(self.made, FindSlip) else None

    @property
    def names(self) -> tuple[str, ...]:
        """What is asked, one after the other."""
        return {Form.SLIP: (WRONG_LINE, MENDED), Form.MISSING: (MISSING,)}.get(self.form, ())

    def asked(self, card: Card) -> Card:
        """The card with the form below its question."""
        below = "\n\n".join(filter(None, (card.question, self.told, self.listed)))
        return replace(card, question=below, options=())

    @property
    def told(self) -> str:
        """What there is to do, as Markdown."""
        own = self.made is not None and self.made.sheet.is_learners
        return f"{self._to_do} {OWN}" if own else self._to_do

    @property
    def _to_do(self) -> str:
        return {
            Form.SLIP: "**One of these lines is wrong.** Lines below it may follow from it.",
            Form.MISSING: "**One of these lines is missing.** Any line that is right there counts.",
        }.get(self.form, "**A worked solution**, step by step.")

    @property
    def place(self) -> int | None:
        """Which of the lines is asked for, from 0."""
        from quizzer.form.forms import FindSlip

        if self.made is None:
            return None
        return self.made.slip.place if isinstance(self.made, FindSlip) else self.made.place

    @property
    def changed(self) -> tuple[int, ...]:
        """Which lines are not the card's, from 0: the slip and what follows from it."""
        from quizzer.form.forms import FindSlip

        return tuple(self.made.slip.rights) if isinstance(self.made, FindSlip) else ()

    @property
    def lines(self) -> tuple[tuple[str, bool], ...]:
        """The lines that are shown, and whether each is LaTeX."""
        if self.made is None:
            return ()
        known = self.made.sheet.lines
        return tuple(zip(self.made.lines, (line.is_latex for line in known), strict=True))

    @property
    def listed(self) -> str:
        """The lines with their numbers as Markdown, each drawn as the card writes it."""
        return "\n\n".join(
            f"$$ ({number}) \\quad {line} $$" if is_latex else f"`({number})  {line}`"
            for number, (line, is_latex) in enumerate(self.lines, 1)
        )

    @property
    def solved(self) -> str:
        """The line that is asked for, as Markdown."""
        from quizzer.form.forms import FindSlip

        if self.made is None or self.place is None:
            return ""
        line = self.made.sheet.lines[self.place]
        is_slip = isinstance(self.made, FindSlip)
        said = f"Line {self.place + 1} is wrong. It should be:" if is_slip else "The missing line:"
        return f"{said}\n\n{f'$$ {line.whole} $$' if line.is_latex else f'`{line.whole}`'}"

    def judged(self, name: str, typed: str) -> Answered:
        """The verdict on what is typed for one of the names."""
        if name == WRONG_LINE:
            return self._chosen(typed)
        from quizzer.form.entering import entered

        assert self.made and self.problems and self.place is not None
        found = entered(self.made.sheet, self.place, typed, self.problems, self.changed)
        diagnosis = Diagnosis(found.code, found.message) if found.code else None
        return Answered(name, found.verdict, found.message, diagnosis=diagnosis)

    def _chosen(self, typed: str) -> Answered:
        from quizzer.form.forms import FindSlip

        assert isinstance(self.made, FindSlip)
        count, slip = len(self.made.lines), self.made.slip
        number = int(typed) if _A_LINE.fullmatch(typed) else 0
        if not 1 <= number <= count:
            return Answered(WRONG_LINE, Verdict.INVALID, f"Type a number from 1 to {count}.")
        if number == slip.place + 1:
            return Answered(WRONG_LINE, Verdict.CORRECT, "")
        follows = number - 1 in self.changed
        said = f"Line {number} {'only follows from a line above' if follows else 'is right'}."
        return Answered(WRONG_LINE, Verdict.WRONG, said, diagnosis=Diagnosis(slip.kind, ""))


def usual_mistakes(store: Store) -> list[str]:
    """The kinds of mistakes that a learner makes most often: a slip is of one where it can be."""
    made = Counter(
        event.fact.diagnosis
        for event in store.wrong_attempts()
        if isinstance(event.fact, Attempt) and event.fact.diagnosis
    )
    return [code for code, _ in made.most_common(USUAL)]


def right_derivation(store: Store, card: str) -> str:
    """The newest derivation of a card by the learner of which each line was right; empty if there
    is none."""
    for event in reversed(store.events(card, kinds=[Attempt])):
        match event.fact:
            case Attempt(verdict=Verdict.CORRECT, line=None, reading=None) as attempt:
                if may_be_derivation(attempt.answer, attempt.notation):
                    return with_left(attempt.name, attempt.answer)
    return ""


class Wanted(Struct, frozen=True):
    """What a card shall come as: the first of these forms that it can have."""

    checker: "Path"
    card: Card
    forms: tuple[Form, ...]
    mistakes: tuple[str, ...] = ()
    """The kinds of slips to prefer."""
    own: str = ""
    """A right derivation by the learner, of which the form may be made."""
    reviews: int = 0
    """Of the card so far: with its id, they say what a worked solution asks to predict."""


class ShortForms:
    """Makes short forms in a thread of its own, so that no question waits for a proof.

    A worked solution needs none and is there at once; what it asks to predict may come later.
    Sheets of the last few cards are kept.
    """

    KEPT = 8

    def __init__(self, judge: "Judge", rng: Random, quiet: float = 0.0) -> None:
        """`quiet`: seconds before predictions are made, so that the first card is soon shown."""
        self._judge = judge
        self._quiet_until = monotonic() + quiet
        self._rng = rng
        self._thread: ThreadPoolExecutor | None = None
        self._begun: dict[str, tuple[Wanted, Future[ShortForm | None]]] = {}
        self._proven: dict[tuple[Path, str], tuple[Sheet, Problems] | None] = {}

    def begin(self, name: str, wanted: Wanted) -> None:
        """Begin to make the form of the card with this id, and return at once."""
        if name in self._begun:
            return
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor

            self._thread = ThreadPoolExecutor(1)
        while len(self._begun) >= self.KEPT:
            del self._begun[next(iter(self._begun))]
        made = self._thread.submit(self._made, name, wanted, Random(self._rng.getrandbits(64)))
        self._begun[name] = wanted, made

    def is_ready(self, name: str, wanted: Wanted) -> bool:
        """Whether `take` has not to wait."""
        begun = self._begun.get(name)
        return _is_at_once(wanted) or (begun is not None and begun[1].done())

    def take(self, name: str, wanted: Wanted, seconds: float | None) -> ShortForm | None:
        """The form, waited for as long as this, or as long as it takes; None for the blank page."""
        begun = self._begun.pop(name, None)
        if begun is None or begun[0] != wanted:
            self.begin(name, wanted)
            begun = self._begun.pop(name)
        if _is_at_once(wanted) and seconds is not None:
            return ShortForm(Form.WORKED, later=begun[1])
        try:
            return begun[1].result(seconds)
        except TimeoutError:
            return None

    def _made(self, name: str, wanted: Wanted, rng: Random) -> ShortForm | None:
        if _is_at_once(wanted):
            sleep(max(0.0, self._quiet_until - monotonic()))
            drawn = self._predictions(wanted, Random(f"{name} {wanted.reviews}"))
            return ShortForm(Form.WORKED, drawn=drawn)
        from quizzer.form import forms
        from quizzer.form.proving import CANNOT_PROVE

        own = wanted.own if wanted.own and rng.random() < OWN_SHARE else ""
        known = self._sheet(wanted, own)
        if known is None:
            return None
        sheet, problems = known
        for form in wanted.forms:
            made: Short | None = None
            with suppress(*CANNOT_PROVE):
                match form:
                    case Form.SLIP:
                        made = forms.find_slip(sheet, problems, rng, wanted.mistakes)
                    case Form.MISSING:
                        made = forms.missing_line(sheet, rng)
            if made is not None:
                return ShortForm(form, made, problems, self._usable(wanted.checker))
        return None

    def _predictions(self, wanted: Wanted, rng: Random) -> "tuple[Prediction, ...]":
        """What a worked solution asks, by the card and its reviews alone."""
        from quizzer.form.predictions import predictions
        from quizzer.form.proving import CANNOT_PROVE

        with suppress(*CANNOT_PROVE):
            if known := self._sheet(wanted, ""):
                return predictions(*known, rng)
        return ()

    def _usable(self, checker: "Path") -> tuple[AskedName, ...]:
        found = self._judge.question(checker)
        return found.asked if isinstance(found, Question) else ()

    def _sheet(self, wanted: Wanted, own: str) -> "tuple[Sheet, Problems] | None":
        key = wanted.checker, f"{wanted.card.question}{wanted.card.solution}{own}"
        if key not in self._proven:
            from quizzer.form.proving import CANNOT_PROVE, SEEDS, proven

            found = None
            with suppress(*CANNOT_PROVE):
                checker = self._judge.checker(wanted.checker)
                found = proven(checker, wanted.card, SEEDS, own)
            self._proven[key] = found
            while len(self._proven) > self.KEPT:
                del self._proven[next(iter(self._proven))]
        return self._proven[key]


def _is_at_once(wanted: Wanted) -> bool:
    from quizzer.form.forms import has_steps

    return wanted.forms[0] is Form.WORKED and has_steps(wanted.card)
