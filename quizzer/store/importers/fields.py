"""The fields of a review that another program recorded; errors say how to mend the file."""

import math
from datetime import datetime

from quizzer.store.codec import credible, milliseconds, offset_minutes
from quizzer.store.importers.repetitions import Repetition
from quizzer.text import one_line
from quizzer.values import Rating

OLDEST_MS = 946_684_800_000
"""The year 2000: an earlier time is not in milliseconds."""

_A_DAY_MS = 86_400_000


def checked(repetition: Repetition | None, now_ms: int, time: str) -> Repetition | None:
    """The repetition, if it was after 1999 and not after tomorrow; `time` as it was written.

    Raises ValueError.
    """
    if repetition is not None:
        if not repetition.card:
            raise ValueError("it names no card; write a card's id in the column card_id")
        shown = _shown(time)
        if repetition.at_ms < OLDEST_MS and _is_number(time):
            raise ValueError(
                f"the time {shown} is not in milliseconds since 1970; times 1000 if it is seconds"
            )
        if repetition.at_ms < OLDEST_MS:
            raise ValueError(f"the time {shown} is before the year 2000; mend the date")
        if repetition.at_ms > now_ms + _A_DAY_MS:
            unit = ", counted in milliseconds since 1970," if _is_number(time) else ""
            raise ValueError(
                f"the time {shown}{unit} is not over yet; mend it, or this machine's clock"
            )
    return repetition


def rating(text: str) -> Rating:
    try:
        return Rating(whole("rating", text))
    except ValueError:
        raise ValueError(
            f"the rating {_shown(text)} is none; ratings are 1 (again), 2 (hard), 3 (good), "
            "4 (easy)"
        ) from None


def time(text: str) -> tuple[int, int | None]:
    """A time in milliseconds since 1970, or as a date with its offset from UTC.

    The offset, in minutes, is None where it is none: UTC tells the instant alone, as programs write
    it wherever the learner is.
    """
    if _is_number(text):
        return whole("time", text), None
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(
            f"the time {_shown(text)} is neither in milliseconds since 1970 nor a date with its "
            "offset from UTC; write it as 2026-11-20T09:00:00+01:00"
        ) from None
    if moment.tzinfo is None:
        raise ValueError(
            f"the time {_shown(text)} does not tell its offset from UTC; write "
            f"{moment.isoformat()}+01:00 for an hour ahead of UTC, {moment.isoformat()}Z for UTC"
        )
    return milliseconds(moment), offset_minutes(moment) or None


def seconds(milliseconds: int) -> float | None:
    return credible(milliseconds / 1000) if milliseconds else None


def whole(name: str, text: str) -> int:
    """The number in a column of this name. Raises ValueError."""
    number = float(text) if _is_number(text) else math.nan
    if not math.isfinite(number) or number != int(number):
        raise ValueError(f"the {name} {_shown(text)} is not a whole number; write one")
    return int(text) if text.strip().lstrip("-").isdecimal() else int(number)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _shown(text: str) -> str:
    return one_line(text.strip(), 40) or "(nothing)"
