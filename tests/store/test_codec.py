import json
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.store.codec import (
    Row,
    UnreadableError,
    body_of,
    event_of,
    instant,
    kind_of,
    milliseconds,
    offset_minutes,
    seconds_of,
)
from quizzer.values import (
    Attempt,
    Bury,
    Dispute,
    Event,
    Fact,
    Fit,
    Flag,
    Rating,
    Reset,
    Review,
    State,
    Suspend,
    Undo,
    Unsuspend,
    Verdict,
)

PROPERTY = settings(derandomize=True, deadline=None, max_examples=200)
cards = st.text(min_size=1, max_size=10)
texts = st.text(max_size=30)
seconds = st.none() | st.floats(0, 1e6)
facts: st.SearchStrategy[Fact] = st.one_of(
    st.builds(
        Review,
        cards,
        st.sampled_from(Rating),
        st.integers(0, 36_500),
        st.sampled_from(State),
        seconds,
        st.none() | st.sampled_from(Rating),
        st.none() | texts,
    ),
    st.builds(
        Attempt,
        cards,
        texts,
        texts,
        st.sampled_from(Verdict),
        st.none() | texts,
        st.none() | texts,
        st.none() | st.integers(0, 2**63),
        seconds,
    ),
    st.builds(
        Dispute,
        cards,
        texts,
        texts,
        st.sampled_from(Verdict),
        st.none() | st.integers(0, 2**63),
    ),
    st.builds(Undo, cards, texts),
    st.builds(Suspend, cards),
    st.builds(Unsuspend, cards),
    st.builds(Bury, cards),
    st.builds(Flag, cards, st.booleans()),
    st.builds(Reset, cards),
    st.builds(Fit, texts, st.tuples(st.floats(-9, 9), st.floats(-9, 9)), st.integers(0, 9)),
)


def row(kind: str = "flag", body: str = '{"on":true}', **changes: object) -> Row:
    whole = Row("some-id", "laptop", "", 1000, 60, 739_000, kind, "softmax", body, "")
    return whole._replace(**changes)


@PROPERTY
@given(facts)
def test_every_fact_is_read_back_as_it_was_written(fact: Fact) -> None:
    written = row(kind_of(type(fact)), body_of(fact), card=fact.card)
    event = event_of(written)
    assert isinstance(event, Event)
    assert event.fact == fact
    assert type(event.fact) is type(fact)


def test_a_body_leaves_out_what_is_not_known() -> None:
    review = Review("softmax", Rating.GOOD, 3, State.NEW)
    assert json.loads(body_of(review)) == {"rating": 3, "interval": 3, "state": "new"}


@PROPERTY
@given(st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1)), st.integers(-14 * 60, 14 * 60))
def test_an_instant_keeps_its_millisecond_and_its_offset(at: datetime, offset: int) -> None:
    aware = at.replace(tzinfo=timezone(timedelta(minutes=offset)))
    read = instant(milliseconds(aware), offset_minutes(aware))
    assert timedelta() <= aware - read < timedelta(milliseconds=1)
    assert read.utcoffset() == aware.utcoffset()


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        milliseconds(datetime(2026, 1, 1))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("flag", '{"colour":"red","on":true}'),
        ("review", '{"interval":3,"parts":[{"name":"dX","points":2}],"rating":3,"state":"new"}'),
        ("attempt", '{"answer":"1","lines":[{"line":1}],"name":"dX","verdict":"wrong"}'),
    ],
)
def test_keys_that_a_later_version_adds_to_a_body_are_passed_over(kind: str, body: str) -> None:
    assert isinstance(event_of(row(kind, body)), Event)


def test_an_unknown_kind_gives_no_event() -> None:
    assert event_of(row(kind="badge")) is None


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("flag", "{}"),
        ("flag", '{"on":1}'),
        ("flag", "[]"),
        ("flag", "{"),
        ("flag", "[" * 100_000),
        ("undo", '{"event":5}'),
        ("review", '{"rating":5,"interval":1,"state":"new"}'),
        ("review", '{"rating":true,"interval":1,"state":"new"}'),
        ("review", '{"rating":3,"interval":-1,"state":"new"}'),
        ("review", '{"rating":3,"interval":99999,"state":"new"}'),
        ("review", '{"rating":3,"interval":1.0,"state":"new"}'),
        ("review", '{"rating":3,"interval":1,"state":"old"}'),
        ("review", '{"rating":3,"interval":1,"state":"new","seconds":NaN}'),
        ("review", '{"rating":3,"interval":1,"state":"new","seconds":"3"}'),
    ],
)
def test_a_body_that_does_not_hold_what_its_kind_holds_is_refused(kind: str, body: str) -> None:
    with pytest.raises(UnreadableError, match="some-id"):
        event_of(row(kind, body))


@pytest.mark.parametrize("odd", ["-1", "-1e308", "1e308", "1000001"])
def test_a_time_that_nobody_takes_is_unknown_and_the_event_stays_readable(odd: str) -> None:
    body = f'{{"rating":3,"interval":1,"state":"review","seconds":{odd}}}'
    event = event_of(row("review", body))
    assert event
    assert event.fact == Review("softmax", Rating.GOOD, 1, State.REVIEW)
    assert seconds_of(body) is None


@pytest.mark.parametrize(
    "changes", [{"day": "x"}, {"day": 0}, {"day": 2**40}, {"card": b"x"}, {"at_ms": 10**18}]
)
def test_a_column_that_no_event_can_have_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(UnreadableError):
        event_of(row(**changes))


@pytest.mark.parametrize(
    "fact",
    [
        Review("softmax", Rating.GOOD, -1, State.NEW),
        Review("softmax", Rating.GOOD, 1, State.NEW, seconds=float("inf")),
    ],
)
def test_a_fact_that_could_not_be_read_back_is_not_written(fact: Fact) -> None:
    with pytest.raises(ValueError, match="not"):
        body_of(fact)
