"""Daily limits of cards: one that all courses share, and those that courses set for themselves."""

from collections.abc import Iterable, Mapping

from quizzer.deck import Entry
from quizzer.plan.meeting import InOrder
from quizzer.plan.related import Apart


class Quotas:
    """What is left of a daily limit; a course with a limit of its own draws on nothing else."""

    def __init__(self, shared: int, own: Mapping[str, int], taken: Iterable[str]) -> None:
        """`own` are limits by course in lower case, `taken` the courses of today's cards so far."""
        self._left: dict[str | None, int] = {None: shared}
        self._left.update(own)
        self._closed = {name for name, limit in self._left.items() if not limit}
        """Those of which no card comes on any day."""
        for course in taken:
            self._left[self._drawn_on(course)] -= 1

    def allow(
        self,
        entries: Iterable[Entry],
        apart: Apart | None = None,
        in_order: InOrder | None = None,
    ) -> tuple[Entry, ...]:
        """The entries, in their order, for which there is room, and which need not wait."""
        left = dict(self._left)
        unfilled = sum(room > 0 for room in left.values())
        allowed = []
        for entry in entries:
            if not unfilled:
                break
            quota = self._drawn_on(entry.header.course)
            if (
                left[quota] > 0
                and not (in_order and in_order.waits(entry))
                and not (apart and apart.waits(entry))
            ):
                left[quota] -= 1
                unfilled -= not left[quota]
                allowed.append(entry)
            elif in_order and quota not in self._closed:
                in_order.put_off(entry)
        return tuple(allowed)

    def _drawn_on(self, course: str) -> str | None:
        name = course.casefold()
        return name if name in self._left else None
