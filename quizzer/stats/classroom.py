"""What the logs of a whole course add up to: which cards and which mistakes hurt. Pure.

Learners are counted, never named.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct, field

from quizzer.stats.card_sums import CardSums, card_sums, told_line, told_mistake
from quizzer.store.sync.course_sums import CourseTotals, Times
from quizzer.store.sync.course_tables import BOUNDS
from quizzer.values import Dispute, Event, Undo


class CourseCard(Struct, frozen=True):
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
    known: Mapping[str, int] = field(default_factory=dict)
    """Those that the card's author foresaw, by what they say about it, the most frequent first."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """What the first wrong lines of derivations are about, the most frequent first."""

    @property
    def hurt(self) -> float:
        """Failures a learner: reviews rated Again and wrong answers."""
        return (self.again + self.wrong) / self.learners


class CourseMistake(Struct, frozen=True):
    """A diagnosis code over all cards and learners; the cards where it is most frequent first."""

    code: str
    times: int
    learners: int
    cards: tuple[str, ...]


class Classroom(Struct, frozen=True):
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
        cards=_those_that_hurt_first(found),
        mistakes=_mistakes(made),
    )


def of_totals(totals: CourseTotals) -> Classroom:
    """A course from the sums that its database keeps."""
    mistakes = _by_card(totals.mistakes, str)
    known = _by_card(totals.known, told_mistake)
    lines = _by_card(totals.lines, told_line)
    found = [
        CourseCard(
            card=each.card,
            learners=each.learners,
            reviews=each.reviews,
            again=each.again,
            forgotten=each.forgotten / each.learned if each.learned else None,
            seconds=_median_of_counts(each.seconds),
            wrong=each.wrong,
            disputes=each.disputes,
            mistakes=dict(mistakes[each.card].most_common()),
            known=dict(known[each.card].most_common()),
            lines=dict(lines[each.card].most_common()),
        )
        for each in totals.cards
    ]
    where: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for card, code, times in totals.mistakes:
        where[code][card] += times
    codes = (
        CourseMistake(
            code.code,
            code.times,
            code.learners,
            tuple(c for c, _ in where[code.code].most_common()),
        )
        for code in totals.codes
    )
    return Classroom(
        learners=totals.learners,
        reviews=sum(card.reviews for card in found),
        cards=_those_that_hurt_first(found),
        mistakes=tuple(sorted(codes, key=lambda code: (-code.learners, -code.times))),
    )


def _those_that_hurt_first(cards: Iterable[CourseCard]) -> tuple[CourseCard, ...]:
    return tuple(sorted(cards, key=lambda card: (-card.hurt, -card.learners, card.card)))


def _by_card(found: Iterable[Times], told: Callable[[str], str]) -> Mapping[str, Counter[str]]:
    """Of each card how often what happened; what is told alike is counted together."""
    by_card: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for card, what, times in found:
        by_card[card][told(what)] += times
    return by_card


def _median_of_counts(counts: Sequence[int]) -> float | None:
    """Of values that were counted between BOUNDS, as if they lay there evenly."""
    middle, before = sum(counts) / 2, 0
    if not middle:
        return None
    edges = (0.0, *BOUNDS, BOUNDS[-1])
    for count, low, high in zip(counts, edges, edges[1:], strict=True):
        if before + count >= middle:
            return low + (high - low) * (middle - before) / count
        before += count
    raise AssertionError("half of them were counted")


def _sums(events: Sequence[Event], cards: Collection[str]) -> Mapping[str, CardSums]:
    undone = {event.fact.event for event in events if isinstance(event.fact, Undo)}
    disputes = [event for event in events if isinstance(event.fact, Dispute)]
    return card_sums(events, cards, undone, disputes)


def _course_card(name: str, each: Sequence[CardSums]) -> CourseCard:
    learned = sum(own.learned for own in each)
    mistakes, known, lines = Counter[str](), Counter[str](), Counter[str]()
    seconds = Counter[float]()
    for own in each:
        mistakes += own.mistakes
        known += own.known
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
        known=dict(known.most_common()),
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
