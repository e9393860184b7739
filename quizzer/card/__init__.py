"""One Markdown text → a card, or problems with their lines. Pure: reads no file, prints nothing."""

from pathlib import Path

from quizzer.card.values import (
    TYPES,
    Asked,
    Card,
    CheckerFence,
    Choice,
    Header,
    Image,
    Link,
    Number,
    Option,
    Parsed,
    Part,
    Problem,
    Reveal,
    Severity,
    kind_of,
    named_by_link,
    normal_type,
)

__all__ = [
    "TYPES",
    "Asked",
    "Card",
    "CheckerFence",
    "Choice",
    "Header",
    "Image",
    "Link",
    "Number",
    "Option",
    "Parsed",
    "Part",
    "Problem",
    "Reveal",
    "Severity",
    "kind_of",
    "named_by_link",
    "normal_type",
    "parse",
]


def parse(data: bytes, path: Path) -> Parsed:
    """The card in a file's bytes; `path` is only quoted in problems. Never raises.

    A card that can be asked is returned even when something about it is an error.
    """
    # Imported here: a deck whose index is warm reads no card.
    from quizzer.card import reader

    return reader.parse(data, path)
