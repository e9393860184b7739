"""The exams of this learner's deck: their dates, and the forecast."""

from datetime import date
from typing import TYPE_CHECKING

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.deck import Deck
from quizzer.plan.exam_gain import FARTHEST
from quizzer.plan.exams import exams_ahead
from quizzer.store import Store
from quizzer.text import iso_day

if TYPE_CHECKING:
    from quizzer.forecast.kept import KeptForecast


def is_any_ahead(workspace: Workspace) -> bool:
    """Whether an exam is set; without one, nothing has to be foretold."""
    return bool(exams_ahead(workspace.settings, workspace.today()))


def kept(workspace: Workspace, store: Store) -> "KeptForecast":
    """The forecast of the exams of this deck."""
    from quizzer.forecast.kept import KeptForecast

    folder, now = workspace.forecasts_path, workspace.now()
    return KeptForecast(folder, workspace.deck, store, workspace.settings, now)


def exam_date(said: str, today: int) -> date:
    """The day that is meant. Raises Usage if it is not a date, or not in the future."""
    try:
        day = date.fromisoformat(said)
    except ValueError:
        raise Usage(f"`{said}` is not a date: write it as {iso_day(today + 21)}") from None
    if day.toordinal() <= today:
        when = "today" if day.toordinal() == today else "past"
        raise Usage(f"{day} is {when}; an exam must be in the future")
    if day.toordinal() - today > FARTHEST:
        raise Usage(f"{day} is more than two years ahead; set it when it is nearer")
    return day


def without_outlook(workspace: Workspace, course: str, exam_day: int) -> str:
    """Why there is no forecast for this exam."""
    today = workspace.today()
    if exam_day == today:
        return f"{course}: the exam is today"
    if exam_day < today:
        return f"{course}: the exam was on {iso_day(exam_day)}"
    if exam_day - today > FARTHEST:
        why = "more than two years ahead, so nothing is planned yet"
    elif course.casefold() in courses_of(workspace.deck):
        why = "nothing to plan: its cards are all suspended or mastered"
    else:
        why = "no cards here"
    return f"{course}: exam on {iso_day(exam_day)}, {why}"


def courses_of(deck: Deck) -> dict[str, str]:
    """The deck's courses as their cards write them, by their names in lower case."""
    courses = {entry.header.course.casefold(): entry.header.course for entry in deck.entries}
    courses.pop("", None)
    return courses
