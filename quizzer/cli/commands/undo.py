"""The command `undo`: take back the newest rating, or fit."""

import typer

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import put, say
from quizzer.values import Fit, Review


def undo(ctx: typer.Context) -> None:
    """Take back the newest rating, or a fit if it is newer.

    That is the newest of this device which stands; again and again.
    """
    workspace: Workspace = ctx.obj
    with workspace.open_store() as store:
        undone = store.undo(workspace.now(), workspace.today(), (Review, Fit))
    if undone and isinstance(undone.fact, Fit):
        put(f"took back the fit of {undone.at:%Y-%m-%d %H:%M}")
        return
    if undone is None or not isinstance(undone.fact, Review):
        say("there is no rating to take back")
        return
    review = undone.fact
    put(f"took back {review.rating.label} on {review.card} of {undone.at:%Y-%m-%d %H:%M}")
