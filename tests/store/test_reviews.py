"""The reviews in short are those of the events, and replayed at once they are the fold."""

import json
from datetime import UTC, datetime
from math import isnan
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizzer.fsrs.histories import pack, told_one_by_one
from quizzer.fsrs.replay import replay_ends
from quizzer.store import BriefReview, Entered, Store, pages
from quizzer.store.codec import (
    Row,
    UnreadableError,
    credible,
    event_of,
    review_body,
    text_of,
)
from quizzer.values import Attempt, Fact, Flag, Form, Rating, Reset, Review, State, Undo, Verdict

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "history.db", NOW)


def good(card: str, state: State = State.REVIEW) -> Review:
    return Review(card, Rating.GOOD, 1, state)


def record(store: Store, *facts: tuple[int, Fact]) -> list[str]:
    """The ids of the events."""
    return [store.record(fact, at=NOW, day=day)[0].id for day, fact in facts]


def test_a_review_in_short_tells_history_day_rating_state_and_time(store: Store) -> None:
    with store:
        timed = Review("a", Rating.HARD, 3, State.NEW, seconds=12.5)
        record(store, (7, timed), (8, Flag("a", on=True)), (9, good("b", State.RELEARNING)))
        assert [*store.brief_reviews()] == [
            BriefReview(0, "a", 7, Rating.HARD, State.NEW, 12.5),
            BriefReview(1, "b", 9, Rating.GOOD, State.RELEARNING, None),
        ]


def test_a_blank_page_goes_without_saying_in_the_log(store: Store) -> None:
    with store:
        record(
            store, (7, good("a")), (8, Review("a", Rating.GOOD, 2, State.REVIEW, form=Form.SLIP))
        )
        plain, short = (json.loads(line)["body"] for line in store.lines())
    assert "form" not in plain
    assert short["form"] == "slip"


def test_the_reviews_of_cards_with_short_forms_are_told_since_they_were_new(store: Store) -> None:
    with store:
        worked = Review("a", Rating.GOOD, 1, State.NEW, seconds=90.0, form=Form.WORKED)
        slip = Review("a", Rating.AGAIN, 0, State.REVIEW, form=Form.SLIP, slip="sign")
        ids = record(store, (1, worked), (2, Reset("a")), (3, worked), (4, good("a")), (5, slip))
        record(store, (5, good("b")))
        assert store.entered("a") == [
            Entered(Form.WORKED, Rating.GOOD, 1, 90.0),
            Entered(Form.BLANK, Rating.GOOD, 1, None),
            Entered(Form.SLIP, Rating.AGAIN, 0, None),
        ]
        assert store.entered("b") == []
        record(store, (5, Undo("a", ids[-1])))
        assert [each.form for each in store.entered("a")] == [Form.WORKED, Form.BLANK]


def test_times_of_short_forms_are_told_by_form(store: Store) -> None:
    with store:
        slip = Review("a", Rating.GOOD, 3, State.REVIEW, 60.0, form=Form.SLIP)
        untimed = Review("a", Rating.GOOD, 3, State.REVIEW, form=Form.MISSING)
        worked = Review("b", Rating.GOOD, 1, State.NEW, 90.0, form=Form.WORKED)
        ids = record(store, (1, slip), (2, good("a")), (3, untimed), (4, worked), (5, slip))
        record(store, (5, Undo("a", ids[-1])))
        assert store.short_times() == [(Form.SLIP, 60.0), (Form.WORKED, 90.0)]


def test_times_are_those_of_blank_pages(store: Store) -> None:
    with store:
        record(store, (1, Review("a", Rating.GOOD, 3, State.REVIEW, 60.0, form=Form.SLIP)))
        record(store, (2, Review("a", Rating.GOOD, 3, State.REVIEW, 600.0)))
        assert store.times() == [("a", 600.0)]
        assert store.answer_times("a") == [("a", 600.0)]


@pytest.mark.parametrize("odd", [-1.0, 1e308])
def test_a_time_that_nobody_takes_is_unknown(store: Store, odd: float) -> None:
    with store:
        record(store, (7, Review("a", Rating.HARD, 3, State.NEW, seconds=odd)))
        assert [one.seconds for one in store.brief_reviews()] == [None]


def test_a_card_begins_a_new_history_after_a_reset(store: Store) -> None:
    with store:
        record(store, (1, good("a")), (2, good("b")), (3, Reset("a")), (4, good("a")))
        assert [(one.history, one.card) for one in store.brief_reviews()] == [
            (0, "a"),
            (1, "b"),
            (2, "a"),
        ]


def test_what_was_taken_back_does_not_count_neither_reviews_nor_resets(store: Store) -> None:
    with store:
        _, second, reset = record(store, (1, good("a")), (2, good("a")), (3, Reset("a")))
        record(store, (4, Undo("a", second)), (4, Undo("a", reset)), (5, good("a")))
        assert [(one.history, one.day) for one in store.brief_reviews()] == [(0, 1), (0, 5)]


def test_wrong_attempts_are_found_whatever_their_answers_say(store: Store) -> None:
    def attempt(verdict: Verdict, answer: str = "x") -> Attempt:
        return Attempt("a", "dx", answer, verdict)

    with store:
        _, wrong, _, _, again = record(
            store,
            (1, attempt(Verdict.CORRECT, 'as "wrong" as can be')),
            (1, attempt(Verdict.WRONG)),
            (2, attempt(Verdict.INVALID)),
            (2, good("a")),
            (3, attempt(Verdict.WRONG, '"correct"')),
        )
        assert [event.id for event in store.wrong_attempts()] == [wrong, again]


