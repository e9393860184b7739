"""Histories of older formats, as events of this format: the only place that knows them.

In formats 1 and 2, an event's hash covered the hash of its device's event before it, too. An event
is taken over if that still proves it; the same old event becomes the same new one wherever it is
converted. Format 3 had the events of today, with ids and hashes as texts.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from quizzer import files
from quizzer.fsrs.limits import NAME, usable
from quizzer.store.codec import Row, text_of
from quizzer.store.connection import Connection
from quizzer.store.integrity import hashed
from quizzer.store.pages import as_written
from quizzer.values import Fit

CHAINED = (1, 2)
COUNTED = (3,)
"""Formats of stores that counted their events."""
FORMATS = (*CHAINED, *COUNTED)
SCHEMAS = {
    1: "cd3959429a0d3f493dd60aaff3cb82ea8b2b8964f03aada7e2f94dd3fa4df7b7",
    2: "3684c06e71cb683204a8a87e6db37ed4c619857a89812028b81cea9bb8154849",
    3: "b90be23743b7134129a1ff5b7dfcc23498dbc1e01fae82ef0a4308e58386b0a9",
}
"""sha256 of each format's tables, indexes and triggers."""
COLUMNS = "id, device, seq, at_ms, offset_min, day, kind, card, body, hash"
ASIDE = "old_events"
"""The table's name while its events are taken over."""
_PAGE = 2000
"""Rows that are in memory at a time, where each proves itself."""
_LOST = "lost"
"""The kind of what stood in the place of an event that damage had taken."""


class OldRow(NamedTuple):
    id: str
    device: str
    seq: int
    at_ms: int
    offset_min: int
    day: int
    kind: str
    card: str
    body: str
    hash: str


class Converted(NamedTuple):
    """Rows of this format, and the old rows that nothing proves any more."""

    rows: list[Row]
    unproven: Sequence[OldRow | Row]


def events(
    read: Callable[[str, Sequence[object]], list[Any]], format: int, table: str = "events"
) -> Iterator[Converted]:
    """What a table of an older format holds, some at a time."""
    if format in CHAINED:
        found = read(f"SELECT {COLUMNS} FROM {table}", ())
        yield converted([OldRow(*row) for row in found])
        return
    last, columns = 0, ", ".join(Row._fields)
    sql = f"SELECT rowid, {columns} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_PAGE}"
    while page := read(sql, (last,)):
        last = page[-1][0]
        rows = [Row._make(row[1:]) for row in page]
        proven = [*zip(rows, as_written(rows), strict=True)]
        yield Converted(
            [row for row, is_proven in proven if is_proven],
            [row for row, is_proven in proven if not is_proven],
        )


def lay_aside(connection: Connection) -> None:
    """Let the table of events give its name, and those of its indexes and triggers, to a new one.

    Inside a transaction.
    """
    named = "SELECT type, name FROM sqlite_master WHERE tbl_name = 'events' AND sql IS NOT NULL"
    for kind, name in connection.read(named):
        if kind in ("index", "trigger"):
            quoted = name.replace('"', '""')
            connection.write(f'DROP {kind} "{quoted}"')
    connection.write(f"ALTER TABLE events RENAME TO {ASIDE}")


def converted(rows: Iterable[OldRow]) -> Converted:
    """Each row proven by its own hash with that of a row before it; placeholders are left out."""
    rows = list(dict.fromkeys(rows))
    at: dict[tuple[object, object], list[OldRow]] = defaultdict(list)
    for row in rows:
        at[row.device, row.seq].append(row)
    proven, unproven = list[Row](), list[OldRow]()
    for row in rows:
        if row.kind == _LOST:
            continue
        new = _converted(row, at) if tuple(map(type, row)) == _TYPES else None
        if new:
            proven.append(new)
        else:
            unproven.append(row)
    return Converted(proven, unproven)


def row_of(values: dict[str, Any]) -> OldRow | None:
    """The row that a line of an old export tells, None if it is no such line."""
    if values.keys() != set(OldRow._fields):
        return None
    if isinstance(values["body"], dict):
        values["body"] = text_of(values["body"])
    row = OldRow(**values)
    return row if all(isinstance(value, int | str) for value in row) else None


def parameters_file(store: Path) -> Path:
    """Where the parameters of a fit were kept before a fit was an event."""
    return store.with_name(f"{store.stem}-parameters.json")


def fit(store: Path) -> Fit | None:
    """What that file says, None if there is none. Raises ValueError if it holds something else."""
    try:
        table = json.loads(files.read_text(parameters_file(store)))
        found = Fit(
            table["model"],
            tuple(float(value) for value in table["parameters"]),
            int(table["reviews"]),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise ValueError("does not hold memory parameters") from error
    if found.model != NAME or not usable(found.parameters):
        raise ValueError(f"holds no parameters that {NAME} can use")
    return found


_TYPES = tuple(OldRow.__annotations__.values())


def _converted(row: OldRow, at: Mapping[tuple[object, object], list[OldRow]]) -> Row | None:
    after = _after(row, at)
    body = _object(row.body)
    if after is None or body is None:
        return None
    columns = row._asdict() | {"body": text_of(body)}
    del columns["seq"]
    return hashed(Row(**columns, after=after))


def _after(row: OldRow, at: Mapping[tuple[object, object], list[OldRow]]) -> str | None:
    """The id of the event that the row was sealed with, empty for a first; None if not proven."""
    if row.seq == 1:
        return "" if _sealed(row, "") == row.hash else None
    for before in at.get((row.device, row.seq - 1), ()):
        if _sealed(row, before.hash) == row.hash:
            return before.id
    return None


def _sealed(row: OldRow, previous: object) -> str:
    content = json.dumps(row[:-1], separators=(",", ":"), default=repr)
    return sha256(f"{previous}\n{content}".encode("utf-8", "surrogatepass")).hexdigest()


def _object(body: str) -> dict[str, object] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
