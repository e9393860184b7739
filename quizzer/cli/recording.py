"""Commands that add an event to the log: `rate`, `undo`, `suspend`, `bury`, `reset`."""

from collections.abc import Callable
from typing import Annotated

import typer

from quizzer.cli.failure import Usage
from quizzer.cli.options import AsJson, CardArgument, CardsArgument
from quizzer.cli.output import count, did_you_mean, instant, print_json, put, say, span
from quizzer.cli.workspace import Workspace
from quizzer.plan.leeches import advice, is_leech, newly
from quizzer.session.rating import commit
from quizzer.values import Bury, Fact, Fit, Progress, Rating, Reset, Review, Suspend, Unsuspend


def register(app: typer.Typer) -> None:
    for command in (rate, undo, suspend, unsuspend, bury, reset):
        app.command()(command)


def rate(
    ctx: typer.Context,
    card: CardArgument,
    rating: Annotated[str, typer.Argument(metavar="again|hard|good|easy")],
    as_json: AsJson = False,
) -> None:
    """Record a review from a script."""
    workspace: Workspace = ctx.obj
    chosen = _rating(rating)
    entry = workspace.entry(card)
    header = entry.header
    with workspace.open_store() as store:
        for warning in workspace.warnings(store, [entry]):
            say(warning)
        now = workspace.now()
        before = store.progress_of(header.id)
        commit(store, entry, chosen, workspace.settings, now)
        after = store.progress_of(header.id)
    memory = after.memory
    assert memory is not None
    if as_json:
        print_json(
            {
                "card": header.id,
                "rating": chosen.label,
                "due": instant(memory.due_at(now, workspace.settings.rollover_hour)),
                "interval_days": memory.interval,
                "stability": memory.stability,
                "difficulty_fsrs": memory.difficulty,
                "leech": is_leech(after),
            }
        )
    else:
        put(f"{header.id}: {chosen.label}, next in {span(memory.interval)}")
    if lapses := newly(before, after):
        say(advice(header.id, lapses))


def _rating(name: str) -> Rating:
    labels = [rating.label for rating in Rating]
    if name.lower() not in labels:
        hint = did_you_mean(name, labels) or ": again, hard, good or easy"
        raise Usage(f"no rating `{name}`{hint}")
    return Rating[name.upper()]


def undo(ctx: typer.Context) -> None:
    """Take back the newest rating, or a fit if it is newer.

    That is the newest of this device which stands; again and again.
    """
    workspace: Workspace = ctx.obj
    with workspace.open_store() as store:
        undone = store.undo(workspace.now(), workspace.today(), (Review, Fit))
    if undone and isinstance(undone.fact, Fit):
        put(f"took back the fit of {undone.at:%Y-%m-%d %H:%M}")
        return
    if undone is None or not isinstance(undone.fact, Review):
        say("there is no rating to take back")
        return
    review = undone.fact
    put(f"took back {review.rating.label} on {review.card} of {undone.at:%Y-%m-%d %H:%M}")


def suspend(ctx: typer.Context, cards: CardsArgument) -> None:
    """Keep cards out of the queue until `unsuspend`."""
    _record_for(ctx.obj, cards, Suspend, "suspended", lambda p: not p.suspended)


def unsuspend(ctx: typer.Context, cards: CardsArgument) -> None:
    """Bring suspended cards back."""
    _record_for(ctx.obj, cards, Unsuspend, "back in the queue", lambda p: p.suspended)


def bury(ctx: typer.Context, cards: CardsArgument) -> None:
    """Hide cards until tomorrow."""
    _record_for(ctx.obj, cards, Bury, "buried until tomorrow", lambda p: True)


def reset(ctx: typer.Context, cards: CardsArgument) -> None:
    """Make cards new again.

    What was reviewed before stays in the log.
    """
    _record_for(ctx.obj, cards, Reset, "new again", lambda p: p.memory is not None)


def _record_for(
    workspace: Workspace,
    keys: list[str],
    fact: Callable[[str], Fact],
    done: str,
    changes: Callable[[Progress], bool],
) -> None:
    """One event for each card that it changes, all in one transaction."""
    named = list(dict.fromkeys(workspace.entry(key).id for key in keys))
    with workspace.open_store() as store:
        ids = [card for card in named if changes(store.progress_of(card))]
        if ids:
            store.record(*map(fact, ids), at=workspace.now(), day=workspace.today())
    for card in ids:
        put(f"{card}: {done}")
    if left := len(named) - len(ids):
        say(f"{count(left, 'card')} left as before")
