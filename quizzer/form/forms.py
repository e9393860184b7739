"""The short forms of a card: what is shown of its sheet, and what is left to do."""

from collections.abc import Collection, Sequence
from random import Random

from msgspec import Struct

from quizzer.card import Card
from quizzer.form.problems import Problems
from quizzer.form.sheet import ENOUGH, Sheet, shown
from quizzer.form.slips import Slip, slips
from quizzer.values import Form


class FindSlip(Struct, frozen=True):
    """The sheet with one slip: choose its line, then mend it."""

    sheet: Sheet
    slip: Slip

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown: every line with its left side where it begins a statement."""
        changed = self.sheet.replaced(self.slip.rights)
        return tuple(shown(changed, place) for place in range(len(changed)))


class MissingLine(Struct, frozen=True):
    """The sheet without one line."""

    sheet: Sheet
    place: int

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown: for the missing right side a question mark."""
        mark = r"\;?" if self.sheet.lines[self.place].is_latex else "?"
        lines = self.sheet.replaced({self.place: mark})
        return tuple(shown(lines, place) for place in range(len(lines)))


Short = FindSlip | MissingLine
"""What is made of proven lines; a worked solution takes the card's steps alone."""
FEWEST_STEPS = 2
"""A solution of one step is read in one go."""


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


def has_steps(card: Card) -> bool:
    """Whether a card can come as a worked solution."""
    return len(card.steps) >= FEWEST_STEPS


def forms_without_lines(card: Card) -> tuple[Form, ...]:
    """The forms that a card can have whatever can be proven of its lines."""
    return (Form.WORKED, Form.BLANK) if has_steps(card) else (Form.BLANK,)


def forms_of(card: Card, sheet: Sheet, problems: Problems) -> tuple[Form, ...]:
    """The forms that a card can have; the blank page always. Raises what `derive` raises."""
    *found, blank = forms_without_lines(card)
    if find_slip(sheet, problems, Random(0)):
        found.append(Form.SLIP)
    if blanks(sheet):
        found.append(Form.MISSING)
    return (*found, blank)


def _is_long(sheet: Sheet) -> bool:
    return len(sheet.lines) >= ENOUGH
