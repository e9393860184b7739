"""A card's own solution, or a learner's derivation, as a sheet of lines, each of them proven.

The lines are the equations of the solution's steps, then those of its short answer. Where that
gives too few, the right answers of the card's checker are added. A line stays only if it is right
on every problem: shorthand that holds for one component, or in one case only, is left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from quizzer.card import Card
from quizzer.card.equations import equations
from quizzer.form.problems import Problems
from quizzer.form.side import sides
from quizzer.judge.derivation import JudgedLine, Mark
from quizzer.notation.lexer.signs import GREEK
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

ENOUGH = 3
"""Fewer lines are no derivation: nothing is between two others."""
MOST = 24
_ROUNDS = 6
_KEPT = (Mark.RIGHT, Mark.AGAIN, Mark.DEFINES)
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]+(?![A-Za-z])")
_MARKS = re.compile(r"[\s{}_,*·^]")
_SIZED = re.compile(r"\\[Bb]igg?[lr]?(?![A-Za-z])")
_DIFFERENTIAL = re.compile(r"(?<![A-Za-z\\{])d\s+(?=[A-Z](?![A-Za-z]))")


class Line(Struct, frozen=True):
    """One equation, `left = right`."""

    left: str
    right: str
    statement: int
    """Lines of one statement have one left side, which only its first line shows."""
    step: int | None = None
    """Which of the solution's steps it is from; None for its short answer and the checker."""
    is_latex: bool = True
    defines: bool = False
    """Whether it only gives something a name."""

    @property
    def whole(self) -> str:
        """The line with its left side."""
        return f"{self.left} = {self.right}"


class Sheet(Struct, frozen=True):
    """The proven lines of a card, in order, with the steps that explain them."""

    lines: tuple[Line, ...]
    steps: tuple[str, ...]
    is_learners: bool = False
    """Whether the learner wrote the lines, not the card's author."""

    def shown(self, place: int) -> str:
        """The line at this place as it follows the one above: without a left side it has too."""
        return shown(self.lines, place)

    @property
    def text(self) -> str:
        """All lines as a derivation."""
        return text_of(self.lines)

    def replaced(self, rights: Mapping[int, str]) -> tuple["Line", ...]:
        """The lines with other right sides in these places."""
        return tuple(
            replace(line, right=rights[place]) if place in rights else line
            for place, line in enumerate(self.lines)
        )

    def with_rights(self, rights: Mapping[int, str]) -> str:
        """The same as a derivation."""
        return text_of(self.replaced(rights))

    def with_line(self, place: int, whole: str) -> str:
        """The derivation with another line, left side and all, in the place of this one."""
        texts = [shown(self.lines, each) for each in range(len(self.lines))]
        return "\n".join((*texts[:place], whole, *texts[place + 1 :]))


def shown(lines: Sequence[Line], place: int) -> str:
    """The line at this place as it follows the one above."""
    line = lines[place]
    goes_on = place > 0 and lines[place - 1].statement == line.statement
    return f"= {line.right}" if goes_on else line.whole


def text_of(lines: Sequence[Line]) -> str:
    """Lines as a derivation."""
    return "\n".join(shown(lines, place) for place in range(len(lines)))


def key_of(side: str) -> str:
    """What two spellings of one side have in common."""
    with suppress(FaultError):
        side = translate(_SIZED.sub("", side)).text
    spelled = _WORD.sub(lambda word: GREEK.get(word[0], word[0]), side.replace("Σ", "sum"))
    return _MARKS.sub("", spelled).replace("⊤", "T")


def unbracketed(side: str) -> str:
    """The same for spellings that differ in brackets too."""
    return key_of(side).replace("(", "").replace(")", "")


def sheet_of(card: Card, right: Mapping[str, Sequence[str]], problems: Problems) -> Sheet:
    """The card's sheet; `right` are the right answers of its checker by the names they answer to.

    Raises what `derive` raises.
    """
    drafted = drafted_from(card)
    lines = _proven(drafted, problems)
    if sum(not line.defines for line in lines) < ENOUGH:
        more = _answers(right, len(drafted) + 1)
        lines = _proven([*lines, *more][:MOST], problems)
    return Sheet(tuple(lines), card.steps)


def sheet_of_own(text: str, card: Card, problems: Problems) -> Sheet:
    """The sheet of a learner's derivation. Raises what `derive` raises."""
    return Sheet(tuple(_proven([*_written(text)][:MOST], problems)), card.steps, is_learners=True)


def _written(text: str) -> Iterator[Line]:
    """The lines of a derivation as they were typed."""
    statement, left = 0, ""
    for line in text.split("\n"):
        first, *links = sides(line) or [""]
        if first and links:
            statement, left = statement + 1, first
        for link in links if left else ():
            yield Line(left, link, statement, is_latex="\\" in left + link)


def drafted_from(card: Card) -> list[Line]:
    """The lines of a card's sheet before any is proven."""
    return list(_drafted(card))[:MOST]


def _drafted(card: Card) -> Iterator[Line]:
    """The equations of the steps, and those of the short answer."""
    statement = 0
    steps = [*enumerate(card.steps)]
    for step, text in (*steps, (None, card.short_answer or "")):
        for each in equations(text, 1):
            statement += 1
            for link in each.links:
                yield Line(tidy(each.left), tidy(link), statement, step)


def _answers(right: Mapping[str, Sequence[str]], first: int) -> Iterator[Line]:
    """The lines of the right answers of a checker."""
    statement = first
    for texts in right.values():
        for line in (line for text in texts for line in text.split("\n")):
            statement += 1
            left, found, rest = line.partition("=")
            if found and left.strip() and "def " not in left:
                yield Line(left.strip(), rest.strip(), statement, None, is_latex=False)


def tidy(latex: str) -> str:
    """A side of an equation as one line, `d X` as the one name that it is."""
    return _DIFFERENTIAL.sub("d", " ".join(latex.split()).rstrip(" .,;"))


def _proven(drafted: Iterable[Line], problems: Problems) -> list[Line]:
    """The lines that are right, and the definitions that they use.

    What is left out may change what the others mean, so that they are judged once more without it.
    """
    lines = _once(drafted)
    for _ in range(_ROUNDS):
        if not lines:
            return []
        roles = [_roles(lines, judged.lines) for judged in problems.judged_on_each(text_of(lines))]
        kept = [
            replace(line, defines=marks[0] is Mark.DEFINES)
            for line, *marks in zip(lines, *roles, strict=True)
            if all(mark in _KEPT for mark in marks)
        ]
        if len(kept) == len(lines):
            return kept
        lines = _once(kept)
    return []


def _once(lines: Iterable[Line]) -> list[Line]:
    """The lines without those that say what another one says, or nothing at all."""
    found: dict[tuple[str, str], Line] = {}
    for line in lines:
        key = key_of(line.left), key_of(line.right)
        if key[0] != key[1]:
            found.setdefault(key, line)
    return [*found.values()]


def _roles(lines: Sequence[Line], judged: Sequence[JudgedLine]) -> list[Mark]:
    """The mark of each line; that of a definition which nothing uses is `words`."""
    found = [Mark.UNREAD] * len(lines)
    seen: set[int] = set()
    for each in judged:
        place = each.line - 1
        mark = Mark.WORDS if each.mark is Mark.DEFINES and each.message else each.mark
        if place < len(lines) and (place not in seen or mark not in _KEPT):
            found[place] = mark
        seen.add(place)
    return found
