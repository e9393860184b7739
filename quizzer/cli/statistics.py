"""The command `stats`."""

import typer

from quizzer.cli.options import AsJson
from quizzer.cli.output import count, instant, iso_day, print_json
from quizzer.cli.workspace import Workspace
from quizzer.review import Dispute
from quizzer.session.tally import Tally, tally
from quizzer.text import one_line


def register(app: typer.Typer) -> None:
    app.command()(stats)


def stats(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Reviews, retention, what is coming, and the most frequent mistakes."""
    workspace: Workspace = ctx.obj
    with workspace.open_store(read_only=True) as store:
        added = tally(store.events(), store.undone_ids(), store.progress(), workspace.today())
    cards = len(workspace.deck.entries)
    if as_json:
        print_json(_document(added, cards))
        return
    print(f"{workspace.deck_name}: {count(cards, 'card')}")
    print(f"{count(added.reviews, 'review')}, {count(added.streak_days, 'day')} in a row")
    print(
        f"remembered: {_share(added.retention_30d)} in 30 days, "
        f"{_share(added.retention_all)} in all"
    )
    week = list(added.forecast.items())[:7]
    print("coming: " + ", ".join(f"{iso_day(day)} {due}" for day, due in week))
    if added.mistakes:
        print("mistakes: " + ", ".join(f"{code} {n}" for code, n in added.mistakes.items()))
    for event in added.disputes:
        if isinstance(event.fact, Dispute):
            said = f"{event.fact.card} {event.fact.name}: {one_line(event.fact.answer, 50)}"
            print(f"disputed {event.at:%Y-%m-%d}: {said} (was {event.fact.verdict.value})")


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
