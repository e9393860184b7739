"""What was foretold of each review on a later day, and what came of it."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from quizzer.fsrs.step import Parameters
from quizzer.store import ReviewColumns
from quizzer.store.pages import STATES
from quizzer.values import Rating, State

if TYPE_CHECKING:
    from quizzer.fsrs.histories import Floats, Ints


class Outcome(NamedTuple):
    """A review of a learned card."""

    course: str
    """In lower case; empty if the card is in no deck any more."""
    day: int
    recall: float
    """The chance of recall that was foretold."""
    elapsed: int
    """Days since the review before."""
    reviews: int
    """Of the card before, those of one day each counted."""
    place: int
    """Reviews of any card before on that day."""
    recalled: bool


class Foretold(NamedTuple):
    """Of which reviews something was foretold, and the chance of recall; a column each."""

    place: "Ints"
    """In the log."""
    recall: "Floats"


def foretold(reviews: ReviewColumns, parameters: Parameters) -> Foretold | None:
    """What the memory parameters foretell of the reviews of learned cards, None without any.

    Short forms are left out, and a first blank page after some, of which nothing was foretold.
    """
    if STATES.index(State.REVIEW) not in reviews.state:
        return None
    import numpy as np

    from quizzer.fsrs.histories import Reviews
    from quizzer.fsrs.replay import recalls

    history, day = (np.frombuffer(one, np.int64) for one in (reviews.history, reviews.day))
    rating, state, short = (
        np.frombuffer(one, np.int8) for one in (reviews.rating, reviews.state, reviews.short)
    )
    pages = np.flatnonzero(short == 0)
    taken = pages if len(pages) < len(reviews) else slice(None)  # a view takes no memory
    log = Reviews(history[taken], rating[taken].astype(np.int64), day[taken])
    learned = state[taken] == STATES.index(State.REVIEW)
    if len(pages) < len(reviews):
        first = np.unique(log.history, return_index=True)[1]
        learned[first[np.isin(log.history[first], history[short != 0])]] = False
    return Foretold(pages[learned], recalls(log, parameters)[learned])


def outcomes_of(
    reviews: ReviewColumns, parameters: Parameters, courses: Mapping[str, str]
) -> list[Outcome]:
    """The outcomes in the log, oldest first, by the memory parameters given.

    `reviews` are all that stand, `courses` those of the cards.
    """
    told = foretold(reviews, parameters)
    if told is None:
        return []
    recalls = dict(zip(told.place.tolist(), told.recall.tolist(), strict=True))
    found, newest = list[Outcome](), dict[int, int]()
    counts, nth, today = Counter[int](), 0, reviews.day[0]
    for place, (history, card, day, rating, _, _, short) in enumerate(reviews):
        if short:
            continue
        nth, today = nth * (today == day), day
        before = newest.get(history, day)
        newest[history] = max(before, day)
        if place in recalls:
            course = courses.get(card, "").casefold()
            elapsed, recalled = max(0, day - before), rating != Rating.AGAIN
            recall = recalls[place]
            found.append(Outcome(course, day, recall, elapsed, counts[history], nth, recalled))
        counts[history] += 1
        nth += 1
    return found
