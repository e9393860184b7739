"""The pages that only show: cards with their histories, and statistics."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quizzer.app.failure import Usage
from quizzer.card import Card
from quizzer.deck import Deck, Entry, Filter
from quizzer.plan.leeches import is_leech
from quizzer.plan.queue import FLAGGED, is_wanted
from quizzer.session import sentences
from quizzer.stats.figures import figures
from quizzer.stats.tally import Retention
from quizzer.text import iso_day, minutes
from quizzer.values import UNSEEN, Dispute, Progress, Review, State
from quizzer.web import acting, charts, pages
from quizzer.web.desk import Desk, Threads
from quizzer.web.editing import open_editor
from quizzer.web.markup import CardPrinter

MOST = 300
"""Rows of a list; more of them are found by a narrower search."""
STATUSES = ("to_learn", "mastered", "flagged", "leech")


class Row(Struct, frozen=True):
    """A card in the list."""

    entry: Entry
    when: str
    flagged: bool
    leech: bool


class Listed(Struct, frozen=True):
    """The list, and what it may be narrowed to."""

    rows: tuple[Row, ...]
    total: int
    chosen: Mapping[str, str]
    courses: tuple[str, ...]
    tags: tuple[str, ...]


class Unfolded(Struct, frozen=True):
    """One card with all that happened to it."""

    row: Row
    card: Card
    printer: CardPrinter
    path: str
    events: tuple[tuple[str, str, bool], ...]
    """When, what, and whether it was undone, the newest first."""


async def cards(request: Request, desk: Desk, threads: Threads) -> Response:
    """All cards, or those that are searched for."""
    names = ("search", "course", "tag", "status")
    chosen = {name: request.query_params.get(name, "").strip() for name in names}
    found = await threads.at_desk(_listed, desk, chosen)
    return pages.page(request, "cards.html", here="cards", listed=found, statuses=STATUSES)


async def card(request: Request, desk: Desk, threads: Threads) -> Response:
    """One card: question, solution, history."""
    found = await threads.at_desk(_unfolded, desk, request.path_params["card"])
    written = "written" in request.query_params
    news = f"Saved in {found.path}. It will come as a new card." if written else ""
    return pages.page(
        request, "unfolded.html", here="cards", found=found, written=written, news=news
    )


async def edit(request: Request, desk: Desk, threads: Threads) -> Response:
    """Open a card in the editor, and show it."""
    card = (await acting.form(request)).get("card", "")
    found, news = await threads.at_desk(_edit, desk, card)
    return pages.page(request, "unfolded.html", here="cards", found=found, written=False, news=news)


async def stats(request: Request, desk: Desk, threads: Threads) -> Response:
    """What the reviews add up to."""
    values = await threads.at_desk(_figures, desk)
    return pages.page(request, "stats.html", here="stats", **values)


def _listed(desk: Desk, chosen: Mapping[str, str]) -> Listed:
    deck = present_deck(desk)

    def one(name: str) -> tuple[str, ...]:
        return (chosen[name],) if chosen[name] else ()

    wanted = Filter(
        courses=one("course"), tags=one("tag"), statuses=one("status"), text=chosen["search"]
    )
    progress = desk.store.progress()
    rows = [
        _row(entry, progress.get(entry.id, UNSEEN))
        for entry in deck.entries
        if is_wanted(entry, progress.get(entry.id, UNSEEN), wanted)
    ]
    return Listed(tuple(rows[:MOST]), len(rows), chosen, *choices(deck))


def choices(deck: Deck) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The courses and the tags of a deck."""
    headers = [entry.header for entry in deck.entries]
    return (
        tuple(sorted({header.course for header in headers if header.course})),
        tuple(sorted({tag for header in headers for tag in header.tags})),
    )


def present_deck(desk: Desk) -> Deck:
    """The deck as its files are now; that of a session which runs stays as it was."""
    if desk.turn() is None:
        desk.workspace.read_again()
    return desk.workspace.deck


def _row(entry: Entry, progress: Progress) -> Row:
    memory = progress.memory
    due = progress.state is State.REVIEW and memory
    return Row(
        entry,
        when=str(iso_day(memory.due_day)) if due and memory else progress.state.value,
        flagged=progress.flagged or entry.header.status == FLAGGED,
        leech=is_leech(progress),
    )


def _unfolded(desk: Desk, card: str) -> Unfolded:
    workspace, store = desk.workspace, desk.store
    entry = workspace.entry(card)
    read = workspace.read(entry)
    undone = store.undone_ids()
    events = [
        (f"{event.at:%Y-%m-%d %H:%M}", sentences.happened(event.fact), event.id in undone)
        for event in store.events(card=entry.id)
    ]
    return Unfolded(
        _row(entry, store.progress_of(entry.id)),
        read,
        CardPrinter(workspace, entry, read),
        workspace.short(entry.path),
        tuple(events[::-1]),
    )


def _edit(desk: Desk, card: str) -> tuple[Unfolded, str]:
    try:
        news = open_editor(desk.workspace, desk.workspace.entry(card))
    except Usage as error:
        news = str(error)
    return _unfolded(desk, card), news


def _figures(desk: Desk) -> dict[str, object]:
    workspace, store = desk.workspace, desk.store
    today, settings = workspace.today(), workspace.settings
    past = figures(store, present_deck(desk), today, settings.parameters, all_events=True)
    added = past.tally
    weeks = added.retention_by_week
    return {
        "past": past,
        "year": charts.year(added.per_day, today),
        "days": [(iso_day(day), n) for day, n in sorted(added.per_day.items(), reverse=True)],
        "forecast": charts.columns(added.forecast, today),
        "coming": [(iso_day(day), n) for day, n in added.forecast.items() if n],
        "retention": charts.curve(weeks, settings.desired_retention) if len(weeks) > 1 else None,
        "weeks": [(iso_day(monday), f"{share:.0%}") for monday, share in weeks.items()][::-1],
        "remembered": tuple(_remembered(added.retention_30d, added.retention_all)),
        "wanted": f"{settings.desired_retention:.0%}",
        "hours": [(kind, minutes(spent)) for kind, spent in past.seconds_by_type.items()],
        "disputes": [
            (f"{event.at:%Y-%m-%d}", event.fact)
            for event in added.disputes
            if isinstance(event.fact, Dispute)
        ],
        "reviewed": any(isinstance(event.fact, Review) for event in store.events(kinds=[Review])),
    }


def _remembered(
    lately: Retention | None, ever: Retention | None
) -> Iterator[tuple[str, str, str, int]]:
    """For each period what was remembered, what was expected, and of how many reviews."""
    for period, found in (("the last 30 days", lately), ("all time", ever)):
        if found:
            yield period, f"{found.remembered:.0%}", f"{found.expected:.0%}", found.reviews
