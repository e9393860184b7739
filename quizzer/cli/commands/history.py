"""The command `history`: all that happened to one card."""

import math
from enum import Enum

from quizzer.app.workspace import Workspace
from quizzer.cli.options import AsJson, CardArgument
from quizzer.cli.terminal.charts import curve
from quizzer.cli.terminal.output import can_draw, print_json, print_line, print_note
from quizzer.session import sentences
from quizzer.stats.recall import Recall, recall
from quizzer.store.clock import SLACK
from quizzer.text import count, instant, iso_day
from quizzer.values import Event, Review

CURVE = 60
"""Columns of the recall curve."""


def history(workspace: Workspace, card: CardArgument, as_json: AsJson = False) -> None:
    """Everything that happened to one card."""
    with workspace.open_store(read_only=True) as store:
        # The log outlives the file: an id without a card may still have a history.
        known = card in workspace.deck.by_id or store.events(card=card)
        card_id = card if known else workspace.entry(card).id
        events = store.events(card=card_id)
        undone = store.undone_ids()
        memory = store.progress_of(card_id).memory
    if as_json:
        print_json([_event_row(event, event.id in undone) for event in events])
        return
    if known and card not in workspace.deck.by_id:
        print_note(f"{card}: no file in {workspace.deck_name} has this id now")
    if not events:
        print_note(f"{card_id}: never reviewed")
        return
    newest = events[0].at
    for event in events:
        mark = "  (undone)" if event.id in undone else ""
        # They are in the order in which they were recorded, in which memory takes them too.
        mark += "  (the clock had gone back)" if newest - event.at > SLACK else ""
        newest = max(newest, event.at)
        print_line(f"{event.at:%Y-%m-%d %H:%M}  {sentences.happened(event.fact)}{mark}")
    if memory:
        until = max(workspace.today(), memory.due_day)
        parameters = workspace.settings.parameters
        _draw_recall(recall(events, undone, until, CURVE, parameters))
        print_note(
            f"due {iso_day(memory.due_day)}, stability {memory.stability:.1f} days, "
            f"difficulty {memory.difficulty:.1f} of 10, {count(memory.lapses, 'lapse')}"
        )


def _draw_recall(found: Recall | None) -> None:
    """The chance of recall over the card's life, its ratings marked below."""
    if found is None:
        return
    marks = {place: str(review.rating.value) for place, review in found.reviews}
    # From the tenth below the lowest point, so that forgetting a little is seen too.
    low = min(0.8, math.floor(10 * min(found.values)) / 10)
    for line in curve(found.values, marks, low=low, ascii=not can_draw()):
        print_line(line)
    first, last = iso_day(found.first_day), iso_day(found.last_day)
    print_line(f"{'':5}{first}{last:>{CURVE - 10}}")


def _event_row(event: Event, undone: bool) -> dict[str, object]:
    fact = event.fact
    details = {
        name: value.value if isinstance(value, Enum) else value
        for name in getattr(fact, "__struct_fields__", ())
        if name not in ("card", "path") and (value := getattr(fact, name)) is not None
    }
    if isinstance(fact, Review):
        details["rating"] = fact.rating.label
        if fact.suggested:
            details["suggested"] = fact.suggested.label
    return {
        "id": event.id,
        "at": instant(event.at),
        "day": iso_day(event.day),
        "kind": type(fact).__name__.lower(),
        "undone": undone,
        **details,
    }
