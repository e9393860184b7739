"""The forecast of the exams of this learner's deck."""

from quizzer.app.workspace import Workspace
from quizzer.forecast.kept import KeptForecast
from quizzer.store import Store


def kept(workspace: Workspace, store: Store) -> KeptForecast:
    """The forecast of the exams of this deck."""
    folder, now = workspace.forecasts_path, workspace.now()
    return KeptForecast(folder, workspace.deck, store, workspace.settings, now)
