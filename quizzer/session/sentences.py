"""What every face says of a session's values, in words; how it looks is up to the face."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from quizzer.judge.judgement import Answered, AskedName, Given, Question
from quizzer.notation.values import LATEX_BREAK, ReadAs
from quizzer.tex.width import width
from quizzer.text import (
    about,
    clean,
    comes_again,
    count,
    minutes,
    one_line,
    place,
    points,
    span,
)
from quizzer.values import Attempt, Dispute, Fact, Flag, Form, Memory, Rating, Review, Verdict

if TYPE_CHECKING:
    from quizzer.deck import Entry
    from quizzer.judge.so_far import SoFar, Understood
    from quizzer.plan.agenda import Remaining
    from quizzer.plan.backlog import Backlog
    from quizzer.plan.course_map import Place
    from quizzer.session.asked import Rated
    from quizzer.session.moves import Predicted
    from quizzer.session.quiz import Item, Result
    from quizzer.session.turn import Turn, Unclear

NEW_DAY = "A new day has begun: from here on its cards come, within its limits."
NO_MORE_HINTS = "no more hints"
NO_VERDICT = "there is no verdict to dispute on this card"
DISPUTED = "noted: it does not count against you; `quizzer stats` lists it"

NOTHING_TO_UNDO = "nothing to undo"
BURIED = "buried until tomorrow"
TOO_LATE = "The time was up before this answer: it does not count."
TIME_IS_UP = "The time is up: this card counts as unanswered."
SCHEDULE_UNCHANGED = "The schedule has not changed."

NOT_FINISHED = "not finished yet"

NOTATIONS = {"numpy": "NumPy", "index": "index notation", "matrix": "matrix notation"}
"""What the notations are called, by the names that a command takes."""

_VERDICTS = {
    Verdict.CORRECT: ("✓", "right"),
    Verdict.WRONG: ("✗", "wrong"),
    Verdict.INVALID: ("?", "not read, costs no try"),
    Verdict.BROKEN: ("!", "the card's checker is broken, this does not count"),
}
_FOUND = {Verdict.CORRECT: "found", Verdict.WRONG: "not that one"}


_OF_A_PART = len("(a)")
_SPACING = re.compile(r"[\s()]")


class VerdictWords(Struct, frozen=True):
    """A verdict: its mark, the verdict in a word, and what more there is to say, perhaps empty."""

    mark: str
    word: str
    message: str
    diagnosis: str
    reading: str
    aside: str


def verdict(answered: Answered, typed: str) -> VerdictWords:
    """What is said of a typed text, and where in it, if that is known."""
    mark, word = _VERDICTS[answered.verdict]
    message = "" if answered.message.rstrip(".").lower() == word else answered.message
    if where := place(answered.line, answered.column, typed):
        message = f"At {where}: {message}"
    diagnosis = answered.diagnosis.message if answered.diagnosis else ""
    reading = ""
    if answered.notation in NOTATIONS:
        understood = f": {answered.understood.text}" if answered.understood else ""
        reading = f"read as {NOTATIONS[answered.notation]}{understood}"
    return VerdictWords(
        mark,
        word,
        message,
        diagnosis="" if diagnosis in message else diagnosis,
        reading=reading,
        aside=set_aside(answered),
    )


def headline(answered: Answered) -> str:
    """What a verdict begins with: its mark, the name and the verdict, or whether the line with the
    slip is found."""
    from quizzer.session.short_form import WRONG_LINE

    mark, word = _VERDICTS[answered.verdict]
    if answered.name == WRONG_LINE and answered.verdict in _FOUND:
        return f"{mark} {_FOUND[answered.verdict]}"
    return f"{mark} {answered.name}: {word}"


def standings(places: "Sequence[Place]") -> str:
    """How many cards of a map stand how."""
    from quizzer.plan.course_map import Standing

    found = Counter(place.standing for place in places)
    parts = [f"{found[each]} {each}" for each in Standing if found[each]]
    return f"{count(len(places), 'card')}: {', '.join(parts) or 'none'}"


def rests(place: "Place") -> str:
    """How many cards rest on this one."""
    return f"{count(place.holds_up, 'card')} rest{'s' * (place.holds_up == 1)} on it"


def set_aside(answered: Answered) -> str:
    """Which remarks of an answer were not read; empty if none."""
    return f"set aside: {'; '.join(answered.set_aside)}" if answered.set_aside else ""


def so_far(found: "SoFar | None", typed: str, resting: bool = False) -> str:
    """What is said of a text while it is typed; what was read is not repeated as it was typed.

    `resting`: nothing was typed for a while, so that one may wonder what is missing.
    """
    from quizzer.judge.so_far import Understood

    if found is None:
        return ""
    if isinstance(found, Understood):
        notation = f"read as {NOTATIONS[found.notation]}"
        if not found.others and _SPACING.sub("", found.shown) == _SPACING.sub("", typed):
            return notation
        return f"{notation}: {', or '.join([found.shown, *found.others])}"
    if not found.complete:
        return f"{NOT_FINISHED}: {found.message}" if resting else NOT_FINISHED
    where = place(found.line, found.column, typed)
    return f"reading stops{f' at {where}' if where else ''}: {found.message}"


def read_as(found: "Understood") -> str:
    """What is said below a reading that is drawn, of those beside it too."""
    said, others = f"read as {NOTATIONS[found.notation]}", len(found.others)
    if not others:
        return said
    return f"{said}, or in {count(others, 'other way')}: if they differ in value, you choose"


def unclear(answer: "Unclear") -> tuple[str, tuple[ReadAs, ...]]:
    """What is asked of an answer with several readings, and the lines in which these differ."""
    question = f"{answer.name} can be read in {len(answer.readings)} ways. Which one do you mean?"
    texts = [each.text.split("\n") for each in answer.readings]
    formulas = [each.latex.split(LATEX_BREAK) if each.latex else [] for each in answer.readings]
    if len({len(lines) for lines in texts}) > 1:
        return question, answer.readings
    differing = [k for k, lines in enumerate(zip(*texts, strict=True)) if len(set(lines)) > 1]
    return question, tuple(
        ReadAs(
            "\n".join(text[k] for k in differing),
            LATEX_BREAK.join(lines[k] for k in differing) if len(lines) == len(text) else None,
        )
        for text, lines in zip(texts, formulas, strict=True)
    )


def shape(ask: AskedName) -> str:
    """Of what shape an answer must be; of a number its unit, and how near it must be."""
    unit = f" in {ask.unit}" if ask.unit else ""
    within = f", within {ask.within}" if ask.within else ""
    if not ask.shape:
        return f"a number{unit}{within}"
    comma = "," if len(ask.shape) == 1 else ""
    example = ", for example" if any(size.isdigit() for size in ask.shape) else ""
    return f"shape ({', '.join(ask.shape)}{comma}){example}{unit}{within}"


def conditions(asks: Question) -> Iterator[tuple[str, str]]:
    """What holds for the answers: a label, and what belongs to it."""
    for name, usable in asks.usable.items():
        yield f"for {name} also" if name else "you may use", ", ".join(usable)
    if asks.assume:
        yield "assume", asks.assume
    if any(ask.shape for ask in asks.asked):
        yield "indices count from", str(asks.first_index)


def given(numbers: Iterable[Given]) -> Iterator[str]:
    """The lines of a problem's numbers: each name with its value."""
    for each in numbers:
        first = f"{each.name} = "
        for number, line in enumerate(each.lines):
            yield f"{first if not number else ' ' * width(first)}{line}"


