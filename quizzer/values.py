"""What happens between a learner and a card: ratings, verdicts, the facts of the log, memory.

Days are study days, as proleptic ordinals (`date.toordinal`); instants are aware datetimes whose
offset is the learner's at that time.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from enum import IntEnum, StrEnum

from msgspec import Struct

Clock = Callable[[], datetime]

ROLLOVER_HOUR = 4
STEP_MINUTES = 10
"""Until a card comes again on the same day, unless the learner sets it otherwise."""


class Rating(IntEnum):
    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4

    @property
    def label(self) -> str:
        return self.name.lower()


class Verdict(StrEnum):
    """What an answer is. Only `wrong` may count against the learner."""

    CORRECT = "correct"
    WRONG = "wrong"
    INVALID = "invalid"
    BROKEN = "broken"


class Form(StrEnum):
    """How a card is asked."""

    WORKED = "worked"
    """The lines one by one, each explained."""
    SLIP = "slip"
    """One line is wrong: find and mend it."""
    MISSING = "missing"
    """One line is left out."""
    BLANK = "blank"
    """The question, and an empty page."""


class State(StrEnum):
    """Where a card stands in the schedule."""

    NEW = "new"
    LEARNING = "learning"
    REVIEW = "review"
    RELEARNING = "relearning"
    SUSPENDED = "suspended"


class Review(Struct, frozen=True):
    """One rated repetition. `interval`: days until it is due again, 0 for a step on that day."""

    card: str
    rating: Rating
    interval: int
    state: State
    """State of the card before this review."""
    seconds: float | None = None
    """Time from showing the question to the last answer or the reveal."""
    suggested: Rating | None = None
    path: str | None = None
    """Where the card's file was, so that one id met in two places can be told."""
    form: Form = Form.BLANK
    slip: str | None = None
    """The kind of the slip that was to be found."""
    bare: bool | None = None
    """True where a blank page was right by its results alone, without a line on the way."""


class Attempt(Struct, frozen=True):
    """One submitted answer to one asked name, with what was said about it."""

    card: str
    name: str
    answer: str
    verdict: Verdict
    diagnosis: str | None = None
    notation: str | None = None
    seed: int | None = None
    seconds: float | None = None
    reading: str | None = None
    """The reading that the learner picked, where the answer had several."""
    line: int | None = None
    """The first wrong line of a derivation, whatever the verdict on its result."""
    step: str | None = None
    """What that line is about, `∂L/∂x`."""
    slip: str | None = None
    """The kind of slip in it, a diagnosis code."""
    mistake: str | None = None
    """Which known mistake it is: the sentence of the card's author."""


class Dispute(Struct, frozen=True):
    """The learner says that this verdict on their answer is wrong."""

    card: str
    name: str
    answer: str
    verdict: Verdict
    seed: int | None = None


class Undo(Struct, frozen=True):
    """The event with this id no longer counts."""

    card: str
    event: str


class Suspend(Struct, frozen=True):
    card: str


class Unsuspend(Struct, frozen=True):
    card: str


class Bury(Struct, frozen=True):
    """Not shown again on the study day of the event."""

    card: str


class Flag(Struct, frozen=True):
    card: str
    on: bool


class Reset(Struct, frozen=True):
    """The card is new again; what was reviewed before stays in the log."""

    card: str


class Fit(Struct, frozen=True):
    """Memory parameters that were fitted to so many reviews: from here on they hold for all."""

    model: str
    parameters: tuple[float, ...]
    reviews: int
    card: str = ""
    """No card: it concerns all of them."""


Fact = Review | Attempt | Dispute | Undo | Suspend | Unsuspend | Bury | Flag | Reset | Fit


class Event(Struct, frozen=True):
    """One line of the log: a fact, and where and when it was recorded."""

    id: str
    device: str
    after: str | None
    """The event of this device before it, None for its first."""
    at: datetime
    day: int
    fact: Fact


class Memory(Struct, frozen=True):
    """What is known of a card after its last review: stability in days, difficulty 1 to 10."""

    state: State
    stability: float
    difficulty: float
    at: datetime
    day: int
    interval: int
    reviews: int
    lapses: int
    first_day: int

    @property
    def due_day(self) -> int:
        return self.day + self.interval

    def is_due(self, now: datetime, today: int, step: int = STEP_MINUTES) -> bool:
        """Whether the card is queued: on its day, or once the minutes of its step have passed."""
        if self.interval:
            return today >= self.due_day
        return now >= self.at + timedelta(minutes=step) or today > self.day

    def due_at(
        self, now: datetime, rollover: int = ROLLOVER_HOUR, step: int = STEP_MINUTES
    ) -> datetime:
        """The instant from which the card is queued, in the learner's present zone."""
        if self.interval == 0:
            return (self.at + timedelta(minutes=step)).astimezone(now.tzinfo)
        return start_of_day(self.due_day, now, rollover)


class Progress(Struct, frozen=True):
    """All that the log says of one card."""

    memory: Memory | None = None
    suspended: bool = False
    buried_on: int | None = None
    flagged: bool = False

    @property
    def stage(self) -> State:
        """How far the card is learned, suspended or not."""
        return self.memory.state if self.memory else State.NEW

    @property
    def state(self) -> State:
        return State.SUSPENDED if self.suspended else self.stage


UNSEEN = Progress()


def study_day(at: datetime, rollover: int = ROLLOVER_HOUR) -> int:
    """The learner's day: their local date; hours before `rollover` belong to the day before."""
    return (at - timedelta(hours=rollover)).toordinal()


def start_of_day(day: int, now: datetime, rollover: int = ROLLOVER_HOUR) -> datetime:
    """The instant at which a study day begins, in the zone of `now`."""
    midnight = datetime.combine(date.fromordinal(day), datetime.min.time(), now.tzinfo)
    return midnight + timedelta(hours=rollover)
