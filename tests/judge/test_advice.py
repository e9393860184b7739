"""Right answers of the deck and from papers, broken in every way that has a message with a text to
type instead: once the advice is followed to the letter, they are right."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from corpus.reading import module
from starter import prepared

from quizzer.checker.answer import Evaluated
from quizzer.deck import load, starter_deck
from quizzer.judge.accept import remark_on
from quizzer.judge.case import evaluate
from quizzer.judge.prepared import Prepared

PAPER = Path(__file__).parents[1] / "corpus" / "paper"
TWINS = Path(__file__).parents[1] / "python_deck"
EVERY = 25
"""Every so many texts of the corpus is broken."""
STEPS = 5
"""Pieces of advice that may follow each other until an answer is right."""

Broken = tuple[str, str]
"""A broken text, and what was taken away or changed in the right one."""


@dataclass(frozen=True)
class Breakage:
    """A way to break a text, words of the advice on it, and what following the advice makes of
    it: given the text, what was changed, the advice as matched, and the place that it names."""

    breaks: Callable[[str], Iterator[Broken]]
    advice: str
    followed: Callable[[str, str, re.Match[str], int], str]


def _left_and_right(text: str) -> tuple[str, str] | None:
    """The two sides of a text of one line with one equals sign."""
    match = re.fullmatch(r"([^=\n]*[^=<>!:\n])=([^=][^=\n]*)", text)
    return (match[1], match[2]) if match and "\\" not in match[1] else None


def _without_sum(text: str) -> Iterator[Broken]:
    if sides := _left_and_right(text):
        found = re.match(r"\s*(?:sum|Σ)(?:_(\w)|\((\w)\))\s", sides[1])
        if found and not re.search(r"(sum|Σ)|[-+]", sides[1][found.end() :]):
            yield f"{sides[0]}= {sides[1][found.end() :]}", found[0]


def _before_right_side(text: str, put: str) -> str:
    left, _, right = text.partition("=")
    return f"{left}= {put} {right.lstrip()}"


def _without_indices(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"(?<![\w\\])([A-Za-z]\w?)(\[[^][]*\]|_\{[^{}]*\})", text):
        if "=" in text[: found.start()]:
            yield text[: found.end(1)] + text[found.end() :], found[0]


def _at_place(text: str, name: str, put: str, place: int) -> str:
    assert text[place:].startswith(name), (text, name, place)
    return text[:place] + put + text[place + len(name) :]


def _with_slip(text: str) -> Iterator[Broken]:
    for found in re.finditer(
        r"(?<![\w\\{.])(d[A-Za-z]|[a-z]_hat|gamma|beta)(?=[ \[)]|_[a-z] )", text
    ):
        yield text[: found.end()] + "q" + text[found.end() :], found[0]


def _without_left(text: str) -> Iterator[Broken]:
    sides = _left_and_right(text)
    if sides and re.search(r"\[.*,.*\]\s*$", sides[0]):
        yield sides[1].strip(), sides[0]


def _with_letter_too_many(text: str) -> Iterator[Broken]:
    sides = _left_and_right(text)
    if sides and re.fullmatch(r"d\w+\[[^]]*\]\s*", sides[0]):
        yield f"{sides[0].rstrip()[:-1]},q] ={sides[1]}", sides[0]


def _with_small_t(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"\^T\b", text):
        yield f"{text[: found.start()]}^t{text[found.end() :]}", ""


def _with_decimal_comma(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"(?<![\w.])(\d+)\.(\d+)(?!\w)", text):
        yield f"{text[: found.end(1)]},{text[found.start(2) :]}", ""


def _with_open_bracket(text: str) -> Iterator[Broken]:
    if text.endswith((")", "]")) and "\n" not in text:
        yield text[:-1], text[-1]


def _with_round_condition(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"(?<![\w\]}])\[(\w ?={1,2} ?\w)\]", text):
        yield f"{text[: found.start()]}({found[1]}){text[found.end() :]}", found[0]


def _with_dot_star(text: str) -> Iterator[Broken]:
    for found in re.finditer(r" ⊙ | \\odot ", text):
        yield f"{text[: found.start()]} .* {text[found.end() :]}", ""


def _with_caret(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"\s?\*\*\s?", text):
        yield f"{text[: found.start()]}^{text[found.end() :]}", ""


def _with_bare_sum(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"(?<![\w\\])(sum|Σ)(_\w|\(\w\)) ", text):
        yield f"{text[: found.end(1)]} {text[found.end() :]}", found[2]


def _with_words(text: str) -> Iterator[Broken]:
    if "\n" not in text and not text.endswith("."):
        yield f"{text} by symmetry", " by symmetry"


def _with_unknown_command(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"\\(?:odot|top|sum|frac|delta|partial)(?![A-Za-z])", text):
        yield f"{text[: found.end()]}t{text[found.end() :]}", found[0]


def _slash_without_brackets(text: str) -> Iterator[Broken]:
    for found in re.finditer(r"/ ?\((\w+(?:_\w+|\[[^][]*\])? \w+(?:_\w+|\[[^][]*\])?)\)", text):
        yield f"{text[: found.start()]}/ {found[1]}{text[found.end() :]}", found[1]


BREAKAGES = {
    "a lost sum": Breakage(
        _without_sum,
        r"put (sum\(\w\)) before it",
        lambda text, lost, advice, place: _before_right_side(text, advice[1]),
    ),
    "lost indices": Breakage(
        _without_indices,
        r"write its indices, (\w+)\[…\]",
        lambda text, lost, advice, place: _at_place(text, advice[1], lost, place),
    ),
    "a slip in a name": Breakage(
        _with_slip,
        r"^(\w+) (?:is not a known name|has no name here).*Did you mean (\w+)\?",
        lambda text, lost, advice, place: _at_place(text, advice[1], advice[2], place),
    ),
    "no left side": Breakage(
        _without_left,
        r"Write the left side with its indices",
        lambda text, lost, advice, place: f"{lost}= {text}",
    ),
    "a letter too many on the left": Breakage(
        _with_letter_too_many,
        r"write one letter for each, \w+\[…\], on the left",
        lambda text, lost, advice, place: f"{lost}={text.partition('=')[2]}",
    ),
    "a small t": Breakage(
        _with_small_t,
        r"The transpose is written (\^T)",
        lambda text, lost, advice, place: text.replace("^t", advice[1]),
    ),
    "a decimal comma": Breakage(
        _with_decimal_comma,
        r"written with a point",
        lambda text, lost, advice, place: re.sub(r"\b(0),(\d)", r"\1.\2", text),
    ),
    "an open bracket": Breakage(
        _with_open_bracket,
        r"is not closed by a ([)\]])",
        lambda text, lost, advice, place: text + advice[1],
    ),
    "a condition in round brackets": Breakage(
        _with_round_condition,
        r"in square brackets, \[",
        lambda text, lost, advice, place: re.sub(r"\((\w ?==? ?\w)\)", r"[\1]", text),
    ),
    "a dot before the star": Breakage(
        _with_dot_star,
        r"Write (⊙) for",
        lambda text, lost, advice, place: text.replace(".*", advice[1]),
    ),
    "a caret in Python": Breakage(
        _with_caret,
        r"write (\*\*)",
        lambda text, lost, advice, place: text.replace("^", advice[1]),
    ),
    "a sum without its index": Breakage(
        _with_bare_sum,
        r"Write (?:sum|Σ)_i … or (?:sum|Σ)\(i\)",
        lambda text, lost, advice, place: re.sub(
            r"(?<![\w\\])(sum|Σ) ", rf"\1{lost} ", text, count=1
        ),
    ),
    "words behind": Breakage(
        _with_words,
        r"[Ll]eave a remark out",
        lambda text, lost, advice, place: text.removesuffix(lost),
    ),
    "a slip in a command": Breakage(
        _with_unknown_command,
        r"(\\\w+).*Did you mean (\\\w+)",
        lambda text, lost, advice, place: text.replace(advice[1], advice[2]),
    ),
    "a slash without brackets": Breakage(
        _slash_without_brackets,
        r"Add brackets: \(a / b\) c, or a / \(b c\)",
        lambda text, lost, advice, place: text.replace(f"/ {lost}", f"/ ({lost})"),
    ),
}


def twin_of(card: Path) -> Path:
    """The Python twin of a starter card's checker, which has right answers in NumPy too."""
    return TWINS / card.relative_to(starter_deck()).with_suffix(".py")


