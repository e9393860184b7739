"""`verify --batch`: answers as JSON lines in, a verdict a line out, in the same order.

A line that cannot be judged costs the others nothing: what is wrong with it takes its place.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import lru_cache, partial
from io import BufferedReader
from itertools import count
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct

from quizzer.app.failure import Failure, NoCard, Usage, reading
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.verify_document import document
from quizzer.cli.terminal.output import print_json, print_note
from quizzer.deck import Entry
from quizzer.session.given import AnswersError, Given, must_be_notation
from quizzer.session.scripted import by_checker, by_key, judge_together
from quizzer.text import count as counted
from quizzer.text import one_line

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge

MAX_LINE = 64 << 10
"""Bytes of the longest line that is read: more than the longest answer takes in JSON."""

_MAX_KEY = 1_000
_CARDS = 1_024  # of those named in the lines, so many are not looked up again
_VERDICTS = ("correct", "wrong", "invalid", "broken", "error")

_Head = dict[str, object]


class _Task(Struct, frozen=True):
    """One answer to be judged; `head` is what its output line begins with."""

    head: _Head
    entry: Entry
    given: Given
    seed: int
    notation: str | None


def judge_lines(workspace: Workspace, file: Path, seed: int, notation: str | None) -> int:
    """Judge every line of the file and print what came of it; the exit code.

    `seed` and `notation` are for lines that say none.
    """
    from quizzer.sandbox.pool import in_order

    source = _opened(file)
    tasks = _tasks(source, _finder(workspace), seed, notation)
    tally: Counter[object] = Counter()
    with workspace.judge_for_many() as judge:
        work, together = partial(_judged, workspace, judge), partial(_judge_together, judge)
        with closing(in_order(work, tasks, together, _alike)) as lines:
            for line in lines:
                print_json(line, indent=None)
                sys.stdout.flush()
                tally[line.get("verdict", "error")] += 1
    parts = [f"{tally[verdict]} {verdict}" for verdict in _VERDICTS if tally[verdict]]
    print_note(f"{counted(tally.total(), 'answer')}: {', '.join(parts) or 'none'}; --seed {seed}")
    return 3 if tally["error"] else 0


def _opened(file: Path) -> BinaryIO:
    """The bytes of a file or of standard input. Raises Usage."""
    if str(file) == "-":
        if sys.stdin is None:
            raise Usage("standard input is closed")
        # A buffer of its own: Python would wait at its end for a reader of the one of `sys.stdin`.
        raw: Any = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        return BufferedReader(raw)
    with reading(file):
        return file.open("rb")


def _finder(workspace: Workspace) -> Callable[[str], Entry | str]:
    """Finds the card that a key means, or says why there is none."""
    _ = workspace.deck  # loaded before a line is read, and by one thread

    @lru_cache(_CARDS)
    def found(key: str) -> Entry | str:
        try:
            return workspace.entry(key)
        except NoCard as failure:
            return str(failure)

    return found


def _tasks(
    source: BinaryIO, find: Callable[[str], Entry | str], seed: int, notation: str | None
) -> Iterator[_Task | _Head]:
    """What each line asks for, or the output line that says why it cannot be judged."""
    for number, data in _lines(source):
        head: _Head = {"id": None, "line": number}
        try:
            fields = _fields(data)
            head["id"] = _id(fields)
            entry = find(_word(fields, "card"))
            if isinstance(entry, str):
                raise NoCard(entry)
            answer = _text(fields, "answer").replace("\r\n", "\n")
            yield _Task(
                head=head,
                entry=entry,
                given=Given.within(answer, 0, len(answer), _word(fields, "name"), None),
                seed=_seed(fields, seed),
                notation=_notation(fields, notation),
            )
        except (AnswersError, Failure) as failure:
            yield head | {"error": str(failure)}


def _alike(task: _Task | _Head) -> Hashable:
    """What answers have in common that are judged together."""
    if isinstance(task, dict) or task.entry.checker is None:
        return id(task)
    return task.entry.checker, task.given.name, task.seed, task.notation


def _judge_together(judge: "Judge", tasks: Sequence[_Task | _Head]) -> None:
    """Begin with what several answers to one name can share; `_judged` says what came of it."""
    answers = [task for task in tasks if isinstance(task, _Task)]
    first = answers[0]
    given = [answer.given for answer in answers]
    if first.entry.checker:
        with suppress(AnswersError):
            judge_together(judge, first.entry.checker, given, first.seed, first.notation)


def _judged(workspace: Workspace, judge: "Judge", task: _Task | _Head) -> _Head:
    """The output line: a verdict as in `verify --json`, or an error."""
    if isinstance(task, dict):
        return task
    entry, given = task.entry, [task.given]
    try:
        if entry.checker:
            judged = by_checker(judge, entry.checker, given, task.seed, task.notation, every=False)
        else:
            judged = by_key(workspace.read(entry), given, task.seed)
    except (AnswersError, Failure) as failure:
        return task.head | {"error": str(failure)}
    except Exception as error:  # whatever it is, the other answers can be judged
        said = one_line(f"{type(error).__name__}: {error}", 200)
        return task.head | {"error": f"quizzer could not judge this; please report it: {said}"}
    return task.head | document(entry.id, judged)


def _lines(source: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank, with its number; None for one that is too long."""
    with source:
        for number in count(1):
            data = source.readline(MAX_LINE + 1)
            if not data:
                return
            if len(data) > MAX_LINE:
                while data and not data.endswith(b"\n"):
                    data = source.readline(MAX_LINE)
                yield number, None
            elif data.strip():
                yield number, data


def _fields(data: bytes | None) -> Mapping[str, Any]:
    """The JSON object in a line. Raises Usage."""
    if data is None:
        raise Usage(f"the line is longer than {MAX_LINE:,} bytes")
    try:
        text = data.decode().removeprefix("\ufeff").strip()
        fields = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise Usage(f"the line is not valid UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise Usage(f"the line is not valid JSON at column {error.colno}: {error.msg}") from None
    except ValueError:
        raise Usage("the line is not valid JSON: a number has too many digits") from None
    except RecursionError:
        raise Usage("the line is nested too deeply") from None
    if not isinstance(fields, dict):
        raise Usage('the line must be an object: {"card": …, "name": …, "answer": …}')
    return fields


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise Usage(f"the key `{one_line(twice)}` appears twice")
    return fields


def _no_constant(name: str) -> None:
    raise Usage(f"the line is not valid JSON: {name} is not a number in JSON")


def _id(fields: Mapping[str, Any]) -> str | int | float | None:
    value = fields.get("id")
    if value is None or isinstance(value, str) or type(value) is int:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    raise Usage("`id` must be a string or a number")


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if value is None:
        raise Usage(f"`{key}` is missing")
    if not isinstance(value, str):
        raise Usage(f"`{key}` must be a string")
    return value


def _word(fields: Mapping[str, Any], key: str) -> str:
    value = _text(fields, key).strip()
    if not value:
        raise Usage(f"`{key}` is empty")
    if len(value) > _MAX_KEY:
        raise Usage(f"`{key}` is longer than {_MAX_KEY:,} characters")
    return value


def _seed(fields: Mapping[str, Any], default: int) -> int:
    value = fields.get("seed")
    if value is None:
        return default
    if type(value) is not int or value < 0:
        raise Usage("`seed` must be a whole number, 0 or larger")
    return value


def _notation(fields: Mapping[str, Any], default: str | None) -> str | None:
    if fields.get("notation") is None:
        return default
    value = _text(fields, "notation")
    must_be_notation(value)
    return value
