"""The SQL of a course's database: events, and sums of them that triggers keep in step.

A learner's sums of a card are added up anew whenever an event of that card arrives, in the
transaction that adds it. So an undo subtracts, a dispute clears a mistake, whatever arrives twice
counts once, and no sum can drift. A trigger does it, not the client: older versions of quizzer
keep the sums in step as well, and learners need no right to write them.

Bodies are canonical JSON, so a key comes after `{` or `,` and no text can imitate one. Patterns
read them in a database of any encoding, and a body that cannot be read stops no sync. What they
find is still escaped as in JSON.
"""

from quizzer.store.codec import LONGEST
from quizzer.store.connection import APPLICATION_ID
from quizzer.values import State, Verdict

FORMAT = 3
"""Of the table of events. A store's file has a format of its own."""
SUMMARY = 1
"""The version of the sums, `summary` in `meta`. Absent while they are incomplete."""
BOUNDS = tuple(round(5 * 1.25**step, 3) for step in range(36))
"""Seconds that part the counts of how long reviews took: from 5 seconds to 3 hours."""
LONGEST_TEXT = 250
"""Characters of a code, a line, or what is said about a mistake."""

EVENTS = (
    "CREATE SCHEMA IF NOT EXISTS quizzer",
    """CREATE TABLE quizzer.events (
        learner TEXT NOT NULL,
        id TEXT NOT NULL,
        device TEXT NOT NULL,
        after TEXT NOT NULL,
        at_ms BIGINT NOT NULL,
        offset_min INTEGER NOT NULL,
        day INTEGER NOT NULL,
        kind TEXT NOT NULL,
        card TEXT NOT NULL,
        body TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (learner, id)
    )""",
    "CREATE INDEX events_by_device ON quizzer.events (learner, device, id)",
    "CREATE INDEX events_by_card ON quizzer.events (card)",
    """CREATE FUNCTION quizzer.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'events are only ever added'; END $$""",
    """CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE
        ON quizzer.events FOR EACH STATEMENT EXECUTE FUNCTION quizzer.refuse()""",
    "CREATE TABLE quizzer.meta (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)",
    f"INSERT INTO quizzer.meta (name, content) VALUES ('format', '{FORMAT}')",
)


def _value(key: str, pattern: str) -> str:
    """What a key has, if it begins like this. To split first is ten times as fast."""
    return f"""substring(split_part(',' || substr(body, 2), ',"{key}":', 2) FROM '^{pattern}')"""


def _text(key: str) -> str:
    return _value(key, r'"((?:[^"\\]|\\.)*)"')


def _short(key: str) -> str:
    """A text that is not longer than anyone needs; a longer one is none."""
    return f"NULLIF(CASE WHEN length({_text(key)}) <= {LONGEST_TEXT} THEN {_text(key)} END, '')"


_VERDICTS = ", ".join(f"'{verdict}'" for verdict in Verdict)
_STATES = ", ".join(f"'{state}'" for state in State)
_SECONDS = _value("seconds", r"([0-9]{1,7}(?:\.[0-9]{1,20})?(?:e-[0-9]{1,2})?)[,}]") + "::float8"
_BUCKETS = ", ".join(
    f"(COUNT(*) FILTER (WHERE bucket = {number}))::integer" for number in range(len(BOUNDS) + 1)
)
_ADD_UP = f"""CREATE FUNCTION quizzer.add_up(who TEXT, which TEXT[]) RETURNS void
    LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM quizzer.sums WHERE learner = who AND (which IS NULL OR card = ANY (which));
    DELETE FROM quizzer.mistakes WHERE learner = who AND (which IS NULL OR card = ANY (which));
    WITH own AS MATERIALIZED (
        SELECT id, kind, card, body FROM quizzer.events
        WHERE learner = who AND kind IN ('review', 'attempt', 'dispute', 'undo')
            AND (which IS NULL OR card = ANY (which))
    ), standing AS MATERIALIZED (
        SELECT kind, card, body FROM own WHERE kind <> 'undo'
            AND id NOT IN (SELECT COALESCE({_text("event")}, '') FROM own WHERE kind = 'undo')
    ), review AS (
        SELECT card, {_SECONDS} AS seconds, {_text("state")} = 'review' AS learned,
            {_value("rating", "([1-4])[,}]")} AS rating
        FROM standing WHERE kind = 'review' AND {_text("state")} IN ({_STATES})
    ), dispute AS MATERIALIZED (
        SELECT card, {_text("name")} AS name, {_text("answer")} AS answer
        FROM standing WHERE kind = 'dispute'
    ), attempt AS MATERIALIZED (
        SELECT card, body, verdict = 'wrong' AND (card, {_text("name")}, {_text("answer")})
            NOT IN (SELECT card, name, answer FROM dispute
                WHERE name IS NOT NULL AND answer IS NOT NULL) AS wrong,
            {_value("line", "(-?[0-9]{1,9})[,}]")} AS line
        FROM (SELECT card, body, {_text("verdict")} AS verdict
            FROM standing WHERE kind = 'attempt') AS judged WHERE verdict IN ({_VERDICTS})
    ), told AS (
        INSERT INTO quizzer.mistakes (learner, card, code, mistake, line, times)
        SELECT who, card, CASE WHEN wrong THEN COALESCE({_short("diagnosis")}, 'unexplained')
                ELSE '' END AS code,
            CASE WHEN wrong THEN COALESCE({_short("mistake")}, '') ELSE '' END AS said,
            CASE WHEN line IS NULL THEN '' ELSE COALESCE({_short("step")}, line) END AS about,
            COUNT(*)
        FROM attempt WHERE wrong OR line IS NOT NULL GROUP BY card, code, said, about
    )
    INSERT INTO quizzer.sums
        (learner, card, reviews, again, learned, forgotten, wrong, disputes, seconds)
    SELECT who, card, SUM(one), SUM(again), SUM(known), SUM(known * again), SUM(wrong),
        SUM(disputed), ARRAY[{_BUCKETS}]
    FROM (
        SELECT card, 1 AS one, (rating = '1')::integer AS again, learned::integer AS known,
            0 AS wrong, 0 AS disputed, CASE WHEN seconds <= {LONGEST}
                THEN width_bucket(seconds, '{{{", ".join(map(str, BOUNDS))}}}'::float8[]) END
                AS bucket
        FROM review WHERE rating IS NOT NULL
        UNION ALL SELECT card, 0, 0, 0, wrong::integer, 0, NULL FROM attempt
        UNION ALL SELECT card, 0, 0, 0, 0, 1, NULL FROM dispute
    ) AS every GROUP BY card;
    END $$"""

