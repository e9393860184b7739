import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quizzer.fsrs.scheduler import schedule
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import Done, Store, StoreError
from quizzer.store.fold import fold, undone_ids
from quizzer.values import (
    UNSEEN,
    Attempt,
    Bury,
    Dispute,
    Fact,
    Fit,
    Flag,
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

NOW = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=1)))
DAY = study_day(NOW)
AGAIN, HARD, GOOD, EASY = Rating


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path, NOW) as opened:
        yield opened


def review(card: str = "softmax", rating: Rating = GOOD, **fields: Any) -> Review:
    return Review(card, rating, **({"interval": 3, "state": State.NEW} | fields))


def rate(store: Store, *facts: Fact, days: int = 0) -> None:
    store.record(*facts, at=NOW + timedelta(days=days), day=DAY + days)


def test_what_was_recorded_is_there_when_the_store_is_opened_again(path: Path) -> None:
    attempt = Attempt("softmax", "dX", "p - y", Verdict.WRONG, diagnosis="sign")
    with Store.open(path, NOW) as store:
        recorded = store.record(attempt, review(), at=NOW, day=DAY)
    with Store.open(path, NOW) as store:
        assert tuple(store.events()) == recorded
    assert [event.fact for event in recorded] == [attempt, review()]
    assert [event.after for event in recorded] == [None, recorded[0].id]
    assert recorded[0].at == NOW
    assert recorded[0].at.utcoffset() == NOW.utcoffset()


def test_recording_nothing_writes_nothing(store: Store) -> None:
    assert store.record(at=NOW, day=DAY) == ()
    assert store.events() == []


def test_a_review_is_remembered_as_it_was_scheduled(store: Store) -> None:
    memory = schedule("softmax", None, GOOD, NOW, DAY)
    rate(store, review(interval=memory.interval))
    assert store.progress_of("softmax") == Progress(memory)
    again = schedule("softmax", memory, AGAIN, NOW + timedelta(days=3), DAY + 3)
    rate(store, review(rating=AGAIN, interval=0, state=State.REVIEW), days=3)
    assert store.progress() == {"softmax": Progress(again)}


def test_what_is_remembered_of_a_card_stays_in_its_place_of_the_file(
    path: Path, store: Store
) -> None:
    def places() -> list[tuple[str, int]]:
        with closing(sqlite3.connect(path)) as raw:
            return raw.execute("SELECT card, rowid FROM memory ORDER BY card").fetchall()

    rate(store, review("a"), review("b"))
    before = places()
    rate(store, review("a", AGAIN, state=State.REVIEW), Suspend("b"), days=3)
    assert places() == before
    assert store.progress() == fold(store.events(), frozenset())


def test_a_card_that_was_never_met_is_unseen(store: Store) -> None:
    assert store.progress_of("softmax") == UNSEEN
    assert store.progress() == {}


def test_marks_come_and_go(store: Store) -> None:
    rate(store, Suspend("a"), Bury("b"), Flag("c", True))
    assert store.progress() == {
        "a": Progress(suspended=True),
        "b": Progress(buried_on=DAY),
        "c": Progress(flagged=True),
    }
    rate(store, Unsuspend("a"), Flag("c", False))
    assert store.progress() == {"b": Progress(buried_on=DAY)}


def test_a_reset_card_is_new_again_and_keeps_its_history(store: Store) -> None:
    rate(store, review(), Flag("softmax", True))
    rate(store, Reset("softmax"))
    assert store.progress_of("softmax") == Progress(flagged=True)
    assert len(store.events("softmax")) == 3


def test_attempts_and_disputes_do_not_change_the_schedule(store: Store) -> None:
    rate(store, Attempt("a", "dX", "1", Verdict.WRONG), Dispute("a", "dX", "1", Verdict.WRONG))
    assert store.progress() == {}


def test_undo_takes_back_the_newest_review_and_then_the_one_before(store: Store) -> None:
    before = []
    for n, card in enumerate(["a", "b", "a"]):
        before.append(store.progress())
        rate(store, review(card, interval=n + 1))
    rate(store, Flag("a", True))
    while before:
        expected = before[-1]
        newest = store.events(kinds=(Review,))[len(before) - 1]
        before.pop()
        assert store.undo(NOW, DAY) == newest
        assert newest.id in store.undone_ids()
        unflagged = {**store.progress(), "a": Progress(store.progress_of("a").memory)}
        assert {c: p for c, p in unflagged.items() if p != UNSEEN} == expected
    assert store.undo(NOW, DAY) is None
    assert store.progress() == {"a": Progress(flagged=True)}


