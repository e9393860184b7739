"""What is still sound in a damaged log: all of it, and nothing else."""

import pytest
from chained import chained
from hypothesis import given
from hypothesis import strategies as st

from quizzer.store import chain, union
from quizzer.store.chain import LOST, START, sealed, stand_in
from quizzer.store.codec import Row
from quizzer.store.salvage import lacking
from quizzer.store.union import Log, UnsoundError, log_of

EMPTY = log_of([])


def united(*logs: list[Row]) -> Log:
    """One log of these rows, each but the first added as an import does."""
    held: dict[str, Row] = {}
    for log in logs:
        held |= {row.id: row for row in lacking(log, log_of(held.values())).rows}
    return log_of(held.values())


def real(log: Log) -> list[Row]:
    return [row for row in log.rows() if row.kind != LOST]


def test_a_sound_log_is_taken_as_it_is() -> None:
    assert lacking(chained(5), log_of(chained(2))) == (chained(5)[2:], [])


def test_what_follows_a_lost_event_follows_from_what_stands_in_for_it() -> None:
    whole = chained(5)
    damaged = [*whole[:2], whole[2]._replace(card="b"), *whole[3:]]
    sound = lacking(damaged, EMPTY)
    assert sound.rows == [*whole[:2], stand_in("laptop", 3, whole[2].hash), *whole[3:]]
    assert (sound.lost, sound.events) == ([damaged[2]], 4)
    assert chain.problems(sound.rows) == []


def test_where_the_event_is_there_nothing_stands_in_for_it() -> None:
    whole = chained(5)
    damaged = [*whole[:2], whole[2]._replace(card="b", hash="0" * 64), *whole[3:]]
    assert lacking(damaged, log_of(whole[:3])) == (whole[3:], [])


def test_a_lost_event_comes_back_from_a_log_that_has_it() -> None:
    whole = chained(5)
    torn = united([*whole[:2], whole[2]._replace(card="b"), *whole[3:]])
    assert union.lacking(torn, log_of(whole)).one == [whole[2]]
    assert real(united(torn.rows(), whole)) == real(united(whole, torn.rows())) == whole


def test_what_stands_in_for_a_lost_event_does_not_prove_the_changed_one_before_it() -> None:
    whole = chained(5)
    torn = [*whole[:3], stand_in("laptop", 4, whole[3].hash), whole[4]]
    for change in ({"card": "b"}, {"hash": "0" * 64}):
        changed = whole[2]._replace(**change)  # type: ignore[arg-type]
        sound = lacking([*torn[:2], changed, *torn[3:]], EMPTY)
        assert sound == ([*torn[:2], *torn[3:]], [changed])


def test_what_a_misplaced_event_proves_is_found_before_events_of_another_device() -> None:
    whole: list[Row] = []
    for device, places in (("laptop", (1, 2, 3, 6, 7)), ("phone", (4, 5))):
        before = START
        for row, place in zip(chained(len(places), device), places, strict=True):
            placed = sealed(row._replace(id=f"0190abcd-0000-7000-8000-{place:012x}"), before)
            before = placed.hash
            whole.append(placed)
    for changed in (whole[2]._replace(device="x"), whole[2]._replace(seq=5)):
        sound = lacking([*whole[:2], changed, *whole[3:]], EMPTY)
        assert (sound.lost, sound.events) == ([changed], 6)


def test_one_event_of_which_two_are_sealed_is_refused() -> None:
    whole = chained(3)
    other = sealed(whole[2]._replace(card="b"), whole[1].hash)
    with pytest.raises(UnsoundError, match="is there twice"):
        lacking([*whole, other], EMPTY)


def test_an_event_cannot_be_made_a_lost_one_nor_that_be_changed() -> None:
    whole = chained(3)
    for hidden in (whole[1]._replace(kind=LOST), whole[1]._replace(kind=LOST, at_ms=0)):
        (problem,) = chain.problems([whole[0], hidden, whole[2]])
        assert f"{hidden.id} is not as it was written" in problem
    told = stand_in("laptop", 2, whole[1].hash)
    assert chain.problems([whole[0], told, whole[2]]) == []
    for change in ({"id": whole[1].id}, {"day": 1}, {"hash": "0" * 64}, {"body": ""}):
        assert chain.problems([whole[0], told._replace(**change), whole[2]])


CHANGES = st.one_of(
    st.tuples(st.sampled_from(["id", "device", "kind", "card", "body", "hash"]),
              st.sampled_from(["", "x", LOST, "\0", "\ufffd", b"\xff", None, 7])),
    st.tuples(st.sampled_from(["seq", "at_ms", "offset_min", "day"]),
              st.sampled_from([0, -1, 3, 1 << 62, "x", None, 1.5])),
)  # fmt: skip


@given(
    forks=st.booleans(),
    damages=st.lists(st.tuples(st.integers(0, 13), CHANGES), max_size=3),
    gone=st.sets(st.integers(0, 13), max_size=2),
    backup=st.integers(0, 5),
)
def test_all_but_what_damage_touched_and_what_only_that_could_prove_comes_back(
    forks: bool, damages: list[tuple[int, tuple[str, object]]], gone: set[int], backup: int
) -> None:
    whole = [*chained(6), *chained(3, "phone")]
    if forks:
        before = whole[2]
        for row in chained(8, card="b")[3:]:
            before = sealed(row, before.hash)
            whole.append(before)
    file = list(whole)
    touched = {row.id for place, row in enumerate(whole) if place in gone}
    for place, (column, value) in damages:
        if place < len(file):
            file[place] = file[place]._replace(**{column: value})  # type: ignore[arg-type]
            touched.add(whole[place].id)
    file = [row for place, row in enumerate(file) if place not in gone]
    kept = whole[:backup]
    receiver = log_of(kept)
    sound = lacking(file, receiver)

    held = log_of([*kept, *sound.rows])
    assert chain.problems(held.rows()) == []
    found = set(real(held))
    assert found <= set(whole), "nothing is taken that was not written so"
    numbers = {(row.device, row.seq) for row in whole if row.id in touched}
    for row in whole:
        proven = (row.device, row.seq - 1) not in numbers
        assert row in found or row.id in touched or not proven
    again = lacking(file, held)
    assert again.rows == []
    assert [*map(repr, again.lost)] == [*map(repr, sound.lost)]
    exchange = union.lacking(held, log_of(whole))
    union.prove(exchange.one, held)
    union.prove(exchange.other, log_of(whole))
    one, other = log_of([*held.rows(), *exchange.one]), log_of([*whole, *exchange.other])
    assert one.rows() == other.rows() and set(real(one)) == set(whole)
    assert union.lacking(one, other) == ([], [])
