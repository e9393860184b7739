"""What an exam ahead changes about a day: how many cards are new, and which reviews come first."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from quizzer.deck import Deck, Entry
from quizzer.fsrs.step import MemoryState
from quizzer.plan import exam_gain as exam
from quizzer.plan.meeting import MASTERED
from quizzer.plan.pace import MINUTES_A_POINT, Pace, marks
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Memory, Progress

WORTHWHILE = 0.005
"""A card comes before its day if that adds at least so much to the chance of recalling it."""
LATELY = 7
"""Days before today that tell how long the learner reviews a day."""
SHORTEST = 0.25
"""Minutes that a card takes at the least, from question to rating."""


def exams_ahead(settings: Settings, day: int) -> dict[str, int]:
    """The days of the exams that lie after `day`, by course in lower case."""
    known = ((course, settings.exam_ahead(course, day)) for course in settings.courses)
    return {course: exam_day for course, exam_day in known if exam_day is not None}


def exams_near(settings: Settings, day: int) -> dict[str, int]:
    """Those of them whose last days have begun."""
    ahead = exams_ahead(settings, day)
    return {name: exam_day for name, exam_day in ahead.items() if exam_day - day <= exam.LAST_DAYS}


def is_near(course: str, settings: Settings, day: int) -> bool:
    """Whether the last days before an exam of this course have begun."""
    return course.casefold() in exams_near(settings, day)


def is_unseen(entry: Entry, known: Progress) -> bool:
    """Whether the card is still to be met for the first time."""
    return known.memory is None and not known.suspended and entry.header.status != MASTERED


def cards_of(deck: Deck, courses: Collection[str]) -> dict[str, list[Entry]]:
    """All cards of these courses, which are in lower case."""
    found = {course: list[Entry]() for course in courses}
    for entry in deck.entries if courses else ():
        if (course := entry.header.course.casefold()) in found:
            found[course].append(entry)
    return found


def unseen_this_morning(
    deck: Deck,
    progress: Mapping[str, Progress],
    done: Done,
    settings: Settings,
    day: int,
    later: Set[str] = frozenset(),
) -> Mapping[str, int]:
    """How many cards each course with an exam ahead had still to be met before any came today.

    `later` are cards met or suspended of which `progress` does not tell.
    """
    exams, unseen = exams_ahead(settings, day), Counter[str]()
    for entry in deck.without(later - done.new) if exams else ():
        if entry.id in done.new or is_unseen(entry, progress.get(entry.id, UNSEEN)):
            unseen[entry.header.course.casefold()] += 1
    return unseen


def new_limits(unseen: Mapping[str, int], settings: Settings, day: int) -> dict[str, int]:
    """Today's new cards of each course with an exam ahead that has no limit set by hand.

    `unseen` counts the cards still to be met this morning.
    """
    return {
        course: exam.new_per_day(unseen.get(course, 0), day, exam_day)
        for course, exam_day in exams_ahead(settings, day).items()
        if settings.new_by_exam and settings.course(course).new_per_day is None
    }


def toward_exams(
    due: Sequence[Entry],
    early: Sequence[Entry],
    near: Mapping[str, Sequence[Entry]],
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    pace: Pace,
) -> tuple[Entry, ...]:
    """The due cards, and of those not due yet the ones worth it, as exams near want them.

    At each place where a card of such a course is due appears the one of that course that gains
    most marks a minute on the exam day; cards of other courses keep theirs. The rest comes at the
    end. `near` has all cards of the courses whose exam is near.
    """
    if not near:
        return tuple(due)
    ordered = {
        course: iter(_by_gain(course, due, early, entries, progress, settings, day, pace))
        for course, entries in near.items()
    }
    nothing: Iterator[Entry] = iter(())
    placed = [next(ordered.get(entry.header.course.casefold(), nothing), entry) for entry in due]
    return (*placed, *(entry for rest in ordered.values() for entry in rest))


def _by_gain(
    course: str,
    due: Sequence[Entry],
    early: Sequence[Entry],
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    pace: Pace,
) -> list[Entry]:
    """The course's due cards and those worth taking early, the greatest gain first.

    A gain is one of recall, times how many more marks a minute the card brings than is usual.
    """
    own, own_early = (
        [entry for entry in some if entry.header.course.casefold() == course]
        for some in (due, early)
    )
    if not own and not own_early:
        return []
    exam_day = settings.exam_ahead(course, day)
    assert exam_day is not None
    cost = _price(course, entries, progress, settings, day, exam_day, pace)

    def gain(entry: Entry) -> float:
        memory = progress[entry.id].memory
        assert memory is not None
        state = MemoryState(memory.stability, memory.difficulty)
        found = exam.prospect(state, memory.day, day, exam_day, settings.parameters)
        worth = _worth(entry, pace)
        return worth * found.gain(cost / worth)

    least = max(cost, WORTHWHILE)
    gains = [(gain(entry), entry) for entry in own]
    gains += [found for found in ((gain(entry), entry) for entry in own_early) if found[0] > least]
    gains.sort(key=lambda found: -found[0])
    return [entry for _, entry in gains]


def _price(
    course: str,
    entries: Sequence[Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
    exam_day: int,
    pace: Pace,
) -> float:
    """What a review on the eve of the exam costs, at the learner's minutes a day of late.

    Those are counted by the days of the cards' last reviews.
    """
    reviews, lately = list[exam.OnEve](), defaultdict[int, float](float)
    first = exam.first_standing(day, exam_day, settings.parameters)
    for entry in entries:
        known = progress.get(entry.id, UNSEEN)
        if known.memory and not known.suspended:
            standing = _standing(known.memory, settings, day, exam_day)
            if 1 <= day - known.memory.day <= LATELY:
                lately[known.memory.day] += pace.minutes(entry)
        elif is_unseen(entry, known):
            standing = first
        else:
            continue
        reviews.append(exam.OnEve(standing, _worth(entry, pace), pace.minutes(entry)))
    if lately:
        minutes = sum(lately.values()) / len(lately)
    else:
        minutes = (
            settings.review_limit(course)[1] * sum(each.minutes for each in reviews) / len(reviews)
        )
    return exam.price(reviews, minutes, day, exam_day)


def _worth(entry: Entry, pace: Pace) -> float:
    """Marks a minute, beside those of a card that takes `MINUTES_A_POINT`."""
    return marks(entry) * MINUTES_A_POINT / max(pace.minutes(entry), SHORTEST)


def _standing(memory: Memory, settings: Settings, day: int, exam_day: int) -> exam.Standing:
    state = MemoryState(memory.stability, memory.difficulty)
    return exam.standing(state, memory.day, day, exam_day, settings.parameters)
