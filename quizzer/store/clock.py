"""What to tell where events are dated later than the clock here: one clock is or was wrong.

Nothing is refused for it. What was rated while a clock was wrong was rated.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from quizzer.store.codec import Row, instant, milliseconds, offset_minutes
from quizzer.store.ids import milliseconds_of

SLACK = timedelta(minutes=30)
"""By how much the clock may be behind the newest event, as clocks of two machines differ."""
_A_DAY = timedelta(days=1)
"""By how much an event from elsewhere may be ahead: beyond it, study days and due dates are off."""


def warning(newest: str | None, now: datetime) -> str | None:
    """What to say of a history whose newest event has this id."""
    try:
        latest = instant(milliseconds_of(newest), offset_minutes(now)) if newest else now
    except (ValueError, OverflowError):
        return None  # An id that tells no time; the look at the log says what is wrong with it.
    if latest - now <= SLACK:
        return None
    return (
        f"The clock says {now:%Y-%m-%d %H:%M}, but the newest entry of your history is of "
        f"{latest:%Y-%m-%d %H:%M}. If it is wrong, set it right, and take back what you "
        "rate meanwhile with `quizzer undo`."
    )


def warning_of(rows: Iterable[Row], now: datetime) -> str | None:
    """What to say of events from elsewhere that are added."""
    return warning_of_times(ahead(rows, now), now)


def ahead(rows: Iterable[Row], now: datetime) -> list[int]:
    """The times, in milliseconds, of those that are dated in the future."""
    until = milliseconds(now + _A_DAY)
    return [row.at_ms for row in rows if row.at_ms > until]


def warning_of_times(ahead: Collection[int], now: datetime) -> str | None:
    """What to say of events that are dated so, all in the future."""
    if not ahead:
        return None
    latest = instant(max(ahead), offset_minutes(now))
    many = "1 event is" if len(ahead) == 1 else f"{len(ahead)} events are"
    return (
        f"{many} dated in the future, up to {latest:%Y-%m-%d %H:%M}: the clock of another machine "
        "was wrong, or the clock of this one is. Such events count as they are dated; if a card "
        "is now due too late, `quizzer reset CARD` begins it anew."
    )
