"""The command `stats`: numbers, and pictures of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import typer

from quizzer.cli import ahead as coming
from quizzer.cli import exams
from quizzer.cli.options import AsJson, CourseOption, wanted
from quizzer.cli.output import can_draw, count, instant, iso_day, print_json, put, say, screen_width
from quizzer.cli.pictures import bars, heat_map, sparkline
from quizzer.cli.waiting import busy
from quizzer.cli.workspace import Workspace
from quizzer.deck import Deck
from quizzer.review import Dispute, Progress
from quizzer.session.exam_outlook import outlooks
from quizzer.session.exams import exams_ahead
from quizzer.session.leeches import is_leech
from quizzer.session.pace import pace_of
from quizzer.session.tally import Tally, tally
from quizzer.text import one_line

MARGIN = 12
STABILITIES = ((7, "a week"), (30, "a month"), (91, "3 months"), (365, "a year"))
"""Upper bounds in days."""


def register(app: typer.Typer) -> None:
    app.command()(stats)


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
        from quizzer.cli import course

        course.show(workspace, database, courses, as_json)
        return
    today = workspace.today()
    chosen = wanted(courses)
    entries = [entry for entry in workspace.deck.entries if chosen.matches(entry)]
    cards = {entry.id for entry in entries}
    named = {entry.header.course.casefold() for entry in entries}
    with workspace.open_store(read_only=True) as store:
        with busy("reading the history"):
            progress = store.progress().items()
            here = {card: known for card, known in progress if card in cards}
        found = coming.look(workspace, store, entries, here) if ahead else None
        if found and not as_json:
            if exams_ahead(workspace.settings, today).keys() & named:
                say("The days ahead are told as if there were no exam; for its plan: quizzer exam")
            _put(coming.lines(found, not can_draw(), MARGIN))
            return
        with busy("adding up the reviews"):
            events = store.events()
            if courses:
                events = [event for event in events if event.fact.card in cards]
            added = tally(events, store.undone_ids(), here, today)
            pace = pace_of(workspace.deck, store)
            toward = [
                outlook
                for outlook in outlooks(workspace.deck, store, workspace.settings, today, pace)
                if outlook.course.casefold() in named
            ]
    if as_json:
        document = _document(added, len(cards)) | {
            "leeches": _leeches(here),
            "exams": [exams.document(each) for each in toward],
        }
        print_json(document | ({"ahead": coming.document(found)} if found else {}))
        return
    retention = workspace.settings.desired_retention
    _put(_lines(added, workspace.deck, today, retention))
    for each in toward:
        drawn = exams.picture(each, screen_width() - MARGIN, not can_draw())
        _put(_labelled("exam", drawn))
    if leeches := _leeches(here):
        put(f"{'leeches':<{MARGIN}}{one_line(', '.join(leeches), screen_width() - MARGIN)}")
    for event in added.disputes:
        if isinstance(event.fact, Dispute):
            said = f"{event.fact.card}, {event.fact.name}: {event.fact.answer}"
            line = f"{event.at:%Y-%m-%d}  {said} (was {event.fact.verdict.value})"
            put(f"{'disputed':<{MARGIN}}{one_line(line, screen_width() - MARGIN)}")
    if not added.reviews:
        say("No review yet. Start with: quizzer review")


def _leeches(progress: Mapping[str, Progress]) -> list[str]:
    return sorted(card for card, known in progress.items() if is_leech(known))


def _put(rows: Iterator[tuple[str, str]]) -> None:
    for label, value in rows:
        put(f"{label:<{MARGIN}}{value}".rstrip())


def _lines(added: Tally, deck: Deck, today: int, target: float) -> Iterator[tuple[str, str]]:
    """Label and value of each line, the pictures among them."""
    ascii = not can_draw()
    width = screen_width() - MARGIN
    streak = f", {count(added.streak_days, 'day')} in a row" if added.streak_days else ""
    yield "reviews", f"{added.reviews}{streak}"
    if added.reviews:
        for number, line in enumerate(heat_map(added.per_day, today, min(52, width - 4), ascii)):
            yield ("this year" if number == 0 else ""), line
    yield (
        "remembered",
        f"{_share(added.retention_30d)} in 30 days, {_share(added.retention_all)} in all, "
        f"wanted {target:.0%}",
    )
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
    most = max(added.forecast.values())
    yield "", f"{sparkline(list(added.forecast.values()), ascii)} 30 days, at most {most} a day"


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


def _document(added: Tally, cards: int) -> dict[str, object]:
    return {
        "cards": cards,
        "reviews": added.reviews,
        "streak_days": added.streak_days,
        "retention": {"true_30d": added.retention_30d, "true_all": added.retention_all},
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
    }


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
