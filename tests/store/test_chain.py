import pytest

from quizzer.store.chain import START, problems, sealed
from quizzer.store.codec import Row


def chained(device: str, count: int) -> list[Row]:
    rows, previous = [], START
    for seq in range(1, count + 1):
        row = Row(f"{device}-{seq}", device, seq, 1000 + seq, 60, 739_000, "bury", "a", "{}", "")
        row = sealed(row, previous)
        previous = row.hash
        rows.append(row)
    return rows


def test_chains_of_two_devices_are_whole() -> None:
    assert problems(chained("laptop", 5) + chained("phone", 3)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"at_ms": 7},
        {"offset_min": 61},
        {"day": 1},
        {"kind": "flag"},
        {"card": "b"},
        {"body": '{"x":1}'},
        {"id": "other"},
        {"hash": "0" * 64},
        {"body": b"{}"},
    ],
)
def test_a_change_of_any_column_breaks_the_chain(change: dict[str, object]) -> None:
    rows = chained("laptop", 5)
    rows[2] = rows[2]._replace(**change)
    (problem,) = problems(rows)
    assert rows[2].id in problem


def test_a_missing_event_is_named_by_its_number() -> None:
    rows = chained("laptop", 5) + chained("phone", 2)
    del rows[1]
    (problem,) = problems(rows)
    assert "number 2 of device laptop" in problem


def test_an_event_sealed_anew_breaks_the_next_link() -> None:
    rows = chained("laptop", 5)
    rows[2] = sealed(rows[2]._replace(card="b"), rows[1].hash)
    (problem,) = problems(rows)
    assert rows[3].id in problem


def forked(rows: list[Row], seq: int) -> list[Row]:
    """The chain, and another that goes on from the same event, ordered as the log gives them."""
    before = rows[seq - 2].hash
    others = []
    for row in rows[seq - 1 :]:
        other = sealed(row._replace(id=f"other-{row.seq}", card="b"), before)
        before = other.hash
        others.append(other)
    return sorted(rows + others, key=lambda row: (row.device, row.seq))


def test_a_chain_that_forks_is_whole() -> None:
    assert problems(forked(chained("laptop", 5), 3)) == []


def test_a_change_in_a_fork_is_found() -> None:
    rows = forked(chained("laptop", 5), 3)
    rows[-1] = rows[-1]._replace(card="c")
    (problem,) = problems(rows)
    assert rows[-1].id in problem


def test_a_missing_event_in_a_fork_is_found() -> None:
    rows = forked(chained("laptop", 5), 3)
    del rows[5]
    assert len(problems(rows)) == 1
