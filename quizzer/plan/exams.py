"""What an exam ahead changes about a day: how many cards are new, and which reviews come first."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from quizzer.deck import Deck, Entry
from quizzer.fsrs.step import Strength
from quizzer.plan import exam_gain as exam
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import UNSEEN, Memory, Progress

T = TypeVar("T")

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
        course: _ordered(course, due, early, deck, progress, settings, day) for course in near
    }
    return tuple(in_place(due, lambda entry: entry.header.course.casefold(), ordered))


def in_place(
    due: Iterable[T], course: Callable[[T], str], ordered: Mapping[str, Iterable[T]]
) -> Iterator[T]:
    """The due cards, at the places of a course in `ordered` its cards in that order instead.

    What is left of that order comes at the end.
    """
    rest = {name: iter(cards) for name, cards in ordered.items()}
    nothing: Iterator[T] = iter(())
    for card in due:
        yield next(rest.get(course(card), nothing), card)
    for cards in rest.values():
        yield from cards


def by_gain(
    due: Iterable[T], early: Iterable[T], cost: float, gain: Callable[[T], float]
) -> list[T]:
    """The due cards and those worth more early than this cost, the greatest gain first."""
    least = max(cost, WORTHWHILE)
    gains = [(gain(card), card) for card in due]
    gains += [found for found in ((gain(card), card) for card in early) if found[0] > least]
    gains.sort(key=lambda found: -found[0])
    return [card for _, card in gains]


def price(
    standings: Iterable[exam.Standing],
    last_days: Iterable[int],
    course: str,
    settings: Settings,
    day: int,
    exam_day: int,
) -> float:
    """What a review of this course on the eve of its exam costs, at his reviews a day of late.

    Those are counted by the days of the cards' last reviews.
    """
    lately = Counter(last for last in last_days if 1 <= day - last <= LATELY)
    per_day = lately.total() / len(lately) if lately else settings.review_limit(course)[1]
    return exam.price(standings, per_day, day, exam_day)


def prospect(memory: Memory, settings: Settings, day: int, exam_day: int) -> exam.Prospect:
    """What a review of this card today would do for the exam."""
    strength = Strength(memory.stability, memory.difficulty)
    return exam.prospect(strength, memory.day, day, exam_day, settings.parameters)


def _standing(memory: Memory, settings: Settings, day: int, exam_day: int) -> exam.Standing:
    strength = Strength(memory.stability, memory.difficulty)
    return exam.standing(strength, memory.day, day, exam_day, settings.parameters)


def _ordered(
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
    standings, last_days = [], []
    for entry in deck.entries:
        known = progress.get(entry.id, UNSEEN)
        if entry.header.course.casefold() != course:
            continue
        if known.memory and not known.suspended:
            standings.append(_standing(known.memory, settings, day, exam_day))
            last_days.append(known.memory.day)
        elif is_unseen(entry, known):
            standings.append(exam.first_standing(day, exam_day, settings.parameters))
    cost = price(standings, last_days, course, settings, day, exam_day)

    def gain(entry: Entry) -> float:
        memory = progress[entry.id].memory
        assert memory is not None
        return prospect(memory, settings, day, exam_day).gain(cost)

    own, own_early = (
        [entry for entry in entries if entry.header.course.casefold() == course]
        for entries in (due, early)
    )
    return by_gain(own, own_early, cost, gain)
