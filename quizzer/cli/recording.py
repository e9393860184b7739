"""Commands that add an event to the log: `rate`, `undo`, `suspend`, `bury`, `reset`; `backup`."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from quizzer.cli.failure import Failure, Usage
from quizzer.cli.options import AsJson, CardArgument, CardsArgument
from quizzer.cli.output import count, instant, print_json, say, span
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry
from quizzer.review import Bury, Fact, Progress, Rating, Reset, Review, Suspend, Unsuspend
from quizzer.schedule.scheduler import schedule


def register(app: typer.Typer) -> None:
    for command in (rate, undo, suspend, unsuspend, bury, reset, backup):
        app.command()(command)


def rate(
    ctx: typer.Context,
    card: CardArgument,
    rating: Annotated[str, typer.Argument(metavar="again|hard|good|easy")],
    as_json: AsJson = False,
) -> None:
    """Record a review from a script."""
    workspace: Workspace = ctx.obj
    try:
        chosen = Rating[rating.upper()]
    except KeyError:
        raise Usage(f"no rating `{rating}`: again, hard, good or easy") from None
    entry = workspace.entry(card)
    header = entry.header
    with workspace.open_store() as store:
        now, day = workspace.now(), workspace.today()
        before = store.progress_of(header.id)
        policy = workspace.settings.policy(header.course)
        memory = schedule(header.id, before.memory, chosen, now, day, policy)
        store.record(
            Review(
                card=header.id,
                rating=chosen,
                interval=memory.interval,
                state=before.stage,
                path=str(entry.path.resolve()),
            ),
            at=now,
            day=day,
        )
    if as_json:
        print_json(
            {
                "card": header.id,
                "rating": chosen.label,
                "due": instant(memory.due_at(now, workspace.settings.rollover_hour)),
                "interval_days": memory.interval,
                "stability": memory.stability,
                "difficulty_fsrs": memory.difficulty,
            }
        )
    else:
        print(f"{header.id}: {chosen.label}, again in {span(memory.interval)}")


def undo(ctx: typer.Context) -> None:
    """Take back the newest rating of this device; again and again."""
    workspace: Workspace = ctx.obj
    with workspace.open_store() as store:
        undone = store.undo(workspace.now(), workspace.today())
    if undone is None or not isinstance(undone.fact, Review):
        say("there is no rating to take back")
        return
    review = undone.fact
    print(f"took back {review.rating.label} on {review.card} of {undone.at:%Y-%m-%d %H:%M}")


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
    """Make cards new again; what was reviewed before stays in the log."""
    _record_for(ctx.obj, cards, Reset, "new again", lambda p: p.memory is not None)


def backup(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(help="Where to; a dated name beside the history otherwise.")
    ] = None,
) -> None:
    """Copy the history, whole and consistent, also while a session runs."""
    workspace: Workspace = ctx.obj
    if not workspace.store_path.exists():
        raise Failure(f"there is no history yet at {workspace.short(workspace.store_path)}")
    target = file or workspace.store_path.with_name(
        f"{workspace.store_path.stem}-{workspace.now():%Y-%m-%d-%H%M%S}.db"
    )
    if target.exists():
        raise Usage(f"{target} exists; nothing was overwritten. Name another file.")
    with workspace.open_store(read_only=True) as store:
        store.backup_to(target)
    print(f"copied to {target}")


def _record_for(
    workspace: Workspace,
    keys: list[str],
    fact: Callable[[str], Fact],
    done: str,
    changes: Callable[[Progress], bool],
) -> None:
    """One event for each card that it changes, all in one transaction."""
    entries: list[Entry] = [workspace.entry(key) for key in keys]
    with workspace.open_store() as store:
        ids = [e.header.id for e in entries if changes(store.progress_of(e.header.id))]
        if ids:
            store.record(*map(fact, ids), at=workspace.now(), day=workspace.today())
    for card in ids:
        print(f"{card}: {done}")
    if left := len(entries) - len(ids):
        say(f"{count(left, 'card')} left as before")
