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