def test_undo_adds_an_event_and_removes_none(store: Store) -> None:
    rate(store, review())
    before = store.events()
    store.undo(NOW, DAY)
    assert store.events()[:-1] == before
    assert store.events()[-1].fact == Undo("softmax", before[0].id)


def test_a_review_after_an_undo_is_the_next_to_be_taken_back(store: Store) -> None:
    rate(store, review("a"))
    store.undo(NOW, DAY)
    rate(store, review("b"))
    undone = store.undo(NOW, DAY)
    assert undone is not None
    assert undone.fact.card == "b"
    assert store.undo(NOW, DAY) is None


def test_events_are_found_by_card_day_and_kind(store: Store) -> None:
    rate(store, review("a"), Flag("a", True))
    rate(store, review("b"), days=2)
    assert [e.fact.card for e in store.events("a")] == ["a", "a"]
    assert [e.fact.card for e in store.events(since_day=DAY + 1)] == ["b"]
    assert [e.fact for e in store.events(kinds=[Flag])] == [Flag("a", True)]
    assert [e.fact.card for e in store.events("a", DAY, (Review, Undo))] == ["a"]
    assert store.events(kinds=[]) == []


def test_the_day_counts_each_card_once_as_new_or_as_a_review(store: Store) -> None:
    rate(store, review("yesterday"), days=-1)
    rate(store, review("a"), review("a", state=State.LEARNING), review("a", state=State.REVIEW))
    rate(store, review("b", state=State.REVIEW), review("b", state=State.REVIEW))
    rate(store, review("c", state=State.RELEARNING), Bury("d"))
    assert store.done(DAY) == Done(new=frozenset("a"), reviews=frozenset("b"))
    rate(store, review("e"))
    assert store.done(DAY).new == {"a", "e"}
    store.undo(NOW, DAY)
    assert store.done(DAY).new == {"a"}


def test_answer_times_are_those_of_standing_good_and_easy_reviews(store: Store) -> None:
    rate(store, review("a", GOOD, seconds=10.0), review("b", EASY, seconds=20.0))
    rate(store, review("a", AGAIN, seconds=1.0), review("a", HARD, seconds=2.0), review("a"))
    rate(store, review("c", seconds=-1.0), review("c", seconds=1e9), review("c", seconds=30.0))
    rate(store, review("a", seconds=40.0))
    store.undo(NOW, DAY)
    assert store.answer_times() == [("c", 30.0), ("b", 20.0), ("a", 10.0)]
    assert store.answer_times("a") == [("a", 10.0)]
    assert store.answer_times("d") == []


def test_the_last_path_of_a_card_is_that_of_its_newest_review(store: Store) -> None:
    rate(store, review("a", path="/old/a.md"), review("b"))
    rate(store, review("a", path="/new/a.md"))
    assert store.last_paths(["a", "b"]) == {"a": "/new/a.md"}


def test_the_last_paths_of_some_cards_are_found_alone(store: Store) -> None:
    cards = [f"card-{n}" for n in range(1200)]
    rate(store, *(review(card, path=f"/old/{card}.md") for card in cards))
    rate(
        store, *(review(card, path=f"/new/{card}.md") for card in cards[::2]), Flag("card-0", True)
    )
    newest = store.last_paths(cards)
    assert newest == {
        card: f"/{'old' if number % 2 else 'new'}/{card}.md" for number, card in enumerate(cards)
    }
    some = cards[3:1100]
    assert store.last_paths(some) == {card: newest[card] for card in some}
    assert store.last_paths([]) == {}


def test_cards_that_may_come_are_told_from_those_that_do_not(store: Store) -> None:
    rate(store, review("due", interval=3), review("later", interval=4), review("step", interval=0))
    rate(
        store, review("away"), Suspend("away"), review("hidden"), Bury("hidden"), Flag("new", True)
    )
    rate(store, Suspend("new and away"))
    progress, others = store.progress_until(DAY + 3)
    assert progress.keys() == {"due", "step", "hidden", "new"}
    assert others == {"later", "away", "new and away"}
    assert progress == {card: store.progress_of(card) for card in progress}
    assert "due" in store.progress_until(DAY + 2)[1]


