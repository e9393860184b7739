"""A deck once it is loaded: its entries, how they are found and filtered, and their files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from quizzer import files, tex
from quizzer.card import Header, Parsed, Problem, Severity, normal_type, parse
from quizzer.card.formulas import formulas
from quizzer.deck.own_problem import OwnProblem
from quizzer.deck.walk import CHECKERS, checkers_beside
from quizzer.text import composed, folded, one_line

MAX_CARD_BYTES = 1024 * 1024

Run = tuple[str, Sequence[str]]
"""A course in lower case, and the ids of cards of it that follow each other."""

MIDDLING = 3
"""The difficulty of a card that names none."""


class Asking(StrEnum):
    """How a card is asked: by its checker, by letters, by a number, or by revealing it."""

    CHECKER = "checker"
    CHOICE = "choice"
    NUMBER = "number"
    REVEAL = "reveal"


class Folder(Struct, frozen=True):
    """A folder of the deck; its name comes from its `info.json`."""

    path: Path
    name: str = ""
    macros: Path | None = None
    """Its `macros.tex`, if there is one."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One card of a deck without its text."""

    path: Path
    root: Path
    header: Header
    asking: Asking
    checker: Path | None = None
    """The file that holds the checker: Python, declared in math, or the card itself."""
    folders: tuple[str, ...] = ()
    """Names of the folders from the root to the card, and those that `info.json` gives them."""
    title: str = ""
    """The header's title on one line, its formulas as signs."""
    easier: tuple[str, ...] = ()
    """The ids of easier cards linked with it, where it names none under `requires`."""

    @property
    def after(self) -> tuple[str, ...]:
        """The ids of the cards to be met before it, as far as they are new."""
        return self.header.requires or self.easier

    @property
    def id(self) -> str:
        return self.header.id

    @property
    def type(self) -> str:
        """As the header names it."""
        return self.header.type

    @property
    def kind(self) -> str:
        """The type as quizzer treats it."""
        return self.header.kind

    @property
    def points(self) -> float | None:
        return self.header.points

    def __eq__(self, other: object) -> bool:
        # One that the index keeps is of a class of its own, and equal to the same one just read.
        return self is other or (isinstance(other, Entry) and _told(self) == _told(other))

    def __hash__(self) -> int:
        return hash(self.id)


class NoSuchCard(Struct, frozen=True):
    key: str
    near: tuple[str, ...] = ()
    """Ids of files with this name, else ids that look like the key."""
    problem: Problem | None = None
    """Why a file that was named is no card."""

    @property
    def message(self) -> str:
        if self.problem:
            return f"{self.key} is no card: line {self.problem.line}: {self.problem.message}"
        hint = f"; did you mean {' or '.join(self.near)}?" if self.near else "; see `quizzer list`"
        return f"no card has the id {self.key}{hint}"


class Ambiguous(Struct, frozen=True):
    key: str
    candidates: tuple[str, ...]

    @property
    def message(self) -> str:
        shown = ", ".join(self.candidates[:5]) + (", …" if len(self.candidates) > 5 else "")
        return f"{len(self.candidates)} ids begin with {self.key}: {shown}; type more of it"


