"""What `stats --ahead` shows: the coming days, and what another desired retention would change."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.charts import bars
from quizzer.cli.terminal.output import fitting, screen_width
from quizzer.cli.terminal.waiting import ProgressLine
from quizzer.deck import Deck
from quizzer.plan.pace import pace_of
from quizzer.store import Store
from quizzer.text import count, iso_day, minutes

if TYPE_CHECKING:
    from quizzer.forecast.year import Ahead, DayAhead, Workload

WEEK = 7
WIDE = 62
"""Columns that the whole table takes."""
SHORTEST = 8
"""Columns below which bars tell nothing."""
SAME = 0.005
"""A share of change that nobody would notice, nor this simulation tell from chance."""
SOME = 0.5
"""Cards, the mean of all runs: fewer are none."""


def look(workspace: Workspace, store: Store, deck: Deck) -> "Ahead":
    """Simulate what lies ahead of the deck's cards, with a progress line.

    The same day gives the same picture.
    """
    from quizzer.forecast.habits import habits_in
    from quizzer.forecast.year import look_ahead

    today = workspace.today()
    with ProgressLine("looking ahead, day") as line:
        return look_ahead(
            deck,
            store.progress(),
            store.done(today),
            habits_in(store, workspace.deck, today),
            pace_of(workspace.deck, store),
            workspace.settings,
            today,
            line,
        )


def lines(ahead: "Ahead", ascii: bool, margin: int) -> Iterator[tuple[str, str]]:
    """Label and value of each line: the weeks as bars, the table, and what it says in words."""
    if not ahead.present.met:
        yield "ahead", "nothing: no card is known, and no new one may come"
        return
    reviews, new, spent = (
        sum(getattr(day, name) for day in ahead.days) for name in ("reviews", "new", "minutes")
    )
    of_study = "" if ahead.study_days.missed else " of study"
    yield (
        "ahead",
        f"{len(ahead.days)} days{of_study}: {count(round(reviews), 'review')}, "
        f"{count(round(new), 'new card')}, {minutes(60 * spent)}",
    )
    from quizzer.session.exams import allowed

    if said := allowed(ahead.past, ahead.study_days):
        yield "so far", said
    narrow = sys.stdout.isatty() and screen_width() - margin < WIDE
    tables = (
        _narrow(ahead, screen_width() - margin, ascii) if narrow else _wide(ahead, margin, ascii)
    )
    for label, line in tables:
        yield label, fitting(line, margin)
    for number, sentence in enumerate(_in_words(ahead)):
        yield ("" if number else "in words"), sentence


def _wide(ahead: "Ahead", margin: int, ascii: bool) -> Iterator[tuple[str, str]]:
    yield "by week", f"{'reviews':>20} {'new':>5} {'a day':>12}"
    for line in bars(_weeks(ahead.days), screen_width() - margin - 10, ascii):
        yield "", line
    yield "in a year", f"{'reviews':>12} {'a day':>12} {'remembered':>18} {'waiting':>9}"
    for workload in ahead.workloads:
        yield f"  at {workload.retention:.0%}", _row(workload, workload is ahead.present)


def _narrow(ahead: "Ahead", room: int, ascii: bool) -> Iterator[tuple[str, str]]:
    """The same in columns as narrow as their texts, those that there is room for, bars last."""
    weeks = [ahead.days[first : first + WEEK] for first in range(0, len(ahead.days), WEEK)]
    by_week = {
        "": [f"{iso_day(week[0].day)}" for week in weeks],
        "a day": [_minutes(sum(day.minutes for day in week) / len(week)) for week in weeks],
        "reviews": [f"{sum(day.reviews for day in week):.0f}" for week in weeks],
        "new": [f"{sum(day.new for day in week):.0f}" for week in weeks],
    }
    head, *lines = _columns(by_week, room)
    if room - len(head) > SHORTEST:
        spent = [sum(day.minutes for day in week) / len(week) for week in weeks]
        lines = bars(list(zip(lines, spent, strict=True)), room, ascii)
    yield "by week", head
    yield from (("", line) for line in lines)
    year = ahead.workloads
    in_a_year = {
        "a day": [_minutes(one.minutes_a_day) for one in year],
        "remembered": [f"{one.remembered / one.met:.0%}" for one in year],
        "waiting": [_waiting(one) for one in year],
        "reviews": [f"{one.reviews:,.0f}" for one in year],
        "of": [f"{one.met:,.0f}" for one in year],
    }
    labels = [f"{' now' if one is ahead.present else '  at'} {one.retention:.0%}" for one in year]
    yield from zip(["in a year", *labels], _columns(in_a_year, room), strict=True)


def _columns(table: Mapping[str, list[str]], room: int) -> list[str]:
    """The lines of a table, its head first; of its columns, most important first, as many as
    there is room for."""
    lines = [""] * (1 + max(map(len, table.values())))
    for head, texts in table.items():
        width = max(map(len, (head, *texts)))
        wider = [
            f"{line} {text:>{width}}" for line, text in zip(lines, (head, *texts), strict=True)
        ]
        if len(wider[0]) - 1 > room:
            break
        lines = wider
    return [line[1:] for line in lines]


def _minutes(minutes_: float) -> str:
    """As `minutes`, without hours."""
    return f"{minutes_:.0f} min" if minutes_ >= 1 else minutes(60 * minutes_)


def document(ahead: "Ahead") -> dict[str, object]:
    """The same for scripts; all numbers are means of several simulated runs."""
    from quizzer.forecast.correction import NONE

    past = None if ahead.past.correction == NONE else ahead.past
    missed = ahead.study_days if ahead.study_days.missed else None
    return {
        "runs": ahead.runs,
        "foretold_so_far": past and past.foretold,
        "came_true_so_far": past and past.came_true,
        "days_studied": missed and missed.studied,
        "days_with_cards_due": missed and missed.of,
        "days": {
            str(iso_day(day.day)): {
                "reviews": day.reviews,
                "new": day.new,
                "minutes": day.minutes,
            }
            for day in ahead.days
        },
        "year": [
            {
                "retention": workload.retention,
                "present": workload is ahead.present,
                "reviews": workload.reviews,
                "minutes": workload.minutes,
                "cards": workload.met,
                "remembered": workload.remembered,
                "waiting": workload.waiting,
            }
            for workload in ahead.workloads
        ],
    }


def _weeks(days: tuple["DayAhead", ...]) -> list[tuple[str, float]]:
    """A bar for each week as long as a mean day of it; its label has the week's numbers."""
    rows = []
    for first in range(0, len(days), WEEK):
        week = days[first : first + WEEK]
        reviews, new = sum(day.reviews for day in week), sum(day.new for day in week)
        a_day = sum(day.minutes for day in week) / len(week)
        label = f"{iso_day(week[0].day)} {reviews:>9.0f} {new:>5.0f} {minutes(60 * a_day):>12}"
        rows.append((label, a_day))
    return rows


