"""What a judge returns: the names that a card asks for, and verdicts on answers. No NumPy here."""

from typing import TYPE_CHECKING

from msgspec import Struct

from quizzer.notation.values import ReadAs
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.notation import Context

RIGHT = "right"
"""The message of a right answer that needs none."""


class AskedName(Struct, frozen=True):
    """One name that a card asks for, as learners must see it before they derive."""

    name: str
    label: str
    shape: tuple[str, ...]
    """One entry an axis: its size's name if the checker has one, else its length in an example."""
    names: tuple[str, ...]
    """Names that the answer may use, as the card writes them, with their shapes: `W (5, 3)`."""
    context: "Context | None" = None
    """What it takes to read an answer, not to judge it."""
    unit: str = ""
    """What a number must have behind it."""
    within: str = ""
    """How near a number must be, `1 %`."""


class Given(Struct, frozen=True):
    """A name, as the card writes it, with its value in the shown problem, on lines."""

    name: str
    lines: tuple[str, ...]


class Question(Struct, frozen=True):
    """What a card asks: the names in order, and the sentences that go with them."""

    asked: tuple[AskedName, ...]
    assume: str | None = None
    first_index: int = 0
    hints: tuple[str, ...] = ()
    shows: bool = False
    """Whether it shows the numbers of a problem."""
    seed: int | None = None
    """Of these numbers: answers are judged by the same."""
    given: tuple[Given, ...] = ()
    values: tuple[Given, ...] = ()
    """What is asked for these numbers: for the solution."""

    @property
    def usable(self) -> "dict[str, tuple[str, ...]]":
        """The names that answers may use: those for all under "", then those for one alone."""
        shared = [n for n in self.asked[0].names if all(n in each.names for each in self.asked)]
        alone = {each.name: tuple(n for n in each.names if n not in shared) for each in self.asked}
        names = {"": tuple(shared), **alone}
        return {name: found for name, found in names.items() if found}


class Diagnosis(Struct, frozen=True):
    code: str
    message: str


class View(Struct, frozen=True):
    """A few entries of a wrong array, along its last two axes, and the right ones.

    An array with one axis is shown as a column, as a vector in a formula is.
    """

    name: str
    start: tuple[int, ...]
    """The index of the first entry shown, one number an axis, counted as the card counts."""
    got: tuple[tuple[float, ...], ...]
    expected: tuple[tuple[float, ...], ...]
    differs: tuple[tuple[bool, ...], ...]

    @property
    def place(self) -> str:
        """Which part this is, with the first and last index of each axis: `dW[0 to 3, 2 to 5]`."""
        lengths = (len(self.got), len(self.got[0]))[: len(self.start)]
        ends = [1] * (len(self.start) - len(lengths)) + [*lengths]
        shown = (
            f"{low} to {low + length - 1}" if length > 1 else f"{low}"
            for low, length in zip(self.start, ends, strict=True)
        )
        return f"{self.name}[{', '.join(shown)}]"

    def entry(self, row: int, column: int) -> str:
        """The name of the entry shown at this row and column, from 0: `dW[0, 3]`."""
        *fixed, last = self.start
        index = [last + row] if not fixed else [*fixed[:-1], fixed[-1] + row, last + column]
        return f"{self.name}[{', '.join(map(str, index))}]"


class Answered(Struct, frozen=True):
    """The verdict on one answer. `message` is what the learner needs to know, in a sentence."""

    name: str
    verdict: Verdict
    message: str
    notation: str | None = None
    diagnosis: Diagnosis | None = None
    shape: tuple[int, ...] | None = None
    expected_shape: tuple[int, ...] | None = None
    line: int | None = None
    """Where an invalid answer cannot be read, if known; both count from 1."""
    column: int | None = None
    understood: ReadAs | None = None
    """The answer as it was read, as far as it could be; brackets show what belongs together."""
    set_aside: tuple[str, ...] = ()
    """The remarks in the answer, which were not read."""
    readings: tuple[ReadAs, ...] = ()
    """The readings of an invalid answer that has several, where their values differ."""
    view: View | None = None
    """Where a wrong array differs, and what is right there."""


class Judgement(Struct, frozen=True):
    """The verdicts on the answers of one submission; `seed` repeats it."""

    seed: int
    answers: tuple[Answered, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of all: broken, invalid, wrong, correct; without answers it is invalid."""
        verdicts = [answered.verdict for answered in self.answers]
        return max(verdicts, key=_WORSE.index, default=Verdict.INVALID)


_WORSE = [Verdict.CORRECT, Verdict.WRONG, Verdict.INVALID, Verdict.BROKEN]


class Broken(Struct, frozen=True):
    """The checker's fault: it cannot ask or judge. The message is for its author."""

    message: str
