"""What today holds: the overview that `quizzer` alone prints, and the command `due`."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from quizzer.app.workspace import Workspace
from quizzer.cli.commands.list import row
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.output import (
    id_width,
    print_json,
    print_lines,
    print_note,
    print_text,
    screen_width,
    with_titles,
)
from quizzer.deck import Entry, Source
from quizzer.plan.exams import exams_ahead
from quizzer.plan.forms import in_forms
from quizzer.plan.known import at_hand, known_of
from quizzer.plan.pace import Pace, minutes_left, pace_of
from quizzer.plan.queue import Queue, plan, ready, within
from quizzer.text import about, count, instant, iso_day
from quizzer.values import Memory, Progress

if TYPE_CHECKING:
    from quizzer.forecast.outlook import Outlook
    from quizzer.store import Store


class _Today(Struct, frozen=True):
    """The queue of this moment, what the log says of every card, and what that means."""

    queue: Queue
    progress: Mapping[str, Progress]
    pace: Pace
    exams: "tuple[Outlook, ...]"
    limits: tuple[str, ...]
    """The settings that leave out some of what is due."""

    @property
    def early(self) -> list[str]:
        """The ids of the reviews that come before their day, for an exam."""
        if not self.queue.exams:
            return []
        known = ((entry.id, self.progress[entry.id].memory) for entry in self.queue.reviews)
        return [card for card, memory in known if memory and memory.due_day > self.queue.day]


def overview(workspace: Workspace) -> None:
    """What is due, where it comes from, and the next command: the program's whole first screen."""
    with _today(workspace) as today:
        _overview(workspace, today)


def _overview(workspace: Workspace, today: _Today) -> None:
    steps = ready(today.queue, today.progress, workspace.settings, workspace.now())
    name, cards = workspace.deck_name, len(workspace.deck.entries)
    if steps or today.queue.reviews or today.queue.new:
        print_text(
            f"{_counted(today, len(steps))}{_time(today)}. {_next_command(today, len(steps))}"
        )
    elif cards:
        print_text("Nothing is due. To practise anyway: quizzer quiz 5")
    else:
        print_text("There are no cards here yet. Write the first one: quizzer new my-first-card")
    for line in _exam_lines(today):
        print_text(line)
    print_text(f"Deck: {name}, {count(cards, 'card')}{workspace.unread}")
    if workspace.located.source is Source.STARTER:
        print_text("Your own cards: quizzer use FOLDER.  A copy of these: quizzer init FOLDER")
    else:
        print_text("More: quizzer --help")


def due(workspace: Workspace, as_json: AsJson = False) -> None:
    """What is due now and what is new today."""
    with _today(workspace, introducing=True) as today:
        _due(workspace, today, as_json)


def _due(workspace: Workspace, today: _Today, as_json: bool) -> None:
    queue, progress = today.queue, today.progress
    now = workspace.now()
    steps = ready(queue, progress, workspace.settings, now)
    waiting = [*steps, *queue.reviews]
    expected = today.pace.total([*waiting, *queue.new])
    if as_json:
        print_json(_document(workspace, today, waiting, now) | {"minutes": expected})
        return
    width, screen = id_width(entry.id for entry in (*waiting, *queue.new)), screen_width()
    when = [*_each_when(waiting, progress, queue.day), *("new" for _ in queue.new)]
    listed = (*waiting, *queue.new)
    rows = (f"{card.id:<{width}}  {said:<12}" for card, said in zip(listed, when, strict=True))
    print_lines(with_titles(rows, listed, screen))
    if coming := len(queue.steps) - len(steps):
        print_note(f"{count(coming, 'card')} will be back later today")
    if queue.related:
        linked = count(len(queue.related), "card")
        print_note(f"{linked} linked to a card of today: tomorrow (bury_related)")
    if over := len(queue.reviews) - len(queue.today):
        limits = " and ".join(today.limits)
        print_note(f"{over} of them beyond today's limit: {limits}, see quizzer config")
    if waiting or queue.new:
        counted = _counted(today, len(steps))
        print_note(f"{counted}, {about(expected)}. {_next_command(today, len(steps))}")
    else:
        print_note("Nothing is due. To practise anyway: quizzer quiz 5")
    for line in _exam_lines(today):
        print_note(line)


