"""The little of Markdown that finding the pieces of a card needs: code, headings, blocks, lists.

What counts as a formula is said here once, for those who show cards, too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from quizzer.card.values import Image, Link


@dataclass(frozen=True, slots=True)
class Heading:
    index: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Text:
    """Consecutive lines of a file: `first` is the true number of the first one, `code[i]` says
    whether `lines[i]` is in a fenced block, where no heading, rule or list can begin."""

    lines: tuple[str, ...]
    code: tuple[bool, ...]
    first: int

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def part(self, start: int, stop: int | None = None) -> "Text":
        """The lines from `start` to before `stop`, without blank lines at either end."""
        stop = len(self.lines) if stop is None else stop
        while start < stop and not self.lines[start].strip():
            start += 1
        while stop > start and not self.lines[stop - 1].strip():
            stop -= 1
        return Text(self.lines[start:stop], self.code[start:stop], self.first + start)

    def without(self, start: int, stop: int) -> "Text":
        """The lines around those from `start` to before `stop`."""
        lines = self.lines[:start] + self.lines[stop:]
        return Text(lines, self.code[:start] + self.code[stop:], self.first).part(0)

    def headings(self) -> Iterator[Heading]:
        for index, line in enumerate(self.lines):
            if not self.code[index] and (match := _HEADING.match(line)):
                title = (match[2] or "").strip().rstrip("#").strip(" \t*_:")
                yield Heading(index, len(match[1]), title)

    def section(self, title: re.Pattern[str]) -> tuple[int, int] | None:
        """From the first heading of that title to before the next one of its level or above."""
        start = level = None
        for heading in self.headings():
            if start is not None and level is not None and heading.level <= level:
                return start, heading.index
            if start is None and title.fullmatch(heading.title):
                start, level = heading.index, heading.level
        return None if start is None else (start, len(self.lines))

    def under(self, title: re.Pattern[str]) -> "Text | None":
        """What stands under the first heading of that title, without a rule that closes it."""
        found = self.section(title)
        if found is None:
            return None
        body = self.part(found[0] + 1, found[1])
        while body.lines and body.is_rule(len(body.lines) - 1):
            body = body.part(0, len(body.lines) - 1)
        return body

    def is_rule(self, index: int) -> bool:
        return not self.code[index] and _RULE.fullmatch(self.lines[index]) is not None


def read(text: str, first: int) -> tuple[Text, list[int]]:
    """The text with its code marked, and the true lines of fences that are never closed.

    Such a fence is taken for ordinary text, lest it swallow the rest of the card.
    """
    lines = tuple(text.split("\n"))
    code = [False] * len(lines)
    unclosed: list[int] = []
    hopeless: dict[str, int] = {}
    index = 0
    while index < len(lines):
        fence = _FENCE.match(lines[index])
        if fence:
            mark = fence[1] or fence[2]
            close = None
            if len(mark) < hopeless.get(mark[0], len(mark) + 1):
                close = _closing(lines, index, mark)
            if close is None:
                hopeless[mark[0]] = min(len(mark), hopeless.get(mark[0], len(mark)))
                unclosed.append(first + index)
            else:
                code[index : close + 1] = [True] * (close + 1 - index)
                index = close
        index += 1
    return Text(lines, tuple(code), first), unclosed


def paragraphs(text: Text) -> list[str]:
    """The blocks of a text. A formula, or what follows a colon, stays with the block before it."""
    blocks: list[list[str]] = []
    in_math = False
    fresh = True
    for index, line in enumerate(text.lines):
        if in_math or (text.code[index] and index > 0 and text.code[index - 1]):
            fresh = not blocks
        elif not line.strip() or text.is_rule(index) or _HEADING.match(line):
            fresh = True
            continue
        elif fresh and blocks and (line.lstrip().startswith("$$") or blocks[-1][-1].endswith(":")):
            blocks[-1].append("")
            fresh = False
        elif _NUMBERED.match(line):
            fresh = True
        if fresh:
            blocks.append([])
        fresh = False
        blocks[-1].append(line.rstrip())
        if not text.code[index] and line.count("$$") % 2:
            in_math = not in_math
    return ["\n".join(block).strip("\n") for block in blocks]


def numbered(text: Text) -> list[str]:
    """The numbered steps of a text, however they are numbered: `Step 1`, `**1.**` or `1.`."""
    for pattern in (_NAMED_STEP, _BOLD_STEP, _NUMBERED):
        starts = _starts(text, pattern)
        if starts:
            return _items(text, starts, pattern is _NUMBERED)
    return []


def listed(text: Text) -> list[str]:
    """The items of a list with bullets or numbers, else the paragraphs."""
    starts = _starts(text, _BULLET) or _starts(text, _NUMBERED)
    return _items(text, starts, True) if starts else paragraphs(text)


def links(text: Text) -> tuple[Link, ...]:
    """The wiki-links of a text, each target once."""
    found: dict[str, Link] = {}
    for index, line in enumerate(text.lines):
        if text.code[index]:
            continue
        for match in _LINK.finditer(line):
            target = match[1].strip()
            if target:
                found.setdefault(target, Link(target, (match[2] or "").strip() or target))
    return tuple(found.values())


def images(text: Text) -> Iterator[Image]:
    for index, line in enumerate(text.lines):
        if text.code[index] or "![" not in line:
            continue
        for match in _IMAGE.finditer(_INLINE_CODE.sub(" ", line)):
            name = (match[1] or match[2] or match[3]).strip()
            if match[1] is None or _PICTURE.search(name):
                yield Image(name, text.first + index)


def without_citations(text: str) -> str:
    """The text without marks such as `[cite: 12]` that an editor left; its lines stay."""
    return _CITATION.sub("", text) if "[cite" in text else text


@dataclass(frozen=True, slots=True)
class Formula:
    """What stands between dollars, up to the place `end` behind the last of them."""

    latex: str
    end: int
    is_display: bool


def formula_at(text: str, start: int) -> Formula | None:
    """The formula that begins at a dollar sign; what reads like prices, `$5 and $6`, is none."""
    if match := _DISPLAY.match(text, start):
        return Formula(match[1], match.end(), True) if match[1].strip() else None
    match = _FORMULA.match(text, start)
    latex = match[1] if match else ""
    if match is None or not latex.strip() or _BLANK_LINE.search(latex):
        return None
    if latex[0].isspace() != latex[-1].isspace() or text[match.end() : match.end() + 1].isdigit():
        return None
    return Formula(latex, match.end(), False)


def formulas(text: str) -> Iterator[tuple[int, Formula]]:
    """The formulas of a text, each with the place of its first dollar sign."""
    end = 0
    for match in _DOLLAR.finditer(text):
        if match[0] == "$" and match.start() >= end and (found := formula_at(text, match.start())):
            yield match.start(), found
            end = found.end


def without_math(text: Text) -> str:
    """The text with code and formulas blanked out: what is left is prose."""
    lines = ("" if code else line for line, code in zip(text.lines, text.code, strict=True))
    rest = _INLINE_CODE.sub("``", "\n".join(lines))
    prose, place = "", 0
    for start, formula in formulas(rest):
        prose += rest[place:start] + "\n" * formula.latex.count("\n")
        place = formula.end
    return prose + rest[place:]


def _closing(lines: tuple[str, ...], start: int, mark: str) -> int | None:
    for index in range(start + 1, len(lines)):
        line = lines[index].strip()
        if len(line) >= len(mark) and not line.strip(mark[0]):
            return index
    return None


def _starts(text: Text, pattern: re.Pattern[str]) -> list[int]:
    """Where items of a list begin, nested ones left out."""
    found = [
        (index, len(match[1]))
        for index, line in enumerate(text.lines)
        if not text.code[index] and (match := pattern.match(line))
    ]
    outermost = min((indent for _, indent in found), default=0)
    return [index for index, indent in found if indent <= outermost + 1]


def _items(text: Text, starts: list[int], drop_marker: bool) -> list[str]:
    items = []
    for start, stop in zip(starts, [*starts[1:], len(text.lines)], strict=True):
        head = text.lines[start].strip()
        head = _MARKER.sub("", head, count=1) if drop_marker else head.lstrip("#").strip()
        rest = dedent("\n".join(text.lines[start + 1 : stop]))
        items.append(f"{head}\n{rest}".strip())
    return [item for item in items if item]


_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_RULE = re.compile(r" {0,3}-{3,}[ \t]*")
_FENCE = re.compile(r"[ \t]*(?:(`{3,})[^`]*$|(~{3,}))")
_NUMBERED = re.compile(r"( {0,8})\d{1,2}[.)][ \t]+\S")
_BULLET = re.compile(r"( {0,8})[-*+][ \t]+\S")
_MARKER = re.compile(r"(?:\d{1,2}[.)]|[-*+])[ \t]+")
_NAMED_STEP = re.compile(r"( {0,3})(?:#{1,6} +|[-*+] +)?[*_]{0,3}step +\d{1,2}\b", re.IGNORECASE)
_BOLD_STEP = re.compile(r"( {0,3})(?:#{1,6} +)?(?:\*\*|__)\d{1,2}[.)]")
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{0,300}))?\]\]")
_IMAGE = re.compile(
    r"!\[\[([^\[\]|#\n]{1,300})(?:[|#][^\[\]\n]{0,300})?\]\]"
    r"|!\[[^\]\n]{0,300}\]\((?:<([^>\n]{1,500})>|([^)\s]{1,500}+))(?:[ \t][^)\n]{0,300})?\)"
)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|avif|pdf)$", re.IGNORECASE)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_DOLLAR = re.compile(r"\\.|\$", re.DOTALL)
_DISPLAY = re.compile(r"\$\$((?:\\.|[^$\\]|\$(?!\$))+)\$\$", re.DOTALL)
_FORMULA = re.compile(r"\$((?:\\.|[^$\\`])+)\$", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CITATION = re.compile(r"[ \t]{0,2}\[cite:[ \t\d,;–-]{0,200}\]|\[cite_(?:start|end)\]")
