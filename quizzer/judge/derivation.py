"""The lines of a derivation judged: which are right, which is the first that is not, and why.

A line is right if it is what its left side stands for, on every instance. A ∂ that may be total or
direct has one meaning in all lines: of the meanings that make the lines so far right, one must make
the next one right.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.derivation.derived import By, Choice, Derive, Derived, Known, Said, Small
from quizzer.checker.meaning import Kind
from quizzer.checker.posed import Posed
from quizzer.checker.source import Source
from quizzer.checker.stages import Failed
from quizzer.judge.accept import opinion_on
from quizzer.judge.acceptance import Arrays, is_right, size_of
from quizzer.judge.judgement import Diagnosis
from quizzer.notation.grammar.derivation import IN_PART, MAX_LINES, MAX_TEXT

if TYPE_CHECKING:
    from quizzer.judge.prepared import Prepared

Deriving = Callable[[Derive], Derived]
"""What works a derivation out, in another process or in this one."""
Accepting = Callable[[str, Arrays], bool]
"""Whether a checker takes an answer that is not its own closed form."""

_GRAIN = 1e-12


class Mark(StrEnum):
    """What is said of one line."""

    RIGHT = "right"
    WRONG = "wrong"
    FOLLOWS = "follows"
    """Wrong, and the same as a wrong line above."""
    AGAIN = "right-again"
    DEFINES = "defines"
    UNREAD = "unread"
    WORDS = "words"


class JudgedLine(Struct, frozen=True):
    """One link of a line, judged."""

    line: int
    mark: Mark
    message: str = ""
    diagnosis: Diagnosis | None = None
    follows: int | None = None
    """The wrong line that it follows from."""
    reading: str = ""
    asked: str | None = None
    left: str = ""
    """What its statement is about, `∂L/∂x` for example."""
    example: str = ""
    """Of the first wrong line: the smallest numbers at which it is wrong, as a sentence."""
    needs: tuple[str, ...] = ()
    """What its right side uses that somebody has to work out."""
    gives: str = ""
    """What it is about, `∂L/∂x` or `∂L/∂x in part`; a name for a derivative is about that."""


class JudgedDerivation(Struct, frozen=True):
    """A derivation, judged line by line; a line with several links has several entries."""

    lines: tuple[JudgedLine, ...]
    held: tuple[str, ...] = ()
    """The derivatives that were read with other names held fixed, `∂y/∂x`."""

    @property
    def first_wrong(self) -> int | None:
        """The number of the first wrong line."""
        return next((each.line for each in self.lines if each.mark is Mark.WRONG), None)

    @property
    def is_all_right(self) -> bool:
        """Whether every line that claims something was judged and is right, and every name that
        is defined is used."""
        kinds = {each.mark for each in self.lines}
        useful = all(not each.message for each in self.lines if each.mark is Mark.DEFINES)
        known = {Mark.RIGHT, Mark.DEFINES, Mark.WORDS}
        return useful and Mark.RIGHT in kinds and kinds <= known


def judged_lines(
    request: Derive,
    derive: Deriving,
    explain: bool = True,
    accepts: Accepting = lambda asked, values: False,
    example: bool = True,
) -> JudgedDerivation:
    """Every line of a derivation with its mark; the first wrong one with what is wrong, where
    `explain` says so, and the smallest numbers at which it is, where `example` does."""
    derived = derive(request)
    found = _marked(derived, accepts)
    if _wrong(found) is None:
        return _as_judged(derived, found)
    if derived.pairs or derived.number:
        request = replace(request, every=True)
        derived = derive(request)
        found = _marked(derived, accepts)
    place = _wrong(found)
    if place is not None and _may_be_differential(derived.claims[place]):
        other_request = replace(request, differentials=True)
        other = derive(other_request)
        again = _marked(other, accepts)
        after = _wrong(again)
        if len(other.claims) == len(derived.claims) and (after is None or after > place):
            request, derived, found, place = other_request, other, again, after
    if place is None or not explain:
        return _as_judged(derived, found)
    from quizzer.judge.derivation_step import explained

    diagnosis, told = None, ""
    with suppress(_FailedError):  # the marks stand without it
        diagnosis = explained(request, derived, derive, place, found[place].choice)
        told = _example(request, derived, derive, found, place) if example else ""
    return _as_judged(derived, found, diagnosis, told)


def judged_derivation(
    prepared: "Prepared", text: str, stated: Sequence[str] = (), explain: bool = True
) -> JudgedDerivation | Failed:
    """Every line of a derivation, worked out where checkers run. Raises CheckerBroken.

    `stated` are the equations that the card's question displays. What took too long or could not
    be worked out is no fault of the checker.
    """
    posed, checker = prepared.posed(), prepared.checker
    if (fault := too_large(text)) is not None:
        return fault

    def derive(request: Derive) -> Derived:
        derived = checker.derive(request)
        if isinstance(derived, Failed):
            raise _FailedError(derived)
        return derived

    def accepts(asked: str, values: Arrays) -> bool:
        case = prepared.case(asked)
        whole = len(values) == len(posed.instances)
        return whole and opinion_on(checker, case, tuple(values)) is True

    try:
        request = request_of(checker.source, posed, text, checker.sets(), stated)
        return judged_lines(request, derive, explain, accepts)
    except _FailedError as error:
        return error.failed


def too_large(text: str) -> Failed | None:
    """Why a text is too long to be judged, told before it is sent."""
    lines = text.count("\n") + 1
    if lines <= MAX_LINES and len(text) <= MAX_TEXT:
        return None
    return Failed(
        "too-large", f"a derivation has at most {MAX_LINES} lines and {MAX_TEXT:,} characters"
    )


def request_of(
    source: Source,
    posed: Posed,
    text: str,
    sets: Sequence[str] = (),
    stated: Sequence[str] = (),
) -> Derive:
    """The request to work out a text on what is posed."""
    sheet = posed.sheet
    kinds = [sheet.meaning(asked).kind for asked in sheet.asked]
    upstream = kinds[:1] == [Kind.MESSAGE]
    instances = posed.instances
    return Derive(source, text, sheet, instances, tuple(sets), tuple(stated), upstream)


class _FailedError(Exception):
    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message)
        self.failed = failed


class _Marked(Struct, frozen=True):
    mark: Mark
    choice: Choice
    follows: int | None = None
    doubt: str = ""


def _marked(derived: Derived, accepts: Accepting) -> list[_Marked]:
    """The mark of every claim, by the meanings that make the most lines from the top right."""
    alive = list(derived.by)
    found: list[_Marked] = []
    wrong: list[int] = []
    for place, claim in enumerate(derived.claims):
        mark, follows = Mark.RIGHT, None
        if claim.kind == "words":
            mark = Mark.WORDS
        elif all(each.known[place] is None for each in alive):
            mark = Mark.UNREAD
        elif claim.kind == "definition":
            mark = Mark.DEFINES
        else:
            fitting = [each for each in alive if holds(each.known[place])] or [
                each for each in alive if _is_accepted(claim, each.known[place], accepts)
            ]
            if fitting:
                alive = fitting
                mark = Mark.AGAIN if wrong else Mark.RIGHT
            else:
                follows = _follows(derived, alive[0], wrong, place)
                mark = Mark.WRONG if follows is None else Mark.FOLLOWS
                wrong.append(place)
        known = alive[0].known[place]
        found.append(_Marked(mark, alive[0].choice, follows, known.doubt if known else ""))
    return [replace(each, choice=alive[0].choice) for each in found]


def _is_accepted(claim: Said, known: Known | None, accepts: Accepting) -> bool:
    """Whether a line gives all of an asked name, as its checker takes it."""
    if claim.asked is None or claim.gives.endswith(IN_PART) or known is None:
        return False
    return accepts(claim.asked, known.values)


def _follows(derived: Derived, by: By, wrong: Sequence[int], place: int) -> int | None:
    """The wrong line above, of the same statement, that gives the same."""
    above = next((each for each in wrong if says_the_same(derived, by, each, place)), None)
    return None if above is None else derived.claims[above].line


def says_the_same(derived: Derived, by: By, above: int, place: int) -> bool:
    """Whether two claims are about the same, and give the same on every instance."""
    claim, other = derived.claims[place], derived.claims[above]
    known, known_above = by.known[place], by.known[above]
    if known is None or known_above is None or claim.kind in ("equation", "remark"):
        return False
    if (other.left, other.letters) != (claim.left, claim.letters):
        return False
    return len(known.values) == len(known_above.values) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-6, atol=1e-9)
        for a, b in zip(known.values, known_above.values, strict=True)
    )


@np.errstate(all="ignore")
def holds(known: Known | None) -> bool:
    """Whether a line gives on every instance what it should."""
    if known is None or not known.values:
        return False
    grain = _GRAIN * size_of(known.truths)
    values = fitted(known.values, known.truths)
    return values is not None and all(
        is_right(value, truth, error + grain)
        for value, truth, error in zip(values, known.truths, known.errors, strict=True)
    )


def fitted(values: Arrays, truths: Arrays) -> list[np.ndarray] | None:
    """The values in the shapes of the truths, where they differ in axes of length 1 only."""
    found = []
    for value, truth in zip(values, truths, strict=True):
        if [n for n in value.shape if n != 1] != [n for n in truth.shape if n != 1]:
            return None
        found.append(value.reshape(truth.shape))
    return found


def _wrong(found: Sequence[_Marked]) -> int | None:
    return next((place for place, each in enumerate(found) if each.mark is Mark.WRONG), None)


def _may_be_differential(claim: Said) -> bool:
    """Whether d-names on both sides of a line may be differentials where they were messages."""
    return claim.kind == "derivative" and claim.left.startswith("∂L/∂") and "d" in claim.text


def _example(
    request: Derive, derived: Derived, derive: Deriving, found: Sequence[_Marked], place: int
) -> str:
    """The smallest numbers at which a line is wrong; nothing where there are no small ones."""
    right = tuple(number for number, each in enumerate(found[:place]) if each.mark is Mark.RIGHT)
    claim = derived.claims[place]
    about = claim.left, claim.letters
    same = [n for n in right if (derived.claims[n].left, derived.claims[n].letters) == about]
    small = Small(place, found[place].choice, right)
    example = derive(replace(request, small=small)).example
    if example is None:
        return ""
    at = ", ".join(f"{name} = {value}" for name, value in example.given)
    got = f"line {claim.line} gives {example.got}"
    entry = f" in {example.entry}" if example.entry else ""
    if claim.kind in ("equation", "remark"):
        return f"At {at}, its two sides differ by {example.got}{entry}."
    if same and derived.claims[same[-1]].line != claim.line:
        above = f"line {derived.claims[same[-1]].line} gives {example.wanted}"
        return f"At {at}: {above}, {got}{entry}."
    return f"At {at}: {got}{entry}, but it should be {example.wanted}."


def _as_judged(
    derived: Derived,
    found: Sequence[_Marked],
    diagnosis: Diagnosis | None = None,
    example: str = "",
) -> JudgedDerivation:
    first = _wrong(found)
    lines = tuple(
        JudgedLine(
            claim.line,
            each.mark,
            _message(claim, each, derived, found, diagnosis if place == first else None)
            + (f" {example}" if example and place == first else ""),
            diagnosis if place == first else None,
            each.follows,
            claim.shown,
            claim.asked,
            claim.left,
            example if place == first else "",
            claim.needs,
            claim.gives,
        )
        for place, (claim, each) in enumerate(zip(derived.claims, found, strict=True))
    )
    choice = found[0].choice if found else Choice()
    return JudgedDerivation(lines, tuple(f"∂{top}/∂{over}" for top, over in choice.direct))


def _message(
    claim: Said,
    marked: _Marked,
    derived: Derived,
    found: Sequence[_Marked],
    diagnosis: Diagnosis | None,
) -> str:
    if marked.mark is Mark.UNREAD:
        return f"Line {claim.line} was not judged: {claim.unread}"
    if marked.mark is Mark.DEFINES and not _is_used(claim, derived):
        return f"Line {claim.line} defines {claim.left}; nothing uses it."
    if marked.mark is Mark.DEFINES and marked.doubt and _is_differentiated(claim, derived):
        return f"Line {claim.line} defines {claim.left}; {marked.doubt}."
    if marked.mark is Mark.FOLLOWS:
        return f"Line {claim.line} follows from line {marked.follows}."
    if diagnosis is not None:
        right = sorted(
            {
                each.line
                for each, other in zip(derived.claims, found, strict=True)
                if other.mark is Mark.RIGHT and each.line < claim.line
            }
        )
        return f"Line {claim.line} is wrong: {diagnosis.message}{_those_are_right(right)}"
    return f"Line {claim.line} is wrong." if marked.mark is Mark.WRONG else ""


def _is_used(definition: Said, derived: Derived) -> bool:
    """Whether another statement is about the name that a line defines."""
    return any(
        definition.left in claim.uses
        for claim in derived.claims
        if claim.statement != definition.statement
    )


def _is_differentiated(definition: Said, derived: Derived) -> bool:
    """Whether a line is about a derivative of the name that a line defines."""
    return any(claim.left.startswith(f"∂{definition.left}/∂") for claim in derived.claims)


def _those_are_right(lines: Sequence[int]) -> str:
    if not lines:
        return ""
    if len(lines) == 1:
        return f" Line {lines[0]} is right."
    return f" Lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} are right."