def test_cards_met_lately_are_those_whose_newest_review_is_of_late(store: Store) -> None:
    rate(store, review("a"), review("b"), Flag("c", True))
    rate(store, review("b"), days=2)
    assert store.met_since(DAY) == {"a", "b"}
    assert store.met_since(DAY + 1) == {"b"}


def test_all_facts_of_one_call_are_kept_or_none(store: Store) -> None:
    with pytest.raises(ValueError, match="interval"):
        rate(store, review("a"), review("b", interval=-1))
    assert store.events() == []
    assert store.progress() == {}


def test_a_clock_that_went_back_keeps_the_order_of_events(store: Store) -> None:
    rate(store, review("a"))
    rate(store, review("a", state=State.REVIEW), days=-400)
    rate(store, review("a", state=State.REVIEW), days=1)
    ids = [e.id for e in store.events()]
    assert [e.after for e in store.events()] == [None, *ids[:-1]]
    assert [e.day - DAY for e in store.events()] == [0, -400, 1]
    assert store.progress_of("a").memory is not None
    assert store.check() == []


def test_every_line_of_the_log_is_told_as_json(store: Store) -> None:
    import json

    rate(store, review("a"), Attempt("a", "dX", "σ(x)", Verdict.CORRECT))
    told = [json.loads(line) for line in store.lines()]
    assert [line["kind"] for line in told] == ["review", "attempt"]
    assert told[1]["body"]["answer"] == "σ(x)"
    assert [line["id"] for line in told] == [event.id for event in store.events()]


OWN = Fit("FSRS-6", (*(0.5, 1.5, 3.5, 9.0), *DEFAULT_PARAMETERS[4:]), 1000)


def test_a_fit_gives_other_memory_states_and_keeps_the_promised_days(path: Path) -> None:
    with Store.open(path, NOW) as store:
        rate(store, review("a", interval=4))
        default = store.progress_of("a").memory
        rate(store, OWN)
    for read_only in (True, False, True):
        with Store.open(path, NOW, read_only=read_only) as store:
            memory = store.progress_of("a").memory
            assert memory is not None and default is not None
            assert memory.stability == 3.5 != default.stability
            assert memory.due_day == default.due_day
            assert store.parameters == OWN.parameters
            assert store.check() == []


def test_a_fit_is_undone_and_the_one_before_is_in_force_again(store: Store) -> None:
    rate(store, review("a"), OWN)
    newer = replace(OWN, parameters=(0.25, *OWN.parameters[1:]))
    rate(store, newer)
    assert store.parameters == newer.parameters
    for expected in (OWN.parameters, DEFAULT_PARAMETERS):
        undone = store.undo(NOW, DAY, (Review, Fit))
        assert undone and isinstance(undone.fact, Fit)
        assert store.parameters == expected
        assert store.check() == []
    undone = store.undo(NOW, DAY, (Review, Fit))
    assert undone and undone.fact == review("a")


def test_undo_in_a_session_passes_over_a_fit(store: Store) -> None:
    rate(store, review("a"), OWN)
    undone = store.undo(NOW, DAY)
    assert undone and undone.fact == review("a")
    assert store.parameters == OWN.parameters


@pytest.mark.parametrize(
    "other",
    [replace(OWN, model="FSRS-9"), replace(OWN, parameters=(1.0, 2.0)),
     replace(OWN, parameters=(-1.0, *OWN.parameters[1:]))],
)  # fmt: skip
def test_a_fit_that_this_version_cannot_use_is_kept_and_passed_over(
    store: Store, other: Fit
) -> None:
    rate(store, review("a"), OWN, other)
    assert store.parameters == OWN.parameters
    assert len([*store.lines()]) == 3


def test_a_session_folds_with_the_fit_of_another_process(path: Path) -> None:
    with Store.open(path, NOW) as first, Store.open(path, NOW) as second:
        rate(first, review("a"))
        rate(second, OWN)
        rate(first, review("b"))
        assert first.parameters == OWN.parameters
        assert first.check() == second.check() == []


def test_a_store_is_used_from_several_threads(store: Store) -> None:
    """SQLite's own module would refuse the second one."""

    def use(thread: int) -> None:
        for number in range(20):
            rate(store, review(f"{thread}-{number}"), Flag(f"{thread}-{number}", True))
            store.progress()

    threads = [Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.events()) == 160
    assert store.check() == []


