"""The command `config`: where things are, and what is set."""

import json
from collections.abc import Mapping

from msgspec.structs import asdict

from quizzer.app.config import NO_LIMIT, NOT_IN_THE_FILE, easy_days
from quizzer.app.workspace import Workspace
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.output import print_json, print_line, print_note
from quizzer.plan.settings import Course, Settings
from quizzer.store.sync.address import is_address, shown
from quizzer.text import iso_day


def config(workspace: Workspace, as_json: AsJson = False) -> None:
    """Show where things are, and what is set."""
    read = workspace.config
    texts = {
        "editor": read.editor,
        "viewer": read.viewer,
        "sync": _sync_shown(read.sync),
        "learner": read.learner,
    }
    values = {
        name: getattr(read.settings, name)
        for name in Settings.__struct_fields__
        if name not in NOT_IN_THE_FILE
    }
    values["easy_days"] = easy_days(read.settings)
    courses = {name: _course(course) for name, course in read.settings.courses.items()}
    if as_json:
        where = {
            "path": str(read.path),
            "exists": read.path.exists(),
            "deck": [str(root) for root in workspace.located.roots],
            "deck_from": workspace.located.source.value,
            "store": str(workspace.store_path),
            "cache": str(workspace.cache_path),
        }
        print_json({**where, **texts, **values, "course": courses})
    else:
        _print(workspace, texts, values, courses)


def _print(
    workspace: Workspace,
    texts: Mapping[str, str | None],
    values: Mapping[str, object],
    courses: Mapping[str, Mapping[str, object]],
) -> None:
    """A configuration file that sets what holds now; its comments say where things are."""
    path = workspace.config_path
    for label, value in (
        ("configuration", workspace.short(path)),
        ("deck", workspace.deck_name),
        ("", f"named by {workspace.located.source.value}"),
        ("history", workspace.short(workspace.store_path)),
        ("cache", f"{workspace.short(workspace.cache_path)}, safe to delete"),
    ):
        print_line(f"# {label:<13}  {value}")
    for name, text in texts.items():
        if text:
            print_line(f"{name} = {json.dumps(text, ensure_ascii=False)}")
    for name, setting in values.items():
        if name == "minutes_per_day" and setting is None:
            setting = NO_LIMIT
        print_line(f"# {name} is not set" if setting is None else f"{name} = {_toml(setting)}")
    for name, course in courses.items():
        print_line(f"\n[course.{json.dumps(name, ensure_ascii=False)}]")
        for key, own in course.items():
            print_line(f"{key} = {own}")
    if not path.exists():
        print_note(
            "There is no configuration file yet; these are the defaults. Write one to change them."
        )


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def _course(course: Course) -> dict[str, object]:
    """What the file says of a course, by its keys."""
    values = {key: value for key, value in asdict(course).items() if value is not None}
    if course.exam_day is not None:
        del values["exam_day"]
        values["exam"] = iso_day(course.exam_day)
    return values


def _sync_shown(target: str | None) -> str | None:
    return shown(target) if target and is_address(target) else target
