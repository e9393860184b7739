"""What a teacher reads of a course's database: sums by card, added up over the learners there.

However many learners there are, what is fetched grows with the deck alone.
"""

import json
from collections.abc import Collection
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from quizzer.store.sync import database
from quizzer.store.sync.course_tables import BOUNDS, FORMAT, SUMMARY
from quizzer.store.sync.postgres_errors import LOOKING, Explaining

if TYPE_CHECKING:
    import psycopg

MOST = 20
"""Mistakes and lines of a card, the most frequent; learners write lines, so there is no end."""

_SUMS = ("reviews", "again", "learned", "forgotten", "wrong", "disputes")
_TIMES = ", ".join(f"SUM(seconds[{place + 1}])" for place in range(len(BOUNDS) + 1))
_CARDS = f"""SELECT card, COUNT(*), {", ".join(f"SUM({name})" for name in _SUMS)}, ARRAY[{_TIMES}]
    FROM quizzer.sums WHERE card = ANY(?) GROUP BY card ORDER BY card"""
_LEARNERS = """SELECT COUNT(*) FROM
    (SELECT DISTINCT learner FROM quizzer.sums WHERE card = ANY(?)) AS each"""
_CODES = """SELECT code, COUNT(*), SUM(times) FROM
    (SELECT learner, code, SUM(times) AS times FROM quizzer.mistakes
    WHERE card = ANY(?) AND code <> '' GROUP BY learner, code) AS each
    GROUP BY code ORDER BY 2 DESC, 3 DESC LIMIT 1000"""
_KINDS = ("code", "mistake", "line")
# One look at all learners' rows, then three at what is left of them.
_MOST = f"""WITH each AS MATERIALIZED (
        SELECT card, code, mistake, line, SUM(times) AS times FROM quizzer.mistakes
        WHERE card = ANY(?) GROUP BY card, code, mistake, line
    ) SELECT kind, card, what, times FROM (
        SELECT kind, card, what, SUM(times) AS times, ROW_NUMBER() OVER
            (PARTITION BY kind, card ORDER BY SUM(times) DESC, what) AS place
        FROM ({
    " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, card, {kind} AS what, times FROM each" for kind in _KINDS
    )
}) AS every WHERE what <> '' GROUP BY kind, card, what
    ) AS ordered WHERE place <= {MOST} ORDER BY kind, card, place"""


class CardTotal(NamedTuple):
    """One card over all learners who met it."""

    card: str
    learners: int
    reviews: int
    again: int
    learned: int
    forgotten: int
    wrong: int
    disputes: int
    seconds: tuple[int, ...]
    """How many reviews took so long: below the first of BOUNDS, between each two, and longer."""


class CodeTotal(NamedTuple):
    """A diagnosis code over all cards."""

    code: str
    learners: int
    times: int


class Times(NamedTuple):
    """How often something happened at a card: a code, an author's sentence, a line."""

    card: str
    what: str
    times: int


class CourseTotals(Struct, frozen=True):
    """A course; of each card the most frequent mistakes and lines."""

    learners: int = 0
    cards: tuple[CardTotal, ...] = ()
    codes: tuple[CodeTotal, ...] = ()
    mistakes: tuple[Times, ...] = ()
    """By their codes."""
    known: tuple[Times, ...] = ()
    """Known mistakes, by the sentences of the card's author."""
    lines: tuple[Times, ...] = ()
    """First wrong lines of derivations, by what they are about."""
    remark: str | None = None


def totals(address: str, cards: Collection[str]) -> CourseTotals | None:
    """The sums of these cards; None if the database has none for this reader, only events.

    Sums of a version that is known here are read in a database of a newer format, too. Raises
    TargetError.
    """
    explaining = Explaining(address, LOOKING)
    with closing(database.connect(address, explaining)) as connection, explaining():
        if not database.is_made(connection):
            return CourseTotals()
        known = database.meta(connection)
        if known.get("summary") != str(SUMMARY) or not _may_read(connection):
            database.see_format(connection, explaining)
            return None
        remark = None
        if database.format_of(known) > FORMAT:
            remark = (
                f"{explaining.name} was made by a newer quizzer; update quizzer to see all of it."
            )
        return _read(connection, list(cards), remark)


def _read(
    connection: "psycopg.Connection[Any]", cards: list[str], remark: str | None
) -> CourseTotals:
    def rows(sql: str) -> list[Any]:
        # Not by a cursor, for which PostgreSQL plans no parallel work.
        return database.read(connection, sql, (cards,))

    ((learners,),) = rows(_LEARNERS)
    most: dict[str, list[Times]] = {kind: [] for kind in _KINDS}
    for kind, card, what, times in rows(_MOST):
        most[kind].append(Times(card, _unescaped(what), int(times)))
    return CourseTotals(
        learners,
        tuple(_card_total(*row) for row in rows(_CARDS)),
        tuple(CodeTotal(_unescaped(code), met, int(times)) for code, met, times in rows(_CODES)),
        tuple(most["code"]),
        tuple(most["mistake"]),
        tuple(most["line"]),
        remark,
    )


def _card_total(card: str, learners: int, *columns: Any) -> CardTotal:
    *sums, seconds = columns
    reviews, again, learned, forgotten, wrong, disputes = map(int, sums)
    times = tuple(map(int, seconds))
    return CardTotal(card, learners, reviews, again, learned, forgotten, wrong, disputes, times)


def _unescaped(text: str) -> str:
    """The sums hold texts as they are in JSON, since not every encoding has their characters."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _may_read(connection: "psycopg.Connection[Any]") -> bool:
    rights = (f"has_table_privilege('quizzer.{table}', 'SELECT')" for table in ("sums", "mistakes"))
    ((may,),) = database.read(connection, f"SELECT {' AND '.join(rights)}")
    return bool(may)
