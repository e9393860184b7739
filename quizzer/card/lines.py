"""The scanner's tokens as lines of a file, each with what it holds: from these a card is read.

The parts of a card are runs of whole lines, and stay the text that its author wrote.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from enum import Enum, auto

from markdown_it.token import Token
from msgspec import Struct

from quizzer.card.formulas import formulas
from quizzer.card.scanner import kept
from quizzer.card.values import Image, Link


class Kind(Enum):
    TEXT = auto()
    MARKUP = auto()
    """The stars of emphasis, the borders of cells."""
    CODE = auto()
    FORMULA = auto()
    DISPLAY = auto()
    """A formula between double dollars."""
    IMAGE = auto()
    LINK = auto()


class Span(Struct, frozen=True):
    """A piece of a line: what it says, be it words, LaTeX, or the name of an image.

    A formula of several lines is a span of its first.
    """

    kind: Kind
    text: str
    target: str = ""
    """Of a wiki-link."""


class Heading(Struct, frozen=True):
    index: int
    level: int
    title: str


class Line(Struct, frozen=True):
    number: int
    """In its file, counted from 1."""
    text: str
    spans: tuple[Span, ...] = ()
    level: int = 0
    """Of a heading; 0 for any other line."""
    is_rule: bool = False
    is_code: bool = False
    """Whether it belongs to a fence, where no heading, rule or list can begin."""
    goes_on: bool = False
    """Whether a fence or a formula that began above goes on here."""

    @property
    def may_begin(self) -> bool:
        """Whether an item or a paragraph can begin here."""
        return not (self.is_code or self.goes_on)


class Text(Struct, frozen=True):
    """Lines of a file, most often consecutive; `first` is the number of the first one."""

    lines: tuple[Line, ...]
    first: int

    def __str__(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def part(self, start: int, stop: int | None = None) -> "Text":
        """The lines from `start` to before `stop`, without blank lines at either end."""
        lines = self.lines
        stop = len(lines) if stop is None else stop
        while start < stop and not lines[start].text.strip():
            start += 1
        while stop > start and not lines[stop - 1].text.strip():
            stop -= 1
        return Text(lines[start:stop], lines[start].number if start < stop else self.first + start)

    def between(self, start: int, stop: int) -> str:
        """The lines from `start` to before `stop` as they are written."""
        return "\n".join(line.text for line in self.lines[start:stop])

    def without(self, start: int, stop: int) -> "Text":
        """The lines around those from `start` to before `stop`."""
        return Text(self.lines[:start] + self.lines[stop:], self.first).part(0)

    def headings(self) -> Iterator[Heading]:
        for index, line in enumerate(self.lines):
            if line.level:
                title = line.text.strip().strip("#").strip(" \t*_:")
                yield Heading(index, line.level, title)

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
        while body.lines and body.lines[-1].is_rule:
            body = body.part(0, len(body.lines) - 1)
        return body

    def spans(self, kind: Kind) -> Iterator[tuple[Span, int]]:
        """The spans of a kind, each with the number of its line."""
        for line in self.lines:
            yield from ((span, line.number) for span in line.spans if span.kind is kind)


NOTHING = Text((), 1)


def read(text: str, first: int) -> tuple[Text, list[int]]:
    """The lines of a text, and the numbers of those with a fence that is never closed."""
    tokens, unclosed = kept(text, first)
    levels: dict[int, int] = {}
    rules: set[int] = set()
    code: set[int] = set()
    later: set[int] = set()
    spans: defaultdict[int, list[Span]] = defaultdict(list)
    for token in tokens:
        here = range(*token.map) if token.map else range(0)
        match token.type:
            case "heading_open" if not token.markup.startswith("="):
                levels[here[0]] = int(token.tag[1:])
            case "hr":
                rules.add(here[0])
            case "td_open" | "th_open":
                spans[here[0]].append(Span(Kind.MARKUP, " | "))
            case "fence":
                code.update(here)
                later.update(here[1:])
            case "code_block":
                # Indented by four blanks or more: most often it is prose, and counts.
                for number, line in enumerate(token.content.split("\n"), here[0]):
                    spans[number] += _prose_spans(line)
            case "formula_block":
                later.update(here[1:])
                spans[here[0]].append(Span(Kind.DISPLAY, token.content))
        for child in token.children or ():
            here = range(*child.map) if child.map else here
            later.update(here[1:])
            spans[here[0]] += _spans(child)
    lines = [
        Line(
            number=number,
            text=line,
            spans=tuple(spans[number]),
            level=levels.get(number, 0) if _HEADING.match(line) else 0,
            is_rule=number in rules and _RULE.fullmatch(line) is not None,
            is_code=number in code,
            goes_on=number in later,
        )
        for number, line in enumerate(text.split("\n"), first)
    ]
    return Text(tuple(lines), first), list(unclosed)


def links(text: Text) -> tuple[Link, ...]:
    """The wiki-links of a text, each target once."""
    found: dict[str, Link] = {}
    for span, _ in text.spans(Kind.LINK):
        found.setdefault(span.target, Link(span.target, span.text))
    return tuple(found.values())


def images(text: Text) -> Iterator[Image]:
    """The images of a text, each as often as it is shown."""
    for span, number in text.spans(Kind.IMAGE):
        yield Image(span.text, number)


def prose(text: Text) -> Iterator[str]:
    """The lines of a text without what is no prose: formulas, code, pictures."""
    for line in text.lines:
        yield "".join(_SILENT.get(span.kind, span.text) for span in line.spans)


def _prose_spans(line: str) -> Iterator[Span]:
    place = 0
    for start, formula in formulas(line):
        yield Span(Kind.TEXT, line[place:start])
        yield Span(Kind.FORMULA, formula.latex)
        place = formula.end
    yield Span(Kind.TEXT, line[place:])


def _spans(token: Token) -> Iterator[Span]:
    match token.type:
        case "text" if token.content:
            yield Span(Kind.TEXT, token.content)
        case "formula":
            yield Span(Kind.FORMULA, token.content)
        case "code_inline":
            yield Span(Kind.CODE, token.content)
        case "wiki_link":
            yield Span(Kind.LINK, token.content, str(token.attrs["target"]))
        case "image":
            name = str(token.attrs["src"])
            # What `![[...]]` embeds may be another note as well.
            if not token.meta.get("is_embed") or _PICTURE.search(name):
                yield Span(Kind.IMAGE, name)
        case _ if token.markup:
            yield Span(Kind.MARKUP, token.markup)


_SILENT = {Kind.CODE: "``", Kind.FORMULA: "", Kind.DISPLAY: "", Kind.IMAGE: ""}
"""What is left of a span in prose; others are left as they are."""
_HEADING = re.compile(" {0,3}#")
_RULE = re.compile(r" {0,3}-{3,}[ \t]*")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|avif|pdf)$", re.IGNORECASE)