def texts() -> dict[tuple[str, str], list[str]]:
    """Right answers by card and asked name: those of every other card that has a twin, and some of
    the corpus. The twins' other answers are judged by `test_starter_forwards`."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    deck = sorted(load((starter_deck(),), None).entries, key=lambda entry: entry.path)
    for entry in [entry for entry in deck if twin_of(entry.path).exists()][1::2]:
        for name, right in getattr(module(twin_of(entry.path)), "right", {}).items():
            found[entry.id, name] += right
    for file in ("printed", "textbooks"):
        lines = (PAPER / f"{file}.jsonl").read_text("utf-8").splitlines()
        for row in map(json.loads, lines[::EVERY]):
            if "label" not in row:
                found[row["card"], row["name"]].append(row["answer"])
    return found


@dataclass(frozen=True)
class Came:
    """What a text came to."""

    evaluated: Evaluated
    right: bool

    @property
    def message(self) -> str:
        return self.evaluated.invalid or ""


class Bench:
    """Judges texts for the cards of the starter deck."""

    def __init__(self) -> None:
        self._deck = load((starter_deck(),), None)
        self._prepared: dict[str, Prepared] = {}

    def judged(self, card: str, name: str, given: list[str]) -> list[Came]:
        """What each text comes to; why a wrong one is wrong is not looked for."""
        if card not in self._prepared:
            path = self._deck.by_id[card].checker
            assert path is not None
            self._prepared = {card: prepared(path)}
        problems = self._prepared[card]
        case = problems.case(name)
        found = evaluate(problems.checker, case, given) if given else ()
        with np.errstate(all="ignore"):
            return [
                Came(each, each.invalid is None and remark_on(case, each.values) is not None)
                for each in found
            ]


@dataclass(frozen=True)
class Broke:
    card: str
    name: str
    breakage: str
    text: str
    lost: str


def broken(card: str, name: str, right: list[str]) -> Iterator[Broke]:
    for text in right:
        for kind, breakage in BREAKAGES.items():
            for changed, lost in islice(breakage.breaks(text), 1):
                yield Broke(card, name, kind, changed, lost)


def followed(each: Broke, came: Came, text: str) -> str | None:
    """The text after doing what the message says; None where it says nothing of the kind."""
    breakage = BREAKAGES[each.breakage]
    advice = re.search(breakage.advice, came.message)
    if advice is None:
        return None
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: (came.evaluated.line or 1) - 1])
    place = before + (came.evaluated.column or 1) - 1
    return breakage.followed(text, each.lost, advice, place)


def mended(bench: Bench, card: str, name: str, right: list[str]) -> Iterator[tuple[str, str]]:
    """Of each answer that was broken and mended: how, and a report where it is not right again."""
    sound = [
        text
        for text, came in zip(right, bench.judged(card, name, right), strict=True)
        if came.right
    ]
    waiting = [(each, each.text) for each in broken(card, name, sound)]
    for step in range(STEPS):
        still = []
        judged = bench.judged(card, name, [text for _, text in waiting])
        for (each, text), came in zip(waiting, judged, strict=True):
            if came.right and step:
                yield each.breakage, ""
            elif came.message:
                new = followed(each, came, text)
                if new is not None:
                    still.append((each, new))
                elif step:
                    yield each.breakage, f"{each.text!r} became {text!r}: {came.message}"
            elif step:
                yield each.breakage, f"{each.text!r} became {text!r}, which is wrong"
        waiting = still
    for each, text in waiting:
        yield each.breakage, f"{each.text!r} became {text!r}, and so on"


@pytest.mark.slow
def test_advice_followed_to_the_letter_makes_a_broken_answer_right_again() -> None:
    bench = Bench()
    found = [
        each
        for (card, name), right in sorted(texts().items())
        for each in mended(bench, card, name, right)
    ]
    assert not [each for each in found if each[1]]
    assert {kind for kind, _ in found} == {*BREAKAGES}
