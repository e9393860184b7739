"""The command `stats`: figures of the past, and charts of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

import typer
from msgspec.structs import replace

from quizzer.app.exams import kept
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.commands import exam as exams
from quizzer.cli.commands import stats_ahead as coming
from quizzer.cli.options import AsJson, CourseOption
from quizzer.cli.terminal.charts import bars, heat_map, sparkline
from quizzer.cli.terminal.output import can_draw, print_json, print_note, print_text, screen_width
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Deck, Filter
from quizzer.forecast.outlook import Outlook
from quizzer.stats.figures import Figures, figures, in_bands
from quizzer.stats.streak import in_words
from quizzer.stats.tally import Retention, Tally
from quizzer.store import Store
from quizzer.text import count, instant, iso_day, one_line
from quizzer.values import Dispute

MARGIN = 12
MOST_STEPS = 5
STABILITIES = {"a week": 7, "a month": 30, "3 months": 91, "a year": 365}
"""Upper bounds in days."""


def stats(
    workspace: Workspace,
    courses: CourseOption = None,
    ahead: Annotated[
        bool, typer.Option("--ahead", help="The next 90 days, and other desired retentions.")
    ] = False,
    database: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="ADDRESS|FOLDER",
            help="All learners in the database of a course, postgresql://…, or in a folder with "
            "their reports: which cards and mistakes hurt.",
            show_default=False,
        ),
    ] = None,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="With --from: a table for a spreadsheet.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Reviews, retention, forecast and mistakes."""
    workspace.introduce()
    if as_csv and (as_json or not database):
        raise Usage("--csv goes with --from, and without --json")
    if database:
        from quizzer.cli.commands import stats_class as classroom

        classroom.show(workspace, database, courses, as_json, as_csv)
        return
    deck = _of_courses(workspace, courses or [])
    with workspace.open_store(read_only=True) as store:
        found = coming.look(workspace, store, deck) if ahead else None
        if found and not as_json:
            _print_rows(coming.lines(found, not can_draw(), MARGIN))
            return
        with busy("adding up the reviews"):
            today, parameters = workspace.today(), workspace.settings.parameters
            past = figures(store, deck, today, parameters, all_events=not courses)
            toward = _exams(workspace, store, deck)
    if as_json:
        more = {"ahead": coming.document(found)} if found else {}
        print_json(_document(past, toward) | more)
    else:
        _print(workspace, past, toward)


def _of_courses(workspace: Workspace, courses: list[str]) -> Deck:
    """The deck as if it had the cards of these courses only; ids of others are still known.

    Raises Usage for a course without a card.
    """
    deck = workspace.deck
    if not courses:
        return deck
    for course in courses:
        if not any(map(Filter(courses=(course,)).matches, deck.entries)):
            raise exams.no_course(deck, course, workspace.deck_name)
    chosen = Filter(courses=tuple(courses))
    return replace(deck, entries=tuple(filter(chosen.matches, deck.entries)))


def _exams(workspace: Workspace, store: Store, deck: Deck) -> list[Outlook]:
    """The exams ahead in the courses of these cards."""
    found = kept(workspace, store).shown()
    courses = {entry.header.course.casefold() for entry in deck.entries} if found else ()
    return [outlook for outlook in found if outlook.course.casefold() in courses]


def _print(workspace: Workspace, past: Figures, toward: list[Outlook]) -> None:
    added, width = past.tally, screen_width() - MARGIN
    _print_rows(_lines(past, workspace.today(), workspace.settings.desired_retention))
    for outlook in toward:
        _print_rows(_labelled("exam", exams.picture(outlook, width, not can_draw())))
    if past.leeches:
        _print_rows([("leeches", one_line(", ".join(past.leeches), width))])
    _print_rows(("disputed", one_line(line, width)) for line in _disputed(added))
    if not added.reviews:
        print_note("No review yet. Start with: quizzer review")