def _row(workload: "Workload", present: bool) -> str:
    a_day = minutes(60 * workload.minutes_a_day)
    share = workload.remembered / workload.met
    kept = f"{workload.remembered:,.0f} of {workload.met:,.0f} {share:>4.0%}"
    now = "  as now" if present else ""
    return f"{workload.reviews:>12,.0f} {a_day:>12} {kept:>18} {_waiting(workload):>9}{now}"


def _waiting(workload: "Workload") -> str:
    return f"{workload.waiting:,.0f}" if workload.waiting >= SOME else "-"


def _in_words(ahead: "Ahead") -> Iterator[str]:
    """The next setting on either side of the present one, against it."""
    here = ahead.workloads.index(ahead.present)
    for other in (*ahead.workloads[:here][-1:], *ahead.workloads[here + 1 :][:1]):
        yield f"At {other.retention:.0%} you would {_against(other, ahead.present)}."
    if ahead.present.waiting >= SOME:
        yield from _of_limits(ahead.present)


def _of_limits(present: "Workload") -> Iterator[str]:
    """What would bring the cards that wait: the limits that leave them, one of them or both."""
    cards, in_time = count(round(present.waiting), "card"), present.waiting - present.out_of_time
    if min(present.out_of_time, in_time) < SOME <= max(present.out_of_time, in_time):
        limit = "minutes_per_day" if present.out_of_time > in_time else "reviews_per_day"
        yield f"Your daily limit leaves {cards} waiting after a year; a higher {limit}"
        yield "or a lower desired retention would bring them."
    else:
        yield f"Your daily limits leave {cards} waiting after a year; a higher minutes_per_day"
        yield "and reviews_per_day, or a lower desired retention, would bring them."


def _against(other: "Workload", present: "Workload") -> str:
    reviews = other.reviews / present.reviews - 1 if present.reviews else 0.0
    kept = other.remembered / present.remembered - 1
    if abs(reviews) < SAME:
        work = "do as many reviews"
    elif reviews < 0:
        work = f"save {-reviews:.0%} of the reviews"
    else:
        work = f"do {reviews:.0%} more reviews"
    if abs(kept) < SAME:
        return f"{work} and remember as much"
    return f"{work} and remember {abs(kept):.0%} {'more' if kept > 0 else 'less'}"
