"""A checker's file, read before it is judged by: its text and the time limit of its stages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quizzer import files
from quizzer.checker.load import DEFAULT_SECONDS, MAX_SECONDS

MAX_SOURCE = 1 << 20
"""Bytes of the largest checker that is read."""

UNTRUSTED = "Its code is not trusted yet, and this system has no sandbox. See: quizzer trust."

_MAY_DEFINE_A_SET = re.compile(rb"=\s*\\(?:left\s*\\)?(?:\{|lbrace)")
_SECONDS = re.compile(r"^seconds\s*=\s*(\d+\.?\d*|\.\d+)", re.MULTILINE)

Allows = Callable[[Path, bytes], bool]
"""Whether this content of a checker's file may run."""


class UnreadableChecker(Exception):
    """A checker's file that cannot be read, or may not run."""


@dataclass(frozen=True, slots=True)
class CheckerSource:
    """A checker's file name, its text, and the seconds that each of its stages may take."""

    name: str
    text: str
    seconds: float
    sets: tuple[str, ...] = ()
    """Definitions of sets that the question of its card displays."""


def read_source(checker: Path, allows: Allows) -> CheckerSource:
    """The checker's file, if it may run. Raises UnreadableChecker."""
    data = _bytes(checker)
    if not allows(checker, data):
        raise UnreadableChecker(f"{checker}: {UNTRUSTED}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableChecker(f"{checker}: It is not valid UTF-8; save it as UTF-8.") from None
    stated = _SECONDS.search(text)
    seconds = min(float(stated[1]), MAX_SECONDS) if stated else DEFAULT_SECONDS
    return CheckerSource(
        checker.name, text, seconds or DEFAULT_SECONDS, sets_of(checker.with_suffix(".md"))
    )


def sets_of(card: Path) -> tuple[str, ...]:
    """The definitions of sets that a card's question displays, `Ω(k,l) = {2k, 2k+1}`."""
    try:
        data = files.read(card, MAX_SOURCE)
    except (files.TooLargeError, OSError):
        return ()
    if not _MAY_DEFINE_A_SET.search(data):
        return ()
    from quizzer.card.blocks import FORMULA_BLOCK
    from quizzer.card.reader import parse
    from quizzer.card.scanner import formulas, scan
    from quizzer.notation.sets import displayed

    parsed = parse(data, card).card
    tokens = formulas(scan(parsed.question)) if parsed else ()
    return displayed(token.content for token in tokens if token.type == FORMULA_BLOCK)


def _bytes(checker: Path) -> bytes:
    try:
        return files.read(checker, MAX_SOURCE)
    except files.TooLargeError:
        size = MAX_SOURCE >> 20
        raise UnreadableChecker(f"{checker}: It is larger than {size} MB.") from None
    except OSError as error:
        raise UnreadableChecker(f"{checker}: It cannot be read: {error.strerror}.") from None
