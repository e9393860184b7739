"""The starter deck for tests of every card: what is costly to work out is worked out once."""

from functools import cache
from pathlib import Path

from msgspec.structs import replace
from workers import InThisProcess

from quizzer.card import Card, parse
from quizzer.checker.declared.build import build
from quizzer.checker.flaw import Flaw
from quizzer.checker.load import MAX_SECONDS, Checker
from quizzer.checker.remote import INSTANCES
from quizzer.checker.source import Declared
from quizzer.judge.judges import Judge
from quizzer.judge.prepared import Prepared
from quizzer.judge.source import read_source
from quizzer.lint.proof import prove

DECK = Path(__file__).parents[1] / "cards"
FENCE = "\n```checker\n"
SEED, COUNT = 7, 8
"""One set of problems for all that is tested of a card: they take longest to make."""

CARDS = sorted(DECK.rglob("*.md"))
CHECKED = [path for path in CARDS if FENCE in path.read_text("utf-8")]
"""Found without reading a card: every worker collects every test."""


@cache
def card_in(path: Path) -> Card:
    """The card in a file that has no problem."""
    parsed = parse(path.read_bytes(), path)
    assert parsed.card is not None and not parsed.problems
    return parsed.card


@cache
def source_of(path: Path) -> Declared:
    """The declared checker in a card or a file, with what it takes from its card."""
    found = read_source(path, lambda *_: False).source
    assert isinstance(found, Declared)
    return found


@cache
def declared(path: Path) -> Checker:
    """That checker, ready to run."""
    return build(source_of(path))


def prepared(path: Path, explained: bool = False) -> Prepared:
    """The card's problems, those on which `flaws_of` proves it, judged in this process; with what
    wrong answers are compared with, if they are to be `explained`."""
    checker = Judge(InThisProcess()).checker(path)
    patient = min(MAX_SECONDS, checker.seconds * COUNT / INSTANCES)
    checker = replace(checker, seconds=patient)
    studied = checker.study(SEED, COUNT, few=0)
    found = Prepared(checker, SEED, COUNT, studied.posed)
    if explained and studied.materials:
        found.give_evidence(studied.materials)
    return found


def flaws_of(path: Path) -> list[Flaw]:
    """What `check` says of the card's checker."""
    return prove(Judge(InThisProcess()), path, SEED, COUNT)
