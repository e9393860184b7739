"""The command `rate`: a review that a script records."""

import sys
from datetime import datetime
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.options import AsJson, CardArgument
from quizzer.cli.terminal.output import print_json, print_line, print_note
from quizzer.deck import Entry
from quizzer.plan.leeches import advice, is_leech, newly
from quizzer.plan.queue import due_at, step_of
from quizzer.session.rating import commit
from quizzer.text import did_you_mean, instant, span
from quizzer.values import Progress, Rating


def rate(
    workspace: Workspace,
    card: CardArgument,
    rating: Annotated[str, typer.Argument(metavar="again|hard|good|easy")],
    as_json: AsJson = False,
) -> None:
    """Record a review from a script."""
    chosen = _rating(rating)
    workspace.glance()
    entry = workspace.entry(card)
    if not workspace.seen([entry]):
        entry = workspace.entry(card)
    header = entry.header
    with workspace.open_store() as store:
        for warning in workspace.warnings(store, [entry]):
            print_note(warning)
        now = workspace.now()
        before = store.progress_of(header.id)
        commit(store, entry, chosen, workspace.settings, now)
        after = store.progress_of(header.id)
        _say(workspace, entry, chosen, before, after, now, as_json)
        workspace.prove(store)


def _say(
    workspace: Workspace,
    entry: Entry,
    chosen: Rating,
    before: Progress,
    after: Progress,
    now: datetime,
    as_json: bool,
) -> None:
    header = entry.header
    memory = after.memory
    assert memory is not None
    if as_json:
        print_json(
            {
                "card": header.id,
                "rating": chosen.label,
                "due": instant(due_at(memory, entry, workspace.settings, now)),
                "interval_days": memory.interval,
                "stability": memory.stability,
                "difficulty_fsrs": memory.difficulty,
                "leech": is_leech(after),
            }
        )
    else:
        step = step_of(memory, entry, workspace.settings)
        print_line(f"{header.id}: {chosen.label}, next in {span(memory.interval, step)}")
    if lapses := newly(before, after):
        print_note(advice(header.id, lapses))
    sys.stdout.flush()


def _rating(name: str) -> Rating:
    labels = [rating.label for rating in Rating]
    if name.lower() not in labels:
        hint = did_you_mean(name, labels) or ": again, hard, good or easy"
        raise Usage(f"no rating `{name}`{hint}")
    return Rating[name.upper()]
