"""Commands that only read: the overview, `due`, `list`, `show`, `history`."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Annotated

import typer

from quizzer.card import Card, Severity
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
from quizzer.cli.output import count, instant, iso_day, minutes, print_json, say, span
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry, Source
from quizzer.review import UNSEEN, Attempt, Dispute, Event, Flag, Progress, Review
from quizzer.session.queue import Queue, plan, ready
from quizzer.text import one_line


def register(app: typer.Typer) -> None:
    app.command()(due)
    app.command("list")(list_cards)
    app.command()(show)
    app.command()(history)


def overview(workspace: Workspace) -> None:
    """What is due, where it comes from, and the next command: the program's whole first screen."""
    queue, progress = _today(workspace)
    steps = len(ready(queue, progress, workspace.now()))
    due_now, new = len(queue.reviews) + steps, len(queue.new)
    if due_now or new:
        print(f"{count(due_now, 'card')} due, {new} new today. Start with: quizzer review")
    else:
        print("Nothing is due. To practise all the same: quizzer quiz 5")
    name = workspace.deck_name
    print(f"Deck: {name}, {count(len(workspace.deck.entries), 'card')}{_problems(workspace)}")
    if workspace.located.source is Source.STARTER:
        print("Your own cards: quizzer use FOLDER  ·  a copy of these to edit: quizzer init FOLDER")
    else:
        print("More: quizzer --help")


def due(ctx: typer.Context, as_json: AsJson = False) -> None:
    """What is due now and what is new today."""
    workspace: Workspace = ctx.obj
    queue, progress = _today(workspace)
    now = workspace.now()
    steps = ready(queue, progress, now)
    if as_json:
        waiting = [*steps, *queue.reviews]
        print_json(
            {
                "now": instant(now),
                "day": iso_day(queue.day),
                "deck": [str(root) for root in workspace.deck.roots],
                "counts": {
                    "due": len(waiting),
                    "new": len(queue.new),
                    "learning": len(queue.steps),
                },
                "due": [_due_row(entry, progress[entry.id], now) for entry in waiting],
                "new": [entry.id for entry in queue.new],
            }
        )
        return
    say(f"{workspace.deck_name}{_problems(workspace)}")
    for entry in [*steps, *queue.reviews]:
        memory = progress[entry.id].memory
        late = queue.day - memory.due_day if memory else 0
        print(f"{entry.id:<28} {_late(late):<14} {one_line(entry.header.title, 60)}")
    for entry in queue.new:
        print(f"{entry.id:<28} {'new':<14} {one_line(entry.header.title, 60)}")
    coming = len(queue.steps) - len(steps)
    if coming:
        say(f"{count(coming, 'card')} in the ten-minute step")
    if over := len(queue.reviews) - len(queue.today):
        say(
            f"{over} beyond today's limit of reviews; `quizzer review --limit` or the configuration"
        )
    if not (steps or queue.reviews or queue.new):
        say("Nothing is due.")


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
    with workspace.open_store(read_only=True) as store:
        progress = store.progress()
    now = workspace.now()
    entries = [entry for entry in workspace.deck.entries if chosen.matches(entry)]
    rows = [row(entry, progress.get(entry.id, UNSEEN), now) for entry in entries]
    if sort:
        rows.sort(key=_sort_key(sort))
    if as_json:
        print_json(rows)
        return
    say(f"{workspace.deck_name}: {len(rows)} of {count(len(workspace.deck.entries), 'card')}")
    titles = {entry.id: entry.header.title for entry in entries}
    for line in rows:
        card = str(line["id"])
        due_day = str(line["due"] or "")[:10]
        mark = "✓" if line["checker"] else " "
        print(
            f"{card:<28} {mark} {line['state']!s:<10} {due_day:<10}  {one_line(titles[card], 50)}"
        )


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
        document = dict(row(entry, progress, workspace.now()))
        document |= _contents(read, question)
        document["asks"] = [
            {"name": a.name, "label": a.label, "shape": list(a.shape), "names": list(a.names)}
            for a in (asks.asks if isinstance(asks, Asks) else ())
        ]
        print_json(document)
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
        found = workspace.deck.find(card)
        # The log outlives the file: an id without a card may still have a history.
        card_id = found.header.id if isinstance(found, Entry) else card
        events = store.events(card=card_id)
        undone = store.undone_ids()
        memory = store.progress_of(card_id).memory
    if not events and not isinstance(found, Entry):
        workspace.entry(card)
    if as_json:
        print_json([_event_row(event, event.id in undone) for event in events])
        return
    if not events:
        say(f"{card_id}: never reviewed")
        return
    for event in events:
        mark = "  (undone)" if event.id in undone else ""
        print(f"{event.at:%Y-%m-%d %H:%M}  {_told(event)}{mark}")
    if memory:
        print(
            f"stability {memory.stability:.1f} days · difficulty {memory.difficulty:.1f} of 10 · "
            f"{count(memory.lapses, 'lapse')} · due {iso_day(memory.due_day)}"
        )


def row(entry: Entry, progress: Progress, now: datetime) -> dict[str, object]:
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
        "due": instant(memory.due_at(now)) if memory else None,
        "stability": memory.stability if memory else None,
        "difficulty_fsrs": memory.difficulty if memory else None,
        "reviews": memory.reviews if memory else 0,
        "lapses": memory.lapses if memory else 0,
    }


SORT_KEYS = ("id", "course", "due", "difficulty", "stability", "reviews", "lapses")


def _sort_key(name: str) -> Callable[[dict[str, object]], tuple[bool, object]]:
    """Ascending, cards without the value last."""
    if name not in SORT_KEYS:
        raise Usage(f"cannot sort by `{name}`: {', '.join(SORT_KEYS)}")
    return lambda line: (line[name] is None, line[name] if line[name] is not None else 0)


def _today(workspace: Workspace) -> tuple[Queue, Mapping[str, Progress]]:
    """The queue of this moment, and what the log says of every card."""
    deck = workspace.deck
    now = workspace.now()
    with workspace.open_store(read_only=True) as store:
        progress = store.progress()
        done = store.done(workspace.today())
        for warning in workspace.warnings(store):
            say(warning)
    return plan(deck, progress, done, workspace.settings, now), progress


def _problems(workspace: Workspace) -> str:
    errors = sum(problem.severity is Severity.ERROR for problem in workspace.deck.problems)
    return f" ({count(errors, 'file')} cannot be read: quizzer check)" if errors else ""


def _due_row(entry: Entry, progress: Progress, now: datetime) -> dict[str, object]:
    line = row(entry, progress, now)
    return {key: line[key] for key in ("id", "course", "type", "due", "state")}


def _late(days: int) -> str:
    return "due today" if days <= 0 else f"{count(days, 'day')} late"


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
            return f"{rating.label}, again in {span(interval)}{took}"
        case Attempt(name=name, verdict=verdict, diagnosis=diagnosis, answer=answer):
            why = f" ({diagnosis})" if diagnosis else ""
            return f"{name}: {verdict.value}{why}: {one_line(answer, 50)}"
        case Dispute(name=name, verdict=verdict):
            return f"{name}: `{verdict.value}` disputed"
        case Flag(on=on):
            return "flagged" if on else "flag taken away"
        case fact:
            return type(fact).__name__.lower()
