"""What is configured: the values of the configuration file."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from quizzer.plan.settings import Settings

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NO_LIMIT = "none"
"""What the file has for `minutes_per_day` where a day has no such limit."""
NOT_IN_THE_FILE = frozenset({"courses", "parameters", "new_by_exam"})
"""Settings that come from elsewhere, or are written another way."""


class Config(Struct, frozen=True):
    """The default deck, editor and viewer, and the session's settings."""

    path: Path
    deck: tuple[Path, ...] = ()
    editor: str | None = None
    viewer: str | None = None
    """What opens pictures."""
    sync: str | None = None
    """What `quizzer sync` syncs with: a file, or the address of a database."""
    learner: str | None = None
    """The learner's name in a database."""
    own: "Settings | None" = None
    """What the file sets; None without a file."""

    @property
    def settings(self) -> "Settings":
        return self.own or defaults()


def defaults() -> "Settings":
    """What holds where the file says nothing else."""
    from quizzer.plan.settings import MINUTES, Settings

    return Settings(minutes_per_day=MINUTES)


def easy_days(settings: "Settings") -> dict[str, float] | None:
    """The easy weekdays with their shares, as the file may have them."""
    if settings.easy_days is None:
        return None
    named = zip(WEEKDAYS, settings.easy_days, strict=True)
    return {day: share for day, share in named if share < 1}
