"""The table of the configuration file, turned into values."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from quizzer.app.config import NO_LIMIT, NOT_IN_THE_FILE, WEEKDAYS, Config, defaults
from quizzer.app.failure import Usage
from quizzer.plan.settings import SAY, Course, Settings
from quizzer.text import composed, did_you_mean, folded
from quizzer.values import Form


def understood(path: Path, table: Mapping[str, object]) -> Config:
    """What the file at `path` says. Raises Usage for what is not understood."""
    return _Reader(path).config(table)


class _Reader:
    """Turns the table into values; each fault names the file, the key and what would be right."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def config(self, table: Mapping[str, object]) -> Config:
        known = {*Settings.__struct_fields__} - NOT_IN_THE_FILE
        self._only(table, known | {"deck", "editor", "viewer", "sync", "learner", "course"}, "")
        courses = table.get("course", {})
        if not isinstance(courses, dict) or not all(isinstance(c, dict) for c in courses.values()):
            raise self._fault("course", 'a table for each course: [course."Name of the course"]')
        self._each_once(courses)
        return Config(
            path=self._path,
            deck=self._deck(table.get("deck", [])),
            editor=self._text(table, "editor", "nano"),
            viewer=self._text(table, "viewer", "feh"),
            sync=self._text(table, "sync", "~/Dropbox/quizzer.db"),
            learner=self._text(table, "learner", "maria"),
            own=replace(
                defaults(),
                **self._numbers(table, ""),
                **self._minutes(table),
                **self._switches(table),
                **self._say(table),
                easy_days=self._easy_days(table.get("easy_days")),
                forms=self._forms(table.get("forms")),
                courses={folded(name): self._course(name, t) for name, t in courses.items()},
            ),
        )

    def _each_once(self, courses: Mapping[str, object]) -> None:
        """Refuse two tables of one course: one of them would be ignored."""
        known: dict[str, str] = {}
        for name in courses:
            if other := known.get(folded(name)):
                both = f'`course."{other}"` and `course."{name}"` are one course'
                if composed(other) == composed(name):
                    both = (
                        f'`course."{name}"` appears twice, in two spellings that look alike and '
                        "differ only in how accents are encoded"
                    )
                raise Usage(f"{self._path}: {both}; keep one table with all lines of both")
            known[folded(name)] = name

    def _course(self, name: str, table: Mapping[str, object]) -> Course:
        where = f'course."{name}".'
        self._only(table, {*Course.__struct_fields__} - {"exam_day"} | {"exam"}, where)
        exam = table.get("exam")
        if exam is not None and type(exam) is not date:  # a time of day is a `datetime`
            raise self._fault(f"{where}exam", "a date without quotes: exam = 2026-12-12")
        exam_day = exam.toordinal() if exam else None
        return replace(Course(), exam_day=exam_day, **self._numbers(table, where))

    def _numbers(self, table: Mapping[str, object], where: str) -> dict[str, Any]:
        return {
            name: self._number(where + name, table[name], rule)
            for name, rule in _RULES.items()
            if name in table
        }

    def _minutes(self, table: Mapping[str, object]) -> dict[str, Any]:
        """A day's minutes; `NO_LIMIT` is None."""
        name = "minutes_per_day"
        if table.get(name) == NO_LIMIT:
            return {name: None}
        return {name: self._number(name, table[name], _MINUTES)} if name in table else {}

    def _number(self, key: str, value: object, rule: "_Rule") -> float:
        kinds = int if rule.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise self._fault(key, rule.sentence)
        if not rule.low <= value <= rule.high:
            raise self._fault(key, rule.sentence)
        return value

    def _switches(self, table: Mapping[str, object]) -> dict[str, Any]:
        for name in _SWITCHES:
            if not isinstance(table.get(name, True), bool):
                raise self._fault(name, "true or false")
        return {name: table[name] for name in _SWITCHES if name in table}

    def _say(self, table: Mapping[str, object]) -> dict[str, Any]:
        if "say" in table and table["say"] not in SAY:
            raise self._fault("say", " or ".join(f'"{each}"' for each in SAY))
        return {"say": table["say"]} if "say" in table else {}

    def _easy_days(self, value: object) -> tuple[float, ...] | None:
        """Each weekday's share of a usual day's work; a day that is only named gets half."""
        if isinstance(value, list):
            value = {str(day): 0.5 for day in value}
        if value is None or value == {}:
            return None
        if not isinstance(value, dict) or not value.keys() <= set(WEEKDAYS):
            raise self._fault("easy_days", 'weekdays: ["saturday"] or {saturday = 0.3}')
        shares = {
            day: self._number(f"easy_days.{day}", share, _SHARE) for day, share in value.items()
        }
        return tuple(float(shares.get(day, 1)) for day in WEEKDAYS)

    def _forms(self, value: object) -> tuple[Form, ...]:
        if value is None:
            return Settings().forms
        known = [form.value for form in Form]
        if not isinstance(value, list) or not value or not all(each in known for each in value):
            raise self._fault("forms", f"a list of forms: {', '.join(known)}")
        return tuple(map(Form, value))

    def _deck(self, value: object) -> tuple[Path, ...]:
        paths = [value] if isinstance(value, str) else value
        if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
            raise self._fault("deck", 'a list of folders: deck = ["/home/me/cards"]')
        try:
            return tuple(Path(path).expanduser() for path in paths)
        except RuntimeError:
            raise Usage(
                f"{self._path}: `deck` starts with ~, but its home folder is not known; "
                "write the full path"
            ) from None

    def _text(self, table: Mapping[str, object], key: str, example: str) -> str | None:
        value = table.get(key)
        if value is not None and not isinstance(value, str):
            raise self._fault(key, f'a string: {key} = "{example}"')
        return value or None

    def _only(self, table: Mapping[str, object], known: set[str], where: str) -> None:
        for key in table:
            if key not in known:
                advice = did_you_mean(key, known) or f"; known: {', '.join(sorted(known))}"
                raise Usage(f"{self._path}: unknown key `{where}{key}`{advice}")

    def _fault(self, key: str, wanted: str) -> Usage:
        return Usage(f"{self._path}: `{key}` must be {wanted}")


class _Rule(Struct, frozen=True):
    low: float
    high: float
    whole: bool = True
    other: str = ""
    """What may be there instead of a number."""

    @property
    def sentence(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.low:g} to {self.high:g}{self.other}"


_SHARE = _Rule(0, 1, whole=False)
_MINUTES = _Rule(1, 1440, other=f', or "{NO_LIMIT}"')
_SWITCHES = ("bury_related", "load_balance")
_RULES = {
    "new_per_day": _Rule(0, 9999),
    "reviews_per_day": _Rule(0, 9999),
    "desired_retention": _Rule(0.7, 0.99, whole=False),
    "maximum_interval": _Rule(1, 36500),
    "learning_steps": _Rule(0, 720),
    "relearning_steps": _Rule(0, 720),
    "rollover_hour": _Rule(0, 23),
    "idle_minutes": _Rule(1, 240),
}
