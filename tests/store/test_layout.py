"""How events are kept in a store's file."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rows import device_rows, insert, stored_rows

from quizzer.store import Store, log
from quizzer.store.codec import Row
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreDamagedError
from quizzer.store.integrity import hashed
from quizzer.values import Flag, Rating, Review, State, study_day

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def test_what_a_row_says_is_read_back_whatever_its_device_and_kind_are_called(
    tmp_path: Path,
) -> None:
    named = ("laptop", "import-0123456789abcdef", "01890661-7e80-7630-beb0-c19a93cbf36b", "é")
    rows = [
        hashed(row._replace(device=device))
        for number, device in enumerate(named)
        for row in device_rows(2, device=chr(97 + number), card="x")
    ]
    rows.append(hashed(rows[-1]._replace(id="ef" + rows[-1].id[2:], kind="badge", body="{}")))
    with closing(sqlite3.connect(":memory:")) as raw:
        columns = ", ".join(rows[0]._fields)
        raw.execute(f"CREATE TABLE events ({columns})")
        for row in rows:
            insert(raw, row)
        assert stored_rows(raw) == sorted(rows)
        kinds = "SELECT DISTINCT typeof(id), typeof(after), typeof(hash) FROM events"
        assert raw.execute(kinds).fetchall() == [("blob", "blob", "blob")]


def test_a_long_history_takes_less_than_three_hundred_bytes_a_review(tmp_path: Path) -> None:
    path = "/home/somebody/decks/layers/softmax-cross-entropy.md"
    reviews = [
        Review(f"card-{number % 100}", Rating.GOOD, 60, State.REVIEW, 20.5, path=path)
        for number in range(2000)
    ]
    with Store.open(tmp_path / "h.db", NOW, backups=False) as store:
        empty = store.path.stat().st_size
        store.record(*reviews, at=NOW, day=study_day(NOW))
        assert store.size == 2000
    assert (tmp_path / "h.db").stat().st_size - empty < 300 * 2000


def test_the_reviews_of_a_day_are_told_wherever_on_earth_they_were_made(tmp_path: Path) -> None:
    """No index lists days: the ids that a day can have are looked through."""
    with Store.open(tmp_path / "h.db", NOW, backups=False) as store:
        days = []
        for hours in (-14, -12, 0, 12):  # behind midnight of the day before, in the far east
            at = NOW + timedelta(hours=hours)
            for number in (1, 2):
                card = f"card{hours}-{number}"
                day = study_day(at) + (hours == -14)
                store.record(
                    Review(card, Rating.GOOD, 2, State.NEW), Flag(card, True), at=at, day=day
                )
                days.append((card, day))
        for asked in {day for _, day in days}:
            done = {card for card, day in days if day == asked}
            assert store.done(asked).new == done
            since = store.events(since_day=asked, kinds=(Review,))
            assert {e.fact.card for e in since} == {card for card, day in days if day >= asked}


def test_ids_that_damage_made_none_at_all_are_told() -> None:
    """An index can be damaged so, whatever the table allows."""
    connection = Connection.in_memory(Path("h.db"))
    connection.read(f"CREATE TABLE events ({', '.join(Row._fields)})")
    with connection.transaction():
        connection.write("INSERT INTO events (id) VALUES (?)", *[(None,)] * 2000)
    with pytest.raises(StoreDamagedError, match="not in order"):
        list(log.pages(connection))
