"""The command `show`: one card."""

from typing import TYPE_CHECKING, Annotated

import typer

from quizzer.app.known_forms import KnownForms
from quizzer.app.workspace import Workspace
from quizzer.card import Card
from quizzer.cli.commands.list import row, with_forms
from quizzer.cli.options import (
    AsJson,
    CardArgument,
    PlainOption,
)
from quizzer.cli.terminal.output import (
    print_json,
    print_note,
)
from quizzer.deck import Entry
from quizzer.plan.leeches import advice, is_leech

if TYPE_CHECKING:
    from quizzer.cli.terminal.face import Face
    from quizzer.judge.judgement import Broken, Question


def show(
    workspace: Workspace,
    card: CardArgument,
    question: Annotated[bool, typer.Option("--question", help="Hide the solution.")] = False,
    plain: PlainOption = False,
    as_json: AsJson = False,
) -> None:
    """One card: question, solution, and what it asks for."""
    entry = workspace.entry(card)
    read = workspace.read(entry)
    with workspace.open_store(read_only=True) as store:
        progress = store.progress_of(entry.id)
    from quizzer.judge.judgement import Broken, Question

    asks = workspace.asks(entry)
    if as_json:
        document = dict(row(entry, progress, workspace.now(), workspace.settings))
        document |= with_forms(KnownForms(workspace), entry)
        document |= _contents(read, question)
        document["asks"] = [
            {"name": a.name, "label": a.label, "shape": list(a.shape), "names": list(a.names)}
            for a in (asks.asked if isinstance(asks, Question) else ())
        ]
        document["numbers"] = _numbers(asks, question) if isinstance(asks, Question) else None
        print_json(document)
        if isinstance(asks, Broken):
            print_note(f"{entry.id}: its checker is broken: {asks.message}")
        return
    from quizzer.cli.terminal.face import Face

    face = Face(workspace, plain=plain)
    with face.paged():
        draw_question(face, entry, read, asks)
        if not question:
            face.solution(entry, read)
    if progress.memory and is_leech(progress):
        print_note(advice(entry.id, progress.memory.lapses))


def draw_question(face: "Face", entry: Entry, card: Card, asks: "Question | Broken | None") -> None:
    """The question, and what its checker asks for if it has one."""
    face.question(entry, card)
    if asks is None:
        return
    from quizzer.judge.judgement import Broken

    if isinstance(asks, Broken):
        face.broken(asks.message)
    else:
        face.asked(asks)


def _numbers(asks: "Question", question_only: bool) -> dict[str, object] | None:
    """The numbers that `show` prints, for a card whose checker shows some; each value on lines."""
    if asks.seed is None:
        return None
    return {
        "seed": asks.seed,
        "given": {each.name: list(each.lines) for each in asks.given},
        "values": None if question_only else {v.name: list(v.lines) for v in asks.values},
    }


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
