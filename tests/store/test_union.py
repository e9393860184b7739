"""What two logs lack of each other, and what is refused."""

from datetime import date

import pytest
from chained import chained

from quizzer.store.chain import START, sealed
from quizzer.store.union import Head, UnsoundError, lacking, log_of, prove

EMPTY = log_of([])


def test_equal_logs_lack_nothing() -> None:
    assert lacking(log_of(chained(5)), log_of(chained(5))) == ([], [])


def test_each_log_lacks_the_devices_and_the_ends_that_the_other_has() -> None:
    phone = chained(2, "phone")
    found = lacking(log_of(chained(5)), log_of(chained(3) + phone))
    assert found == (phone, chained(5)[3:])


def test_logs_that_forked_lack_the_others_way_on() -> None:
    common = chained(2)
    ours, theirs = [*common], [*common]
    for log, card in ((ours, "b"), (theirs, "c")):
        for row in chained(4, card=card)[2:]:
            log.append(sealed(row, log[-1].hash))
    found = lacking(log_of(ours), log_of(theirs))
    assert found == (theirs[2:], ours[2:])
    prove(found.one, log_of(ours))
    united = log_of([*ours, *theirs[2:]])
    assert united.heads() == {"laptop": Head(events=6, last=4, single=2)}
    assert lacking(united, log_of(ours)) == ([], theirs[2:])
    assert lacking(united, united) == ([], [])


def test_an_event_missing_in_the_middle_is_lacking() -> None:
    torn = [row for row in chained(5) if row.seq != 3]
    assert lacking(log_of(torn), log_of(chained(5))) == (chained(5)[2:3], [])


def test_one_id_twice_is_refused() -> None:
    other = sealed(chained(1)[0]._replace(card="b"), START)
    with pytest.raises(UnsoundError, match=f"{other.id}.*not the same"):
        log_of([*chained(1), other])
    with pytest.raises(UnsoundError, match=f"{other.id}.*laptop is not the same in both"):
        lacking(log_of(chained(1)), log_of([other]))
    assert log_of(chained(2) + chained(2)).rows() == chained(2)


@pytest.mark.parametrize("change", [{"device": b"\xff"}, {"seq": "three"}, {"seq": 1.5}])
def test_a_chain_without_a_name_or_numbers_is_refused(change: dict[str, object]) -> None:
    row = chained(1)[0]._replace(**change)  # type: ignore[arg-type]
    with pytest.raises(UnsoundError, match="no text or its number is none"):
        lacking(EMPTY, log_of([row, *chained(1, "phone")]))


def test_what_follows_is_proven_from_what_the_receiver_has() -> None:
    prove(chained(5), EMPTY)
    prove(chained(5)[2:], log_of(chained(2)))
    with pytest.raises(UnsoundError, match="number 3 of device laptop does not follow"):
        prove(chained(5)[2:], EMPTY)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"card": "b"}, "does not follow"),
        ({"id": "1"}, "no proper id"),
        ({"id": chained(1)[0].id.upper()}, "no proper id"),
        ({"id": "f" * 8 + chained(1)[0].id[8:]}, "no proper id"),
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
    row = chained(1)[0]._replace(**change)  # type: ignore[arg-type]
    if says != "does not follow":
        row = sealed(row, START)
    with pytest.raises(UnsoundError, match=f"{says}.*" if says != "cannot be read" else says):
        prove([row], EMPTY)
