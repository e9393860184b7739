"""The command `map`: what each card comes after, how it stands, and what to learn next."""

from collections.abc import Sequence
from typing import Annotated

import typer

from quizzer.app.workspace import Workspace
from quizzer.cli.commands.exam import no_course
from quizzer.cli.options import AsJson, PlainOption
from quizzer.cli.terminal.output import print_json, print_line, print_note
from quizzer.deck import Filter
from quizzer.plan.course_map import MOST_NAMED, Place, course_map, next_ready, weak_points
from quizzer.session import sentences


def map_(
    workspace: Workspace,
    course: Annotated[
        str | None, typer.Argument(help="A course, or a folder in it.", show_default=False)
    ] = None,
    plain: PlainOption = False,
    as_json: AsJson = False,
) -> None:
    """Draw what each card requires, and where you stand.

    Each card is below the last of those that it requires or, if it names none, of the easier cards
    linked with it.
    """
    wanted = Filter(courses=(course,) if course else ())
    entries = [entry for entry in workspace.deck.entries if wanted.matches(entry)]
    if course and not entries:
        raise no_course(workspace.deck, course, workspace.deck_name)
    workspace.introduce()
    with workspace.open_store(read_only=True) as store:
        progress = store.progress()
    places = course_map(
        entries, workspace.deck.by_id, progress, workspace.settings, workspace.now()
    )
    if as_json:
        print_json(_document(places))
        return
    branches = [place.depth * "  " for place in places] if plain else _branches(places)
    width = max(
        (len(b) + len(p.entry.id) for b, p in zip(branches, places, strict=True)), default=0
    )
    for branch, place in zip(branches, places, strict=True):
        card = f"{branch + place.entry.id:<{width}}  {place.standing:<8}"
        print_line(f"{card}  also {', '.join(place.also)}" if place.also else card.rstrip())
    _say(places)


def _branches(places: Sequence[Place]) -> list[str]:
    """What is drawn before each card, from the last one up: a line goes on where a card of the
    same depth follows before one less deep."""
    drawn = []
    open_depths = set[int]()
    for place in reversed(places):
        depth = place.depth
        above = "".join("│  " if each in open_depths else "   " for each in range(1, depth))
        corner = ("├─ " if depth in open_depths else "└─ ") if depth else ""
        drawn.append(above + corner)
        open_depths = {each for each in open_depths if each < depth} | {depth}
    return drawn[::-1]


def _say(places: Sequence[Place]) -> None:
    """How many cards stand how, what is to be learned next, and what is weak."""
    print_note(sentences.standings(places))
    for place in weak_points(places)[:MOST_NAMED]:
        print_note(f"{place.entry.id} is weak, and {sentences.rests(place)}")
    if ready := next_ready(places)[:MOST_NAMED]:
        print_note(f"Learn next: {', '.join(place.entry.id for place in ready)}")


def _document(places: Sequence[Place]) -> dict[str, object]:
    cards = [
        {
            "id": place.entry.id,
            "course": place.entry.header.course or None,
            "standing": place.standing,
            "requires": list(place.entry.header.requires),
            "after": list(place.entry.after),
            "under": place.under,
            "holds_up": place.holds_up,
        }
        for place in places
    ]
    return {
        "cards": cards,
        "ready": [place.entry.id for place in next_ready(places)],
        "weak": [place.entry.id for place in weak_points(places)],
    }