def _document(
    workspace: Workspace,
    today: _Today,
    waiting: list[Entry],
    now: datetime,
) -> dict[str, object]:
    queue, progress = today.queue, today.progress
    rows = [row(entry, progress[entry.id], now, workspace.settings) for entry in waiting]
    return {
        "now": instant(now),
        "day": iso_day(queue.day),
        "deck": [str(root) for root in workspace.deck.roots],
        "counts": {
            "due": len(waiting) - len(today.early),
            "new": len(queue.new),
            "learning": len(queue.steps),
        },
        "due": [{key: r[key] for key in ("id", "course", "type", "due", "state")} for r in rows],
        "new": [entry.id for entry in queue.new],
        "early": today.early,
        "exams": _exam_documents(today),
    }


def _outlooks(workspace: Workspace, store: "Store") -> "tuple[Outlook, ...]":
    """What is known of exams ahead; a learner without exams waits for nothing."""
    if not exams_ahead(workspace.settings, workspace.today()):
        return ()
    from quizzer.app.exams import kept

    return kept(workspace, store).shown()


def _exam_lines(today: _Today) -> Iterator[str]:
    if today.exams:
        from quizzer.session import exams

        yield from exams.lines(today.exams)


def _exam_documents(today: _Today) -> list[dict[str, object]]:
    if not today.exams:
        return []
    from quizzer.cli.commands import exam as exams

    return [exams.document(outlook) for outlook in today.exams]


@contextmanager
def _today(workspace: Workspace, introducing: bool = False) -> Iterator[_Today]:
    """What today holds; `introducing` says first which deck it is of.

    The store is open until the end: pace asks it in which form a card comes.
    """
    workspace.glance()
    with workspace.open_store(read_only=True) as store:
        found = _look(workspace, store)
        if not workspace.seen([*found.queue.steps, *found.queue.reviews, *found.queue.new]):
            found = _look(workspace, store)
        if introducing:
            workspace.introduce()
        for warning in workspace.warnings(store, at_hand(workspace.deck, store, found.queue)):
            print_note(warning)
        yield found


def _look(workspace: Workspace, store: "Store") -> _Today:
    deck, settings, day = workspace.deck, workspace.settings, workspace.today()
    known = known_of(store, settings, day)
    done = store.done(day)
    pace = in_forms(pace_of(deck, store), store, settings, day)
    planned = plan(
        deck, known.progress, done, settings, workspace.now(), later=known.later, pace=pace
    )
    begun = bool(done.new or done.reviews)
    queue = within(planned, pace, minutes_left(settings, done.seconds), begun)
    exams, limits = _outlooks(workspace, store), _limits(planned, queue)
    return _Today(queue, known.progress, pace, exams, limits)


def _limits(planned: Queue, queue: Queue) -> tuple[str, ...]:
    """Which limits cut the reviews: that of their number, and that of the minutes after it."""
    cut = {
        "reviews_per_day": len(planned.today) < len(planned.reviews),
        "minutes_per_day": len(queue.today) < len(planned.today),
    }
    return tuple(name for name, cuts in cut.items() if cuts)


def _counted(today: _Today, steps: int) -> str:
    """The cards that wait, `steps` of them in a step that is over."""
    early, new = len(today.early), len(today.queue.new)
    due = steps + len(today.queue.reviews) - early
    parts = [f"{count(due, 'card')} due"] if due else []
    if early:
        parts.append(f"{early if due else count(early, 'card')} early for the exam")
    if new:
        parts.append(f"{new} new" if parts else count(new, "new card"))
    return ", ".join(parts) + " today"


def _time(today: _Today) -> str:
    """How long the cards within today's limits take; they are counted where others wait."""
    taken = [*today.queue.steps, *today.queue.fresh]
    if not taken:
        return ""
    time = about(today.pace.total(taken))
    beyond = len(today.queue.reviews) > len(today.queue.today)
    return f"; {count(len(taken), 'card')} within its limits, {time}" if beyond else f", {time}"


def _next_command(today: _Today, steps: int) -> str:
    if steps or today.queue.today or today.queue.new:
        return "Start with: quizzer review"
    return "Today's limit is reached, see quizzer config"


def _each_when(
    cards: Iterable[Entry], progress: Mapping[str, Progress], today: int
) -> Iterator[str]:
    """How long each card has been waiting; of thousands, many were due on the same day."""
    said = dict[tuple[int, bool], str]()
    for card in cards:
        memory = progress[card.id].memory
        of = (memory.due_day, memory.interval > 0) if memory else (today, False)
        found = said.get(of)
        if found is None:
            found = said[of] = _when(memory, today)
        yield found


def _when(memory: Memory | None, today: int) -> str:
    """How long a card has been waiting: every study day after its own counts."""
    late = today - memory.due_day if memory else 0
    if memory and memory.interval and late < 0:
        return "for the exam"
    return "due today" if late <= 0 else f"{count(late, 'day')} late"
