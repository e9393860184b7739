"""A checker's file, read before it is judged by: its text and the time limit of its stages."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from quizzer import files
from quizzer.card.formulation import Formulation
from quizzer.checker.load import DEFAULT_SECONDS, MAX_SECONDS
from quizzer.checker.source import Declared, Source
from quizzer.judge.known_cards import KnownCards

MAX_SOURCE = 1 << 20
"""Bytes of the largest checker that is read."""

UNTRUSTED = "Its code is not trusted yet, and this system has no sandbox. See: quizzer trust."

_KEPT = 128  # as many cards as a class is asked

_SET = re.compile(rb"=\s*\\(?:left\s*\\)?(?:\{|lbrace)")
_FUNCTION = re.compile(
    rb"((?:_\{\\?)?[\w\x80-\xff]+)\}?\s*\([^()=\n+/|<>-]*\)\s*&?\s*="  # `κ(r) &=`
)
_SECONDS = re.compile(r"^\s*seconds\s*(?:=\s*)?(\d+\.?\d*|\.\d+)", re.MULTILINE)

Allows = Callable[[Path, bytes], bool]
"""Whether this content of a checker's file may run."""


class UnreadableChecker(Exception):
    """A checker's file that cannot be read, or may not run."""


@dataclass(frozen=True, slots=True)
class CheckerSource:
    """A checker's file name, its source, and the seconds that each of its stages may take."""

    name: str
    source: Source
    seconds: float
    python: bool = True
    """Whether answers in NumPy notation may run."""
    defining: tuple[bytes, Path] | None = None
    """The file of its card, if that may define sets or functions."""
    cards: KnownCards = field(default_factory=KnownCards, compare=False)

    def sets(self) -> tuple[str, ...]:
        """Definitions of sets and functions that the question of its card has.

        The card is read only now, while its problems are posed: it takes about as long.
        """
        return sets_in(*self.defining, self.cards) if self.defining else ()


def read_source(checker: Path, allows: Allows, cards: KnownCards | None = None) -> CheckerSource:
    """The checker's file, if it may run; `cards` keeps what its card says. Raises
    UnreadableChecker.

    A declared checker, in a file of its own or in a card, needs nobody's leave: it has no code.
    Only answers in NumPy notation do.
    """
    cards = cards or KnownCards()
    data = _bytes(checker)
    card = checker.with_suffix(".md")
    written = data if card == checker else _bytes_beside(card)
    source: Source | None = _declared(checker, data, cards, written)
    allowed = allows(checker, data)
    if source is None:
        if not allowed:
            raise UnreadableChecker(f"{checker}: {UNTRUSTED}")
        source = _decoded(checker, data)
    stated = _SECONDS.search(source if isinstance(source, str) else source.text)
    seconds = min(float(stated[1]), MAX_SECONDS) if stated else DEFAULT_SECONDS
    defining = (written, card) if _may_define(written) else None
    return CheckerSource(checker.name, source, seconds or DEFAULT_SECONDS, allowed, defining, cards)


def _declared(checker: Path, data: bytes, cards: KnownCards, written: bytes) -> Declared | None:
    """The text of a declared checker, whose card is `written`; None where the file is Python."""
    if checker.suffix == ".checker":
        if not written:
            return Declared(_decoded(checker, data))
        stated = cards.of(written, checker.with_suffix(".md"))
        problem = stated.formulation if stated else None
        return Declared(_decoded(checker, data), card=problem, is_apart=True)
    if checker.suffix.lower() != ".md":
        return None
    stated = cards.of(data, checker)
    if stated is None or stated.fence is None:
        raise UnreadableChecker(f"{checker}: Its fence `checker` is gone; start again.")
    return Declared(stated.fence, stated.line, stated.formulation)


def _decoded(checker: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableChecker(f"{checker}: It is not valid UTF-8; save it as UTF-8.") from None


def sets_in(data: bytes, path: Path, cards: KnownCards | None = None) -> tuple[str, ...]:
    """The definitions of a card's question: sets that it displays, `Ω(k,l) = {2k, 2k+1}`, and
    functions, `k(x, x') = …`."""
    if not _defines(data):
        return ()
    stated = (cards or KnownCards()).of(data, path)
    return _defined(stated.formulation) if stated else ()


@lru_cache(_KEPT)
def _may_define(data: bytes) -> bool:
    """Whether a card's text looks as if it defined a set or a function."""
    return bool(_SET.search(data) or _FUNCTION.search(data))


@lru_cache(_KEPT)
def _defines(data: bytes) -> bool:
    """The same, where it is no function that everybody knows."""
    from quizzer.notation.functions import WORDS

    heads = (match[1].decode() for match in _FUNCTION.finditer(data))
    return bool(_SET.search(data)) or not WORDS.issuperset(heads)


@lru_cache(_KEPT)
def _defined(problem: Formulation) -> tuple[str, ...]:
    from quizzer.notation.grammar.definitions import functions
    from quizzer.notation.grammar.sets import displayed

    plain = (each.definition for each in problem.question if not each.condition)
    return (*displayed(each.latex for each in problem.displayed), *functions(plain))


def stated_of(card: Path, cards: KnownCards | None = None) -> tuple[str, ...]:
    """The equations that a card's question displays, as `stated_in` gives them."""
    found = (cards or KnownCards()).of(_bytes_beside(card), card)
    return found.equations if found else ()


def _bytes_beside(card: Path) -> bytes:
    """The card's file; nothing where it cannot be read."""
    try:
        return files.read(card, MAX_SOURCE)
    except (files.TooLargeError, OSError):
        return b""


def _bytes(checker: Path) -> bytes:
    try:
        return files.read(checker, MAX_SOURCE)
    except files.TooLargeError:
        size = MAX_SOURCE >> 20
        raise UnreadableChecker(f"{checker}: It is larger than {size} MB.") from None
    except OSError as error:
        raise UnreadableChecker(f"{checker}: It cannot be read: {error.strerror}.") from None
