"""The command `undo`: take back the newest rating, or fit."""

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.values import Fit, Review


def undo(workspace: Workspace) -> None:
    """Take back the newest rating, or a fit if it is newer.

    It takes back the newest one on this device that is still in effect; repeat to go further back.
    """
    with workspace.open_store() as store:
        undone = store.undo(workspace.now(), workspace.today(), (Review, Fit))
    if undone and isinstance(undone.fact, Fit):
        print_line(f"took back the fit of {undone.at:%Y-%m-%d %H:%M}")
        return
    if undone is None or not isinstance(undone.fact, Review):
        print_note("there is no rating to take back")
        return
    review = undone.fact
    print_line(f"took back {review.rating.label} on {review.card} of {undone.at:%Y-%m-%d %H:%M}")
