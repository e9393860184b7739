"""The command `stats`: numbers, and pictures of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from quizzer.app.workspace import Workspace
from quizzer.cli.commands import exam as exams
from quizzer.cli.commands import stats_ahead as coming
from quizzer.cli.options import AsJson, CourseOption, wanted
from quizzer.cli.terminal.charts import bars, heat_map, sparkline
from quizzer.cli.terminal.output import (
    can_draw,
    instant,
    iso_day,
    print_json,
    say,
    screen_width,
    tell,
)
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Deck
from quizzer.forecast.exam_outlook import Outlook, outlooks
from quizzer.plan.leeches import is_leech
from quizzer.plan.pace import pace_of
from quizzer.stats.tally import Retention, Tally, tally
from quizzer.store import Store
from quizzer.text import count, one_line
from quizzer.values import Dispute, Event

MARGIN = 12
STABILITIES = ((7, "a week"), (30, "a month"), (91, "3 months"), (365, "a year"))
"""Upper bounds in days."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """All that is shown of the past, and the exams ahead."""

    cards: int
    added: Tally
    leeches: list[str]
    exams: list[Outlook]


def stats(
    ctx: typer.Context,
    courses: CourseOption = None,
    ahead: Annotated[
        bool, typer.Option("--ahead", help="The coming 90 days, and other desired retentions.")
    ] = False,
    database: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="ADDRESS",
            help="All learners of a course's database, postgresql://…: which cards and mistakes "
            "hurt.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Reviews, retention, forecast and mistakes."""
    workspace: Workspace = ctx.obj
    workspace.introduce()
    if database:
        from quizzer.cli.commands import stats_class as classroom

        classroom.show(workspace, database, courses, as_json)
        return
    deck = _of_courses(workspace, courses or [])
    with workspace.open_store(read_only=True) as store:
        found = coming.look(workspace, store, deck) if ahead else None
        if found and not as_json:
            _put(coming.lines(found, not can_draw(), MARGIN))
            return
        with busy("adding up the reviews"):
            numbers = _numbers(workspace, store, deck, all_events=not courses)
    if as_json:
        print_json(_document(numbers) | ({"ahead": coming.document(found)} if found else {}))
    else:
        _print(workspace, numbers)


def _of_courses(workspace: Workspace, courses: list[str]) -> Deck:
    """The deck as if it had the cards of these courses only; ids of others are still known.

    Raises Usage for a course without a card.
    """
    deck = workspace.deck
    for course in courses:
        if not any(map(wanted([course]).matches, deck.entries)):
            raise exams.no_course(deck, course, workspace.deck_name)
    return replace(deck, entries=tuple(filter(wanted(courses).matches, deck.entries)))


def _numbers(workspace: Workspace, store: Store, deck: Deck, all_events: bool) -> _Numbers:
    """What is shown of the deck's cards; `all_events` counts those of cards now gone as well."""
    today = workspace.today()
    cards = {entry.id for entry in deck.entries}
    courses = {entry.header.course.casefold() for entry in deck.entries}
    progress = {card: known for card, known in store.progress().items() if card in cards}
    undone = store.undone_ids()

    def meant(events: Iterable[Event]) -> list[Event]:
        standing = (event for event in events if event.id not in undone)
        return [event for event in standing if all_events or event.fact.card in cards]

    pace = pace_of(workspace.deck, store)
    toward = outlooks(workspace.deck, store, workspace.settings, today, pace)
    return _Numbers(
        cards=len(cards),
        added=tally(
            [review for review in store.brief_reviews() if all_events or review.card in cards],
            meant(store.wrong_attempts()),
            meant(store.events(kinds=(Dispute,))),
            progress,
            today,
            workspace.settings.parameters,
        ),
        leeches=sorted(card for card, known in progress.items() if is_leech(known)),
        exams=[outlook for outlook in toward if outlook.course.casefold() in courses],
    )


def _print(workspace: Workspace, numbers: _Numbers) -> None:
    added, width = numbers.added, screen_width() - MARGIN
    target = workspace.settings.desired_retention
    _put(_lines(added, workspace.deck, workspace.today(), target))
    for outlook in numbers.exams:
        _put(_labelled("exam", exams.picture(outlook, width, not can_draw())))
    if numbers.leeches:
        _put([("leeches", one_line(", ".join(numbers.leeches), width))])
    _put(("disputed", one_line(line, width)) for line in _disputed(added))
    if not added.reviews:
        say("No review yet. Start with: quizzer review")


def _disputed(added: Tally) -> Iterator[str]:
    for event in added.disputes:
        if isinstance(fact := event.fact, Dispute):
            said = f"{fact.card}, {fact.name}: {fact.answer}"
            yield f"{event.at:%Y-%m-%d}  {said} (was {fact.verdict.value})"


def _put(rows: Iterable[tuple[str, str]]) -> None:
    for label, value in rows:
        tell(f"{label:<{MARGIN}}{value}".rstrip(), indent=MARGIN)


