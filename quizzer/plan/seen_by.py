"""By which day every card of a deck was met once, if each day brings the new cards that it may."""

from collections import Counter
from collections.abc import Mapping

from quizzer.deck import Deck
from quizzer.plan.exams import exams_ahead, is_unseen
from quizzer.plan.settings import Settings
from quizzer.values import UNSEEN, Progress


def seen_by(
    deck: Deck, progress: Mapping[str, Progress], settings: Settings, day: int
) -> int | None:
    """The day on which the last new card comes, from tomorrow on; None where none is left.

    Courses with an exam ahead are left out: what is new of them follows the exam. None as well
    where a limit of 0 keeps cards back for good.
    """
    exams = exams_ahead(settings, day)
    unseen = Counter[str | None]()
    limits: dict[str | None, int] = {None: settings.new_per_day}
    for entry in deck.entries:
        course = entry.header.course.casefold()
        if course in exams or not is_unseen(entry, progress.get(entry.id, UNSEEN)):
            continue
        own = settings.course(course).new_per_day
        if own is None:
            unseen[None] += 1
        else:
            limits[course] = own
            unseen[course] += 1
    if not unseen or not all(limits[drawn_on] for drawn_on in unseen):
        return None
    return day + max(-(-left // limits[drawn_on]) for drawn_on, left in unseen.items())