def test_rebuilding_mends_a_table_that_does_not_follow_from_the_log(path: Path) -> None:
    with Store.open(path, NOW) as store:
        rate(store, review("a"), review("b"))
        expected = store.progress()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE memory SET lapses = 7 WHERE card = 'a'")
        raw.execute("DELETE FROM memory WHERE card = 'b'")
    raw.close()
    with Store.open(path, NOW) as store:
        assert len(store.check()) == 2
        store.rebuild()
        assert store.check() == []
        assert store.progress() == expected


@pytest.mark.parametrize("column", ["stability", "difficulty"])
@pytest.mark.parametrize(("factor", "faults"), [(1 + 1e-12, 0), (1 + 1e-6, 1)])
def test_a_memory_state_that_is_off_by_more_than_its_last_digits_is_told(
    path: Path, column: str, factor: float, faults: int
) -> None:
    with Store.open(path, NOW) as store:
        rate(store, review("a"))
    with sqlite3.connect(path) as raw:
        raw.execute(f"UPDATE memory SET {column} = {column} * ?", (factor,))
    raw.close()
    with Store.open(path, NOW) as store:
        assert len(store.check()) == faults


def test_a_reader_writes_nothing_and_may_not_record(path: Path) -> None:
    with Store.open(path, NOW) as store:
        rate(store, review())
    before = path.read_bytes()
    with Store.open(path, NOW + timedelta(days=3), read_only=True) as store:
        assert store.progress_of("softmax").memory
        with pytest.raises(StoreError, match="read only"):
            rate(store, review())
        with pytest.raises(StoreError, match="read only"):
            store.undo(NOW, DAY)
    assert path.read_bytes() == before
    assert not (path.parent / "backups").exists()


def test_a_reader_of_a_store_that_is_not_there_sees_an_empty_one_and_makes_nothing(
    path: Path,
) -> None:
    with Store.open(path, NOW, read_only=True) as store:
        assert store.progress() == {}
        assert store.events() == []
        assert store.done(DAY) == Done()
        assert store.check() == []
    assert not path.parent.exists()


cards = st.sampled_from(["a", "b", "c"])
moves = st.one_of(
    st.builds(review, cards, st.sampled_from(Rating), interval=st.sampled_from([0, 0, 1, 3, 40])),
    st.builds(Suspend, cards),
    st.builds(Unsuspend, cards),
    st.builds(Bury, cards),
    st.builds(Flag, cards, st.booleans()),
    st.builds(Reset, cards),
    st.just("undo"),
    st.just("undo"),
    st.builds(lambda card, index: (card, index), cards, st.integers(0, 20)),
)
instants = st.builds(
    lambda minutes, offset: (NOW + timedelta(minutes=minutes)).astimezone(
        timezone(timedelta(minutes=15 * offset))
    ),
    st.integers(-60 * 24 * 20, 60 * 24 * 60),
    st.integers(-48, 56),
)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.lists(st.tuples(moves, instants), max_size=20))
def test_memory_always_equals_the_fold_of_the_log(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[Any, datetime]]
) -> None:
    path = tmp_path_factory.mktemp("fold") / "history.db"
    with Store.open(path, NOW) as store:
        for move, at in history:
            events = store.events()
            if move == "undo":
                store.undo(at, study_day(at))
            elif isinstance(move, tuple):
                # An undo of any event, of another card or of another undo too.
                if events:
                    chosen = events[move[1] % len(events)].id
                    store.record(Undo(move[0], chosen), at=at, day=study_day(at))
            else:
                store.record(move, at=at, day=study_day(at))
            events = store.events()
            assert store.progress() == fold(events, undone_ids(events))
        assert store.check() == []
        kept = store.progress()
        store.rebuild()
        assert store.progress() == kept


def test_an_instant_is_kept_to_the_millisecond_in_its_zone(store: Store) -> None:
    at = datetime(2026, 3, 1, 3, 59, 59, 999_999, tzinfo=UTC).astimezone(NOW.tzinfo)
    (event,) = store.record(review(), at=at, day=study_day(at))
    assert event.at == at.replace(microsecond=999_000)
    assert store.progress_of("softmax").memory.at == event.at  # type: ignore[union-attr]


def test_the_store_brings_no_heavy_module_with_it() -> None:
    import subprocess
    import sys

    program = (
        "import sys, quizzer.store; "
        "print({'numpy', 'rich', 'prompt_toolkit', 'yaml', 'typer'} & sys.modules.keys())"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert told.stdout.strip() == "set()"
