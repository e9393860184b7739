"""The pieces of a card's question and solution: title, options, answers, steps, hints."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from quizzer.card import points, steps
from quizzer.card.lines import NOTHING, Kind, Line, Text
from quizzer.card.values import Option

TITLE_WIDTH = 80

OPTIONS = re.compile(r"(?:answer )?(?:options?|choices)", re.IGNORECASE)
HINTS = re.compile(r"hints?", re.IGNORECASE)
RELATED = re.compile(r"related\b.*", re.IGNORECASE)
STEPS = re.compile(r".*\b(?:steps?|step-by-step|derivation)\b.*", re.IGNORECASE)


class Answer(Struct, frozen=True):
    """A paragraph that begins with **Correct Answer:** (the key) or **Short Answer:**."""

    is_key: bool
    text: str
    start: int
    stop: int


def title(question: Text) -> str:
    """The first sentence, plain and at most `TITLE_WIDTH` wide; no formula is cut in two."""
    text, formulas = _plain(question)
    text = " ".join(points.MARK.sub(" ", text).split())
    if end := _SENTENCE_END.search(text):
        text = text[: end.end()]
    shown = ""
    for piece in _FORMULA.split(text):
        is_formula = piece == _FORMULA_SIGN
        piece = formulas.pop(0) if is_formula else piece
        shown += piece
        if len(shown) > TITLE_WIDTH:
            room = len(shown) - len(piece) if is_formula else TITLE_WIDTH - 1
            cut = shown if is_formula else shown[: room + 1].rsplit(" ", 1)[0]
            return cut[:room].rstrip() + "…"
    return shown.strip()


def options(question: Text) -> tuple[Text, tuple[Option, ...], int | None]:
    """The question without its options, the options, and the line of a section that is unreadable.

    Such a section stays in the question. Options that say `N/A`, with a reason or without, are
    none.
    """
    found = question.section(OPTIONS)
    if found is None:
        return question, (), None
    section = question.part(found[0] + 1, found[1])
    rest = question.without(*found)
    starts = [
        (index, match)
        for index, line in enumerate(section.lines)
        if not line.is_code and (match := _OPTION.match(line.text))
    ]
    letters = [match[1].upper() for _, match in starts]
    if not starts and _is_void(str(section).removeprefix("- "), _NO_OPTIONS):
        return rest, (), None
    if not starts or letters != sorted(set(letters)):
        return question, (), question.lines[found[0]].number
    stops = [index for index, _ in starts[1:]] + [len(section.lines)]
    read = [
        Option(letter, f"{match[2] or ''}\n{section.between(index + 1, stop)}".strip())
        for letter, (index, match), stop in zip(letters, starts, stops, strict=True)
    ]
    return rest, tuple(option for option in read if not _is_void(option.text, _NO_OPTION)), None


def hints(question: Text, solution: Text) -> tuple[Text, tuple[str, ...]]:
    """The question without its section Hints, and the hints of both halves."""
    found = question.section(HINTS)
    own = question.part(found[0] + 1, found[1]) if found else NOTHING
    rest = question.without(*found) if found else question
    given = steps.listed(own) + steps.listed(solution.under(HINTS) or NOTHING)
    return rest, tuple(given)


def answers(solution: Text) -> Iterator[Answer]:
    """The answer paragraphs in order. One whose first line is empty or ends with a colon goes on
    in the next block."""
    index = 0
    while index < len(solution.lines):
        line = solution.lines[index]
        match = None if line.is_code else _ANSWER.match(line.text)
        if match is None or not (match["bold"] or match["colon"] or match["heading"]):
            index += 1
            continue
        first = match["text"].strip()
        first = first.removesuffix("**") if first.count("**") % 2 else first
        stop, lines = _paragraph(solution, index + 1, [first])
        if not "".join(lines).strip() or lines[-1].endswith(":"):
            stop, lines = _paragraph(solution, _skip_blank(solution, stop), lines)
        text = "\n".join(lines).strip()
        yield Answer(match["name"].lower() == "correct", text, index, stop)
        index = stop


def derivation(solution: Text, given: Iterable[Answer]) -> tuple[str, ...]:
    """The derivation, step by step, for showing one after the other.

    The numbered steps under a heading such as `Steps / Derivation`, or its paragraphs; without
    such a heading the paragraphs of the solution, answers, hints and related concepts left out.
    """
    if section := solution.under(STEPS):
        return tuple(steps.numbered(section) or steps.paragraphs(section))
    left_out = [(answer.start, answer.stop) for answer in given]
    left_out += [found for title in (HINTS, RELATED) if (found := solution.section(title))]
    lines = list(solution.lines)
    for start, stop in left_out:
        lines[start:stop] = [Line(line.number, "") for line in lines[start:stop]]
    return tuple(steps.paragraphs(Text(tuple(lines), solution.first)))


def _plain(question: Text) -> tuple[str, list[str]]:
    """The question in plain words, a sign for each of its formulas, and these with their dollars.

    Code, tables and lines that begin with a picture are left out.
    """
    text, formulas = "", []
    for line in question.lines:
        is_picture = bool(line.spans) and line.spans[0].kind is Kind.IMAGE
        if line.is_code or is_picture or line.text.lstrip().startswith("|"):
            continue
        for span in line.spans:
            match span.kind:
                case Kind.FORMULA:
                    text += _FORMULA_SIGN
                    formulas.append(f"${' '.join(span.text.split())}$")
                case Kind.DISPLAY:
                    text += " … "
                case Kind.TEXT | Kind.CODE | Kind.LINK:
                    text += span.text
        text += " "
        if len(text) > _ENOUGH:
            break
    return text, formulas


def _paragraph(text: Text, start: int, lines: list[str]) -> tuple[int, list[str]]:
    """The lines up to a blank one outside formulas and code, a heading, a rule or a new label."""
    lines = list(lines)
    index = start
    while index < len(text.lines):
        line = text.lines[index]
        if line.may_begin and (not line.text.strip() or _ends(line)):
            break
        lines.append(line.text.rstrip())
        index += 1
    return index, lines


def _ends(line: Line) -> bool:
    return line.is_rule or line.level > 0 or _LABEL.match(line.text) is not None


def _skip_blank(text: Text, index: int) -> int:
    while index < len(text.lines) and not text.lines[index].text.strip():
        index += 1
    return index


def _is_void(text: str, void: re.Pattern[str]) -> bool:
    """Whether a text says that there is none, perhaps with the reason: `N/A (Open-ended)`."""
    return void.fullmatch(text.strip(" *_().\n")) is not None


_NO_OPTION = re.compile(r"(?:(?:n/a|not applicable)(?:[\s*_.]*[(\[:;,–—-].*)?)?", re.I | re.S)
_NO_OPTIONS = re.compile(rf"{_NO_OPTION.pattern}|none(?:[\s*_.]*[(\[:;,–—-].*)?", re.I | re.S)
_OPTION = re.compile(
    r"[ \t]{0,3}(?:[-*+] +)?(?:\*\*|__)?\(?([A-Za-z])[).](?:\*\*|__)?(?:[ \t]+(.*)|$)"
)
_ANSWER = re.compile(
    r"[ \t]{0,3}(?:[-*+>] +)?(?P<heading>#{1,6} +)?(?P<bold>\*\*|__)?"
    r"(?P<name>correct|short) answers? ?(?:\*\*|__)? ?(?P<colon>:)? ?(?:\*\*|__)?(?P<text>.*)$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[ \t]{0,3}(?:[-*+>] +)?(?:\*\*|__)[^*_:\n]{1,60}(?::(?:\*\*|__)|(?:\*\*|__) ?:)"
)
_ENOUGH = 4_000
"""Characters among which a first sentence ends."""
_FORMULA_SIGN = "\0"
_FORMULA = re.compile("(\0)")
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\b[Ee]q)(?<!\b[Ff]ig)(?<!\bvs)[.?!](?=\s|$)|[。？！]"
)
