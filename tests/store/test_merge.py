"""What two logs lack of each other, and what may not be added: each event is checked alone."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import device_rows

from quizzer.store.codec import Row
from quizzer.store.integrity import fault_of, hashed
from quizzer.store.merge import sound

WHOLE = device_rows(5)


def test_of_equal_logs_nothing_is_lacking() -> None:
    assert sound(WHOLE, {row.id: row.hash for row in WHOLE}) == ([], [])


def test_a_damaged_event_keeps_no_other_from_being_added() -> None:
    damaged = WHOLE[2]._replace(card="b")
    found = sound([*WHOLE[:2], damaged, *WHOLE[3:]], {})
    assert found.rows == [*WHOLE[:2], *WHOLE[3:]]
    assert len(found.faults) == 1 and damaged.id in found.faults[0]


def test_a_damaged_event_that_is_there_already_is_no_fault() -> None:
    assert sound([WHOLE[2]._replace(card="b")], {WHOLE[2].id: WHOLE[2].hash}) == ([], [])


def test_a_fork_is_two_events_after_one() -> None:
    fork = device_rows(2, card="b", after=WHOLE[2].id)
    assert sound([*WHOLE, *fork], {}) == ([*WHOLE, *fork], [])


def test_an_event_that_is_told_twice_is_one() -> None:
    assert sound([*WHOLE, *WHOLE], {}).rows == WHOLE


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "1"}, "no UUID of version 7"),
        ({"id": WHOLE[0].id.upper()}, "no UUID of version 7"),
        ({"id": "f" * 8 + WHOLE[0].id[8:]}, "after the year 2199"),
        ({"id": "06a0" + WHOLE[0].id[4:]}, "after the year 2199"),
        ({"after": "1"}, "before it that cannot be one"),
        ({"after": WHOLE[0].id}, "before it that cannot be one"),
        ({"card": "half \ud800 a sign"}, "half a surrogate pair"),
        ({"device": "\udc80"}, "half a surrogate pair"),
        ({"kind": "undo", "body": '{"event":"\\ud800"}'}, "is not an event's id"),
        ({"day": 0}, "before the calendar"),
        ({"day": 10**9}, "after the year 2199"),
        ({"day": date(2200, 1, 1).toordinal()}, "after the year 2199"),
        ({"at_ms": 253_402_100_000_000}, "after the year 2199"),
        ({"at_ms": -62_135_596_700_000}, "before the calendar"),
        ({"at_ms": 1 << 62}, "after the year 2199"),
        ({"offset_min": 99_999}, "time zone that is none"),
        ({"kind": "badge", "offset_min": 1 << 70}, "time zone that is none"),
        ({"card": "a\0b"}, "character of number 0"),
        ({"body": "[]"}, "not canonical"),
        ({"body": '{"b":1,"a":1}'}, "not canonical"),
        ({"body": '{"a": 1}'}, "not canonical"),
        ({"body": '{"a":NaN}'}, "not canonical"),
        ({"body": '{"a":1,"a":1}'}, "not canonical"),
        ({"body": '{"a":"é"}'}, "not canonical"),
        ({"body": "[" * 100_000}, "not canonical"),
        ({"body": '{"a":"' + "x" * 1_000_000 + '"}'}, "more than 1,000,000 characters"),
        ({"kind": "flag", "body": '{"on":1}'}, "cannot be read"),
    ],
)
def test_a_row_that_no_event_can_be_is_not_added_though_its_hash_is_right(
    change: dict[str, object], says: str
) -> None:
    row = hashed(WHOLE[0]._replace(**change))  # type: ignore[arg-type]
    assert says in (fault_of(row) or "")


CHANGES = st.sampled_from(Row._fields).flatmap(
    lambda field: st.tuples(
        st.just(field),
        st.sampled_from(["", "x", "\0", "\ufffd", b"\xff", None, 7, 0, -1, 1 << 62, 1.5, True]),
    )
)


@given(CHANGES)
def test_a_change_of_any_column_is_found(change: tuple[str, object]) -> None:
    field, value = change
    changed = WHOLE[1]._replace(**{field: value})  # type: ignore[arg-type]
    if changed != WHOLE[1]:
        assert sound([changed], {}).rows == []
