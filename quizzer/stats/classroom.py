"""What the logs of a whole course add up to: which cards and which mistakes hurt. Pure.

Learners are counted, never named.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from quizzer.stats.card_sums import CardSums, card_sums
from quizzer.values import Dispute, Event, Undo


@dataclass(frozen=True, slots=True)
class CourseCard:
    """One card over all learners who met it."""

    card: str
    learners: int
    reviews: int
    again: int
    """Reviews rated Again."""
    forgotten: float | None
    """The share of Again among reviews of the learned card; None if nobody has learned it yet."""
    seconds: float | None
    """The median of a review."""
    wrong: int
    """Wrong answers, but for those whose verdict is disputed."""
    disputes: int
    mistakes: Mapping[str, int]
    """Diagnosis codes of the wrong answers, the most frequent first."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """What the first wrong lines of derivations are about, the most frequent first."""

    @property
    def hurt(self) -> float:
        """Failures a learner: reviews rated Again and wrong answers."""
        return (self.again + self.wrong) / self.learners


@dataclass(frozen=True, slots=True)
class CourseMistake:
    """A diagnosis code over all cards and learners; the cards where it is most frequent first."""

    code: str
    times: int
    learners: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Classroom:
    """A course: its cards, those that hurt most first, and its mistakes, those of most learners."""

    learners: int
    reviews: int
    cards: tuple[CourseCard, ...]
    mistakes: tuple[CourseMistake, ...]


def classroom(events: Iterable[tuple[str, Event]], cards: Collection[str]) -> Classroom:
    """Add up what learners did with these cards; each event comes with its learner's name."""
    by_learner: defaultdict[str, list[Event]] = defaultdict(list)
    for learner, event in events:
        by_learner[learner].append(event)
    return added_up(_sums(own, cards) for own in by_learner.values())


def added_up(learners: Iterable[Mapping[str, CardSums]]) -> Classroom:
    """A course from the sums of each learner, by card."""
    met: defaultdict[str, list[CardSums]] = defaultdict(list)
    made: defaultdict[str, list[Counter[str]]] = defaultdict(list)
    count = 0
    for sums in learners:
        count += bool(sums)
        mistakes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for card, own in sums.items():
            met[card].append(own)
            for code, times in own.mistakes.items():
                mistakes[code][card] += times
        for code, by_card in mistakes.items():
            made[code].append(by_card)
    found = [_course_card(name, each) for name, each in met.items()]
    return Classroom(
        learners=count,
        reviews=sum(card.reviews for card in found),
        cards=tuple(sorted(found, key=lambda card: (-card.hurt, -card.learners, card.card))),
        mistakes=_mistakes(made),
    )


def _sums(events: Sequence[Event], cards: Collection[str]) -> Mapping[str, CardSums]:
    undone = {event.fact.event for event in events if isinstance(event.fact, Undo)}
    disputes = [event for event in events if isinstance(event.fact, Dispute)]
    return card_sums(events, cards, undone, disputes)


def _course_card(name: str, each: Sequence[CardSums]) -> CourseCard:
    learned = sum(own.learned for own in each)
    mistakes, lines, seconds = Counter[str](), Counter[str](), Counter[float]()
    for own in each:
        mistakes += own.mistakes
        lines += own.lines
        seconds += own.seconds
    return CourseCard(
        card=name,
        learners=len(each),
        reviews=sum(own.reviews for own in each),
        again=sum(own.again for own in each),
        forgotten=sum(own.forgotten for own in each) / learned if learned else None,
        seconds=_median(seconds),
        wrong=mistakes.total(),
        disputes=sum(own.disputes for own in each),
        mistakes=dict(mistakes.most_common()),
        lines=dict(lines.most_common()),
    )


def _median(times: Counter[float]) -> float | None:
    """Of values that come so many times."""
    total = times.total()
    if not total:
        return None
    reached = accumulate(times[value] for value in sorted(times))
    values = [*zip(reached, sorted(times), strict=True)]
    middle = [next(v for upto, v in values if upto > at) for at in ((total - 1) // 2, total // 2)]
    return sum(middle) / 2


def _mistakes(made: Mapping[str, Sequence[Counter[str]]]) -> tuple[CourseMistake, ...]:
    """Of each code, what each learner who made it did, by card."""
    found = []
    for code, each in made.items():
        by_card = sum(each, Counter[str]())
        cards = tuple(card for card, _ in by_card.most_common())
        found.append(CourseMistake(code, by_card.total(), len(each), cards))
    return tuple(sorted(found, key=lambda mistake: (-mistake.learners, -mistake.times)))
