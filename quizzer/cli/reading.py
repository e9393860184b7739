"""Commands that only read: `list`, `show`, `history`."""

from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import Annotated

import typer

from quizzer.card import Card
from quizzer.check.judgement import Asks, Broken
from quizzer.cli.failure import Usage
from quizzer.cli.options import (
    AsJson,
    CardArgument,
    CourseOption,
    DifficultyOption,
    PlainOption,
    StatusOption,
    TagOption,
    TypeOption,
    wanted,
)
from quizzer.cli.output import (
    count,
    did_you_mean,
    id_width,
    instant,
    iso_day,
    minutes,
    print_json,
    put,
    say,
    span,
    with_title,
)
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry
from quizzer.review import (
    ROLLOVER_HOUR,
    UNSEEN,
    Attempt,
    Dispute,
    Event,
    Flag,
    Progress,
    Review,
    State,
)
from quizzer.text import one_line


def register(app: typer.Typer) -> None:
    app.command("list")(list_cards)
    app.command()(show)
    app.command()(history)


def list_cards(
    ctx: typer.Context,
    course: CourseOption = None,
    tag: TagOption = None,
    type_: TypeOption = None,
    difficulty: DifficultyOption = None,
    status: StatusOption = None,
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
    workspace: Workspace = ctx.obj
    chosen = wanted(course, tag, type_, difficulty, status, text=search)
    in_order = _sort_key(sort) if sort else None
    workspace.introduce()
    with workspace.open_store(read_only=True) as store:
        progress = store.progress()
    now, rollover = workspace.now(), workspace.settings.rollover_hour
    entries = {entry.id: entry for entry in workspace.deck.entries if chosen.matches(entry)}
    rows = [row(e, progress.get(e.id, UNSEEN), now, rollover) for e in entries.values()]
    if in_order:
        rows.sort(key=in_order)
    if as_json:
        print_json(rows)
        return
    width = id_width(entries)
    for line in rows:
        card, state = str(line["id"]), str(line["state"])
        mark = "✓" if line["checker"] else " "
        when = str(line["due"])[:10] if state == State.REVIEW else state
        put(with_title(f"{card:<{width}}  {mark} {when:<10}", entries[card]))
    if any(line["checker"] for line in rows):
        say("✓ you type the answer and it is verified")
    if len(rows) < len(workspace.deck.entries):
        say(f"{len(rows)} of {count(len(workspace.deck.entries), 'card')} match")


def show(
    ctx: typer.Context,
    card: CardArgument,
    question: Annotated[bool, typer.Option("--question", help="Hide the solution.")] = False,
    plain: PlainOption = False,
    as_json: AsJson = False,
) -> None:
    """One card: question, solution, what it asks."""
    workspace: Workspace = ctx.obj
    entry = workspace.entry(card)
    read = workspace.read(entry)
    with workspace.open_store(read_only=True) as store:
        progress = store.progress_of(entry.id)
    asks = workspace.asks(entry)
    if as_json:
        document = dict(row(entry, progress, workspace.now(), workspace.settings.rollover_hour))
        document |= _contents(read, question)
        document["asks"] = [
            {"name": a.name, "label": a.label, "shape": list(a.shape), "names": list(a.names)}
            for a in (asks.asks if isinstance(asks, Asks) else ())
        ]
        print_json(document)
        if isinstance(asks, Broken):
            say(f"{entry.id}: its checker is broken: {asks.message}")
        return
    from quizzer.cli.face import Face

    face = Face(workspace, plain=plain)
    face.question(entry, read)
    if isinstance(asks, Broken):
        face.broken(asks.message)
    elif asks:
        face.asked(asks)
    if not question:
        face.solution(entry, read)


def history(ctx: typer.Context, card: CardArgument, as_json: AsJson = False) -> None:
    """All reviews of one card, and what was done with it."""
    workspace: Workspace = ctx.obj
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
        say(f"{card}: no file of {workspace.deck_name} has this id any more")
    if not events:
        say(f"{card_id}: never reviewed")
        return
    for event in events:
        mark = "  (undone)" if event.id in undone else ""
        put(f"{event.at:%Y-%m-%d %H:%M}  {_told(event)}{mark}")
    if memory:
        say(
            f"due {iso_day(memory.due_day)}, stability {memory.stability:.1f} days, "
            f"difficulty {memory.difficulty:.1f} of 10, {count(memory.lapses, 'lapse')}"
        )


def row(
    entry: Entry, progress: Progress, now: datetime, rollover: int = ROLLOVER_HOUR
) -> dict[str, object]:
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
        "state": progress.state.value,
        "due": instant(memory.due_at(now, rollover)) if memory else None,
        "stability": memory.stability if memory else None,
        "difficulty_fsrs": memory.difficulty if memory else None,
        "reviews": memory.reviews if memory else 0,
        "lapses": memory.lapses if memory else 0,
    }


SORT_KEYS = ("id", "course", "due", "difficulty", "stability", "reviews", "lapses")


def _sort_key(name: str) -> Callable[[dict[str, object]], tuple[bool, object]]:
    """Ascending, cards without the value last."""
    if name not in SORT_KEYS:
        hint = did_you_mean(name, SORT_KEYS) or f": choose from {', '.join(SORT_KEYS)}"
        raise Usage(f"cannot sort by `{name}`{hint}")
    return lambda line: (line[name] is None, line[name] if line[name] is not None else 0)


def _contents(card: Card, question_only: bool) -> dict[str, object]:
    """The texts of a card for `show --json`; nothing of the solution with `--question`."""
    contents: dict[str, object] = {
        "question": card.question,
        "options": {option.letter: option.text for option in card.options},
        "images": [image.name for image in card.images],
        "related": [link.target for link in card.related],
        "solution": None,
        "correct_answer": None,
        "steps": [],
    }
    if not question_only:
        contents |= {
            "solution": card.solution,
            "correct_answer": card.correct_answer or None,
            "steps": list(card.steps),
        }
    return contents


def _event_row(event: Event, undone: bool) -> dict[str, object]:
    fact = event.fact
    details = {
        name: value.value if isinstance(value, Enum) else value
        for name in getattr(fact, "__dataclass_fields__", {})
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


def _told(event: Event) -> str:
    """One event as a sentence fragment."""
    match event.fact:
        case Review(rating=rating, interval=interval, seconds=seconds):
            took = f", {minutes(seconds)}" if seconds else ""
            return f"{rating.label}, next in {span(interval)}{took}"
        case Attempt(name=name, verdict=verdict, diagnosis=diagnosis, answer=answer):
            why = f" ({diagnosis})" if diagnosis else ""
            return f"{name}: {verdict.value}{why}: {one_line(answer, 50)}"
        case Dispute(name=name, verdict=verdict):
            return f"{name}: `{verdict.value}` disputed"
        case Flag(on=on):
            return "flagged" if on else "flag taken away"
        case fact:
            return type(fact).__name__.lower()
