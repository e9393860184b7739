"""What a learner may set: daily limits, desired retention, the hour at which a day begins."""

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from quizzer.fsrs.scheduler import Policy
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.plan.exam_gain import is_ahead, longest_interval
from quizzer.values import ROLLOVER_HOUR, STEP_MINUTES, Form, State

SAY_LINE, SAY_ALL = SAY = ("line", "all")
"""Which line of a derivation is wrong, or what is wrong with it too."""
MINUTES = 20
"""What a day's cards may take where the configuration file says nothing else."""
FORMS = tuple(Form)
"""In which forms cards come where a learner says nothing else: in all of them."""


class Course(Struct, frozen=True):
    """What one course sets for itself; None leaves it to the general setting."""

    new_per_day: int | None = None
    reviews_per_day: int | None = None
    desired_retention: float | None = None
    learning_steps: int | None = None
    relearning_steps: int | None = None
    exam_day: int | None = None
    """The study day of its exam."""


class Settings(Struct, frozen=True):
    """A course that sets a daily limit has that budget for itself; all others share one."""

    new_per_day: int = 5
    reviews_per_day: int = 40
    minutes_per_day: float | None = None
    """What a day's cards may take, as far as that can be foretold; None sets no such limit."""
    desired_retention: float = 0.9
    maximum_interval: int = 36500
    learning_steps: int = STEP_MINUTES
    """Minutes until a new card that was not known comes again; 0 for tomorrow."""
    relearning_steps: int = STEP_MINUTES
    """Minutes until a card that was forgotten comes again; 0 for tomorrow."""
    rollover_hour: int = ROLLOVER_HOUR
    idle_minutes: int = 20
    """The most that a stretch without any action counts toward the time on a card.

    Cards take 1 to 14 minutes, a derivation about 8: much longer, and nobody was working on it.
    """
    bury_related: bool = True
    """Whether a card waits until tomorrow when one that is linked as related comes today.

    In the last days before an exam of its course it does not wait.
    """
    load_balance: bool = True
    """Whether fuzz takes days with fewer cards due."""
    easy_days: tuple[float, ...] | None = None
    """From Monday on, how much of a usual day's work each weekday shall get, from 0 to 1."""
    say: str = SAY_LINE
    """What is said at once of the first wrong line of a derivation."""
    courses: Mapping[str, Course] = field(default_factory=dict)
    parameters: tuple[float, ...] = DEFAULT_PARAMETERS
    """Of FSRS: the published ones, or this learner's own."""
    forms: tuple[Form, ...] = field(default_factory=lambda: FORMS)
    """In which forms cards may come; the blank page always."""
    new_by_exam: bool = True
    """Whether an exam ahead says how many cards of its course are new today."""

    def course(self, name: str) -> Course:
        return self.courses.get(name.casefold(), Course())

    def review_limit(self, course: str) -> tuple[str | None, int]:
        """Which daily limit of reviews a course draws on, and how many cards that is.

        It is its own, by its name in lower case, or None, the one that all others share.
        """
        own = self.course(course).reviews_per_day
        return (None, self.reviews_per_day) if own is None else (course.casefold(), own)

    def step_minutes(self, course: str, state: State) -> int:
        """Until a card of this course in this state, before a rating or after it, comes again."""
        own = self.course(course)
        if state in (State.NEW, State.LEARNING):
            return self.learning_steps if own.learning_steps is None else own.learning_steps
        return self.relearning_steps if own.relearning_steps is None else own.relearning_steps

    def exam_ahead(self, course: str, day: int) -> int | None:
        """The day of the course's exam, as long as it lies after `day`, within two years."""
        exam_day = self.course(course).exam_day
        return exam_day if exam_day is not None and is_ahead(day, exam_day) else None

    def policy(self, course: str, day: int) -> Policy:
        """How cards of this course are scheduled on this day: none past an exam ahead."""
        retention = self.course(course).desired_retention or self.desired_retention
        longest, exam_day = self.maximum_interval, self.exam_ahead(course, day)
        if exam_day is not None:
            longest = min(longest, longest_interval(day, exam_day))
        return Policy(
            retention=retention,
            maximum_interval=longest,
            parameters=self.parameters,
            learning_step=self.step_minutes(course, State.NEW) > 0,
            relearning_step=self.step_minutes(course, State.REVIEW) > 0,
        )

    def with_new(self, new_per_day: int | None) -> "Settings":
        """The settings with another limit of new cards, for all courses, where one is given."""
        if new_per_day is None:
            return self
        courses = {name: replace(own, new_per_day=None) for name, own in self.courses.items()}
        return replace(self, new_per_day=new_per_day, courses=courses, new_by_exam=False)
