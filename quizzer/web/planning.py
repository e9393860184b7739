"""The page of the plan: the exams of the courses, and the settings of a day."""

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from quizzer.app import config_file
from quizzer.app.config import easy_days
from quizzer.app.exams import courses_of, exam_date, kept, without_outlook
from quizzer.app.failure import Usage
from quizzer.plan.settings import Settings
from quizzer.session import exams
from quizzer.text import folded, iso_day
from quizzer.web import pages
from quizzer.web.acting import form
from quizzer.web.desk import Desk, Threads


@dataclass(frozen=True, slots=True)
class Course:
    """A course of the deck, and what there is to say of its exam."""

    name: str
    exam: str
    """Its day, as a form has it; empty where it has none."""
    said: str


async def plan(request: Request, desk: Desk, threads: Threads) -> Response:
    """The exams, and the settings."""
    return await _page(request, desk, threads)


async def set_exam(request: Request, desk: Desk, threads: Threads) -> Response:
    """Set the day of a course's exam, or remove it where no day is given."""
    sent = await form(request)
    try:
        await threads.at_desk(_set, desk, sent.get("course", ""), sent.get("day", "").strip())
    except Usage as refused:
        return await _page(request, desk, threads, 422, str(refused))
    return RedirectResponse("/plan", 303)


async def _page(
    request: Request, desk: Desk, threads: Threads, status: int = 200, refused: str = ""
) -> Response:
    values = await threads.at_desk(_plan, desk)
    return pages.page(request, "plan.html", status, here="plan", refused=refused, **values)


def _plan(desk: Desk) -> dict[str, object]:
    workspace = desk.workspace
    if desk.turn() is None:
        workspace.read_again()
    found = kept(workspace, desk.store).of_today()
    told = dict(zip((each.course.casefold() for each in found), exams.lines(found), strict=True))
    courses = []
    for key, name in sorted(courses_of(workspace.deck).items()):
        day = workspace.settings.course(name).exam_day
        said = told.get(key) or (without_outlook(workspace, name, day) if day else "")
        courses.append(Course(name, iso_day(day) or "", said))
    return {
        "courses": courses,
        "soonest": iso_day(workspace.today() + 1),
        "settings": tuple(_settings(workspace.settings)),
        "path": workspace.short(workspace.config_path),
        "deck": workspace.introduction,
    }


def _settings(own: Settings) -> Iterator[tuple[str, str]]:
    """What holds for a day, by the names of the configuration file."""
    yield "minutes_per_day", f"{own.minutes_per_day:g}" if own.minutes_per_day else "no limit"
    yield "new_per_day", str(own.new_per_day)
    yield "reviews_per_day", str(own.reviews_per_day)
    yield "desired_retention", f"{own.desired_retention:.0%}"
    days = easy_days(own) or {}
    yield "easy_days", ", ".join(f"{day} {share:.0%}" for day, share in days.items()) or "none"


def _set(desk: Desk, course: str, day: str) -> None:
    """Raises Usage for a course that is not there, and for a day that cannot be."""
    workspace = desk.workspace
    name = courses_of(workspace.deck).get(folded(course))
    if name is None:
        raise Usage(f"no course `{course}` in {workspace.deck_name}")
    date = exam_date(day, workspace.today()) if day else None
    config_file.set_exam(workspace.config_path, name, date)
    workspace.forget_config()
