"""Rating a card: what it will lead to, and committing it."""

from datetime import datetime
from typing import TYPE_CHECKING

from quizzer.deck import Entry
from quizzer.fsrs.balance import EVEN, Load
from quizzer.fsrs.scheduler import Policy, preview, schedule
from quizzer.plan.forms import form_history, policy_for
from quizzer.plan.settings import Settings
from quizzer.store import Store
from quizzer.values import Event, Form, Memory, Progress, Rating, Review, study_day

if TYPE_CHECKING:
    from quizzer.session.turn import Turn


def previews(
    store: Store,
    entry: Entry,
    settings: Settings,
    now: datetime,
    corrected: bool = False,
    form: Form = Form.BLANK,
) -> dict[Rating, Memory]:
    """What each rating would lead to; `corrected` as in `commit`."""
    memory = store.progress_of(entry.id).memory
    day = study_day(now, settings.rollover_hour)
    policy = _policy(store, entry, settings, day, form, memory)
    load = load_of(store, settings, entry.id)
    return preview(entry.id, memory, now, day, policy, load, corrected)


def _policy(
    store: Store, entry: Entry, settings: Settings, day: int, form: Form, memory: Memory | None
) -> Policy:
    """How the card is scheduled after a review in this form."""
    policy = settings.policy(entry.header.course, day)
    if form is Form.BLANK:
        return policy
    return policy_for(policy, form, form_history(store.entered(entry.id), memory))


def is_bare(turn: "Turn") -> bool:
    """Whether all was right on a blank page, and nothing was typed but results."""
    from quizzer.session.moves import Tried

    if turn.form is not Form.BLANK or turn.asks is None or not turn.all_right:
        return False
    tried = [move for move in turn.transcript if isinstance(move, Tried) and move.marked]
    return all(move.marked and len(move.marked.lines) <= len(move.answers) for move in tried)


def load_of(store: Store, settings: Settings, card: str) -> Load | None:
    """How full the coming days are apart from this card; None where that does not matter."""
    shares = settings.easy_days or EVEN
    if settings.load_balance:
        return Load(lambda first, last: store.due_by_day(first, last, card), shares)
    return Load(lambda first, last: {}, shares) if settings.easy_days else None


class RatedElsewhereError(Exception):
    """The card was reviewed or reset by another process since it was asked."""

    def __init__(self, now: Memory | None) -> None:
        super().__init__("the card was rated elsewhere")
        self.now = now
        """What is known of the card by now."""


ANYTHING = object()
"""Whatever the log says of the card, the review is recorded."""


def commit(
    store: Store,
    entry: Entry,
    rating: Rating,
    settings: Settings,
    now: datetime,
    seconds: float | None = None,
    suggested: Rating | None = None,
    asked: Memory | object | None = ANYTHING,
    corrected: bool = False,
    form: Form = Form.BLANK,
    slip: str | None = None,
    bare: bool = False,
) -> Event:
    """Record the review, scheduled from what the log says at the moment of writing.

    `corrected` tells that the learner put right whatever was wrong before the rating; `bare` as
    `is_bare`.
    It is on the disk when this returns. `asked` is the memory that the card was asked with: where
    the log tells of a review since, RatedElsewhereError is raised and nothing is recorded.
    """
    day = study_day(now, settings.rollover_hour)
    known = store.progress_of(entry.id).memory
    policy = _policy(store, entry, settings, day, form, known)
    load = load_of(store, settings, entry.id)

    def review(before: Progress) -> Review:
        if asked is not ANYTHING and _review_of(before.memory) != _review_of(asked):
            raise RatedElsewhereError(before.memory)
        memory = schedule(entry.id, before.memory, rating, now, day, policy, load, corrected)
        return Review(
            card=entry.id,
            rating=rating,
            interval=memory.interval,
            state=before.stage,
            seconds=seconds,
            suggested=suggested,
            path=str(entry.path.resolve()),
            form=form,
            slip=slip,
            bare=True if bare and rating is not Rating.AGAIN else None,
        )

    return store.record_after(entry.id, review, at=now, day=day)


def _review_of(memory: object) -> tuple[object, ...]:
    """Which review a memory is of; a fit changes its stability and difficulty alone."""
    if not isinstance(memory, Memory):
        return ()
    return memory.at, memory.day, memory.interval, memory.reviews
