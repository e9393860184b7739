"""What every face says of a session, in sentences; a face only decides where and in which style."""

from dataclasses import dataclass

from quizzer.durations import about, minutes, span
from quizzer.judge.judgement import Ask, Asks
from quizzer.plan.agenda import Remaining
from quizzer.plan.backlog import Backlog
from quizzer.session.summary import Summary
from quizzer.text import count
from quizzer.values import Memory

NEW_DAY = "A new day has begun: from here on its cards come, within its limits."
NO_MORE_HINTS = "no more hints"
NO_VERDICT = "there is no verdict to dispute on this card"
DISPUTED = "noted: it does not count against you; `quizzer stats` lists it"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One name that a card asks for, in words."""

    name: str
    label: str
    shape: str


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a card asks for, and the rules for its answers: for each a label and its text."""

    wanted: tuple[Wanted, ...]
    rules: tuple[tuple[str, str], ...]


def instructions(asks: Asks) -> Instructions:
    """What a learner must know before they derive."""
    rules = [
        (f"for {name} also" if name else "you may use", ", ".join(usable))
        for name, usable in asks.usable.items()
    ]
    if asks.assume:
        rules.append(("assume", asks.assume))
    if any(ask.shape for ask in asks.asks):
        rules.append((f"indices count from {asks.first_index}", ""))
    wanted = tuple(Wanted(ask.name, ask.label, _shape(ask)) for ask in asks.asks)
    return Instructions(wanted, tuple(rules))


def backlog(found: Backlog, budget: float | None) -> str:
    """What to take first after a holiday, and what it costs to let the others wait."""
    takes = f"The {budget:g} minutes take" if budget else "Today's limit takes"
    takes = "The minute takes" if budget == 1 else takes
    one = found.today == 1
    which = f"{'has' if one else 'have'} waited longest"
    if found.for_exam:
        which = f"{'comes' if one else 'come'} first toward the exam"
    more = round(found.forgotten)
    cost = f"about {more} more" if more else "hardly any more"
    return (
        f"{found.due} cards are due, {about(found.minutes)}. {takes} the "
        f"{'one' if one else found.today} that {which}; if the others wait until they fit "
        f"({count(found.days, 'day')}), {cost} of them will be forgotten."
    )


def place(number: int, remaining: Remaining, budget: float | None) -> str:
    """Where in the session a card is: `3 of 12`, with the time left where that is limited."""
    told = f"{number} of {number + remaining.total}"
    return told if budget is None else f"{told} · {about(remaining.minutes)} left"


def to_go(remaining: Remaining) -> str:
    """What still comes after a rating; nothing at the end."""
    if not remaining.total:
        return ""
    return f"{count(remaining.total, 'card')} to go, {about(remaining.minutes)}"


def rated_elsewhere(card: str, now: Memory | None) -> str:
    """Why a rating was not saved."""
    again = f"; it comes again in {span(now.interval)}" if now else ""
    return f"{card} was rated elsewhere meanwhile{again}. That rating stays."


def replaced(lost: int) -> str:
    """The history was replaced under the session, and lacks so many of its ratings."""
    told = (
        "Your history was replaced while this session ran, for example by `quizzer restore`. "
        "The session goes on with the new one"
    )
    if not lost:
        return f"{told}."
    are = "is" if lost == 1 else "are"
    return f"{told}; {count(lost, 'rating')} of this session {are} missing from it."


def not_read_again(why: str) -> str:
    """Deck or configuration are such that the session keeps those it has."""
    return f"Cards and settings stay as they were, because they cannot be read again: {why}"


def summary(ended: Summary) -> tuple[str, ...]:
    """What a session came to, a sentence each."""
    told = [_rated(ended)]
    if ended.waiting:
        told.append(f"{count(ended.waiting, 'card')} in the ten-minute step.")
    if ended.left and ended.asked:
        told.append(f"Left for today: {count(ended.left, 'card')}, {about(ended.left_minutes)}.")
    return (*told, f"Tomorrow: {count(ended.tomorrow, 'card')} due.")


def _rated(ended: Summary) -> str:
    """The ratings, or why there was none."""
    if ended.rated:
        remembered = f", {ended.retention:.0%} remembered" if ended.retention is not None else ""
        return (
            f"{count(ended.rated, 'rating')} on {count(ended.cards, 'card')} "
            f"in {minutes(ended.seconds)}{remembered}. All saved."
        )
    if ended.asked:
        return "Nothing was rated."
    if ended.left:
        cards = f"{count(ended.left, 'card')}, {about(ended.left_minutes)}"
        return f"Today's minutes are spent; {cards} left. More: quizzer review --minutes 20"
    if ended.beyond:
        return f"Today's limit leaves {count(ended.beyond, 'card')} for later. See quizzer config"
    return "Nothing is due now."


def _shape(ask: Ask) -> str:
    if not ask.shape:
        return "a number"
    comma = "," if len(ask.shape) == 1 else ""
    example = ", for example" if any(size.isdigit() for size in ask.shape) else ""
    return f"shape ({', '.join(ask.shape)}{comma}){example}"
