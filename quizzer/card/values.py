"""What a card is once it is read: its header, its texts, how it can be asked, its problems."""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from quizzer.text import folded

TYPES = ("derivation", "open", "multiple_choice", "calculation", "problem-solving", "proof")


class Severity(StrEnum):
    """An error must be mended. After a warning everything that the file says still works."""

    ERROR = "error"
    WARNING = "warning"


class Problem(Struct, frozen=True):
    """What is wrong at a line of a file (counted from 1), and in the same message the remedy."""

    path: Path
    line: int
    severity: Severity
    code: str
    message: str


class Header(Struct, frozen=True):
    """What lists, filters and the schedule need to know of a card without its text."""

    id: str
    title: str
    """First sentence of the question on one line; formulas keep their dollars, none is cut."""
    course: str = ""
    """Its accents composed, so that however two cards encode them, they are of one course."""
    tags: tuple[str, ...] = ()
    difficulty: int | None = None
    type: str = "open"
    status: str = ""
    points: float | None = None
    related: tuple[str, ...] = ()
    line: int = 1
    """Where the id stands in the file."""
    requires: tuple[str, ...] = ()
    """Ids of the cards that are to be met before it."""
    requires_line: int = 0
    """Where they stand in the file; 0 for none."""

    @property
    def says_what_it_requires(self) -> bool:
        """Whether it has the key, if only with nothing behind it."""
        return self.requires_line > 0

    @property
    def kind(self) -> str:
        """The type as quizzer treats it: `open` for a word it does not know."""
        return kind_of(self.type)


class Option(Struct, frozen=True):
    letter: str
    text: str


class Link(Struct, frozen=True):
    """A wiki-link `[[target|label]]`; without a label the target is its own."""

    target: str
    label: str


class Image(Struct, frozen=True):
    """An image by its name or path as the card writes it, and the line that does so."""

    name: str
    line: int


class Part(Struct, frozen=True):
    """The points of one part `(a)`, `(b)` … of the question."""

    letter: str
    points: float


class CheckerFence(Struct, frozen=True):
    """The text of a declared checker within the card, and the line of the file it begins in."""

    text: str
    line: int


class Choice(Struct, frozen=True):
    """The right answer is exactly this set of option letters."""

    letters: frozenset[str]


class Number(Struct, frozen=True):
    """The right answer is this number.

    `slack` is how far a number may lie from it and still round to what the card shows: half a unit
    of the last decimal, and 0 where the key is exact (an integer, a fraction).
    """

    value: float
    slack: float = 0.0


class Reveal(Struct, frozen=True):
    """Nothing that could be judged: the solution is revealed, and the learner rates himself."""


Asked = Choice | Number | Reveal


class Card(Struct, frozen=True):
    """The content of one card file. All text is safe to print, marks such as `[cite: 3]` are gone.

    Line k of `question` stands in line `question_line + k` of the file, up to the options; line k
    of `solution` in line `solution_line + k`.
    """

    header: Header
    question: str
    """Markdown without the sections Options and Hints."""
    question_line: int
    solution: str
    """Markdown, all that follows the heading Solution."""
    solution_line: int
    asks: Asked
    """How the card can be judged by itself, when no checker stands beside it."""
    options: tuple[Option, ...] = ()
    correct_answer: str = ""
    short_answer: str = ""
    """What is shown first on revealing: the short answer, else the correct one; may be empty."""
    steps: tuple[str, ...] = ()
    """The derivation's steps in order, else the paragraphs of the solution, without the answer."""
    hints: tuple[str, ...] = ()
    related: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    parts: tuple[Part, ...] = ()
    ignore: tuple[str, ...] = ()
    """Codes of warnings of `check` that the author means to leave as they are."""
    checker: CheckerFence | None = None
    """What the card's fence `checker` holds; it is in neither text."""


class Parsed(Struct, frozen=True):
    """What became of a file: a card, a note (a file without front matter), or neither."""

    card: Card | None
    is_note: bool
    problems: tuple[Problem, ...] = ()


def normal_type(text: str) -> str:
    """A known type however it is spelled (`Multiple choice`); any other word as it is written."""
    return _SPELLINGS.get(_folded(text), text)


def kind_of(type_: str) -> str:
    known = normal_type(type_)
    return known if known in TYPES else "open"


def named_by_link(target: str) -> str:
    """The id or file name, folded, that a wiki-link names: `a/Max_Pooling.md#Steps` means
    `max_pooling`."""
    return folded(target.split("#")[0].rsplit("/")[-1].strip()).removesuffix(".md")


def _folded(text: str) -> str:
    return text.lower().replace("-", "_").replace(" ", "_")


_SPELLINGS = {_folded(known): known for known in TYPES}
