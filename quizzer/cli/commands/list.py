"""The command `list`: all cards, or those that match the filters."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.known_forms import KnownForms
from quizzer.app.workspace import Workspace
from quizzer.cli.options import AsJson, FilterOptions
from quizzer.cli.terminal.output import (
    id_width,
    print_json,
    print_lines,
    print_note,
    screen_width,
    with_title,
)
from quizzer.deck import Entry
from quizzer.plan.leeches import LAPSES, is_leech
from quizzer.plan.queue import FLAGGED, due_at, is_wanted
from quizzer.plan.settings import Settings
from quizzer.text import count, did_you_mean, instant
from quizzer.values import (
    UNSEEN,
    Progress,
    State,
)

SORT_KEYS = ("id", "course", "due", "difficulty", "stability", "reviews", "lapses")


def list_(
    workspace: Workspace,
    filters: FilterOptions,
    search: Annotated[
        str | None, typer.Option(help="Cards whose text contains this.", show_default=False)
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            help="id, course, due, difficulty, stability, reviews, lapses.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """All cards, or those that match the filters."""
    chosen = filters.filter(text=search)
    in_order = _sort_key(sort) if sort else None
    workspace.introduce()
    with workspace.open_store(read_only=True) as store:
        progress = store.progress()
    now, settings = workspace.now(), workspace.settings
    entries = {
        entry.id: entry
        for entry in workspace.deck.entries
        if is_wanted(entry, progress.get(entry.id, UNSEEN), chosen)
    }
    rows = [row(e, progress.get(e.id, UNSEEN), now, settings) for e in entries.values()]
    if in_order:
        rows.sort(key=in_order)
    if as_json:
        known = KnownForms(workspace)
        print_json([line | with_forms(known, entries[str(line["id"])]) for line in rows])
        return
    width, screen = id_width(entries), screen_width()
    lines = []
    for line in rows:
        card, state = str(line["id"]), str(line["state"])
        marks = (("checker", "✓"), ("flagged", "⚑"), ("leech", "!"))
        mark = "".join(sign if line[key] else " " for key, sign in marks)
        when = str(line["due"])[:10] if state == State.REVIEW else state
        lines.append(with_title(f"{card:<{width}}  {mark} {when:<10}", entries[card], screen))
    print_lines(lines)
    if any(line["checker"] for line in rows):
        print_note("✓ you type the answer and it is verified")
    if any(line["leech"] for line in rows):
        print_note(
            f"! a leech: forgotten {LAPSES} times or more; rewrite it, split it or suspend it"
        )
    if len(rows) < len(workspace.deck.entries):
        print_note(f"{len(rows)} of {count(len(workspace.deck.entries), 'card')} match")


def row(entry: Entry, progress: Progress, now: datetime, settings: Settings) -> dict[str, object]:
    """A card as one row of `list --json`."""
    header, memory = entry.header, progress.memory
    return {
        "id": header.id,
        "path": str(entry.path),
        "course": header.course or None,
        "tags": list(header.tags),
        "difficulty": header.difficulty,
        "type": header.type,
        "status": header.status,
        "points": header.points,
        "checker": entry.checker is not None,
        "declared": entry.checker is not None and entry.checker.suffix != ".py",
        "state": progress.state.value,
        "flagged": progress.flagged or header.status == FLAGGED,
        "leech": is_leech(progress),
        "due": instant(due_at(memory, entry, settings, now)) if memory else None,
        "stability": memory.stability if memory else None,
        "difficulty_fsrs": memory.difficulty if memory else None,
        "reviews": memory.reviews if memory else 0,
        "lapses": memory.lapses if memory else 0,
    }


def with_forms(known: KnownForms, entry: Entry) -> dict[str, object]:
    """The forms that a card can have, for its row; null until they have been worked out."""
    forms = known.of(entry)
    return {"forms": None if forms is None else [form.value for form in forms]}


def _sort_key(name: str) -> Callable[[dict[str, object]], tuple[bool, object]]:
    """Ascending, cards without the value last."""
    if name not in SORT_KEYS:
        hint = did_you_mean(name, SORT_KEYS) or f": choose from {', '.join(SORT_KEYS)}"
        raise Usage(f"cannot sort by `{name}`{hint}")
    return lambda line: (line[name] is None, line[name] if line[name] is not None else 0)
