"""What commands print: JSON documents, lines of data, messages."""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from quizzer.cli.terminal import streams
from quizzer.cli.terminal.waiting import give_way, window
from quizzer.deck import Entry
from quizzer.tex.width import NARROW, columns
from quizzer.text import clean

_RAW = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def print_json(document: object, indent: int | None = 2) -> None:
    """One JSON document on standard output, which says the same on a terminal of any encoding.

    Without an indent it is one line.
    """
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    text = _RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=indent)
    print(text)


def print_line(line: str) -> None:
    """A line of data on standard output, harmless whatever file names and cards hold."""
    print(clean(line))


def print_lines(lines: Iterable[str]) -> None:
    """Lines of data as `print_line` prints each, thousands of them at once."""
    if text := clean("\n".join(lines)):
        print(text)


def print_note(message: str) -> None:
    """A message for the user on standard error, away from the data, as harmless."""
    give_way()
    streams.warn(*_broken(clean(message), sys.stderr))


def print_text(sentence: str, indent: int = 0) -> None:
    """A sentence on standard output, which a narrow terminal shows on several lines.

    All but the first begin with an indent.
    """
    for line in _broken(clean(sentence), sys.stdout, indent):
        print(line)


def screen_width() -> int:
    """Columns that a line may take; 80 where there is no terminal."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, 40), 120)


def fitting(line: str, margin: int = 0) -> str:
    """The line, cut to a terminal's window less a margin; away from one, nothing is cut."""
    return cut(line, screen_width() - margin) if sys.stdout.isatty() else line


def may_color(environ: Mapping[str, str]) -> bool:
    """Whether to use colours: not with NO_COLOR or TERM=dumb, and only on a terminal."""
    plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
    return not plain and sys.stdout.isatty()


def can_draw() -> bool:
    """Whether the terminal's encoding has the glyphs of the pictures."""
    try:
        "·░▒▓█▁▏•".encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def id_width(ids: Iterable[str], most: int = 32) -> int:
    """A column for ids, at most half the screen; a long one sticks out, as people copy it."""
    return min(max(map(len, ids), default=0), most, screen_width() // 2)


def with_title(line: str, entry: Entry, screen: int) -> str:
    """The line, and after two blanks as much of the card's title as still fits so many columns."""
    room = screen - len(line) - 2
    return f"{line}  {title(entry, room)}".rstrip() if room > 8 else fitting(line.rstrip())


def with_titles(lines: Iterable[str], entries: Sequence[Entry], screen: int) -> Iterator[str]:
    """Each line `with_title` of its entry; a look at all titles at once spares one at each."""
    if not NARROW.fullmatch("".join(entry.title for entry in entries)):
        yield from (
            with_title(line, entry, screen) for line, entry in zip(lines, entries, strict=True)
        )
        return
    for line, entry in zip(lines, entries, strict=True):
        room = screen - len(line) - 2
        if room > 8:
            said = entry.title
            yield f"{line}  {said if len(said) <= room else _cut_narrow(said, room)}".rstrip()
        else:
            yield fitting(line.rstrip())


def title(entry: Entry, width: int) -> str:
    """The card's title, cut to so many columns."""
    return cut(entry.title, width)


def cut(line: str, width: int) -> str:
    """The line, with an ellipsis for what goes beyond so many columns."""
    if NARROW.fullmatch(line):
        return line if len(line) <= width else _cut_narrow(line, width)
    if 2 * len(line) <= width or sum(map(columns, line)) <= width:  # none takes more than two
        return line
    kept, used = "", 1
    for char in line:
        used += columns(char)
        if used > width:
            break
        kept += char
    return kept.rstrip(" …") + "…"


def _cut_narrow(line: str, width: int) -> str:
    """The same of one that is longer, each of whose characters takes a column."""
    return f"{line[: width - 1].rstrip(' …')}…"


def _broken(text: str, stream: TextIO, indent: int = 0) -> Iterator[str]:
    """The text's lines, those that a terminal's window has no room for broken at words."""
    for line in text.split("\n"):
        if not stream.isatty() or len(line) <= (room := window(stream)):
            yield line
        else:
            yield from textwrap.wrap(
                line,
                room,
                subsequent_indent=" " * indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
