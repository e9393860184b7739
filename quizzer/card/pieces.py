"""The pieces of a card's question and solution: title, options, answers, steps, hints."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quizzer.card import markdown
from quizzer.card.markdown import Text
from quizzer.card.values import Option

TITLE_WIDTH = 80

NOTHING = Text((), (), 1)
OPTIONS = re.compile(r"(?:answer )?(?:options?|choices)", re.IGNORECASE)
HINTS = re.compile(r"hints?", re.IGNORECASE)
RELATED = re.compile(r"related\b.*", re.IGNORECASE)
STEPS = re.compile(r".*\b(?:steps?|step-by-step|derivation)\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """A paragraph that begins with **Correct Answer:** (the key) or **Short Answer:**."""

    is_key: bool
    text: str
    start: int
    stop: int


def title(question: Text) -> str:
    """The first sentence, plain and at most `TITLE_WIDTH` wide; no formula is cut in two."""
    prose = [
        line
        for line, code in zip(question.lines, question.code, strict=True)
        if not code and not line.lstrip().startswith(("|", "!["))
    ]
    text = _DISPLAY_MATH.sub(" … ", "\n".join(prose)[:4000])
    text = " ".join(_MARKUP.sub(" ", _POINTS.sub(" ", text)).replace("**", "").split())
    shown = ""
    for piece, is_formula in _pieces(text):
        end = None if is_formula else _SENTENCE_END.search(piece)
        shown += piece[: end.end()] if end else piece
        if len(shown) > TITLE_WIDTH:
            room = len(shown) - len(piece) if is_formula else TITLE_WIDTH - 1
            cut = shown if is_formula else shown[: room + 1].rsplit(" ", 1)[0]
            return cut[:room].rstrip() + "…"
        if end:
            break
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
        if not section.code[index] and (match := _OPTION.match(line))
    ]
    letters = [match[1].upper() for _, match in starts]
    if not starts and _is_void(str(section).removeprefix("- "), _NO_OPTIONS):
        return rest, (), None
    if not starts or letters != sorted(set(letters)):
        return question, (), question.first + found[0]
    stops = [index for index, _ in starts[1:]] + [len(section.lines)]
    read = [
        Option(letter, "\n".join([match[2] or "", *section.lines[index + 1 : stop]]).strip())
        for letter, (index, match), stop in zip(letters, starts, stops, strict=True)
    ]
    return rest, tuple(option for option in read if not _is_void(option.text, _NO_OPTION)), None


def hints(question: Text, solution: Text) -> tuple[Text, tuple[str, ...]]:
    """The question without its section Hints, and the hints of both halves."""
    found = question.section(HINTS)
    own = question.part(found[0] + 1, found[1]) if found else NOTHING
    rest = question.without(*found) if found else question
    given = markdown.listed(own) + markdown.listed(solution.under(HINTS) or NOTHING)
    return rest, tuple(given)


def answers(solution: Text) -> Iterator[Answer]:
    """The answer paragraphs in order. One whose first line is empty or ends with a colon goes on
    in the next block."""
    index = 0
    while index < len(solution.lines):
        match = None if solution.code[index] else _ANSWER.match(solution.lines[index])
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


def steps(solution: Text, given: Iterable[Answer]) -> tuple[str, ...]:
    """The derivation, step by step, for showing one after the other.

    The numbered steps under a heading such as `Steps / Derivation`, or its paragraphs; without
    such a heading the paragraphs of the solution, answers, hints and related concepts left out.
    """
    if section := solution.under(STEPS):
        return tuple(markdown.numbered(section) or markdown.paragraphs(section))
    left_out = [(answer.start, answer.stop) for answer in given]
    left_out += [found for title in (HINTS, RELATED) if (found := solution.section(title))]
    lines, code = list(solution.lines), list(solution.code)
    for start, stop in left_out:
        lines[start:stop] = [""] * (stop - start)
        code[start:stop] = [False] * (stop - start)
    return tuple(markdown.paragraphs(Text(tuple(lines), tuple(code), solution.first)))


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Prose and formulas in turn, each with whether it is a formula."""
    place = 0
    for start, formula in markdown.formulas(text):
        yield text[place:start], False
        yield text[start : formula.end], True
        place = formula.end
    yield text[place:], False


def _paragraph(text: Text, start: int, lines: list[str]) -> tuple[int, list[str]]:
    """The lines up to a blank one outside formulas and code, a heading, a rule or a new label."""
    lines = list(lines)
    in_math = sum(line.count("$$") for line in lines) % 2 == 1
    index = start
    while index < len(text.lines):
        line = text.lines[index]
        if not (in_math or text.code[index]) and (not line.strip() or _ends(text, index)):
            break
        lines.append(line.rstrip())
        in_math ^= line.count("$$") % 2 == 1
        index += 1
    return index, lines


def _ends(text: Text, index: int) -> bool:
    line = text.lines[index]
    return text.is_rule(index) or _HEADING.match(line) is not None or _LABEL.match(line) is not None


def _skip_blank(text: Text, index: int) -> int:
    while index < len(text.lines) and not text.lines[index].strip():
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
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_DISPLAY_MATH = re.compile(r"\$\$.*?(?:\$\$|\Z)", re.DOTALL)
_MARKUP = re.compile(r"(?m)^[ \t]{0,8}(?:#{1,6}|>|[-*+]|\d{1,2}[.)])[ \t]+|`|^[-=]{3,}$")
_POINTS = re.compile(
    r"(?i)[(\[][ \t]{0,2}\d{1,4}(?:[.,]\d{1,2})?[ \t]{0,2}(?:points?|pts?|p)\.?[)\]]"
)
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\b[Ee]q)(?<!\b[Ff]ig)(?<!\bvs)[.?!](?=\s|$)|[。？！]"
)
