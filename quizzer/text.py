"""Text made harmless for a terminal: what a card, a file name or a child process says.

And text made comparable: the same word is encoded in two ways, and macOS types the longer one.
"""

import re
import unicodedata
from collections.abc import Iterable

_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(text: str) -> str:
    """The text with one kind of newline and every control and bidi character as `�`.

    Escape sequences would otherwise reach the terminal and could rewrite what stands there.
    """
    return _HARMFUL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, width: int = 80) -> str:
    """The text cleaned, on one line, cut to `width` characters with an ellipsis."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def cut(text: str, most: int) -> str:
    """The text if it has at most so many characters; else its beginning, with an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def composed(text: str) -> str:
    """The text with each letter and its accents as one sign where there is one (NFC)."""
    return unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """The text for comparing what people write: accents composed, in lower case."""
    return composed(text).casefold()


def count(number: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with the known word as it is written, or nothing where none is near."""
    import difflib

    written = {folded(name): name for name in known}
    near = difflib.get_close_matches(folded(word), list(written), 1, cutoff=0.7)
    return f"; did you mean `{written[near[0]]}`?" if near else ""
