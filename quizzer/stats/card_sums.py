"""What one learner did with one card, added up: for a class, and for a report to hand in. Pure."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from quizzer.stats.tally import UNEXPLAINED
from quizzer.text import one_line
from quizzer.values import Attempt, Dispute, Event, Rating, Review, State, Verdict


@dataclass(slots=True)
class CardSums:
    """Sums of the reviews and the answers that were not undone."""

    reviews: int = 0
    again: int = 0
    learned: int = 0
    """Reviews of the card once it was learned."""
    forgotten: int = 0
    """Those of them rated Again."""
    seconds: Counter[float] = field(default_factory=Counter)
    """How often a review took so long."""
    verdicts: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    """Diagnosis codes of the wrong answers, but for those whose verdict is disputed."""
    known: Counter[str] = field(default_factory=Counter)
    """Those of them that the card's author foresaw, by what they say about it."""
    lines: Counter[str] = field(default_factory=Counter)
    """What the first wrong line of a derivation is about, else its number."""
    disputes: int = 0

    def add(self, review: Review) -> None:
        self.reviews += 1
        self.again += review.rating is Rating.AGAIN
        if review.state is State.REVIEW:
            self.learned += 1
            self.forgotten += review.rating is Rating.AGAIN
        if review.seconds is not None:
            self.seconds[review.seconds] += 1

    def answer(self, attempt: Attempt, disputed: bool) -> None:
        self.verdicts[attempt.verdict.value] += 1
        if attempt.verdict is Verdict.WRONG and not disputed:
            self.mistakes[attempt.diagnosis or UNEXPLAINED] += 1
            if attempt.mistake:
                self.known[told_mistake(attempt.mistake)] += 1
        line = attempt.line
        if line is not None:
            self.lines[told_line(attempt.step or str(line))] += 1


def told_mistake(sentence: str) -> str:
    return one_line(sentence, 100)


def told_line(about: str) -> str:
    return one_line(about, 60)


def card_sums(
    events: Iterable[Event],
    cards: Collection[str],
    undone: Collection[str],
    disputes: Iterable[Event],
) -> Mapping[str, CardSums]:
    """The sums of one learner's events, by card, of these cards alone.

    `disputes` are those among the events, which are gone through only once.
    """
    disputed = {
        (fact.card, fact.name, fact.answer)
        for event in disputes
        if isinstance(fact := event.fact, Dispute) and event.id not in undone
    }
    found: defaultdict[str, CardSums] = defaultdict(CardSums)
    for event in events:
        if event.id in undone or event.fact.card not in cards:
            continue
        match event.fact:
            case Review() as review:
                found[review.card].add(review)
            case Dispute(card=card):
                found[card].disputes += 1
            case Attempt(card=card, name=name, answer=answer) as attempt:
                found[card].answer(attempt, (card, name, answer) in disputed)
    return found
