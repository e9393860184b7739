"""Cards that link each other as related: shown on one day, the first would give the next away."""

from collections.abc import Collection, Iterable

from quizzer.deck import Entry
from quizzer.deck.linked import links_of, names_of


class Apart:
    """Tells which cards wait until tomorrow, since they are related to one that comes today.

    A link counts both ways.
    """

    def __init__(self, met: Iterable[Entry], hurried: Collection[str] = ()) -> None:
        """`met` come in any case; cards of courses in `hurried`, in lower case, never wait."""
        self.waiting: dict[str, Entry] = {}
        """Those that wait, by id."""
        self._hurried = hurried
        self._names, self._linked = set[str](), set[str]()
        for entry in met:
            self._take(entry)

    def waits(self, entry: Entry) -> bool:
        """Whether the card waits; if not, it comes today, and those related to it will wait."""
        if entry.header.course.casefold() not in self._hurried and self._is_related(entry):
            self.waiting[entry.id] = entry
            return True
        self._take(entry)
        return False

    def _is_related(self, entry: Entry) -> bool:
        return not (
            self._linked.isdisjoint(names_of(entry)) and self._names.isdisjoint(links_of(entry))
        )

    def _take(self, entry: Entry) -> None:
        self._names |= names_of(entry)
        self._linked |= links_of(entry)
