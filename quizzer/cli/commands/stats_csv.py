"""A course as CSV: a row for each card, and below it one for each of its mistakes and lines."""

import csv
import io
from collections.abc import Iterator

from quizzer.stats.classroom import Classroom, CourseCard

HEAD = (
    *("card", "kind", "name", "times", "hurt", "learners", "reviews", "again", "forgotten"),
    *("median_minutes", "wrong", "disputed"),
)


def text(found: Classroom) -> str:
    """Figures of a card are only in the row of kind `card`, so that a column can be summed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    for card in found.cards:
        writer.writerows([*map(_cell, row)] for row in _rows(card))
    return out.getvalue()


def _rows(card: CourseCard) -> Iterator[tuple[object, ...]]:
    yield (
        *(card.card, "card", None, None, card.hurt, card.learners, card.reviews, card.again),
        card.forgotten,
        None if card.seconds is None else card.seconds / 60,
        card.wrong,
        card.disputes,
    )
    for kind, counts in (
        ("mistake", card.mistakes),
        ("known-mistake", card.known),
        ("line", card.lines),
    ):
        for name, times in counts.items():
            yield (card.card, kind, name, times, *[None] * (len(HEAD) - 4))


def _cell(value: object) -> object:
    """Learners write lines, and a spreadsheet would run a text that begins like a formula."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return round(value, 4) if isinstance(value, float) else value
