"""What two logs lack of each other, and what is refused."""

from datetime import date

import pytest

from quizzer.store.chain import START, sealed
from quizzer.store.codec import Row
from quizzer.store.union import Head, UnsoundError, lacking, log_of, prove

EMPTY = log_of([])


def rows(count: int, device: str = "laptop", card: str = "a", before: str = START) -> list[Row]:
    """A chain whose ids are told apart by device, card and number."""
    found: list[Row] = []
    for seq in range(1, count + 1):
        id = f"0190abcd-0000-7000-8000-{device[0].encode().hex()}{card.encode().hex()}{seq:08x}"
        row = Row(id, device, seq, 1000 + seq, 60, 739_000, "bury", card, "{}", "")
        found.append(sealed(row, found[-1].hash if found else before))
    return found


def test_equal_logs_lack_nothing() -> None:
    assert lacking(log_of(rows(5)), log_of(rows(5))) == ([], [])


def test_each_log_lacks_the_devices_and_the_ends_that_the_other_has() -> None:
    phone = rows(2, "phone")
    found = lacking(log_of(rows(5)), log_of(rows(3) + phone))
    assert found == (phone, rows(5)[3:])


def test_logs_that_forked_lack_the_others_way_on() -> None:
    common = rows(2)
    ours, theirs = [*common], [*common]
    for log, card in ((ours, "b"), (theirs, "c")):
        for row in rows(4, card=card)[2:]:
            log.append(sealed(row, log[-1].hash))
    found = lacking(log_of(ours), log_of(theirs))
    assert found == (theirs[2:], ours[2:])
    prove(found.one, log_of(ours))
    united = log_of([*ours, *theirs[2:]])
    assert united.heads() == {"laptop": Head(events=6, last=4, single=2)}
    assert lacking(united, log_of(ours)) == ([], theirs[2:])
    assert lacking(united, united) == ([], [])


def test_an_event_missing_in_the_middle_is_lacking() -> None:
    torn = [row for row in rows(5) if row.seq != 3]
    assert lacking(log_of(torn), log_of(rows(5))) == (rows(5)[2:3], [])


def test_one_id_twice_is_refused() -> None:
    other = sealed(rows(1)[0]._replace(card="b"), START)
    with pytest.raises(UnsoundError, match=f"{other.id}.*not the same"):
        log_of([*rows(1), other])
    with pytest.raises(UnsoundError, match=f"{other.id}.*laptop is not the same in both"):
        lacking(log_of(rows(1)), log_of([other]))
    assert log_of(rows(2) + rows(2)).rows() == rows(2)


@pytest.mark.parametrize("change", [{"device": b"\xff"}, {"seq": "three"}, {"seq": 1.5}])
def test_a_chain_without_a_name_or_numbers_is_refused(change: dict[str, object]) -> None:
    row = rows(1)[0]._replace(**change)  # type: ignore[arg-type]
    with pytest.raises(UnsoundError, match="no text or its number is none"):
        lacking(EMPTY, log_of([row, *rows(1, "phone")]))


def test_what_follows_is_proven_from_what_the_receiver_has() -> None:
    prove(rows(5), EMPTY)
    prove(rows(5)[2:], log_of(rows(2)))
    with pytest.raises(UnsoundError, match="number 3 of device laptop does not follow"):
        prove(rows(5)[2:], EMPTY)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"card": "b"}, "does not follow"),
        ({"id": "1"}, "no proper id"),
        ({"id": rows(1)[0].id.upper()}, "no proper id"),
        ({"id": "f" * 8 + rows(1)[0].id[8:]}, "no proper id"),
        ({"day": 0}, "no proper day"),
        ({"day": 10**9}, "no proper day"),
        ({"day": date.max.toordinal()}, "no proper day"),
        ({"at_ms": 253_402_100_000_000}, "no proper day"),
        ({"at_ms": -62_135_596_700_000}, "no proper day"),
        ({"card": "a\0b"}, "sign of number 0"),
        ({"kind": "badge", "card": b"\xff"}, "another type"),
        ({"kind": "badge", "at_ms": 1.5}, "another type"),
        ({"body": "[]"}, "cannot be read"),
        ({"at_ms": 1 << 62}, "cannot be read"),
        ({"offset_min": 99_999}, "cannot be read"),
    ],
)
def test_a_row_that_no_event_can_be_is_refused_though_it_is_sealed(
    change: dict[str, object], says: str
) -> None:
    row = rows(1)[0]._replace(**change)  # type: ignore[arg-type]
    if says != "does not follow":
        row = sealed(row, START)
    with pytest.raises(UnsoundError, match=f"{says}.*" if says != "cannot be read" else says):
        prove([row], EMPTY)
