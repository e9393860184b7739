"""`suspend`, `unsuspend`, `bury` and `reset`: one event for each named card."""

from collections.abc import Callable

from quizzer.app.workspace import Workspace
from quizzer.cli.options import CardsArgument
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.text import count
from quizzer.values import Bury, Fact, Progress, Reset, Suspend, Unsuspend


def suspend(workspace: Workspace, cards: CardsArgument) -> None:
    """Keep cards out of the queue until `unsuspend`."""
    _record_for(workspace, cards, Suspend, "suspended", lambda p: not p.suspended)


def unsuspend(workspace: Workspace, cards: CardsArgument) -> None:
    """Bring suspended cards back."""
    _record_for(workspace, cards, Unsuspend, "back in the queue", lambda p: p.suspended)


def bury(workspace: Workspace, cards: CardsArgument) -> None:
    """Hide cards until tomorrow."""
    _record_for(workspace, cards, Bury, "buried until tomorrow", lambda p: True)


def reset(workspace: Workspace, cards: CardsArgument) -> None:
    """Make cards new again.

    Earlier reviews stay in the log.
    """
    _record_for(workspace, cards, Reset, "new again", lambda p: p.memory is not None)


def _record_for(
    workspace: Workspace,
    keys: list[str],
    fact: Callable[[str], Fact],
    done: str,
    changes: Callable[[Progress], bool],
) -> None:
    """One event for each card that it changes, all in one transaction."""
    named = list(dict.fromkeys(workspace.entry(key).id for key in keys))
    with workspace.open_store() as store:
        ids = [card for card in named if changes(store.progress_of(card))]
        if ids:
            store.record(*map(fact, ids), at=workspace.now(), day=workspace.today())
    for card in ids:
        print_line(f"{card}: {done}")
    if left := len(named) - len(ids):
        print_note(f"{count(left, 'card')} unchanged")
