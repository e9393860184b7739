"""The short form in which a card is asked: what it shows, and what is said of an answer."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from quizzer.card import Card
from quizzer.judge.judgement import Answered, AskedName, Diagnosis, Question
from quizzer.store import Store
from quizzer.values import Attempt, Form, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from quizzer.form.forms import Short
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
SEEDS = (0, 1, 2)
USUAL = 3
"""How many kinds of mistakes count as a learner's usual ones."""
_A_LINE = re.compile(r"\s*\d{1,6}\s*")
"""Python reads no number of thousands of digits."""


@dataclass(frozen=True, slots=True)
class Door:
    """A short form of one card."""

    form: Form
    short: "Short"
    problems: "Problems"
    usable: tuple[AskedName, ...] = ()
    """What the card's checker asks on a blank page, with the names that a line may use."""

    @property
    def slip(self) -> str | None:
        """The kind of the slip that is to be found."""
        from quizzer.form.forms import FindSlip

        return self.short.slip.kind if isinstance(self.short, FindSlip) else None

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
        return {
            Form.SLIP: "**One of these lines is wrong.**",
            Form.MISSING: "**One of these lines is missing.** Any line that is right there counts.",
        }.get(self.form, "**A worked solution**, step by step.")

    @property
    def place(self) -> int | None:
        """Which of the lines is asked for, from 0."""
        from quizzer.form.forms import FindSlip, MissingLine

        match self.short:
            case FindSlip(slip=slip):
                return slip.place
            case MissingLine(place=place):
                return place
            case _:
                return None

    @property
    def lines(self) -> tuple[tuple[str, bool], ...]:
        """The lines that are shown, and whether each is LaTeX."""
        from quizzer.form.forms import Worked

        if isinstance(self.short, Worked):
            return ()
        known = self.short.sheet.lines
        return tuple(zip(self.short.lines, (line.is_latex for line in known), strict=True))

    @property
    def listed(self) -> str:
        """The lines with their numbers as Markdown, each drawn as the card writes it."""
        return "\n\n".join(
            f"$$ ({number}) \\quad {line} $$" if is_latex else f"`({number})  {line}`"
            for number, (line, is_latex) in enumerate(self.lines, 1)
        )

    def judged(self, name: str, typed: str) -> Answered:
        """The verdict on what is typed for one of the names."""
        if name == WRONG_LINE:
            return self._chosen(typed)
        from quizzer.form.entering import entered

        assert self.place is not None
        found = entered(self.short.sheet, self.place, typed, self.problems)
        diagnosis = Diagnosis(found.code, found.message) if found.code else None
        return Answered(name, found.verdict, found.message, diagnosis=diagnosis)

    def _chosen(self, typed: str) -> Answered:
        from quizzer.form.forms import FindSlip

        assert isinstance(self.short, FindSlip)
        count, slip = len(self.short.lines), self.short.slip
        number = int(typed) if _A_LINE.fullmatch(typed) else 0
        if not 1 <= number <= count:
            return Answered(WRONG_LINE, Verdict.INVALID, f"Type a number from 1 to {count}.")
        if number == slip.place + 1:
            return Answered(WRONG_LINE, Verdict.CORRECT, "")
        said = f"Line {number} is right."
        return Answered(WRONG_LINE, Verdict.WRONG, said, diagnosis=Diagnosis(slip.kind, ""))


def usual_mistakes(store: Store) -> list[str]:
    """The kinds of mistakes that a learner makes most often: a slip is of one where it can be."""
    made = Counter(
        event.fact.diagnosis
        for event in store.wrong_attempts()
        if isinstance(event.fact, Attempt) and event.fact.diagnosis
    )
    return [code for code, _ in made.most_common(USUAL)]


class Doors:
    """Makes short forms, and remembers the sheets of the last few cards."""

    KEPT = 8

    def __init__(self, judge: "Judge", rng: Random) -> None:
        self._judge = judge
        self._rng = rng
        self._proven: dict[tuple[Path, str], tuple[Sheet, Problems] | None] = {}

    def door(
        self, checker: "Path", card: Card, wanted: Sequence[Form], prefer: Collection[str] = ()
    ) -> Door | None:
        """The first of the wanted forms that the card can have; None for its blank page."""
        from quizzer.form import forms

        known = self._sheet(checker, card) if wanted else None
        if known is None:
            return None
        sheet, problems = known
        for form in wanted:
            short: Short | None = None
            with suppress(Exception):  # whatever fails, the blank page can be asked
                match form:
                    case Form.WORKED if sheet.steps and sheet.lines:
                        short = forms.Worked(sheet)
                    case Form.SLIP:
                        short = forms.find_slip(sheet, problems, self._rng, prefer)
                    case Form.MISSING:
                        short = forms.missing_line(sheet, self._rng)
            if short is not None:
                return Door(form, short, problems, self._usable(checker))
        return None

    def _usable(self, checker: "Path") -> tuple[AskedName, ...]:
        found = self._judge.question(checker)
        return found.asked if isinstance(found, Question) else ()

    def _sheet(self, checker: "Path", card: Card) -> "tuple[Sheet, Problems] | None":
        key = checker, f"{card.question}{card.solution}"
        if key not in self._proven:
            from quizzer.form.proving import proven
            from quizzer.judge.source import stated_of

            found = None
            with suppress(Exception):  # a checker that breaks is told about by the blank page
                stated = stated_of(checker.with_suffix(".md"))
                found = proven(self._judge.checker(checker), card, stated, SEEDS)
            self._proven[key] = found
            while len(self._proven) > self.KEPT:
                del self._proven[next(iter(self._proven))]
        return self._proven[key]