def position(number: int, left: "Remaining", budget: float | None) -> str:
    """Where in the daily session this card is."""
    time = "" if budget is None else f" · {about(left.minutes)} left"
    return f"{number} of {number + left.total}{time}"


def opening(left: "Remaining") -> str:
    """What a session begins with: how many cards, and for how long; empty for none."""
    return f"{count(left.total, 'card')}, {about(left.minutes)}." if left.total else ""


def heading(entry: "Entry", where: str, flagged: bool) -> str:
    """The line above a card: where in the session it is, and what kind of card."""
    header = entry.header
    facts = [where, header.course, header.type]
    facts += [f"difficulty {header.difficulty}"] if header.difficulty else []
    facts += [points(header.points)] if header.points else []
    facts += ["⚑ flagged"] if flagged else []
    return clean(" · ".join(fact for fact in [*facts, header.id] if fact))


def predicted(found: "Predicted") -> tuple[str, str]:
    """What is said of a prediction, and why, where it is not right."""
    asked = found.prediction
    if found.is_right:
        return f"✓ {asked.right}", ""
    return f"✗ not {found.choice}, but {asked.right}", asked.why


def outcomes(turn: "Turn") -> str:
    """How each asked name ended, if there are several, or the predictions; else nothing."""
    if turn.predicted:
        right = sum(each.is_right for each in turn.predicted)
        return f"{right} of {len(turn.predicted)} predicted"
    if len(turn.parts) < 2 or turn.short:
        return ""
    return "  ".join(f"{part.name}: {part.outcome.value}" for part in turn.parts)


