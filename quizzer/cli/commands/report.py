"""The command `report`: one small file that a student hands in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import StoreUnusable, Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.copying import exists, need_history, new_file
from quizzer.cli.options import CourseOption
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Filter
from quizzer.files import write_new
from quizzer.stats.card_sums import card_sums
from quizzer.stats.report import Report, answer_of, pseudonym, written
from quizzer.store import Store
from quizzer.text import count, instant, one_line
from quizzer.values import Attempt, Dispute, Event, Review


def report(
    workspace: Workspace,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    courses: CourseOption = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Include your answers, word for word.")
    ] = False,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Say who you are.", show_default=False),
    ] = None,
) -> None:
    """Write what you did with the cards of a course, to hand in."""
    need_history(workspace)
    target = new_file(workspace, file)
    chosen = Filter(courses=tuple(courses or ()))
    cards = {entry.id for entry in workspace.deck.entries if chosen.matches(entry)}
    if not cards:
        raise Usage(f"no card of the course {', '.join(courses or ())} in {workspace.deck_name}")
    with workspace.open_store(read_only=True) as store, busy("adding up the reviews"):
        found = _added_up(workspace, store, cards, answers, name)
    try:
        write_new(target, written(found))
    except FileExistsError:
        raise exists(workspace, target) from None
    except OSError as error:
        raise StoreUnusable(
            f"{workspace.short(target)}: cannot be written: {error.strerror}. Name a file "
            "elsewhere, or make room."
        ) from None
    reviews = sum(sums.reviews for sums in found.cards.values())
    print_line(
        f"wrote {count(reviews, 'review')} of {count(len(found.cards), 'card')} to "
        f"{workspace.short(target)}"
    )
    who = "your name" if name else "no name"
    print_note(f"It holds {who} and {'all' if answers else 'none'} of your answers.")


def _added_up(
    workspace: Workspace, store: Store, cards: set[str], answers: bool, name: str | None
) -> Report:
    undone = store.undone_ids()
    kept: list[dict[str, str | None]] = []
    oldest, counted = "", 0

    def passing() -> Iterator[Event]:
        nonlocal oldest, counted
        for event in store.each_event((Review, Attempt, Dispute)):
            oldest = oldest or event.id
            counted += 1
            fact = event.fact
            if answers and isinstance(fact, Attempt) and fact.card in cards:
                kept.append(answer_of(fact))
            yield event

    sums = card_sums(passing(), cards, undone, store.events(kinds=(Dispute,)))
    if not sums:
        raise Usage(f"no card of {workspace.deck_name} was reviewed yet; nothing was written")
    return Report(
        learner=pseudonym(oldest),
        made=instant(workspace.now()),
        events=counted,
        cards=sums,
        name=None if name is None else one_line(name),
        answers=kept if answers else None,
    )
