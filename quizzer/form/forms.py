"""The short forms of a card: what is shown of its sheet, and what is left to do."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from quizzer.form.problems import Problems
from quizzer.form.sheet import ENOUGH, Sheet, shown
from quizzer.form.slips import Slip, slips
from quizzer.values import Form


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a worked solution: its text, and the proven lines that come from it."""

    text: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A line of a worked solution that is to be foreseen: it, or the same with a slip."""

    slip: Slip
    is_first: bool
    """Whether the right line is the first of the two."""


@dataclass(frozen=True, slots=True)
class Worked:
    """The solution step by step."""

    sheet: Sheet
    guess: Guess | None = None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The steps in order; then, without a text, the lines that no step has."""
        lines = [*enumerate(self.sheet.lines)]
        found = [
            Stage(text, tuple(place for place, line in lines if line.step == number))
            for number, text in enumerate(self.sheet.steps)
        ]
        rest = tuple(place for place, line in lines if line.step is None)
        return (*found, Stage("", rest)) if rest else tuple(found)


@dataclass(frozen=True, slots=True)
class FindSlip:
    """The sheet with one slip: choose its line, then mend it."""

    sheet: Sheet
    slip: Slip

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown: every line with its left side where it begins a statement."""
        changed = self.sheet.replaced(self.slip.place, self.slip.right)
        return tuple(shown(changed, place) for place in range(len(changed)))


@dataclass(frozen=True, slots=True)
class MissingLine:
    """The sheet without one line."""

    sheet: Sheet
    place: int

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown: for the missing right side a question mark."""
        lines = self.sheet.replaced(self.place, "?")
        return tuple(shown(lines, place) for place in range(len(lines)))


Short = Worked | FindSlip | MissingLine


def worked(
    sheet: Sheet, problems: Problems, rng: Random, prefer: Collection[str] = ("sign",)
) -> Worked | None:
    """The solution step by step, now and then with a line to foresee; None without any step."""
    if not sheet.steps or not sheet.lines:
        return None
    slip = next(slips(sheet, problems, rng, prefer), None) if _is_long(sheet) else None
    return Worked(sheet, Guess(slip, rng.random() < 0.5) if slip else None)


def find_slip(
    sheet: Sheet, problems: Problems, rng: Random, prefer: Collection[str] = ()
) -> FindSlip | None:
    """A slip of one of the kinds in `prefer` where there is one; None without a certified slip."""
    slip = next(slips(sheet, problems, rng, prefer), None) if _is_long(sheet) else None
    return FindSlip(sheet, slip) if slip else None


def missing_line(sheet: Sheet, rng: Random) -> MissingLine | None:
    """A line between two others is left out."""
    places = blanks(sheet)
    return MissingLine(sheet, rng.choice(places)) if places else None


def blanks(sheet: Sheet) -> Sequence[int]:
    """The lines that may be left out: those between two others that claim something."""
    inner = range(1, len(sheet.lines) - 1) if _is_long(sheet) else ()
    return [place for place in inner if not sheet.lines[place].defines]


def forms_of(sheet: Sheet, problems: Problems) -> tuple[Form, ...]:
    """The forms that a card can have; the blank page always. Raises what `derive` raises."""
    found = []
    if sheet.steps and sheet.lines:
        found.append(Form.WORKED)
    if find_slip(sheet, problems, Random(0)):
        found.append(Form.SLIP)
    if blanks(sheet):
        found.append(Form.MISSING)
    return (*found, Form.BLANK)


def _is_long(sheet: Sheet) -> bool:
    return len(sheet.lines) >= ENOUGH
