"""What an open store can be asked; nothing here writes to it."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from quizzer.store import fitted, json_lines, log, memory_table, merge, reviews
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.fitted import Fitted
from quizzer.store.kept import Kept
from quizzer.store.review_columns import ReviewColumns
from quizzer.store.reviews import Done, Entered
from quizzer.values import UNSEEN, Event, Fact, Form, Progress, Review


class Reading:
    """The questions to a log and to the memory that follows from it. They raise StoreError."""

    _connection: Connection
    _kept: Kept
    _cache: Path | None

    def progress(self) -> Mapping[str, Progress]:
        """The progress of every card that differs from an unseen one's."""
        return self._kept.read(
            self._connection, "all", partial(memory_table.load, self._connection)
        )

    def progress_until(self, day: int) -> tuple[Mapping[str, Progress], frozenset[str]]:
        """The progress of the cards that may come by a study day, and the ids of all others met."""
        found = partial(memory_table.load_until, self._connection, day)
        return self._kept.read(self._connection, day, found)

    def met_since(self, day: int) -> frozenset[str]:
        """The cards whose newest review was on this study day or after."""
        return memory_table.met_since(self._connection, day)

    def progress_of(self, card: str) -> Progress:
        return memory_table.load(self._connection, card).get(card, UNSEEN)

    def due_by_day(self, first: int, last: int, but: str) -> dict[int, int]:
        """How many cards fall due on each study day from the first to the last.

        Suspended ones, those in a step and the card `but` are not counted.
        """
        return memory_table.due_by_day(self._connection, first, last, but)

    def events(
        self,
        card: str | None = None,
        since_day: int | None = None,
        kinds: Collection[type[Fact]] | None = None,
    ) -> list[Event]:
        """The log, oldest first, undone events and undos among it; kinds not known are left out."""
        return log.events(self._connection, card, since_day, kinds)

    def each_event(self, kinds: Collection[type[Fact]]) -> Iterator[Event]:
        """The same of these kinds, read as it is gone through: a long log needs little memory."""
        return log.each(self._connection, kinds)

    def brief_reviews(self) -> ReviewColumns:
        """All reviews that were not undone, oldest first: quick in a long log."""
        return reviews.brief(self._connection, self._cache)

    def entered(self, card: str) -> list[Entered]:
        """The reviews of a card since it was new, oldest first; none if it never came in a short
        form or was right by bare results."""
        return reviews.entered(self._connection, card)

    def short_times(self) -> list[tuple[Form, float]]:
        """Form and seconds of those in a short form, of one thousand newest reviews not undone."""
        return reviews.short_times(self._connection, most=1000)

    def wrong_attempts(self) -> list[Event]:
        """The attempts that were wrong, oldest first, undone ones among them."""
        return log.wrong_attempts(self._connection)

    def undone_ids(self) -> frozenset[str]:
        """The ids of the events that were taken back and no longer count."""
        return log.undone(self._connection)

    def done(self, day: int) -> Done:
        """The cards reviewed on a study day, each once: new that day, or else known before."""
        return reviews.done(self._connection, day)

    def review_days(self) -> frozenset[int]:
        """The study days with reviews that were not undone."""
        return reviews.days(self._connection)

    def answer_times(self, card: str | None = None) -> list[tuple[str, float]]:
        """Card and seconds of the newest reviews not undone that were timed and rated Good or Easy.

        Of one card or of all, newest first, and of one thousand at most.
        """
        return reviews.answer_times(self._connection, most=1000, card=card)

    def times(self) -> list[tuple[str, float]]:
        """Card and seconds of one thousand newest reviews not undone, without learning steps."""
        return reviews.times(self._connection, most=1000)

    def newest_reviews(self) -> list[Review]:
        """The newest reviews that were not undone, newest first: at most three thousand."""
        return reviews.newest_reviews(self._connection, most=3000)

    def last_paths(self, cards: Collection[str]) -> dict[str, str]:
        """Where the file of each of these cards was at its newest review, if that is known."""
        found = log.last_reviews(self._connection, cards)
        return {review.card: review.path for _, review in found if review.path is not None}

    def lines(self) -> Iterator[str]:
        """The whole log as JSON, an event a line, unknown kinds among it; read as it is used."""
        return (json_lines.line(Row._make(row)) for row in log.raw(self._connection))

    @property
    def size(self) -> int:
        return log.size(self._connection)

    @property
    def newest(self) -> str | None:
        """The id of the newest event; None while there is none."""
        return log.newest_id(self._connection)

    def fitted(self) -> Fitted | None:
        """The newest fit that was not undone."""
        return fitted.newest(self._connection)

    @property
    def log(self) -> merge.Log:
        """The events, to be compared with those of another log."""
        return merge.Log(self._connection.read)
