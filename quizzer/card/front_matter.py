"""Strict front matter: every value is the text that was typed, every refusal has its true line.

YAML would turn `2025-01-22_05`, `010`, `no` or `12:30:45` into something else, would expand aliases
into megabytes, and would let a second `id` replace the first.
"""

import re
from collections.abc import Iterator
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler
from msgspec import Struct

MAX_BYTES = 64 * 1024
MAX_DEPTH = 8

Value = str | tuple["Value", ...] | tuple[tuple[str, "Value"], ...]


class Field(Struct, frozen=True):
    """The value of one key, flattened to the texts it holds, and the key's line in the file."""

    texts: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        return ", ".join(self.texts)


class FrontMatterError(Exception):
    """Front matter that cannot be read; `line` is the file's."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def read(block: str, first_line: int) -> dict[str, Field]:
    """The fields of the YAML that begins in `first_line` of its file, or `FrontMatterError`."""
    if len(block.encode()) > MAX_BYTES:
        raise FrontMatterError(
            first_line,
            f"the front matter is larger than {MAX_BYTES // 1024} KB; move long text to the body",
        )
    fields, _ = frontmatter.parse(f"---\n{block}\n---", handler=_Strict(first_line))
    return fields  # type: ignore[return-value]


class _Strict(BaseHandler):
    FM_BOUNDARY = re.compile(r"^---$", re.MULTILINE)

    def __init__(self, first_line: int) -> None:
        super().__init__()
        self.first_line = first_line

    def split(self, text: str) -> tuple[str, str]:
        return text.removeprefix("---\n").removesuffix("---"), ""

    def load(self, fm: str) -> dict[str, Any]:
        try:
            return _document(yaml.parse(fm, Loader=_LOADER), self.first_line)
        except yaml.MarkedYAMLError as error:
            mark = _mark(error)
            line = self.first_line + (mark.line if mark else 0)
            raise FrontMatterError(
                min(line, self.first_line + fm.count("\n")), _explain(error)
            ) from None
        except yaml.reader.ReaderError as error:
            line = self.first_line + fm[: error.position].count("\n")
            raise FrontMatterError(
                line, "a character that YAML does not allow; delete it"
            ) from None


_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _document(events: Iterator[Any], first_line: int) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    root = next(event for event in events if _is_content(event))
    if isinstance(root, yaml.StreamEndEvent):
        return fields
    if not isinstance(root, yaml.MappingStartEvent):
        raise FrontMatterError(
            first_line + root.start_mark.line,
            "the front matter is no list of keys; write each line as `key: value`",
        )
    reader = _Reader(events, first_line)
    for key, line, value in reader.pairs(root, 1):
        fields[key] = Field(tuple(_texts(value)), line)
    trailing = next(event for event in events if _is_content(event))
    if not isinstance(trailing, yaml.StreamEndEvent):
        raise FrontMatterError(
            first_line + trailing.start_mark.line,
            "a second document begins here; front matter is one block, delete the line above",
        )
    return fields


def _is_content(event: Any) -> bool:
    return not isinstance(
        event, yaml.StreamStartEvent | yaml.DocumentStartEvent | yaml.DocumentEndEvent
    )


class _Reader:
    """Builds plain values from YAML events and refuses what a card has no use for."""

    def __init__(self, events: Iterator[Any], first_line: int) -> None:
        self.events = events
        self.first_line = first_line

    def pairs(self, start: Any, depth: int) -> Iterator[tuple[str, int, Value]]:
        self._check(start, depth)
        seen: dict[str, int] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = self._line(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise FrontMatterError(line, "a key must be a word; write `key: value`")
            self._check(event, depth)
            key: str = event.value
            if key == "<<" and event.implicit[0]:
                raise FrontMatterError(line, "merging with `<<` is not allowed; write the keys out")
            if key in seen:
                raise FrontMatterError(
                    line, f"the key `{key}` stands in line {seen[key]} already; delete one of them"
                )
            seen[key] = line
            yield key, line, self._value(next(self.events), depth + 1)

    def _value(self, event: Any, depth: int) -> Value:
        if isinstance(event, yaml.MappingStartEvent):
            return tuple((key, value) for key, _, value in self.pairs(event, depth))
        self._check(event, depth)
        if isinstance(event, yaml.ScalarEvent):
            text: str = event.value
            return text
        items: list[Value] = []
        while not isinstance(item := next(self.events), yaml.SequenceEndEvent):
            items.append(self._value(item, depth + 1))
        return tuple(items)

    def _check(self, event: Any, depth: int) -> None:
        line = self._line(event)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise FrontMatterError(
                line,
                "`&name` and `*name` are not allowed here; write the value out, or put it in "
                "quotes if it begins with that sign",
            )
        if event.tag is not None:
            raise FrontMatterError(
                line,
                f"`{event.tag}` is read as a YAML tag, which is not allowed; "
                "put a value that begins with `!` in quotes",
            )
        if depth > MAX_DEPTH:
            raise FrontMatterError(line, f"nested deeper than {MAX_DEPTH} levels; make it flatter")

    def _line(self, event: Any) -> int:
        line: int = event.start_mark.line
        return self.first_line + line


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    for item in value:
        yield from _texts(item)


def _mark(error: yaml.MarkedYAMLError) -> Any:
    """Where the fault is: what is never closed is at fault where it opens, a line without a colon
    in that line, though YAML notices either only further down."""
    if error.context_mark and any(sign in str(error.context) for sign in _OPENED):
        return error.context_mark
    return error.problem_mark or error.context_mark


def _explain(error: yaml.MarkedYAMLError) -> str:
    """The YAML library's words, turned into what a card's author can do."""
    said = " ".join(part for part in (error.context, error.problem) if part)
    for sign, meaning in _MEANINGS:
        if sign in said:
            return meaning
    return f"this is not YAML ({said}); write `key: value`, with the value in quotes if need be"


_OPENED = ("quoted scalar", "flow sequence", "flow mapping", "simple key")

_MEANINGS = (
    (
        "mapping values are not allowed",
        'a second `: ` in one line; put the value in quotes, as in `course: "Part 1: Basics"`',
    ),
    ("cannot start any token", "a value cannot begin with this sign; put it in quotes (no tabs)"),
    ("quoted scalar", "a quotation mark is not closed; add the closing one"),
    ("flow sequence", "a list is not closed or lacks a comma; write `[one, two]`"),
    ("flow mapping", "a `{` is not closed or lacks a comma; write `{key: value}` or use quotes"),
    ("could not find expected ':'", "a line without `key: value`; add the colon or delete it"),
    ("block mapping", "this line does not fit the ones above; begin every key in the first column"),
    ("alias", "a value that begins with `*` must be in quotes"),
    ("anchor", "a value that begins with `&` must be in quotes"),
    ("tag", "a value that begins with `!` must be in quotes"),
)
