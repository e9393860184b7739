"""The card being asked, with what a session must remember of it. Values only."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from quizzer.session.turn import Turn
from quizzer.values import Attempt, Memory, Rating, State


class Asked(Struct, frozen=True):
    """A turn and the time it took, which is counted in stretches from one action to the next.

    A stretch counts at most `idle`, however long it was: nobody was thinking for all of it.
    """

    turn: Turn
    number: int
    """Counts the states of a session: every action makes a new one."""
    since: datetime
    """When the stretch began that is not counted yet."""
    idle: timedelta
    counted: float = 0.0
    """Seconds of the stretches before."""
    seed: int | None = None
    """Of the instances that the next answer is judged on."""
    attempt: Attempt | None = None
    """The last attempt, until it is disputed."""
    repaired: bool = False
    """Whether one change that would mend that attempt was looked for."""
    known: Memory | None = None
    """The card's memory when it was asked."""

    def seconds(self, now: datetime) -> float:
        """The time on the card until now; reading the solution is not counted."""
        if self.turn.revealed or self.turn.all_right:
            return self.counted
        stretch = min(max(timedelta(0), now - self.since), self.idle)
        return self.counted + stretch.total_seconds()

    def worked(self, until: datetime) -> "Asked":
        """The same with the present stretch counted and a new one begun."""
        return replace(self, counted=self.seconds(until), since=until)


class Rated(Struct, frozen=True):
    """One rating given in this session, with what it ended."""

    asked: Asked
    rating: Rating
    state: State
    """State of the card before the rating."""
    seconds: float
    event: str
    interval: int
    step_minutes: int
    """Until it comes again where the interval is 0."""
    leech: int | None = None
    """Its lapses, where this rating made the card a leech or is the time to say so again."""


def missed(ratings: Sequence[Rated], card: str) -> frozenset[str]:
    """What went wrong when the card was asked last; nothing where it was not asked."""
    turns = (rated.asked.turn for rated in reversed(ratings))
    last = next((turn for turn in turns if turn.entry.id == card), None)
    return last.missed if last else frozenset()