class Deck(Struct, frozen=True):
    """The cards of one or more folders, in order, and all problems found in them."""

    roots: tuple[Path, ...]
    entries: Sequence[Entry]
    notes: int
    problems: tuple[Problem, ...]
    folders: Mapping[Path, Folder]
    pictures: Mapping[str, Sequence[str]]
    """Paths of files that are neither cards nor checkers, by name in lower case."""
    by_id: Mapping[str, Entry]
    ease: Sequence[Run] = ()
    """All cards as `by_ease` puts them, where that is known already."""

    def with_problems(self, problems: Sequence[Problem]) -> "Deck":
        return replace(self, problems=tuple(problems))

    def without(self, ids: Set[str]) -> Iterator[Entry]:
        """The cards but these, in order; those left out are not even made from the index."""
        return (self.by_id[card] for card in self.by_id if card not in ids)

    def easy_first(self, ids: Set[str]) -> Iterator[Entry]:
        """These cards in the order of `by_ease`, each made from the index as it is taken."""
        return (self.by_id[card] for _, run in self._runs() for card in run if card in ids)

    def by_course(self, ids: Set[str]) -> dict[str, Iterator[Entry]]:
        """The same by course, in lower case; the courses in the order of their first cards."""
        found = dict[str, list[str]]()
        for course, run in self._runs():
            if own := [card for card in run if card in ids]:
                found.setdefault(course, []).extend(own)
        return {course: map(self.by_id.__getitem__, cards) for course, cards in found.items()}

    def read(self, entry: Entry) -> Parsed:
        """The card's text as its file has it now, or why it can no longer be read."""
        parsed = read_file(entry.path)
        if parsed.card and parsed.card.header.id != entry.id:
            message = f"the id was {entry.id} when the deck was loaded; start again"
            line = parsed.card.header.line
            return Parsed(None, False, (Problem(entry.path, line, Severity.ERROR, "id", message),))
        return parsed

    def find(self, key: str) -> Entry | NoSuchCard | Ambiguous:
        """The card with this id, else in this file, else whose id alone begins so."""
        if entry := self.by_id.get(key):
            return entry
        if file := _existing_file(key):
            return self._in_file(key, file)
        beginning = composed(key)
        candidates = [id_ for id_ in self.by_id if composed(id_).startswith(beginning)]
        whole = [id_ for id_ in candidates if composed(id_) == beginning]
        candidates = (whole or candidates) if key else []
        if len(candidates) == 1:
            return self.by_id[candidates[0]]
        if candidates:
            return Ambiguous(key, tuple(candidates))
        files = tuple(each.id for each in self.entries if each.path.stem == key)
        return NoSuchCard(key, files[:3] or _near(key, list(self.by_id)))

    def media(self, name: str, beside: Path | None = None) -> Path | None:
        """The file of an image, anywhere in the deck, by the name or path that a card writes.

        Of several the one that fits the written path best, then the one next to the card `beside`.
        """
        for written in _spellings(name):
            parts = written.replace("\\", "/").split("/")
            candidates = [Path(p) for p in self.pictures.get(folded(parts[-1]), ())]
            if candidates:
                return max(candidates, key=lambda path: _fit(path, parts, beside))
        return None

    def macros(self, entry: Entry) -> tuple[Path, ...]:
        """The `macros.tex` files that hold for a card, the outermost first."""
        above = (self.folders.get(folder) for folder in reversed(entry.path.parents))
        return tuple(folder.macros for folder in above if folder and folder.macros)

    def _runs(self) -> Sequence[Run]:
        return self.ease or runs_by_ease(self.by_id.values())

    def _in_file(self, key: str, file: Path) -> Entry | NoSuchCard:
        beside = file.with_suffix(".md") if file.suffix in CHECKERS else file
        for entry in self.entries:
            if entry.path.name == beside.name and entry.path.resolve() == beside:
                return entry
        parsed = read_file(beside)
        if parsed.card is None:
            return NoSuchCard(key, problem=parsed.problems[0] if parsed.problems else None)
        checker = next(iter(checkers_beside(beside)), beside if parsed.card.checker else None)
        return Entry(
            path=beside,
            root=beside.parent,
            header=parsed.card.header,
            asking=asking_of(parsed, checker is not None),
            checker=checker,
            folders=(composed(beside.parent.name),),
            title=title_of(parsed.card.header),
        )


