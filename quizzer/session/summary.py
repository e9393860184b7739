"""What a session came to: ratings, what was remembered, what is left."""

from collections.abc import Sequence

from msgspec import Struct

from quizzer.deck import Deck
from quizzer.plan.agenda import Agenda
from quizzer.plan.seen_by import seen_by
from quizzer.plan.settings import Settings
from quizzer.session.asked import Rated
from quizzer.session.better import Better, got_better
from quizzer.stats.streak import Streak, streak
from quizzer.store import Store
from quizzer.values import UNSEEN, Rating, State

NO_STREAK = Streak()


class Summary(Struct, frozen=True):
    """What a session came to. `retention`: the share of reviews remembered, None without any."""

    asked: int
    """Cards that were shown."""
    rated: int
    cards: int
    seconds: float
    retention: float | None
    tomorrow: int
    """Cards that are due tomorrow, whatever its limits."""
    waiting: int
    """Cards that still wait in their step."""
    left: int
    """Cards that today's limits in cards allow and that were not taken, skipped ones among them."""
    left_minutes: float
    """What those are expected to take."""
    beyond: int
    """Cards that are due, but beyond today's limits in cards."""
    seen_by: int | None = None
    """The day by which every card was met; after the very first session only."""
    tomorrow_new: int = 0
    """New cards that tomorrow's limits allow."""
    tomorrow_minutes: float = 0
    """What tomorrow's cards are expected to take, within its limits."""
    better: tuple[Better, ...] = ()
    """What was never done before."""
    streak: Streak = NO_STREAK


def summary_of(
    rated: Sequence[Rated],
    asked: int,
    seconds: float,
    deck: Deck,
    store: Store,
    today: int,
    agenda: Agenda,
    settings: Settings,
) -> Summary:
    """The summary of these ratings, on this study day."""
    progress = store.progress()
    due = [
        known.memory
        for entry in deck.entries
        if (known := progress.get(entry.id, UNSEEN)).memory and not known.suspended
    ]
    reviews = [each for each in rated if each.state is State.REVIEW]
    remembered = sum(each.rating is not Rating.AGAIN for each in reviews)
    left, left_minutes = agenda.left()
    coming = agenda.tomorrow()
    # Whatever stands in the history was rated in this session.
    in_history = sum(known.memory.reviews for known in progress.values() if known.memory)
    is_first = bool(rated) and in_history == len(rated)
    return Summary(
        asked=asked,
        rated=len(rated),
        cards=len({each.asked.turn.entry.id for each in rated}),
        seconds=seconds,
        retention=remembered / len(reviews) if reviews else None,
        tomorrow=sum(memory.due_day <= today + 1 for memory in due),
        waiting=sum(memory.interval == 0 for memory in due),
        left=left,
        left_minutes=left_minutes,
        beyond=agenda.beyond(),
        seen_by=seen_by(deck, progress, settings, today) if is_first else None,
        tomorrow_new=coming.new,
        tomorrow_minutes=coming.minutes,
        better=tuple(got_better(rated, store)),
        streak=streak(store.review_days(), today),
    )
