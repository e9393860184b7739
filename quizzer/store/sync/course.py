"""What the keeper of a course's database does: set it up, add learners, add the sums up anew.

Each step is one transaction, and what was done is remembered in the database: a step that was
interrupted left nothing behind, and the next run goes on there.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from quizzer.store.connection import APPLICATION_ID
from quizzer.store.errors import TargetError
from quizzer.store.sync import course_tables, database
from quizzer.store.sync.postgres import prepare
from quizzer.store.sync.postgres_errors import MAKING, Explaining

if TYPE_CHECKING:
    import psycopg

LONGEST_NAME = 63
"""Bytes of a role's name in PostgreSQL."""

_LEARNERS = """WITH RECURSIVE every AS (
        (SELECT learner FROM quizzer.events WHERE learner > ? ORDER BY learner LIMIT 1)
        UNION ALL
        SELECT (SELECT learner FROM quizzer.events WHERE learner > every.learner
            ORDER BY learner LIMIT 1) FROM every WHERE every.learner IS NOT NULL
    ) SELECT learner FROM every WHERE learner IS NOT NULL"""
_READERS = """SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE
        quote_ident(pg_get_userbyid(grantee)) END
    FROM pg_class, aclexplode(relacl) AS granted
    WHERE pg_class.oid = 'quizzer.events'::regclass AND privilege_type = 'SELECT'
        AND grantee <> relowner"""
_OWN_ROWS = "SELECT relrowsecurity FROM pg_class WHERE oid = 'quizzer.events'::regclass"

Progress = Callable[[int, int], None]


class SetUp(NamedTuple):
    """What a database is now."""

    name: str
    made: bool
    """Whether it had no history before."""
    own_rows: bool
    """Whether each role sees and adds the events of its own name alone."""
    added_up: int
    """Learners whose events were added up now."""
    converted: str | None
    """What to say if it was of an older format."""


class Added(NamedTuple):
    """A learner, or teacher, who may use the database now."""

    name: str
    password: str | None
    """None if they had a role, and so a way to log in, before."""


def set_up(address: str, *, own_rows: bool, anew: bool, progress: Progress) -> SetUp:
    """Make schema, tables, sums and roles, as far as they are lacking. Raises TargetError.

    A database that has a history keeps the rights in it, unless `own_rows` asks that each role
    be limited to events of its own name; a new one is made like that. With `anew`, the sums are
    forgotten first.
    """
    with _kept(address) as (connection, explaining):
        made, converted = not database.is_made(connection), None
        if made:
            database.make(connection)
        else:
            converted = prepare(connection, explaining)
        _see_summary(connection, explaining)
        if not database.has_table(connection, "sums"):
            _make_sums(connection)
        elif anew:
            _forget(connection)
        _make_roles(connection)
        if made or own_rows:
            _execute(connection, *course_tables.OWN_ROWS)
        connection.commit()
        added_up = _add_up(connection, progress)
        ((limited,),) = database.read(connection, _OWN_ROWS)
        return SetUp(explaining.name, made, bool(limited), added_up, converted)


def add(
    address: str, names: Sequence[str], *, teacher: bool, new_password: bool
) -> Iterator[Added]:
    """Give each a role with their name and a password, unless they have a role already.

    Each is there to stay once it is yielded. Raises TargetError.
    """
    from psycopg import sql

    with _kept(address) as (connection, explaining):
        group = None
        if database.is_made(connection):
            database.see_format(connection, explaining)
            group = database.meta(connection).get("teachers" if teacher else "learners")
        if group is None:
            raise TargetError.at(
                explaining.name, "is not set up yet", "First do: quizzer course init ADDRESS"
            )
        for name in names:
            there = bool(
                database.read(connection, "SELECT 1 FROM pg_roles WHERE rolname = ?", (name,))
            )
            password = None if there and not new_password else secrets.token_urlsafe(12)
            role = sql.Identifier(name)
            if password:
                verb = "ALTER" if there else "CREATE"
                hashed = connection.pgconn.encrypt_password(password.encode(), name.encode())
                connection.execute(
                    sql.SQL(verb + " ROLE {} LOGIN PASSWORD {}").format(
                        role, sql.Literal(hashed.decode())
                    )
                )
            connection.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(group), role))
            connection.commit()
            yield Added(name, password)


@contextmanager
def _kept(address: str) -> Iterator[tuple["psycopg.Connection[Any]", Explaining]]:
    """A connection of the only one who sets this database up now."""
    explaining = Explaining(address, MAKING)
    with closing(database.connect(address, explaining)) as connection, explaining():
        database.hold(connection, explaining, None)
        yield connection, explaining


def _see_summary(connection: "psycopg.Connection[Any]", explaining: Explaining) -> None:
    known = database.meta(connection).get("summary")
    if known not in (None, str(course_tables.SUMMARY)):
        raise TargetError.at(
            explaining.name,
            "keeps sums in another way: its sums are of a newer quizzer",
            "Update quizzer, then do this again.",
        )


def _make_sums(connection: "psycopg.Connection[Any]") -> None:
    """The tables of sums, still to be filled. Who may see events may see them."""
    _execute(connection, *course_tables.SUMS)
    for (reader,) in database.read(connection, _READERS):
        _execute(connection, f"GRANT SELECT ON quizzer.sums, quizzer.mistakes TO {reader}")
    database.put(connection, "added up", "")


def _forget(connection: "psycopg.Connection[Any]") -> None:
    database.remove(connection, "summary")
    database.put(connection, "added up", "")
    _execute(connection, "TRUNCATE quizzer.sums, quizzer.mistakes")


def _make_roles(connection: "psycopg.Connection[Any]") -> None:
    """A role that all learners of this database are members of, and one for teachers."""
    known = database.meta(connection)
    ((name,),) = database.read(connection, "SELECT current_database()")
    for which, rights in (
        ("learners", course_tables.LEARNER_RIGHTS),
        ("teachers", course_tables.TEACHER_RIGHTS),
    ):
        if which in known:
            continue
        role = f"{name}_{which}"
        if len(role.encode()) > LONGEST_NAME:
            role = f"course_{sha256(name.encode()).hexdigest()[:16]}_{which}"
        quoted = '"' + role.replace('"', '""') + '"'
        if not database.read(connection, "SELECT 1 FROM pg_roles WHERE rolname = ?", (role,)):
            _execute(connection, f"CREATE ROLE {quoted} NOLOGIN")
        _execute(connection, *(right.format(role=quoted) for right in rights))
        database.put(connection, which, role)


def _add_up(connection: "psycopg.Connection[Any]", progress: Progress) -> int:
    """Add up the events of each learner whose sums are lacking, in a transaction of their own."""
    since = database.meta(connection).get("added up")
    if since is None:
        return 0
    lacking = [name for (name,) in database.read(connection, _LEARNERS, (since,))]
    connection.commit()
    for done, learner in enumerate(lacking, start=1):
        connection.execute(
            "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (APPLICATION_ID, learner)
        )
        connection.execute("SELECT quizzer.add_up(%s, NULL)", (learner,))
        database.put(connection, "added up", learner)
        connection.commit()
        progress(done, len(lacking))
    database.remove(connection, "added up")
    database.put(connection, "summary", str(course_tables.SUMMARY))
    connection.commit()
    return len(lacking)


def _execute(connection: "psycopg.Connection[Any]", *statements: str) -> None:
    for statement in statements:
        connection.execute(statement.encode())