SUMS = (
    """CREATE TABLE quizzer.sums (
        learner TEXT NOT NULL, card TEXT NOT NULL,
        reviews INTEGER NOT NULL, again INTEGER NOT NULL, learned INTEGER NOT NULL,
        forgotten INTEGER NOT NULL, wrong INTEGER NOT NULL, disputes INTEGER NOT NULL,
        seconds INTEGER[] NOT NULL
    )""",
    """CREATE TABLE quizzer.mistakes (
        learner TEXT NOT NULL, card TEXT NOT NULL,
        code TEXT NOT NULL, mistake TEXT NOT NULL, line TEXT NOT NULL, times INTEGER NOT NULL
    )""",
    "CREATE INDEX sums_of_learner ON quizzer.sums (learner)",
    "CREATE INDEX mistakes_of_learner ON quizzer.mistakes (learner)",
    _ADD_UP,
    # Its owner's rights, since learners have none to the sums.
    f"""CREATE FUNCTION quizzer.add_up_new() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE each RECORD;
        BEGIN
        FOR each IN SELECT learner, array_agg(DISTINCT card) AS cards FROM added
            WHERE kind IN ('review', 'attempt', 'dispute', 'undo')
            GROUP BY learner ORDER BY learner
        LOOP
            PERFORM pg_advisory_xact_lock({APPLICATION_ID}, hashtext(each.learner));
            PERFORM quizzer.add_up(each.learner, each.cards);
        END LOOP;
        RETURN NULL;
        END $$""",
    """CREATE TRIGGER events_are_added_up AFTER INSERT ON quizzer.events
        REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION quizzer.add_up_new()""",
    # Who may see a learner's events may see their sums, and nobody else.
    *(
        statement
        for table in ("sums", "mistakes")
        for statement in (
            f"ALTER TABLE quizzer.{table} ENABLE ROW LEVEL SECURITY",
            f"""CREATE POLICY as_events ON quizzer.{table} FOR SELECT USING (EXISTS
                (SELECT FROM quizzer.events WHERE events.learner = {table}.learner))""",
        )
    ),
)
"""Made after EVENTS. In a database that has events already, `add_up` then goes through them."""

OWN_ROWS = (
    "ALTER TABLE quizzer.events ENABLE ROW LEVEL SECURITY",
    "DROP POLICY IF EXISTS own ON quizzer.events",
    "CREATE POLICY own ON quizzer.events USING (learner = current_user)",
)
"""Each learner sees and adds events of their own name alone."""

LEARNER_RIGHTS = (
    "GRANT USAGE ON SCHEMA quizzer TO {role}",
    "GRANT SELECT, INSERT ON quizzer.events TO {role}",
    "GRANT SELECT ON quizzer.meta TO {role}",
)
TEACHER_RIGHTS = (
    "GRANT USAGE ON SCHEMA quizzer TO {role}",
    "GRANT SELECT ON quizzer.events, quizzer.sums, quizzer.mistakes, quizzer.meta TO {role}",
    *(
        f"CREATE POLICY teachers_see_all ON quizzer.{table} FOR SELECT TO {{role}} USING (true)"
        for table in ("events", "sums", "mistakes")
    ),
)
