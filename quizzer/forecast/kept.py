"""The forecast of the exams, kept in the cache folder from one command to the next.

To foretell takes a moment, so it is done at the end of a session, by `exam` and by the day's first
`review`. All others show what is kept, with its time once something has changed since, or else how
things stand without a forecast.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from quizzer import files
from quizzer.deck import Deck
from quizzer.forecast.correction import Correction, Corrections, Past
from quizzer.forecast.outlook import Limit, Need, Outlook, Topic, as_things_stand
from quizzer.forecast.study_days import StudyDays
from quizzer.plan.exams import exams_ahead
from quizzer.plan.settings import Settings
from quizzer.store import Store
from quizzer.values import study_day


class Stamp(Struct, frozen=True):
    """All that a forecast follows from; one under another stamp is out of date."""

    event: str | None
    """The newest one."""
    settings: str
    deck: str
    day: int


class Kept(Struct, frozen=True):
    """A forecast as it was made, of every course of the deck with an exam ahead."""

    stamp: Stamp
    made: datetime
    outlooks: tuple[Outlook, ...]


class KeptForecast:
    """The forecast of one deck and one history, in a file of `folder`; nothing is kept without."""

    def __init__(
        self, folder: Path | None, deck: Deck, store: Store, settings: Settings, now: datetime
    ) -> None:
        self._deck, self._store, self._settings, self._now = deck, store, settings, now
        self._day = study_day(now, settings.rollover_hour)
        self._exams = exams_ahead(settings, self._day)
        whose = _digest(str(store.path), *map(str, deck.roots))
        self._file = folder and folder / f"{whose}.json"

    def shown(self) -> tuple[Outlook, ...]:
        """The outlook of every course with an exam ahead, the next exam first, from what is kept.

        Raises StoreError.
        """
        if not self._exams:
            return ()
        kept = self._read()
        found = self._standing(kept) if kept else {}
        if self._exams.keys() - found.keys():
            past = {each.course.casefold(): each.past for each in kept.outlooks} if kept else {}
            stands = as_things_stand(
                self._deck,
                self._store.progress(),
                self._settings,
                self._day,
                Corrections(by_course=past),
            )
            found = {outlook.course.casefold(): outlook for outlook in stands} | found
        return tuple(sorted(found.values(), key=lambda outlook: outlook.exam_day))

    def of_today(self) -> tuple[Outlook, ...]:
        """The same, foretold anew where nothing was foretold of these exams today."""
        kept = self._read()
        if kept:
            stamp = self._stamp()
            if (kept.stamp.day, kept.stamp.settings) == (stamp.day, stamp.settings):
                return self.shown()
        return self.renewed(search=False)

    def renewed(self, search: bool) -> tuple[Outlook, ...]:
        """The forecast under the present stamp, made if it is not kept.

        With `search`, also what each course needs to be ready. Raises StoreError.
        """
        if not self._exams:
            return ()
        kept, stamp = self._read(), self._stamp()
        if kept and kept.stamp == stamp and (not search or all(map(_need, kept.outlooks))):
            return self.shown()
        from quizzer.forecast.exam import outlooks
        from quizzer.plan.pace import pace_of

        pace = pace_of(self._deck, self._store)
        found = outlooks(self._deck, self._store, self._settings, self._day, pace, search)
        if self._file:
            with suppress(OSError):  # it is made again
                files.write_private(self._file, _written(Kept(stamp, self._now, found)))
        return found

    def _standing(self, kept: Kept) -> dict[str, Outlook]:
        """What is kept of exams that are ahead still and on the same day."""
        as_of = None if kept.stamp == self._stamp() else kept.made
        return {
            course: replace(outlook, day=self._day, as_of=as_of)
            for outlook in kept.outlooks
            if self._exams.get(course := outlook.course.casefold()) == outlook.exam_day
        }

    def _stamp(self) -> Stamp:
        return Stamp(
            self._store.newest, _digest(repr(self._settings)), _digest(*self._deck.by_id), self._day
        )

    def _read(self) -> Kept | None:
        if self._file is None:
            return None
        try:
            return _read(json.loads(files.read_own(self._file)))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None


def _need(outlook: Outlook) -> Need | None:
    return outlook.need


def _written(kept: Kept) -> bytes:
    told = {"stamp": to_builtins(kept.stamp), "made": kept.made.isoformat()}
    outlooks = to_builtins(kept.outlooks, enc_hook=float)  # of NumPy's numbers
    return json.dumps(told | {"outlooks": outlooks}).encode()


def _read(told: Mapping[str, Any]) -> Kept:
    return Kept(
        Stamp(**told["stamp"]),
        datetime.fromisoformat(told["made"]),
        tuple(_outlook(each) for each in told["outlooks"]),
    )


def _outlook(told: Mapping[str, Any]) -> Outlook:
    need = told["need"]
    if need:
        need = Need(need["minutes"], tuple(Limit(**limit) for limit in need["limits"]))
    topics = tuple(Topic(**topic) for topic in told["topics"])
    past = Past(**{**told["past"], "correction": Correction(**told["past"]["correction"])})
    read = {
        "whole": Topic(**told["whole"]),
        "topics": topics,
        "need": need,
        "past": past,
        "study_days": StudyDays(**told["study_days"]),
        "as_of": None,
    }
    return Outlook(**{**told, **read})


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
