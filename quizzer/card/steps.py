"""The steps of a derivation: the paragraphs of a text, or its numbered items.

Numbers are found more generously than Markdown does: a `2.` below a line that is not indented
begins a step too, for so it reads.
"""

import re
from textwrap import dedent

from quizzer.card.lines import Kind, Line, Text


def paragraphs(text: Text) -> list[str]:
    """The blocks of a text. A formula, or what follows a colon, stays with the block before it."""
    blocks: list[list[str]] = []
    fresh = True
    for line in text.lines:
        if line.goes_on:
            fresh = not blocks
        elif not line.text.strip() or line.is_rule or line.level:
            fresh = True
            continue
        elif fresh and blocks and (_is_display(line) or blocks[-1][-1].endswith(":")):
            blocks[-1].append("")
            fresh = False
        elif line.may_begin and _NUMBERED.match(line.text):
            fresh = True
        if fresh:
            blocks.append([])
        fresh = False
        blocks[-1].append(line.text.rstrip())
    return ["\n".join(block).strip("\n") for block in blocks]


def _is_display(line: Line) -> bool:
    return bool(line.spans) and line.spans[0].kind is Kind.DISPLAY


def numbered(text: Text) -> list[str]:
    """The numbered steps of a text, however they are numbered: `Step 1`, `**1.**` or `1.`."""
    for pattern in (_NAMED_STEP, _BOLD_STEP, _NUMBERED):
        starts = _starts(text, pattern)
        if starts:
            return _items(text, starts, pattern is _NUMBERED)
    return []


def listed(text: Text) -> list[str]:
    """The items of a list with bullets or numbers, else the paragraphs."""
    return items(text) or paragraphs(text)


def items(text: Text) -> list[str]:
    """The items of a list with bullets or numbers, of the outermost list only."""
    starts = _starts(text, _BULLET) or _starts(text, _NUMBERED)
    return _items(text, starts, True) if starts else []


def _starts(text: Text, pattern: re.Pattern[str]) -> list[int]:
    """Where items of a list begin, nested ones left out."""
    found = [
        (index, len(match[1]))
        for index, line in enumerate(text.lines)
        if line.may_begin and (match := pattern.match(line.text))
    ]
    outermost = min((indent for _, indent in found), default=0)
    return [index for index, indent in found if indent <= outermost + 1]


def _items(text: Text, starts: list[int], drop_marker: bool) -> list[str]:
    items = []
    for start, stop in zip(starts, [*starts[1:], len(text.lines)], strict=True):
        head = text.lines[start].text.strip()
        head = _MARKER.sub("", head, count=1) if drop_marker else head.lstrip("#").strip()
        rest = dedent(text.between(start + 1, stop))
        items.append(f"{head}\n{rest}".strip())
    return [item for item in items if item]


_NUMBERED = re.compile(r"( {0,8})\d{1,2}[.)][ \t]+\S")
_BULLET = re.compile(r"( {0,8})[-*+][ \t]+\S")
_MARKER = re.compile(r"(?:\d{1,2}[.)]|[-*+])[ \t]+")
_NAMED_STEP = re.compile(r"( {0,3})(?:#{1,6} +|[-*+] +)?[*_]{0,3}step +\d{1,2}\b", re.IGNORECASE)
_BOLD_STEP = re.compile(r"( {0,3})(?:#{1,6} +)?(?:\*\*|__)\d{1,2}[.)]")
