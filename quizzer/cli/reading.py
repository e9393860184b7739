"""Commands that only read: `list` and `show`."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

import typer

from quizzer.card import Card
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
    print_json,
    put,
    say,
    with_title,
)
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry
from quizzer.plan.leeches import LAPSES, advice, is_leech
from quizzer.plan.queue import FLAGGED, is_wanted
from quizzer.values import (
    ROLLOVER_HOUR,
    UNSEEN,
    Progress,
    State,
)


def register(app: typer.Typer) -> None:
    app.command("list")(list_cards)
    app.command()(show)


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
    entries = {
        entry.id: entry
        for entry in workspace.deck.entries
        if is_wanted(entry, progress.get(entry.id, UNSEEN), chosen)
    }
    rows = [row(e, progress.get(e.id, UNSEEN), now, rollover) for e in entries.values()]
    if in_order:
        rows.sort(key=in_order)
    if as_json:
        print_json(rows)
        return
    width = id_width(entries)
    for line in rows:
        card, state = str(line["id"]), str(line["state"])
        marks = (("checker", "✓"), ("flagged", "⚑"), ("leech", "!"))
        mark = "".join(sign if line[key] else " " for key, sign in marks)
        when = str(line["due"])[:10] if state == State.REVIEW else state
        put(with_title(f"{card:<{width}}  {mark} {when:<10}", entries[card]))
    if any(line["checker"] for line in rows):
        say("✓ you type the answer and it is verified")
    if any(line["leech"] for line in rows):
        say(f"! a leech: forgotten {LAPSES} times or more; rewrite it, split it or suspend it")
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
    from quizzer.judge.judgement import Asks, Broken

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
    with face.paged():
        face.question(entry, read)
        if isinstance(asks, Broken):
            face.broken(asks.message)
        elif asks:
            face.asked(asks)
        if not question:
            face.solution(entry, read)
    if progress.memory and is_leech(progress):
        say(advice(entry.id, progress.memory.lapses))


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
        "flagged": progress.flagged or header.status == FLAGGED,
        "leech": is_leech(progress),
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
