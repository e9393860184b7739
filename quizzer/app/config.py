"""The configuration file: TOML in the user's configuration directory."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quizzer import files
from quizzer.app.failure import Usage
from quizzer.text import folded

if TYPE_CHECKING:
    import tomlkit

    from quizzer.plan.settings import Settings

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NOT_IN_THE_FILE = frozenset({"courses", "parameters", "new_by_exam"})
"""Settings that come from elsewhere, or are written another way."""


@dataclass(frozen=True, slots=True)
class Config:
    """Which deck to open without being told, editor and viewer, and the session's settings."""

    path: Path
    deck: tuple[Path, ...] = ()
    editor: str | None = None
    viewer: str | None = None
    """What opens pictures."""
    sync: str | None = None
    """What `quizzer sync` syncs with: a file, or the address of a database."""
    learner: str | None = None
    """The learner's name in a database."""
    own: "Settings | None" = None
    """What the file sets; None where there is no file."""

    @property
    def settings(self) -> "Settings":
        from quizzer.plan.settings import Settings

        return self.own or Settings()


def read(path: Path) -> Config:
    """The configuration at `path`, the defaults where there is no file.

    Raises Usage for what cannot be understood: a wrong limit must not pass silently.
    """
    try:
        text = files.read_text(path)
    except FileNotFoundError:
        return Config(path)
    except OSError as error:
        raise Usage(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Usage(f"{path}: is no UTF-8 text; save it as UTF-8") from None
    import tomllib

    from quizzer.app.config_table import understood

    try:
        return understood(path, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Usage(f"{path}: not TOML: {error}") from None
    except (ValueError, RecursionError):
        raise Usage(f"{path}: a number in it is too long, or a list nested too deeply") from None


def easy_days(settings: "Settings") -> dict[str, float] | None:
    """The easy weekdays with their shares, as they may stand in the file."""
    if settings.easy_days is None:
        return None
    named = zip(WEEKDAYS, settings.easy_days, strict=True)
    return {day: share for day, share in named if share < 1}


def use(path: Path, deck: tuple[Path, ...]) -> None:
    """Make this the default deck; everything else in the file stays as it is. Raises Usage."""

    def change(document: "tomlkit.TOMLDocument") -> bool:
        document["deck"] = [str(root) for root in deck]
        return True

    read(path)  # a file with a fault is left to its owner
    _edit(path, change)


def set_exam(path: Path, course: str, day: date | None) -> bool:
    """Write down the date of a course's exam, or take it away; whether that changed anything.

    Everything else in the file stays as it is. Raises Usage.
    """

    def change(document: "tomlkit.TOMLDocument") -> bool:
        import tomlkit

        courses: Any = document.get("course", {})
        name = next((key for key in courses if folded(key) == folded(course)), course)
        if day is None:
            if courses.get(name, {}).pop("exam", None) is None:
                return False
            _drop_if_empty(document, name)
            return True
        if "course" not in document:
            document["course"] = tomlkit.table(is_super_table=True)
        courses = document["course"]
        if name not in courses:
            inline = isinstance(courses, tomlkit.items.InlineTable)
            courses[name] = tomlkit.inline_table() if inline else tomlkit.table()
        courses[name]["exam"] = day
        return True

    read(path)  # a file with a fault is left to its owner
    return _edit(path, change)


def _drop_if_empty(document: "tomlkit.TOMLDocument", name: str) -> None:
    """Take a course's table away where it holds nothing any more, not even a comment."""
    from tomlkit.items import Table

    courses: Any = document["course"]
    own = courses[name]
    if isinstance(own, Table) and not own.as_string().strip() and not own.trivia.comment:
        del courses[name]
        if isinstance(courses, Table) and courses.is_super_table() and not courses:
            del document["course"]


def _edit(path: Path, change: Callable[["tomlkit.TOMLDocument"], bool]) -> bool:
    """Change the file in place, if `change` says that it did. Raises Usage."""
    import tomllib

    import tomlkit

    path = path.resolve()  # a link into a folder of dotfiles stays a link
    try:
        there = files.read_text(path) if path.exists() else ""
        document = tomlkit.parse(there)
        if not change(document):
            return False
        text = tomlkit.dumps(document)
        if text and not text.endswith("\n") and (there.endswith("\n") or not there):
            text += "\n"
        if tomllib.loads(text) != document.unwrap():
            raise Usage(f"{path}: cannot be changed safely as it is written; change it by hand")
        files.replace(path, text.encode())
    except OSError as error:
        raise Usage(f"{path}: cannot be written: {error.strerror}") from None
    return True
