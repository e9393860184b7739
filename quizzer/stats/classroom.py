"""What the logs of a whole course add up to: which cards and which mistakes hurt. Pure.

Learners are counted, never named.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from quizzer.stats.tally import UNEXPLAINED
from quizzer.values import Attempt, Dispute, Event, Rating, Review, State, Undo, Verdict


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


@dataclass(slots=True)
class _Card:
    learners: set[str] = field(default_factory=set)
    reviews: list[Review] = field(default_factory=list)
    disputes: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)


def classroom(events: Iterable[tuple[str, Event]], cards: Collection[str]) -> Classroom:
    """Add up what learners did with these cards; each event comes with its learner's name."""
    standing = _standing(list(events), cards)
    disputed = {
        (learner, fact.card, fact.name, fact.answer)
        for learner, fact in standing
        if isinstance(fact, Dispute)
    }
    met: defaultdict[str, _Card] = defaultdict(_Card)
    made: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for learner, fact in standing:
        card = met[fact.card]
        card.learners.add(learner)
        match fact:
            case Review():
                card.reviews.append(fact)
            case Dispute():
                card.disputes += 1
            case Attempt(name=name, answer=answer, verdict=Verdict.WRONG):
                if (learner, fact.card, name, answer) not in disputed:
                    code = fact.diagnosis or UNEXPLAINED
                    card.mistakes[code] += 1
                    made[code].append((learner, fact.card))
    return Classroom(
        learners=len({learner for learner, _ in standing}),
        reviews=sum(len(card.reviews) for card in met.values()),
        cards=tuple(
            sorted(
                (_added(name, card) for name, card in met.items()),
                key=lambda card: (-card.hurt, -card.learners, card.card),
            )
        ),
        mistakes=_mistakes(made),
    )


def _standing(
    events: Sequence[tuple[str, Event]], cards: Collection[str]
) -> list[tuple[str, Review | Attempt | Dispute]]:
    """What counts: nothing that was taken back, and nothing of other cards."""
    undone = {
        (learner, event.fact.event) for learner, event in events if isinstance(event.fact, Undo)
    }
    return [
        (learner, event.fact)
        for learner, event in events
        if isinstance(event.fact, Review | Attempt | Dispute)
        and event.fact.card in cards
        and (learner, event.id) not in undone
    ]


def _added(name: str, card: _Card) -> CourseCard:
    learned = [review.rating for review in card.reviews if review.state is State.REVIEW]
    seconds = [review.seconds for review in card.reviews if review.seconds is not None]
    return CourseCard(
        card=name,
        learners=len(card.learners),
        reviews=len(card.reviews),
        again=sum(review.rating is Rating.AGAIN for review in card.reviews),
        forgotten=learned.count(Rating.AGAIN) / len(learned) if learned else None,
        seconds=median(seconds) if seconds else None,
        wrong=card.mistakes.total(),
        disputes=card.disputes,
        mistakes=dict(card.mistakes.most_common()),
    )


def _mistakes(made: Mapping[str, Sequence[tuple[str, str]]]) -> tuple[CourseMistake, ...]:
    found = [
        CourseMistake(
            code,
            times=len(each),
            learners=len({learner for learner, _ in each}),
            cards=tuple(card for card, _ in Counter(card for _, card in each).most_common()),
        )
        for code, each in made.items()
    ]
    return tuple(sorted(found, key=lambda mistake: (-mistake.learners, -mistake.times)))