def test_the_log_replayed_at_once_is_the_log_folded_event_by_event(store: Store) -> None:
    with store:
        *_, taken, _ = record(
            store,
            (10, good("a")),
            (10, good("b")),
            (13, Review("a", Rating.AGAIN, 0, State.REVIEW)),
            (13, Review("a", Rating.EASY, 4, State.RELEARNING)),
            (14, Reset("b")),
            (12, good("a")),  # the clock went back
            (21, good("b")),
            (30, good("a")),
            (31, good("b")),
            (33, good("a")),
            (34, Reset("d")),
        )
        record(store, (35, Undo("a", taken)))
        reviews = store.brief_reviews()
        ends = replay_ends(pack(told_one_by_one((r.history, r.rating, r.day) for r in reviews)))
        current = {one.card: one.history for one in reviews}
        memories = {card: known.memory for card, known in store.progress().items()}
    assert current.keys() == memories.keys() == {"a", "b"}
    for card, memory in memories.items():
        assert memory is not None
        assert ends.stability[current[card]] == pytest.approx(memory.stability, rel=1e-12)
        assert ends.difficulty[current[card]] == pytest.approx(memory.difficulty, rel=1e-12)


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.sampled_from([36_500, 36_501, 10**400, 3.0, 2.5, 1e300, float("inf"), float("nan")]),
    st.sampled_from(["new", "review", "odd", "a/b.md"]),
    st.just([]),
)
bodies = st.dictionaries(
    st.sampled_from(["rating", "interval", "state", "seconds", "suggested", "path", "other"]),
    values,
)
SOUND = {"rating": 3, "interval": 2, "state": "new"}
columns_of_a_row = st.fixed_dictionaries(
    {},
    optional={
        "at_ms": st.sampled_from([-1, -(10**15), 10**13, 10**15, 10**17, 1.5, "7", None]),
        "offset_min": st.sampled_from([-1440, -1439, 1439, 1440, 10**9, 0.0, None]),
        "day": st.sampled_from([-5, 0, 1_095_363, 1_095_364, 1.0, "x", None]),
        "card": st.sampled_from(["", 7, None, b"a"]),
        "after": st.sampled_from([0, None, b"1"]),
        "hash": st.sampled_from([None, 3]),
        "body": st.sampled_from(["", "[]", "{", "[" * 2000, "null", b"{}", 7]),
    },
)


@given(bodies, columns_of_a_row)
@example({"suggested": True}, {})
@example({"seconds": 10**400}, {})
@example({}, {"at_ms": 10**15})
@example({}, {"offset_min": 1440})
@settings(derandomize=True, deadline=None, max_examples=600)
def test_a_review_in_short_is_refused_where_its_event_is(
    body: dict[str, object], changed: dict[str, object]
) -> None:
    text = json.dumps({**SOUND, **body})
    row = Row("id", "d", "", 1_700_000_000_000, 60, 7, "review", "a", text, "h")
    row = row._replace(**changed)
    try:
        expected = event_of(row)
    except UnreadableError:
        with pytest.raises(UnreadableError):
            review_body(row)
    else:
        assert expected and isinstance(expected.fact, Review)
        told = review_body(row)
        assert (told["rating"], told["interval"]) == (expected.fact.rating, expected.fact.interval)
        assert credible(told.get("seconds")) == expected.fact.seconds


@given(bodies, columns_of_a_row)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_a_page_of_reviews_says_what_each_of_its_events_says(
    body: dict[str, object], changed: dict[str, object]
) -> None:
    sound = Row("id", "d", "", 1_700_000_000_000, 60, 7, "review", "a", text_of(SOUND), "h")
    row = sound._replace(body=text_of({**SOUND, **body}))._replace(**changed)
    page = [sound, row]
    try:
        facts = [event.fact for each in page if (event := event_of(each))]
    except UnreadableError:
        with pytest.raises(UnreadableError):
            pages.bodies(page)
        return
    told, ratings = pages.bodies(page), pages.ratings(page)
    assert (told.short, told.rating) == (ratings.short, ratings.rating)
    assert ratings.interval == [fact.interval for fact in facts if isinstance(fact, Review)]
    columns = zip(told.short, told.rating, told.state, told.seconds, strict=True)
    for (short, rating, state, seconds), fact in zip(columns, facts, strict=True):
        assert isinstance(fact, Review)
        assert (rating, pages.STATES[state]) == (fact.rating, fact.state)
        assert (None if isnan(seconds) else seconds) == fact.seconds
        assert bool(short) == (fact.form is not Form.BLANK)


def test_the_days_with_reviews_are_those_with_one_that_stands(store: Store) -> None:
    with store:
        assert store.review_days() == frozenset()
        kept, taken, gone = record(store, (7, good("a")), (7, good("b")), (8, good("a")))
        record(store, (9, Flag("a", on=True)), (9, Undo("b", taken)), (9, Undo("a", gone)))
        assert kept and store.review_days() == {7}


def test_bare_results_are_kept_and_told_of_cards_that_never_came_in_a_short_form(
    store: Store,
) -> None:
    bare = Review("a", Rating.GOOD, 3, State.REVIEW, bare=True)
    with store:
        record(store, (1, good("a")), (2, bare), (2, good("b")))
        assert [each.bare for each in store.entered("a")] == [False, True]
        assert store.entered("b") == []
        assert [event.fact for event in store.events("a")] == [good("a"), bare]
        assert "bare" not in json.loads(next(iter(store.lines())))["body"]
