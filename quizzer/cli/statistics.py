"""The command `stats`."""

from collections.abc import Iterator

import typer

from quizzer.cli.options import AsJson
from quizzer.cli.output import count, instant, iso_day, print_json, put, say, screen_width
from quizzer.cli.workspace import Workspace
from quizzer.review import Dispute
from quizzer.session.tally import Tally, tally
from quizzer.text import one_line


def register(app: typer.Typer) -> None:
    app.command()(stats)


def stats(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Reviews, retention, forecast and mistakes."""
    workspace: Workspace = ctx.obj
    workspace.introduce()
    with workspace.open_store(read_only=True) as store:
        added = tally(store.events(), store.undone_ids(), store.progress(), workspace.today())
    cards = len(workspace.deck.entries)
    if as_json:
        print_json(_document(added, cards))
        return
    for label, value in _lines(added):
        put(f"{label:<12}{value}")
    for event in added.disputes:
        if isinstance(event.fact, Dispute):
            said = f"{event.fact.card}, {event.fact.name}: {event.fact.answer}"
            line = f"{event.at:%Y-%m-%d}  {said} (was {event.fact.verdict.value})"
            put(f"{'disputed':<12}{one_line(line, screen_width() - 12)}")
    if not added.reviews:
        say("No review yet. Start with: quizzer review")


def _lines(added: Tally) -> Iterator[tuple[str, str]]:
    streak = f", {count(added.streak_days, 'day')} in a row" if added.streak_days else ""
    yield "reviews", f"{added.reviews}{streak}"
    yield (
        "remembered",
        f"{_share(added.retention_30d)} in 30 days, {_share(added.retention_all)} in all",
    )
    week = list(added.forecast.items())[:7]
    if not any(due for _, due in week):
        yield "coming", "nothing in the next 7 days"
        week = []
    for number, (day, due) in enumerate(week):
        bar = "▪" * min(due, screen_width() - 30)
        date = "today" if number == 0 else f"{iso_day(day)}"
        yield ("" if number else "coming"), f"{date:<10}  {due:>3}  {bar}".rstrip()
    for number, (code, times) in enumerate(added.mistakes.items()):
        yield ("mistakes" if number == 0 else ""), f"{code:<20}{times:>3}"


def _document(added: Tally, cards: int) -> dict[str, object]:
    return {
        "cards": cards,
        "reviews": added.reviews,
        "streak_days": added.streak_days,
        "retention": {"true_30d": added.retention_30d, "true_all": added.retention_all},
        "per_day": {str(iso_day(day)): n for day, n in added.per_day.items()},
        "forecast": {str(iso_day(day)): n for day, n in added.forecast.items()},
        "mistakes": dict(added.mistakes),
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