class Filter(Struct, frozen=True):
    """Which cards are meant: any value of an option, but every option that is given."""

    courses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    difficulties: tuple[int, ...] = ()
    statuses: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    """Ids, as `Deck.find` gives them."""
    text: str = ""
    """Found in the header or anywhere in the file, ignoring case."""

    def __bool__(self) -> bool:
        """Whether anything is asked of a card."""
        return self != Filter()

    def matches(self, entry: Entry) -> bool:
        header = entry.header
        return (
            _any(self.courses, (header.course, *entry.folders))
            and _any(self.tags, header.tags)
            and _any([normal_type(t) for t in self.types], (header.type, header.kind))
            and (not self.difficulties or header.difficulty in self.difficulties)
            and _any(self.statuses, (header.status,))
            and (not self.cards or header.id in self.cards)
            and (not self.text or _mentions(entry, folded(self.text)))
        )


def by_ease(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Folder by folder in the deck's order, the easier cards of a folder first.

    Of equal ones those come first whose answers are verified.
    """

    def ease(entry: Entry) -> tuple[int, bool]:
        return entry.header.difficulty or MIDDLING, entry.checker is None

    folders = groupby(entries, key=lambda entry: entry.path.parent)
    return (entry for _, folder in folders for entry in sorted(folder, key=ease))


def runs_by_ease(entries: Iterable[Entry]) -> list[Run]:
    """The ids in the order of `by_ease`, in runs of one course each."""
    runs = groupby(by_ease(entries), key=lambda entry: entry.header.course.casefold())
    return [(course, [entry.id for entry in run]) for course, run in runs]


def read_file(path: Path) -> Parsed:
    """A card from its file; a file that cannot be read is a problem like any other."""
    problems: list[Problem] = []
    with OwnProblem(path, problems):
        return parse(files.read(path, MAX_CARD_BYTES), path)
    return Parsed(None, False, tuple(problems))


def asking_of(parsed: Parsed, has_checker: bool) -> Asking:
    if has_checker:
        return Asking.CHECKER
    asks = type(parsed.card.asks).__name__.lower() if parsed.card else Asking.REVEAL
    return Asking(asks)


def title_of(header: Header) -> str:
    """The card's title on one line, its formulas as signs."""
    shown, place = "", 0
    for start, formula in formulas(header.title):
        shown += header.title[place:start] + tex.inline(formula.latex)
        place = formula.end
    return one_line((shown + header.title[place:]).replace("……", "…"), 1000)


def _told(entry: Entry) -> tuple[object, ...]:
    return tuple(getattr(entry, each.name) for each in fields(entry))


def _existing_file(key: str) -> Path | None:
    try:
        path = Path(key).expanduser()
        return path.resolve() if path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _near(key: str, ids: list[str]) -> tuple[str, ...]:
    from difflib import get_close_matches

    folded = {id_.casefold(): id_ for id_ in ids}
    near = get_close_matches(key.casefold(), list(folded), n=3, cutoff=0.6)
    inside = [id_ for name, id_ in folded.items() if key and key.casefold() in name]
    return tuple(dict.fromkeys([*(folded[name] for name in near), *inside]))[:3]


def _spellings(name: str) -> list[str]:
    if "%" not in name:
        return [name]
    from urllib.parse import unquote

    return [name, unquote(name)]


def _fit(path: Path, parts: list[str], beside: Path | None) -> tuple[bool, int, bool]:
    tail = 0
    for own, written in zip(reversed(path.parts), reversed(parts), strict=False):
        if own != written:
            break
        tail += 1
    return path.name == parts[-1], tail, beside is not None and path.parent == beside.parent


def _any(wanted: list[str] | tuple[str, ...], given: tuple[str, ...]) -> bool:
    return not wanted or not {_words(text) for text in wanted}.isdisjoint(map(_words, given))


def _words(text: str) -> str:
    return " ".join(folded(text).replace("-", " ").replace("_", " ").split())


def _mentions(entry: Entry, text: str) -> bool:
    header = entry.header
    words = (header.id, header.title, header.course, header.type, *header.tags, entry.path.name)
    if any(text in folded(word) for word in words):
        return True
    try:
        data = files.read(entry.path, MAX_CARD_BYTES)
    except OSError:
        return False
    return text in folded(data.decode("utf-8", errors="replace"))
