"""What an exam ahead changes about a day: how many cards are new, and which reviews come first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf

from quizzer.deck import Deck, Entry
from quizzer.review import UNSEEN, Memory, Progress
from quizzer.schedule import exam
from quizzer.schedule.fsrs import Strength
from quizzer.session.settings import Settings
from quizzer.store import Done

WORTHWHILE = 0.005
"""A card comes before its day if that adds at least so much to the chance of recalling it."""
LATELY = 7
"""Days before today that tell how many cards he reviews a day."""


def exams_ahead(settings: Settings, day: int) -> dict[str, int]:
    """The days of the exams that lie after `day`, by course in lower case."""
    known = ((course, settings.exam_ahead(course, day)) for course in settings.courses)
    return {course: exam_day for course, exam_day in known if exam_day is not None}


def is_unseen(entry: Entry, known: Progress) -> bool:
    """Whether the card is still to be met for the first time."""
    return known.memory is None and not known.suspended and entry.header.status != "mastered"


def new_limits(
    deck: Deck, progress: Mapping[str, Progress], done: Done, settings: Settings, day: int
) -> dict[str, int]:
    """Today's new cards of each course with an exam ahead that has no limit set by hand."""
    exams = exams_ahead(settings, day) if settings.new_by_exam else {}
    unseen = Counter[str]()
    for entry in deck.entries if exams else ():
        if is_unseen(entry, progress.get(entry.id, UNSEEN)) or entry.id in done.new:
            unseen[entry.header.course.casefold()] += 1
    return {
        course: exam.new_per_day(unseen[course], day, exam_day)
        for course, exam_day in exams.items()
        if settings.course(course).new_per_day is None
    }


def is_near(course: str, settings: Settings, day: int) -> bool:
    """Whether the last days before an exam of this course have begun."""
    exam_day = settings.exam_ahead(course, day)
    return exam_day is not None and exam_day - day <= exam.LAST_DAYS


def toward_exams(
    due: Sequence[Entry],
    early: Sequence[Entry],
    deck: Deck,
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
) -> tuple[Entry, ...]:
    """The due cards, and of those not due yet the ones worth it, as exams near want them.

    At each place where a card of such a course is due stands the one of that course which gains
    most recall on the exam day; cards of other courses keep theirs. The rest comes at the end.
    """
    near = dict.fromkeys(
        entry.header.course.casefold()
        for entry in (*due, *early)
        if is_near(entry.header.course, settings, day)
    )
    ordered = {
        course: iter(_by_gain(course, due, early, deck, progress, settings, day)) for course in near
    }
    nothing = iter(())
    placed = [next(ordered.get(entry.header.course.casefold(), nothing), entry) for entry in due]
    return (*placed, *(entry for rest in ordered.values() for entry in rest))


def prospect(memory: Memory, settings: Settings, day: int, exam_day: int) -> exam.Prospect:
    """What a review of this card today would do for the exam."""
    strength = Strength(memory.stability, memory.difficulty)
    return exam.prospect(strength, memory.day, day, exam_day, settings.parameters)


def _by_gain(
    course: str,
    due: Sequence[Entry],
    early: Sequence[Entry],
    deck: Deck,
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
) -> list[Entry]:
    """The course's due cards and those worth taking early, the greatest gain first."""
    exam_day = settings.exam_ahead(course, day)
    assert exam_day is not None
    price = _price(course, exam_day, deck, progress, settings, day)
    gains: dict[str, float] = {}
    cards = []
    for entries, least in ((due, -inf), (early, max(price, WORTHWHILE))):
        for entry in entries:
            memory = progress[entry.id].memory
            if entry.header.course.casefold() == course and memory:
                gain = prospect(memory, settings, day, exam_day).gain(price)
                gains[entry.id] = gain
                if gain > least:
                    cards.append(entry)
    return sorted(cards, key=lambda entry: -gains[entry.id])


def _price(
    course: str,
    exam_day: int,
    deck: Deck,
    progress: Mapping[str, Progress],
    settings: Settings,
    day: int,
) -> float:
    """What a review of this course on the eve of its exam costs, at his reviews a day of late."""
    new = exam.first_standing(day, exam_day, settings.parameters)
    standings, lately = [], Counter[int]()
    for entry in deck.entries:
        known = progress.get(entry.id, UNSEEN)
        if entry.header.course.casefold() != course:
            continue
        if known.memory and not known.suspended:
            standings.append(prospect(known.memory, settings, day, exam_day).skipped)
            lately[day - known.memory.day] += 1
        elif is_unseen(entry, known):
            standings.append(new)
    studied = [number for ago, number in lately.items() if 1 <= ago <= LATELY]
    own = settings.course(course).reviews_per_day
    limit = settings.reviews_per_day if own is None else own
    per_day = sum(studied) / len(studied) if studied else limit
    return exam.price(standings, per_day, day, exam_day)
