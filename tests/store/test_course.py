"""A course's database: its sums are what its events add up to, whoever adds them, and how."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import psycopg
import pytest
from samples import MORNING as NOW

from quizzer.stats.classroom import Classroom, classroom, of_totals
from quizzer.store import Store, merge
from quizzer.store.connection import APPLICATION_ID
from quizzer.store.errors import TargetError
from quizzer.store.sync import course, exchange, postgres
from quizzer.store.sync import database as server
from quizzer.store.sync.course_sums import totals
from quizzer.store.sync.exchange import Exchange, sync
from quizzer.values import (
    Attempt,
    Dispute,
    Fact,
    Flag,
    Rating,
    Review,
    State,
    Verdict,
    study_day,
)

CARDS = ("a", 'naïve, "rating":1', "c")
DAY = study_day(NOW)


def set_up(address: str, *, own_rows: bool = False, anew: bool = False) -> course.SetUp:
    return course.set_up(address, own_rows=own_rows, anew=anew, progress=lambda *_: None)


def synced(path: Path, address: str, learner: str = "maria") -> Exchange:
    with Store.open(path, NOW) as store, postgres.opened(address, learner, claimed=True) as target:
        return sync(store, target, NOW)


def recorded(path: Path, *facts: Fact) -> None:
    with Store.open(path, NOW) as store:
        store.record(*facts, at=NOW, day=DAY)


def some_facts(luck: Random, count: int) -> list[Fact]:
    def fact() -> Fact:
        card = luck.choice(CARDS)
        answer, name = luck.choice(['x,"verdict":"wrong"', "y\\", "∂"]), luck.choice(["dx", ""])
        wrong = luck.random() < 0.7
        line = luck.choice([None, None, 3, -1])
        attempt = Attempt(
            card,
            name,
            answer,
            Verdict.WRONG if wrong else luck.choice([Verdict.CORRECT, Verdict.INVALID]),
            diagnosis=luck.choice([None, "sign", "known-mistake"]) if wrong else None,
            seconds=luck.choice([None, 7.5]),
            line=line,
            step=luck.choice([None, "∂L/∂x", '"q"\n\\']) if line else None,
            mistake=luck.choice([None, "You lost the “1/n”."]) if wrong else None,
        )
        state, seconds = luck.choice([*State]), luck.choice([None, 1e-06, 90, 60.25, -4, 2e6])
        review = Review(card, luck.choice([*Rating]), 1, state, seconds, path='{"state":"new"')
        dispute = Dispute(card, name, answer, Verdict.WRONG)
        return luck.choice([attempt, attempt, attempt, review, review, dispute, Flag(card, True)])

    return [fact() for _ in range(count)]


def from_events(address: str) -> Classroom:
    return classroom(postgres.all_events(address, CARDS), CARDS)


def from_sums(address: str) -> Classroom:
    found = totals(address, CARDS)
    assert found is not None
    return of_totals(found)


def told(found: Classroom) -> object:
    """All but the medians, which the sums know only nearly, and what comes first of equals."""
    cards = {
        card.card: (
            *(card.learners, card.reviews, card.again, card.forgotten, card.wrong, card.disputes),
            *(dict(card.mistakes), dict(card.known), dict(card.lines)),
        )
        for card in found.cards
    }
    codes = {each.code: (each.times, each.learners, {*each.cards}) for each in found.mistakes}
    return found.learners, found.reviews, cards, codes


@pytest.mark.parametrize("seed", range(3))
def test_the_sums_are_what_the_events_add_up_to(tmp_path: Path, database: str, seed: int) -> None:
    luck = Random(seed)
    set_up(database)
    for step in range(6):
        learner = luck.choice(["maria", "jo"])
        path = tmp_path / f"{learner}.db"
        recorded(path, *some_facts(luck, 30))
        with Store.open(path, NOW) as store:
            for _ in range(step):
                store.undo(NOW, DAY)
        synced(path, database, learner)
        assert told(from_sums(database)) == told(from_events(database))
    by_hand = from_sums(database)
    assert {each.code for each in by_hand.mistakes} == {"sign", "known-mistake", "unexplained"}
    set_up(database, anew=True)
    assert from_sums(database) == by_hand, "added up anew, they are the same"


def test_what_is_undone_or_disputed_later_no_longer_counts(tmp_path: Path, database: str) -> None:
    path = tmp_path / "a.db"
    wrong = Attempt("a", "dx", "1", Verdict.WRONG, "sign", line=2, step="∂L/∂x")
    recorded(path, wrong, Review("a", Rating.AGAIN, 1, State.REVIEW, 60.0))
    synced(path, database)
    (card,) = from_sums(database).cards
    assert (card.again, card.wrong, card.lines) == (1, 1, {"∂L/∂x": 1})
    recorded(path, Dispute("a", "dx", "1", Verdict.WRONG))
    with Store.open(path, NOW) as store:
        store.undo(NOW, DAY)
    synced(path, database)
    (card,) = from_sums(database).cards
    assert (card.reviews, card.again, card.wrong, card.disputes) == (0, 0, 0, 1)


def test_the_median_time_is_known_to_a_tenth(tmp_path: Path, database: str) -> None:
    luck = Random(1)
    times = [luck.lognormvariate(4.5, 0.8) for _ in range(99)]
    recorded(tmp_path / "a.db", *(Review("a", Rating.GOOD, 1, State.NEW, time) for time in times))
    synced(tmp_path / "a.db", database)
    (one,), (other,) = from_sums(database).cards, from_events(database).cards
    assert one.seconds == pytest.approx(other.seconds, rel=0.1)


@contextmanager
def at(address: str) -> Iterator["psycopg.Connection[object]"]:
    with closing(psycopg.connect(address, autocommit=True)) as connection:
        yield connection


def without_sums(address: str) -> None:
    """As the documented SQL and an older quizzer left a course's database."""
    with at(address) as connection:
        for statement in (
            "DROP TRIGGER events_are_added_up ON quizzer.events",
            "DROP FUNCTION quizzer.add_up_new",
            "DROP FUNCTION quizzer.add_up",
            "DROP TABLE quizzer.sums, quizzer.mistakes",
            "DELETE FROM quizzer.meta WHERE name <> 'format'",
        ):
            connection.execute(statement)


