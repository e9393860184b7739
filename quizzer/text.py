"""Text for people: made harmless, made comparable; counts, times and places in words."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import overload

_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """The text with one kind of newline and every control and bidi character as `�`.

    Escape sequences could otherwise reach a terminal, and rewrite what it shows.
    """
    return _HARMFUL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, width: int = 80) -> str:
    """The text cleaned, on one line, cut to `width` characters with an ellipsis."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def cut(text: str, most: int) -> str:
    """The text if it has at most so many characters; else its beginning, with an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def sentence(text: str) -> str:
    """The text as a sentence: a capital first, a full stop last, its wording untouched."""
    text = text.strip()
    if not text:
        return text
    first = text.split(maxsplit=1)[0]
    if first.isalpha() and first.islower() and first.isascii() and first != "line":
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…:" else text + "."


def composed(text: str) -> str:
    """The text with each letter and its accents as one character where there is one (NFC).

    The same word can be encoded in two ways, and macOS types the longer one.
    """
    return unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """The text for comparing what people write: accents composed, in lower case."""
    return composed(text).casefold()


def first_of(lines: Sequence[str], most: int) -> list[str]:
    """So many of the lines, and then how many more there are."""
    more = [f"and {len(lines) - most} more"] if len(lines) > most else []
    return [*lines[:most], *more]


def count(number: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with the closest known word, or nothing if none is close."""
    import difflib

    written = {folded(name): name for name in known}
    near = difflib.get_close_matches(folded(word), list(written), 1, cutoff=0.7)
    return f"; did you mean `{written[near[0]]}`?" if near else ""


def place(line: int | None, column: int | None, text: str) -> str:
    """Where in a text: `column 5`, with its line if it has several; empty if not known."""
    places = [f"line {line}"] if line and (line > 1 or "\n" in text.strip()) else []
    places += [f"column {column}"] if column else []
    return ", ".join(places)


@overload
def instant(at: datetime) -> str: ...
@overload
def instant(at: datetime | None) -> str | None: ...
def instant(at: datetime | None) -> str | None:
    """ISO 8601 with offset, to the second."""
    return at.isoformat(timespec="seconds") if at else None


def iso_day(day: int | None) -> str | None:
    return None if day is None else date.fromordinal(day).isoformat()


def span(days: int, step: int) -> str:
    """An interval as a rating key shows it: `10 min` for such a step, then days, months, years."""
    if days == 0:
        return f"{step} min"
    if days < 60:
        return f"{days} d"
    if days < 700:
        return f"{days / 30.44:.1f} mo"
    return f"{days / 365.25:.1f} y"


def comes_again(days: int) -> str:
    """When a card came again after a review whose step is not known: `in 3 d`, `the same day`."""
    return f"in {span(days, 0)}" if days else "the same day"


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


def points(number: float) -> str:
    """`1 point`, `2.5 points`."""
    return count(int(number), "point") if number == int(number) else f"{number:g} points"
