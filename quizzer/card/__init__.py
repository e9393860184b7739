"""One Markdown text → a card, or problems with their lines. Pure: reads no file, prints nothing."""

from quizzer.card.parse import parse
from quizzer.card.values import (
    TYPES,
    Asked,
    Card,
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
    normal_type,
)

__all__ = [
    "TYPES",
    "Asked",
    "Card",
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
    "normal_type",
    "parse",
]
