"""A learner's report, one small file to hand in: sums by card, and no name unless they give one.

Its hash shows damage and careless changes. It cannot prove who wrote it: whoever knows how can
write another one.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from quizzer import files
from quizzer.stats.card_sums import CardSums
from quizzer.text import clean, one_line
from quizzer.values import Attempt, Verdict

VERSION = 1
LARGEST = 50 << 20
"""Bytes of a report, answers among them."""
_MOST = 10_000_000
"""The largest sum that is believed: nobody has done more."""
_LONGEST = 200
"""Characters of an id, a code or a name."""


class ReportError(ValueError):
    """The file is no report that can be used; the message says why, after the file's name."""


class Report(Struct, frozen=True):
    """What one learner handed in."""

    learner: str
    """The same in all reports of one history; it reveals nothing else about the learner."""
    made: str
    """When it was written."""
    events: int
    cards: Mapping[str, CardSums]
    name: str | None = None
    answers: Sequence[Mapping[str, str | None]] | None = None


class HandedIn(Struct, frozen=True):
    """The reports of a folder, one a learner, and the files that were left out, each with why."""

    reports: tuple[Report, ...]
    left_out: tuple[tuple[Path, str], ...]


def pseudonym(oldest: str) -> str:
    """What to call the learner whose history begins with this event."""
    return sha256(f"report of {oldest}".encode()).hexdigest()[:12]


def answer_of(attempt: Attempt) -> dict[str, str | None]:
    return {
        "card": attempt.card,
        "name": attempt.name,
        "answer": attempt.answer,
        "verdict": attempt.verdict.value,
        "diagnosis": attempt.diagnosis,
    }


def written(report: Report) -> bytes:
    """The file that holds the report."""
    values = {
        "quizzer_report": VERSION,
        "learner": report.learner,
        "name": report.name,
        "made": report.made,
        "events": report.events,
        "cards": {card: _told(sums) for card, sums in sorted(report.cards.items())},
    }
    if report.answers is not None:
        values["answers"] = [*report.answers]
    return _json({**values, "hash": _hash(values)}) + b"\n"


def read(data: bytes) -> Report:
    """The report that a file holds. Raises ReportError."""
    try:
        values = json.loads(data)
        version = values["quizzer_report"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ReportError("is damaged, or no report") from None
    if version != VERSION:
        raise ReportError("was written by a newer quizzer")
    try:
        if values.pop("hash") != _hash(values):
            raise ReportError("is not as it was written: it was damaged or changed")
        report = Report(
            learner=_text(values["learner"]),
            made=_text(values["made"]),
            events=_count(values["events"]),
            cards={_text(card): _sums(told) for card, told in values["cards"].items()},
            name=None if values["name"] is None else _text(values["name"]),
        )
    except ReportError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ReportError("contains something that quizzer does not write") from None
    if sum(sums.reviews for sums in report.cards.values()) > report.events:
        raise ReportError("has numbers that do not fit together")
    return report


def handed_in(folder: Path) -> HandedIn:
    """What lies in a folder: the newest report of each learner. Raises OSError for the folder."""
    newest: dict[str, tuple[Path, Report]] = {}
    left_out: list[tuple[Path, str]] = []
    for file in sorted(file for file in folder.iterdir() if not file.name.startswith(".")):
        if file.is_dir():
            continue
        try:
            report = read(files.read(file, LARGEST))
        except ReportError as error:
            left_out.append((file, str(error)))
            continue
        except OSError as error:
            left_out.append((file, f"cannot be read: {error.strerror}"))
            continue
        known = newest.get(report.learner)
        if known is None:
            newest[report.learner] = file, report
            continue
        kept, other = (file, known[0]) if _order(report) > _order(known[1]) else (known[0], file)
        left_out.append((other, f"is of the same history as {one_line(kept.name)}, which is kept"))
        if kept == file:
            newest[report.learner] = file, report
    return HandedIn(tuple(report for _, report in newest.values()), tuple(left_out))


def _order(report: Report) -> tuple[int, str]:
    return report.events, report.made


def _told(sums: CardSums) -> dict[str, Any]:
    told = {each.name: getattr(sums, each.name) for each in fields(sums)}
    seconds = Counter[int]()
    for value, times in sums.seconds.items():
        seconds[_rounded(value)] += times
    return {**told, "seconds": {str(value): times for value, times in sorted(seconds.items())}}


def _rounded(seconds: float) -> int:
    """To two digits: a report should be small, and reveal no more than a median needs."""
    whole = round(seconds)
    return round(whole, 2 - len(str(whole))) if whole >= 100 else whole


def _sums(told: Mapping[str, Any]) -> CardSums:
    seconds = {float(_count(int(value))): _count(n) for value, n in told["seconds"].items()}
    sums = CardSums(
        reviews=_count(told["reviews"]),
        again=_count(told["again"]),
        learned=_count(told["learned"]),
        forgotten=_count(told["forgotten"]),
        seconds=Counter(seconds),
        verdicts=_counter(told["verdicts"]),
        mistakes=_counter(told["mistakes"]),
        known=_counter(told.get("known", {})),
        lines=_counter(told["lines"]),
        disputes=_count(told["disputes"]),
    )
    fit = (
        max(sums.again, sums.learned, sums.seconds.total()) <= sums.reviews
        and sums.forgotten <= min(sums.again, sums.learned)
        and sums.mistakes.total() <= sums.verdicts[Verdict.WRONG.value]
        and sums.known.total() <= sums.mistakes.total()
        and sums.lines.total() <= sums.verdicts.total()
        and sums.verdicts.keys() <= {verdict.value for verdict in Verdict}
    )
    if not fit:
        raise ReportError("has numbers that do not fit together")
    return sums


def _counter(told: Mapping[str, Any]) -> Counter[str]:
    return Counter({_text(name): _count(times) for name, times in told.items()})


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST or value != clean(value):
        raise ValueError
    return value


def _hash(values: Mapping[str, Any]) -> str:
    return sha256(_json(values)).hexdigest()


def _json(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode()
