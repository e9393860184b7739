"""What a text of several lines settles: every asked name that a line of it gives.

The verdict on a name is that on its last expression alone, as if no other line were there. Only
where that uses names or derivatives that other lines give, those come with it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from quizzer.judge.closed import finishes, given
from quizzer.judge.judgement import RIGHT, Answered, Diagnosis
from quizzer.judge.outcome import Reached
from quizzer.judge.several_lines import NUMPY, may_be_derivation, with_left
from quizzer.notation.grammar.derivation import IN_PART, Written, parts_of
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.values import Context
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine

_JUDGED = (Verdict.CORRECT, Verdict.WRONG)
_RIGHT = ("right", "right-again")
_WRONG = ("wrong", "follows")


class _Link(Struct, frozen=True):
    """`left = right` of one line, as it was judged."""

    left: Plain
    right: Plain
    line: "JudgedLine"

    @property
    def text(self) -> str:
        return f"{self.left.text} = {self.right.text}"

    def typed_at(self, column: int | None) -> int | None:
        """The column in the typed line of one in `text`; both count from 1."""
        if column is None:
            return None
        place = column - 1 - len(f"{self.left.text} = ")
        found = self.right.at(place) if place >= 0 else None
        return None if found is None else found + 1


def reached(
    text: str,
    name: str,
    contexts: Mapping[str, Context],
    lines: "Sequence[JudgedLine]",
    verdict: Callable[[str, str], Answered],
) -> Reached:
    """The verdicts on all names of `contexts` that the lines give, `name` first.

    `verdict` judges a text as an answer to a name. A text that gives none of them is judged as an
    answer to `name`, unless its last line gives something else.
    """
    found = [
        _on_result(text, each, contexts[each], lines, verdict)
        for each in sorted(contexts, key=lambda each: each != name)
        if any(line.asked == each for line in lines)
    ]
    if found:
        settled = [each for each in found if each.name == name or _is_settled(each, lines)]
        program = {each.name for each in found if each.notation == NUMPY}
        unread = all(each.mark == "unread" for each in lines if each.asked in program)
        if (program and unread) or not may_be_derivation(text):
            lines = ()
        answers = tuple(_remarked(each, lines) for each in settled or found[:1])
        return Reached(answers, tuple(lines))
    answered = verdict(name, text)
    if answered.verdict in _JUDGED and answered.notation == NUMPY:
        return Reached((answered,))
    if answered.verdict is Verdict.WRONG and _gives_something_else(lines):
        last = next(each for each in reversed(lines) if each.mark != "words")
        answered = Answered(
            name,
            Verdict.INVALID,
            f"This ends with {last.left}: go on to {name}, or write `{name} =` before what it is.",
            line=last.line,
        )
    elif answered.verdict in _JUDGED:
        return Reached((answered,))
    return Reached((answered,), tuple(lines))


def _is_settled(answered: Answered, lines: "Sequence[JudgedLine]") -> bool:
    """Whether a derivation settles a name that it was not sent for: not in doubt, where its line
    was not judged."""
    if answered.verdict is not Verdict.WRONG or answered.notation == NUMPY:
        return answered.verdict in _JUDGED
    last = next(each for each in reversed(lines) if each.asked == answered.name)
    return last.mark != "unread"


def _on_result(
    text: str,
    name: str,
    context: Context,
    lines: "Sequence[JudgedLine]",
    verdict: Callable[[str, str], Answered],
) -> Answered:
    """The verdict on the last expression for a name; on the whole text if that cannot be read."""
    names = Names(context)
    links = list(_links(with_left(name, text), names, lines))
    mine = [place for place, link in enumerate(links) if link.line.asked == name]
    if not mine:
        return verdict(name, text)
    result = links[mine[-1]]
    alone = verdict(name, result.text)
    if alone.notation == NUMPY and result.line.mark == "unread":  # the lines may be a program
        whole = verdict(name, text)
        mixed = whole.verdict is Verdict.INVALID and alone.verdict is Verdict.CORRECT
        return alone if mixed else whole
    if alone.verdict is Verdict.WRONG and result.line.mark in _RIGHT:
        if result.line.gives.endswith(IN_PART):
            why = f"Right so far. Now write all of {name}."
            return _not_yet(alone, result, why)
        whole = verdict(name, text)  # a line above may say what a name of the card is from here on
        return whole if whole.verdict is Verdict.CORRECT else alone
    if alone.verdict is Verdict.WRONG and any(
        _is_size(link, context) for link in links[: mine[-1]]
    ):
        return verdict(name, text)
    if alone.verdict is not Verdict.INVALID or alone.readings:
        return alone
    above = links[: mine[-1]]
    needed = [link.text for link in above if _may_be_used(link, names)]
    if needed:
        helped = verdict(name, "\n".join([*needed, result.text]))
        if helped.verdict is not Verdict.INVALID or helped.readings:
            return _unless_by_wrong_lines(helped, result)
    whole = verdict(name, text)
    helps = any(each.left != result.line.left for each in lines if each.line < result.line.line)
    if whole.verdict in _JUDGED and helps:
        return _unless_by_wrong_lines(whole, result)
    if result.line.mark in _RIGHT and not result.line.gives.endswith(IN_PART):
        return _as_its_line(alone, result, lines, given(context))
    if cause := _cause(alone, above):
        return replace(alone, message=cause.message, line=cause.line, column=None)
    place = result.typed_at(alone.column)
    if place is not None and result.line.line == 1:
        place -= len(with_left(name, text)) - len(text)
    return replace(alone, line=result.line.line, column=place)


def _cause(alone: Answered, above: Sequence[_Link]) -> "JudgedLine | None":
    """The line that should have defined the name that a result does not know, and was not read."""
    word = alone.message.partition(" is not a known name")[0]
    indexed = f"{word}_", f"{word}["
    unread = ((link.left.text.strip(), link.line) for link in above if link.line.mark == "unread")
    return next((line for left, line in unread if left == word or left.startswith(indexed)), None)


def _unless_by_wrong_lines(found: Answered, result: _Link) -> Answered:
    """The verdict on a result with the lines that it uses; where these make a wrong line right,
    it is not told yet."""
    if found.verdict is not Verdict.CORRECT or result.line.mark not in _WRONG:
        return found
    why = (
        "This is right only with a wrong line above. "
        f"Write {found.name} without the derivatives that are wrong there."
    )
    return _not_yet(found, result, why)


def _as_its_line(
    alone: Answered,
    result: _Link,
    lines: "Sequence[JudgedLine]",
    known: Collection[str],
) -> Answered:
    """The verdict on a right result that only its lines can tell: it is right if it needs no
    derivative that no right line above works out."""
    place = next(k for k, each in enumerate(lines) if each is result.line)
    if finishes(lines[: place + 1], known):
        return Answered(alone.name, Verdict.CORRECT, RIGHT)
    why = f"Right so far. Now write {alone.name} without derivatives that no line above works out."
    return _not_yet(alone, result, why)


def _not_yet(answered: Answered, result: _Link, why: str) -> Answered:
    """Neither right nor wrong: what is missing is told, and costs nothing."""
    return replace(
        answered,
        verdict=Verdict.INVALID,
        message=why,
        diagnosis=Diagnosis("unfinished", why),
        line=result.line.line,
        column=None,
    )


def _links(text: str, names: Names, lines: "Sequence[JudgedLine]") -> Iterator[_Link]:
    """The links of all lines with what was said of each."""
    left, written = Plain("", ()), dict[int, list[tuple[Plain, Plain]]]()
    for part in parts_of(text, names):
        if isinstance(part, Written):
            left = part.left or left
            written.setdefault(part.line, []).extend((left, link) for link in part.links)
    for number, links in written.items():
        judged = [each for each in lines if each.line == number and each.mark != "words"]
        if len(links) == len(judged):
            for (left, right), line in zip(links, judged, strict=True):
                yield _Link(left, right, line)


def _may_be_used(link: _Link, names: Names) -> bool:
    """Whether a result may use what a line gives: a name of one's own, or a derivative.

    What the card has already is not taken from a line, which may be wrong about it.
    """
    if link.line.mark in ("unread", "words") or link.line.asked is not None:
        return "∂" in link.left.text and link.line.mark != "unread"
    return link.line.mark == "defines" or "∂" in link.left.text or "∇" in link.left.text


def _is_size(link: _Link, context: Context) -> bool:
    """Whether a line gives a size's letter a meaning of the learner's own, `D = diag(y)`."""
    return link.left.text.partition("_")[0].partition("[")[0].strip() in context.numbers


def _gives_something_else(lines: "Sequence[JudgedLine]") -> bool:
    """Whether the last line is about another name than those that are asked."""
    said = [each for each in lines if each.mark != "words"]
    return bool(said) and said[-1].mark != "unread" and any(e.mark != "defines" for e in said)


def _remarked(answered: Answered, lines: "Collection[JudgedLine]") -> Answered:
    """A right result below a wrong line on its way is right, with a remark."""
    if answered.verdict is not Verdict.CORRECT:
        return answered
    result = max((each.line for each in lines if each.asked == answered.name), default=0)
    above = (each for each in lines if each.line <= result and each.mark == "wrong")
    wrong = next((each for each in above if each.asked in (None, answered.name)), None)
    if wrong is None:
        return answered
    remark = Diagnosis("line", wrong.message)
    return replace(answered, diagnosis=remark)
