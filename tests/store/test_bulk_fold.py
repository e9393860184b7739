"""The quick way through a long log agrees with the fold, event by event."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.fsrs.limits import LOWER, UPPER
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import Store, StoreError, bulk_fold
from quizzer.store.codec import Row, UnreadableError, body_of, event_of, kind_of
from quizzer.store.fold import fold, undone_ids
from quizzer.store.pages import Page
from quizzer.values import (
    Attempt,
    Bury,
    Event,
    Flag,
    Form,
    Memory,
    Progress,
    Rating,
    Reset,
    Review,
    State,
    Suspend,
    Undo,
    Unsuspend,
    Verdict,
    study_day,
)

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)

cards = st.sampled_from(["a", "b", "c"])
facts = st.one_of(
    *[
        st.builds(
            Review,
            cards,
            st.sampled_from(Rating),
            st.sampled_from([0, 0, 1, 3, 40]),
            st.sampled_from(State),
            form=st.sampled_from([Form.BLANK, Form.BLANK, Form.SLIP]),
        )
    ]
    * 4,
    st.builds(Suspend, cards),
    st.builds(Unsuspend, cards),
    st.builds(Bury, cards),
    st.builds(Flag, cards, st.booleans()),
    st.builds(Reset, cards),
    st.builds(Attempt, cards, st.just("dx"), st.just("1"), st.just(Verdict.WRONG)),
    st.builds(lambda card, number: Undo(card, f"id-{number:03}"), cards, st.integers(0, 60)),
)
hours = st.one_of(st.just(0), st.integers(-40, 0), st.integers(1, 24 * 60))
parameter_sets = st.one_of(
    st.just(DEFAULT_PARAMETERS),
    st.tuples(*(st.floats(low, high) for low, high in zip(LOWER, UPPER, strict=True))),
)


def rows_of(history: Sequence[tuple[Any, int, int]]) -> list[Row]:
    """Rows of facts, hours since the fact before and the quarter hours of the zone."""
    rows, at = [], NOW
    for number, (fact, passed, offset) in enumerate(history):
        at += timedelta(hours=passed)
        local = at.astimezone(timezone(timedelta(minutes=15 * offset)))
        ms = round(at.timestamp() * 1000)
        kind, body = kind_of(type(fact)), body_of(fact)
        day = study_day(local)
        rows.append(
            Row(f"id-{number:03}", "d", "", ms, 15 * offset, day, kind, fact.card, body, "")
        )
    return rows


def events_of(rows: Sequence[Row]) -> list[Event]:
    return [event for row in rows if (event := event_of(row))]


def nearly(found: Progress, expected: Progress) -> None:
    """Equal, memory states to twelve digits."""
    assert (found.memory is None) == (expected.memory is None)
    for memory in (found.memory, expected.memory):
        assert memory is None or isinstance(memory, Memory)
    if found.memory and expected.memory:
        for name in Memory.__slots__:
            kept, computed = getattr(found.memory, name), getattr(expected.memory, name)
            if name in ("stability", "difficulty"):
                assert kept == pytest.approx(computed, rel=1e-12, abs=1e-12)
            else:
                assert kept == computed, name
    marks = [(p.suspended, p.buried_on, p.flagged) for p in (found, expected)]
    assert marks[0] == marks[1]


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.lists(st.tuples(facts, hours, st.integers(-48, 56)), max_size=60), parameter_sets)
def test_the_quick_way_is_the_fold(
    history: list[tuple[Any, int, int]], parameters: tuple[float, ...]
) -> None:
    rows = rows_of(history)
    events = events_of(rows)
    undone = undone_ids(events)
    expected = fold(events, undone, parameters)
    found = bulk_fold.fold_pages([Page(rows[:7]), Page(rows[7:])], undone, parameters)
    assert found.keys() == expected.keys()
    for card, progress in found.items():
        nearly(progress, expected[card])


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{}",
        '{"interval":1,"rating":5,"state":"new"}',
        '{"interval":1,"rating":4,"state":"old"}',
        '{"interval":1,"rating":4,"seconds":"7","state":"new"}',
        '{"interval":1,"rating":4,"seconds":1e999,"state":"new"}',
        '{"interval":true,"rating":1,"state":"new"}',
        '{"interval":-1,"rating":1,"state":"new"}',
        '{"interval":99999999,"rating":1,"state":"new"}',
    ],
)
def test_a_review_that_cannot_be_read_is_told(body: str) -> None:
    (row,) = rows_of([(Review("a", Rating.GOOD, 1, State.NEW), 0, 0)])
    with pytest.raises(UnreadableError, match="id-000"):
        bulk_fold.fold_pages([Page([row._replace(body=body)])], frozenset(), DEFAULT_PARAMETERS)


def test_a_long_log_is_rebuilt_as_it_was_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_fold, "ENOUGH", 50)
    used = []
    quick = bulk_fold.fold_pages
    monkeypatch.setattr(bulk_fold, "fold_pages", lambda *args: used.append(1) or quick(*args))
    with Store.open(tmp_path / "history.db", NOW) as store:
        for number in range(80):
            at = NOW + timedelta(days=number // 3)
            review = Review(f"card-{number % 5}", Rating(1 + number % 4), number % 6, State.REVIEW)
            store.record(review, at=at, day=study_day(at))
        store.undo(NOW, study_day(NOW))
        store.record(Reset("card-1"), Flag("card-2", on=True), at=NOW, day=study_day(NOW))
        followed = store.progress()
        store.rebuild()
        assert used
        assert store.progress().keys() == followed.keys()
        for card, progress in store.progress().items():
            nearly(progress, followed[card])
        assert store.check() == []


def test_a_long_log_with_a_review_beyond_reading_leaves_memory_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_fold, "ENOUGH", 1)
    with Store.open(tmp_path / "history.db", NOW) as store:
        for _ in range(3):
            store.record(Review("a", Rating.GOOD, 3, State.NEW), at=NOW, day=study_day(NOW))
        before = store.progress()
        for module in ("codec", "pages"):
            monkeypatch.setattr(f"quizzer.store.{module}.MAXIMUM_INTERVAL", 1)
        with pytest.raises(StoreError, match="is not an interval"):
            store.rebuild()
        assert store.progress() == before