def _disputed(added: Tally) -> Iterator[str]:
    for event in added.disputes:
        if isinstance(fact := event.fact, Dispute):
            said = f"{fact.card}, {fact.name}: {fact.answer}"
            yield f"{event.at:%Y-%m-%d}  {said} (was {fact.verdict.value})"


def _print_rows(rows: Iterable[tuple[str, str]]) -> None:
    for label, value in rows:
        print_text(f"{label:<{MARGIN}}{value}".rstrip(), indent=MARGIN)


def _lines(past: Figures, today: int, target: float) -> Iterator[tuple[str, str]]:
    """Label and value of each line, charts included."""
    added, ascii = past.tally, not can_draw()
    width = screen_width() - MARGIN
    yield "reviews", ", ".join(filter(None, (str(added.reviews), in_words(added.streak))))
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
    if past.reviews_for_fit:
        since = count(past.reviews_for_fit, "review")
        yield "", f"quizzer fit can learn how you forget from {since} that no fit has seen"
    if len(added.retention_by_week) > 1:
        weeks = list(added.retention_by_week.values())[-width + 20 :]
        yield "", f"{sparkline(weeks, ascii)} by week, lowest {min(weeks):.0%}"
    yield from _coming(added, ascii)
    yield from _labelled("stability", bars(_stabilities(added), width - 4, ascii))
    yield from _labelled("hours", bars(_hours(past.seconds_by_type), width - 4, ascii))
    for number, mistake in enumerate(added.mistakes):
        cards = one_line(", ".join(mistake.cards), width - 24)
        yield ("mistakes" if number == 0 else ""), f"{mistake.code:<20}{mistake.times:>3} {cards}"
    often = [each for each in added.broken_steps if each.times > 1][:MOST_STEPS]
    for number, each in enumerate(often):
        line = f"{each.times} of {each.tries} wrong tries at {each.card} broke at {each.step}"
        yield ("steps" if number == 0 else ""), one_line(line, width)


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
    """How many cards last how long; nothing without cards."""
    if not added.stabilities:
        return []
    counts = in_bands(added.stabilities, STABILITIES.values())
    names = [*(f"below {name:<8}" for name in STABILITIES), f"{'longer':<14}"]
    return [(f"{name} {cards:>4}", cards) for name, cards in zip(names, counts, strict=True)]


def _hours(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    longest = max(map(len, seconds), default=0)
    return [
        (f"{name:<{longest}} {spent / 3600:6.1f}", spent / 3600) for name, spent in seconds.items()
    ]


def _document(past: Figures, toward: Iterable[Outlook]) -> dict[str, object]:
    added = past.tally
    true_30d, expected_30d = _shares(added.retention_30d)
    true_all, expected_all = _shares(added.retention_all)
    return {
        "cards": past.cards,
        "reviews": added.reviews,
        "streak_days": added.streak.days,
        "retention": {
            "true_30d": true_30d,
            "true_all": true_all,
            "expected_30d": expected_30d,
            "expected_all": expected_all,
        },
        "reviews_for_fit": past.reviews_for_fit,
        "retention_by_week": {
            str(iso_day(monday)): share for monday, share in added.retention_by_week.items()
        },
        "per_day": {str(iso_day(day)): n for day, n in added.per_day.items()},
        "forecast": {str(iso_day(day)): n for day, n in added.forecast.items()},
        "stabilities": list(added.stabilities),
        "seconds": dict(added.seconds),
        "mistakes": {mistake.code: mistake.times for mistake in added.mistakes},
        "mistake_cards": {mistake.code: list(mistake.cards) for mistake in added.mistakes},
        "broken_steps": [
            {"card": each.card, "step": each.step, "times": each.times, "tries": each.tries}
            for each in added.broken_steps
        ],
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
        "leeches": list(past.leeches),
        "exams": [exams.document(outlook) for outlook in toward],
    }


def _shares(found: Retention | None) -> tuple[float | None, float | None]:
    """What was remembered, and what was expected to be."""
    return (found.remembered, found.expected) if found else (None, None)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
