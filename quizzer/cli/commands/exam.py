"""The command `exam`, and what other commands say about exams ahead."""

import textwrap
from collections.abc import Mapping
from typing import Annotated

import typer

from quizzer.app import config_file
from quizzer.app.exams import courses_of, exam_date, kept, without_outlook
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.charts import bars
from quizzer.cli.terminal.output import print_json, print_note, print_text
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Deck, Filter
from quizzer.forecast.correction import NONE
from quizzer.forecast.outlook import Outlook, Topic
from quizzer.session import exams
from quizzer.text import count, did_you_mean, folded, instant, iso_day, one_line

SHOWN = 12
"""Topics drawn by `stats`; `--json` has all."""


def exam(
    workspace: Workspace,
    course: Annotated[
        str | None, typer.Argument(help="A course, or a folder in it.", show_default=False)
    ] = None,
    day: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATE]", help="The date of its exam, such as 2026-12-12.", show_default=False
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the exam.")] = False,
    as_json: AsJson = False,
) -> None:
    """Plan a course towards an exam.

    Without arguments, it lists the exams; with only a course, it shows that one.
    """
    name = None
    if course is not None:
        name = course_named(workspace.deck, course, workspace.deck_name)
        if remove and day is not None:
            raise Usage("give a date or --remove, not both")
        if remove:
            _remove(workspace, name)
        elif day is not None:
            config_file.set_exam(workspace.config_path, name, exam_date(day, workspace.today()))
            workspace.forget_config()
    elif remove:
        raise Usage("name the course: quizzer exam COURSE --remove")
    found = _foretold(workspace)
    if name is not None:
        found = tuple(outlook for outlook in found if outlook.course.casefold() == name.casefold())
    if as_json:
        courses = list(courses_of(workspace.deck).values())
        print_json({"exams": [document(outlook) for outlook in found], "courses": courses})
    elif name is None:
        _list_all(workspace, found)
    elif found:
        print_text(next(exams.lines(found)))
    elif not remove:
        exam_day = workspace.settings.course(name).exam_day
        if exam_day is None:
            print_note(f"{name} has no exam ahead. Set one: quizzer exam COURSE DATE")
        else:
            print_text(without_outlook(workspace, name, exam_day))


def course_named(deck: Deck, said: str, deck_name: str) -> str:
    """The course that is called so, or whose folder is, ignoring case. Raises Usage."""
    wanted = Filter(courses=(said,))
    meant = {e.header.course.casefold(): e.header.course for e in deck.entries if wanted.matches(e)}
    meant.pop("", None)
    called = {key: name for key, name in meant.items() if key == folded(said)} or meant
    if len(called) == 1:
        return next(iter(called.values()))
    if called:
        several = ", ".join(sorted(called.values()))
        raise Usage(f"`{said}` holds cards of {len(called)} courses: {several}. Name one of them.")
    raise no_course(deck, said, deck_name)


def no_course(deck: Deck, said: str, deck_name: str) -> Usage:
    """That neither a course nor a folder is called so, with what else may have been meant."""
    known = sorted(courses_of(deck).values())
    folders = {name for entry in deck.entries for name in entry.folders}
    hint = did_you_mean(said, sorted({*known, *folders}))
    hint = hint or f"; there are {', '.join(known) or 'none'}"
    return Usage(f"no course `{said}` in {deck_name}{hint}")


def picture(outlook: Outlook, width: int, ascii: bool) -> list[str]:
    """The exam, and expected recall on its day as bars, the weakest topic first."""
    topics = exams.weakest_first(outlook.topics) or [outlook.whole]
    longest = min(max(len(topic.name) for topic in topics), exams.NAME, width - 16)
    rows = [
        (
            f"{one_line(topic.name, longest):<{longest}} {exams.recall(topic):>4.0%}",
            exams.recall(topic),
        )
        for topic in topics[:SHOWN]
    ]
    room = width - longest - 6
    # The whole width is a recall of 1, whatever the best topic comes to.
    best = max(recall for _, recall in rows)
    drawn = bars(rows, longest + 6 + max(1, round(room * best)), ascii)
    more = [f"and {count(len(topics) - SHOWN, 'topic')} more"] if len(topics) > SHOWN else []
    return [*textwrap.wrap(exams.whole(outlook), width), *drawn, *more]


def document(outlook: Outlook) -> dict[str, object]:
    """The outlook in JSON; what nobody foretold is null."""
    need = outlook.need
    past = None if outlook.past.correction == NONE else outlook.past
    missed = outlook.study_days if outlook.study_days.missed else None
    return {
        "course": outlook.course,
        "date": iso_day(outlook.exam_day),
        "days": outlook.days,
        **_numbers(outlook.whole),
        "seen_now": outlook.seen_now,
        "in_time": outlook.in_time,
        "minutes_a_day": outlook.minutes_a_day,
        "minutes_a_day_needed": need and need.minutes,
        "held_back_by": need and [limit.name for limit in need.limits],
        "foretold_so_far": past and past.foretold,
        "came_true_so_far": past and past.came_true,
        "days_studied": missed and missed.studied,
        "days_with_cards_due": missed and missed.of,
        "as_of": instant(outlook.as_of),
        "topics": [{"topic": topic.name, **_numbers(topic)} for topic in outlook.topics],
    }


def _numbers(topic: Topic) -> dict[str, object]:
    return {
        "cards": topic.cards,
        "seen": topic.seen,
        "recall": topic.recall,
        "marks": topic.marks,
        "recall_alone": topic.recall_alone,
    }


def _remove(workspace: Workspace, name: str) -> None:
    if config_file.set_exam(workspace.config_path, name, None):
        print_note(f"{name}: exam removed; back to normal scheduling")
    else:
        print_note(f"{name} has no exam date")
    workspace.forget_config()


def _list_all(workspace: Workspace, found: tuple[Outlook, ...]) -> None:
    """What lies ahead, what is over, and how to name an exam."""
    today, courses = workspace.today(), courses_of(workspace.deck)
    for line in exams.lines(found):
        print_text(line)
    listed = {outlook.course.casefold() for outlook in found}
    ahead = bool(found)
    for course, exam_day in _others(workspace, listed).items():
        print_text(without_outlook(workspace, courses.get(course, course), exam_day))
        ahead = ahead or exam_day > today
    if not ahead:
        print_note(f"No exam ahead. Courses: {', '.join(courses.values()) or 'none'}")
        print_note(f"Set one: quizzer exam COURSE {iso_day(today + 21)}")


def _foretold(workspace: Workspace) -> tuple[Outlook, ...]:
    with workspace.open_store(read_only=True) as store, busy("looking ahead to the exams"):
        return kept(workspace, store).renewed(search=True)


def _others(workspace: Workspace, listed: set[str]) -> Mapping[str, int]:
    return {
        course: own.exam_day
        for course, own in workspace.settings.courses.items()
        if own.exam_day is not None and course not in listed
    }
