"""The configuration file: TOML in the user's configuration directory; reading and editing it."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quizzer import files
from quizzer.app.config import Config
from quizzer.app.failure import Usage, reading
from quizzer.text import folded

if TYPE_CHECKING:
    import tomlkit


def read(path: Path) -> Config:
    """The configuration at `path`; the defaults without a file.

    Raises Usage for what is not understood: a wrong limit must not pass silently.
    """
    with reading(path):
        try:
            text = files.read_text(path)
        except FileNotFoundError:
            return Config(path)
    import tomllib

    from quizzer.app.config_table import understood

    try:
        return understood(path, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Usage(f"{path}: is not valid TOML: {error}") from None
    except (ValueError, RecursionError):
        raise Usage(f"{path}: a number is too long, or a list is nested too deeply") from None


def use(path: Path, deck: tuple[Path, ...]) -> None:
    """Make this the default deck; everything else in the file stays as it is. Raises Usage."""

    def change(document: "tomlkit.TOMLDocument") -> bool:
        document["deck"] = [str(root) for root in deck]
        return True

    read(path)  # a file with a fault is left to its owner
    _edit(path, change)


def set_values(path: Path, values: Mapping[str, object]) -> bool:
    """Set these keys, or remove those whose value is None; returns whether that changed anything.

    Everything else in the file stays as it is. Raises Usage for a value that cannot be.
    """

    def change(document: "tomlkit.TOMLDocument") -> bool:
        before = document.unwrap()
        for name, value in values.items():
            if value is None:
                document.pop(name, None)
            else:
                document[name] = _inline(value)
        return document.unwrap() != before

    read(path)  # a file with a fault is left to its owner
    return _edit(path, change)


def _inline(value: object) -> object:
    """A table on one line, so that it stands among the other keys."""
    import tomlkit

    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def set_exam(path: Path, course: str, day: date | None) -> bool:
    """Set the date of a course's exam, or remove it; returns whether that changed anything.

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
    """Remove a course's table if nothing is left in it, not even a comment."""
    from tomlkit.items import Table

    courses: Any = document["course"]
    own = courses[name]
    if isinstance(own, Table) and not own.as_string().strip() and not own.trivia.comment:
        del courses[name]
        if isinstance(courses, Table) and courses.is_super_table() and not courses:
            del document["course"]


def _edit(path: Path, change: Callable[["tomlkit.TOMLDocument"], bool]) -> bool:
    """Change the file in place; `change` returns whether it changed anything. Raises Usage."""
    import tomllib

    import tomlkit

    from quizzer.app.config_table import understood

    path = path.resolve()  # a link into a folder of dotfiles stays a link
    try:
        there = files.read_text(path) if path.exists() else ""
        document = tomlkit.parse(there)
        if not change(document):
            return False
        text = tomlkit.dumps(document)
        if text and not text.endswith("\n") and (there.endswith("\n") or not there):
            text += "\n"
        table = tomllib.loads(text)
        if table != document.unwrap():
            raise Usage(f"{path}: cannot be edited safely; edit it by hand")
        understood(path, table)
        files.replace(path, text.encode())
    except OSError as error:
        raise Usage(f"{path}: cannot be written: {error.strerror}") from None
    return True
