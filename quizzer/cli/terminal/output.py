"""What commands print: JSON documents, lines of data, messages; times, days, titles."""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import TextIO

from quizzer.cli.terminal import streams
from quizzer.cli.terminal.waiting import give_way, window
from quizzer.deck import Entry
from quizzer.tex.width import columns
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


def put(line: str) -> None:
    """A line of data on standard output, harmless whatever file names and cards hold."""
    print(clean(line))


def say(message: str) -> None:
    """A message for the person, away from the data, as harmless."""
    give_way()
    streams.warn(*_broken(clean(message), sys.stderr))


def tell(sentence: str, indent: int = 0) -> None:
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


def with_title(line: str, entry: Entry) -> str:
    """The line, and after two blanks as much of the card's title as still fits the screen."""
    room = screen_width() - len(line) - 2
    return f"{line}  {title(entry, room)}".rstrip() if room > 8 else fitting(line.rstrip())


def title(entry: Entry, width: int) -> str:
    """The card's title, cut to so many columns."""
    return cut(entry.title, width)


def cut(line: str, width: int) -> str:
    """The line, with an ellipsis for what goes beyond so many columns."""
    if sum(map(columns, line)) <= width:
        return line
    kept, used = "", 1
    for char in line:
        used += columns(char)
        if used > width:
            break
        kept += char
    return kept.rstrip(" …") + "…"


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


def place(line: int | None, column: int | None, text: str) -> str:
    """Where in a text, `column 5`, with its line where it has several; nothing if not known."""
    places = [f"line {line}"] if line and (line > 1 or "\n" in text.strip()) else []
    places += [f"column {column}"] if column else []
    return ", ".join(places)


def instant(at: datetime | None) -> str | None:
    """ISO 8601 with offset, to the second."""
    return at.isoformat(timespec="seconds") if at else None


def iso_day(day: int | None) -> str | None:
    return None if day is None else date.fromordinal(day).isoformat()


def span(days: int) -> str:
    """An interval as a rating key shows it: `10 min` for the step, then days, months, years."""
    if days == 0:
        return "10 min"
    if days < 60:
        return f"{days} d"
    if days < 700:
        return f"{days / 30.44:.1f} mo"
    return f"{days / 365.25:.1f} y"


def about(minutes_: float) -> str:
    """An expected time: `about 40 min`, `about 4 h 10 min`, never less than a minute."""
    whole = max(1, round(minutes_))
    return f"about {minutes(60 * (whole if whole < 60 else 5 * round(whole / 5)))}"


def minutes(seconds: float) -> str:
    """`42 s`, `3 min`, `1 h 20 min`."""
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    whole = round(seconds / 60)
    return f"{whole} min" if whole < 60 else f"{whole // 60} h {whole % 60} min"
