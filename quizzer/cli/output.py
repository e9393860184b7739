"""What commands print: JSON documents, times and days, messages."""

import json
import sys
from datetime import date, datetime


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def say(message: str) -> None:
    """A message for the person, away from the data."""
    print(message, file=sys.stderr)


def instant(at: datetime | None) -> str | None:
    """ISO 8601 with offset, to the second."""
    return at.isoformat(timespec="seconds") if at else None


def iso_day(day: int | None) -> str | None:
    return None if day is None else date.fromordinal(day).isoformat()


def count(number: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def span(days: int) -> str:
    """An interval as a rating key shows it: `10 min` for the step, then days, months, years."""
    if days == 0:
        return "10 min"
    if days < 60:
        return f"{days} d"
    if days < 700:
        return f"{days / 30.44:.1f} mo"
    return f"{days / 365.25:.1f} y"


def minutes(seconds: float) -> str:
    """`42 s`, `3 min`, `1 h 20 min`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    whole = round(seconds / 60)
    return f"{whole} min" if whole < 60 else f"{whole // 60} h {whole % 60} min"
