"""Deck and configuration again, for a session that outlives its day."""

from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.deck import Deck
from quizzer.plan.settings import Settings
from quizzer.session.day import Reload, ReloadError


def reading_again(workspace: Workspace, new: int | None) -> Reload:
    """Reads deck and configuration again; `new` was asked for today's new cards alone."""
    today = workspace.today()

    def reload() -> tuple[Deck, Settings]:
        try:
            workspace.read_again()
        except Failure as failure:
            raise ReloadError(str(failure)) from failure
        settings = workspace.settings
        return workspace.deck, settings.with_new(new) if workspace.today() == today else settings

    return reload
