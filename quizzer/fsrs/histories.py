"""Many cards' reviews as arrays: in the order of the log, and packed by repetition.

Nothing here knows a memory model; what it asks of the past is ratings and days between reviews.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

BLOCK = 4096
"""Histories worked on at a time: their arrays fit a core's cache."""


@dataclass(frozen=True)
class Reviews:
    """Columns of the log, oldest first. A card has a new history after each reset."""

    history: Ints
    """(n,) the number of the history, counted from 0."""
    rating: Ints
    """(n,) 1 to 4."""
    day: Ints
    """(n,) study days."""

    def __len__(self) -> int:
        return len(self.rating)

    def until(self, end: int) -> "Reviews":
        """The oldest `end` reviews."""
        return Reviews(self.history[:end], self.rating[:end], self.day[:end])

    def where(self, chosen: Bools) -> "Reviews":
        return Reviews(self.history[chosen], self.rating[chosen], self.day[chosen])


@dataclass(frozen=True)
class Histories:
    """Reviews packed by repetition: all first ones, then all second ones, and so on.

    Histories stand by their length, the longest first: those that have a k-th review are always
    the leading ones, and no place is filled with nothing.
    """

    rating: Ints
    """(n,) 1 to 4."""
    elapsed: Floats
    """(n,) study days since the review before, 0 for the first."""
    starts: Ints
    """(repetitions + 1,) where each repetition begins, and the end."""
    place: Ints
    """(n,) the place in the log of each review."""
    number: Ints
    """(histories,) the number of each history in the log."""

    def __len__(self) -> int:
        return len(self.rating)

    @property
    def count(self) -> int:
        return len(self.number)

    @cached_property
    def repetitions(self) -> list[slice]:
        """Where the reviews of each repetition stand."""
        return [slice(low, high) for low, high in pairwise(self.starts.tolist())]

    @cached_property
    def same_day(self) -> Ints:
        """The places of reviews on the day of the one before."""
        return np.flatnonzero((self.elapsed <= 0) & (np.arange(len(self)) >= self.count))

    @cached_property
    def forgotten(self) -> Ints:
        """The places of reviews rated Again on a later day."""
        return np.flatnonzero((self.elapsed > 0) & (self.rating == 1))

    @cached_property
    def same_day_by_repetition(self) -> list[Ints]:
        """The same, for each repetition as places within it."""
        return self._by_repetition(self.same_day)

    @cached_property
    def forgotten_by_repetition(self) -> list[Ints]:
        return self._by_repetition(self.forgotten)

    @cached_property
    def last(self) -> Ints:
        """(histories,) where the last review of each history stands."""
        reached = np.diff(self.starts, append=self.starts[-1])
        gone = reached[:-1] - reached[1:]
        repetition = np.repeat(np.arange(len(gone)), gone)[::-1]
        return self.starts[repetition] + np.arange(self.count)

    def in_log_order(self, packed: Floats) -> Floats:
        """The same value of each review, (n,) as the log has them."""
        ordered = np.empty_like(packed)
        ordered[self.place] = packed
        return ordered

    def blocks(self, histories: int) -> Iterator["Histories"]:
        """The same in parts of so many histories each, small enough to be worked on in a cache."""
        if self.count <= histories:
            yield self
            return
        for low in range(0, self.count, histories):
            rows = [
                np.arange(part.start + low, min(part.stop, part.start + low + histories))
                for part in self.repetitions
                if part.stop - part.start > low
            ]
            taken = np.concatenate(rows)
            yield Histories(
                self.rating[taken],
                self.elapsed[taken],
                np.concatenate([[0], np.cumsum([len(row) for row in rows])]),
                self.place[taken],
                self.number[low : low + histories],
            )

    def _by_repetition(self, places: Ints) -> list[Ints]:
        cuts = np.searchsorted(places, self.starts).tolist()
        return [
            places[low:high] - here.start
            for (low, high), here in zip(pairwise(cuts), self.repetitions, strict=True)
        ]


def pack(reviews: Reviews) -> Histories:
    """Pack the reviews of all histories; a day before the newest one so far counts as that one."""
    n = len(reviews)
    if not n:
        empty = np.zeros(0, np.int64)
        return Histories(empty, np.zeros(0), np.zeros(1, np.int64), empty, empty)
    by_history = _in_order(reviews.history)
    history = reviews.history[by_history]
    opens = np.flatnonzero(np.diff(history, prepend=history[0] - 1))
    lengths = np.diff(opens, append=n)
    nth = np.repeat(np.arange(len(opens)), lengths)
    repetition = np.arange(n) - opens[nth]

    by_length = np.argsort(-lengths, kind="stable")
    rank = np.empty_like(by_length)
    rank[by_length] = np.arange(len(by_length))
    reached = np.cumsum(np.bincount(lengths)[::-1])[::-1][1:]
    starts = np.concatenate([[0], np.cumsum(reached)])
    place = starts[repetition] + rank[nth]

    packed = np.empty(n, np.int64)
    packed[place] = by_history
    elapsed = np.empty(n)
    elapsed[place] = _elapsed(reviews.day[by_history], nth, opens)
    return Histories(reviews.rating[packed], elapsed, starts, packed, history[opens][by_length])


def packed_in_parts(reviews: Reviews, histories: int = 1000) -> Iterator[Histories]:
    """The same for so many histories at a time: what packs a long log then takes little memory."""
    for low in range(0, int(reviews.history.max(initial=-1)) + 1, histories):
        chosen = (reviews.history >= low) & (reviews.history < low + histories)
        packed = pack(reviews.where(chosen))
        yield replace(packed, place=np.flatnonzero(chosen)[packed.place])


def told_one_by_one(reviews: Iterable[tuple[int, int, int]]) -> Reviews:
    """Reviews told one by one, oldest first: the number of the history, rating and study day."""
    rows = np.array(list(reviews), np.int64).reshape(-1, 3)
    return Reviews(*rows.T.copy())


def _in_order(keys: Ints) -> Ints:
    """The stable order of keys; sorting key and place as one number is the fast way in NumPy."""
    places = np.sort((keys << 32) | np.arange(len(keys)))
    return places & 0xFFFF_FFFF


def _elapsed(day: Ints, nth: Ints, opens: Ints) -> Ints:
    """Days since the newest day so far in the same history; reviews stand history by history."""
    span = int(day.max() - day.min()) + 1
    newest = np.maximum.accumulate(day - day.min() + nth * span)
    elapsed = np.diff(newest, prepend=newest[0])
    elapsed[opens] = 0
    return elapsed
