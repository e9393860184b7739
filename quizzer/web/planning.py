"""The page of the plan: the exams of the courses, the settings of a day, the deck."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from quizzer.app import config_file, default_deck
from quizzer.app.config import NO_LIMIT, WEEKDAYS, easy_days
from quizzer.app.exams import courses_of, exam_date, kept, without_outlook
from quizzer.app.failure import Usage
from quizzer.plan.settings import Settings
from quizzer.session import exams
from quizzer.text import folded, iso_day
from quizzer.web import pages
from quizzer.web.acting import form
from quizzer.web.desk import Desk, Threads


class Course(Struct, frozen=True):
    """A course of the deck, and what there is to say of its exam."""

    name: str
    exam: str
    """Its day, as a form has it; empty where it has none."""
    said: str


class Number(Struct, frozen=True):
    """A setting that is a number: its key in the configuration file, and what the form has."""

    name: str
    label: str
    value: str
    empty: str = ""
    """What it means where none is given, if that may be."""


async def plan(request: Request, desk: Desk, threads: Threads) -> Response:
    """The exams, and the settings."""
    return await _page(request, desk, threads)


async def set_exam(request: Request, desk: Desk, threads: Threads) -> Response:
    """Set the day of a course's exam, or remove it where no day is given."""
    return await _changed(request, desk, threads, _set_exam, await form(request))


async def set_day(request: Request, desk: Desk, threads: Threads) -> Response:
    """Write the settings that were changed; the next session takes them."""
    return await _changed(request, desk, threads, _set_day, await form(request))


async def set_deck(request: Request, desk: Desk, threads: Threads) -> Response:
    """Make other folders the default deck; the next session takes it."""
    return await _changed(request, desk, threads, _set_deck, await form(request))


async def _changed(
    request: Request,
    desk: Desk,
    threads: Threads,
    change: Callable[[Desk, Mapping[str, str]], None],
    sent: Mapping[str, str],
) -> Response:
    try:
        await threads.at_desk(change, desk, sent)
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
        "numbers": tuple(_numbers(workspace.settings)),
        "days": tuple(_days(workspace.settings)),
        "path": workspace.short(workspace.config_path),
        "deck": workspace.introduction,
        "folders": "\n".join(workspace.short(root) for root in workspace.config.deck),
        "goes_before": default_deck.goes_before(workspace),
    }


def _numbers(own: Settings) -> Iterator[Number]:
    """The numbers that hold for a day."""
    limit = own.minutes_per_day
    yield Number("minutes_per_day", "Minutes a day", f"{limit:g}" if limit else "", "no limit")
    yield Number("new_per_day", "New cards a day", str(own.new_per_day))
    yield Number("reviews_per_day", "Reviews a day", str(own.reviews_per_day))
    wanted = f"{100 * own.desired_retention:g}"
    yield Number("desired_retention", "To remember, in %", wanted)


def _days(own: Settings) -> Iterator[tuple[str, str, list[str]]]:
    """Each weekday with its share of a usual day's work in percent, and what may be chosen."""
    shares = easy_days(own) or {}
    for day in WEEKDAYS:
        share = f"{100 * shares.get(day, 1):g}"
        yield day, share, sorted({*_SHARES, share}, key=float, reverse=True)


_SHARES = ("100", "75", "50", "25", "0")


def _set_exam(desk: Desk, sent: Mapping[str, str]) -> None:
    """Raises Usage for a course that is not there, and for a day that cannot be."""
    workspace = desk.workspace
    course, day = sent.get("course", ""), sent.get("day", "").strip()
    name = courses_of(workspace.deck).get(folded(course))
    if name is None:
        raise Usage(f"no course `{course}` in {workspace.deck_name}")
    date = exam_date(day, workspace.today()) if day else None
    config_file.set_exam(workspace.config_path, name, date)
    workspace.forget_config()


def _set_day(desk: Desk, sent: Mapping[str, str]) -> None:
    """Write what differs from what holds now, so that all else stays as its owner wrote it."""
    workspace = desk.workspace
    workspace.forget_config()
    own = workspace.settings
    changed: dict[str, object] = {}
    for each in _numbers(own):
        said = sent.get(each.name, each.value).strip()
        if said != each.value:
            changed[each.name] = _value(each, said)
    chosen = {day: sent.get(day, share).strip() for day, share, _ in _days(own)}
    if any(chosen[day] != share for day, share, _ in _days(own)):
        changed["easy_days"] = _easy(chosen)
    if changed:
        config_file.set_values(workspace.config_path, changed)
        workspace.forget_config()


def _value(field: Number, said: str) -> int | float | str:
    """What the configuration file has for it; which values may be is the file's rule."""
    if not said and field.empty:
        return NO_LIMIT
    try:
        value = float(said)
    except ValueError:
        raise Usage(f"{field.label}: `{said}` is not a number") from None
    if field.name == "desired_retention":
        return round(value / 100, 4)
    return int(value) if value.is_integer() else value


def _easy(chosen: Mapping[str, str]) -> dict[str, float] | None:
    """The days that get less than a usual one; None where none does."""
    try:
        shares = {day: float(said) / 100 for day, said in chosen.items() if said != "100"}
    except ValueError:
        raise Usage("the share of a day is a number, in percent") from None
    return shares or None


def _set_deck(desk: Desk, sent: Mapping[str, str]) -> None:
    folders = [line.strip() for line in sent.get("folders", "").splitlines() if line.strip()]
    if not folders:
        raise Usage("Name a folder of cards.")
    paths = [Path(folder) for folder in folders]
    if relative := next((path for path in paths if not path.expanduser().is_absolute()), None):
        raise Usage(f"{relative}: write the full path, or one that begins with ~")
    default_deck.use(desk.workspace, paths)
    desk.workspace.forget_config()