def _lines(added: Tally, deck: Deck, today: int, target: float) -> Iterator[tuple[str, str]]:
    """Label and value of each line, the pictures among them."""
    ascii = not can_draw()
    width = screen_width() - MARGIN
    streak = f", {count(added.streak_days, 'day')} in a row" if added.streak_days else ""
    yield "reviews", f"{added.reviews}{streak}"
    if added.reviews:
        for number, line in enumerate(heat_map(added.per_day, today, min(52, width - 4), ascii)):
            yield ("this year" if number == 0 else ""), line
    kinds = zip(_shares(added.retention_30d), _shares(added.retention_all), strict=True)
    remembered, expected = (
        f"{_percent(lately)} in 30 days, {_percent(ever)} in all" for lately, ever in kinds
    )
    yield "remembered", f"{remembered}; wanted {target:.0%}"
    if added.retention_all:
        yield "expected", f"{expected}, by FSRS"
    if len(added.retention_by_week) > 1:
        weeks = list(added.retention_by_week.values())[-width + 20 :]
        yield "", f"{sparkline(weeks, ascii)} by week, lowest {min(weeks):.0%}"
    yield from _coming(added, ascii)
    yield from _labelled("stability", bars(_stabilities(added), width - 4, ascii))
    yield from _labelled("hours", bars(_hours(added, deck), width - 4, ascii))
    for number, mistake in enumerate(added.mistakes):
        cards = one_line(", ".join(mistake.cards), width - 24)
        yield ("mistakes" if number == 0 else ""), f"{mistake.code:<20}{mistake.times:>3} {cards}"


def _coming(added: Tally, ascii: bool) -> Iterator[tuple[str, str]]:
    week = list(added.forecast.items())[:7]
    if not any(added.forecast.values()):
        yield "coming", "nothing in the next 30 days"
        return
    if any(due for _, due in week):
        dates = ["today", *(f"{iso_day(day)}" for day, _ in week[1:])]
        rows = [(f"{date:<10} {due:>4}", due) for date, (_, due) in zip(dates, week, strict=True)]
        yield from _labelled("coming", bars(rows, screen_width() - MARGIN - 20, ascii))
    else:
        yield "coming", "nothing in the next 7 days"
    days = list(added.forecast.values())[: screen_width() - MARGIN]
    yield "", f"{sparkline(days, ascii)} {len(days) - 1} days, at most {max(days)} a day"


def _labelled(label: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        yield ("" if number else label), line


def _stabilities(added: Tally) -> list[tuple[str, float]]:
    """How many cards hold how long; nothing without cards."""
    if not added.stabilities:
        return []
    rows, low = [], 0.0
    for high, name in STABILITIES:
        within = sum(low <= stability < high for stability in added.stabilities)
        rows.append((f"below {name:<8} {within:>4}", float(within)))
        low = high
    beyond = sum(stability >= low for stability in added.stabilities)
    return [*rows, (f"longer         {beyond:>4}", float(beyond))]


def _hours(added: Tally, deck: Deck) -> list[tuple[str, float]]:
    """Hours spent by type of card, the longest first; cards whose file is gone are `other`."""
    types = Counter[str]()
    for card, seconds in added.seconds.items():
        entry = deck.by_id.get(card)
        types[entry.header.type if entry else "other"] += round(seconds)
    longest = max((len(name) for name in types), default=0)
    return [
        (f"{name:<{longest}} {spent / 3600:6.1f}", spent / 3600)
        for name, spent in types.most_common()
        if spent
    ]


def _document(numbers: _Numbers) -> dict[str, object]:
    added = numbers.added
    true_30d, expected_30d = _shares(added.retention_30d)
    true_all, expected_all = _shares(added.retention_all)
    return {
        "cards": numbers.cards,
        "reviews": added.reviews,
        "streak_days": added.streak_days,
        "retention": {
            "true_30d": true_30d,
            "true_all": true_all,
            "expected_30d": expected_30d,
            "expected_all": expected_all,
        },
        "retention_by_week": {
            str(iso_day(monday)): share for monday, share in added.retention_by_week.items()
        },
        "per_day": {str(iso_day(day)): n for day, n in added.per_day.items()},
        "forecast": {str(iso_day(day)): n for day, n in added.forecast.items()},
        "stabilities": list(added.stabilities),
        "seconds": dict(added.seconds),
        "mistakes": {mistake.code: mistake.times for mistake in added.mistakes},
        "mistake_cards": {mistake.code: list(mistake.cards) for mistake in added.mistakes},
        "disputes": [
            {
                "at": instant(event.at),
                "card": event.fact.card,
                "name": event.fact.name,
                "answer": event.fact.answer,
                "verdict": event.fact.verdict.value,
                "seed": event.fact.seed,
            }
            for event in added.disputes
            if isinstance(event.fact, Dispute)
        ],
        "leeches": numbers.leeches,
        "exams": [exams.document(outlook) for outlook in numbers.exams],
    }


def _shares(found: Retention | None) -> tuple[float | None, float | None]:
    """What was remembered, and what was expected to be."""
    return (found.remembered, found.expected) if found else (None, None)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