def repeats(turn: "Turn") -> str:
    """That only what was missed earlier today is asked; items of a solution would tell too much."""
    if all(len(item.text) <= _OF_A_PART for item in turn.checklist):
        return f"Again: only {', '.join(item.text for item in turn.checklist)}."
    return f"Again: only what you missed, {count(len(turn.checklist), 'item')} of the solution."


def item(turn: "Turn", number: int) -> str:
    """Which item of a checklist this is, from 1, and its points where these differ from one."""
    worth = turn.checklist[number - 1].points
    return f"{number} of {len(turn.checklist)}{'' if worth == 1 else f', {points(worth)}'}"


def ticked(turn: "Turn") -> str:
    """The points of a checklist that was ticked; empty until all of it is."""
    return f"{turn.earned.had:g} of {points(turn.earned.possible)}" if turn.earned else ""


def backlog(found: "Backlog", budget: float | None) -> str:
    """After a holiday: what to take first, and what it costs to let the others wait."""
    takes = f"The {budget:g} minutes take" if budget else "Today's limit takes"
    takes = "The minute takes" if budget == 1 else takes
    one = found.today == 1
    which = f"{'has' if one else 'have'} waited longest"
    if found.for_exam:
        which = f"{'comes' if one else 'come'} first for the exam"
    more = round(found.forgotten)
    cost = f"about {more} more" if more else "hardly any more"
    return (
        f"{found.due} cards are due, {about(found.minutes)}. {takes} the "
        f"{'one' if one else found.today} that {which}; if the others wait until they fit "
        f"({count(found.days, 'day')}), {cost} of them will be forgotten."
    )


def saved(rated: "Rated") -> tuple[str, str]:
    """That a rating is on the disk, and when its card comes back."""
    return (
        f"saved: {rated.rating.label}",
        f"again in {span(rated.interval, rated.step_minutes)}",
    )


def to_go(left: "Remaining") -> str:
    """What is still to come; empty at the end."""
    return f"{count(left.total, 'card')} to go, {about(left.minutes)}" if left.total else ""


def flag(on: bool) -> str:
    """That the card is flagged, or no longer."""
    return "flagged" if on else "flag removed"


def suspended(card: str) -> str:
    """That the card comes no more, and how it comes again."""
    return f"suspended; `quizzer unsuspend {card}`"


def undone(card: str, rating: Rating) -> str:
    """Which rating was taken back."""
    return f"took back {rating.label} on {card}"


def rated_elsewhere(card: str, memory: Memory | None) -> str:
    """Why a rating was not saved; `memory` is what is known of the card now."""
    again = f"; it comes again {comes_again(memory.interval)}" if memory else ""
    return f"{card} was rated elsewhere in the meantime{again}. That rating stands."


def happened(fact: Fact) -> str:
    """One event of a card's history."""
    match fact:
        case Review(rating=rating, interval=interval, seconds=seconds, form=form):
            took = f", {minutes(seconds)}" if seconds else ""
            short = "" if form is Form.BLANK else f" ({form.value})"
            return f"{rating.label}{short}, next {comes_again(interval)}{took}"
        case Attempt(name=name, verdict=verdict, diagnosis=diagnosis, answer=answer):
            why = f" ({diagnosis})" if diagnosis else ""
            return f"{name}: {verdict.value}{why}: {one_line(answer, 50)}"
        case Dispute(name=name, verdict=verdict):
            return f"{name}: `{verdict.value}` disputed"
        case Flag(on=on):
            return flag(on)
        case _:
            return type(fact).__name__.lower()


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
    """The session keeps its cards and settings, because they cannot be read again."""
    return f"Cards and settings stay as they were, because they cannot be read again: {why}"


def earned(item: "Item") -> str:
    """What one card of a quiz earned."""
    return f"{item.earned:g} of {points(item.points)}"


def result(found: "Result") -> tuple[str, str]:
    """What was earned in a quiz, and in which time."""
    share = f" ({found.earned / found.points:.0%})" if found.points else ""
    return f"{found.earned:g} of {points(found.points)}{share}", f"in {minutes(found.seconds)}"


def result_by_basis(found: "Result") -> Iterator[str]:
    """The same by who says what a card earned."""
    from quizzer.session.quiz import Basis

    for basis in Basis:
        earned, possible = found.of(basis)
        if cards := sum(item.basis is basis for item in found.items):
            yield f"{basis.value}: {count(cards, 'card')}, {earned:g} of {points(possible)}"
