"""What time it is for the program."""

import time
from collections.abc import Mapping
from datetime import datetime

from quizzer.app.failure import Usage
from quizzer.values import Clock


def clock_from(environ: Mapping[str, str]) -> Clock:
    """The local time, or time running on from `QUIZZER_NOW`, whose offset is then the learner's."""
    given = environ.get("QUIZZER_NOW")
    if not given:
        try:
            _local()
        except (ValueError, OverflowError):
            raise Usage(
                f"the time zone TZ=`{environ.get('TZ', '')}` is a day or more away from UTC: "
                "set one that exists, for example TZ=Europe/Berlin"
            ) from None
        return _local
    try:
        start = datetime.fromisoformat(given)
    except ValueError:
        start = None
    if start is None or start.tzinfo is None or not 1970 <= start.year <= 9000:
        raise Usage(
            f"QUIZZER_NOW is `{given}`: write an instant with its offset, "
            "for example 2026-11-20T09:00:00+01:00"
        )
    began = time.monotonic()
    zone = start.tzinfo
    return lambda: datetime.fromtimestamp(start.timestamp() + time.monotonic() - began, zone)


def _local() -> datetime:
    return datetime.now().astimezone()