def test_a_database_without_sums_is_still_read_and_gets_them_without_loss(
    tmp_path: Path, database: str
) -> None:
    luck = Random(9)
    for learner in ("maria", "jo", "kim"):
        recorded(tmp_path / f"{learner}.db", *some_facts(luck, 20))
        synced(tmp_path / f"{learner}.db", database, learner)
    before = told(from_events(database))
    without_sums(database)
    assert totals(database, CARDS) is None
    assert told(from_events(database)) == before
    recorded(tmp_path / "jo.db", Review("a", Rating.AGAIN, 1, State.REVIEW, 60.0))
    synced(tmp_path / "jo.db", database, "jo")
    found = set_up(database)
    assert (found.made, found.own_rows, found.added_up) == (False, False, 3)
    assert told(from_sums(database)) == told(from_events(database)) != before
    assert set_up(database).added_up == 0


def test_a_set_up_that_is_killed_half_way_goes_on_and_nothing_half_is_shown(
    tmp_path: Path, database: str
) -> None:
    for learner in ("a", "b", "c", "d"):
        recorded(tmp_path / f"{learner}.db", Review("a", Rating.AGAIN, 1, State.REVIEW))
        synced(tmp_path / f"{learner}.db", database, learner)
    without_sums(database)

    def killed(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        course.set_up(database, own_rows=False, anew=False, progress=killed)
    assert totals(database, CARDS) is None
    recorded(tmp_path / "a.db", Review("a", Rating.GOOD, 1, State.REVIEW))
    synced(tmp_path / "a.db", database, "a")
    assert set_up(database).added_up == 2
    assert told(from_sums(database)) == told(from_events(database))


def test_who_holds_a_learners_events_is_told_by_the_servers_process(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path / "a.db", Flag("a", True))
    monkeypatch.setattr(server, "PATIENCE", "100ms")
    with postgres.opened(database, "maria", claimed=True) as target:
        pid = target.connection.info.backend_pid
        with pytest.raises(TargetError, match=rf"synced by another machine: process {pid} of"):
            synced(tmp_path / "a.db", database)
        assert synced(tmp_path / "a.db", database, "jo").given == 1
    with at(database) as connection:
        connection.execute(f"SELECT pg_advisory_lock({APPLICATION_ID}, 0)".encode())
        pid = connection.info.backend_pid
        with pytest.raises(TargetError, match=rf"set up by another machine: process {pid} of"):
            set_up(database)
        connection.execute("SELECT pg_advisory_unlock_all()")
    assert synced(tmp_path / "a.db", database).given == 1, "a lock ends with its connection"


def test_a_connection_lost_between_batches_loses_nothing_and_the_next_sync_goes_on(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = Random(4)
    recorded(tmp_path / "a.db", *some_facts(luck, 50))
    monkeypatch.setattr(postgres, "_MANY", 10)
    insert, calls = postgres._insert, []

    def cut_off(connection: "psycopg.Connection[object]", *rest: object) -> None:
        insert(connection, *rest)  # type: ignore[arg-type]
        calls.append(1)
        if len(calls) == 4:
            with at(database) as other:
                other.execute(
                    f"SELECT pg_terminate_backend({connection.info.backend_pid})".encode()
                )

    monkeypatch.setattr(postgres, "_insert", cut_off)
    with pytest.raises(TargetError, match="Nothing is lost"):
        synced(tmp_path / "a.db", database)
    assert told(from_sums(database)) == told(from_events(database)), "of the first 30 events"
    recorded(tmp_path / "a.db", Review("a", Rating.AGAIN, 1, State.REVIEW))
    assert synced(tmp_path / "a.db", database) == Exchange(0, 21, 0)
    assert told(from_sums(database)) == told(from_events(database))
    assert synced(tmp_path / "b.db", database).taken == 51


def test_a_connection_lost_while_much_is_taken_costs_one_batch(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path / "a.db", *some_facts(Random(5), 35))
    synced(tmp_path / "a.db", database)
    monkeypatch.setattr(exchange, "MANY", 10)
    sound, calls = merge.sound, []

    def cut_off(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 3:
            raise TargetError("lost")
        return sound(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(merge, "sound", cut_off)
        with pytest.raises(TargetError, match="lost"):
            synced(tmp_path / "b.db", database)
    with Store.open(tmp_path / "b.db", NOW) as store:
        assert len(store.events()) == 20 and store.check() == []
    assert synced(tmp_path / "b.db", database).taken == 15
    assert synced(tmp_path / "c.db", database).taken == 35
    for name in ("b", "c"):
        with (
            Store.open(tmp_path / "a.db", NOW) as one,
            Store.open(tmp_path / f"{name}.db", NOW) as other,
        ):
            assert [*one.lines()] == [*other.lines()] and one.progress() == other.progress()


def test_learners_who_sync_at_once_do_not_wait_for_each_other(
    tmp_path: Path, database: str
) -> None:
    """One of them is in the middle of it, with sums that are not committed."""
    set_up(database)
    for name in ("a", "b"):
        recorded(tmp_path / f"{name}.db", *some_facts(Random(1), 20))
    with (
        Store.open(tmp_path / "a.db", NOW) as store,
        postgres.opened(database, "a", claimed=True) as target,
    ):
        postgres._insert(target.connection, "a", store.log.rows(store.log.hashes()))
        assert synced(tmp_path / "b.db", database, "b").given == 20
        target.connection.commit()
    assert told(from_sums(database)) == told(from_events(database))


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding_keeps_sums_of_any_text(
    tmp_path: Path, database: str, encoding: str
) -> None:
    other = f"{database}_{encoding.lower()}"
    with at(database) as connection:
        connection.execute(
            f"CREATE DATABASE {other.rpartition('/')[2]} TEMPLATE template0"
            f" ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'".encode()
        )
    said, step = "½ is not ∂", "∂L/∂x\0\ud800"
    wrong = Attempt("a", "dx", "\0\ud800", Verdict.WRONG, "sign", line=2, step=step, mistake=said)
    recorded(tmp_path / "a.db", wrong)
    synced(tmp_path / "a.db", other)
    (card,) = from_sums(other).cards
    assert card.known == {said: 1}
    assert told(from_sums(other)) == told(from_events(other))
