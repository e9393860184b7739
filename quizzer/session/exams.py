"""What every face says about exams ahead."""

from collections.abc import Iterator, Sequence

from quizzer.forecast.correction import NONE, Past
from quizzer.forecast.outlook import DAY, Outlook, Topic
from quizzer.forecast.study_days import StudyDays
from quizzer.text import count, iso_day, one_line

WEAKEST = 3
"""Topics that are named in a line."""
NAME = 24
"""Columns of a topic's name."""


def lines(found: tuple[Outlook, ...]) -> Iterator[str]:
    """One line for each exam ahead: what to expect, what it would take, and by topic.

    Without a forecast, what will be recalled if nothing is reviewed any more.
    """
    for outlook in found:
        which = "Weakest" if len(outlook.topics) > WEAKEST else "By topic"
        topics = ", ".join(
            f"{one_line(topic.name, NAME)} {recall(topic):.0%}"
            for topic in weakest_first(outlook.topics)[:WEAKEST]
        )
        yield whole(outlook) + (f". {which}: {topics}" if topics else "")


def whole(outlook: Outlook) -> str:
    """How far the exam is, what to expect, and what it would take."""
    when = "tomorrow" if outlook.days == 1 else f"in {count(outlook.days, 'day')}"
    exam, whole = f"{outlook.course}: exam {when} ({iso_day(outlook.exam_day)})", outlook.whole
    if whole.recall is None:
        return (
            f"{exam}; recall {whole.recall_alone:.0%} then if you review nothing more, "
            f"{outlook.seen_now} of {whole.cards} seen so far; to foretell it: quizzer exam"
        )
    every = whole.seen == whole.cards > 1
    seen = f"all {whole.cards}" if every else f"{whole.seen} of {whole.cards}"
    return (
        f"{exam}; expected recall {whole.recall:.0%}{_marks(whole)}{_as_of(outlook)}, "
        f"{seen} seen by then{_means(outlook)}{_allowed(outlook)}"
    )


def _marks(topic: Topic) -> str:
    """Where cards with more points go better or worse than others."""
    said = f"{topic.marks:.0%}" if topic.marks is not None else ""
    return f", {said} of the marks" if said and said != f"{topic.recall:.0%}" else ""


def _allowed(outlook: Outlook) -> str:
    said = allowed(outlook.past, outlook.study_days)
    so_far = "so far " if outlook.past.correction != NONE else ""
    return f"; {so_far}{said}" if said else ""


def allowed(past: Past, study_days: StudyDays) -> str:
    """What a forecast allows for: what came true of past ones, and the days that were missed."""
    found = list[str]()
    if past.correction != NONE:
        found.append(f"{past.foretold:.0%} was foretold and {past.came_true:.0%} came true")
    if study_days.missed:
        studied, of = study_days.studied, study_days.of
        found.append(f"you studied on {studied} of the last {of} days with cards due")
    return f"{', and '.join(found)}, which this forecast allows for" if found else ""


def recall(topic: Topic) -> float:
    return topic.recall_alone if topic.recall is None else topic.recall


def weakest_first(topics: Sequence[Topic]) -> list[Topic]:
    return sorted(topics, key=recall)


def _as_of(outlook: Outlook) -> str:
    """When a forecast was made that is out of date; its date too if that was not today."""
    if outlook.as_of is None:
        return ""
    today = outlook.as_of.toordinal() == outlook.day
    return f" (as of {outlook.as_of:{'%H:%M' if today else '%Y-%m-%d %H:%M'}})"


def _means(outlook: Outlook) -> str:
    """What it would take to see all and review it in time, where that is not so already."""
    need = outlook.need
    if need is None:
        return ""
    minutes = f"{need.minutes} minutes a day" + (" for all exams" if outlook.shares else "")
    limits = " and ".join(
        f"{'its ' if limit.course else ''}{limit.name} = {limit.per_day}" for limit in need.limits
    )
    if need.minutes and need.minutes > DAY:
        return "; more would take longer than a day has"
    if limits:
        if need.minutes is None:
            return f"; held back by {limits}, see quizzer config"
        return f"; {minutes} would do without {limits}, see quizzer config"
    if not need.minutes:
        return ""
    return f"; about {minutes}" if outlook.minutes_a_day is None else f"; {minutes} would do"
